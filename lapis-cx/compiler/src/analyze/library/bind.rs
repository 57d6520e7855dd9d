//! Facts about the C side of a library, its version, and the text that runs at events.

use crate::contract::library::construct::Construct;
use crate::contract::library::{Event, Hook, Moment};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::library as codes;
use crate::syntax::{Kind, Node};

use super::Lib;
use super::table::{self, Fact};
use crate::analyze::identity::unquoted;
use crate::analyze::literal::literal;
use crate::analyze::names;

impl<'t> Lib<'_, 't> {
    /// Reads the facts, the version and the hooks of a library, those in groups too.
    pub(super) fn bind(&mut self, library: Node<'t>) {
        let (mut texts, mut version) = (std::collections::HashMap::new(), None);
        let mut bodies = vec![library];
        while let Some(body) = bodies.pop() {
            for node in body.children() {
                match node.kind() {
                    Kind::binding => self.binding(node, &mut texts),
                    Kind::version_clause => {
                        if let Some(first) = version.replace(node) {
                            let first: Node<'t> = first;
                            self.twice(node, first, "version");
                        }
                        self.library.version = node.child(Kind::string).map(unquoted);
                    }
                    Kind::hook_item => self.hook(node),
                    _ => {}
                }
            }
            let groups: Vec<_> = body.children_of(Kind::group_item).collect();
            bodies.extend(groups.into_iter().rev());
        }
    }

    fn twice(&mut self, node: Node<'t>, first: Node<'t>, what: &str) {
        let message = format!("duplicate `{what}`");
        let diagnostic = Diagnostic::error(&codes::REPEATED, message, node.span(), "again here");
        self.report(diagnostic.label(first.span(), "first here").help("remove one"));
    }

    fn binding(&mut self, node: Node<'t>, first: &mut std::collections::HashMap<&'t str, Node<'t>>) {
        let key = node.name();
        let Some((name, fact)) = table::FACTS.iter().find(|(name, _)| *name == key.text()) else {
            let known: Vec<_> = table::FACTS.iter().map(|(name, _)| *name).collect();
            let message = format!("there is no fact `{}` about C", key.text());
            let diagnostic = Diagnostic::error(&codes::BINDING, message, key.span(), "not known");
            return self.report(match names::nearest(key.text(), known.iter().copied()) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("there are {}", names::quoted_list(&known))),
            });
        };
        let side = node.child(Kind::side);
        if let (Some(side), false) = (side, *fact == Fact::Sided) {
            let message = format!("`{name}` is the same on both sides");
            let diagnostic = Diagnostic::error(&codes::BINDING, message, side.span(), "no side is told");
            self.report(diagnostic.help("remove it"));
        }
        let values: Vec<_> = node.children().filter(|n| matches!(n.kind(), Kind::string | Kind::int)).collect();
        let wanted = if *fact == Fact::Number { Kind::int } else { Kind::string };
        if let Some(wrong) = values.iter().find(|v| v.kind() != wanted) {
            let what = if wanted == Kind::int { "a number" } else { "a text" };
            let message = format!("`{name}` is {what}");
            return self.error(&codes::BINDING, *wrong, message, "of another kind");
        }
        let many = matches!(fact, Fact::Texts | Fact::Sided);
        if !many {
            if let Some(second) = values.get(1) {
                return self.error(&codes::BINDING, *second, format!("`{name}` has one value"), "one too many");
            }
            if let Some(first) = first.insert(name, node) {
                self.twice(node, first, name);
            }
        }
        let texts: Vec<String> = values.iter().filter(|v| v.kind() == Kind::string).map(|v| unquoted(*v)).collect();
        let text = texts.first().cloned();
        let is_word = |t: &str| t.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let begins = |t: &str| t.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if let (Fact::Prefix | Fact::Identifier, Some(t), Some(at)) = (fact, &text, values.first())
            && !(is_word(t) && (begins(t) || *fact == Fact::Prefix && t.is_empty()))
        {
            let message = format!(
                "{} is no {} of C",
                at.text(),
                if *fact == Fact::Prefix { "prefix of identifiers" } else { "identifier" }
            );
            return self.error(&codes::BINDING, *at, message, "letters, digits and `_`");
        }
        let mut is_usable = true;
        for value in values.iter().filter(|value| value.kind() == Kind::string) {
            if let Some((message, label)) = unusable(name, &unquoted(*value)) {
                is_usable = false;
                self.error(&codes::BINDING, *value, format!("{} {message}", value.text()), label);
            }
        }
        if !is_usable {
            return;
        }
        let binding = &mut self.library.binding;
        if *fact == Fact::Sided {
            binding.source_spans.extend(texts.iter().cloned().zip(values.iter().map(|value| value.span())));
        }
        match *name {
            "prefix" => {
                binding.prefix = text;
                binding.prefix_span = values.first().map(|value| value.span());
            }
            "header" => binding.headers.extend(texts),
            "soname" => binding.soname = text,
            "cflags" => binding.cflags.extend(texts),
            "libs" => binding.libs.extend(texts),
            "export" => binding.export = text,
            "identifier" => binding.identifier = text,
            "number" => {
                let number =
                    values.first().and_then(|v| literal(*v).ok()).and_then(|t| t.int()).and_then(|v| v.to_u32());
                binding.number = number;
                if let (None, Some(at)) = (number, values.first()) {
                    self.error(&codes::BINDING, *at, "the number of an API has 32 bits", "too large");
                }
            }
            _ => match side.map(|s| s.name().text()) {
                Some("guest") => binding.guest_sources.extend(texts),
                Some("worker") => binding.worker_sources.extend(texts),
                Some(other) => {
                    let message = format!("there is no side `{other}`");
                    let at = side.map_or(key, |s| s.name());
                    self.error(&codes::BINDING, at, message, "expected `guest` or `worker`");
                }
                None => {
                    let message = "sources belong to one side";
                    let diagnostic = Diagnostic::error(&codes::BINDING, message, key.span(), "which side?");
                    self.report(diagnostic.help("write `c sources(guest) …` or `c sources(worker) …`"));
                }
            },
        }
    }

    fn hook(&mut self, node: Node<'t>) {
        let name = node.name();
        let Some((_, event, has_moments)) = table::EVENTS.iter().find(|(n, ..)| *n == name.text()) else {
            let known: Vec<_> = table::EVENTS.iter().map(|(n, ..)| *n).collect();
            let message = format!("there is no event `{}`", name.text());
            let diagnostic = Diagnostic::error(&codes::HOOK, message, name.span(), "not known");
            return self.report(match names::nearest(name.text(), known.iter().copied()) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("there are {}", names::quoted_list(&known))),
            });
        };
        let written = node.child(Kind::moment);
        if let (Some(written), false) = (written, has_moments) {
            let message = format!("`{}` is one moment", name.text());
            let diagnostic = Diagnostic::error(&codes::HOOK, message, written.span(), "neither before nor after");
            self.report(diagnostic.help(format!("remove `{}`", written.text())));
        }
        let moment = written.map(|m| if m.text() == "before" { Moment::Before } else { Moment::After });
        if let (Event::Send | Event::Reply, Some(Moment::After), Some(written)) = (event, moment, written) {
            self.uses(Construct::AfterMessage, &format!("on {} after", name.text()), written.span());
        }
        if let Some(code) = node.child(Kind::code) {
            let code = self.code(code);
            self.library.hooks.push(Hook { event: *event, moment, code });
        }
    }
}

/// Why a build cannot use the value of a fact: the rest of a message, and what is expected. Compilers, build systems and file systems
/// give other characters a meaning of their own, such as `%` in make and `,` in `-Wl,…`.
fn unusable(fact: &str, value: &str) -> Option<(&'static str, &'static str)> {
    let consists_of =
        |more: &str| !value.is_empty() && value.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c));
    let (is_usable, message, label) = match fact {
        "header" => (
            is_included(value),
            "cannot be included by every compiler",
            "the path of a header, with `/` between its parts",
        ),
        "soname" => (
            consists_of("_.+-") && !value.starts_with(['.', '-']),
            "is not the name of a shared library",
            "letters, digits, `_`, `.`, `+` and `-`, such as `libz.so.1`",
        ),
        "libs" => (
            consists_of("_.+-/,=:@"),
            "is not a flag of the linker",
            "one flag, such as `-lz`; other characters go into `LDFLAGS` of the build",
        ),
        "sources" => (
            consists_of("_.+-/@") && !value.starts_with(['-', '/']),
            "is not the path of a source file",
            "a relative path of letters, digits, `_`, `.`, `+`, `-`, `@` and `/`",
        ),
        // Meson doubles backslashes in `-D`.
        "cflags" | "export" => (
            !value.is_empty() && !value.contains('\\') && !value.chars().any(char::is_control),
            "cannot be passed to every compiler",
            "text without backslashes and control characters",
        ),
        _ => return None,
    };
    (!is_usable).then_some((message, label))
}

/// Whether any compiler and file system takes a name in `#include "…"`.
fn is_included(name: &str) -> bool {
    !name.is_empty() && !name.contains(['\\', ':', '*', '?', '"', '<', '>', '|']) && !name.chars().any(char::is_control)
}
