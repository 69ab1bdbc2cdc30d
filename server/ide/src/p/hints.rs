//! Notes between the words of a text: what an event carries where that is not written, how many handlers a send can come to, what
//! a machine creates.
//!
//! Nothing is said twice: not the type beside a parameter that has one, and the number of handlers not where a lens says it.

use lockstep_base::{TextRange, TextSize};
use lockstep_program::{
    Code, Db, Decl, DeclKind, Def, ProjectFile, Role, Target, body_occurrences, codes, decl_occurrences, machine_creates,
};
use lockstep_syntax::p::ast::{
    Decl as AstDecl, EventRef, Expr, ExprId, HandlerKind, Item, NameId, Nodes, Placed, Spans, StateItem, StateItemKind, Stmt,
};
use rustc_hash::FxHashMap;

use super::calls::{has_indirect_sends, name_around};
use super::declared::{declared_at, is_event};
use super::describe::type_text;
use super::mentions::{Mention, mentions_of_all};
use super::names::{item_names, items};

/// A note in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    pub offset: TextSize,
    pub label: String,
    /// More about it, in Markdown.
    pub tooltip: String,
    pub kind: HintKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintKind {
    PayloadType,
    Handlers,
    Creates,
}

/// Which notes are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedHints {
    pub payload_types: bool,
    pub handlers: bool,
    /// Whether the number of handlers is also wanted where an event is declared.
    pub handlers_at_events: bool,
    pub creates: bool,
}

/// The notes of a part of a file, in order.
pub fn hints<'db>(db: &'db dyn Db, file: ProjectFile<'db>, within: TextRange, wanted: WantedHints) -> Vec<Hint> {
    let is_near = |item: &Placed<Item>| TextRange::at(item.start, item.value.len).intersect(within).is_some();
    let mut sites = Sites { db, within, all: Vec::new() };
    let mut found = Vec::new();
    for (item, decl) in items(db, file).filter(|(item, _)| is_near(item)) {
        sites.add(item, decl);
        found.extend(creates(db, decl).filter(|_| wanted.creates));
    }
    let mut events: Vec<Target<'db>> = Vec::new();
    let mut numbers: FxHashMap<Target<'db>, usize> = FxHashMap::default();
    for site in &sites.all {
        numbers.entry(site.event.clone()).or_insert_with(|| {
            events.push(site.event.clone());
            events.len() - 1
        });
    }
    if wanted.payload_types {
        found.extend(sites.all.iter().filter(|site| site.hides_payload).filter_map(|site| payload(db, site)));
    }
    if wanted.handlers {
        let mentions = mentions_of_all(db, &events);
        let is_wanted = |site: &&Site<'db>| site.role != Role::Declare || wanted.handlers_at_events;
        let is_open = sites.all.iter().any(|site| site.role == Role::Handle) && has_indirect_sends(db, file.project(db));
        // The same is said wherever an event is sent, but for `raise`, which stays in its machine.
        let mut known: FxHashMap<(usize, Role, Option<Decl<'db>>), Option<Hint>> = FxHashMap::default();
        for site in sites.all.iter().filter(is_wanted).filter(|site| site.is_counted) {
            let event = numbers[&site.event];
            let owner = (site.role == Role::Raise).then_some(site.owner);
            let hint = known.entry((event, site.role, owner)).or_insert_with(|| partners(db, site, &mentions[event], is_open));
            found.extend(hint.clone().map(|hint| Hint { offset: site.end, ..hint }));
        }
    }
    found.retain(|hint| within.contains_inclusive(hint.offset));
    found.sort_by_key(|hint| (hint.offset, hint.kind as u8));
    found
}

/// What the notes of other files depend on in this one: as long as it is the same, theirs are.
pub fn told_to_other_files<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<String> {
    let told = |(item, decl): (&'db Placed<Item>, Decl<'db>)| {
        let mut names = item_names(db, item, decl);
        names.sort_by_key(|name| name.range.start());
        names.into_iter().filter_map(move |name| {
            let payload = match name.role {
                Role::Send | Role::Raise | Role::Announce | Role::Handle | Role::Defer | Role::Ignore => None,
                Role::Create | Role::Call => None,
                Role::Declare if is_event(db, &name.target) => type_text(db, &name.target),
                _ => return None,
            };
            let mentioned = super::declared::name(db, &name.target)?;
            Some(format!("{} {:?} {mentioned} {}", decl.name(db), name.role, payload.unwrap_or_default()))
        })
    };
    items(db, file).flat_map(told).collect()
}

/// An event where something can be said about it.
struct Site<'db> {
    event: Target<'db>,
    /// `Handle` only for `receive`.
    role: Role,
    /// The end of its name.
    name_end: TextSize,
    /// The end of the statement or declaration around it.
    end: TextSize,
    owner: Decl<'db>,
    /// Whether it has a payload here whose type is not written.
    hides_payload: bool,
    is_counted: bool,
}

struct Sites<'db> {
    db: &'db dyn Db,
    within: TextRange,
    all: Vec<Site<'db>>,
}

impl<'db> Sites<'db> {
    fn add(&mut self, item: &Placed<Item>, decl: Decl<'db>) {
        let Item { decl: ast, spans, bodies, .. } = &*item.value;
        match ast {
            AstDecl::Event { name, .. } => {
                let event = Target::Global(Def { decl, part: None });
                let end = item.start + item.value.len;
                let name_end = spans[*name].end() + item.start;
                let (role, hides_payload, is_counted) = (Role::Declare, false, true);
                self.push(Site { event, role, name_end, end, owner: decl, hides_payload, is_counted });
            }
            AstDecl::Machine(machine) => {
                let targets: FxHashMap<NameId, &Target<'db>> =
                    decl_occurrences(self.db, decl).iter().map(|found| (found.name, &found.target)).collect();
                for state_item in machine.states.iter().flat_map(|state| &state.items) {
                    for event in handled_without_parameter(state_item) {
                        let Some(target) = targets.get(&event.name).filter(|target| is_event(self.db, target)) else { continue };
                        let end = spans[event.name].end() + item.start;
                        let (role, event, is_counted) = (Role::Handle, (*target).clone(), false);
                        self.push(Site { event, role, name_end: end, end, owner: decl, hides_payload: true, is_counted });
                    }
                }
            }
            _ => {}
        }
        for (body, code) in bodies.iter().zip(codes(self.db, decl)) {
            let start = item.start + body.start;
            if TextRange::at(start, body.value.len).intersect(self.within).is_some() {
                self.add_body(&body.value.nodes, &body.value.spans, start, *code);
            }
        }
    }

    fn add_body(&mut self, nodes: &Nodes, spans: &Spans, start: TextSize, code: Code<'db>) {
        let owner = code.decl(self.db);
        let targets: FxHashMap<NameId, &Target<'db>> =
            body_occurrences(self.db, code).iter().map(|found| (found.name, &found.target)).collect();
        let event = |name: NameId| targets.get(&name).filter(|target| is_event(self.db, target)).map(|target| (*target).clone());
        let mut found = Vec::new();
        for (id, stmt) in nodes.stmts.iter() {
            let (role, expr, payload): (Role, ExprId, &[ExprId]) = match stmt {
                Stmt::Send { event, payload, .. } => (Role::Send, *event, payload),
                Stmt::Raise { event, payload } => (Role::Raise, *event, payload),
                Stmt::Announce { event, payload } => (Role::Announce, *event, payload),
                Stmt::Receive { cases } => {
                    for case in cases {
                        for named in &case.events {
                            let Some(event) = event(named.name) else { continue };
                            let end = spans[named.name].end() + start;
                            let hides_payload = case.param.is_none();
                            let (role, is_counted) = (Role::Handle, true);
                            found.push(Site { event, role, name_end: end, end, owner, hides_payload, is_counted });
                        }
                    }
                    continue;
                }
                _ => continue,
            };
            let Expr::Name(name) = nodes[expr] else { continue };
            let Some(event) = event(name) else { continue };
            let (name_end, end) = (spans[name].end() + start, spans[id].end() + start);
            let hides_payload = is_tuple(nodes, payload);
            found.push(Site { event, role, name_end, end, owner, hides_payload, is_counted: true });
        }
        found.into_iter().for_each(|site| self.push(site));
    }

    fn push(&mut self, site: Site<'db>) {
        if self.within.contains_inclusive(site.name_end) || self.within.contains_inclusive(site.end) {
            self.all.push(site);
        }
    }
}

/// A tuple does not tell its type; a variable has one, and a number is one.
fn is_tuple(nodes: &Nodes, payload: &[ExprId]) -> bool {
    match payload {
        [] => false,
        [one] => matches!(nodes[*one], Expr::Tuple(_) | Expr::NamedTuple(_)),
        _ => true,
    }
}

/// The events that an item of a state handles without a parameter that has their type.
fn handled_without_parameter(item: &StateItem) -> &[EventRef] {
    let (events, handler) = match &item.kind {
        StateItemKind::OnDo { events, handler } => (events, Some(handler)),
        StateItemKind::OnGoto { events, with, .. } => (events, with.as_ref()),
        _ => return &[],
    };
    match handler.map(|handler| handler.kind) {
        Some(HandlerKind::Inline { param: Some(_), .. }) => &[],
        _ => events,
    }
}

/// The most letters of a type, and the most names, that are shown in the text itself.
const MOST_LETTERS: usize = 30;
const MOST_NAMES: usize = 3;

fn payload<'db>(db: &'db dyn Db, site: &Site<'db>) -> Option<Hint> {
    let ty = type_text(db, &site.event)?;
    let one_line = ty.split_whitespace().collect::<Vec<_>>().join(" ");
    let label = match one_line.char_indices().nth(MOST_LETTERS) {
        None => format!(": {one_line}"),
        Some((end, _)) => format!(": {}\u{2026}", &one_line[..end]),
    };
    let name = super::declared::name(db, &site.event)?;
    let tooltip = format!("What `{name}` carries:\n\n```p\n{ty}\n```");
    Some(Hint { offset: site.name_end, label, tooltip, kind: HintKind::PayloadType })
}

/// How many handlers a send can come to, or how many sends a `receive` can take.
fn partners<'db>(db: &'db dyn Db, site: &Site<'db>, mentions: &[Mention<'db>], is_open: bool) -> Option<Hint> {
    let name = super::declared::name(db, &site.event)?;
    let (label, tooltip) = match site.role {
        Role::Handle => {
            let places = names_of(db, mentions, |mention| mention.role == Role::Send);
            let label = match (places.len(), is_open) {
                (0, false) => "\u{2190} never sent".to_owned(),
                (0, true) => "\u{2190} sent by no name".to_owned(),
                (count, false) => format!("\u{2190} {}", counted(count, "sender")),
                (count, true) => format!("\u{2190} {count}+ senders"),
            };
            let open = "\n\nSome statements send events from variables: they may send it too.";
            (label, format!("{}{}", listed(&format!("`{name}` is sent by"), &places), if is_open { open } else { "" }))
        }
        role => {
            let is_meant = |mention: &Mention<'db>| match role {
                Role::Raise => !is_machine(db, site.owner) || mention.owner == site.owner,
                Role::Announce => is_monitor(db, mention.owner),
                _ => !is_monitor(db, mention.owner),
            };
            let of = |wanted: Role| names_of(db, mentions, |mention| mention.role == wanted && is_meant(mention));
            let handlers = of(Role::Handle);
            let label = match handlers.len() {
                0 => "\u{2192} no handler".to_owned(),
                count => format!("\u{2192} {}", counted(count, "handler")),
            };
            let mut tooltip = listed(&format!("`{name}` is handled by"), &handlers);
            for (words, role) in [("deferred by", Role::Defer), ("ignored by", Role::Ignore)] {
                let places = of(role);
                if !places.is_empty() {
                    tooltip += &format!("\n\n{}", listed(&format!("It is {words}"), &places));
                }
            }
            (label, tooltip)
        }
    };
    Some(Hint { offset: site.end, label, tooltip, kind: HintKind::Handlers })
}

fn is_monitor(db: &dyn Db, decl: Decl<'_>) -> bool {
    matches!(decl.kind(db), DeclKind::Spec | DeclKind::Scenario)
}

fn is_machine(db: &dyn Db, decl: Decl<'_>) -> bool {
    decl.kind(db) == DeclKind::Machine || is_monitor(db, decl)
}

/// What mentions are in, each once, in alphabetical order.
fn names_of<'db>(db: &'db dyn Db, mentions: &[Mention<'db>], is_wanted: impl Fn(&Mention<'db>) -> bool) -> Vec<String> {
    let wanted = mentions.iter().filter(|mention| is_wanted(mention));
    let mut names: Vec<String> = wanted.filter_map(|mention| name_around(db, mention.owner, mention.place.range)).collect();
    names.sort();
    names.dedup();
    names
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// The most lines in a tooltip.
const MOST_LINES: usize = 12;

fn listed(head: &str, places: &[String]) -> String {
    if places.is_empty() {
        return format!("{head} nobody.");
    }
    let shown: String = places.iter().take(MOST_LINES).map(|place| format!("\n- `{place}`")).collect();
    let more = match places.len().saturating_sub(MOST_LINES) {
        0 => String::new(),
        more => format!("\n- {more} more"),
    };
    format!("{head}\n{shown}{more}")
}

/// What a machine creates, itself or through functions it calls.
fn creates<'db>(db: &'db dyn Db, decl: Decl<'db>) -> impl Iterator<Item = Hint> + use<'db> {
    let names = if decl.kind(db) == DeclKind::Machine { machine_creates(db, decl).as_slice() } else { &[] };
    let place = declared_at(db, &Target::Global(Def { decl, part: None })).filter(|_| !names.is_empty());
    place.into_iter().map(move |place| {
        let mut shown: Vec<&str> = names.iter().take(MOST_NAMES).map(|name| name.as_str()).collect();
        if names.len() > MOST_NAMES {
            shown.push("\u{2026}");
        }
        let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let tooltip = format!("`{}` creates {}, itself or in functions it calls.", decl.name(db), all.join(", "));
        Hint { offset: place.range.end(), label: format!("creates {}", shown.join(", ")), tooltip, kind: HintKind::Creates }
    })
}
