(process_declaration "process" @context name: (identifier) @name) @item
(message_declaration "message" @context name: (identifier) @name) @item
(set_declaration "set" @context name: (identifier) @name) @item
(enum_declaration "enum" @context name: (identifier) @name) @item
(type_declaration "type" @context name: (identifier) @name) @item
