/**
 * IceT: a small core language of processes that exchange typed messages. README.md is its reference.
 *
 * The grammar is the only description of IceT's syntax in this project: tree-sitter generates the incremental parser
 * from it, and the syntax-error reporter interprets the same rules (`src/grammar.json`). For the latter's sake tokens
 * stay plain: patterns occur only in `identifier`, `integer`, `string` and `comment`. Where P and IceT have the same
 * construct, the nodes and fields have the same names.
 */

// Binding strength of operators, tightest first; every binary operator is left associative.
const PREC = {
  postfix: 10,
  unary: 9,
  multiply: 8,
  add: 7,
  compare: 6,
  equal: 5,
  and: 4,
  or: 3,
  implies: 2,
  iff: 1,
  quantifier: 0,
};

// Words that are never names.
const RESERVED = [
  'any', 'as', 'assert', 'assume', 'atomic', 'bool', 'break', 'case', 'choose', 'const', 'default', 'done', 'else',
  'ensures', 'enum', 'exists', 'fail', 'false', 'for', 'forall', 'foreach', 'from', 'ghost', 'havoc', 'if', 'in', 'int',
  'invariant', 'map', 'match', 'message', 'or', 'parallel', 'pick', 'pid', 'process', 'recv', 'repeat', 'rounds',
  'send', 'sequential', 'set', 'skip', 'subset', 'timeout', 'to', 'true', 'type', 'var', 'while', '_',
];

const commaSep1 = rule => seq(rule, repeat(seq(',', rule)));
const commaSep = rule => optional(commaSep1(rule));

module.exports = grammar({
  name: 'icet',

  word: $ => $.identifier,
  reserved: { global: _ => RESERVED },
  extras: $ => [/[ \t\r\n\f]/, $.comment],

  rules: {
    source_file: $ => repeat($._declaration),

    _declaration: $ => choice(
      $.type_declaration,
      $.enum_declaration,
      $.message_declaration,
      $.set_declaration,
      $.const_declaration,
      $.variable_declaration,
      $.process_declaration,
      $.sequential_declaration,
      $.assume_declaration,
      $.invariant_declaration,
      $.ensures_declaration,
    ),

    // ---- Types, messages, sets -----------------------------------------------------------------------------------

    // Without a right side: a type of which only equality is known.
    type_declaration: $ => seq('type', field('name', $.identifier), optional(seq('=', field('type', $._type))), ';'),

    enum_declaration: $ => seq(
      'enum', field('name', $.identifier), '{', commaSep1(field('element', $.enum_element)), optional(','), '}',
    ),
    enum_element: $ => seq(field('name', $.identifier), optional(field('payload', $.payload))),

    message_declaration: $ => seq('message', field('name', $.identifier), optional(field('payload', $.payload)), ';'),

    // What a message or an enum element carries; a part's name is documentation.
    payload: $ => seq('(', commaSep1(field('part', $.payload_part)), ')'),
    payload_part: $ => seq(optional(seq(field('name', $.identifier), ':')), field('type', $._type)),

    set_declaration: $ => seq(
      'set', field('name', $.identifier), optional(seq('subset', field('superset', alias($.identifier, $.set_name)))), ';',
    ),

    const_declaration: $ => seq(
      'const', field('name', $.identifier), ':', field('type', $._type),
      optional(seq('=', field('value', $._expression))), ';',
    ),

    _type: $ => choice(
      $.primitive_type,
      $.set_type,
      $.map_type,
      $.tuple_type,
      $.record_type,
      alias($.identifier, $.type_name),
    ),
    primitive_type: _ => choice('bool', 'int', 'pid'),
    set_type: $ => seq('set', '[', field('element', $._type), ']'),
    map_type: $ => seq('map', '[', field('key', $._type), ',', field('value', $._type), ']'),
    tuple_type: $ => seq('(', field('element', $._type), ',', commaSep1(field('element', $._type)), ')'),
    record_type: $ => seq('(', commaSep1(field('field', $.typed_name)), ')'),
    typed_name: $ => seq(field('name', $.identifier), ':', field('type', $._type)),

    // ---- Processes -----------------------------------------------------------------------------------------------

    // With `in`: one process for every member of the set, and the name is the member's own pid.
    process_declaration: $ => seq(
      'process', field('name', $.identifier), optional(seq('in', field('set', alias($.identifier, $.set_name)))),
      field('body', $.body),
    ),

    // What a sequentialization prints: it runs first and alone, then the processes that are left start.
    sequential_declaration: $ => seq('sequential', field('body', $.body)),

    // Variables first, then statements.
    body: $ => seq(
      '{', repeat(field('variable', $.variable_declaration)), repeat(field('statement', $._statement)), '}',
    ),

    variable_declaration: $ => seq(
      optional(field('ghost', $.ghost)),
      'var', commaSep1(field('name', $.identifier)), ':', field('type', $._type),
      optional(seq('=', field('value', $._expression))), ';',
    ),
    ghost: _ => 'ghost',

    assume_declaration: $ => seq('assume', field('condition', $._expression), ';'),
    invariant_declaration: $ => seq('invariant', optional($._label), field('condition', $._expression), ';'),
    ensures_declaration: $ => seq('ensures', optional($._label), field('condition', $._expression), ';'),
    _label: $ => seq(field('name', $.identifier), ':'),

    // ---- Statements ----------------------------------------------------------------------------------------------

    _statement: $ => choice(
      $.assign_statement,
      $.send_statement,
      $.receive_statement,
      $.select_statement,
      $.if_statement,
      $.match_statement,
      $.choose_statement,
      $.while_statement,
      $.for_statement,
      $.foreach_statement,
      $.repeat_statement,
      $.rounds_statement,
      $.parallel_statement,
      $.break_statement,
      $.pick_statement,
      $.havoc_statement,
      $.assume_statement,
      $.assert_statement,
      $.invariant_statement,
      $.atomic_statement,
      $.skip_statement,
      $.fail_statement,
    ),

    block: $ => seq('{', repeat(field('statement', $._statement)), '}'),

    assign_statement: $ => seq(field('target', $._pattern), '=', field('value', $._expression), ';'),

    send_statement: $ => seq(
      'send', field('message', alias($.identifier, $.message_name)), optional(field('arguments', $.arguments)),
      'to', field('target', $._expression), ';',
    ),

    receive_statement: $ => seq(
      'recv', $._reception, choice(';', seq('timeout', field('timeout', $.block))),
    ),

    // Whichever of the messages can be taken; `timeout` is taken when none comes in time.
    select_statement: $ => seq(
      'recv', '{', repeat1(field('case', $.receive_case)), optional(field('timeout', $.timeout_case)), '}',
    ),
    receive_case: $ => seq('case', $._reception, ':', field('body', $.block)),
    timeout_case: $ => seq('timeout', ':', field('body', $.block)),

    _reception: $ => seq(
      field('message', alias($.identifier, $.message_name)), optional(field('patterns', $.patterns)),
      'from', optional(seq(field('sender', $.identifier), 'in')), field('source', $._source),
    ),
    // Not every expression: after `from`, `x in S` stores the sender in x and is no membership test.
    _source: $ => choice($.any, $._place, $.set_expression, $.parenthesized_expression),
    any: _ => 'any',
    patterns: $ => seq('(', commaSep1(field('pattern', $._pattern)), ')'),

    if_statement: $ => seq(
      'if', $._condition, field('then', $.block),
      optional(seq('else', field('else', choice($.block, $.if_statement)))),
    ),
    _condition: $ => seq('(', field('condition', choice($._expression, $.nondet)), ')'),
    nondet: _ => '*',

    match_statement: $ => seq(
      'match', '(', field('value', $._expression), ')',
      '{', repeat1(field('case', $.match_case)), optional(field('default', $.default_case)), '}',
    ),
    match_case: $ => seq(
      'case', field('element', alias($.identifier, $.element_name)), optional(field('patterns', $.patterns)),
      ':', field('body', $.block),
    ),
    default_case: $ => seq('default', ':', field('body', $.block)),

    choose_statement: $ => seq(
      'choose', field('branch', $.block), repeat1(seq('or', field('branch', $.block))),
    ),

    while_statement: $ => seq('while', $._condition, optional($._invariants), field('body', $.block)),

    for_statement: $ => seq(
      'for', $._member, optional($._done), optional($._invariants), field('body', $.block),
    ),
    foreach_statement: $ => seq(
      'foreach', $._member, optional($._done), optional($._invariants), field('body', $.block),
    ),
    parallel_statement: $ => seq('parallel', $._member, field('body', $.block)),
    _member: $ => seq(field('variable', choice($.identifier, $.wildcard)), 'in', field('set', $._expression)),

    // Names the set of members that are through, for use in invariants.
    _done: $ => seq('done', field('done', $.identifier)),

    repeat_statement: $ => seq(
      'repeat', field('count', $._expression), optional(seq('as', field('index', $.identifier))),
      optional($._invariants), field('body', $.block),
    ),
    rounds_statement: $ => seq(
      'rounds', optional(field('count', $._expression)), 'as', field('index', $.identifier),
      optional($._invariants), field('body', $.block),
    ),

    _invariants: $ => repeat1(field('invariant', $.loop_invariant)),
    loop_invariant: $ => seq('invariant', optional($._label), field('condition', $._expression), ';'),

    break_statement: _ => seq('break', ';'),
    pick_statement: $ => seq('pick', field('target', $._place), 'in', field('set', $._expression), ';'),
    havoc_statement: $ => seq('havoc', field('target', $._place), ';'),
    assume_statement: $ => seq('assume', field('condition', $._expression), ';'),
    assert_statement: $ => seq(
      'assert', field('condition', $._expression), optional(seq(',', field('message', $.string))), ';',
    ),
    invariant_statement: $ => seq('invariant', optional($._label), field('condition', $._expression), ';'),
    atomic_statement: $ => seq('atomic', field('body', $.block)),
    skip_statement: _ => seq('skip', ';'),
    fail_statement: $ => seq('fail', optional(field('message', $.string)), ';'),

    // ---- Patterns: what a value is stored in -----------------------------------------------------------------------

    _pattern: $ => choice($._place, $.wildcard, $.tuple_pattern),
    wildcard: _ => '_',
    tuple_pattern: $ => seq('(', field('element', $._pattern), ',', commaSep1(field('element', $._pattern)), ')'),

    // A variable, a part of it, an element of it.
    _place: $ => choice(
      $.identifier,
      alias($.field_place, $.field_expression),
      alias($.element_place, $.element_expression),
      alias($.index_place, $.index_expression),
    ),
    field_place: $ => seq(field('value', $._place), '.', field('field', alias($.identifier, $.field_name))),
    element_place: $ => seq(field('value', $._place), '.', field('index', $.integer)),
    index_place: $ => seq(field('value', $._place), '[', field('index', $._expression), ']'),

    // ---- Expressions ---------------------------------------------------------------------------------------------

    _expression: $ => choice(
      $.identifier,
      $.integer,
      $.boolean,
      $.parenthesized_expression,
      $.tuple_expression,
      $.record_expression,
      $.set_expression,
      $.field_expression,
      $.element_expression,
      $.index_expression,
      $.call_expression,
      $.unary_expression,
      $.binary_expression,
      $.quantifier_expression,
      $.set_comprehension,
    ),

    boolean: _ => choice('true', 'false'),
    parenthesized_expression: $ => seq('(', field('value', $._expression), ')'),
    tuple_expression: $ => seq(
      '(', field('element', $._expression), ',', commaSep1(field('element', $._expression)), ')',
    ),
    record_expression: $ => seq('(', commaSep1(field('field', $.named_value)), ')'),
    named_value: $ => seq(field('name', $.identifier), '=', field('value', $._expression)),
    set_expression: $ => seq('{', commaSep(field('element', $._expression)), '}'),

    // A record's field, or a variable of the process that the value names.
    field_expression: $ => prec.left(PREC.postfix, seq(
      field('value', $._expression), '.', field('field', alias($.identifier, $.field_name)),
    )),
    element_expression: $ => prec.left(PREC.postfix, seq(field('value', $._expression), '.', field('index', $.integer))),
    index_expression: $ => prec.left(PREC.postfix, seq(
      field('value', $._expression), '[', field('index', $._expression), ']',
    )),

    // A built-in function, or an element of an enum with its payload.
    call_expression: $ => seq(field('function', $.identifier), field('arguments', $.arguments)),
    arguments: $ => seq('(', commaSep1(field('argument', $._expression)), ')'),

    unary_expression: $ => prec(PREC.unary, seq(field('operator', choice('-', '!')), field('operand', $._expression))),
    binary_expression: $ => choice(...[
      [PREC.multiply, ['*', '/', '%']],
      [PREC.add, ['+', '-']],
      [PREC.compare, ['<', '>', '<=', '>=', 'in', 'subset']],
      [PREC.equal, ['==', '!=']],
      [PREC.and, ['&&']],
      [PREC.or, ['||']],
      [PREC.implies, ['==>']],
      [PREC.iff, ['<==>']],
    ].map(([strength, operators]) => prec.left(strength, seq(
      field('left', $._expression),
      field('operator', operators.length > 1 ? choice(...operators) : operators[0]),
      field('right', $._expression),
    )))),
    quantifier_expression: $ => prec.right(PREC.quantifier, seq(
      field('quantifier', choice('forall', 'exists')), $._bounds, field('body', $._expression),
    )),
    set_comprehension: $ => prec.right(PREC.quantifier, seq('set', $._bound, field('body', $._expression))),
    _bounds: $ => seq('(', commaSep1(field('bound', $.typed_name)), ')', '::'),
    _bound: $ => seq('(', field('bound', $.typed_name), ')', '::'),

    // ---- Tokens --------------------------------------------------------------------------------------------------

    identifier: _ => /[A-Za-z_][A-Za-z0-9_]*/,
    integer: _ => /[0-9]+/,
    string: _ => /"([^"\\\r\n]|\\[^\r\n])*"/,
    comment: _ => token(choice(
      /\/\/[^\r\n]*/,
      /\/\*[^*]*\*+([^/*][^*]*\*+)*\//,
    )),
  },
});
