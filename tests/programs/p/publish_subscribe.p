/* A broker for publish and subscribe.

   Topics are strings, subscribers are any machine, and bodies are of any type: subscribers
   look at the topic and cast. */

type Topic = string;
type Mail = (topic: Topic, body: any);

event eSubscribe : (who: machine, topic: Topic, wake: event);
event eUnsubscribe : (who: machine);
event ePublish : Mail;
event eMail : Mail;
event eUrgent : Mail;

machine Broker
{
    // topic -> who wants it, and by which event
    var subscribers : map[Topic, map[machine, event]];
    var undelivered : seq[Mail];

    start state Running
    {
        on eSubscribe do (s : (who: machine, topic: Topic, wake: event))
        {
            if (!(s.topic in subscribers))
                subscribers[s.topic] = default(map[machine, event]);
            subscribers[s.topic][s.who] = s.wake;
        }

        on eUnsubscribe do (s : (who: machine))
        {
            var topic : Topic;
            foreach (topic in keys(subscribers))
            {
                if (s.who in subscribers[topic]) { subscribers[topic] -= (s.who); }
            }
        }

        on ePublish do Deliver;
    }

    fun Deliver(mail : Mail)
    {
        var who : machine;

        if (!(mail.topic in subscribers) || sizeof(subscribers[mail.topic]) == 0)
        {
            undelivered += (sizeof(undelivered), mail);
            return;
        }
        foreach (who in keys(subscribers[mail.topic]))
        {
            send who, subscribers[mail.topic][who], mail;
        }
    }
}

machine Subscriber
{
    var broker : machine;
    var seen : seq[any];
    var nothing : any;

    start state Init
    {
        entry (setup : (Broker, seq[string]))
        {
            var topic : Topic;

            broker = setup.0;
            nothing = null;
            foreach (topic in setup.1)
            {
                if (topic == "alarm")
                    send broker, eSubscribe, (who = this, topic = topic, wake = eUrgent);
                else
                    send broker, eSubscribe, (who = this, topic = topic, wake = eMail);
            }
        }

        on eMail, eUrgent do (mail : Mail)
        {
            var number : int;
            var pair : (int, bool);

            if (mail.topic == "count")
            {
                number = mail.body as int;
                assert number > 0;
            }
            else if (mail.topic == "pair")
            {
                pair = mail.body as (int, bool);
                assert pair.1 || pair.0 == 0;
            }
            seen += (0, mail.body);
            if (mail.body != nothing && sizeof(seen) == 3)
            {
                send broker, eUnsubscribe, (who = this,);
            }
        }
    }
}

fun Describe(payload : data, label : string) : string
{
    return label + format(" carries {0}", payload);
}

machine Publisher
{
    start state Init
    {
        entry (broker : Broker)
        {
            send broker, ePublish, (topic = "count", body = 3);
            send broker, ePublish, (topic = "pair", body = (1, true));
            send broker, ePublish, (topic = "alarm", body = (code = 7,));
            send broker, ePublish, (topic = "weather", body = null);
            print Describe((1, "two", 3.0), "the tuple");
            send broker, halt;
        }
    }
}

machine Main
{
    start state Init
    {
        entry
        {
            var broker : Broker;
            var topics : seq[string];

            broker = new Broker();
            topics += (0, "count"); topics += (1, "pair"); topics += (2, "alarm");
            new Subscriber(broker, topics);
            new Subscriber((broker, topics));
            if ($) { new Publisher(broker); } else { ; }
        }
    }
}
