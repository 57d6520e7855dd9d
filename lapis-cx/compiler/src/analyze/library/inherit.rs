//! `defaults`: what each body says of all that stands in it.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::library as codes;
use crate::syntax::{Kind, Node};

use super::Lib;
use super::declare::Meaning;
use super::table::{self, Arguments, Target};

/// The `defaults` of one body: the library or a group.
#[derive(Default)]
pub(super) struct Level<'t> {
    pub(super) functions: Option<Node<'t>>,
    pub(super) callbacks: Option<Node<'t>>,
    pub(super) handles: Option<Node<'t>>,
    pub(super) types: HashMap<&'t str, Node<'t>>,
}

/// The levels of every body, by the body.
pub(super) type Levels<'t> = Vec<(Node<'t>, Rc<Level<'t>>)>;

impl<'t> Level<'t> {
    /// Gathers the `defaults` of the library and of each group in it.
    pub(super) fn of_library(lib: &mut Lib<'_, 't>, library: Node<'t>) -> Levels<'t> {
        let mut levels = Vec::new();
        let mut bodies = vec![library];
        while let Some(body) = bodies.pop() {
            let level = Level::of_body(lib, body);
            levels.push((body, Rc::new(level)));
            bodies.extend(body.children_of(Kind::group_item));
        }
        levels
    }

    fn of_body(lib: &mut Lib<'_, 't>, body: Node<'t>) -> Level<'t> {
        let mut level = Level::default();
        for node in body.children_of(Kind::defaults_item) {
            let Some(clauses) = node.child(Kind::clauses) else { continue };
            let of = node.child(Kind::defaults_of);
            let earlier = match of {
                None => {
                    lib.check_defaults(clauses, Target::Function);
                    level.functions.replace(clauses)
                }
                Some(of) if of.has(Kind::kw_callback) => {
                    lib.check_defaults(clauses, Target::Callback);
                    level.callbacks.replace(clauses)
                }
                Some(of) if of.has(Kind::kw_handle) => {
                    lib.check_defaults(clauses, Target::Handle);
                    level.handles.replace(clauses)
                }
                Some(of) => {
                    let name = of.name();
                    lib.check_type_of_defaults(name, clauses);
                    level.types.insert(name.text(), clauses)
                }
            };
            if let Some(earlier) = earlier {
                let message = "duplicate `defaults` in one body";
                lib.report(
                    Diagnostic::error(&codes::REPEATED, message, of.unwrap_or(node).span(), "again here")
                        .label(earlier.span(), "first here")
                        .help("write their clauses into one"),
                );
            }
        }
        level
    }
}

/// A clause that applies to a body, and whether the body inherits it.
#[derive(Clone)]
pub(super) struct Reaching<'t> {
    pub(super) clause: Node<'t>,
    pub(super) inherited: bool,
    /// The keys of inner statements, which also replace those in a `when`.
    pub(super) replaced: Rc<HashSet<String>>,
}

impl<'t> Lib<'_, 't> {
    /// Complains about clauses of `defaults` that cannot be said of what they reach, whether they reach any or not.
    fn check_defaults(&mut self, clauses: Node<'t>, on: Target) {
        for clause in clauses.children() {
            if self.row_of(clause, on).is_none()
                || !matches!(clause.kind(), Kind::replace_clause | Kind::impl_clause | Kind::implicit_clause)
            {
                continue;
            }
            let word = word_of(clause).map_or("", |w| w.text());
            let message = format!("`{word}` belongs to one function, which knows its arguments");
            let diagnostic = Diagnostic::error(&codes::CLAUSE_PLACE, message, clause.span(), "not for many");
            self.report(diagnostic.help(format!("write `{word}` in the body of each function")));
        }
    }

    fn check_type_of_defaults(&mut self, name: Node<'t>, clauses: Node<'t>) {
        let is_type = table::type_names().any(|t| t == name.text());
        match self.symbols.get(name.text()).map(|s| s.meaning) {
            Some(Meaning::Function(_) | Meaning::Const(_) | Meaning::Fn(_) | Meaning::Resource(_)) => {
                let message = format!("`{}` is no type", name.text());
                self.error(&crate::diagnostic::catalogue::names::WRONG_KIND, name, message, "not a type");
            }
            None if !is_type => {
                let known: Vec<&str> = self.symbols.keys().copied().chain(table::type_names()).collect();
                self.unknown(name, "type", known.into_iter());
            }
            _ => {}
        }
        if let Some(Meaning::Handle(_)) = self.symbols.get(name.text()).map(|s| s.meaning) {
            return self.check_defaults(clauses, Target::Handle);
        }
        for clause in clauses.children().filter(|c| !matches!(c.kind(), Kind::lbrace | Kind::rbrace) && !c.is_bad()) {
            let of_self = clause.child(Kind::part_place).is_some_and(|p| p.text() == "self");
            if clause.kind() != Kind::arg_clause || !of_self || !clause.has(Kind::attr) {
                self.report(
                    Diagnostic::error(
                        &codes::CLAUSE_PLACE,
                        "the defaults of a type give attributes to its values",
                        clause.span(),
                        "not for a type",
                    )
                    .help(
                        "write `arg self @lifetime(call);`; for another type, change the declaration of the value or its `type`",
                    ),
                );
            }
        }
    }

    /// The clauses that reach a body: those of `outer` levels, outermost first, without those that an inner statement of
    /// their family (or of the same clause) replaces, then its own.
    pub(super) fn reaching(
        &mut self,
        own: Option<Node<'t>>,
        outer: &[Option<Node<'t>>],
        on: Target,
    ) -> Vec<Reaching<'t>> {
        let mut claimed: Rc<HashSet<String>> = Rc::default();
        let mut by_level: Vec<Vec<Reaching<'t>>> = Vec::new();
        let levels = std::iter::once(own).chain(outer.iter().rev().copied());
        for (i, body) in levels.enumerate() {
            let mut here = Vec::new();
            let mut keys = Vec::new();
            for clause in body.into_iter().flat_map(|b| b.children()) {
                let Some(row) = self.row_of(clause, on) else { continue };
                let key = key_of(row, clause);
                if i == 0 || !claimed.contains(&key) {
                    here.push(Reaching { clause, inherited: i > 0, replaced: Rc::clone(&claimed) });
                }
                keys.push(key);
            }
            Rc::make_mut(&mut claimed).extend(keys);
            by_level.push(here);
        }
        by_level.into_iter().rev().flatten().collect()
    }

    /// Complains about clauses of one body that exclude each other.
    pub(super) fn check_repeated(&mut self, body: Node<'t>, on: Target) {
        let mut first: HashMap<String, Node<'t>> = HashMap::new();
        for clause in body.children() {
            let Some(row) = self.row_of(clause, on).filter(|row| !row.repeatable) else { continue };
            let key = key_of(row, clause);
            if let Some(earlier) = first.get(&key) {
                let word = |c: Node<'_>| word_of(c).map_or_else(String::new, |w| w.text().to_owned());
                let (here, there) = (word(clause), word(*earlier));
                let message = if here == there {
                    format!("duplicate `{here}`")
                } else {
                    format!("`{here}` and `{there}` exclude each other")
                };
                let diagnostic = Diagnostic::error(&codes::REPEATED, message, clause.span(), "the second");
                self.report(diagnostic.label(earlier.span(), "the first").help("remove one, or put them into `when`"));
            } else {
                first.insert(key, clause);
            }
        }
    }

    /// The row of a clause; `None`, with a complaint, if there is none or it cannot stand here.
    pub(super) fn row_of(&mut self, clause: Node<'t>, on: Target) -> Option<&'static table::Row> {
        if matches!(clause.kind(), Kind::lbrace | Kind::rbrace) || clause.is_bad() {
            return None;
        }
        let word = word_of(clause)?;
        let Some(row) = table::clause(word.text()) else {
            let known = table::CLAUSES.iter().map(|row| row.name);
            let message = format!("there is no clause `{}`", word.text());
            let diagnostic = Diagnostic::error(&codes::UNKNOWN_CLAUSE, message, word.span(), "not known");
            self.report(match crate::analyze::names::nearest(word.text(), known) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic,
            });
            return None;
        };
        if !row.on.contains(&on) {
            let places: Vec<_> = row.on.iter().map(|t| t.word()).collect();
            let message = format!("`{}` cannot be said of {}", row.name, on.word());
            let diagnostic = Diagnostic::error(&codes::CLAUSE_PLACE, message, word.span(), "not here");
            self.report(diagnostic.help(format!("it applies to {}", places.join(" and "))));
            return None;
        }
        if clause.kind() == Kind::fact && row.arguments == Arguments::OwnSyntax {
            let message = format!("`{}` is not written like this", row.name);
            let diagnostic = Diagnostic::error(&codes::CLAUSE_ARGUMENTS, message, clause.span(), "in this clause");
            self.report(diagnostic.help(format!("the form is `{}`", row.form)));
            return None;
        }
        Some(row)
    }
}

/// The first word of a clause.
pub(super) fn word_of(clause: Node<'_>) -> Option<Node<'_>> {
    clause.leaves().find(|leaf| !leaf.is_trivia())
}

/// Returns whether an inner statement replaces a clause in a `when`.
pub(super) fn is_replaced(clause: Node<'_>, replaced: &HashSet<String>) -> bool {
    let row = word_of(clause).and_then(|word| table::clause(word.text()));
    row.is_some_and(|row| replaced.contains(&key_of(row, clause)))
}

/// What an inner statement replaces: a family as a whole, an account of the same resource, else the same clause.
fn key_of(row: &table::Row, clause: Node<'_>) -> String {
    match (row.family, row.arguments) {
        (Some(family), _) => format!("{family:?}"),
        (None, Arguments::Amount(_)) => {
            let resource = clause.child(Kind::args).and_then(|a| a.child(Kind::named_arg));
            format!("{} {}", row.name, resource.map_or("", |r| r.name().text()))
        }
        _ if row.repeatable => format!("{} {}", row.name, clause.span().start),
        _ => row.name.to_owned(),
    }
}
