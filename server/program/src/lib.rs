//! What a P project means statically: names, types, modules, tests, and every static error.
//!
//! Everything is a salsa query over parsed files, fine-grained enough that an edit in one body checks one body again. Nothing here
//! reads files or knows editors. Results carry no positions; `diagnostics` adds them at the end.

mod alias;
mod body;
mod check;
mod damage;
mod db;
mod declaration;
mod diagnostics;
mod effects;
mod expansion;
mod explain;
mod field;
mod graph;
mod lint;
mod module;
mod occurrence;
mod problem;
mod refused;
mod resolve;
mod scope;
mod stack;
mod suppress;
#[cfg(test)]
mod tests;
pub mod ty;
mod written;

pub use alias::alias_type;
pub use body::{BodyCheck, Facts, check_body, expr_types};
pub use check::check_decl;
pub use db::{Database, Db, Member, Project, ProjectFile, Purpose, SourceFile, project_files};
pub use declaration::{Code, Decl, DeclKind, codes, decls};
pub use diagnostics::{Settings, file_diagnostics, file_diagnostics_with, place_range, project_errors};
pub use effects::{Effects, FunctionKey, Summary, check_effects, function_summary, machine_creates};
pub use expansion::{ParamValue, TestCase, TestKind, project_tests, test_count};
pub use explain::{explanation, explanations};
pub use field::{Field, FieldRole, FieldUse, body_fields, decl_fields};
pub use lint::abstractions::abstracted_fields;
pub use lint::{lint_body, lint_decl};
pub use module::{Alphabet, AttachedSpec, BoundInterface, Evaluated, Link, Module, default_implementation, evaluated};
pub use occurrence::{
    LocalPlace, MemberKind, Occurrence, Role, Target, body_occurrences, decl_occurrences, is_monitor, mentioned_names, name_of,
    type_named,
};
pub use problem::{Change, Code as ProblemCode, Fix, Node, Place, Problem, RelatedPlace, Similar, Where, WordAt};
pub use resolve::{
    MachineInfo, Signature, StateInfo, event_payload, event_set, function_signature, interface_events, machine_info, written_type,
};
pub use scope::{Def, Space, homonyms, lookup};
pub use suppress::{Kept, abstractions};
pub use written::may_mention;
