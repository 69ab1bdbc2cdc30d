; Where several patterns match one node, the last one wins, in tree-sitter-highlight and in Neovim alike: general
; patterns come first. Words are matched inside the rule that gives them their meaning wherever they have two: `event`
; is a keyword and a type, `sent` a proof operator and, in older models, a name.

; ---- Names ------------------------------------------------------------------------------------------------------------

(identifier) @variable

(type_name) @type
(event_name) @constant
(state_name) @label
(field_name) @variable.member
(module_name) @module

(typed_name name: (identifier) @variable.parameter)
(named_tuple_type field: (typed_name name: (identifier) @variable.member))
(named_value name: (identifier) @property)

; Types and everything that has instances.
(type_declaration name: (identifier) @type)
(enum_declaration name: (identifier) @type)
(interface_declaration name: (identifier) @type)
(machine_declaration name: (identifier) @type)
(spec_declaration name: (identifier) @type)
(scenario_declaration name: (identifier) @type)
(creates_clause interface: (identifier) @type)
(_ main: (identifier) @type)
(binding machine: (identifier) @type)
(binding interface: (identifier) @type)
(hide_interfaces_module interface: (identifier) @type)
(assert_module spec: (identifier) @type)
(rename_module from: (identifier) @type)
(rename_module to: (identifier) @type)
(main_module machine: (identifier) @type)

(new_statement interface: (identifier) @constructor)
(new_expression interface: (identifier) @constructor)

; Events and other named constants.
(event_declaration name: (identifier) @constant)
(event_set_declaration name: (identifier) @constant)
(enum_element name: (identifier) @constant)
(param_declaration name: (identifier) @constant)
(test_param name: (identifier) @constant)
(raise_statement event: (identifier) @constant)
(send_statement event: (identifier) @constant)
(announce_statement event: (identifier) @constant)

(state_declaration name: (identifier) @label)

(function_declaration name: (identifier) @function)
(pure_declaration name: (identifier) @function)
(entry_action function: (identifier) @function)
(exit_action function: (identifier) @function)
(event_action function: (identifier) @function)
(event_transition function: (identifier) @function)
(call_statement function: (identifier) @function.call)
(call_expression function: (identifier) @function.call)

(module_declaration name: (identifier) @module)
(implementation_declaration name: (identifier) @module)
(test_declaration name: (identifier) @module)

; Invariants, their groups and the proofs about them.
(invariant_declaration name: (identifier) @label)
(invariant_group name: (identifier) @label)
(proof_declaration name: (identifier) @label)
(prove_command goal: (identifier) @label)
(prove_command premise: (identifier) @label)
(prove_command except: (identifier) @label)

; ---- Literals and built-in names --------------------------------------------------------------------------------------

(comment) @comment
(string) @string
(integer) @number
(negative_integer) @number
(float) @number.float
(float (integer) @number.float)
(float "." @number.float)
(boolean) @boolean
[
  (null)
  (halt)
] @constant.builtin
(this) @variable.builtin
(nondet) @constant.builtin

(primitive_type) @type.builtin
[
  "seq"
  "set"
  "map"
] @type.builtin

[
  "choose"
  "format"
  "keys"
  "sizeof"
  "values"
] @function.builtin
(default_expression "default" @function.builtin)
(float "float" @function.builtin)

; ---- Keywords ---------------------------------------------------------------------------------------------------------

[
  "announce"
  "assert"
  "assume"
  "case"
  "compose"
  "creates"
  "defer"
  "do"
  "entry"
  "enum"
  "eventset"
  "exit"
  "goto"
  "hidee"
  "hidei"
  "ignore"
  "implementation"
  "in"
  "interface"
  "main"
  "module"
  "observes"
  "on"
  "pairwise"
  "param"
  "print"
  "raise"
  "receive"
  "receives"
  "refines"
  "rename"
  "scenario"
  "send"
  "sends"
  "spec"
  "state"
  "test"
  "to"
  "type"
  "union"
  "var"
  "wise"
  "with"
] @keyword
(event_declaration "event" @keyword)
(machine_declaration "machine" @keyword)

[
  "hot"
  "cold"
  "start"
] @keyword.modifier

[
  "if"
  "else"
] @keyword.conditional

[
  "break"
  "continue"
  "foreach"
  "while"
] @keyword.repeat
(foreach_statement "in" @keyword.repeat)

"fun" @keyword.function
"return" @keyword.return

"new" @keyword.operator
(cast_expression operator: _ @keyword.operator)
(binary_expression operator: "in" @keyword.operator)

; The proof language.
[
  "Lemma"
  "Proof"
  "Theorem"
  "axiom"
  "ensures"
  "except"
  "init-condition"
  "invariant"
  "prove"
  "requires"
  "using"
] @keyword
"pure" @keyword.function
(default) @keyword
(quantifier_expression quantifier: _ @keyword)
(quantifier_expression "new" @keyword)
(message_expression operator: _ @keyword.operator)
[
  "is"
  "targets"
] @keyword.operator

; ---- Symbols ----------------------------------------------------------------------------------------------------------

[
  "!"
  "!="
  "%"
  "&&"
  "*"
  "+"
  "+="
  "-"
  "-="
  "->"
  "/"
  "<"
  "<="
  "<==>"
  "="
  "=="
  "==>"
  ">"
  ">="
  "||"
] @operator
(negative_integer "-" @number)

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
] @punctuation.bracket

[
  ","
  ":"
  ";"
] @punctuation.delimiter
(field_expression "." @punctuation.delimiter)
(element_expression "." @punctuation.delimiter)
