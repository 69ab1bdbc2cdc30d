; Definitions and references for code navigation.

(type_declaration name: (identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.enum
(enum_element name: (identifier) @name) @definition.constant
(event_declaration name: (identifier) @name) @definition.constant
(event_set_declaration name: (identifier) @name) @definition.constant
(param_declaration name: (identifier) @name) @definition.constant
(interface_declaration name: (identifier) @name) @definition.interface
(machine_declaration name: (identifier) @name) @definition.class
(spec_declaration name: (identifier) @name) @definition.class
(scenario_declaration name: (identifier) @name) @definition.class

(source_file (function_declaration name: (identifier) @name) @definition.function)
(machine_body (function_declaration name: (identifier) @name) @definition.method)
(machine_body (variable_declaration name: (identifier) @name) @definition.field)
(state_declaration name: (identifier) @name) @definition.state

(module_declaration name: (identifier) @name) @definition.module
(implementation_declaration name: (identifier) @name) @definition.module
(test_declaration name: (identifier) @name) @definition.test

(pure_declaration name: (identifier) @name) @definition.function
(invariant_declaration name: (identifier) @name) @definition.constant
(invariant_group name: (identifier) @name) @definition.module
(proof_declaration name: (identifier) @name) @definition.module

(call_statement function: (identifier) @name) @reference.call
(call_expression function: (identifier) @name) @reference.call
(entry_action function: (identifier) @name) @reference.call
(exit_action function: (identifier) @name) @reference.call
(event_action function: (identifier) @name) @reference.call
(event_transition function: (identifier) @name) @reference.call

(new_statement interface: (identifier) @name) @reference.class
(new_expression interface: (identifier) @name) @reference.class
(creates_clause interface: (identifier) @name) @reference.class
(_ main: (identifier) @name @reference.class)
(binding machine: (identifier) @name @reference.class)
(binding interface: (identifier) @name @reference.interface)
(hide_interfaces_module interface: (identifier) @name @reference.interface)
(assert_module spec: (identifier) @name @reference.class)
(rename_module from: (identifier) @name @reference.interface)
(rename_module to: (identifier) @name @reference.interface)
(main_module machine: (identifier) @name @reference.class)

(type_name) @name @reference.type
(event_name) @name @reference.constant
(raise_statement event: (identifier) @name @reference.constant)
(send_statement event: (identifier) @name @reference.constant)
(announce_statement event: (identifier) @name @reference.constant)
(state_name) @name @reference.state
(module_name) @name @reference.module
