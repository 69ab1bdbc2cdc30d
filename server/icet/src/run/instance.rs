//! One member of the family that a program is: how many processes each set has, which of them are in its subsets, and what the open
//! constants are.
//!
//! Types with too many values to try are cut down to finite domains. So "all instances" means: all with sets of these sizes and values
//! from these domains.

use crate::program::{ConstId, Expr, ProcessId, Program, SetId, Type, Whose};
use crate::run::domain::{Domains, Nobody, TooMany, values};
use crate::run::eval::{Scope, Trouble};
use crate::run::value::{Pid, Value};

/// A process of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Whose code it runs. A set can be without one: its members do nothing.
    pub process: Option<ProcessId>,
    /// Of which set it is a member, and which one.
    pub member: Option<(SetId, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub actors: Vec<Actor>,
    /// The members of each set, sorted; by `SetId`.
    pub members: Vec<Vec<Pid>>,
    /// By `ConstId`.
    pub consts: Vec<Value>,
    pub domains: Domains,
}

/// The instances that were asked for.
#[derive(Clone, Debug, Default)]
pub struct Instances {
    pub list: Vec<Instance>,
    /// Why some are missing from the list, in words; empty if none are.
    pub missing: Vec<String>,
}

/// All instances with sets of at most `largest` members that satisfy the program's assumptions, smallest first.
pub fn instances(program: &Program, largest: u32, domains: &Domains) -> Instances {
    let mut found = Instances::default();
    let mut tried = 0;
    for sizes in all_sizes(program, largest) {
        add_instances(program, &sizes, domains, &mut tried, &mut found);
    }
    found
}

/// All instances with sets of these sizes, by `SetId`, that satisfy the program's assumptions. The sizes of subsets do not matter: all
/// of them are tried.
pub fn instances_of_sizes(program: &Program, sizes: &[u32], domains: &Domains) -> Instances {
    let mut found = Instances::default();
    add_instances(program, sizes, domains, &mut 0, &mut found);
    found
}

fn add_instances(program: &Program, sizes: &[u32], domains: &Domains, tried: &mut usize, found: &mut Instances) {
    for members in all_members(program, sizes) {
        let bare = bare_instance(program, sizes, members, domains);
        if let Err(why) = with_constants(program, &bare, tried, &mut found.list)
            && !found.missing.contains(&why)
        {
            found.missing.push(why);
        }
    }
}

/// The instance with sets of these sizes, by `SetId` (those of subsets count from the first member on), and open constants of these
/// values. `Err` says in words what is wrong with it.
pub fn instance(program: &Program, sizes: &[u32], consts: &[(ConstId, Value)], domains: &Domains) -> Result<Instance, String> {
    let members = prefixes(program, sizes);
    let mut instance = bare_instance(program, sizes, members, domains);
    let open = consts.iter().map(|(id, value)| (id.index(), value.clone())).collect::<Vec<_>>();
    match set_constants(program, &mut instance, &open) {
        Ok(true) => Ok(instance),
        Ok(false) => Err("the sizes and constants contradict an `assume` of the program".to_owned()),
        Err(trouble) => Err(format!("a constant or an `assume` has no value: {}", trouble.words())),
    }
}

impl Instance {
    pub fn actor(&self, pid: Pid) -> &Actor {
        &self.actors[pid.index()]
    }

    pub fn pids(&self) -> impl Iterator<Item = Pid> + use<> {
        (0..self.actors.len() as u32).map(Pid)
    }

    /// The pid of the one process of this name.
    pub fn single(&self, process: ProcessId) -> Option<Pid> {
        self.pids().find(|pid| self.actor(*pid).process == Some(process))
    }

    /// All processes that a pid can be of.
    pub fn whose(&self, whose: Whose) -> Vec<Pid> {
        match whose {
            Whose::Anybody => self.pids().collect(),
            Whose::Process(process) => self.single(process).into_iter().collect(),
            Whose::Member(set) => self.members[set.index()].clone(),
        }
    }

    /// `a`, or `c[1]` for a member of a set.
    pub fn name(&self, program: &Program, pid: Pid) -> String {
        let actor = self.actor(pid);
        let name = match (actor.process, actor.member) {
            (Some(process), _) => &program.process(process).name,
            (None, Some((set, _))) => &program.set(set).name,
            (None, None) => return "nobody".to_owned(),
        };
        match actor.member {
            Some((_, number)) => format!("{name}[{number}]"),
            None => name.to_string(),
        }
    }
}

/// Sizes for all sets, those of subsets zero, in order of their sum.
fn all_sizes(program: &Program, largest: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for set in &program.sets {
        let range = if set.superset.is_some() { 0..=0 } else { 0..=largest };
        all = all.iter().flat_map(|sizes| range.clone().map(move |size| [&sizes[..], &[size]].concat())).collect();
    }
    all.sort_by_key(|sizes| sizes.iter().sum::<u32>());
    all
}

/// For each set its members, in all ways to choose those of subsets. Members of a root set are numbered as in `bare_instance`.
fn all_members(program: &Program, sizes: &[u32]) -> Vec<Vec<Vec<Pid>>> {
    let roots = root_members(program, sizes);
    let mut all = vec![roots];
    for id in in_order_of_inclusion(program) {
        let Some(superset) = program.set(id).superset else { continue };
        all = all
            .into_iter()
            .flat_map(|members| {
                subsets(&members[superset.index()]).into_iter().map(move |subset| {
                    let mut members = members.clone();
                    members[id.index()] = subset;
                    members
                })
            })
            .collect();
    }
    all
}

/// For each set its members, where a subset of size n has the first n members of its superset.
fn prefixes(program: &Program, sizes: &[u32]) -> Vec<Vec<Pid>> {
    let mut members = root_members(program, sizes);
    for id in in_order_of_inclusion(program) {
        if let Some(superset) = program.set(id).superset {
            let size = sizes.get(id.index()).map_or(0, |size| *size as usize);
            members[id.index()] = members[superset.index()].iter().copied().take(size).collect();
        }
    }
    members
}

fn root_members(program: &Program, sizes: &[u32]) -> Vec<Vec<Pid>> {
    let mut members = vec![Vec::new(); program.sets.len()];
    for (pid, actor) in actors(program, sizes).iter().enumerate() {
        if let Some((set, _)) = actor.member {
            members[set.index()].push(Pid(pid as u32));
        }
    }
    members
}

/// All sets, each after its superset.
fn in_order_of_inclusion(program: &Program) -> Vec<SetId> {
    let depth = |id: SetId| {
        let mut depth = 0;
        let mut set = id;
        while let Some(superset) = program.set(set).superset {
            depth += 1;
            set = superset;
        }
        depth
    };
    let mut ids = (0..program.sets.len() as u32).map(SetId).collect::<Vec<_>>();
    ids.sort_by_key(|id| depth(*id));
    ids
}

/// The processes in the order of their declarations, then the members of sets that no process is declared for.
fn actors(program: &Program, sizes: &[u32]) -> Vec<Actor> {
    let size = |set: SetId| sizes.get(set.index()).copied().unwrap_or(0);
    let mut actors = Vec::new();
    for (id, process) in program.processes.iter().enumerate() {
        let id = Some(ProcessId(id as u32));
        match process.set {
            None => actors.push(Actor { process: id, member: None }),
            Some(set) => actors.extend((0..size(set)).map(|number| Actor { process: id, member: Some((set, number)) })),
        }
    }
    for (id, set) in program.sets.iter().enumerate() {
        let id = SetId(id as u32);
        if set.superset.is_none() && program.code_of(id).is_none() {
            actors.extend((0..size(id)).map(|number| Actor { process: None, member: Some((id, number)) }));
        }
    }
    actors
}

fn subsets(of: &[Pid]) -> Vec<Vec<Pid>> {
    let mut all = vec![Vec::new()];
    for pid in of {
        all.extend(all.clone().into_iter().map(|subset| [&subset[..], &[*pid]].concat()));
    }
    all
}

/// An instance whose constants are not set yet.
fn bare_instance(program: &Program, sizes: &[u32], members: Vec<Vec<Pid>>, domains: &Domains) -> Instance {
    Instance { actors: actors(program, sizes), members, consts: Vec::new(), domains: domains.clone() }
}

/// Adds the instances with every combination of values for the open constants to the list.
fn with_constants(program: &Program, bare: &Instance, tried: &mut usize, list: &mut Vec<Instance>) -> Result<(), String> {
    let mut open = Vec::new();
    for (index, constant) in program.consts.iter().enumerate() {
        if constant.value.is_none() {
            let name = &constant.name;
            let values = values(program, bare, &constant.ty, Nobody::Included)
                .map_err(|TooMany| format!("the constant `{name}` can have too many values"))?;
            open.push((index, values));
        }
    }
    let mut turn = vec![0; open.len()];
    loop {
        *tried += 1;
        if *tried > bare.domains.most_instances {
            return Err(format!("there are more than {} instances to try", bare.domains.most_instances));
        }
        // An empty domain (an enum of nothing) leaves no instance.
        let Some(chosen) =
            open.iter().zip(&turn).map(|((id, all), at)| Some((*id, all.get(*at)?.clone()))).collect::<Option<Vec<_>>>()
        else {
            return Ok(());
        };
        let mut instance = bare.clone();
        match set_constants(program, &mut instance, &chosen) {
            Ok(true) => list.push(instance),
            Ok(false) => {}
            Err(trouble) => return Err(format!("a constant or an `assume` has no value: {}", trouble.words())),
        }
        let Some(place) = (0..turn.len()).rev().find(|place| turn[*place] + 1 < open[*place].1.len()) else { return Ok(()) };
        turn[place] += 1;
        turn[place + 1..].fill(0);
    }
}

/// Sets the open constants to these values and all others to what they are defined as. Whether the assumptions hold then.
fn set_constants(program: &Program, instance: &mut Instance, open: &[(usize, Value)]) -> Result<bool, Trouble> {
    instance.consts = program.consts.iter().map(|constant| super::value::default_value(program, &constant.ty)).collect();
    for (id, value) in open {
        if let Some(slot) = instance.consts.get_mut(*id) {
            *slot = value.clone();
        }
    }
    for id in definitions_in_order(program) {
        if let Some(value) = &program.consts[id].value {
            let value = Scope::outside(program, instance).eval(value)?;
            instance.consts[id] = value;
        }
    }
    for assume in &program.assumes {
        if !Scope::outside(program, instance).holds(&assume.condition)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Constants may be defined by constants that are declared further down: each after those it needs. Of a circle, any order.
fn definitions_in_order(program: &Program) -> Vec<usize> {
    let needs = |id: usize| program.consts[id].value.iter().flat_map(super::walk::constants).collect::<Vec<_>>();
    let mut order = Vec::new();
    let mut placed = vec![false; program.consts.len()];
    for root in 0..program.consts.len() {
        let mut path = vec![(root, needs(root))];
        if std::mem::replace(&mut placed[root], true) {
            continue;
        }
        while let Some((id, rest)) = path.last_mut() {
            match rest.pop() {
                Some(next) if !std::mem::replace(&mut placed[next], true) => path.push((next, needs(next))),
                Some(_) => {}
                None => {
                    order.push(*id);
                    path.pop();
                }
            }
        }
    }
    order
}

/// Where the values of a program's integers are drawn from: -1 to 2, and its literals that are near.
pub fn interval(program: &Program) -> std::ops::RangeInclusive<i128> {
    let (mut low, mut high) = (-1, 2);
    super::walk::all_exprs(program, |expr| {
        if let Expr::Int(literal) = expr
            && (-2..=3).contains(literal)
        {
            low = low.min(*literal);
            high = high.max(*literal);
        }
    });
    low..=high
}

/// The type of what is at the end of a path.
pub(super) fn part_type(mut ty: Type, path: &[crate::program::Step]) -> Option<Type> {
    for step in path {
        ty = match (step, ty) {
            (crate::program::Step::Part(part), Type::Tuple(parts)) => parts.get(*part as usize)?.clone(),
            (crate::program::Step::Part(part), Type::Record(parts)) => parts.get(*part as usize)?.1.clone(),
            (crate::program::Step::Key(_), Type::Map(_, value)) => *value,
            _ => return None,
        };
    }
    Some(ty)
}
