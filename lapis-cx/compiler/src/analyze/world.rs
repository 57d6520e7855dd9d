//! Files, packages and their items.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::names as codes;
use crate::source::Span;
use crate::syntax::{Kind, Node, Tree};

use super::names;

/// All files of one compilation, root first.
pub struct World<'t> {
    files: Vec<File<'t>>,
    /// Items by package and name.
    items: BTreeMap<(String, String), Item<'t>>,
    /// What files declare that no import leads to, by name, with the package.
    elsewhere: BTreeMap<String, String>,
    /// What is left to spend in this compilation.
    budget: Budget,
    /// Functions that were checked, by their places.
    instanced: RefCell<HashSet<Span>>,
}

/// What one compilation may still spend: many constants together cannot take longer than one.
struct Budget {
    /// Steps of constant evaluation.
    steps: Cell<u64>,
    /// Elements of array constants.
    elements: Cell<u64>,
    /// Elements of array constants at each of their uses: the contract hash covers them there.
    uses: Cell<u64>,
    /// Expressions and blocks that are checked, each once per member of a family, instance and XLEN.
    checks: Cell<u64>,
    /// Unknown names that are compared with the known ones.
    suggestions: Cell<u32>,
    /// Whether it is still to be said that steps are used up: one finding says it for all.
    time: Cell<bool>,
    /// The same of the elements.
    room: Cell<bool>,
}

/// Steps of constant evaluation: a table of 65536 words by a hundred steps each fits twice.
const STEPS: u64 = 20_000_000;
/// Elements of array constants, each some 50 bytes: 64 arrays of the greatest length.
const ELEMENTS: u64 = 1 << 22;
/// Elements of array constants at their uses: a table of 256 words in each of a thousand commands, sixty times.
const USES: u64 = 1 << 24;
/// Expressions and blocks to check: a family of 1000 members with bodies of four hundred lines, at both XLENs.
const CHECKS: u64 = 4_000_000;
/// Unknown names that get a suggestion.
const SUGGESTIONS: u32 = 100;

/// One parsed file.
pub struct File<'t> {
    /// Its tree.
    pub tree: &'t Tree,
    /// Its package; empty where the clause is missing.
    pub package: String,
    /// Its own items by name.
    own: HashMap<&'t str, Item<'t>>,
    /// What `use` brings in: local name to item.
    imports: HashMap<&'t str, Item<'t>>,
    /// Names whose declaration or import could not be understood. That was said, so their uses are not unknown names.
    broken: HashSet<&'t str>,
}

/// An item and the file it stands in.
#[derive(Clone, Copy, Debug)]
pub struct Item<'t> {
    /// The item.
    pub node: Node<'t>,
    /// Position of its file.
    pub file: usize,
}

impl<'t> World<'t> {
    /// Indexes `trees`; the first is the root. Findings are about imports that lead nowhere and items defined twice.
    /// `elsewhere` names what could be imported too, with its package: it is only suggested.
    pub fn new(trees: &'t [Tree], elsewhere: BTreeMap<String, String>, diagnostics: &mut Vec<Diagnostic>) -> World<'t> {
        let budget = Budget {
            steps: Cell::new(STEPS),
            elements: Cell::new(ELEMENTS),
            uses: Cell::new(USES),
            // What is written is checked in any case; the rest is for families, generics and heirs.
            checks: Cell::new(CHECKS + 16 * trees.iter().map(|t| t.text().len() as u64).sum::<u64>()),
            suggestions: Cell::new(SUGGESTIONS),
            time: Cell::new(true),
            room: Cell::new(true),
        };
        let (files, items) = (Vec::new(), BTreeMap::new());
        let mut world = World { files, items, elsewhere, budget, instanced: RefCell::default() };
        for (index, tree) in trees.iter().enumerate() {
            let package = package_of(tree);
            let clause = tree.root().child(Kind::package).and_then(|p| p.child(Kind::dotted));
            for segment in clause.into_iter().flat_map(|d| d.children_of(Kind::ident)) {
                if segment.text().contains('_') && !segment.is_broken() {
                    diagnostics.push(
                        Diagnostic::error(
                            &codes::BAD_NAME,
                            "the name of a package holds no underscore",
                            segment.span(),
                            "this part",
                        )
                        .note("derived names join package and item with `_`, and must come apart again")
                        .help("write the words together, as in `org.example.fastmath`"),
                    );
                }
            }
            let mut own = HashMap::new();
            for node in tree.root().children() {
                if !matches!(
                    node.kind(),
                    Kind::interface | Kind::library | Kind::platform | Kind::const_item | Kind::fn_item | Kind::law
                ) {
                    continue;
                }
                let name = node.name();
                if names::is_built_in(name.text(), node.kind() != Kind::const_item) {
                    diagnostics.push(names::built_in(name));
                }
                let item = Item { node, file: index };
                let key = (package.clone(), name.text().to_owned());
                if let Some(first) = world.items.get(&key) {
                    diagnostics.push(
                        Diagnostic::error(
                            &codes::DUPLICATE,
                            format!("`{}` is defined twice in package `{package}`", name.text()),
                            name.span(),
                            "defined again here",
                        )
                        .label(first.node.name().span(), "first defined here")
                        .help("give one of them another name"),
                    );
                } else {
                    world.items.insert(key, item);
                    own.insert(name.text(), item);
                }
            }
            let bad = tree.root().children_of(Kind::bad_item).flat_map(names::declared_in);
            // Members of interfaces that stand outside of any: that is said, and not again at each use.
            let outside = tree.root().children_of(Kind::misplaced).flat_map(Node::children);
            let is_named = |node: &Node<'t>| {
                matches!(node.kind(), Kind::enum_item | Kind::csr_item | Kind::command | Kind::error_item)
            };
            let broken = bad.chain(outside.filter(is_named).map(|node| node.name().text())).collect();
            world.files.push(File { tree, package, own, imports: HashMap::new(), broken });
        }
        for index in 0..world.files.len() {
            world.resolve_imports(index, diagnostics);
        }
        world
    }

    fn resolve_imports(&mut self, index: usize, diagnostics: &mut Vec<Diagnostic>) {
        let tree = self.files[index].tree;
        let mut imports: HashMap<&'t str, Item<'t>> = HashMap::new();
        let mut broken = Vec::new();
        let mut places: HashMap<&'t str, Span> = HashMap::new();
        for clause in tree.root().children_of(Kind::use_clause) {
            let Some(qname) = clause.child(Kind::qname) else { continue };
            let (package, name) = split_qname(qname);
            let local = clause.child(Kind::ident).unwrap_or(qname.name());
            let key = (package, name);
            let Some(item) = self.items.get(&key).copied() else {
                // What a file without a readable item defines, nobody knows.
                if !self.is_any_unread() {
                    diagnostics.push(self.unknown_import(&key, qname));
                }
                broken.push(local.text());
                continue;
            };
            if let Some(first) = places.insert(local.text(), local.span()) {
                diagnostics.push(
                    Diagnostic::error(
                        &codes::DUPLICATE,
                        format!("`{}` is imported twice", local.text()),
                        local.span(),
                        "imported again here",
                    )
                    .label(first, "first imported here")
                    .help("remove one, or rename it with `as`"),
                );
            } else if let Some(own) = self.files[index].own.get(local.text()) {
                diagnostics.push(
                    Diagnostic::error(
                        &codes::DUPLICATE,
                        format!("the import `{}` has the name of an item of this package", local.text()),
                        local.span(),
                        "imported here",
                    )
                    .label(own.node.name().span(), "defined here")
                    .help(format!("rename the import: `use {}:{} as Other;`", key.0, key.1)),
                );
            }
            imports.insert(local.text(), item);
        }
        let file = &mut self.files[index];
        file.imports = imports;
        file.broken.extend(broken);
    }

    /// The package that has an item of this name, if a file that could be imported has it.
    pub(super) fn package_with(&self, name: &str) -> Option<&str> {
        let root = &self.root().package;
        let read = self.items.keys().find(|(package, item)| item == name && package != root);
        read.map(|(package, _)| package).or_else(|| self.elsewhere.get(name)).map(String::as_str)
    }

    /// What is wrong with a `qname` that leads nowhere.
    pub(super) fn unknown_import(&self, (package, name): &(String, String), qname: Node<'_>) -> Diagnostic {
        let of_package: Vec<_> = self.items.keys().filter(|(p, _)| p == package).map(|(_, n)| n.as_str()).collect();
        if of_package.is_empty() {
            let built_in = ["cx.std", "org.RiscV.Fallback"];
            // Nobody imports from the package of the file itself what it does not have.
            let is_own = |file: &File<'_>| file.tree.root().span().file == qname.span().file;
            let has_it = |file: &File<'_>| self.items.contains_key(&(file.package.clone(), name.clone()));
            let others = self.files.iter().filter(|file| !is_own(file) || has_it(file));
            let known: Vec<_> = others.map(|file| file.package.as_str()).chain(built_in).collect();
            let mut found = Diagnostic::error(
                &codes::UNKNOWN_PACKAGE,
                format!("no file defines package `{package}`"),
                qname.child(Kind::dotted).unwrap_or(qname).span(),
                "not found",
            )
            .help("looked for `package` clauses in the file's own folder and in each `-I` folder");
            if let Some(near) = names::nearest(package, known.into_iter()) {
                found = found.help(format!("did you mean `{near}`?"));
            }
            return found;
        }
        let help = match names::nearest(name, of_package.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it defines {}", names::quoted_list(&of_package)),
        };
        Diagnostic::error(
            &codes::UNKNOWN_NAME,
            format!("package `{package}` has no item `{name}`"),
            qname.name().span(),
            "not found",
        )
        .help(help)
    }

    /// Remembers that a function was checked with some values of its generics.
    pub(super) fn note_instance(&self, function: Node<'t>) {
        self.instanced.borrow_mut().insert(function.span());
    }

    /// Whether a function was.
    pub(super) fn is_instanced(&self, function: Node<'t>) -> bool {
        self.instanced.borrow().contains(&function.span())
    }

    /// What is left of the steps of constant evaluation.
    pub(super) fn steps(&self) -> u64 {
        self.budget.steps.get()
    }

    /// Says how many steps are left.
    pub(super) fn set_steps(&self, left: u64) {
        self.budget.steps.set(left);
    }

    /// Whether it is still to be said that the steps are used up.
    pub(super) fn may_complain_of_time(&self) -> bool {
        self.budget.time.replace(false)
    }

    /// Whether it is still to be said that the elements are used up.
    pub(super) fn may_complain_of_room(&self) -> bool {
        self.budget.room.replace(false)
    }

    /// Takes array elements from the budget; false if it does not have them.
    pub(super) fn take_elements(&self, count: u64) -> bool {
        take(&self.budget.elements, count)
    }

    /// As [`Self::take_elements`], for an expression or block to check.
    pub(super) fn take_check(&self) -> bool {
        self.take_checks(1)
    }

    /// As [`Self::take_check`], for what costs as much as several.
    pub(super) fn take_checks(&self, count: u64) -> bool {
        take(&self.budget.checks, count)
    }

    /// As [`Self::take_elements`], for a use of a named array.
    pub(super) fn take_use(&self, count: u64) -> bool {
        take(&self.budget.uses, count)
    }

    /// Whether one more unknown name may be compared with the known ones.
    pub(super) fn may_suggest(&self) -> bool {
        let left = self.budget.suggestions.get();
        self.budget.suggestions.set(left.saturating_sub(1));
        left > 0
    }

    /// The root file.
    pub fn root(&self) -> &File<'t> {
        &self.files[0]
    }

    /// All files but the root.
    pub(super) fn imported(&self) -> impl Iterator<Item = &File<'t>> {
        self.files.iter().skip(1)
    }

    /// A file by position.
    pub fn file(&self, index: usize) -> &File<'t> {
        &self.files[index]
    }

    /// What a name means in a file: an item of its own package in that file, or an import.
    pub fn lookup(&self, file: usize, name: &str) -> Option<Item<'t>> {
        let File { own, imports, .. } = &self.files[file];
        own.get(name).or_else(|| imports.get(name)).copied()
    }

    /// As [`World::lookup`], in the file in which `node` stands.
    pub(super) fn lookup_beside(&self, node: Node<'t>, name: &str) -> Option<Item<'t>> {
        let file = self.files.iter().position(|file| file.tree.file() == node.span().file)?;
        self.lookup(file, name)
    }

    /// Whether a name was declared or imported in a file in a way that could not be understood.
    pub fn is_broken(&self, file: usize, name: &str) -> bool {
        self.files[file].broken.contains(name)
    }

    /// What a path (`Name` or `package:Name`) means in a file.
    pub fn lookup_path(&self, file: usize, path: Node<'t>) -> Option<Item<'t>> {
        match path.child(Kind::qname) {
            Some(qname) => self.items.get(&split_qname(qname)).copied(),
            None => self.lookup(file, path.name().text()),
        }
    }

    /// Whether a file was not parsed at all: what it defines, nobody knows.
    pub(super) fn is_any_unread(&self) -> bool {
        self.files.iter().any(|f| f.tree.is_unread())
    }

    /// Whether any file holds text that could not be read.
    pub fn is_any_broken(&self) -> bool {
        self.files.iter().any(|f| f.tree.root().is_broken())
    }

    /// Names that [`World::lookup`] would find.
    pub fn names(&self, file: usize) -> impl Iterator<Item = &'t str> {
        let File { own, imports, .. } = &self.files[file];
        own.keys().chain(imports.keys()).copied()
    }
}

fn take(budget: &Cell<u64>, count: u64) -> bool {
    let left = budget.get().checked_sub(count);
    budget.set(left.unwrap_or(0));
    left.is_some()
}

/// The package a file says it belongs to.
pub fn package_of(tree: &Tree) -> String {
    let clause = tree.root().child(Kind::package).and_then(|p| p.child(Kind::dotted));
    clause.map(dotted_text).unwrap_or_default()
}

/// The packages a file names: in its imports, and wherever a `package:Name` stands.
pub fn imported_packages(tree: &Tree) -> impl Iterator<Item = String> {
    tree.root().descendants(|node| node.kind() == Kind::qname).map(|qname| split_qname(qname).0)
}

/// Package and name of a `qname`.
pub fn split_qname(qname: Node<'_>) -> (String, String) {
    (qname.child(Kind::dotted).map(dotted_text).unwrap_or_default(), qname.name().text().to_owned())
}

/// A dotted name without the blanks that may stand around its dots.
fn dotted_text(dotted: Node<'_>) -> String {
    dotted.children_of(Kind::ident).map(|i| i.text()).collect::<Vec<_>>().join(".")
}
