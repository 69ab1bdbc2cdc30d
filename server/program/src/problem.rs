//! What can be wrong, and where, without positions.

use lockstep_base::Severity;
use lockstep_syntax::p::ast::{ExprId, ModuleId, NameId, PartId, StmtId, TypeId};
use smol_str::SmolStr;

use crate::declaration::Decl;
use crate::scope::Space;

/// Something wrong in a declaration. The place is a node of the declaration or of one of its bodies.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Problem<'db> {
    pub code: Code,
    pub place: Place,
    pub message: String,
    pub help: Option<String>,
    pub related: Vec<RelatedPlace<'db>>,
    pub fix: Option<Fix>,
    /// A name that means nothing, and where one that was meant may be found. The search is left to `diagnostics`, because it looks at
    /// every name there is, and what is checked must not depend on all of them.
    pub similar: Option<Similar>,
}

/// A change that mends a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// As an order: "declare the variable".
    pub title: String,
    pub changes: Vec<Change>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub place: Place,
    pub at: Where,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    Before,
    Instead,
    After,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Similar {
    pub written: SmolStr,
    /// Names of the project that would do.
    pub spaces: &'static [Space],
    /// Names nearer by that would do: variables, states, fields.
    pub names: Vec<SmolStr>,
}

/// A place that explains the problem: in another declaration, or elsewhere in the same one.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct RelatedPlace<'db> {
    pub decl: Decl<'db>,
    pub place: Place,
    pub message: String,
}

/// What nodes are numbered in: a declaration itself, or one of its bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit<'db> {
    pub(crate) decl: Decl<'db>,
    pub(crate) body: Option<u32>,
}

impl<'db> Unit<'db> {
    /// The declaration itself.
    pub(crate) fn of(decl: Decl<'db>) -> Self {
        Self { decl, body: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The number of the body the node is in, or `None` for the declaration itself.
    pub body: Option<u32>,
    pub node: Node,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Name(NameId),
    Type(TypeId),
    Expr(ExprId),
    Stmt(StmtId),
    Module(ModuleId),
    Part(PartId),
    /// A word that has no node of its own.
    Word(&'static str, WordAt),
    /// All of it.
    Whole,
}

/// Where a word without a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordAt {
    /// At the start of the declaration.
    Start,
    /// At the start of an expression.
    StartOf(ExprId),
    /// At the start of a part of the declaration.
    StartOfPart(PartId),
    /// Before an expression, with little between: white space, comments, an opening bracket.
    BeforeExpr(ExprId),
    BeforeName(NameId),
}

macro_rules! nodes {
    ($($id:ty => $variant:ident,)*) => {
        $(impl From<$id> for Node {
            fn from(id: $id) -> Self {
                Self::$variant(id)
            }
        })*
    };
}

nodes! {
    NameId => Name,
    TypeId => Type,
    ExprId => Expr,
    StmtId => Stmt,
    ModuleId => Module,
    PartId => Part,
}

impl<'db> Problem<'db> {
    pub fn new(code: Code, node: impl Into<Node>, message: impl Into<String>) -> Self {
        let place = Place { body: None, node: node.into() };
        Self { code, place, message: message.into(), help: None, related: Vec::new(), fix: None, similar: None }
    }

    /// The same problem in a body of the declaration.
    #[must_use]
    pub fn in_body(mut self, body: u32) -> Self {
        self.place.body = Some(body);
        self.fix.iter_mut().flat_map(|fix| &mut fix.changes).for_each(|change| change.place.body = Some(body));
        self
    }

    /// A fix of one change.
    #[must_use]
    pub fn with_fix(mut self, title: impl Into<String>, node: impl Into<Node>, at: Where, text: impl Into<String>) -> Self {
        let place = Place { body: self.place.body, node: node.into() };
        self.fix = Some(Fix { title: title.into(), changes: vec![Change { place, at, text: text.into() }] });
        self
    }

    /// Names that were perhaps meant instead of the unknown `written`, which is at the problem's place.
    #[must_use]
    pub fn with_similar(mut self, written: &str, spaces: &'static [Space], names: Vec<SmolStr>) -> Self {
        self.similar = Some(Similar { written: written.into(), spaces, names });
        self
    }

    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With help, if there is any.
    #[must_use]
    pub fn with_advice(mut self, advice: Option<impl Into<String>>) -> Self {
        self.help = advice.map(Into::into).or(self.help);
        self
    }

    #[must_use]
    pub fn with_related(self, decl: Decl<'db>, node: impl Into<Node>, message: impl Into<String>) -> Self {
        self.with_related_in(Unit::of(decl), node, message)
    }

    /// With a place that may be in a body. `in_body` leaves it where it is.
    #[must_use]
    pub(crate) fn with_related_in(mut self, unit: Unit<'db>, node: impl Into<Node>, message: impl Into<String>) -> Self {
        let place = Place { body: unit.body, node: node.into() };
        self.related.push(RelatedPlace { decl: unit.decl, place, message: message.into() });
        self
    }
}

/// What is said where a variable has the name of a test parameter.
pub(crate) fn hides_param(name: &str) -> String {
    format!("`{name}` is the name of a test parameter, which nothing else may have")
}

/// The kinds of problems. Each has a number that never changes, and the name P's own compiler has for it.
macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $number:literal, $kind:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub fn number(self) -> &'static str {
                match self {
                    $(Self::$variant => $number,)*
                }
            }

            /// The error handler of P's compiler that reports this; empty for what P says nothing about.
            pub fn kind(self) -> &'static str {
                match self {
                    $(Self::$variant => $kind,)*
                }
            }

            /// What it means, in Markdown. Each code has its file; without it this does not compile.
            pub(crate) fn explanation(self) -> &'static str {
                match self {
                    $(Self::$variant => include_str!(concat!("../explain/", $number, ".md")),)*
                }
            }

            /// Whether it says that what it points at has no effect.
            pub fn is_unused(self) -> bool {
                self.number().starts_with("LS11")
            }

            /// `LS0...` are errors: P rejects the program. `LS1...` are warnings: P takes it.
            pub fn severity(self) -> Severity {
                if self.number().starts_with("LS1") { Severity::Warning } else { Severity::Error }
            }
        }
    };
}

codes! {
    // ---- Declarations ----
    DuplicateDeclaration = "LS0101", "DuplicateDeclaration";
    HidesParam = "LS0102", "RedeclareGlobalParam";
    CircularType = "LS0103", "CircularTypeDef";
    DuplicateField = "LS0104", "DuplicateNamedTupleEntry";
    UnknownType = "LS0105", "MissingDeclaration";
    UnknownEvent = "LS0106", "MissingDeclaration";
    UnknownFunction = "LS0107", "MissingDeclaration";
    UnknownState = "LS0108", "MissingDeclaration";
    UnknownInterface = "LS0109", "MissingDeclaration";
    UnknownName = "LS0110", "MissingDeclaration";
    OutOfRange = "LS0111", "ValueOutOfRange";
    DuplicateEventAction = "LS0112", "DuplicateEventAction";
    DuplicateEntry = "LS0113", "DuplicateStateEntry";
    DuplicateExit = "LS0114", "DuplicateStateExitHandler";
    DuplicateStart = "LS0115", "DuplicateStartState";
    NullInSpec = "LS0116", "NullTransitionInMonitor";
    DeferInSpec = "LS0117", "DeferredEventInMonitor";
    TypeTooLarge = "LS0118", "";
    // ---- Machines ----
    MissingStart = "LS0201", "MissingStartState";
    HandlerParameters = "LS0202", "MoreThanOneParameterForHandlers";
    ExitParameters = "LS0203", "ExitFunctionCannotTakeParameters";
    HandlerPayload = "LS0204", "TypeMismatch";
    GlobalHandler = "LS0205", "StaticFunctionNotAllowedAsHandler";
    // ---- Statements and expressions ----
    ModifiesParam = "LS0301", "ModifyGlobalParam";
    ConditionType = "LS0302", "TypeMismatch";
    MessageType = "LS0303", "TypeMismatch";
    ReturnType = "LS0304", "TypeMismatch";
    AssignedType = "LS0305", "TypeMismatch";
    InsertType = "LS0306", "TypeMismatch";
    RemoveType = "LS0307", "TypeMismatch";
    ForeachType = "LS0308", "TypeMismatch";
    TargetType = "LS0309", "TypeMismatch";
    EventType = "LS0310", "TypeMismatch";
    FieldAccess = "LS0311", "TypeMismatch";
    ElementAccess = "LS0312", "TypeMismatch";
    IndexType = "LS0313", "TypeMismatch";
    CollectionType = "LS0314", "TypeMismatch";
    MembershipType = "LS0315", "TypeMismatch";
    OperandType = "LS0316", "TypeMismatch";
    ArgumentType = "LS0317", "TypeMismatch";
    ArgumentCount = "LS0318", "IncorrectArgumentCount";
    FormatText = "LS0319", "InvalidStringExprFormat";
    NullEvent = "LS0320", "EmittedNullEvent";
    BinaryOperands = "LS0321", "BinOpTypeMismatch";
    Incomparable = "LS0322", "IncomparableTypes";
    CoerceType = "LS0323", "IllegalTypeInCoerceExpr";
    CoerceInterface = "LS0324", "IllegalInterfaceCoerce";
    UnknownField = "LS0325", "MissingNamedTupleEntry";
    ElementOutOfBounds = "LS0326", "OutOfBoundsTupleAccess";
    ChooseType = "LS0327", "IllegalChooseSubExprType";
    ChooseValue = "LS0328", "IllegalChooseSubExprValue";
    ThisOutsideMachine = "LS0329", "MisplacedThis";
    NotInSpec = "LS0330", "IllegalMonitorOperation";
    RaiseInFunction = "LS0331", "RaiseEventInNonVoidFunction";
    GotoInFunction = "LS0332", "ChangeStateInNonVoidFunction";
    DuplicateReceiveCase = "LS0333", "DuplicateReceiveCase";
    ReceivePayload = "LS0334", "TypeMismatch";
    MissingReturn = "LS0335", "NotAllPathsReturn";
    LoopControl = "LS0336", "BareLoopControlFlow";
    // ---- What code does, through all it calls ----
    ChangesStateWhileLeaving = "LS0401", "ChangedStateMidTransition";
    EffectInSpec = "LS0402", "IllegalFunctionUsedInSpecMachine";
    // ---- Tests ----
    UnknownParam = "LS0501", "UndeclaredGlobalParam";
    ParamType = "LS0502", "TypeMismatch";
    DuplicateParamValue = "LS0503", "InternalError";
    TestStrength = "LS0504", "InvalidTwise";
    NotClosed = "LS0505", "NotClosed";
    NoMain = "LS0506", "NoMain";
    MainTakesValue = "LS0507", "NoMain";
    RefinementTest = "LS0508", "";
    AssumeForm = "LS0509", "";
    AssumeType = "LS0510", "";
    AssumeFails = "LS0511", "";
    TooManyTests = "LS0512", "";
    SameTestTwice = "LS0513", "";
    // ---- Modules (LS06) ----
    UnknownModule = "LS0601", "MissingDeclaration";
    UnknownMachine = "LS0602", "MissingDeclaration";
    UnknownSpec = "LS0603", "MissingDeclaration";
    NotASpec = "LS0604", "ExpectedMonitor";
    RecursiveModule = "LS0605", "";
    DuplicateBinding = "LS0606", "DuplicateBindings";
    BindReceives = "LS0607", "InvalidBindExpr";
    BindConstructor = "LS0608", "InvalidBindExpr";
    AssertUnsent = "LS0609", "InvalidAssertExpr";
    AssertTwice = "LS0610", "InvalidAssertExpr";
    RenameReceives = "LS0611", "InvalidRenameExpr";
    RenameAbsent = "LS0612", "InvalidRenameExpr";
    RenameTaken = "LS0613", "InvalidRenameExpr";
    BoundInBoth = "LS0614", "InvalidCompositionExpr";
    SpecInBoth = "LS0615", "InvalidCompositionExpr";
    SentByBoth = "LS0616", "InvalidCompositionExpr";
    CreatedByBoth = "LS0617", "InvalidCompositionExpr";
    PrivateInOne = "LS0618", "InvalidCompositionExpr";
    HiddenInterface = "LS0619", "InvalidHideInterfaceExpr";
    HiddenEvent = "LS0620", "InvalidHideEventExpr";
    ExposedEvent = "LS0621", "InvalidHideEventExpr";
    // ---- Proofs (LS07) ----
    ProofWord = "LS0701", "NotSupported";
    UnknownKind = "LS0702", "MissingDeclaration";
    UnknownGoal = "LS0703", "MissingDeclaration";
    UnknownMachineField = "LS0704", "MissingMachineField";
    UnknownEventField = "LS0705", "MissingEventField";
    ProofType = "LS0706", "TypeMismatch";
    CircularProof = "LS0707", "CyclicProof";
    NewQuantifierCount = "LS0708", "InternalError";
    NewQuantifierType = "LS0709", "TypeMismatch";
    // ---- Warnings: comments for Lockstep (LS10) ----
    SuppressionForm = "LS1001", "";
    SuppressionCode = "LS1002", "";
    SuppressionReason = "LS1003", "";
    SuppressionUseless = "LS1004", "";
    UselessAbstraction = "LS1005", "";
    // ---- Warnings: things without effect (LS11, shown faded) ----
    UnusedVariable = "LS1101", "";
    UnreadVariable = "LS1102", "";
    UnusedField = "LS1103", "";
    UnreadField = "LS1104", "";
    UnusedFunction = "LS1105", "";
    UnusedEvent = "LS1106", "";
    UnusedType = "LS1107", "";
    UnusedEventSet = "LS1108", "";
    UnusedInterface = "LS1109", "";
    UnusedModule = "LS1110", "";
    UnreachableState = "LS1111", "";
    UnusedParameter = "LS1112", "";
    UnreachableCode = "LS1113", "";
    UnusedTestParam = "LS1114", "";
    UnusedMachine = "LS1115", "";
    // ---- Warnings: surprises, accepted by P but probably not what was meant (LS12) ----
    EventNeverHandled = "LS1201", "";
    EventNeverSent = "LS1202", "";
    EventNeverArrives = "LS1203", "";
    ObservedNeverSent = "LS1204", "";
    HandledNotObserved = "LS1205", "";
    ObservedNotHandled = "LS1206", "";
    ScenarioNeverCold = "LS1207", "";
    ScenarioStartsCold = "LS1208", "";
    HotForever = "LS1209", "";
    DeferredForever = "LS1210", "";
    DuplicateEnumValue = "LS1211", "";
    PairwiseTooFew = "LS1212", "";
    UselessCall = "LS1213", "";
    ConstantCondition = "LS1214", "";
    ChooseNothing = "LS1215", "";
    SelfComparison = "LS1216", "";
    SelfAssignment = "LS1217", "";
    HidesVariable = "LS1218", "";
    EmptyStatement = "LS1219", "";
    BreakLeavesCase = "LS1220", "";
    EventAsType = "LS1221", "";
    UnsetTestParam = "LS1222", "";
    IdleForNothing = "LS1223", "";
    SpecChangesPayload = "LS1224", "";
    NullCase = "LS1225", "";
    RaiseRunsTwice = "LS1226", "";
    RaiseLost = "LS1227", "";
    CommentInComment = "LS1228", "";
    // ---- Warnings: taken by P's type checker and broken later, in the generated code or in every run (LS13) ----
    StringArithmetic = "LS1301", "";
    VerifierOnly = "LS1302", "";
    SeveralPayloads = "LS1303", "";
    AssignedCopy = "LS1304", "";
    StringEscape = "LS1305", "";
    StringNewline = "LS1306", "";
    AnnouncedHalt = "LS1307", "";
    HaltInVariable = "LS1308", "";
    GotoNamedEntry = "LS1309", "";
    FloatPair = "LS1310", "";
    HiddenEvents = "LS1311", "";
    WordOfCSharp = "LS1312", "";
    NameClash = "LS1313", "";
    DivisionByZero = "LS1314", "";
    SpecWithoutStart = "LS1315", "";
    RaiseUnhandled = "LS1316", "";
    HaltCase = "LS1317", "";
    EventNamedHalt = "LS1319", "";
    SendNotDeclared = "LS1320", "";
    StartedWithoutValue = "LS1321", "";
    RefusedAlias = "LS1322", "";
    ProofOperand = "LS1381", "";
}
