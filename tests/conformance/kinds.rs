//! The kind of error P's compiler reports for each of its `StaticError` tests, by the names of its error handlers.

/// Tests that fail in the lexer or parser; a trailing `*` stands for any ending. All others are well-formed and fail later.
pub(crate) const SYNTAX_ERRORS: [&str; 18] = [
    "ControlImpure*",
    "PopInExitFun",
    "DeferredNullEvent",
    "IgnoredNullEvent",
    "EntryNamedFunction1",
    "LexerError1",
    "LexerError2",
    "NullEventDecl",
    "Partial",
    "StartMachineNullParam",
    "LinearBugRepro1",
    "linear",
    "linear3",
    "linear4",
    "lvalues",
    "fields",
    "nonAtomicDataTypes",
    "string2",
];

/// Test names, a trailing `*` standing for any ending, and the kind. The first match counts; tests that are not listed are type
/// mismatches.
const KINDS: &[(&str, &[&str])] = &[
    ("Syntax", &SYNTAX_ERRORS),
    ("DuplicateStateEntry", &["Duplicates7", "Duplicates8", "Duplicates10"]),
    ("DuplicateStateExitHandler", &["Duplicates9"]),
    ("DuplicateStartState", &["DuplicateStart"]),
    (
        "DuplicateEventAction",
        &["DuplicateActions", "DuplicateTransitions", "ActionAndTransitionSameEvent", "DeferIgnoreSameEvent", "EventDeferred*"],
    ),
    ("DuplicateDeclaration", &["Duplicates*", "function_Typos"]),
    (
        "MissingDeclaration",
        &[
            "FunctionNotDefined",
            "AnonFuns",
            "UndefinedStateInTransition",
            "AssignBadLhs",
            "CreateSpecMachine",
            "NonExistent*",
            "eventExprSendRaise",
            "foreach1",
            "goto1",
            "CtorArgErrors",
            "NestedExprErrors",
            "GotoRecoveryErrors",
            "SpecReceiveBodyError",
        ],
    ),
    ("MissingStartState", &["MachineNoStartState"]),
    ("ExitFunctionCannotTakeParameters", &["HasExitArgs"]),
    ("ChangedStateMidTransition", &["RaiseInExitFun"]),
    ("NotAllPathsReturn", &["FunctionMissingReturn"]),
    ("DeferredEventInMonitor", &["NoDeferInSpecMachine"]),
    ("NullTransitionInMonitor", &["TransitionOnNullInSpecMachine"]),
    ("IllegalMonitorOperation", &["NoSendInSpecMachine", "SendInMonitor", "SideEffectsInMonitor", "entryExit"]),
    ("IllegalFunctionUsedInSpecMachine", &["StaticFunctionInMonitor"]),
    ("EmittedNullEvent", &["RaisedNullEvent", "SentNullEvent"]),
    ("BareLoopControlFlow", &["breakOutsideLoop", "continueOutsideLoop"]),
    ("InvalidTwise", &["ParamTest4"]),
    ("InternalError", &["ParamTest3"]),
    ("IncorrectArgumentCount", &["FunctionMissingArgs", "goto2", "goto3", "FunCallArgErrors"]),
    ("ValueOutOfRange", &["IntLiteralOutOfRange", "TupleIndexOutOfRange"]),
    ("IllegalChooseSubExprValue", &["tooManyChoices"]),
    (
        "IncomparableTypes|BinOpTypeMismatch",
        &["TransactionType", "ExprsOperators", "ModExpr1", "choose3", "CastInExprs", "enum1", "nullComparison", "nullTypeAssign"],
    ),
    ("IllegalTypeInCoerceExpr", &["float4"]),
    ("IllegalInterfaceCoerce", &["EventSets_5", "MachineNames_1"]),
    ("CircularTypeDef", &["typedef", "typedef2"]),
    ("DuplicateNamedTupleEntry", &["namedDuplicateField", "namedDuplicateField2"]),
];

/// The kinds of which one is to be reported for the test.
pub(crate) fn expected(test: &str) -> Vec<&'static str> {
    let matches = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(prefix) => test.starts_with(prefix),
        None => test == *pattern,
    };
    let listed = KINDS.iter().find(|(_, tests)| tests.iter().any(matches)).map_or("TypeMismatch", |(kind, _)| *kind);
    listed.split('|').collect()
}

/// How many errors P's compiler reports for tests where it says so.
pub(crate) fn count(test: &str) -> Option<usize> {
    const COUNTS: [(&str, usize); 9] = [
        ("MultipleErrors", 4),
        ("NestedExprErrors", 2),
        ("ForeachBodyErrors", 2),
        ("MultiMachineErrors", 3),
        ("MultiFunctionPerMachine", 3),
        ("CtorArgErrors", 3),
        ("FunCallArgErrors", 4),
        ("GotoRecoveryErrors", 4),
        ("SpecReceiveBodyError", 3),
    ];
    COUNTS.iter().find(|(name, _)| *name == test).map(|(_, count)| *count)
}
