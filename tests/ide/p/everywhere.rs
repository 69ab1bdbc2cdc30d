//! Every feature at every place: no panic, and every range lies in its file.

use std::collections::BTreeSet;

use lockstep_base::{TextRange, TextSize};
use lockstep_ide::p::{self, CallItem, FilePlace, WantedHints};
use lockstep_ide::{Symbol, SymbolKind, document_symbols, folds, selection_ranges};
use lockstep_program::{ProjectFile, Purpose};
use lockstep_syntax::Language;
use lockstep_tests::{PProject, Texts, p_projects, tokens};

use crate::{Opened, is_within, size};

/// How many broken texts are looked at.
const TEXTS: u64 = 60;

#[test]
fn at_every_token_of_the_programs() {
    for project in p_projects() {
        let opened = Opened::new(&project);
        for file in opened.files() {
            check_file(&opened, file);
            let text = opened.text(file.file(&opened.db));
            let places: BTreeSet<usize> = tokens(&text).into_iter().flat_map(|token| [token.start, token.end]).collect();
            places.into_iter().for_each(|at| check_place(&opened, file, size(at)));
        }
    }
}

#[test]
fn in_broken_texts() {
    for seed in 0..TEXTS {
        let mut texts = Texts::new(seed);
        let (first, second) = (texts.text(Language::P), texts.text(Language::P));
        let purpose = if seed % 3 == 0 { Purpose::Verifying } else { Purpose::Checking };
        let files = vec![("a.p".to_owned(), first), ("b.p".to_owned(), second)];
        let opened = Opened::new(&PProject { name: format!("seed {seed}"), purpose, files });
        for file in opened.files() {
            check_file(&opened, file);
            let text = opened.text(file.file(&opened.db));
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            for _ in 0..40 {
                check_place(&opened, file, size(places[texts.below(places.len())]));
            }
        }
    }
}

/// What is asked of a whole file.
fn check_file(opened: &Opened, file: ProjectFile<'_>) {
    let (db, parse) = (&opened.db, file.file(&opened.db).parse(&opened.db));
    let text = parse.text().to_string();
    let inside = |range: TextRange| assert!(is_within(&text, range), "{range:?} in {text}");
    folds(parse).iter().for_each(|fold| inside(fold.range));
    document_symbols(parse).iter().for_each(|symbol| check_symbol(symbol, &inside));
    let tokens = p::tokens(db, file);
    tokens.iter().for_each(|token| inside(token.range));
    assert!(tokens.is_sorted_by_key(|token| token.range.start()), "in order");
    assert!(tokens.windows(2).all(|pair| pair[0].range.end() <= pair[1].range.start()), "one after the other");
    for lens in p::lenses(db, file, &|_, _| None) {
        inside(lens.range);
        lens.places.iter().for_each(|place| check_range(opened, *place));
    }
    let wanted = WantedHints { payload_types: true, handlers: true, handlers_at_events: true, creates: true };
    let hints = p::hints(db, file, TextRange::up_to(parse.text().len()), wanted);
    hints.iter().for_each(|hint| inside(TextRange::empty(hint.offset)));
    assert!(hints.is_sorted_by_key(|hint| hint.offset), "in order");
}

/// The calls to and from something lie where they are said to be, and whoever calls is known to call.
fn check_calls(opened: &Opened, file: ProjectFile<'_>, offset: TextSize) {
    let db = &opened.db;
    let file_of =
        |item: &CallItem| opened.files().into_iter().find(|file| file.file(db) == item.place.file).expect("a file of it");
    let start = |item: &CallItem| item.place.range.start();
    for item in p::prepare_calls(db, file, offset) {
        check_item(opened, &item);
        let incoming = p::incoming_calls(db, file_of(&item), start(&item), &item.name).expect("what was prepared is there");
        for call in &incoming {
            check_item(opened, &call.item);
            call.ranges.iter().for_each(|range| check_range(opened, FilePlace { file: call.item.place.file, range: *range }));
            let back = p::outgoing_calls(db, file_of(&call.item), start(&call.item), &call.item.name).expect("it is there too");
            // What may be any event is no edge to all of them.
            let is_open = call.item.detail.as_ref().is_some_and(|detail| detail.contains("not known"));
            let leads_back = back.iter().any(|back| back.item.place == item.place);
            assert!(is_open || has_other_names(&item) || leads_back, "{call:?} does not lead back to {item:?}");
        }
        for call in p::outgoing_calls(db, file_of(&item), start(&item), &item.name).expect("what was prepared is there") {
            check_item(opened, &call.item);
            call.ranges.iter().for_each(|range| check_range(opened, FilePlace { file: item.place.file, range: *range }));
        }
    }
}

/// Whether the way back leads to something else: from whoever creates a machine to it, not to its first state or its interface, and
/// from an event or a state to all that is done there.
fn has_other_names(item: &CallItem) -> bool {
    matches!(item.kind, SymbolKind::State | SymbolKind::Interface | SymbolKind::Handler)
}

fn check_item(opened: &Opened, item: &CallItem) {
    check_range(opened, item.place);
    check_range(opened, FilePlace { file: item.place.file, range: item.range });
    assert!(item.range.contains_range(item.place.range), "{item:?}");
}

fn check_symbol(symbol: &Symbol, inside: &impl Fn(TextRange)) {
    inside(symbol.range);
    assert!(symbol.range.contains_range(symbol.name_range), "{symbol:?}");
    symbol.children.iter().for_each(|child| check_symbol(child, inside));
}

fn check_range(opened: &Opened, place: FilePlace) {
    assert!(is_within(&opened.text(place.file), place.range), "{place:?}");
}

/// What is asked of one place.
fn check_place(opened: &Opened, file: ProjectFile<'_>, offset: TextSize) {
    let db = &opened.db;
    let here = |range: TextRange| check_range(opened, FilePlace { file: file.file(db), range });
    if let Some((name, place)) = p::definition(db, file, offset) {
        here(name.range);
        check_range(opened, place);
        assert!(p::hover(db, file, offset).is_some(), "every name is explained");
    }
    p::references(db, file, offset, true).into_iter().for_each(|place| check_range(opened, place));
    p::implementations(db, file, offset).into_iter().for_each(|place| check_range(opened, place));
    p::type_definition(db, file, offset).into_iter().for_each(|place| check_range(opened, place));
    p::highlights(db, file, offset).iter().for_each(|found| here(found.range));
    p::hover(db, file, offset).iter().for_each(|hover| here(hover.range));
    let completions = p::completions(db, file, offset);
    here(completions.replace);
    assert!(completions.replace.contains_inclusive(offset));
    if let Some(help) = p::signature_help(db, file, offset) {
        assert!(help.parameters.iter().all(|range| help.label.get(range.clone()).is_some()), "{help:?}");
        assert!(help.active.is_none_or(|active| active < help.parameters.len()), "{help:?}");
    }
    check_calls(opened, file, offset);
    if let Ok((range, _)) = p::prepare_rename(db, file, offset) {
        here(range);
    }
    let ranges = selection_ranges(file.file(db).parse(db), offset);
    ranges.iter().for_each(|range| here(*range));
    assert!(ranges.windows(2).all(|pair| pair[1].contains_range(pair[0])), "each around the one before");
}
