//! `refines A`: an interface has each command of `A` with the same id, types and forms, and `A`'s examples and laws
//! hold in it.

use crate::contract::core::Type;
use crate::contract::{Command, Section, Slot};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{interface as codes, names as name_codes};
use crate::syntax::{Kind, Node};

use super::checker::{Checker, Symbol};
use super::identity::Clauses;
use super::interface::{Members, collect, section};
use super::names::quoted_list;
use super::world::{Item, World};

/// An interface that another one refines.
pub(super) struct Refined<'t> {
    /// Where the clause names it.
    path: Node<'t>,
    name: &'t str,
    /// The interface with the clause.
    by: &'t str,
    node: Node<'t>,
    members: Members<'t>,
    xlens: Vec<u32>,
}

/// Finds what an interface refines, by its own clauses and those of its bases.
pub(super) fn refined<'t>(
    world: &World<'t>,
    node: Node<'t>,
    members: &Members<'t>,
    found: &mut Vec<Diagnostic>,
) -> Vec<Refined<'t>> {
    let mut refined: Vec<Refined<'t>> = Vec::new();
    for clause in members.decls.iter().filter(|d| d.node.kind() == Kind::refines_clause) {
        let Some(path) = clause.node.child(Kind::path) else { continue };
        let file = clause.home.file;
        let Some(target) = world.lookup_path(file, path) else {
            if path.has(Kind::qname) || !world.is_broken(file, path.name().text()) {
                found.push(
                    Diagnostic::error(
                        &name_codes::UNKNOWN_NAME,
                        format!("there is no interface `{}`", path.text()),
                        path.span(),
                        "not found here",
                    )
                    .help("import it with `use package.name:Interface;`"),
                );
            }
            continue;
        };
        let fault = |message: String, label: &str, help: &str| {
            Diagnostic::error(&codes::REFINES, message, path.span(), label).help(help)
        };
        if target.node.kind() != Kind::interface {
            let message = format!("`{}` is not an interface", path.text());
            found.push(fault(message, "cannot be refined", "name an interface"));
            continue;
        }
        let name = target.node.name().text();
        if target.node == node {
            found.push(fault(format!("`{name}` refines itself"), "the interface around it", "remove the clause"));
            continue;
        }
        if refined.iter().any(|r| r.node == target.node) {
            continue;
        }
        let mut members = Members::default();
        collect(world, Item { node: target.node, file: target.file }, &mut Vec::new(), &mut members, found);
        if let Some(open) = members.take_open().first() {
            let constant = open.node.name().text();
            let help = "refine an interface that gives it a value, or inherit from this one with `:`";
            found.push(fault(format!("`{name}` leaves the constant `{constant}` open"), "cannot be refined", help));
            continue;
        }
        let xlens = Clauses::read(target.node, &mut Vec::new()).xlens;
        refined.push(Refined { path, name, by: node.name().text(), node: target.node, members, xlens });
    }
    refined
}

impl<'t> Checker<'_, 't> {
    /// Holds the interface against what it refines.
    pub(super) fn refinement(&mut self, refined: &Refined<'t>) {
        if !refined.xlens.contains(&self.xlen) {
            return;
        }
        // What is wrong in it is said where it is compiled; here that would only hide what is to be compared.
        let mut elsewhere = Vec::new();
        let wanted = section(self.world, self.xlen, refined.node, &refined.members, &[], &mut elsewhere);
        let missing: Vec<&Command> = wanted.commands.iter().filter(|c| self.is_missing(&c.name)).collect();
        if let Some(first) = missing.first() {
            let names: Vec<&str> = missing.iter().map(|c| c.name.as_str()).collect();
            let (noun, verb) = if missing.len() == 1 { ("command", "is") } else { ("commands", "are") };
            let message = format!("the {noun} {} of `{}` {verb} missing", quoted_list(&names), refined.name);
            self.report(
                Diagnostic::error(&codes::REFINES, message, refined.path.span(), "refined here")
                    .label(first.span, "declared here")
                    .help("declare what is missing with the same id, types and forms"),
            );
        }
        for command in &wanted.commands {
            self.same_command(refined, &wanted, command);
        }
        if elsewhere.iter().any(Diagnostic::is_error) {
            return;
        }
        self.examples_of(refined);
    }

    /// Whether there is no such command. One that is declared, but wrong, was complained about.
    fn is_missing(&self, name: &str) -> bool {
        let is_broken = matches!(self.members.get(name), Some((Symbol::Broken, _)))
            || matches!(self.family_names.get(name), Some((Symbol::Broken, _)));
        self.section.command(name).is_none() && !is_broken
    }

    fn same_command(&mut self, refined: &Refined<'t>, wanted: &Section, command: &Command) {
        let name = &command.name;
        let Some(own) = self.section.command(name).cloned() else { return };
        let mut differences = Vec::new();
        if own.id != command.id {
            differences.push(format!("its function id is {}, not {}", own.id, command.id));
        }
        if own.forms != command.forms {
            let list = |c: &Command| c.forms.iter().map(|f| f.name()).collect::<Vec<_>>().join(" | ");
            differences.push(format!("its forms are {}, not {}", list(&own), list(command)));
        }
        let types = |checker: &Self, c: &Command, section: &Section| {
            let operands: Vec<String> = c.operands.iter().map(|o| in_words(checker, &o.ty, o.slot, section)).collect();
            let result = c.result.as_ref().map(|ty| format!(" -> {}", in_words(checker, ty, Slot::Rs1, section)));
            format!("({}){}", operands.join(", "), result.unwrap_or_default())
        };
        let same_operands = own.operands.len() == command.operands.len()
            && own
                .operands
                .iter()
                .zip(&command.operands)
                .all(|(a, b)| a.slot == b.slot && same_type((&a.ty, &self.section), (&b.ty, wanted)));
        let same_result = match (&own.result, &command.result) {
            (Some(a), Some(b)) => same_type((a, &self.section), (b, wanted)),
            (a, b) => a.is_none() && b.is_none(),
        };
        if !same_operands || !same_result {
            let (ours, theirs) = (types(self, &own, &self.section), types(self, command, wanted));
            differences.push(if ours == theirs {
                format!("its type `{ours}` has an enum with other cases")
            } else {
                format!("its type is `{ours}`, not `{theirs}`")
            });
        }
        if !differences.is_empty() {
            let found = Diagnostic::error(
                &codes::REFINES,
                format!("`{name}` is not as in `{}`: {}", refined.name, differences.join("; ")),
                own.span,
                "this command",
            );
            self.report(found.label(command.span, format!("as `{}` has it", refined.name)).help("make them the same"));
        }
    }

    /// Reads examples and laws as if they stood here. They see the constants and functions that they were written with;
    /// commands, state and errors are those of this interface.
    fn examples_of(&mut self, refined: &Refined<'t>) {
        let own = self.members.clone();
        for decl in &refined.members.decls {
            let symbol = match decl.node.kind() {
                Kind::const_item => Symbol::Const(*decl),
                Kind::fn_item => Symbol::Fn(*decl),
                Kind::enum_item if !matches!(own.get(decl.node.name().text()), Some((Symbol::Enum(_), _))) => {
                    Symbol::Enum(*decl)
                }
                _ => continue,
            };
            self.members.insert(decl.node.name().text(), (symbol, decl.node.name().span()));
        }
        let before = self.found.len();
        let (examples, laws) = (self.section.examples.len(), self.section.laws.len());
        let consts = self.section.consts.len();
        for decl in &refined.members.decls {
            match decl.node.kind() {
                Kind::example => self.example(*decl),
                Kind::law => self.law(*decl),
                _ => {}
            }
        }
        self.members = own;
        // What only the refined interface declares is none of this one's members.
        self.section.consts.iter_mut().skip(consts).for_each(|constant| constant.is_member = false);
        for found in self.found.iter_mut().skip(before).filter(|d| d.note.is_none()) {
            found.note = Some(format!("where this is read as part of an interface that refines `{}`", refined.name));
        }
        for example in self.section.examples.iter_mut().skip(examples) {
            let title = example.name.take().map_or(String::new(), |title| format!("{title}, "));
            example.name = Some(format!("{title}of {}, which {} refines", refined.name, refined.by));
        }
        for law in self.section.laws.iter_mut().skip(laws) {
            law.name = format!("{}, of {}, which {} refines", law.name, refined.name, refined.by);
        }
    }
}

/// A type and where it is carried, as the source writes it.
fn in_words(checker: &Checker<'_, '_>, ty: &Type, slot: Slot, section: &Section) -> String {
    let name = match ty {
        Type::Enum { id, .. } => section.enums.get(id.index()).map_or("enum".to_owned(), |e| e.name.clone()),
        ty => checker.written(ty),
    };
    match slot {
        Slot::Imm => format!("imm {name}"),
        Slot::Rs1 | Slot::Rs2 => name,
    }
}

/// Whether types of two sections are the same: of enums, width and cases count.
fn same_type((a, of_a): (&Type, &Section), (b, of_b): (&Type, &Section)) -> bool {
    match (a, b) {
        (Type::Enum { id: a, .. }, Type::Enum { id: b, .. }) => {
            match (of_a.enums.get(a.index()), of_b.enums.get(b.index())) {
                (Some(a), Some(b)) => {
                    let cases = |e: &crate::contract::Enum| -> Vec<_> {
                        e.cases.iter().map(|c| (c.name.clone(), c.pattern.clone())).collect()
                    };
                    (a.width, a.signed) == (b.width, b.signed) && cases(a) == cases(b)
                }
                _ => false,
            }
        }
        (a, b) => a == b,
    }
}
