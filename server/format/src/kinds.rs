//! What matters about a node or token for its layout: one enum for both languages, which have the same names for the same constructs.

use std::sync::LazyLock;

use lockstep_syntax::{KindName, Language, kind_names};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    // ---- Nodes --------------------------------------------------------------------------------------------------------
    /// The text as a whole.
    File,
    MachineBody,
    StateBody,
    /// Statements between braces.
    Block,
    /// Braces that belong to the construct itself: `receive { ... }`, `Proof { ... }`.
    Braced,
    If,
    /// With a condition or collection in parentheses, which the body follows.
    Loop,
    Function,
    Machine,
    /// What stands on a line of its own between a head and its body: `receives`, `invariant` of a loop, `requires`.
    Clause,
    Observes,
    /// A head with a list of names, which a body follows.
    Handler,
    /// A list of names that ends the line: `defer`, `ignore`, `var`.
    Names,
    /// A statement whose parts stand behind commas: `send`, `assert`.
    Parts,
    Assign,
    Insert,
    Binary,
    Unary,
    Quantifier,
    Call,
    Arguments,
    /// `format(...)`: the brackets belong to the node.
    Format,
    /// A word of the language that is used like a function: `sizeof(...)`.
    Builtin,
    /// Values or types between parentheses, with commas.
    Tuple,
    /// The same that follows a name without a space: parameters, payloads, patterns.
    Parameters,
    Enum,
    EventSet,
    Binding,
    Set,
    Index,
    Dotted,
    Test,
    TestParams,
    TestParam,
    /// A declaration of a module or an implementation.
    Module,
    /// `union`, `compose`, `assert ... in`: an operation on modules.
    ModuleOperation,
    /// A declaration with a colon or `=` before an expression or type: `invariant`, `type`.
    Definition,
    Prove,
    Node,
    // ---- Tokens -------------------------------------------------------------------------------------------------------
    Comment,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Comma,
    Semicolon,
    Colon,
    /// `::` of IceT; in P it is two colons.
    DoubleColon,
    Dot,
    Equals,
    /// `&&` and `||`: they begin a line rather than end one.
    Logical,
    /// `==>` and `<==>`: what follows is indented.
    Implies,
    Else,
    In,
    /// `using` and `except` of a proof, `refines` of a test.
    Continues,
    Token,
}

impl Kind {
    /// Whether it is something between braces that can stand on lines of its own.
    pub(crate) fn is_body(self) -> bool {
        matches!(self, Self::MachineBody | Self::StateBody | Self::Block)
    }

    pub(crate) fn is_token(self) -> bool {
        self as u8 >= Self::Comment as u8
    }

    fn of_name(KindName { name, is_named }: &KindName) -> Self {
        match (name.as_str(), is_named) {
            ("comment", true) => Self::Comment,
            (name, true) => Self::of_node(name).or_else(|| Self::of_expression(name)).unwrap_or(Self::Node),
            (name, false) => Self::of_token(name).unwrap_or(Self::Token),
        }
    }

    fn of_node(name: &str) -> Option<Self> {
        Some(match name {
            "source_file" => Self::File,
            "machine_body" => Self::MachineBody,
            "state_body" => Self::StateBody,
            "block" | "compound_statement" | "body" => Self::Block,
            "receive_statement" | "select_statement" | "match_statement" | "invariant_group" | "proof_declaration" => {
                Self::Braced
            }
            "if_statement" => Self::If,
            "while_statement" | "foreach_statement" | "for_statement" | "repeat_statement" | "rounds_statement" => Self::Loop,
            "function_declaration" => Self::Function,
            "machine_declaration" => Self::Machine,
            "receives_clause" | "sends_clause" | "loop_invariant" | "requires_clause" | "ensures_clause" => Self::Clause,
            "observes_clause" => Self::Observes,
            "event_action" | "event_transition" | "receive_case" => Self::Handler,
            "defer_clause" | "ignore_clause" | "variable_declaration" | "param_declaration" | "interface_declaration" => {
                Self::Names
            }
            "send_statement" | "announce_statement" | "raise_statement" | "goto_statement" | "assert_statement"
            | "assume_statement" | "print_statement" => Self::Parts,
            "assign_statement" => Self::Assign,
            "insert_statement" => Self::Insert,
            "enum_declaration" => Self::Enum,
            "event_set_declaration" => Self::EventSet,
            "test_declaration" => Self::Test,
            "test_params" => Self::TestParams,
            "test_param" => Self::TestParam,
            "module_declaration" | "implementation_declaration" => Self::Module,
            "compose_module"
            | "union_module"
            | "hide_events_module"
            | "hide_interfaces_module"
            | "assert_module"
            | "rename_module"
            | "main_module" => Self::ModuleOperation,
            "binding_module" => Self::Binding,
            "type_declaration"
            | "pure_declaration"
            | "invariant_declaration"
            | "ensures_declaration"
            | "invariant_statement"
            | "const_declaration" => Self::Definition,
            "prove_command" => Self::Prove,
            _ => return None,
        })
    }

    fn of_expression(name: &str) -> Option<Self> {
        Some(match name {
            "binary_expression" => Self::Binary,
            "unary_expression" | "negative_integer" => Self::Unary,
            "quantifier_expression" | "set_comprehension" => Self::Quantifier,
            "call_expression" | "new_expression" | "new_statement" | "call_statement" => Self::Call,
            "arguments" => Self::Arguments,
            "format_expression" => Self::Format,
            "builtin_expression" | "default_expression" | "choose_expression" => Self::Builtin,
            "tuple_expression"
            | "named_tuple_expression"
            | "record_expression"
            | "tuple_type"
            | "named_tuple_type"
            | "record_type"
            | "tuple_pattern" => Self::Tuple,
            "parameters" | "payload" | "patterns" => Self::Parameters,
            "set_expression" => Self::Set,
            "index_expression" | "seq_type" | "set_type" | "map_type" => Self::Index,
            "field_expression" | "element_expression" | "float" => Self::Dotted,
            _ => return None,
        })
    }

    fn of_token(name: &str) -> Option<Self> {
        Some(match name {
            "(" => Self::OpenParen,
            ")" => Self::CloseParen,
            "[" => Self::OpenBracket,
            "]" => Self::CloseBracket,
            "{" => Self::OpenBrace,
            "}" => Self::CloseBrace,
            "," => Self::Comma,
            ";" => Self::Semicolon,
            ":" => Self::Colon,
            "::" => Self::DoubleColon,
            "." => Self::Dot,
            "=" => Self::Equals,
            "&&" | "||" => Self::Logical,
            "==>" | "<==>" => Self::Implies,
            "else" => Self::Else,
            "in" => Self::In,
            "using" | "except" | "refines" => Self::Continues,
            _ => return None,
        })
    }
}

/// The kinds of a language by tree-sitter's numbers.
pub(crate) fn kinds(language: Language) -> &'static [Kind] {
    static P: LazyLock<Vec<Kind>> = LazyLock::new(|| table(Language::P));
    static ICET: LazyLock<Vec<Kind>> = LazyLock::new(|| table(Language::Icet));
    match language {
        Language::P => &P,
        Language::Icet => &ICET,
    }
}

fn table(language: Language) -> Vec<Kind> {
    kind_names(language).iter().map(Kind::of_name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_in_one_of_the_grammars() {
        let known: Vec<Kind> = kinds(Language::P).iter().chain(kinds(Language::Icet)).copied().collect();
        for kind in [Kind::Braced, Kind::Clause, Kind::Observes, Kind::Quantifier, Kind::Set, Kind::DoubleColon, Kind::Continues]
        {
            assert!(known.contains(&kind), "{kind:?}");
        }
    }

    #[test]
    fn no_name_of_the_tables_has_gone_from_the_grammars() {
        let names: Vec<KindName> = kind_names(Language::P).into_iter().chain(kind_names(Language::Icet)).collect();
        let source = include_str!("kinds.rs");
        let tables = &source[source.find("fn of_node").unwrap()..source.find("/// The kinds of a language").unwrap()];
        let mut quoted = tables.split('"').skip(1).step_by(2);
        assert_eq!(quoted.find(|name| !names.iter().any(|known| known.name == *name)), None);
    }
}
