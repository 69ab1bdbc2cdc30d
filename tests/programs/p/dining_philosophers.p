/* Dining philosophers. Forks are machines; each philosopher takes the fork with the
   smaller number first, so that nobody starves. */
event eTake: Philosopher;
event eTaken: (fork: Fork);
event ePut: Philosopher;
event eEating: int;
event eFull: int;

machine Fork
{
  var number: int;
  var owner: Philosopher;

  start state Init
  {
    entry (n: int)
    {
      number = n;
      goto OnTable;
    }
  }

  state OnTable
  {
    on eTake goto InUse;
    on ePut do (who: Philosopher)
    {
      assert false, format("{0} put down fork {1}, which it did not have", who, number);
    }
  }

  state InUse
  {
    entry (who: Philosopher)
    {
      owner = who;
      send owner, eTaken, (fork = this,);
    }
    on ePut do (who: Philosopher)
    {
      assert who == owner;
      goto OnTable;
    }
    defer eTake;
  }
}

machine Philosopher
{
  var seat: int;
  var meals: int;
  var forks: (Fork, Fork);

  start state Init
  {
    entry (place: (seat: int, forks: (Fork, Fork)))
    {
      seat = place.seat;
      forks = place.forks;
      goto Thinking;
    }
  }

  state Thinking
  {
    entry
    {
      if (meals == 2)
      {
        announce eFull, seat;
        return;
      }
      Take(forks.0);
      Take(forks.1);
      goto Eating;
    }
  }

  state Eating
  {
    entry
    {
      announce eEating, seat;
      meals = meals + 1;
      goto Thinking;
    }
    exit
    {
      send forks.1, ePut, this;
      send forks.0, ePut, this;
    }
  }

  fun Take(fork: Fork)
  {
    send fork, eTake, this;
    receive
    {
      case eTaken: (taken: (fork: Fork))
      {
        assert taken.fork == fork;
      }
    }
  }
}

machine Table
{
  start state Set
  {
    entry
    {
      var forks: seq[Fork];
      var i, n: int;

      n = 3;
      while (i < n)
      {
        forks += (sizeof(forks), new Fork(i));
        i = i + 1;
      }
      i = 0;
      while (i < n - 1)
      {
        new Philosopher((seat = i, forks = (forks[i], forks[i + 1])));
        i = i + 1;
      }
      // the last one reaches the other way round
      new Philosopher((seat = n - 1, forks = (forks[0], forks[n - 1])));
    }
  }
}

spec AllGetFull observes eEating, eFull
{
  var full: set[int];

  start hot state Hungry
  {
    on eFull do (seat: int)
    {
      full += (seat);
      if (sizeof(full) == 3) { goto Satisfied; }
    }
    on eEating do (seat: int)
    {
      assert !(seat in full), "still eating";
    }
  }

  cold state Satisfied { ignore eEating; }
}

module Dinner = { Table, Fork, Philosopher };

test tcDinner [main=Table]: assert AllGetFull in Dinner;

implementation dinner [main=Table]: Dinner;
