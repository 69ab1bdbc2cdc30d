//! Proofs that go in a circle: A is proved using B, and B using A.
//!
//! As in P, every `prove` command leads from each of its goals to each of its premises, whatever `Proof` it stands in, and the command
//! that closes the first circle, in the order of the files, is the one to blame. The commands are nodes of the graph too, so that its
//! size is that of the text and not goals times premises.

use indexmap::IndexSet;
use lockstep_syntax::p::ast::{Decl as AstDecl, Expr, ExprId, Goals, PartId};
use rustc_hash::{FxBuildHasher, FxHashSet};
use smol_str::SmolStr;

use crate::db::{Db, Project, project_files};
use crate::declaration::{Decl, DeclKind, decls};
use crate::graph::groups;
use crate::scope::{Space, lookup, names};

/// More steps than this are not told one by one.
const MOST_STEPS_TOLD: usize = 6;

/// A circle and the command that closes it.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Circle<'db> {
    pub(crate) decl: Decl<'db>,
    /// Among the commands of the declaration.
    pub(crate) command: u32,
    /// The first is the closing command's. The premise of each is the goal of the next, and that of the last is the first's goal.
    steps: Vec<Step<'db>>,
}

/// One invariant proved using another.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Step<'db> {
    pub(crate) decl: Decl<'db>,
    pub(crate) part: PartId,
    goal: SmolStr,
    premise: SmolStr,
}

impl<'db> Circle<'db> {
    pub(crate) fn message(&self) -> String {
        let told = |step: &Step<'db>| format!("`{}` using `{}`", step.goal, step.premise);
        let Some((first, rest)) = self.steps.split_first() else { return "the proof is circular".to_owned() };
        let Some((last, between)) = rest.split_last() else {
            return format!("the proof is circular: `{}` is proved using itself", first.goal);
        };
        let between = match between.len() {
            0..MOST_STEPS_TOLD => between.iter().map(|step| format!(", {}", told(step))).collect(),
            count => format!(", and so on for {count} steps,"),
        };
        format!("the proof is circular: `{}` is proved using `{}`{between} and {}", first.goal, first.premise, told(last))
    }

    /// The steps of other commands.
    pub(crate) fn others(&self) -> impl Iterator<Item = &Step<'db>> {
        self.steps.iter().skip(1).take(MOST_STEPS_TOLD)
    }
}

impl Step<'_> {
    pub(crate) fn message(&self) -> String {
        format!("`{}` is proved using `{}` here", self.goal, self.premise)
    }
}

/// The circle that a command of this proof closes.
#[salsa::tracked]
pub(crate) fn closed_circle<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Option<Circle<'db>> {
    first_circle(db, decl.file(db).project(db)).clone().filter(|circle| circle.decl == decl)
}

#[salsa::tracked]
fn first_circle<'db>(db: &'db dyn Db, project: Project) -> Option<Circle<'db>> {
    let commands: Vec<Command<'db>> = project_files(db, project)
        .flat_map(|file| decls(db, file))
        .filter(|decl| decl.kind(db) == DeclKind::Proof)
        .flat_map(|decl| proof_commands(db, *decl))
        .map(|command| expand(db, project, command))
        .collect();
    let graph = Graph::new(&commands);
    // A circle stays one with more commands, so the first prefix that has one can be searched for.
    if !graph.has_circle(commands.len()) {
        return None;
    }
    let (mut without, mut with) = (0, commands.len());
    while with - without > 1 {
        let middle = usize::midpoint(without, with);
        if graph.has_circle(middle) {
            with = middle;
        } else {
            without = middle;
        }
    }
    let closing = with - 1;
    let steps = graph.circle_through(closing, with).into_iter().map(|(command, goal, premise)| {
        let Command { decl, part, .. } = commands[command];
        Step { decl, part, goal: graph.name(goal), premise: graph.name(premise) }
    });
    Some(Circle { decl: commands[closing].decl, command: commands[closing].nth, steps: steps.collect() })
}

/// A command with the names of the invariants it is about.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct Command<'db> {
    decl: Decl<'db>,
    nth: u32,
    part: PartId,
    goals: Claims,
    premises: Claims,
    except: Vec<SmolStr>,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
enum Claims {
    Listed(Vec<SmolStr>),
    All,
}

#[salsa::tracked]
fn proof_commands<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Command<'db>> {
    let shape = decl.shape(db);
    let AstDecl::Proof { commands, .. } = &shape.0.decl else { return Vec::new() };
    let listed = |exprs: &[ExprId]| exprs.iter().flat_map(|expr| invariants_of(db, decl, *expr)).collect::<Vec<SmolStr>>();
    let claims = |goals: &Goals| match goals {
        Goals::Listed(exprs) => Claims::Listed(listed(exprs)),
        Goals::All => Claims::All,
        // Nothing can be proved using it, so it is in no circle.
        Goals::Default => Claims::Listed(Vec::new()),
    };
    let commands = (0..).zip(commands).map(|(nth, command)| Command {
        decl,
        nth,
        part: command.part,
        goals: claims(&command.goals),
        premises: claims(&command.premises),
        except: listed(&command.except),
    });
    commands.collect()
}

/// The invariants that an expression names, itself or as a group. An expression of another kind is in no circle.
fn invariants_of(db: &dyn Db, decl: Decl<'_>, mut expr: ExprId) -> Vec<SmolStr> {
    let shape = decl.shape(db);
    let nodes = &shape.0.nodes;
    while let Expr::Paren(inner) = nodes[expr] {
        expr = inner;
    }
    let Expr::Name(name) = nodes[expr] else { return Vec::new() };
    let (project, name) = (decl.file(db).project(db), nodes[name].as_str());
    let is_spec = |kind| matches!(kind, DeclKind::Spec | DeclKind::Scenario);
    let is_other = lookup(db, project, Space::Param, name).is_some()
        || lookup(db, project, Space::Event, name).is_some()
        || lookup(db, project, Space::Type, name).is_some_and(|def| is_spec(def.decl.kind(db)));
    if is_other {
        return Vec::new();
    }
    if lookup(db, project, Space::Invariant, name).is_some() {
        return vec![name.into()];
    }
    let Some(group) = lookup(db, project, Space::InvariantGroup, name) else { return Vec::new() };
    let shape = group.decl.shape(db);
    let AstDecl::InvariantGroup { invariants, .. } = &shape.0.decl else { return Vec::new() };
    invariants.iter().map(|invariant| format!("{name}_{}", shape.0.nodes[invariant.name].as_str()).into()).collect()
}

/// The command with `*` spelt out, without what it excepts.
fn expand<'db>(db: &'db dyn Db, project: Project, command: &Command<'db>) -> Command<'db> {
    let except: FxHashSet<&SmolStr> = command.except.iter().collect();
    let spell = |claims: &Claims| {
        let all: Vec<SmolStr> = match claims {
            Claims::Listed(listed) => listed.clone(),
            Claims::All => names(db, project).in_spaces(&[Space::Invariant]).cloned().collect(),
        };
        Claims::Listed(all.into_iter().filter(|name| !except.contains(name)).collect())
    };
    Command { goals: spell(&command.goals), premises: spell(&command.premises), ..command.clone() }
}

/// Invariants and commands as numbers: an invariant leads to the commands that prove it, a command to what it uses.
struct Graph {
    invariants: IndexSet<SmolStr, FxBuildHasher>,
    goals: Vec<Vec<usize>>,
    premises: Vec<Vec<usize>>,
}

impl Graph {
    fn new(commands: &[Command<'_>]) -> Self {
        let mut graph = Self { invariants: IndexSet::default(), goals: Vec::new(), premises: Vec::new() };
        for command in commands {
            let goals = graph.numbers(&command.goals);
            let premises = graph.numbers(&command.premises);
            graph.goals.push(goals);
            graph.premises.push(premises);
        }
        graph
    }

    fn numbers(&mut self, claims: &Claims) -> Vec<usize> {
        let Claims::Listed(listed) = claims else { return Vec::new() };
        let mut numbers: Vec<usize> = listed.iter().map(|name| self.invariants.insert_full(name.clone()).0).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn name(&self, invariant: usize) -> SmolStr {
        self.invariants.get_index(invariant).cloned().unwrap_or_default()
    }

    /// The commands among the first `count` that prove each invariant.
    fn proofs(&self, count: usize) -> Vec<Vec<usize>> {
        let mut proofs = vec![Vec::new(); self.invariants.len()];
        for (command, goals) in self.goals[..count].iter().enumerate() {
            goals.iter().for_each(|goal| proofs[*goal].push(command));
        }
        proofs
    }

    /// Whether the first `count` commands have a circle.
    fn has_circle(&self, count: usize) -> bool {
        // Commands are numbered after invariants.
        let commands = self.invariants.len();
        let mut edges = self.proofs(count);
        edges.iter_mut().flatten().for_each(|command| *command += commands);
        edges.extend(self.premises[..count].iter().cloned());
        groups(&edges).iter().any(|group| group.len() > 1)
    }

    /// The shortest circle through a command, as steps (command, goal, premise), the first of them its own.
    fn circle_through(&self, closing: usize, count: usize) -> Vec<(usize, usize, usize)> {
        let proofs = self.proofs(count);
        // How each invariant was come to; the premises of the closing command were not.
        let mut came: Vec<Option<(usize, usize)>> = vec![None; self.invariants.len()];
        let mut seen = vec![false; self.invariants.len()];
        let mut open: std::collections::VecDeque<usize> = self.premises[closing].iter().copied().collect();
        self.premises[closing].iter().for_each(|premise| seen[*premise] = true);
        while let Some(invariant) = open.pop_front() {
            if self.goals[closing].binary_search(&invariant).is_ok() {
                let mut steps = Vec::new();
                let mut at = invariant;
                while let Some((goal, command)) = came[at] {
                    steps.push((command, goal, at));
                    at = goal;
                }
                steps.push((closing, invariant, at));
                steps.reverse();
                return steps;
            }
            for &command in &proofs[invariant] {
                for &premise in &self.premises[command] {
                    if !std::mem::replace(&mut seen[premise], true) {
                        came[premise] = Some((invariant, command));
                        open.push_back(premise);
                    }
                }
            }
        }
        Vec::new()
    }
}
