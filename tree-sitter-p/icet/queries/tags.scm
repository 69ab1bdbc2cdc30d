(process_declaration name: (identifier) @name) @definition.function
(message_declaration name: (identifier) @name) @definition.interface
(set_declaration name: (identifier) @name) @definition.class
(enum_declaration name: (identifier) @name) @definition.type
(enum_element name: (identifier) @name) @definition.constant
(type_declaration name: (identifier) @name) @definition.type
(const_declaration name: (identifier) @name) @definition.constant
(invariant_declaration name: (identifier) @name) @definition.constant
(ensures_declaration name: (identifier) @name) @definition.constant

(send_statement message: (message_name) @name) @reference.send
(receive_statement message: (message_name) @name) @reference.receive
(receive_case message: (message_name) @name) @reference.receive
(type_name) @name @reference.type
(set_name) @name @reference.class
(call_expression function: (identifier) @name) @reference.call
(match_case element: (element_name) @name) @reference.constant
