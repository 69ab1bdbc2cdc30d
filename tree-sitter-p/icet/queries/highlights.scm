; Later patterns win over earlier ones.

(identifier) @variable

; ---- Names ------------------------------------------------------------------

(type_name) @type
(set_name) @type
(message_name) @constructor
(element_name) @constant
(field_name) @variable.member

(type_declaration name: (identifier) @type)
(enum_declaration name: (identifier) @type)
(enum_element name: (identifier) @constant)
(message_declaration name: (identifier) @constructor)
(payload_part name: (identifier) @variable.parameter)
(set_declaration name: (identifier) @type)
(const_declaration name: (identifier) @constant)
(process_declaration name: (identifier) @function)
(typed_name name: (identifier) @variable.parameter)
(record_type field: (typed_name name: (identifier) @variable.member))
(named_value name: (identifier) @variable.member)
(ensures_declaration name: (identifier) @label)
(invariant_declaration name: (identifier) @label)
(invariant_statement name: (identifier) @label)
(loop_invariant name: (identifier) @label)

(call_expression function: (identifier) @constant)
((call_expression function: (identifier) @function.builtin)
  (#any-of? @function.builtin "card" "here" "finished"))

; ---- Literals ---------------------------------------------------------------

(integer) @number
(boolean) @boolean
(string) @string
(comment) @comment
(wildcard) @variable.builtin
(any) @variable.builtin
(nondet) @operator
(primitive_type) @type.builtin

; ---- Words ------------------------------------------------------------------

[
  "process"
  "sequential"
  "message"
  "enum"
  "const"
  "var"
  "skip"
  "pick"
  "havoc"
  "atomic"
] @keyword

["set" "map" "type"] @keyword.type
(set_type "set" @type.builtin)
(map_type "map" @type.builtin)
(ghost) @keyword.modifier

["send" "to" "recv" "from" "timeout"] @keyword.coroutine

["if" "else" "match" "case" "default" "choose" "or"] @keyword.conditional

["while" "for" "foreach" "repeat" "rounds" "parallel" "as" "done" "break"] @keyword.repeat

["assert" "assume" "invariant" "ensures" "fail"] @keyword.exception

["in" "subset" "forall" "exists"] @keyword.operator
(set_comprehension "set" @keyword.operator)

; ---- Signs ------------------------------------------------------------------

["=" "==" "!=" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "!" "&&" "||" "==>" "<==>"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" "." ":" "::"] @punctuation.delimiter
