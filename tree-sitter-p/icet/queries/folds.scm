[
  (enum_declaration)
  (body)
  (block)
  (select_statement)
  (match_statement)
  (comment)
] @fold
