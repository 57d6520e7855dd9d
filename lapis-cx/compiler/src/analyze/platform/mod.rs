//! Platforms: which hardware answers which id. Here the clauses and the interfaces that are named; [`luns`] has the
//! side of the overloadable opcodes, [`cxus`] that of the composable extensions.
//!
//! A row that is wrong is reported and left out; what only follows from it is not reported.

mod cxus;
mod luns;

use std::collections::HashMap;

use crate::contract::layout::Layout;
use crate::contract::platform::{FALLBACKS, Issued, Level, MAX_XCMDS, Platform, Reference, ReferenceId};
use crate::contract::{Form, Interface, Item, Section};
use crate::diagnostic::catalogue::{names as name_codes, platform as codes};
use crate::diagnostic::{Diagnostic, Entry};
use crate::source::Span;
use crate::syntax::{Kind, Node};

use super::world::{self, World, split_qname};
use super::{interface, literal, names};

/// Resolves one platform of the root file; `items` are the interfaces of that file.
pub(super) fn platform<'t>(world: &World<'t>, node: Node<'t>, items: &[Item], found: &mut Vec<Diagnostic>) -> Platform {
    let mut checker = Checker::new(world, node, items);
    checker.clauses();
    checker.devices();
    checker.luns();
    checker.discovers();
    checker.unreachable();
    checker.cxus();
    found.append(&mut checker.found);
    checker.platform
}

/// An interface that the platform names.
struct Known {
    /// Where its name stands in its own file.
    declared: Span,
    /// `None` if it could not be understood, which was said where it stands.
    interface: Option<Interface>,
    /// Its place in [`Platform::interfaces`]; `None` also if it cannot be answered by hardware.
    id: Option<ReferenceId>,
}

/// Which side of the machine names an interface.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Xcmd,
    Cxu,
}

struct Checker<'w, 't> {
    world: &'w World<'t>,
    node: Node<'t>,
    items: &'w [Item],
    platform: Platform,
    /// Where `xlen` and `xcmds` stand.
    xlen_at: Option<Span>,
    xcmds_at: Option<Span>,
    /// By the place of the interface's name.
    known: HashMap<Span, Known>,
    /// Interfaces that were held against what a side demands.
    checked: Vec<(ReferenceId, Side)>,
    found: Vec<Diagnostic>,
}

impl<'w, 't> Checker<'w, 't> {
    fn new(world: &'w World<'t>, node: Node<'t>, items: &'w [Item]) -> Self {
        let platform = Platform {
            package: world.root().package.clone(),
            name: node.name().text().to_owned(),
            docs: node.docs(),
            xlen: 0,
            harts: 1,
            xcmds: MAX_XCMDS,
            levels: Vec::new(),
            interfaces: Vec::new(),
            devices: Vec::new(),
            luns: Vec::new(),
            discovers: Vec::new(),
            cxus: Vec::new(),
            span: node.name().span(),
        };
        Checker {
            world,
            node,
            items,
            platform,
            xlen_at: None,
            xcmds_at: None,
            known: HashMap::new(),
            checked: Vec::new(),
            found: Vec::new(),
        }
    }

    fn error(&mut self, entry: &'static Entry, at: Node<'_>, message: impl Into<String>, label: &str, help: &str) {
        let finding = Diagnostic::error(entry, message, at.span(), label);
        self.found.push(if help.is_empty() { finding } else { finding.help(help) });
    }

    /// `what` stands here again.
    fn twice(&mut self, entry: &'static Entry, what: &str, first: Span, again: Span, help: &str) {
        let finding = Diagnostic::error(entry, format!("duplicate {what}"), again, "again here");
        self.found.push(finding.label(first, "first here").help(help));
    }

    /// The only clause of a kind.
    fn clause(&mut self, kind: Kind) -> Option<Node<'t>> {
        let mut clauses = self.node.children_of(kind);
        let first = clauses.next()?;
        if let Some(second) = clauses.next() {
            let word = second.text().split_whitespace().next().unwrap_or_default();
            self.twice(&codes::REPEATED, &format!("`{word}`"), first.span(), second.span(), "remove one");
        }
        Some(first)
    }

    fn clauses(&mut self) {
        match self.clause(Kind::xlen_clause) {
            Some(clause) => {
                self.xlen_at = Some(clause.span());
                let mut widths = clause.children_of(Kind::int);
                match widths.next().map(|int| (int, written(int))) {
                    Some((_, Some(xlen @ (32 | 64)))) => self.platform.xlen = xlen,
                    Some((int, _)) => self.error(&codes::NUMBER, int, "XLEN is 32 or 64", "not an XLEN", ""),
                    None => {}
                }
                if let Some(second) = widths.next() {
                    let help = "declare a platform for each";
                    self.error(&codes::NUMBER, second, "a platform has one XLEN", "a second one", help);
                }
            }
            None if !self.is_bad_clause("xlen") => {
                let message = format!("platform `{}` without an XLEN", self.platform.name);
                self.error(&codes::MISSING, self.node.name(), message, "no `xlen`", "add `xlen 64;` or `xlen 32;`");
            }
            None => {}
        }
        if let Some(clause) = self.clause(Kind::xcmds_clause) {
            self.xcmds_at = Some(clause.span());
            let xcmds = clause.child(Kind::int).and_then(|int| self.number(int, "`xcmds`", (1, MAX_XCMDS)));
            self.platform.xcmds = xcmds.unwrap_or(MAX_XCMDS);
        }
        if let Some(clause) = self.clause(Kind::harts_clause) {
            let harts = clause.child(Kind::int).and_then(|int| self.number(int, "the number of harts", (1, u32::MAX)));
            self.platform.harts = harts.unwrap_or(1);
        }
        self.levels();
    }

    fn levels(&mut self) {
        let Some(clause) = self.clause(Kind::levels_clause) else {
            let user = self.node.children().find(|n| matches!(n.kind(), Kind::lun | Kind::discover));
            if let Some(user) = user.filter(|_| !self.is_bad_clause("levels")) {
                let message = format!("platform `{}` has luns, but no privilege levels", self.platform.name);
                let head = user.children().find(|n| n.kind() != Kind::doc).unwrap_or(user);
                let finding = Diagnostic::error(&codes::MISSING, message, head.span(), "needs levels");
                self.found.push(
                    finding
                        .label(self.node.name().span(), "no `levels`")
                        .help("add `levels u, m;`: those of u, s, h and m it has"),
                );
            }
            // Rows are then read against all.
            self.platform.levels = if user.is_some() { Level::ALL.to_vec() } else { Vec::new() };
            return;
        };
        let mut seen: Vec<(Level, Span)> = Vec::new();
        for node in clause.children_of(Kind::ident) {
            let Some(level) = level_of(node.text()) else {
                let message = format!("there is no privilege level `{}`", node.text());
                self.error(&codes::UNKNOWN, node, message, "unknown", LEVELS);
                continue;
            };
            match seen.iter().find(|(l, _)| *l == level) {
                Some(&(_, first)) => {
                    let what = format!("the level `{}`", level.name());
                    self.twice(&codes::REPEATED, &what, first, node.span(), "remove one");
                }
                None => seen.push((level, node.span())),
            }
        }
        self.platform.levels = seen.into_iter().map(|(level, _)| level).collect();
    }

    /// Whether text that could not be read was meant for this clause.
    fn is_bad_clause(&self, word: &str) -> bool {
        self.node.children_of(Kind::bad_platform_member).any(|bad| bad.text().starts_with(word))
    }

    /// The levels of a row that the platform has, each with its place.
    fn levels_of(&mut self, row: Node<'t>) -> Vec<(Level, Node<'t>)> {
        let mut levels: Vec<(Level, Node<'t>)> = Vec::new();
        for node in row.child(Kind::level_list).into_iter().flat_map(|list| list.children_of(Kind::ident)) {
            let Some(level) = level_of(node.text()) else {
                let message = format!("there is no privilege level `{}`", node.text());
                self.error(&codes::UNKNOWN, node, message, "unknown", LEVELS);
                continue;
            };
            if !self.platform.levels.contains(&level) {
                if !self.is_bad_clause("levels") {
                    let message = format!("`{}` has no level `{}`", self.platform.name, level.name());
                    let help = format!("add `{}` to `levels`", level.name());
                    self.error(&codes::UNKNOWN, node, message, "not a level of this platform", &help);
                }
                continue;
            }
            match levels.iter().find(|(l, _)| *l == level) {
                Some(&(_, first)) => {
                    let what = format!("the level `{}`", level.name());
                    self.twice(&codes::REPEATED, &what, first.span(), node.span(), "remove one");
                }
                None => levels.push((level, node)),
            }
        }
        levels
    }

    /// A number within bounds, both included.
    fn number(&mut self, node: Node<'_>, what: &str, (lo, hi): (u32, u32)) -> Option<u32> {
        let value = match literal::literal(node) {
            Ok(typed) => typed.int()?,
            Err(finding) => {
                self.found.push(finding);
                return None;
            }
        };
        let number = value.to_u32().filter(|n| (lo..=hi).contains(n));
        if number.is_none() {
            let range = if hi == u32::MAX { format!("at least {lo}") } else { format!("{lo} to {hi}") };
            self.error(&codes::NUMBER, node, format!("{what} is {range}, not {value}"), "out of range", "");
        }
        number
    }

    /// The interface that a path names, checked for this side of the machine. `None` after a finding.
    fn resolve(&mut self, path: Node<'t>, side: Side) -> Option<ReferenceId> {
        let Some(item) = self.world.lookup_path(0, path) else {
            self.unknown_interface(path);
            return None;
        };
        let declared = item.node.name();
        if item.node.kind() != Kind::interface {
            let finding = Diagnostic::error(
                &codes::NOT_ANSWERABLE,
                format!("`{}` is not an interface", path.text()),
                path.span(),
                "hardware answers interfaces",
            );
            self.found.push(finding.label(declared.span(), "declared here"));
            return None;
        }
        if !self.known.contains_key(&declared.span()) {
            let known = self.know(item, path);
            self.known.insert(declared.span(), known);
        }
        let id = self.known.get(&declared.span())?.id?;
        if !self.checked.contains(&(id, side)) {
            self.checked.push((id, side));
            match side {
                Side::Xcmd => self.xcmd_side(id, declared.span(), path),
                Side::Cxu => self.cxu_side(id, declared.span(), path),
            }
        }
        Some(id)
    }

    fn unknown_interface(&mut self, path: Node<'t>) {
        let name = path.name().text();
        let finding = match path.child(Kind::qname) {
            Some(_) if self.world.is_any_unread() => return,
            Some(qname) => self.world.unknown_import(&split_qname(qname), qname),
            None if self.world.is_broken(0, name) => return,
            None => {
                let message = format!("there is no interface `{name}`");
                let finding = Diagnostic::error(&name_codes::UNKNOWN_NAME, message, path.span(), "not found here");
                match names::nearest(name, self.world.names(0)) {
                    Some(near) => finding.help(format!("did you mean `{near}`?")),
                    None => {
                        finding.help("write its package too, as in `org.example.name:Item`, or import it with `use`")
                    }
                }
            }
        };
        self.found.push(finding);
    }

    /// Looks at an interface for the first time.
    fn know(&mut self, item: world::Item<'t>, path: Node<'t>) -> Known {
        let declared = item.node.name().span();
        let mut known = Known { declared, interface: None, id: None };
        if item.node.children_of(Kind::modifier).any(|m| m.text() == "abstract") {
            let message = format!("`{}` is abstract", path.text());
            let finding = Diagnostic::error(&codes::NOT_ANSWERABLE, message, path.span(), "only a base of others");
            self.found.push(
                finding
                    .label(declared, "declared here")
                    .help("name an interface that inherits it, or remove `abstract`"),
            );
            return known;
        }
        let interface = if item.file == 0 {
            self.items.iter().find_map(|item| match item {
                Item::Interface(interface) if interface.span == declared => Some(interface.clone()),
                _ => None,
            })
        } else {
            let mut found = Vec::new();
            let interface = interface::interface(self.world, item, &mut found);
            // A platform cannot be held against what is wrong, so that is said; what is only doubtful is the other file's.
            found.retain(Diagnostic::is_error);
            let is_wrong = !found.is_empty();
            self.found.append(&mut found);
            interface.filter(|_| !is_wrong)
        };
        // What could not be read is a finding already.
        let Some(interface) = interface.filter(|_| !item.node.is_broken()) else { return known };
        if interface.is_draft {
            let message = format!("`{}` is a draft: its contract may still change", path.text());
            let finding = Diagnostic::warning(&codes::DRAFT, message, path.span(), "answered by hardware here");
            self.found
                .push(finding.label(declared, "declared here").help("freeze it with `cxc freeze`, and remove `draft`"));
        }
        if self.platform.xlen != 0 && !interface.sections.is_empty() && self.section(&interface).is_none() {
            let message = format!("`{}` has no meaning at XLEN {}", path.text(), self.platform.xlen);
            let finding = Diagnostic::error(&codes::XLEN, message, path.span(), "answered by hardware here");
            let finding = finding.label(declared, "declared here, for the other XLEN only");
            self.found.push(match self.xlen_at {
                Some(at) => finding.label(at, "the platform's"),
                None => finding,
            });
        }
        let id = ReferenceId(self.platform.interfaces.len() as u32);
        let section = self.section(&interface);
        let commands = section.into_iter().flat_map(|section| &section.commands);
        let issued = commands.filter(|c| c.forms.contains(&Form::Xcmd));
        let mut xcmds: Vec<Issued> = issued.map(|c| Issued { id: c.id, name: c.name.clone() }).collect();
        xcmds.sort_by_key(|c| c.id);
        let has_state = section.is_some_and(|section| section.state.is_some());
        let state_words = section.map_or(0, |section| Layout::new(section).words);
        self.platform.interfaces.push(Reference {
            package: interface.package.clone(),
            name: interface.name.clone(),
            xintf: interface.xintf,
            uuid: interface.uuid,
            contract: interface.hash.clone(),
            short: interface.short.clone(),
            long_name: interface.long_name.clone(),
            has_state,
            state_words,
            xcmds,
        });
        known.id = Some(id);
        known.interface = Some(interface);
        known
    }

    /// An interface at the platform's XLEN.
    fn section<'i>(&self, interface: &'i Interface) -> Option<&'i Section> {
        interface.sections.iter().find(|section| section.xlen == self.platform.xlen)
    }

    fn known(&self, id: ReferenceId) -> Option<&Known> {
        self.known.values().find(|known| known.id == Some(id))
    }

    /// What overloadable opcodes demand of an interface: an id of its own, and commands that the `xcmd`s reach.
    fn xcmd_side(&mut self, id: ReferenceId, declared: Span, path: Node<'t>) {
        let Some(interface) = self.known(id).and_then(|known| known.interface.clone()) else { return };
        let Some(xintf) = interface.xintf else {
            let message = format!("`{}` has no xintf id, so `xext` cannot find it", path.text());
            let finding = Diagnostic::error(&codes::NO_ID, message, path.span(), "behind a lun");
            self.found.push(finding.label(declared, "declared here").help("add `xintf auto;` to the interface"));
            return;
        };
        // On RV32 `xext` sees 20 bits of id, on RV64 it sees 52.
        let seen = |x: crate::contract::Xintf| if self.platform.xlen == 64 { x.id52 } else { u64::from(x.id20) };
        let same = |other: &ReferenceId| {
            *other != id
                && self.platform.interface(*other).and_then(|r| r.xintf).is_some_and(|x| seen(x) == seen(xintf))
        };
        let others = self.checked.iter().filter(|(_, side)| *side == Side::Xcmd).map(|(other, _)| other);
        let shown = format!("the xintf id {:#x}", seen(xintf));
        if let Some(other) = others.copied().find(|other| same(other)) {
            self.same_id(&interface, other, path, declared, &shown);
        } else if let Some((lun, fallback)) = FALLBACKS.iter().find(|(id, _)| u64::from(*id) == seen(xintf)) {
            let message = format!("{shown} is that of `{fallback}`");
            let finding = Diagnostic::error(&codes::SAME_ID, message, path.span(), "this interface has it too");
            self.found.push(
                finding
                    .label(declared, "declared here")
                    .note(format!("every platform answers `{fallback}` at lun {lun} without saying so"))
                    .help("use another interface, or give it another id"),
            );
        }
        let Some(section) = self.section(&interface) else { return };
        let xcmds = self.platform.xcmds;
        let issued = || section.commands.iter().filter(|c| c.forms.contains(&Form::Xcmd));
        let beyond: Vec<_> = issued().filter(|c| u32::from(c.id) >= xcmds).collect();
        if let Some(first) = beyond.first() {
            let quoted: Vec<_> = beyond.iter().map(|c| c.name.as_str()).collect();
            let list = names::quoted_list(&quoted);
            let message = format!("{list} of `{}` cannot be issued with {xcmds} xcmds", path.text());
            let finding = Diagnostic::error(&codes::XCMD, message, path.span(), "behind a lun");
            let finding = finding.label(first.span, format!("needs xcmd{}", first.id));
            self.found.push(match self.xcmds_at {
                Some(at) => finding.label(at, format!("the last one is xcmd{}", xcmds.saturating_sub(1))),
                None => finding,
            });
        } else if issued().next().is_none() {
            let message = format!("no command of `{}` has the form `xcmd`", path.text());
            let finding = Diagnostic::error(&codes::XCMD, message, path.span(), "behind a lun");
            self.found.push(
                finding
                    .label(declared, "declared here")
                    .help("give its commands the form `xcmd`, or let a `cxu` answer the interface"),
            );
        }
    }

    /// What composable extensions demand of an interface: a UUID of its own.
    fn cxu_side(&mut self, id: ReferenceId, declared: Span, path: Node<'t>) {
        let Some(interface) = self.known(id).and_then(|known| known.interface.clone()) else { return };
        let Some(uuid) = interface.uuid else {
            let message = format!("`{}` has no UUID, so `cx_open` cannot find it", path.text());
            let finding = Diagnostic::error(&codes::NO_ID, message, path.span(), "answered by a CXU");
            self.found.push(finding.label(declared, "declared here").help("add `uuid auto;` to the interface"));
            return;
        };
        let others = self.checked.iter().filter(|(other, side)| *side == Side::Cxu && *other != id);
        let same = others
            .map(|(other, _)| *other)
            .find(|other| self.platform.interface(*other).and_then(|reference| reference.uuid) == Some(uuid));
        if let Some(other) = same {
            self.same_id(&interface, other, path, declared, &format!("the UUID {uuid}"));
        }
    }

    fn same_id(&mut self, interface: &Interface, other: ReferenceId, path: Node<'t>, declared: Span, what: &str) {
        let Some(first) = self.known(other) else { return };
        let name = first.interface.as_ref().map_or("", |i| i.name.as_str());
        let message = format!("`{name}` and `{}` both have {what}", interface.name);
        let finding = Diagnostic::error(&codes::SAME_ID, message, path.span(), "this interface");
        let finding = finding.label(declared, "declared here").label(first.declared, "the other one");
        self.found.push(finding.help("give one of the interfaces another id"));
    }
}

/// A number as it is written, whether in range or not.
fn written(node: Node<'_>) -> Option<u32> {
    literal::literal(node).ok()?.int()?.to_u32()
}

const LEVELS: &str = "the levels are u (user), s (supervisor), h (hypervisor) and m (machine)";

fn level_of(word: &str) -> Option<Level> {
    Level::ALL.into_iter().find(|level| level.name() == word)
}

/// `` `u`, `s` and `m` ``
fn level_list(levels: &[Level]) -> String {
    names::quoted_list(&levels.iter().map(|level| level.name()).collect::<Vec<_>>())
}
