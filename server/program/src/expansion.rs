//! The tests that can be run, one for each choice of values for the parameters, under P's names and in P's order.
//!
//! A declaration is expanded by a query of its own. What it keeps of a test is a number that stands for the values; names are made
//! only when all tests are listed. The work is bounded: beyond the bounds there is an error in the place of tests.

mod assume;
mod clash;
mod cover;
#[cfg(test)]
mod tests;

use lockstep_base::Severity;
use lockstep_syntax::p::ast::{Decl as AstDecl, Nodes, Test, TestParam, Wise};
use smol_str::SmolStr;

use crate::check::{Literal, check_decl, param_literal};
use crate::db::{Db, Project, Purpose, project_files};
use crate::declaration::{Decl, DeclKind};
use crate::module::{check_runnable, default_implementation, evaluated, file_systems};
use crate::problem::{Code, Problem};
use crate::scope::{Space, lookup};

use assume::Assumption;
pub(crate) use clash::check_test_names;
use cover::covering;

/// Something that can be run.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct TestCase<'db> {
    /// The test or implementation; the machine `Main` where there is neither.
    pub decl: Decl<'db>,
    pub kind: TestKind,
    /// With the values of the parameters: `test___p1_v1__p2_v2`.
    pub name: String,
    pub params: Vec<(SmolStr, ParamValue)>,
    /// The name of the machine that is started.
    pub main: SmolStr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TestKind {
    Test,
    Implementation,
    /// All machines, in a project that has neither tests nor implementations.
    DefaultImplementation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParamValue {
    Bool(bool),
    Int(i64),
}

/// How many combinations of values are looked at.
const MOST_COMBINATIONS: u64 = 1_000_000;
/// How many tests a declaration may stand for. P writes a class for each.
const MOST_TESTS: usize = 100_000;
/// How many operations computing an assumption for all combinations may take.
const MOST_OPERATIONS: u64 = 100_000_000;

/// Everything that can be run: implementations, then tests, each in the order of the files. What has an error is left out.
#[salsa::tracked]
pub fn project_tests<'db>(db: &'db dyn Db, project: Project) -> Vec<TestCase<'db>> {
    let all: Vec<Decl<'db>> = project_files(db, project).flat_map(|file| file_systems(db, file)).copied().collect();
    let mut cases = Vec::new();
    for &decl in all.iter().filter(|decl| decl.kind(db) == DeclKind::Implementation && is_right(db, **decl)) {
        let shape = decl.shape(db);
        let AstDecl::Implementation { main: Some(main), .. } = &shape.0.decl else { continue };
        let (name, main) = (decl.name(db).to_string(), shape.0.nodes[*main].0.clone());
        cases.push(TestCase { decl, kind: TestKind::Implementation, name, params: Vec::new(), main });
    }
    for &decl in all.iter().filter(|decl| decl.kind(db) == DeclKind::Test && is_right(db, **decl)) {
        let shape = decl.shape(db);
        let AstDecl::Test(test) = &shape.0.decl else { continue };
        let main = &shape.0.nodes[test.main].0;
        let expansion = expansion(db, decl);
        cases.extend(expansion.chosen.iter().map(|&number| {
            let params = expansion.values(number);
            TestCase { decl, kind: TestKind::Test, name: expanded_name(decl.name(db), &params), params, main: main.clone() }
        }));
    }
    cases.extend(default_case(db, project));
    cases
}

/// How many of these tests a declaration stands for; `None` if it has an error or is no test.
pub fn test_count<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Option<usize> {
    (decl.kind(db) == DeclKind::Test && is_right(db, decl)).then(|| expansion(db, decl).chosen.len())
}

fn is_right<'db>(db: &'db dyn Db, decl: Decl<'db>) -> bool {
    let problems = check_decl(db, decl).iter().chain(check_runnable(db, decl)).chain(check_expansion(db, decl));
    let problems = problems.chain(check_test_names(db, decl));
    evaluated(db, decl).module.is_some() && problems.into_iter().all(|problem| problem.code.severity() != Severity::Error)
}

fn default_case<'db>(db: &'db dyn Db, project: Project) -> Option<TestCase<'db>> {
    let module = default_implementation(db, project).as_ref()?;
    if module.unbound().next().is_some() {
        return None;
    }
    let decl = lookup(db, project, Space::Type, "Main")?.decl;
    let kind = TestKind::DefaultImplementation;
    Some(TestCase { decl, kind, name: "DefaultImpl".to_owned(), params: Vec::new(), main: decl.name(db).clone() })
}

/// As P names the class of a test.
fn expanded_name(test: &str, params: &[(SmolStr, ParamValue)]) -> String {
    let parts: Vec<String> = params
        .iter()
        .map(|(name, value)| match value {
            ParamValue::Bool(value) => format!("{name}_{value}"),
            ParamValue::Int(value) if *value < 0 => format!("{name}_neg{}", value.unsigned_abs()),
            ParamValue::Int(value) => format!("{name}_{value}"),
        })
        .collect();
    if parts.is_empty() { test.to_owned() } else { format!("{test}___{}", parts.join("__")) }
}

/// The tests a declaration stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
struct Expansion<'db> {
    params: Vec<(SmolStr, Vec<ParamValue>)>,
    /// Numbers of combinations, in the order of the tests. In the number of a combination the first parameter is the lowest digit.
    chosen: Vec<u32>,
    problems: Vec<Problem<'db>>,
}

impl Expansion<'_> {
    fn values(&self, number: u32) -> Vec<(SmolStr, ParamValue)> {
        let sizes: Vec<usize> = self.params.iter().map(|(_, values)| values.len()).collect();
        let digits = digits(number, &sizes);
        self.params.iter().zip(digits).map(|((name, values), digit)| (name.clone(), values[digit])).collect()
    }
}

/// Which value of each parameter a combination has.
fn digits(number: u32, sizes: &[usize]) -> impl Iterator<Item = usize> {
    let mut rest = number as usize;
    sizes.iter().map(move |size| {
        let digit = rest % size;
        rest /= size;
        digit
    })
}

/// What is wrong with the parameters of a test taken together. Nothing in a project for the verifier, which runs no tests.
pub(crate) fn check_expansion<'db>(db: &'db dyn Db, decl: Decl<'db>) -> &'db [Problem<'db>] {
    let file = decl.file(db);
    let is_run = !file.is_included(db) && file.project(db).purpose(db) == Purpose::Checking;
    match decl.kind(db) == DeclKind::Test && is_run {
        true => &expansion(db, decl).problems,
        false => &[],
    }
}

#[salsa::tracked]
fn expansion<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Expansion<'db> {
    let shape = decl.shape(db);
    let AstDecl::Test(test) = &shape.0.decl else { return Expansion::default() };
    // What is wrong with a parameter or the assumption has been said.
    if test.refines.is_some() || check_decl(db, decl).iter().any(|problem| problem.code.severity() == Severity::Error) {
        return Expansion::default();
    }
    let nodes = &shape.0.nodes;
    let Some(params) = test.params.iter().map(|param| values_of(nodes, param)).collect::<Option<Vec<_>>>() else {
        return Expansion::default();
    };
    let (chosen, problems) = match choose(nodes, test, &params) {
        Ok(chosen) => (chosen, Vec::new()),
        Err(problem) => (Vec::new(), vec![*problem]),
    };
    let expansion = Expansion { params, chosen, problems };
    match repeated(test, &expansion, decl.name(db)) {
        Some(problem) => Expansion { chosen: Vec::new(), problems: vec![problem], ..expansion },
        None => expansion,
    }
}

fn values_of(nodes: &Nodes, param: &TestParam) -> Option<(SmolStr, Vec<ParamValue>)> {
    let value = |literal| match literal {
        Literal::Bool(value) => ParamValue::Bool(value),
        Literal::Int(value) => ParamValue::Int(value.into()),
    };
    let values: Option<Vec<ParamValue>> = param.values.iter().map(|id| param_literal(nodes, *id).map(value)).collect();
    Some((nodes[param.name].0.clone(), values.filter(|values| !values.is_empty())?))
}

fn choose<'db>(nodes: &Nodes, test: &Test, params: &[(SmolStr, Vec<ParamValue>)]) -> Result<Vec<u32>, Box<Problem<'db>>> {
    let too_many = |message: String| {
        Box::new(Problem::new(Code::TooManyTests, test.name, message).with_help("give fewer values, or split the test"))
    };
    let sizes: Vec<usize> = params.iter().map(|(_, values)| values.len()).collect();
    let count = sizes.iter().fold(1_u64, |count, size| count.saturating_mul(*size as u64));
    if count > MOST_COMBINATIONS {
        return Err(too_many(format!("the parameters of this test have more than {MOST_COMBINATIONS} combinations")));
    }
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let assumption = test.assume.map(|assume| Assumption::new(nodes, assume, params));
    let kept: Vec<u32> = match &assumption {
        Some(assumption) if u64::from(count).saturating_mul(assumption.len()) > MOST_OPERATIONS => {
            return Err(too_many("this assumption is too long for so many combinations of parameters".to_owned()));
        }
        Some(assumption) => {
            let mut kept = Vec::new();
            for number in 0..count {
                if assumption.holds(params, digits(number, &sizes))? {
                    kept.push(number);
                }
            }
            kept
        }
        None => (0..count).collect(),
    };
    let strength = match test.wise {
        None => params.len(),
        // P does not compare this with the number of parameters: with fewer than two there is no test at all.
        Some(Wise::Pairwise) => 2,
        Some(Wise::Strength(id)) => nodes[id].as_str().parse().unwrap_or(params.len()),
    };
    let chosen = covering(&sizes, kept, strength)
        .ok_or_else(|| too_many("finding tests that cover this test's parameters would take too long".to_owned()))?;
    match chosen.len() > MOST_TESTS {
        true => Err(too_many(format!("this stands for {} tests, and {MOST_TESTS} are the most", chosen.len()))),
        false => Ok(chosen),
    }
}

/// A value that is given twice can make two tests of one name, which P's C# compiler rejects. Numbers are never given twice.
fn repeated<'db>(test: &Test, expansion: &Expansion<'_>, name: &str) -> Option<Problem<'db>> {
    let twice = expansion.params.iter().position(|(_, values)| {
        let bools = values.iter().filter(|value| matches!(value, ParamValue::Bool(_))).count();
        bools > 2 || (bools == 2 && values[0] == values[1])
    })?;
    let mut names: Vec<String> = expansion.chosen.iter().map(|number| expanded_name(name, &expansion.values(*number))).collect();
    names.sort();
    let same = names.windows(2).find(|pair| pair[0] == pair[1])?;
    let place = *test.params.get(twice)?.values.last()?;
    let message = format!("a value is given twice, so that there are two tests `{}`", same[0]);
    Some(Problem::new(Code::SameTestTwice, place, message))
}
