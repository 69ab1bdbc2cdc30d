; Indentation, in the manner of nvim-treesitter.

; ---- Whatever stands between brackets ---------------------------------------------------------------------------------

[
  (enum_declaration)
  (event_set_declaration)
  (machine_body)
  (state_body)
  (block)
  (compound_statement)
  (receive_statement)
  (invariant_group)
  (proof_declaration)
  (binding_module)
  (parameters)
  (arguments)
  (tuple_type)
  (named_tuple_type)
  (seq_type)
  (set_type)
  (map_type)
  (parenthesized_expression)
  (tuple_expression)
  (named_tuple_expression)
  (index_expression)
  (builtin_expression)
  (choose_expression)
  (format_expression)
  (parenthesized_module)
  (test_params)
] @indent.begin

[
  "}"
  ")"
  "]"
] @indent.branch

(enum_declaration "}" @indent.end)
(machine_body "}" @indent.end)
(state_body "}" @indent.end)
(block "}" @indent.end)
(compound_statement "}" @indent.end)
(receive_statement "}" @indent.end)
(invariant_group "}" @indent.end)
(proof_declaration "}" @indent.end)

; ---- What goes on until its semicolon ---------------------------------------------------------------------------------

[
  (type_declaration)
  (event_declaration)
  (interface_declaration)
  (module_declaration)
  (test_declaration)
  (implementation_declaration)
  (param_declaration)
  (pure_declaration)
  (invariant_declaration)
  (axiom_declaration)
  (init_declaration)
  (prove_command)
  (requires_clause)
  (ensures_clause)
  (loop_invariant)
  (assert_statement)
  (assume_statement)
  (print_statement)
  (return_statement)
  (assign_statement)
  (insert_statement)
  (remove_statement)
  (new_statement)
  (call_statement)
  (raise_statement)
  (send_statement)
  (announce_statement)
] @indent.begin

; ---- A body without braces --------------------------------------------------------------------------------------------

(while_statement body: [
  (assert_statement) (assume_statement) (print_statement) (return_statement) (break_statement) (continue_statement)
  (assign_statement) (insert_statement) (remove_statement) (new_statement) (call_statement) (raise_statement)
  (send_statement) (announce_statement) (goto_statement) (receive_statement) (while_statement) (foreach_statement)
  (if_statement)
]) @indent.begin

(foreach_statement body: [
  (assert_statement) (assume_statement) (print_statement) (return_statement) (break_statement) (continue_statement)
  (assign_statement) (insert_statement) (remove_statement) (new_statement) (call_statement) (raise_statement)
  (send_statement) (announce_statement) (goto_statement) (receive_statement) (while_statement) (foreach_statement)
  (if_statement)
]) @indent.begin

(if_statement
  then: [
    (assert_statement) (assume_statement) (print_statement) (return_statement) (break_statement) (continue_statement)
    (assign_statement) (insert_statement) (remove_statement) (new_statement) (call_statement) (raise_statement)
    (send_statement) (announce_statement) (goto_statement) (receive_statement) (while_statement) (foreach_statement)
    (if_statement)
  ]
  "else"? @indent.branch
  else: (if_statement)? @indent.dedent) @indent.begin

(if_statement
  "else" @indent.branch
  else: [
    (assert_statement) (assume_statement) (print_statement) (return_statement) (break_statement) (continue_statement)
    (assign_statement) (insert_statement) (remove_statement) (new_statement) (call_statement) (raise_statement)
    (send_statement) (announce_statement) (goto_statement) (receive_statement) (while_statement) (foreach_statement)
  ]) @indent.begin

; ---- Text nobody should move ------------------------------------------------------------------------------------------

(comment) @indent.auto
(string) @indent.auto
(ERROR) @indent.auto
