; Names inside one file, for tools that give a reference the colour of its definition. Calls and `new` have colours of
; their own, so functions and what is created are not followed here; tags.scm has them. Captures have no kinds after
; `local.definition`: the tags command of tree-sitter reads this file too and refuses them.

; ---- Scopes -----------------------------------------------------------------------------------------------------------

[
  (source_file)
  (machine_body)
  (function_declaration)
  (pure_declaration)
  (entry_action)
  (exit_action)
  (event_action)
  (event_transition)
  (receive_case)
  (block)
  (quantifier_expression)
] @local.scope

; ---- Definitions ------------------------------------------------------------------------------------------------------

(type_declaration name: (identifier) @local.definition)
(enum_declaration name: (identifier) @local.definition)
(enum_element name: (identifier) @local.definition)
(event_declaration name: (identifier) @local.definition)
(event_set_declaration name: (identifier) @local.definition)
(param_declaration name: (identifier) @local.definition)
(interface_declaration name: (identifier) @local.definition)
(machine_declaration name: (identifier) @local.definition)
(spec_declaration name: (identifier) @local.definition)
(scenario_declaration name: (identifier) @local.definition)
(module_declaration name: (identifier) @local.definition)
(invariant_declaration name: (identifier) @local.definition)
(invariant_group name: (identifier) @local.definition)

(state_declaration name: (identifier) @local.definition)

(variable_declaration name: (identifier) @local.definition)
(parameters parameter: (typed_name name: (identifier) @local.definition))
(entry_action parameter: (typed_name name: (identifier) @local.definition))
(event_action parameter: (typed_name name: (identifier) @local.definition))
(event_transition parameter: (typed_name name: (identifier) @local.definition))
(receive_case parameter: (typed_name name: (identifier) @local.definition))
(function_declaration result: (typed_name name: (identifier) @local.definition))
(quantifier_expression bound: (typed_name name: (identifier) @local.definition))

; ---- References -------------------------------------------------------------------------------------------------------

; Wherever an expression can stand, by the field it stands in.
(_ value: (identifier) @local.reference)
(_ left: (identifier) @local.reference)
(_ right: (identifier) @local.reference)
(_ operand: (identifier) @local.reference)
(_ argument: (identifier) @local.reference)
(_ condition: (identifier) @local.reference)
(_ element: (identifier) @local.reference)
(_ index: (identifier) @local.reference)
(_ message: (identifier) @local.reference)
(_ target: (identifier) @local.reference)
(_ event: (identifier) @local.reference)
(_ payload: (identifier) @local.reference)
(_ collection: (identifier) @local.reference)
(_ key: (identifier) @local.reference)
(_ body: (identifier) @local.reference)
(_ goal: (identifier) @local.reference)
(_ premise: (identifier) @local.reference)
(_ except: (identifier) @local.reference)
[
  (type_name)
  (event_name)
  (state_name)
] @local.reference
(module_name) @local.reference

; Places are not expressions: what is assigned to, and the loop's variable, which P wants declared before.
(assign_statement target: (identifier) @local.reference)
(insert_statement target: (identifier) @local.reference)
(remove_statement target: (identifier) @local.reference)
(field_expression value: (identifier) @local.reference)
(element_expression value: (identifier) @local.reference)
(index_expression value: (identifier) @local.reference)
(foreach_statement variable: (identifier) @local.reference)
(test_param name: (identifier) @local.reference)
