//! Advice for what people coming from other languages write.

use super::repair::{Change, Mistake};

/// A mistake with the words around it.
pub(super) struct Context<'a> {
    /// The token the mending change is about, and the one before it.
    pub(super) token: &'a str,
    pub(super) before: &'a str,
    /// Where reading stopped, and the token before that.
    pub(super) stopped: &'a str,
    pub(super) before_stop: &'a str,
    /// The text right behind where reading stopped.
    pub(super) after: &'a str,
    /// The first word of the line.
    pub(super) line_start: &'a str,
    /// Whether a word is one of the grammar's.
    pub(super) is_keyword: &'a dyn Fn(&str) -> bool,
    pub(super) mistake: &'a Mistake,
}

/// Words of other languages and what P and IceT have in their place.
const WORDS: [(&str, &str); 14] = [
    ("for", "loops are written `while (condition)` and `foreach (x in xs)`"),
    ("switch", "there is no `switch`: use `if` and `else if`"),
    ("elif", "write `else if`"),
    ("try", "there are no exceptions"),
    ("and", "write `&&`"),
    ("or", "write `||`"),
    ("not", "write `!`"),
    ("function", "functions begin with `fun`"),
    ("def", "functions begin with `fun`"),
    ("class", "machines begin with `machine`"),
    ("let", "variables are declared with `var name: type;` and assigned later"),
    ("const", "there are no constants: use a function or a `param`"),
    ("import", "there are no imports: all files of a project see each other"),
    ("using", "there are no imports: all files of a project see each other"),
];

const TYPES: [&str; 4] = ["int", "bool", "string", "float"];

pub(super) fn habit(context: &Context<'_>) -> Option<&'static str> {
    let Context { token, before, stopped, before_stop, mistake, .. } = *context;
    let asks = |rule: &str, symbol: &str| context.asks(rule, symbol);
    let help = match stopped {
        "=" if asks("variable_declaration", ";") || asks("variable_declaration", ":") => {
            "a variable has no initial value: declare it with `var name: type;` and assign it in a statement of its own"
        }
        "=" if asks("if_statement", ")") || asks("while_statement", ")") => "`==` compares, `=` assigns",
        "=" if asks("tuple_type", ",") || asks("tuple_type", ")") => "types of fields are written `(a: int, b: int)`",
        "+" if context.after.starts_with('+') => "there is no `++`: write `x = x + 1;`",
        "-" if context.after.starts_with('-') => "there is no `--`: write `x = x - 1;`",
        ":" if asks("tuple_expression", ",") || asks("parenthesized_expression", ")") || asks("named_value", "=") => {
            "values of fields are written `(a = 1, b = 2)`"
        }
        ")" if before_stop == "," && (asks("tuple_type", "_type") || asks("named_tuple_type", "typed_name")) => {
            "only a value of one field ends in a comma, not a type"
        }
        "," if asks("print_statement", ";") => "text with values in it is written `format(\"{0}\", value)`",
        "(" if asks("machine_declaration", "machine_body") => {
            "a machine has no parameters of its own: the `entry` of its start state takes them"
        }
        "(" if asks("exit_action", "block") => "`exit` takes no parameter",
        "(" if asks("_handler", ";") => "a handler is named without parentheses, or written as a block: `{ f(); }`",
        "var" | "fun" if asks("state_body", "}") && matches!(mistake.change, Change::Skip(_)) => {
            "variables and functions belong to the machine, not to a state"
        }
        "var" if asks("block", "_statement") || asks("body", "_statement") => {
            "variables are declared at the start of a function or handler, before its statements"
        }
        ")" if asks("named_tuple_expression", ",") => "a named tuple of one field ends in a comma: `(field = value,)`",
        _ if asks("insert_statement", "(") => {
            "write `+= (value)` to add to a set, `+= (index, value)` to a sequence or a map, and `x = x + 1` for numbers"
        }
        ":" if context.after.starts_with('=') => "assign with `=`",
        _ if TYPES.contains(&stopped) && asks("block", "_statement") => {
            "a variable is declared as `var name: type;`, before the statements"
        }
        _ if TYPES.contains(&before_stop) && is_word(stopped) && !mistake.stopped.first_on_line => {
            "the name comes first: `x: int`"
        }
        _ if token == ";" && before == "}" && mistake.change == Change::Delete => "no `;` stands after a closing brace",
        _ => {
            return [token, stopped, before_stop, before, context.line_start]
                .into_iter()
                .find_map(|word| context.foreign_word(word));
        }
    };
    Some(help)
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
}

impl Context<'_> {
    /// What stands for a word of another language, unless it is a word of this one.
    fn foreign_word(&self, word: &str) -> Option<&'static str> {
        let help = WORDS.iter().find(|(other, _)| *other == word).map(|(_, help)| *help)?;
        (!(self.is_keyword)(word)).then_some(help)
    }

    /// Whether a rule in progress asks for this symbol, where reading stopped or at the change.
    fn asks(&self, rule: &str, symbol: &str) -> bool {
        let asking = self.mistake.expected_when_stopped.asking.iter().chain(&self.mistake.expected.asking);
        asking.into_iter().any(|(asking, asked)| asking == rule && asked == symbol)
    }
}
