//! Declarations of the proof language.

use tree_sitter::TreeCursor;

use super::super::ast::*;
use super::super::kinds::{Field, Kind, TABLE};
use super::Lower;

impl Lower<'_> {
    pub(super) fn pure(&mut self, cursor: &mut TreeCursor<'_>) -> Decl {
        let node = cursor.node();
        let (mut name, mut params, mut result, mut body) = (None, Vec::new(), None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Parameters => params = this.params(cursor),
            Field::ReturnType => result = Some(this.ty(cursor)),
            Field::Body => body = Some(this.expr(cursor)),
            _ => {}
        });
        Decl::Pure { name: self.name_or_missing(name, node), params, result: self.type_or_missing(result, node), body }
    }

    pub(super) fn invariant(&mut self, cursor: &mut TreeCursor<'_>) -> Invariant {
        let node = cursor.node();
        let (mut name, mut body) = (None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Body => body = Some(this.expr(cursor)),
            _ => {}
        });
        Invariant { part: self.part(node), name: self.name_or_missing(name, node), body: self.expr_or_missing(body, node) }
    }

    pub(super) fn invariant_group(&mut self, cursor: &mut TreeCursor<'_>) -> Decl {
        let node = cursor.node();
        let (mut kind, mut name, mut invariants) = (GroupKind::Lemma, None, Vec::new());
        self.children(cursor, |this, field, cursor| match (field, TABLE.kind(cursor.node())) {
            (Field::Kind, _) if cursor.node().kind() == "Theorem" => kind = GroupKind::Theorem,
            (Field::Name, _) => name = Some(this.name(cursor.node())),
            (_, Kind::InvariantDeclaration) => invariants.push(this.invariant(cursor)),
            _ => {}
        });
        Decl::InvariantGroup { kind, name: self.name_or_missing(name, node), invariants }
    }

    pub(super) fn proof(&mut self, cursor: &mut TreeCursor<'_>) -> Decl {
        let (mut name, mut commands) = (None, Vec::new());
        self.children(cursor, |this, field, cursor| match (field, TABLE.kind(cursor.node())) {
            (Field::Name, _) => name = Some(this.name(cursor.node())),
            (_, Kind::ProveCommand) => commands.push(this.prove_command(cursor)),
            _ => {}
        });
        Decl::Proof { name, commands }
    }

    pub(super) fn prove_command(&mut self, cursor: &mut TreeCursor<'_>) -> ProveCommand {
        let nothing = Goals::Listed(vec![]);
        let part = self.part(cursor.node());
        let mut command = ProveCommand { part, goals: nothing.clone(), premises: nothing, except: Vec::new() };
        self.children(cursor, |this, field, cursor| match field {
            Field::Goal => this.goal(cursor, &mut command.goals),
            Field::Premise => this.goal(cursor, &mut command.premises),
            Field::Except => command.except.push(this.expr(cursor)),
            _ => {}
        });
        command
    }

    pub(super) fn goal(&mut self, cursor: &mut TreeCursor<'_>, goals: &mut Goals) {
        match (TABLE.kind(cursor.node()), goals) {
            (Kind::All, goals) => *goals = Goals::All,
            (Kind::Default, goals) => *goals = Goals::Default,
            (_, Goals::Listed(listed)) => listed.push(self.expr(cursor)),
            _ => {}
        }
    }
}
