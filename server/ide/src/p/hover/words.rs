//! One sentence about each word of P whose meaning is not plain from the word itself.

/// What a word of P does.
pub(super) fn sentence(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, sentence)| *sentence)
}

const WORDS: [(&str, &str); 93] = [
    (
        "machine",
        "A machine has states, variables and a queue of events, and runs at the same time as all others; as a type, a reference to any machine.",
    ),
    (
        "spec",
        "A spec watches the events it observes while a test runs, and says when something went wrong. Tests attach it with `assert`.",
    ),
    (
        "scenario",
        "A scenario watches every test and is complete when it enters a cold state: it shows that something can happen at all.",
    ),
    ("observes", "The events a spec is told about, at the moment when they are sent or announced."),
    ("event", "An event is sent from machine to machine and may carry a value; as a type, any event without its value."),
    ("eventset", "A set of events with a name. As a type, it means a machine that takes these events."),
    ("interface", "What a machine looks like from outside: what it takes when it is created, and which events it receives."),
    ("receives", "The events that can be sent to this machine. Without this clause, all of them."),
    ("sends", "The events this machine may send. Without this clause, all of them."),
    ("creates", "The machine or interface that a function written in another language creates."),
    ("type", "Gives a type a name. Without `=`, the type is written in another language."),
    ("enum", "A type with a fixed list of values. Its elements are known everywhere by their own names."),
    ("fun", "A function. Without a body, it is written in another language."),
    ("param", "Declares a parameter of tests, or gives the values a test tries for it."),
    ("module", "Gives a set of machines a name, for use in tests and other modules."),
    ("implementation", "A program that can be run as it is: a module and the machine it starts with."),
    ("test", "Something the checker runs: a module, the machine that starts, and the specs that watch."),
    ("refines", "Says that every behaviour of one module is one of another. P reads such tests, but cannot run them."),
    ("main", "The machine with which a test or implementation starts."),
    ("pairwise", "Not all combinations of the values are tried, but each pair of values of two parameters occurs in some test."),
    ("wise", "`(n wise)`: each combination of values of any n parameters occurs in some test."),
    ("compose", "Puts modules together that send no event and create no machine in common."),
    ("union", "Puts modules together; they may send the same events and create the same machines."),
    ("hidee", "Hides events: outside of the module nobody can send or observe them."),
    ("hidei", "Hides interfaces: outside of the module nobody can create them."),
    ("rename", "Gives an interface of a module another name."),
    ("state", "A state says which events a machine handles while it is there, and how."),
    ("start", "The state in which a machine begins. Its entry takes the value given to `new`."),
    (
        "hot",
        "In a hot state of a spec something good is still owed: a run that ends there, or stays there for ever, violates the spec.",
    ),
    ("cold", "Entering a cold state pays all that was owed; a scenario is complete when it enters one."),
    ("entry", "Runs when the state is entered, with the value of the event, `goto` or `new` that led here."),
    ("exit", "Runs when the state is left. It takes no value and cannot change the state."),
    ("on", "Says what happens when this event is next in the queue. `on null` happens while the queue has nothing to handle."),
    ("do", "Runs code, or a function of the machine, and stays in the state."),
    (
        "goto",
        "Leaves the state for another one: runs the exit of this state, then the entry of the other. What follows is not run.",
    ),
    ("with", "Code that runs between leaving the old state and entering the new one."),
    ("defer", "Leaves these events in the queue: they are handled in a later state."),
    ("ignore", "Throws these events away when they are next in the queue."),
    ("receive", "Waits here for one of these events; other events stay in the queue meanwhile."),
    ("case", "What to do when one of these events was received."),
    ("send", "Puts an event into the queue of a machine and goes on: `send machine, event, value;`."),
    ("raise", "Makes this the next event of the machine itself, before its queue. What follows is not run."),
    ("announce", "Tells specs that observe the event, and nobody else."),
    ("new", "Creates a machine, which runs from now on; its start state's entry takes the value in parentheses."),
    ("assert", "In code, what must be true here, or the test fails; before a module, the specs that watch it."),
    ("assume", "In a test, which combinations of parameters are tried; in proofs, what may be taken for true."),
    ("print", "Writes a text into the log of a run."),
    ("format", "A text with values in the places `{0}`, `{1}`, and so on."),
    ("return", "Ends the function, with its result if it has one."),
    ("break", "Leaves the innermost loop."),
    ("continue", "Goes on with the next round of the innermost loop."),
    ("while", "Repeats as long as the condition holds."),
    ("foreach", "Runs once for each element. The variable is declared before, and the collection is copied at the start."),
    ("in", "Whether a collection has this element, or a map this key; in `foreach` and tests, where values come from."),
    ("keys", "The keys of a map, as a sequence."),
    ("values", "The values of a map, as a sequence."),
    ("sizeof", "How many elements a collection has."),
    ("default", "The first value of a type: `0`, `false`, an empty text or collection, `null`."),
    ("choose", "A choice the checker makes: true or false, a number below the given one, or an element of a collection."),
    ("$", "True or false: the checker tries both."),
    ("halt", "The event that ends a machine which does not handle it. What is sent to it later is thrown away."),
    ("null", "The value of a machine or event that is not there; `on null` happens while the queue has nothing to handle."),
    ("this", "The machine in which this code runs."),
    ("as", "Takes a value for one of this type; the run fails if it is not."),
    ("to", "Converts a number, or a reference to a machine, to this type; in modules, the new name of an interface."),
    ("var", "Declares variables. They begin with the default of their type; those of code stand before its statements."),
    ("any", "The type of all values. `as` takes them back to a type of their own."),
    ("data", "The type of all values without references to machines."),
    ("int", "The type of whole numbers."),
    ("bool", "The type of `true` and `false`."),
    ("float", "The type of numbers with a fraction. `to int` cuts the fraction off."),
    ("string", "The type of texts."),
    ("seq", "A sequence: `s += (index, value)` inserts, `s[index] = value` replaces, `s -= (index)` removes."),
    ("set", "A set: `s += (value)` adds, `s -= (value)` removes."),
    ("map", "A map: `m[key] = value` adds or replaces, `m -= (key)` removes. Reading a key that is not there fails."),
    ("invariant", "A claim about every state the program can reach; after `foreach`, about every round."),
    ("axiom", "A claim that proofs may use without proof."),
    ("init-condition", "What proofs may take for true at the beginning."),
    ("pure", "A function of proofs: without a body, nothing is known about it but what axioms say."),
    ("Lemma", "Invariants that are proved together, under one name."),
    ("Theorem", "Invariants that are proved together, under one name."),
    ("Proof", "Says what is proved with the help of what."),
    ("prove", "What is to be proved: that it holds before and after every step."),
    ("using", "What may be taken for true while this is proved."),
    ("except", "What `*` leaves out."),
    ("is", "Whether something is a machine or event of this name, or a machine in this state."),
    ("inflight", "Whether a message has been sent and not been handled yet."),
    ("sent", "Whether a message has been sent at any time."),
    ("targets", "Whether a message was sent to this machine."),
    ("forall", "Whether something holds for all values of these types."),
    ("exists", "Whether something holds for some value of these types."),
    ("requires", "What must hold where this function is called."),
    ("ensures", "What holds after this function has been called."),
];

#[cfg(test)]
mod tests {
    use super::WORDS;
    use lockstep_syntax::Language;

    #[test]
    fn the_sentences_are_about_words_of_p() {
        for (word, sentence) in WORDS {
            assert!(word == "$" || Language::P.is_reserved(word), "{word}");
            assert!(sentence.ends_with('.'), "{word}");
        }
        let mut words: Vec<&str> = WORDS.iter().map(|(word, _)| *word).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), WORDS.len(), "each word once");
    }
}
