//! The page of a library: its functions, what lives how long, and its types.

mod function;
mod objects;
mod place;

use lapis_cx::contract::library::text::Scope;
use lapis_cx::contract::library::{Function, Library, Member, Metadata, ResourceKind, Struct};

use super::interface::{anchor, part};
use super::{Site, docs, line, table};
use crate::Spec;
use crate::document::{Block, Entry, Inline, Kind, MEANING, Page, Section, code, text};
use crate::prose;

/// What the parts of the page share.
pub struct Of<'a> {
    pub site: &'a Site<'a>,
    pub library: &'a Library,
    pub path: String,
    pub entries: Vec<Entry>,
}

impl Of<'_> {
    fn entry(&mut self, kind: &'static str, name: &str, anchor: &str, about: &str) {
        let summary = prose::summary(about);
        self.entries.push(Entry { name: name.to_owned(), kind, anchor: anchor.to_owned(), summary });
    }
}

/// The page.
pub fn page(site: &Site<'_>, spec: &Spec<'_>, library: &Library, path: String) -> Page {
    let mut of = Of { site, library, path, entries: Vec::new() };
    let mut blocks = docs(&library.docs);
    blocks.push(Block::Facts(facts(&of, spec)));
    blocks.extend(objects::lifetimes(&of));
    blocks.extend(functions(&mut of));
    blocks.extend(callbacks(&mut of));
    blocks.extend(objects::handles(&mut of));
    blocks.extend(structs(&mut of));
    blocks.extend(metadata(&of));
    blocks.extend(enums(&mut of));
    blocks.extend(resources(&mut of));
    Page {
        path: of.path,
        kind: Kind::Library,
        title: library.name.clone(),
        over: format!("{} · library", library.package),
        summary: prose::summary(&library.docs),
        blocks,
        entries: of.entries,
    }
}

fn facts(of: &Of<'_>, spec: &Spec<'_>) -> Vec<(String, Vec<Inline>)> {
    let library = of.library;
    let binding = &library.binding;
    let mut facts: Vec<(String, Vec<Inline>)> =
        vec![("Name".into(), vec![code(format!("{}:{}", library.package, library.name))])];
    let mut add = |label: &str, values: &[String]| {
        if values.iter().any(|value| !value.is_empty()) {
            facts.push((label.into(), vec![code(values.join(" "))]));
        }
    };
    add("Version", library.version.as_slice());
    add("Header", &binding.headers);
    add("Shared library", binding.soname.as_slice());
    add("Prefix", binding.prefix.as_slice());
    add("Compiler flags", &binding.cflags);
    add("Linker flags", &binding.libs);
    if !library.interfaces.is_empty() {
        let mut names = Vec::new();
        for name in &library.interfaces {
            if !names.is_empty() {
                names.push(text(", "));
            }
            names.push(of.site.link(&name.package, &name.name));
        }
        facts.push(("For".into(), names));
    }
    facts.push(("Source".into(), vec![code(spec.name)]));
    facts
}

/// The functions: a table, then each; those of a group stand together.
fn functions(of: &mut Of<'_>) -> Option<Block> {
    let library = of.library;
    let mut blocks = vec![function::list(of, &library.functions, "func")];
    let mut group: &[String] = &[];
    for function in &library.functions {
        if function.groups != group {
            group = &function.groups;
            let title =
                if group.is_empty() { "Without a group".to_owned() } else { format!("Group {}", group.join(", ")) };
            blocks.push(Block::Text(vec![Inline::Strong(vec![text(title)])]));
        }
        blocks.push(one(of, function, "func", "function"));
    }
    part("functions", "Functions", if library.functions.is_empty() { Vec::new() } else { blocks })
}

fn callbacks(of: &mut Of<'_>) -> Option<Block> {
    let library = of.library;
    let mut blocks = Vec::new();
    for callback in &library.callbacks {
        blocks.push(one(of, callback, "callback", "callback"));
    }
    if !blocks.is_empty() {
        let intro =
            "Functions of the caller that the library calls. What is in goes to the caller, what is out comes from it.";
        blocks.insert(0, Block::Text(vec![text(intro)]));
    }
    part("callbacks", "Callbacks", blocks)
}

fn one(of: &mut Of<'_>, function: &Function, kind: &str, what: &'static str) -> Block {
    let id = anchor(kind, &function.name);
    of.entry(what, &function.name, &id, &function.docs);
    let name = of.library.name_in_c(function.c.as_deref(), &function.name);
    let marks = if name == function.name { Vec::new() } else { vec![name] };
    let blocks = function::blocks(of, function);
    Block::Section(Section { level: 3, id, title: vec![code(&function.name)], marks, blocks })
}

fn structs(of: &mut Of<'_>) -> Option<Block> {
    let library = of.library;
    let mut blocks = Vec::new();
    for def in &library.structs {
        let id = anchor("struct", &def.name);
        of.entry(if def.is_union { "union" } else { "struct" }, &def.name, &id, &def.docs);
        let mut inner = docs(&def.docs);
        inner.push(members(Scope::inside(library, def), &def.members));
        let mut marks = vec![if def.is_union { "union" } else { "struct" }.to_owned()];
        marks.extend(view(library, def));
        blocks.push(Block::Section(Section { level: 3, id, title: vec![code(&def.name)], marks, blocks: inner }));
    }
    part("structs", "Structs", blocks)
}

/// Of which struct another one is a view.
fn view(library: &Library, def: &Struct) -> Option<String> {
    let seen = library.structs.get(def.view_of?.index())?;
    Some(format!("as {}", seen.name))
}

fn members(scope: Scope<'_>, members: &[Member]) -> Block {
    let rows = members.iter().map(|member| {
        let place = &member.place;
        vec![
            vec![code(&member.name)],
            vec![code(scope.c_type(place))],
            place::travels(scope, place),
            place::lifetime(scope, place),
            line(&member.docs),
        ]
    });
    table(["Member", "Type", "Holds", "Lives", MEANING], rows.collect())
}

fn metadata(of: &Of<'_>) -> Option<Block> {
    let library = of.library;
    let scope = Scope::new(library);
    let mut blocks = Vec::new();
    for Metadata { owner, docs: about, members: values, .. } in &library.metadata {
        blocks.push(Block::Text(vec![text("To each "), code(scope.owner(*owner)), text(":")]));
        blocks.extend(docs(about));
        blocks.push(members(scope, values));
    }
    if !blocks.is_empty() {
        let intro =
            "Values that are attached to objects, one copy on the side of the caller and one on that of the library.";
        blocks.insert(0, Block::Text(vec![text(intro)]));
    }
    part("metadata", "Metadata", blocks)
}

fn enums(of: &mut Of<'_>) -> Option<Block> {
    let enums = of.library.sections.first()?.enums.clone();
    let mut blocks = Vec::new();
    for def in &enums {
        let id = anchor("enum", &def.name);
        of.entry("enum", &def.name, &id, &def.docs);
        blocks.push(super::named::enumeration(def, id));
    }
    part("enums", "Enums", blocks)
}

fn resources(of: &mut Of<'_>) -> Option<Block> {
    let library = of.library;
    let mut rows = Vec::new();
    for resource in &library.resources {
        of.entry("resource", &resource.name, "resources", &resource.docs);
        let kind = match resource.kind {
            ResourceKind::Rate => "so much per time: a call that takes too much waits",
            ResourceKind::Store => "so much at once: a call that takes too much is refused",
        };
        rows.push(vec![vec![code(&resource.name)], vec![text(kind)], line(&resource.docs)]);
    }
    let table = table(["Resource", "How it is held", MEANING], rows);
    part("resources", "Resources", if library.resources.is_empty() { Vec::new() } else { vec![table] })
}
