//! The side of the composable extensions: CXUs and their properties.

use std::collections::HashMap;

use crate::contract::platform::{Cxu, MAX_CONTEXTS, MAX_CXU, MAX_CXU_LEVEL};
use crate::contract::{Command, Interface, Semantics};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::platform as codes;
use crate::source::Span;
use crate::syntax::{Kind, Node};

use super::{Checker, Side, names};

const PROPERTIES: [&str; 4] = ["level", "latency", "contexts", "omits"];

/// The properties of one CXU as they are written, each once.
#[derive(Default)]
struct Written<'t> {
    level: Option<Node<'t>>,
    latency: Option<Node<'t>>,
    contexts: Option<Node<'t>>,
    omits: Option<Node<'t>>,
}

impl<'t> Checker<'_, 't> {
    pub(super) fn cxus(&mut self) {
        let mut first_of: HashMap<u32, Span> = HashMap::new();
        for node in self.node.children_of(Kind::cxu) {
            let Some(int) = node.child(Kind::int) else { continue };
            let reference = node.child(Kind::path).and_then(|path| self.resolve(path, Side::Cxu));
            let id = self.number(int, "a CXU id", (0, MAX_CXU));
            if let Some((id, first)) = id.and_then(|id| Some((id, *first_of.get(&id)?))) {
                self.twice(&codes::TWICE, &format!("CXU {id}"), first, int.span(), "give it another id");
                continue;
            }
            let written = self.properties(node);
            let level = self.level(node, &written);
            let latency = written.latency.and_then(|property| self.latency(property, level));
            let interface = reference.and_then(|id| self.known(id)).and_then(|known| known.interface.clone());
            let contexts = match &interface {
                Some(interface) => self.contexts(node, &written, interface, level),
                None => None,
            };
            let omits = match (written.omits, &interface) {
                (Some(omits), Some(interface)) => self.omits(omits, interface),
                _ => Vec::new(),
            };
            if let (Some(id), Some(interface), Some(level), Some(contexts)) = (id, reference, level, contexts) {
                let docs = node.docs();
                first_of.insert(id, int.span());
                self.platform.cxus.push(Cxu { id, interface, docs, level, latency, contexts, omits, span: int.span() });
            }
        }
    }

    fn properties(&mut self, node: Node<'t>) -> Written<'t> {
        let mut written = Written::default();
        for property in node.children().filter(|n| matches!(n.kind(), Kind::cxu_property | Kind::omits)) {
            let word = if property.kind() == Kind::omits { "omits" } else { property.name().text() };
            let place = match word {
                "level" => &mut written.level,
                "latency" => &mut written.latency,
                "contexts" => &mut written.contexts,
                "omits" if property.kind() == Kind::omits => &mut written.omits,
                "omits" => {
                    self.error(&codes::OMITS, property, "`omits` names commands", "not their numbers", "");
                    continue;
                }
                _ => {
                    let message = format!("a CXU has no property `{word}`");
                    let help = match names::nearest(word, PROPERTIES.into_iter()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "its properties are `level`, `latency`, `contexts` and `omits`".to_owned(),
                    };
                    self.error(&codes::PROPERTY, property.name(), message, "unknown", &help);
                    continue;
                }
            };
            match place {
                Some(first) => {
                    let first = first.span();
                    self.twice(&codes::REPEATED, &format!("`{word}`"), first, property.span(), "remove one");
                }
                None => *place = Some(property),
            }
        }
        for property in [written.level, written.contexts].into_iter().flatten() {
            if let Some(last) = property.children_of(Kind::int).nth(1) {
                let word = property.name().text();
                self.error(&codes::NUMBER, last, format!("`{word}` is one number"), "a second one", "");
            }
        }
        written
    }

    fn level(&mut self, node: Node<'t>, written: &Written<'t>) -> Option<u32> {
        let Some(property) = written.level else {
            if !node.is_broken() {
                let at = node.child(Kind::int)?;
                let help = "add `level 0;` if it is combinational, 1 for a fixed latency, 2 for a varying one, 3 if it reorders";
                let message = format!("CXU {} without a level", at.text());
                self.error(&codes::MISSING, at, message, "no `level`", help);
            }
            return None;
        };
        self.number(property.child(Kind::int)?, "the level of a CXU", (0, MAX_CXU_LEVEL))
    }

    fn latency(&mut self, property: Node<'t>, level: Option<u32>) -> Option<(u32, u32)> {
        let mut bounds = property.children_of(Kind::int);
        let (first, last) = (bounds.next()?, bounds.next());
        let lo = self.number(first, "a latency", (0, u32::MAX))?;
        let hi = match last {
            Some(last) => self.number(last, "a latency", (0, u32::MAX))?,
            None => lo,
        };
        if hi < lo {
            let help = format!("write `latency {hi}..{lo};`: both are cycles that occur");
            self.error(&codes::LATENCY, property, format!("no latency is {lo} to {hi} cycles"), "fewest first", &help);
            return None;
        }
        if level == Some(0) && hi > 0 {
            let help = "remove the latency, or choose level 1 (fixed) or 2 (varying)";
            let message = "a CXU of level 0 answers in the same cycle";
            self.error(&codes::LATENCY, property, message, "cannot take cycles", help);
        } else if level == Some(1) && lo != hi {
            let message = "a CXU of level 1 always takes the same number of cycles";
            let finding =
                Diagnostic::warning(&codes::LATENCY, message, property.span(), format!("{lo} to {hi} cycles"));
            self.found.push(finding.help("choose level 2, or write the one number"));
        }
        Some((lo, hi))
    }

    fn contexts(
        &mut self,
        node: Node<'t>,
        written: &Written<'t>,
        interface: &Interface,
        level: Option<u32>,
    ) -> Option<u32> {
        let has_state = interface.sections.iter().any(|section| section.state.is_some());
        let name = &interface.name;
        if has_state && level == Some(0) {
            let at = written.level.unwrap_or(node);
            let finding = Diagnostic::error(
                &codes::CONTEXTS,
                format!("`{name}` has state, and a CXU of level 0 is combinational"),
                at.span(),
                "cannot hold state",
            );
            self.found.push(finding.label(interface.span, "has state").help("choose level 1 or above"));
            return None;
        }
        let Some(property) = written.contexts else {
            if has_state && !node.is_broken() {
                let at = node.child(Kind::path).unwrap_or(node);
                let finding = Diagnostic::error(
                    &codes::MISSING,
                    format!("`{name}` has state, but this CXU has no number of contexts"),
                    at.span(),
                    "no `contexts`",
                );
                self.found
                    .push(finding.label(interface.span, "has state").help("add `contexts 1;`, or one for each hart"));
                return None;
            }
            return (!has_state).then_some(0);
        };
        let int = property.child(Kind::int)?;
        let contexts = self.number(int, "the number of contexts", (0, MAX_CONTEXTS))?;
        if has_state == (contexts > 0) {
            return Some(contexts);
        }
        let (message, label, help) = if has_state {
            (format!("`{name}` has state, so a CXU holds at least one context of it"), "none", "write `contexts 1;`")
        } else {
            (format!("`{name}` has no state to hold"), "contexts of nothing", "remove `contexts`, or write 0")
        };
        let finding = Diagnostic::error(&codes::CONTEXTS, message, int.span(), label);
        let declared = if has_state { "has state" } else { "declared without state" };
        self.found.push(finding.label(interface.span, declared).help(help));
        None
    }

    /// The ids of the commands that are left to software.
    fn omits(&mut self, list: Node<'t>, interface: &Interface) -> Vec<u16> {
        let Some(section) = self.section(interface) else { return Vec::new() };
        let mut omitted: Vec<u16> = Vec::new();
        for at in list.children_of(Kind::ident) {
            let is_named = |c: &&Command| c.name == at.text() || c.family.as_ref().is_some_and(|(f, _)| f == at.text());
            let commands: Vec<&Command> = section.commands.iter().filter(is_named).collect();
            if commands.is_empty() {
                let message = format!("`{}` has no command `{}`", interface.name, at.text());
                let finding = Diagnostic::error(&codes::OMITS, message, at.span(), "not found");
                let known: Vec<_> = section.commands.iter().map(|c| c.name.as_str()).collect();
                let help = match names::nearest(at.text(), known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("it has {}", names::quoted_list(&known)),
                };
                self.found.push(finding.label(interface.span, "declared here").help(help));
                continue;
            }
            for command in commands {
                if omitted.contains(&command.id) {
                    let message = format!("`{}` is omitted twice", command.name);
                    self.error(&codes::REPEATED, at, message, "again here", "remove one");
                    break;
                }
                if self.may_omit(command, at) {
                    omitted.push(command.id);
                }
            }
        }
        omitted.sort_unstable();
        if !omitted.is_empty() && omitted.len() == section.commands.len() {
            let message = format!("this CXU omits every command of `{}`", interface.name);
            self.error(&codes::OMITS, list, message, "nothing is left", "remove the CXU, or let it answer something");
        }
        omitted
    }

    /// Whether software can stand in for a command.
    fn may_omit(&mut self, command: &Command, at: Node<'t>) -> bool {
        let (message, label, help) = match command.semantics {
            Semantics::Body(_) => return true,
            Semantics::Opaque => (
                format!("nothing can emulate `{}`, which has no body", command.name),
                "declared without a body",
                "let the CXU answer it, or give it a body",
            ),
            Semantics::Standard(_) => (
                format!("`{}` is how software reaches the state of the CXU", command.name),
                "a standard function",
                "let the CXU answer it",
            ),
        };
        let finding = Diagnostic::error(&codes::OMITS, message, at.span(), "omitted here");
        self.found.push(finding.label(command.span, label).help(help));
        false
    }
}
