// A vending machine whose coin tester and receipt printer live outside the model, as a foreign
// type and foreign functions. Scenarios tell which situations a test has reached.

type Receipt;

enum Coin { FIVE = 5, TEN = 10, TWENTY = 20, BENT = 0 }
enum Drink { WATER, TEA, SOUP }

fun BlankReceipt() : Receipt;
fun AddLine(receipt: Receipt, line: string) : Receipt;
fun IsGenuine(coin: Coin) : bool;
fun Log(line: string);
fun MakeDisplay() : Display creates Display;

event eCoin: Coin;
event ePick: Drink;
event eCancel;
event eServe: (drink: Drink, change: int);
event eRefund: int;
event eShow;
event ePaid;

machine VendingMachine {
  var customer: machine;
  var price: map[Drink, int];
  var credit: int;
  var receipt: Receipt;
  var display: Display;

  fun Worth(coin: Coin) : int;

  start state Setup {
    entry (c: machine) {
      customer = c;
      price[WATER] = 10; price[TEA] = 15; price[SOUP] = 25;
      display = MakeDisplay();
      receipt = BlankReceipt();
      goto Idle;
    }
  }

  state Idle {
    on eCoin goto Collecting with Accept;
    on ePick do { Log("no money, no drink"); }
    ignore eCancel;
  }

  state Collecting {
    on eCoin do Accept;
    on ePick do (drink: Drink) {
      if (credit >= price[drink]) {
        raise ePaid;
      }
      receipt = AddLine(receipt, "not enough");
    }
    on ePaid goto Serving;
    on eCancel goto Idle with {
      send customer, eRefund, credit;
      credit = 0;
    }
  }

  state Serving {
    entry {
      var drink: Drink;
      drink = Affordable();
      send customer, eServe, (drink = drink, change = credit - price[drink]);
      credit = 0;
      goto Idle;
    }
    defer eCoin, ePick, eCancel;
  }

  fun Accept(coin: Coin) {
    if (coin == BENT || !IsGenuine(coin)) {
      send customer, eRefund, 0;
    } else {
      credit = credit + (coin to int);
    }
  }

  fun Affordable() : Drink {
    if (credit >= price[SOUP]) return SOUP;
    if (credit >= price[TEA]) return TEA;
    assert credit >= price[WATER];
    return WATER;
  }
}

machine Display
  receives;
  sends;
{
  start state On { }
}

machine Customer {
  start state Init {
    entry {
      var coins: seq[Coin];
      var shop: VendingMachine;
      var i: int;

      coins += (0, FIVE);
      coins += (0, TEN);
      coins += (0, TWENTY);
      coins += (0, BENT);
      shop = new VendingMachine(this);
      while (i < 4) {
        send shop, eCoin, choose(coins);
        i = i + 1;
      }
      if ($) { send shop, ePick, TEA; }
      else { send shop, eCancel; }
    }
    on eServe, eRefund do { Log("got something"); }
  }
}

scenario CoinsThenDrink observes eCoin, eServe {
  start state NothingYet {
    on eCoin goto Paying;
  }
  hot state Paying {
    on eServe goto Served;
    ignore eCoin;
  }
  cold state Served {
    ignore eCoin, eServe;
  }
}

scenario BigRefund observes eRefund {
  start state Waiting {
    on eRefund do (amount: int) {
      if (amount > 50) {
        goto Rich;
      }
    }
  }
  cold state Rich { ignore eRefund; }
}

test tcVending [main=Customer]: { Customer, VendingMachine, Display };
