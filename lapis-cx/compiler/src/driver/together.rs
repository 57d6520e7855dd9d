//! What several roots say together: no item is defined in two of them, no UUID or xintf id is given twice, and no file
//! is written by two.

use std::collections::{HashMap, HashSet};

use super::capability_check::is_file;
use super::identities::{HELP_UUID, HELP_XINTF, uuid_twice, xintf_text};
use super::parallel;
use crate::analyze::world::package_of;
use crate::backend::{Backend, DerivedName};
use crate::contract::{Contract, Interface};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::driver::{NAME_COLLISION, SAME_IDENTITY};
use crate::diagnostic::catalogue::names::DUPLICATE;
use crate::source::{FileId, SourceMap, Span};
use crate::syntax::{self, Kind};

/// What an identity belongs to.
#[derive(Clone)]
struct Owner {
    /// `package:Name`
    name: String,
    hash: String,
    span: Span,
}

/// The roots of one run.
#[derive(Default)]
pub struct Together {
    sources: SourceMap,
    items: HashMap<String, Span>,
    uuids: HashMap<uuid::Uuid, Owner>,
    ids: HashMap<u32, Owner>,
    long_ids: HashMap<u64, Owner>,
    /// What writes a file, by the space and the path in small letters.
    files: HashMap<(&'static str, String), (String, Span)>,
}

impl Together {
    /// No root yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The roots that were added: what spans of the findings are about.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Adds a root and what it came to; gives what clashes with earlier roots, also the files that these backends would
    /// write. What clashes within one root is found when that is compiled.
    pub fn add(
        &mut self,
        root: &str,
        sources: &SourceMap,
        contract: Option<&Contract>,
        backends: &[&dyn Backend],
    ) -> Vec<Diagnostic> {
        let Some(text) = sources.get(FileId(0)).map(|file| file.text()) else { return Vec::new() };
        let file = self.sources.add(root, text);
        let (items, mut found) = self.add_items(file);
        let mut owners = Vec::new();
        for interface in contract.into_iter().flat_map(Contract::interfaces).filter(|i| !i.is_abstract) {
            let name = format!("{}:{}", interface.package, interface.name);
            let owner = Owner { name, hash: interface.hash.clone(), span: Span { file, ..interface.span } };
            // An item that is there twice was said; that its copy has the same ids follows from it.
            if !items.iter().any(|(item, is_new)| !is_new && *item == owner.name) {
                found.extend(self.identities(interface, &owner));
            }
            owners.push((interface, owner));
        }
        let is_copy = |span: Span| {
            let of = owners.iter().find(|(_, owner)| owner.span == span);
            of.is_some_and(|(_, owner)| items.iter().any(|(item, is_new)| !is_new && *item == owner.name))
        };
        if let Some(contract) = contract {
            found.extend(self.outputs(file, contract, backends, is_copy));
        }
        for (interface, owner) in owners {
            if let Some(uuid) = interface.uuid {
                self.uuids.entry(uuid).or_insert_with(|| owner.clone());
            }
            if let Some(xintf) = interface.xintf {
                self.ids.entry(xintf.id20).or_insert_with(|| owner.clone());
                self.long_ids.entry(xintf.id52).or_insert(owner);
            }
        }
        found
    }

    /// Each item of a file with whether its name is new, and what is to be said of those that are not.
    fn add_items(&mut self, file: FileId) -> (Vec<(String, bool)>, Vec<Diagnostic>) {
        let (tree, _) = syntax::parse(&self.sources, file);
        let package = package_of(&tree);
        let is_item = |kind| {
            use Kind::*;
            matches!(kind, interface | library | platform | const_item | fn_item | law)
        };
        let (mut items, mut found) = (Vec::new(), Vec::new());
        for node in tree.root().children().filter(|node| is_item(node.kind()) && !node.name().text().is_empty()) {
            let (name, span) = (node.name().text(), node.name().span());
            let key = format!("{package}:{name}");
            let first = *self.items.entry(key.clone()).or_insert(span);
            if first.file != file {
                let message = format!("`{name}` is defined twice in package `{package}`, in two files");
                found.push(
                    Diagnostic::error(&DUPLICATE, message, span, "defined again here")
                        .label(first, "first defined here")
                        .help("give one of them another name, or one of the files another package"),
                );
            }
            items.push((key, first.file == file));
        }
        (items, found)
    }

    /// The files that another root would write too: one finding for two interfaces, however many files they share. What
    /// was said of a copy is not said again of its files.
    fn outputs(
        &mut self,
        file: FileId,
        contract: &Contract,
        backends: &[&dyn Backend],
        is_copy: impl Fn(Span) -> bool,
    ) -> Vec<Diagnostic> {
        // That the naming of a backend failed was said when the root was compiled.
        let names = parallel::map(backends, 1, |backend| backend.names(contract)).into_iter().flatten().flatten();
        let (mut said, mut found) = (HashSet::new(), Vec::new());
        for DerivedName { space, name, what, span } in names.filter(is_file) {
            let span = Span { file, ..span };
            let first = self.files.entry((space, name.to_lowercase())).or_insert_with(|| (what.to_string(), span));
            if first.1.file != file && !is_copy(span) && said.insert((first.1, span)) {
                let message = format!("{} and {what} would both be the {space} `{name}`", first.0);
                found.push(
                    Diagnostic::error(&NAME_COLLISION, message, span, "this name").label(first.1, "and this one").help(
                        "give one of them another `short` name, or build each spec by itself, into its own folder",
                    ),
                );
            }
        }
        found
    }

    /// What other roots have of the identities of an interface.
    fn identities(&self, interface: &Interface, owner: &Owner) -> Vec<Diagnostic> {
        let other = |first: &&Owner| first.span.file != owner.span.file;
        let mut found = Vec::new();
        if let Some(uuid) = interface.uuid
            && let Some(first) = self.uuids.get(&uuid).filter(other)
        {
            let clash = clash(first, owner, &format!("the UUID {uuid}"));
            found.push(if first.hash == owner.hash { uuid_twice(clash) } else { clash.help(HELP_UUID) });
        }
        if let Some(xintf) = interface.xintf {
            let by_id = self.ids.get(&xintf.id20).filter(other);
            if let Some(first) = by_id.or(self.long_ids.get(&xintf.id52).filter(other)) {
                found.push(clash(first, owner, &xintf_text(xintf, by_id.is_some())).help(HELP_XINTF));
            }
        }
        found
    }
}

fn clash(first: &Owner, second: &Owner, what: &str) -> Diagnostic {
    let message = format!("`{}` and `{}` both have {what}", first.name, second.name);
    Diagnostic::error(&SAME_IDENTITY, message, second.span, "this interface").label(first.span, "and this one")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::backend::{Capabilities, EmitError, File, Input, What};
    use crate::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};

    fn interface(name: &str, clause: &str, body: &str) -> String {
        let clauses = format!("xlen 32; {clause}");
        format!("draft interface {name} {{ {clauses} command c = 0 : R (x: u32) -> u32 {{ return {body}; }} }}\n")
    }

    /// Writes two files for each interface.
    struct TwoFiles;

    impl Backend for TwoFiles {
        fn name(&self) -> &'static str {
            "two"
        }
        fn about(&self) -> &'static str {
            "a test"
        }
        fn capabilities(&self) -> Capabilities {
            Capabilities::ALL
        }
        fn names<'c>(&self, contract: &'c Contract) -> Vec<DerivedName<'c>> {
            let of = |interface: &'c Interface, space, end: &str| {
                let name = format!("{}{end}", interface.short.as_deref().unwrap_or(&interface.package));
                DerivedName { space, name, what: What::new(["`", &interface.name, "`"]), span: interface.span }
            };
            let all = |i| [of(i, "two file", ".a"), of(i, "two file", ".b"), of(i, "two identifier", "")];
            contract.interfaces().flat_map(all).collect()
        }
        fn emit(&self, _: Input<'_>) -> Result<Vec<File>, EmitError> {
            Ok(Vec::new())
        }
    }

    /// The codes of what each file adds to those before it.
    fn codes(files: &[String]) -> Vec<Vec<u16>> {
        let mut together = Together::new();
        let mut add = |text: &String| {
            let root = SourceText { name: "t".to_owned(), bytes: text.clone().into_bytes() };
            let outcome = compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, &[]);
            assert!(!outcome.has_errors(), "{:?}", outcome.diagnostics);
            let found = together.add("t", &outcome.sources, outcome.contract.as_ref(), &[&TwoFiles]);
            found.iter().map(|d| d.code.0).collect()
        };
        files.iter().map(&mut add).collect()
    }

    fn file(package: &str, items: &str) -> String {
        format!("cxspec 1;\npackage {package};\n{items}")
    }

    #[test]
    fn items_are_unique_in_their_package() {
        let items = "const A: u8 = 1;\nfn f() -> u8 { return 1; }\n";
        let one = file("a.b", items);
        assert_eq!(codes(&[one.clone(), file("a.c", items), one]), [vec![], vec![], vec![102, 102]]);
    }

    #[test]
    fn a_copied_interface_is_said_once() {
        let one = file("a.b", &interface("I", "uuid auto; xintf 0x12345;", "x"));
        assert_eq!(codes(&[one.clone(), one]), [vec![], vec![102]]);
    }

    #[test]
    fn uuids_and_ids_are_unique() {
        let uuid = "uuid \"5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa\";";
        let of = |package: &str, clause: &str, body: &str| file(package, &interface("I", clause, body));
        let second = |one: String, two: String| codes(&[one, two]).remove(1);
        assert_eq!(second(of("a.b", uuid, "x"), of("a.c", uuid, "x +% 1")), [914]);
        assert_eq!(second(of("a.b", "uuid auto;", "x"), of("a.c", "uuid auto;", "x")), [914]);
        assert_eq!(second(of("a.b", "uuid auto;", "x"), of("a.c", "uuid auto;", "x +% 1")), [0u16; 0]);
        assert_eq!(second(of("a.b", "xintf 0x12345;", "x"), of("a.c", "xintf 0x12345;", "x")), [914]);
        assert_eq!(second(of("a.b", "xintf 0x12345;", "x"), of("a.c", "xintf 0x12346;", "x")), [0u16; 0]);
    }
    #[test]
    fn two_roots_that_write_the_same_files_are_one_finding() {
        let of = |package: &str, short: &str| {
            let uuid = "uuid auto; short ";
            file(package, &interface("I", &format!("{uuid}{short};"), if package == "a.b" { "x" } else { "x +% 1" }))
        };
        let second = |one: String, two: String| codes(&[one, two]).remove(1);
        assert_eq!(second(of("a.b", "s"), of("a.c", "s")), [905]);
        // Not every file system tells them apart.
        assert_eq!(second(of("a.b", "s"), of("a.c", "S")), [905]);
        assert_eq!(second(of("a.b", "s"), of("a.c", "t")), [0u16; 0]);
        assert_eq!(second(of("a.b", "s"), of("a.b", "s")), [102]);
    }
}
