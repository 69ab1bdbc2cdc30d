[
  (enum_declaration)
  (body)
  (block)
  (select_statement)
  (match_statement)
  (payload)
  (arguments)
  (patterns)
  (record_type)
  (tuple_type)
  (record_expression)
  (tuple_expression)
  (set_expression)
  (parenthesized_expression)
  (loop_invariant)
  (invariant_statement)
  (invariant_declaration)
  (ensures_declaration)
  (assume_declaration)
] @indent.begin

["}" ")"] @indent.branch @indent.end

; Loop invariants stand one step in, under the loop's head; its body then starts on a line of its own.
(for_statement invariant: (loop_invariant) body: (block "{" @indent.branch) @indent.dedent) @indent.begin
(foreach_statement invariant: (loop_invariant) body: (block "{" @indent.branch) @indent.dedent) @indent.begin
(while_statement invariant: (loop_invariant) body: (block "{" @indent.branch) @indent.dedent) @indent.begin
(repeat_statement invariant: (loop_invariant) body: (block "{" @indent.branch) @indent.dedent) @indent.begin
(rounds_statement invariant: (loop_invariant) body: (block "{" @indent.branch) @indent.dedent) @indent.begin

(comment) @indent.ignore
