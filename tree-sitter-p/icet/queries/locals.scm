; ---- Scopes -----------------------------------------------------------------

(source_file) @local.scope
(process_declaration) @local.scope
(sequential_declaration) @local.scope
(for_statement) @local.scope
(foreach_statement) @local.scope
(parallel_statement) @local.scope
(repeat_statement) @local.scope
(rounds_statement) @local.scope
(quantifier_expression) @local.scope
(set_comprehension) @local.scope

; ---- Definitions ------------------------------------------------------------

(type_declaration name: (identifier) @local.definition)
(enum_declaration name: (identifier) @local.definition)
(enum_element name: (identifier) @local.definition)
(message_declaration name: (identifier) @local.definition)
(set_declaration name: (identifier) @local.definition)
(const_declaration name: (identifier) @local.definition)
(variable_declaration name: (identifier) @local.definition)
; A process outside sets is known everywhere; a member's own pid only in its body.
(source_file (process_declaration name: (identifier) @local.definition !set))
(process_declaration name: (identifier) @local.definition set: (set_name))
(for_statement variable: (identifier) @local.definition)
(for_statement done: (identifier) @local.definition)
(foreach_statement variable: (identifier) @local.definition)
(foreach_statement done: (identifier) @local.definition)
(parallel_statement variable: (identifier) @local.definition)
(repeat_statement index: (identifier) @local.definition)
(rounds_statement index: (identifier) @local.definition)
(quantifier_expression bound: (typed_name name: (identifier) @local.definition))
(set_comprehension bound: (typed_name name: (identifier) @local.definition))

; ---- References -------------------------------------------------------------

(identifier) @local.reference
(type_name) @local.reference
(set_name) @local.reference
(message_name) @local.reference
(element_name) @local.reference
