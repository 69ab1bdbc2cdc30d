//! Constructs of the language with places to fill in.

#[derive(Clone, Copy, Debug)]
pub(super) struct Snippet {
    pub(super) label: &'static str,
    pub(super) insert: &'static str,
}

const fn snippet(label: &'static str, insert: &'static str) -> Snippet {
    Snippet { label, insert }
}

pub(super) const DECLARATIONS: [Snippet; 13] = [
    snippet("assume", "assume ${1:condition};$0"),
    snippet("const", "const ${1:name}: ${2:int};$0"),
    snippet("ensures", "ensures ${1:name}: ${2:condition};$0"),
    snippet("enum", "enum ${1:Name} { ${2:First}, ${3:Second} }$0"),
    snippet("ghost var", "ghost var ${1:name}: ${2:int};$0"),
    snippet("invariant", "invariant ${1:name}: ${2:condition};$0"),
    snippet("message", "message ${1:Name}(${2:part}: ${3:int});$0"),
    snippet("process", "process ${1:name} {\n  $0\n}"),
    snippet("process in", "process ${1:name} in ${2:Set} {\n  $0\n}"),
    snippet("sequential", "sequential {\n  $0\n}"),
    snippet("set", "set ${1:Name};$0"),
    snippet("set subset", "set ${1:Name} subset ${2:Set};$0"),
    snippet("type", "type ${1:Name};$0"),
];

pub(super) const VARIABLES: [Snippet; 2] =
    [snippet("ghost var", "ghost var ${1:name}: ${2:int};$0"), snippet("var", "var ${1:name}: ${2:int};$0")];

/// Allowed in processes and in the sequential part.
pub(super) const STATEMENTS: [Snippet; 16] = [
    snippet("assert", "assert ${1:condition};$0"),
    snippet("assume", "assume ${1:condition};$0"),
    snippet("atomic", "atomic {\n  $0\n}"),
    snippet("break", "break;$0"),
    snippet("choose", "choose {\n  $1\n} or {\n  $2\n}$0"),
    snippet("fail", "fail \"${1:why}\";$0"),
    snippet("for", "for ${1:member} in ${2:Set} {\n  $0\n}"),
    snippet("havoc", "havoc ${1:variable};$0"),
    snippet("if", "if (${1:condition}) {\n  $0\n}"),
    snippet("if else", "if (${1:condition}) {\n  $2\n} else {\n  $3\n}$0"),
    snippet("invariant", "invariant ${1:condition};$0"),
    snippet("match", "match (${1:value}) {\n  case ${2:Element}: {\n    $0\n  }\n}"),
    snippet("pick", "pick ${1:variable} in ${2:set};$0"),
    snippet("repeat", "repeat ${1:count} as ${2:i} {\n  $0\n}"),
    snippet("skip", "skip;$0"),
    snippet("while", "while (${1:condition}) {\n  $0\n}"),
];

/// Allowed in processes only.
pub(super) const PROCESS: [Snippet; 6] = [
    snippet("foreach", "foreach ${1:member} in ${2:Set} {\n  recv ${3:Message} from ${1:member};\n  $0\n}"),
    snippet("recv", "recv ${1:Message} from ${2:process};$0"),
    snippet("recv case", "recv {\n  case ${1:Message} from ${2:process}: {\n    $0\n  }\n}"),
    snippet("recv timeout", "recv ${1:Message} from ${2:process} timeout {\n  $0\n}"),
    snippet("rounds", "rounds ${1:count} as ${2:round} {\n  $0\n}"),
    snippet("send", "send ${1:Message} to ${2:process};$0"),
];

/// Allowed in the sequential part only.
pub(super) const SEQUENTIAL: [Snippet; 1] = [snippet("parallel", "parallel ${1:member} in ${2:Set} {\n  $0\n}")];

pub(super) const AFTER_IF: [Snippet; 2] =
    [snippet("else", "else {\n  $0\n}"), snippet("else if", "else if (${1:condition}) {\n  $0\n}")];

pub(super) const AFTER_CHOICE: [Snippet; 1] = [snippet("or", "or {\n  $0\n}")];

pub(super) const RECEPTIONS: [Snippet; 2] =
    [snippet("case", "case ${1:Message} from ${2:process}: {\n  $0\n}"), snippet("timeout", "timeout: {\n  $0\n}")];

pub(super) const CASES: [Snippet; 2] =
    [snippet("case", "case ${1:Element}: {\n  $0\n}"), snippet("default", "default: {\n  $0\n}")];

pub(super) const TYPES: [Snippet; 2] = [snippet("map", "map[${1:int}, ${2:int}]$0"), snippet("set", "set[${1:pid}]$0")];

pub(super) const EXPRESSIONS: [Snippet; 3] = [
    snippet("exists", "exists (${1:x}: ${2:Set}) :: $0"),
    snippet("forall", "forall (${1:x}: ${2:Set}) :: $0"),
    snippet("set", "set (${1:x}: ${2:Set}) :: $0"),
];
