//! The codes of findings in IceT programs: `LS20nn` is rule nn of the language reference's static errors, `LS21nn` are warnings.

pub const NAME: &str = "LS2001";
pub const HIDDEN: &str = "LS2002";
pub const PROCESS: &str = "LS2003";
pub const CONTAINS_ITSELF: &str = "LS2004";
pub const TYPE: &str = "LS2005";
pub const COUNT: &str = "LS2006";
pub const TARGET: &str = "LS2007";
pub const SOURCE: &str = "LS2008";
pub const CASES: &str = "LS2009";
pub const LOOP: &str = "LS2010";
pub const NO_SUCH_VARIABLE: &str = "LS2011";
pub const NOT_ASSIGNABLE: &str = "LS2012";
pub const FOREIGN: &str = "LS2013";
pub const GHOST: &str = "LS2014";
pub const SHARED: &str = "LS2015";
pub const NOT_CONSTANT: &str = "LS2016";
pub const HERE: &str = "LS2017";
pub const BREAK: &str = "LS2018";
pub const FOREACH: &str = "LS2019";
pub const TIMEOUT: &str = "LS2020";
pub const ROUNDS: &str = "LS2021";
pub const ATOMIC: &str = "LS2022";
pub const MISPLACED: &str = "LS2023";
/// A number or a type that is larger than can be worked with.
pub const TOO_LARGE: &str = "LS2024";

pub const TRAFFIC: &str = "LS2101";
pub const NO_PROCESS: &str = "LS2102";
pub const UNREACHABLE: &str = "LS2103";
pub const IMPLICATIONS: &str = "LS2104";
pub const ROUNDS_UNDECIDED: &str = "LS2105";

/// All of them, in order.
pub const ALL: &[&str] = &[
    NAME,
    HIDDEN,
    PROCESS,
    CONTAINS_ITSELF,
    TYPE,
    COUNT,
    TARGET,
    SOURCE,
    CASES,
    LOOP,
    NO_SUCH_VARIABLE,
    NOT_ASSIGNABLE,
    FOREIGN,
    GHOST,
    SHARED,
    NOT_CONSTANT,
    HERE,
    BREAK,
    FOREACH,
    TIMEOUT,
    ROUNDS,
    ATOMIC,
    MISPLACED,
    TOO_LARGE,
    TRAFFIC,
    NO_PROCESS,
    UNREACHABLE,
    IMPLICATIONS,
    ROUNDS_UNDECIDED,
];
