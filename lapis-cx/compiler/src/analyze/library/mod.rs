//! Libraries: every declaration, type, clause and expression of an annotated C API, resolved and typed.
//!
//! The order of work: [`declare`] gives each name an id; [`aggregate`] resolves structs, metadata and handles;
//! [`function`] then takes functions and callbacks one by one, with the `defaults` that reach them ([`inherit`]).
//! What only the whole shows comes last ([`layout`], [`spelling`]).
//! [`table`] holds the tables of clauses, attributes and facts. What a function needs of the language itself (`const`,
//! `fn`, `enum`, the body of an `impl`) is checked by the same [`Checker`] as interfaces.

mod aggregate;
mod attribute;
mod bind;
mod body;
mod call;
mod clause;
mod declare;
mod direction;
mod expr;
mod failure;
mod function;
mod inherit;
mod layout;
mod named;
mod operators;
mod outcome;
mod place;
mod scope;
mod signature;
mod spelling;
mod table;
mod width;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::contract::FnId;
use crate::contract::library::construct::{Construct, ConstructUse};
use crate::contract::library::place::Place;
use crate::contract::library::{FnUseId, FunctionId, InterfaceName, Library, TypeId, ctype};
use crate::diagnostic::catalogue::{library as codes, names as name_codes};
use crate::diagnostic::{Code, Diagnostic, Entry};
use crate::source::Span;
use crate::syntax::{Kind, Node};

pub(super) use self::spelling::between;

use self::body::Around;
use self::declare::Symbol;
use self::function::Signature;
use self::inherit::Level;
use self::named::Shape;
use self::table::Target;
use super::checker::Checker;
use super::join_findings;
use super::names;
use super::world::World;

/// The XLENs at which the functions of the language are checked.
const XLENS: [u32; 2] = [32, 64];

/// The analysis of one library.
struct Lib<'w, 't> {
    world: &'w World<'t>,
    library: Library,
    /// One per [`XLENS`].
    checkers: Vec<Checker<'w, 't>>,
    /// All names that are declared, groups excepted.
    symbols: HashMap<&'t str, Symbol<'t>>,
    /// The interfaces after `for`: their names are known without their packages.
    named: Vec<super::world::Item<'t>>,
    /// Names whose declaration could not be read.
    broken: HashSet<&'t str>,
    /// The shapes of the functions of the API, by id.
    signatures: Vec<Signature>,
    /// The names of all parameters of functions and callbacks: `defaults` may name those of some.
    parameter_names: HashSet<&'t str>,
    /// Functions of the language that were used, by the place of their declaration.
    fn_uses: HashMap<Span, Option<FnUseId>>,
    /// The function at hand, if its body is in this language.
    around: Option<Rc<Around<'t>>>,
    /// The places of the function at hand: lengths and attributes included, which shapes lack.
    whole: Whole,
    /// Which function calls which in its body, and where.
    calls: Vec<(FunctionId, FunctionId, Span)>,
    /// The text of all `utility`s: expressions may call what it defines.
    utilities: Vec<&'t str>,
    /// The named types that are being expanded, innermost last.
    expanding: Vec<&'t str>,
    /// Whether the clause at hand comes from `defaults`.
    inherited: bool,
    /// The keys of the inner statements that replace clauses in the `when` that is being resolved.
    replaced: Rc<HashSet<String>>,
    /// On what the clause at hand stands.
    on: Target,
    /// The shapes of named types, which are the same at each use. `None` until the shapes of structs are known.
    shapes: Option<HashMap<TypeId, Shape>>,
    /// How deeply places and expressions are nested at this point.
    depth: u32,
    /// How deep they were at most, since somebody last asked.
    deepest: u32,
    found: Vec<Diagnostic>,
    seen: HashSet<(Code, Option<Span>)>,
}

/// Resolves one library of the root file.
pub(super) fn library<'t>(world: &World<'t>, node: Node<'t>, found: &mut Vec<Diagnostic>) -> Library {
    let library = Library {
        package: world.root().package.clone(),
        name: node.name().text().to_owned(),
        docs: node.docs(),
        version: None,
        interfaces: Vec::new(),
        used: Vec::new(),
        binding: Default::default(),
        sections: Vec::new(),
        fns: Vec::new(),
        structs: Vec::new(),
        types: Vec::new(),
        handles: Vec::new(),
        metadata: Vec::new(),
        resources: Vec::new(),
        callbacks: Vec::new(),
        functions: Vec::new(),
        utilities: Vec::new(),
        hooks: Vec::new(),
        constructs: Vec::new(),
        span: node.name().span(),
    };
    let mut lib = Lib {
        world,
        library,
        checkers: XLENS.iter().map(|&xlen| Checker::new(world, xlen)).collect(),
        symbols: HashMap::new(),
        named: Vec::new(),
        broken: HashSet::new(),
        signatures: Vec::new(),
        parameter_names: HashSet::new(),
        fn_uses: HashMap::new(),
        around: None,
        whole: Whole::default(),
        calls: Vec::new(),
        utilities: Vec::new(),
        expanding: Vec::new(),
        inherited: false,
        replaced: Rc::default(),
        on: Target::Function,
        shapes: None,
        depth: 0,
        deepest: 0,
        found: Vec::new(),
        seen: HashSet::new(),
    };
    lib.interfaces(node);
    let parts = lib.declare(node);
    lib.bind(node);
    let levels = Level::of_library(&mut lib, node);
    lib.aggregates(&parts, &levels);
    lib.functions(&parts, &levels);
    lib.layouts();
    lib.registrations_carried();
    lib.check_conventions();
    lib.same_in_c();
    lib.unused_types(&parts);
    let Lib { mut library, checkers, found: own, .. } = lib;
    let mut by_xlen = Vec::new();
    for checker in checkers {
        by_xlen.push((checker.xlen, checker.found));
        library.sections.push(checker.section);
    }
    found.extend(each_once(own));
    found.extend(join_findings(by_xlen));
    library
}

impl<'t> Lib<'_, 't> {
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.seen.insert((diagnostic.code, diagnostic.span())) {
            self.found.push(diagnostic);
        }
    }

    fn error(&mut self, entry: &'static Entry, node: Node<'_>, message: impl Into<String>, label: &str) {
        self.report(Diagnostic::error(entry, message, node.span(), label));
    }

    /// Notes a use of a construct that not every backend carries out, once for each place.
    fn uses(&mut self, construct: Construct, what: &str, span: Span) {
        if !self.library.constructs.iter().any(|one| (one.construct, one.span) == (construct, span)) {
            self.library.constructs.push(ConstructUse { construct, what: format!("`{what}`"), span });
        }
    }

    /// "there is no `x`", with the nearest of some names.
    fn unknown<'n>(&mut self, name: Node<'_>, what: &str, known: impl Iterator<Item = &'n str>) {
        if self.broken.contains(name.text()) || self.world.is_broken(0, name.text()) {
            return;
        }
        let message = format!("there is no {what} `{}`", name.text());
        let mut diagnostic = Diagnostic::error(&name_codes::UNKNOWN_NAME, message, name.span(), "not found here");
        if let Some(written) = ctype::written(name.text()).filter(|_| what == "type") {
            diagnostic = diagnostic.help(format!("write `{written}`: C's `{}` has this name here", name.text()));
        } else if self.world.may_suggest() {
            let mut known: Vec<_> = known.collect();
            known.sort_unstable();
            if let Some(near) = names::nearest(name.text(), known.into_iter()) {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            }
        }
        self.report(diagnostic);
    }

    /// The interfaces after `for`.
    fn interfaces(&mut self, node: Node<'t>) {
        let mut items = Vec::new();
        for path in node.children_of(Kind::path) {
            let Some(item) = self.interface_of(path) else { continue };
            let package = self.world.file(item.file).package.clone();
            let name = InterfaceName { package, name: item.node.name().text().to_owned() };
            if self.library.interfaces.contains(&name) {
                let message = format!("duplicate `{}` after `for`", name.name);
                self.error(&codes::REPEATED, path, message, "again here");
            } else {
                self.library.interfaces.push(name);
                items.push(item);
            }
        }
        self.named = items;
    }

    /// The interface that a path names.
    fn interface_of(&mut self, path: Node<'t>) -> Option<super::world::Item<'t>> {
        let known = self.world.lookup_path(0, path);
        let known_elsewhere = known.filter(|item| item.node.kind() == Kind::interface);
        let is_bare = !path.has(Kind::qname);
        let named = self.named.iter().filter(|item| is_bare && item.node.name().text() == path.name().text());
        let mut found: Vec<_> = named.copied().chain(known_elsewhere).collect();
        found.dedup_by_key(|item| item.node.span());
        if let [first, second, ..] = found.as_slice() {
            let full = |item: &super::world::Item<'t>| {
                format!("`{}:{}`", self.world.file(item.file).package, item.node.name().text())
            };
            let message = format!("`{}` may be {} or {}", path.text(), full(first), full(second));
            let diagnostic =
                Diagnostic::error(&name_codes::DUPLICATE, message, path.span(), "one name, two interfaces");
            self.report(diagnostic.help("write the package before it"));
            return None;
        }
        match found.pop().or(known) {
            Some(item) if item.node.kind() == Kind::interface => Some(item),
            Some(item) => {
                let message = format!("`{}` is no interface", path.text());
                let diagnostic = Diagnostic::error(&name_codes::WRONG_KIND, message, path.span(), "not an interface");
                self.report(diagnostic.label(item.node.name().span(), "declared here"));
                None
            }
            None => {
                let local = path.child(Kind::qname).map_or(path.name(), |q| q.name());
                if !self.world.is_broken(0, local.text()) {
                    let message = format!("there is no interface `{}`", path.text());
                    self.report(
                        Diagnostic::error(&name_codes::UNKNOWN_NAME, message, path.span(), "not found")
                            .help("import it with `use package:Name;`, or write its package before it"),
                    );
                }
                None
            }
        }
    }

    /// The use of a function of the language: its instances at each XLEN.
    fn fn_use(&mut self, decl: super::checker::Decl<'t>) -> Option<FnUseId> {
        let key = decl.node.span();
        if let Some(known) = self.fn_uses.get(&key) {
            return *known;
        }
        let instances: Vec<FnId> =
            self.checkers.iter_mut().filter_map(|checker| checker.instance(decl, Vec::new(), None)).collect();
        let id = (instances.len() == self.checkers.len()).then(|| {
            let name = decl.node.name().text().to_owned();
            self.library.fns.push(crate::contract::library::FnUse { name, instances });
            FnUseId(self.library.fns.len() as u32 - 1)
        });
        self.fn_uses.insert(key, id);
        id
    }
}

/// The most further places that a finding shows.
const MAX_PLACES: usize = 3;

/// Joins findings about one mistake: a type or function that is not declared, at each use, and a clause of `defaults`, in each function
/// that it reaches. The first one shows the next places and counts the others.
fn each_once(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut first: HashMap<(Code, Option<Span>, String), usize> = HashMap::new();
    let mut all: Vec<(Diagnostic, Vec<Span>)> = Vec::new();
    for diagnostic in found {
        let key = match diagnostic.code {
            code if code == name_codes::UNKNOWN_NAME.code => {
                let is_global = ["type", "function"]
                    .iter()
                    .any(|what| diagnostic.message.starts_with(&format!("there is no {what} ")));
                is_global.then(|| (code, None, diagnostic.message.clone()))
            }
            code if code == codes::OUT_OF_SCOPE.code => {
                let of_defaults = diagnostic.message.split_once(clause::ARRIVES_WRONG);
                of_defaults.map(|(_, why)| (code, diagnostic.labels.get(1).map(|label| label.span), why.to_owned()))
            }
            _ => None,
        };
        let Some(key) = key else {
            all.push((diagnostic, Vec::new()));
            continue;
        };
        let earlier = first.get(&key).and_then(|at| all.get_mut(*at));
        match (earlier, diagnostic.span()) {
            (Some((_, more)), Some(span)) => more.push(span),
            _ => {
                first.insert(key, all.len());
                all.push((diagnostic, Vec::new()));
            }
        }
    }
    let joined = all.into_iter().map(|(mut diagnostic, mut more)| {
        more.sort_by_key(|span| span.start);
        for span in more.iter().take(MAX_PLACES) {
            diagnostic = diagnostic.label(*span, "and here");
        }
        match more.len().saturating_sub(MAX_PLACES) {
            0 => diagnostic,
            1 => diagnostic.note("the same mistake is in 1 more place"),
            n => diagnostic.note(format!("the same mistake is in {n} more places")),
        }
    });
    joined.collect()
}

/// The places of a function.
#[derive(Default)]
struct Whole {
    params: Vec<Place>,
    implicits: Vec<Place>,
    result: Option<Place>,
}
