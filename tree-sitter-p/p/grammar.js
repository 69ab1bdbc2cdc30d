/**
 * The P language (https://p-org.github.io/P), version 3: state machines that exchange events, its module system, its
 * parametrised tests and its proof language.
 *
 * The grammar is the only description of P's syntax in this project: tree-sitter generates the incremental parser from
 * it, and the syntax-error reporter interprets the same rules (`src/grammar.json`). For the latter's sake tokens stay
 * plain: patterns occur only in `identifier`, `integer`, `string` and `comment`.
 */

// Binding strength of operators, tightest first; every binary operator is left associative.
const PREC = {
  field: 16,
  is: 15,
  targets: 14,
  message: 13, // `sent e`, `inflight e`: tighter than indexing
  index: 12,
  unary: 11,
  multiply: 10,
  add: 9,
  cast: 8,
  compare: 7,
  equal: 6,
  and: 5,
  or: 4,
  implies: 3,
  iff: 2,
  quantifier: 1,
};

// Words that are never names. The words of the proof language are missing on purpose: many models written before that
// language existed use them as names, and their trees should stay whole. A later check reports such names, and also
// `safe` and `paramtest`, which P reserves without using them.
const RESERVED = [
  'any', 'bool', 'enum', 'event', 'eventset', 'float', 'int', 'machine', 'interface', 'map', 'set', 'string', 'seq',
  'data', 'announce', 'as', 'assert', 'assume', 'break', 'case', 'cold', 'continue', 'default', 'defer', 'do', 'else',
  'entry', 'exit', 'foreach', 'format', 'fun', 'goto', 'halt', 'hot', 'if', 'ignore', 'in', 'keys', 'new', 'observes',
  'on', 'print', 'raise', 'receive', 'return', 'scenario', 'send', 'sizeof', 'spec', 'start', 'state', 'this', 'type',
  'values', 'var', 'param', 'pairwise', 'wise', 'while', 'with', 'choose', 'module', 'implementation', 'test',
  'refines', 'compose', 'union', 'hidee', 'hidei', 'rename', 'main', 'receives', 'sends',
  'creates', 'to', 'true', 'false', 'null',
];

const commaSep1 = rule => seq(rule, repeat(seq(',', rule)));
const commaSep = rule => optional(commaSep1(rule));

module.exports = grammar({
  name: 'p',

  word: $ => $.identifier,
  reserved: { global: _ => RESERVED },
  extras: $ => [/[ \t\r\n\f]/, $.comment],
  inline: $ => [$._handler],

  conflicts: $ => [
    // `exists (` opens a quantifier or calls an older model's function of that name; `sent - 1` and `sent.field` are
    // about a variable of that name.
    [$._quantifier_word, $._quantifier],
    [$._message_word, $._message_operator],
    // In `test ... assume a < b (2 wise) t [...]` the parenthesis is not a call's.
    [$.call_expression, $._expression],
    [$.call_expression, $._proof_word],
  ],

  rules: {
    source_file: $ => repeat($._declaration),

    _declaration: $ => choice(
      $.type_declaration,
      $.enum_declaration,
      $.event_declaration,
      $.event_set_declaration,
      $.interface_declaration,
      $.machine_declaration,
      $.spec_declaration,
      $.scenario_declaration,
      $.function_declaration,
      $.param_declaration,
      $.module_declaration,
      $.test_declaration,
      $.implementation_declaration,
      $.pure_declaration,
      $.invariant_declaration,
      $.invariant_group,
      $.axiom_declaration,
      $.init_declaration,
      $.proof_declaration,
    ),

    // ---- Types, events, interfaces -------------------------------------------------------------------------------

    type_declaration: $ => seq('type', field('name', $.identifier), optional(seq('=', field('type', $._type))), ';'),

    // Either every element has a number or none has.
    enum_declaration: $ => seq(
      'enum',
      field('name', $.identifier),
      '{',
      choice(
        commaSep1(field('element', $.enum_element)),
        commaSep1(field('element', alias($.numbered_enum_element, $.enum_element))),
      ),
      '}',
    ),
    enum_element: $ => field('name', $.identifier),
    numbered_enum_element: $ => seq(field('name', $.identifier), '=', field('value', $.integer)),

    event_declaration: $ => seq('event', field('name', $.identifier), optional(seq(':', field('type', $._type))), ';'),

    event_set_declaration: $ => seq('eventset', field('name', $.identifier), '=', '{', $._events, '}', ';'),

    interface_declaration: $ => seq(
      'interface', field('name', $.identifier), '(', optional(field('type', $._type)), ')', 'receives', optional($._events), ';',
    ),

    _type: $ => choice(
      $.primitive_type,
      $.seq_type,
      $.set_type,
      $.map_type,
      $.tuple_type,
      $.named_tuple_type,
      alias($.identifier, $.type_name),
    ),
    primitive_type: _ => choice('bool', 'int', 'float', 'string', 'event', 'machine', 'data', 'any'),
    seq_type: $ => seq('seq', '[', field('element', $._type), ']'),
    set_type: $ => seq('set', '[', field('element', $._type), ']'),
    map_type: $ => seq('map', '[', field('key', $._type), ',', field('value', $._type), ']'),
    tuple_type: $ => seq('(', commaSep1(field('element', $._type)), ')'),
    named_tuple_type: $ => seq('(', commaSep1(field('field', $.typed_name)), ')'),
    typed_name: $ => seq(field('name', $.identifier), ':', field('type', $._type)),

    // Lists of events; `null`, the idle event, is allowed only where a handler names it.
    _events: $ => commaSep1(field('event', $._event)),
    _event: $ => choice(alias($.identifier, $.event_name), $.halt),
    _handled_events: $ => commaSep1(field('event', choice(alias($.identifier, $.event_name), $.halt, $.null))),

    // ---- Machines ------------------------------------------------------------------------------------------------

    machine_declaration: $ => seq(
      'machine',
      field('name', $.identifier),
      repeat(choice($.receives_clause, $.sends_clause)),
      field('body', $.machine_body),
    ),
    receives_clause: $ => seq('receives', optional($._events), ';'),
    sends_clause: $ => seq('sends', optional($._events), ';'),

    spec_declaration: $ => seq(
      'spec', field('name', $.identifier), field('observes', $.observes_clause), field('body', $.machine_body),
    ),
    scenario_declaration: $ => seq(
      'scenario', field('name', $.identifier), field('observes', $.observes_clause), field('body', $.machine_body),
    ),
    observes_clause: $ => seq('observes', $._events),

    machine_body: $ => seq('{', repeat(choice($.variable_declaration, $.function_declaration, $.state_declaration)), '}'),

    variable_declaration: $ => seq('var', commaSep1(field('name', $.identifier)), ':', field('type', $._type), ';'),

    state_declaration: $ => seq(
      optional('start'),
      optional(field('temperature', choice('hot', 'cold'))),
      'state',
      field('name', $.identifier),
      field('body', $.state_body),
    ),
    state_body: $ => seq(
      '{',
      repeat(choice($.entry_action, $.exit_action, $.defer_clause, $.ignore_clause, $.event_action, $.event_transition)),
      '}',
    ),
    entry_action: $ => seq('entry', $._handler),
    exit_action: $ => seq('exit', choice(field('body', $.block), seq(field('function', $.identifier), ';'))),
    defer_clause: $ => seq('defer', $._events, ';'),
    ignore_clause: $ => seq('ignore', $._events, ';'),
    event_action: $ => seq('on', $._handled_events, 'do', $._handler),
    event_transition: $ => seq(
      'on', $._handled_events, 'goto', field('target', alias($.identifier, $.state_name)), choice(';', seq('with', $._handler)),
    ),
    // A function's name, or code of its own that may take the payload.
    _handler: $ => choice(
      seq(optional(seq('(', field('parameter', $.typed_name), ')')), field('body', $.block)),
      seq(field('function', $.identifier), ';'),
    ),

    // ---- Functions -----------------------------------------------------------------------------------------------

    function_declaration: $ => seq(
      'fun',
      field('name', $.identifier),
      field('parameters', $.parameters),
      choice(
        seq(optional(seq(':', field('return_type', $._type))), field('body', $.block)),
        seq(optional(seq(':', field('return_type', $._type))), optional(field('creates', $.creates_clause)), ';'),
        // A foreign function with a contract. Every part is optional, so a bare `fun f()` is a foreign function too.
        seq(
          optional(seq('return', '(', field('result', $.typed_name), ')', ';')),
          repeat(field('requires', $.requires_clause)),
          repeat(field('ensures', $.ensures_clause)),
        ),
      ),
    ),
    parameters: $ => seq('(', commaSep(field('parameter', $.typed_name)), ')'),
    creates_clause: $ => seq('creates', field('interface', $.identifier)),
    requires_clause: $ => seq('requires', field('condition', $._expression), ';'),
    ensures_clause: $ => seq('ensures', field('condition', $._expression), ';'),

    // The body of a function or handler: variables first, then statements.
    block: $ => seq('{', repeat($.variable_declaration), repeat($._statement), '}'),

    // ---- Statements ----------------------------------------------------------------------------------------------

    _statement: $ => choice(
      $.compound_statement,
      $.assert_statement,
      $.assume_statement,
      $.print_statement,
      $.return_statement,
      $.break_statement,
      $.continue_statement,
      $.assign_statement,
      $.insert_statement,
      $.remove_statement,
      $.while_statement,
      $.foreach_statement,
      $.if_statement,
      $.new_statement,
      $.call_statement,
      $.raise_statement,
      $.send_statement,
      $.announce_statement,
      $.goto_statement,
      $.receive_statement,
      $.empty_statement,
    ),

    compound_statement: $ => seq('{', repeat($._statement), '}'),
    assert_statement: $ => seq(
      'assert', field('condition', $._expression), optional(seq(',', field('message', $._expression))), ';',
    ),
    assume_statement: $ => seq(
      'assume', field('condition', $._expression), optional(seq(',', field('message', $._expression))), ';',
    ),
    print_statement: $ => seq('print', field('message', $._expression), ';'),
    return_statement: $ => seq('return', optional(field('value', $._expression)), ';'),
    break_statement: _ => seq('break', ';'),
    continue_statement: _ => seq('continue', ';'),
    assign_statement: $ => seq(field('target', $._place), '=', field('value', $._expression), ';'),
    insert_statement: $ => seq(
      field('target', $._place), '+=', '(', optional(seq(field('key', $._expression), ',')), field('value', $._expression), ')', ';',
    ),
    remove_statement: $ => seq(field('target', $._place), '-=', field('value', $._expression), ';'),
    while_statement: $ => seq('while', '(', field('condition', $._expression), ')', field('body', $._statement)),
    foreach_statement: $ => seq(
      'foreach', '(', field('variable', $.identifier), 'in', field('collection', $._expression), ')',
      repeat(field('invariant', $.loop_invariant)),
      field('body', $._statement),
    ),
    loop_invariant: $ => seq('invariant', field('condition', $._expression), ';'),
    if_statement: $ => prec.right(seq(
      'if', '(', field('condition', $._expression), ')',
      field('then', $._statement),
      optional(seq('else', field('else', $._statement))),
    )),
    new_statement: $ => seq('new', field('interface', $.identifier), field('arguments', $.arguments), ';'),
    call_statement: $ => seq(field('function', $.identifier), field('arguments', $.arguments), ';'),
    raise_statement: $ => seq('raise', field('event', $._expression), optional($._payload), ';'),
    send_statement: $ => seq(
      'send', field('target', $._expression), ',', field('event', $._expression), optional($._payload), ';',
    ),
    announce_statement: $ => seq('announce', field('event', $._expression), optional($._payload), ';'),
    goto_statement: $ => seq('goto', field('target', alias($.identifier, $.state_name)), optional($._payload), ';'),
    receive_statement: $ => seq('receive', '{', repeat1(field('case', $.receive_case)), '}'),
    receive_case: $ => seq(
      'case', $._handled_events, ':', optional(seq('(', field('parameter', $.typed_name), ')')), field('body', $.block),
    ),
    empty_statement: _ => ';',

    _payload: $ => seq(',', commaSep1(field('payload', $._expression))),

    // What can be assigned to: a variable, a part of it, an element of it.
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
      alias($._proof_word, $.identifier),
      $.integer,
      $.float,
      $.boolean,
      $.string,
      $.null,
      $.halt,
      $.this,
      $.nondet,
      $.parenthesized_expression,
      $.tuple_expression,
      $.named_tuple_expression,
      $.field_expression,
      $.element_expression,
      $.is_expression,
      $.targets_expression,
      $.message_expression,
      $.index_expression,
      $.builtin_expression,
      $.default_expression,
      $.new_expression,
      $.call_expression,
      $.choose_expression,
      $.format_expression,
      $.unary_expression,
      $.binary_expression,
      $.cast_expression,
      $.quantifier_expression,
    ),

    // Proof words that may also open an expression; as names they need a rule of their own.
    _proof_word: $ => choice($._quantifier_word, $._message_word),
    _quantifier_word: _ => choice('forall', 'exists'),
    _message_word: _ => choice('sent', 'inflight'),

    // Two integers around a dot; P has no token for it, so spaces are allowed.
    float: $ => choice(
      prec.right(PREC.field + 1, seq(optional($.integer), '.', $.integer)),
      seq('float', '(', field('base', $.integer), ',', field('exponent', $.integer), ')'),
    ),
    boolean: _ => choice('true', 'false'),
    null: _ => 'null',
    halt: _ => 'halt',
    this: _ => 'this',
    nondet: _ => choice('$', '$$'),

    parenthesized_expression: $ => seq('(', field('value', $._expression), ')'),
    // A tuple of one element needs the comma, a longer one must not have it.
    tuple_expression: $ => seq(
      '(', field('element', $._expression), ',', optional(commaSep1(field('element', $._expression))), ')',
    ),
    named_tuple_expression: $ => seq(
      '(', field('field', $.named_value), ',', optional(commaSep1(field('field', $.named_value))), ')',
    ),
    named_value: $ => seq(
      field('name', choice($.identifier, alias($._proof_word, $.identifier))), '=', field('value', $._expression),
    ),

    field_expression: $ => prec.left(PREC.field, seq(
      field('value', $._expression), '.', field('field', alias($.identifier, $.field_name)),
    )),
    element_expression: $ => prec.left(PREC.field, seq(field('value', $._expression), '.', field('index', $.integer))),
    is_expression: $ => prec.left(PREC.is, seq(
      field('value', $._expression), 'is', field('kind', alias($.identifier, $.type_name)),
    )),
    targets_expression: $ => prec.left(PREC.targets, seq(
      field('message', $._expression), 'targets', field('target', $._expression),
    )),
    message_expression: $ => prec(PREC.message, prec.dynamic(-1, seq(
      field('operator', $._message_operator), field('message', $._expression),
    ))),
    _message_operator: _ => choice('inflight', 'sent'),
    index_expression: $ => prec.left(PREC.index, seq(
      field('value', $._expression), '[', field('index', $._expression), ']',
    )),
    builtin_expression: $ => seq(
      field('function', choice('keys', 'values', 'sizeof')), '(', field('argument', $._expression), ')',
    ),
    default_expression: $ => seq('default', '(', field('type', $._type), ')'),
    new_expression: $ => seq('new', field('interface', $.identifier), field('arguments', $.arguments)),
    call_expression: $ => seq(
      field('function', choice($.identifier, alias($._quantifier_word, $.identifier))), field('arguments', $.arguments),
    ),
    arguments: $ => seq('(', commaSep(field('argument', $._expression)), ')'),
    choose_expression: $ => seq('choose', '(', optional(field('argument', $._expression)), ')'),
    format_expression: $ => seq(
      'format', '(', field('text', $.string), repeat(seq(',', field('argument', $._expression))), ')',
    ),
    unary_expression: $ => prec(PREC.unary, seq(field('operator', choice('-', '!')), field('operand', $._expression))),
    binary_expression: $ => choice(...[
      [PREC.multiply, ['*', '/', '%']],
      [PREC.add, ['+', '-']],
      [PREC.compare, ['<', '>', '<=', '>=', 'in']],
      [PREC.equal, ['==', '!=']],
      [PREC.and, ['&&']],
      [PREC.or, ['||']],
      [PREC.implies, ['==>']],
      [PREC.iff, ['<==>']],
    ].map(([strength, operators]) => prec.left(strength, seq(
      field('left', $._expression), field('operator', operators.length > 1 ? choice(...operators) : operators[0]), field('right', $._expression),
    )))),
    cast_expression: $ => prec.left(PREC.cast, seq(
      field('value', $._expression), field('operator', choice('as', 'to')), field('type', $._type),
    )),
    quantifier_expression: $ => prec.right(PREC.quantifier, seq(
      field('quantifier', $._quantifier),
      optional('new'),
      '(', commaSep1(field('bound', $.typed_name)), ')', ':', ':',
      field('body', $._expression),
    )),
    _quantifier: _ => choice('forall', 'exists'),

    // ---- Modules, tests ------------------------------------------------------------------------------------------

    param_declaration: $ => seq('param', commaSep1(field('name', $.identifier)), ':', field('type', $._type), ';'),

    module_declaration: $ => seq('module', field('name', $.identifier), '=', field('value', $._module_expression), ';'),

    implementation_declaration: $ => seq(
      'implementation', field('name', $.identifier), optional($._main), ':', field('module', $._module_expression), ';',
    ),

    test_declaration: $ => seq(
      'test',
      choice(
        seq(
          optional(seq('param', field('params', $.test_params))),
          optional(seq('assume', field('assume', $._expression))),
          optional(field('wise', $.wise)),
          field('name', $.identifier), $._main, ':', field('module', $._module_expression),
        ),
        seq(
          field('name', $.identifier), $._main, ':', field('module', $._module_expression),
          'refines', field('refines', $._module_expression),
        ),
      ),
      ';',
    ),
    _main: $ => seq('[', 'main', '=', field('main', $.identifier), ']'),
    test_params: $ => seq('(', commaSep1(field('param', $.test_param)), ')'),
    test_param: $ => seq(field('name', $.identifier), 'in', '[', commaSep1(field('value', $._param_value)), ']'),
    _param_value: $ => choice($.boolean, $.integer, $.negative_integer),
    negative_integer: $ => seq('-', $.integer),
    wise: $ => choice('pairwise', seq('(', field('strength', $.integer), 'wise', ')')),

    _module_expression: $ => choice(
      alias($.identifier, $.module_name),
      $.parenthesized_module,
      $.binding_module,
      $.compose_module,
      $.union_module,
      $.hide_events_module,
      $.hide_interfaces_module,
      $.assert_module,
      $.rename_module,
      $.main_module,
    ),
    parenthesized_module: $ => seq('(', field('module', $._module_expression), ')'),
    binding_module: $ => seq('{', commaSep1(field('binding', $.binding)), '}'),
    binding: $ => seq(field('machine', $.identifier), optional(seq('->', field('interface', $.identifier)))),
    compose_module: $ => prec.right(seq(
      'compose', field('module', $._module_expression), repeat1(seq(',', field('module', $._module_expression))),
    )),
    union_module: $ => prec.right(seq(
      'union', field('module', $._module_expression), repeat1(seq(',', field('module', $._module_expression))),
    )),
    hide_events_module: $ => seq('hidee', $._events, 'in', field('module', $._module_expression)),
    hide_interfaces_module: $ => seq(
      'hidei', commaSep1(field('interface', $.identifier)), 'in', field('module', $._module_expression),
    ),
    assert_module: $ => seq('assert', commaSep1(field('spec', $.identifier)), 'in', field('module', $._module_expression)),
    rename_module: $ => seq(
      'rename', field('from', $.identifier), 'to', field('to', $.identifier), 'in', field('module', $._module_expression),
    ),
    main_module: $ => seq('main', field('machine', $.identifier), 'in', field('module', $._module_expression)),

    // ---- Proofs --------------------------------------------------------------------------------------------------

    pure_declaration: $ => seq(
      'pure', field('name', $.identifier), field('parameters', $.parameters), ':', field('return_type', $._type),
      optional(seq('=', field('body', $._expression))), ';',
    ),
    invariant_declaration: $ => seq('invariant', field('name', $.identifier), ':', field('body', $._expression), ';'),
    invariant_group: $ => seq(
      field('kind', choice('Lemma', 'Theorem')), field('name', $.identifier), '{', repeat($.invariant_declaration), '}',
    ),
    axiom_declaration: $ => seq('axiom', field('body', $._expression), ';'),
    init_declaration: $ => seq('init-condition', field('body', $._expression), ';'),
    proof_declaration: $ => seq('Proof', optional(field('name', $.identifier)), '{', repeat($.prove_command), '}'),
    prove_command: $ => seq(
      'prove',
      choice(commaSep1(field('goal', $._expression)), field('goal', choice($.all, $.default))),
      optional(seq('using', choice(commaSep1(field('premise', $._expression)), field('premise', $.all)))),
      optional(seq('except', commaSep1(field('except', $._expression)))),
      ';',
    ),
    all: _ => '*',
    default: _ => 'default',

    // ---- Tokens --------------------------------------------------------------------------------------------------

    identifier: _ => /[A-Za-z_][A-Za-z0-9_]*/,
    integer: _ => /[0-9]+/,
    string: _ => /"([^"\\]|\\(.|\n))*"/,
    comment: _ => token(choice(
      /\/\/[^\r\n]*/,
      /\/\*[^*]*\*+([^/*][^*]*\*+)*\//,
    )),
  },
});
