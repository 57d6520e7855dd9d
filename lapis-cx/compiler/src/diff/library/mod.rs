//! Two versions of one library: what C programs see of it, what travels, and what happens at a call.
//!
//! Declarations meet by name; what they say is compared as [text](crate::contract::library::text), in which ids are names. A parameter that is only
//! renamed has its new name on both sides, so that no expression over it seems to change.

use std::mem::{Discriminant, discriminant};

use super::rules::{self, Rule};
use super::section::{Found, Pairs, pairs};
use super::{Change, Entry, Place as At, names};
use crate::contract::canonical::Printer;
use crate::contract::library::clause::Clause;
use crate::contract::library::place::Place;
use crate::contract::library::text::Scope;
use crate::contract::library::{
    Code, Function, Handle, Hook, Implicit, Library, Member, Metadata, Param, Rest, Struct,
};
use crate::contract::{FnId, Section};
use crate::source::Span;

pub(super) fn compare(before: &Entry<'_>, old: &Library, entry: &Entry<'_>, new: &Library) -> Vec<Change> {
    let mut two = Two { old, new, found: Vec::new() };
    two.whole();
    two.binding();
    two.functions();
    two.structs();
    two.handles();
    two.metadata();
    two.resources();
    two.code();
    two.sections();
    let mut found: Vec<Found> = Vec::new();
    for one in two.found {
        // The sections of two XLENs say the same.
        if !found.iter().any(|other| other.says(&one)) {
            found.push(one);
        }
    }
    let change = |found: Found| Change {
        rule: found.rule,
        item: entry.name.clone(),
        xlens: Vec::new(),
        everywhere: true,
        message: found.message,
        old: found.old.map(|span| At { root: before.root, span }),
        new: found.new.map(|span| At { root: entry.root, span }),
    };
    found.into_iter().map(change).collect()
}

/// Two versions of one library.
struct Two<'a> {
    old: &'a Library,
    new: &'a Library,
    found: Vec<Found>,
}

/// Two versions of one declaration: where they stand, and how they see their libraries.
#[derive(Clone, Copy)]
struct Sides<'a> {
    /// Such as `function `deflate``.
    what: &'a str,
    old: Span,
    new: Span,
    old_scope: Scope<'a>,
    new_scope: Scope<'a>,
}

/// A clause as text.
#[derive(PartialEq)]
struct Said {
    kind: Discriminant<Clause>,
    text: String,
}

fn names_of<T>(entries: &[T], name: impl Fn(&T) -> &String) -> Vec<String> {
    entries.iter().map(|entry| name(entry).clone()).collect()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

impl<'a> Two<'a> {
    fn add(&mut self, rule: &'static Rule, message: String, old: Option<Span>, new: Option<Span>) {
        self.found.push(Found::new(rule, message, old, new));
    }

    fn about(&mut self, rule: &'static Rule, message: String) {
        self.add(rule, message, Some(self.old.span), Some(self.new.span));
    }

    fn whole(&mut self) {
        let (old, new) = (self.old, self.new);
        if old.version != new.version {
            let version = |library: &Library| library.version.clone().unwrap_or_else(|| "none".to_owned());
            let message = format!("the version was {}, and is {}", version(old), version(new));
            self.about(&rules::VERSION_CHANGED, message);
        }
        if old.interfaces != new.interfaces {
            self.about(&rules::ABOUT_CHANGED, "the library is for other interfaces".to_owned());
        }
        if old.docs != new.docs {
            self.about(&rules::DOCS_CHANGED, "the description of the library changed".to_owned());
        }
    }

    fn binding(&mut self) {
        let (a, b) = (&self.old.binding, &self.new.binding);
        let none = || "none".to_owned();
        if a.soname != b.soname {
            let name = |name: &Option<String>| name.clone().unwrap_or_else(none);
            let message = format!("the shared library was {}, and is {}", name(&a.soname), name(&b.soname));
            self.about(&rules::SONAME_CHANGED, message);
        }
        let lists = [
            ("headers", &a.headers, &b.headers),
            ("flags for C", &a.cflags, &b.cflags),
            ("flags for the linker", &a.libs, &b.libs),
            ("C files of the guest", &a.guest_sources, &b.guest_sources),
            ("C files of the worker", &a.worker_sources, &b.worker_sources),
        ];
        for (what, was, is) in lists {
            if was != is {
                let text = |list: &[String]| if list.is_empty() { none() } else { list.join(" ") };
                let message = format!("the {what} were {}, and are {}", text(was), text(is));
                self.about(&rules::BINDING_CHANGED, message);
            }
        }
        if a.export != b.export {
            self.about(&rules::BINDING_CHANGED, "functions are exported with other words".to_owned());
        }
        if (&a.identifier, a.number) != (&b.identifier, b.number) {
            self.about(
                &rules::API_ID_CHANGED,
                "another identifier or number tells it apart on a connection".to_owned(),
            );
        }
    }

    /// Says that a declaration is gone, or new.
    fn alone(&mut self, rule: &'static Rule, what: &str, old: Option<Span>, new: Option<Span>) {
        let message = format!("the {what} is {}", if new.is_some() { "new" } else { "gone" });
        self.add(rule, message, old, new);
    }

    fn functions(&mut self) {
        let tables = [
            ("function", &self.old.functions, &self.new.functions, &rules::FUNCTION_ADDED, &rules::FUNCTION_REMOVED),
            ("callback", &self.old.callbacks, &self.new.callbacks, &rules::CALLBACK_ADDED, &rules::CALLBACK_REMOVED),
        ];
        for (kind, old, new, added, removed) in tables {
            let pairs = pairs(old, new, |function| &function.name, |_, _| false);
            for (a, b) in pairs.both {
                self.function(kind, a, b);
            }
            for b in pairs.added {
                self.alone(added, &format!("{kind} `{}`", b.name), None, Some(b.span));
            }
            for a in pairs.removed {
                self.alone(removed, &format!("{kind} `{}`", a.name), Some(a.span), None);
            }
        }
    }

    fn function(&mut self, kind: &str, a: &Function, b: &Function) {
        let (was, is) = (names_of(&a.params, |param| &param.name), names_of(&b.params, |param| &param.name));
        let moved = was != is && sorted(was.clone()) == sorted(is.clone());
        let counted = was.len() == is.len() && a.rest.is_some() == b.rest.is_some();
        // What is only renamed is the same.
        let old_names = if counted && !moved { &is } else { &was };
        let what = format!("{kind} `{}`", b.name);
        let sides = Sides {
            what: &what,
            old: a.span,
            new: b.span,
            old_scope: Scope::function(self.old, a, old_names),
            new_scope: Scope::function(self.new, b, &is),
        };
        // A callback without a spelling has no name in C.
        if kind == "function" || a.c.is_some() || b.c.is_some() {
            self.c_name(sides, &a.name, &a.c, &b.name, &b.c);
        }
        if moved {
            let message = format!("the parameters were ({}), and are ({})", was.join(", "), is.join(", "));
            self.say(&rules::PARAMETERS_REORDERED, sides, &message);
        } else if counted {
            self.params(sides, &a.params, &b.params);
        } else {
            let count = |function: &Function| {
                let rest = if function.rest.is_some() { " and `...`" } else { "" };
                format!("{}{rest}", function.params.len())
            };
            let message = format!("it had {} parameters, and has {}", count(a), count(b));
            self.say(&rules::PARAMETER_COUNT_CHANGED, sides, &message);
        }
        self.rest(sides, a.rest.as_ref(), b.rest.as_ref());
        self.place(sides, "the result", &a.result, &b.result);
        let implicits = |scope: Scope<'_>, implicits: &[Implicit]| -> Vec<String> {
            let text =
                |one: &Implicit| format!("{}: {} = {}", one.name, scope.place(&one.place), scope.expr(&one.value));
            implicits.iter().map(text).collect()
        };
        if implicits(sides.old_scope, &a.implicits) != implicits(sides.new_scope, &b.implicits) {
            self.say(&rules::IMPLICITS_CHANGED, sides, "the implicit arguments changed");
        }
        self.clauses(sides, &a.clauses, &b.clauses);
        if a.docs != b.docs {
            self.say(&rules::DOCS_CHANGED, sides, "the description changed");
        }
    }

    fn say(&mut self, rule: &'static Rule, sides: Sides<'_>, message: &str) {
        self.add(rule, format!("{}: {message}", sides.what), Some(sides.old), Some(sides.new));
    }

    /// The name in C: a spelling, or the prefix and the name.
    fn c_name(&mut self, sides: Sides<'_>, old: &str, old_c: &Option<String>, new: &str, new_c: &Option<String>) {
        let was = self.old.name_in_c(old_c.as_deref(), old);
        let is = self.new.name_in_c(new_c.as_deref(), new);
        if was != is {
            self.say(&rules::C_NAME_CHANGED, sides, &format!("its name in C was `{was}`, and is `{is}`"));
        }
    }

    fn params(&mut self, sides: Sides<'_>, old: &[Param], new: &[Param]) {
        for (a, b) in old.iter().zip(new) {
            if a.name != b.name {
                let message = format!("the parameter `{}` is now `{}`", a.name, b.name);
                self.say(&rules::PARAMETER_RENAMED, sides, &message);
            }
            self.place(sides, &format!("the parameter `{}`", b.name), &a.place, &b.place);
            if a.docs != b.docs {
                let message = format!("the description of the parameter `{}` changed", b.name);
                self.say(&rules::DOCS_CHANGED, sides, &message);
            }
        }
    }

    fn rest(&mut self, sides: Sides<'_>, old: Option<&Rest>, new: Option<&Rest>) {
        let text = |scope: Scope<'_>, rest: Option<&Rest>| match rest {
            None => String::new(),
            Some(Rest::Local) => "local".to_owned(),
            Some(Rest::Typed(place)) => scope.place(place),
        };
        let (was, is) = (text(sides.old_scope, old), text(sides.new_scope, new));
        if old.is_some() && new.is_some() && was != is {
            self.say(&rules::TRAVEL_CHANGED, sides, &format!("`...` was `{was}`, and is `{is}`"));
        }
    }

    /// A place: its type in C, or else how it travels.
    fn place(&mut self, sides: Sides<'_>, what: &str, old: &Place, new: &Place) {
        let (was, is) = (sides.old_scope.c_type(old), sides.new_scope.c_type(new));
        let rule = if was != is { &rules::C_TYPE_CHANGED } else { &rules::TRAVEL_CHANGED };
        let (was, is) = (sides.old_scope.place(old), sides.new_scope.place(new));
        if was != is {
            self.say(rule, sides, &format!("{what} was `{was}`, and is `{is}`"));
        }
    }

    /// Clauses as a set: their order says nothing. `refine` is a matter of places.
    fn clauses(&mut self, sides: Sides<'_>, old: &[Clause], new: &[Clause]) {
        let said = |scope: Scope<'_>, clauses: &[Clause]| -> Vec<Said> {
            clauses.iter().map(|clause| Said { kind: discriminant(clause), text: scope.clause(clause) }).collect()
        };
        let (was, is) = (said(sides.old_scope, old), said(sides.new_scope, new));
        let mut lost: Vec<&Said> = was.iter().filter(|clause| !is.contains(clause)).collect();
        let mut found = Vec::new();
        for now in is.iter().filter(|clause| !was.contains(clause)) {
            let message = match lost.iter().position(|before| before.kind == now.kind) {
                Some(place) => format!("it said `{}`, and says `{}`", lost.remove(place).text, now.text),
                None => format!("it says `{}`", now.text),
            };
            found.push((now.kind, message));
        }
        found.extend(lost.into_iter().map(|before| (before.kind, format!("it no longer says `{}`", before.text))));
        let mut clauses = old.iter().chain(new);
        let refines = clauses.find(|clause| matches!(clause, Clause::Refine { .. })).map(discriminant);
        for (kind, message) in found {
            let rule = if Some(kind) == refines { &rules::TRAVEL_CHANGED } else { &rules::CLAUSES_CHANGED };
            self.say(rule, sides, &message);
        }
    }

    fn structs(&mut self) {
        let Pairs { both, added, removed, .. } =
            pairs(&self.old.structs, &self.new.structs, |def| &def.name, |_, _| false);
        for (a, b) in both {
            self.structure(a, b);
        }
        for b in added {
            self.alone(&rules::STRUCT_ADDED, &format!("struct `{}`", b.name), None, Some(b.span));
        }
        for a in removed {
            self.alone(&rules::STRUCT_REMOVED, &format!("struct `{}`", a.name), Some(a.span), None);
        }
    }

    fn structure(&mut self, a: &Struct, b: &Struct) {
        let what = format!("struct `{}`", b.name);
        let sides = Sides {
            what: &what,
            old: a.span,
            new: b.span,
            old_scope: Scope::inside(self.old, a),
            new_scope: Scope::inside(self.new, b),
        };
        self.c_name(sides, &a.name, &a.c, &b.name, &b.c);
        let names = |def: &Struct| names_of(&def.members, |member| &member.name).join(", ");
        if a.is_union != b.is_union {
            let message = if b.is_union { "its members lie over each other now" } else { "it is no union any more" };
            self.say(&rules::MEMBERS_CHANGED, sides, message);
        }
        if names(a) != names(b) {
            let message = format!("its members were ({}), and are ({})", names(a), names(b));
            self.say(&rules::MEMBERS_CHANGED, sides, &message);
        }
        let viewed = |library: &Library, def: &Struct| {
            let of = def.view_of.and_then(|id| library.structs.get(id.index()));
            of.map(|def| def.name.clone())
        };
        if viewed(self.old, a) != viewed(self.new, b) {
            self.say(&rules::TRAVEL_CHANGED, sides, "it is a view of another struct");
        }
        for y in &b.members {
            let Some(x) = a.members.iter().find(|x| x.name == y.name) else { continue };
            self.place(sides, &format!("the member `{}`", y.name), &x.place, &y.place);
            let initial = |scope: Scope<'_>, member: &Member| member.initial.as_ref().map(|e| scope.expr(e));
            if initial(sides.old_scope, x) != initial(sides.new_scope, y) {
                let message = format!("the member `{}` begins with another value", y.name);
                self.say(&rules::TRAVEL_CHANGED, sides, &message);
            }
            if x.c != y.c {
                self.say(&rules::C_NAME_CHANGED, sides, &format!("the member `{}` has another name in C", y.name));
            }
            if x.docs != y.docs {
                let message = format!("the description of the member `{}` changed", y.name);
                self.say(&rules::DOCS_CHANGED, sides, &message);
            }
        }
        if a.docs != b.docs {
            self.say(&rules::DOCS_CHANGED, sides, "the description changed");
        }
    }

    fn handles(&mut self) {
        let Pairs { both, added, removed, .. } =
            pairs(&self.old.handles, &self.new.handles, |handle| &handle.name, |_, _| false);
        for (a, b) in both {
            self.handle(a, b);
        }
        for b in added {
            self.alone(&rules::HANDLE_ADDED, &format!("handle `{}`", b.name), None, Some(b.span));
        }
        for a in removed {
            self.alone(&rules::HANDLE_REMOVED, &format!("handle `{}`", a.name), Some(a.span), None);
        }
    }

    fn handle(&mut self, a: &Handle, b: &Handle) {
        let what = format!("handle `{}`", b.name);
        let sides = Sides {
            what: &what,
            old: a.span,
            new: b.span,
            old_scope: Scope::new(self.old),
            new_scope: Scope::new(self.new),
        };
        self.c_name(sides, &a.name, &a.c, &b.name, &b.c);
        let kept = |library: &Library, handle: &Handle| {
            let memory = handle.memory.and_then(|id| library.structs.get(id.index())).map(|def| def.name.clone());
            let parent = handle.parent.and_then(|id| library.handles.get(id.index())).map(|of| of.name.clone());
            let text = |name: Option<String>| name.unwrap_or_else(|| "nothing".to_owned());
            format!("as {} with {}", text(memory), text(parent))
        };
        let (was, is) = (kept(self.old, a), kept(self.new, b));
        if was != is {
            self.say(&rules::HANDLE_CHANGED, sides, &format!("it was `{was}`, and is `{is}`"));
        }
        self.clauses(sides, &a.clauses, &b.clauses);
        if a.docs != b.docs {
            self.say(&rules::DOCS_CHANGED, sides, "the description changed");
        }
    }

    fn metadata(&mut self) {
        let text = |library: &Library, table: &Metadata| -> Vec<String> {
            let scope = Scope::new(library);
            let member = |member: &Member| {
                let initial = member.initial.as_ref().map_or(String::new(), |e| format!(" = {}", scope.expr(e)));
                format!("{}: {}{initial}", member.name, scope.place(&member.place))
            };
            table.members.iter().map(member).collect()
        };
        let tables = |library: &'a Library| -> Vec<(String, Vec<String>, Span)> {
            let scope = Scope::new(library);
            let one = |table: &Metadata| (scope.owner(table.owner).to_owned(), text(library, table), table.span);
            library.metadata.iter().map(one).collect()
        };
        let (old, new) = (tables(self.old), tables(self.new));
        for (owner, is, span) in &new {
            let was = old.iter().find(|(other, ..)| other == owner);
            if was.map(|(_, members, _)| members) != Some(is) {
                let message = format!("the metadata of `{owner}` changed");
                self.add(&rules::METADATA_CHANGED, message, was.map(|(.., span)| *span), Some(*span));
            }
        }
        for (owner, _, span) in old.iter().filter(|(owner, ..)| !new.iter().any(|(other, ..)| other == owner)) {
            let message = format!("`{owner}` has no metadata any more");
            self.add(&rules::METADATA_CHANGED, message, Some(*span), None);
        }
    }

    fn resources(&mut self) {
        let Pairs { both, added, removed, .. } =
            pairs(&self.old.resources, &self.new.resources, |resource| &resource.name, |_, _| false);
        for (a, b) in both {
            if a.kind != b.kind {
                let message = format!("the resource `{}` is held in another way", b.name);
                self.add(&rules::RESOURCES_CHANGED, message, Some(a.span), Some(b.span));
            }
        }
        for b in added {
            self.alone(&rules::RESOURCES_CHANGED, &format!("resource `{}`", b.name), None, Some(b.span));
        }
        for a in removed {
            self.alone(&rules::RESOURCES_CHANGED, &format!("resource `{}`", a.name), Some(a.span), None);
        }
    }

    fn code(&mut self) {
        let utilities = |library: &Library| library.utilities.iter().map(content).collect::<Vec<_>>();
        if utilities(self.old) != utilities(self.new) {
            self.about(&rules::CODE_CHANGED, "the text of `utility` changed".to_owned());
        }
        let hook = |hook: &Hook| (hook.event, hook.moment, content(&hook.code));
        let hooks = |library: &Library| library.hooks.iter().map(hook).collect::<Vec<_>>();
        if hooks(self.old) != hooks(self.new) {
            self.about(&rules::CODE_CHANGED, "the hooks changed".to_owned());
        }
    }

    /// Enums, constants and functions of the language.
    fn sections(&mut self) {
        for (place, a) in self.old.sections.iter().enumerate() {
            let Some((at, b)) = self.new.sections.iter().enumerate().find(|(_, b)| b.xlen == a.xlen) else { continue };
            self.found.extend(names::enums(a, b));
            self.found.extend(names::consts(a, b));
            for used in &self.new.fns {
                let Some(before) = self.old.fns.iter().find(|other| other.name == used.name) else { continue };
                let (Some(old_id), Some(new_id)) = (before.instances.get(place), used.instances.get(at)) else {
                    continue;
                };
                if body(a, *old_id) != body(b, *new_id) {
                    let message = format!("the function `{}` of the language computes something else", used.name);
                    self.about(&rules::BODY_CHANGED, message);
                }
            }
        }
    }
}

/// The canonical text of a function of the language, with all that it reaches.
fn body(section: &Section, id: FnId) -> String {
    let mut printer = Printer::new(section);
    printer.function_number(id);
    printer.with_functions()
}

/// What a text of another language says, wherever it stands.
fn content(code: &Code) -> (String, String) {
    (code.language.clone(), code.text.clone())
}
