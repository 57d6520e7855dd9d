//! From contracts and prose to pages.

mod command;
mod encoding;
mod example;
mod home;
mod interface;
mod library;
mod named;
mod package;
mod platform;
mod state;
mod types;
mod usage;

use std::collections::HashMap;

use lapis_cx::backend::Backend;
use lapis_cx::contract::{Contract, Interface, Item};

use crate::document::{Block, Entry, Inline, Kind, Page, Section, Target, plain, text};
use crate::prose;
use crate::sources::Trees;
use crate::{Guide, Input, Spec};

/// What every page may look up: where the others are.
pub struct Site<'a> {
    /// Pages of items by package and name, as in `org.example.dsp:MulAcc`; the page of a package by [`laws_of`].
    items: HashMap<String, String>,
    backends: &'a [&'a dyn Backend],
}

impl Site<'_> {
    /// The page of an item, if it has one here.
    fn item(&self, package: &str, name: &str) -> Option<Target> {
        self.items.get(&format!("{package}:{name}")).map(Target::page)
    }

    /// The name of an item, which leads to its page if it has one here.
    fn link(&self, package: &str, name: &str) -> Inline {
        let shown = vec![Inline::Code(format!("{package}:{name}"))];
        match self.item(package, name) {
            Some(target) => Inline::Link(target, shown),
            None => Inline::Code(format!("{package}:{name}")),
        }
    }
}

/// Every page: the first one, the list of all names, the guides, then the items by spec.
pub fn all(input: &Input<'_>) -> Vec<Page> {
    let mut paths = Paths::default();
    ["index", "names"].into_iter().for_each(|path| paths.reserve(path));
    let guides = guide_paths(&input.guides, &mut paths);
    let mut items = HashMap::new();
    for spec in &input.specs {
        for item in &spec.contract.items {
            if let Some(name) = name_of(item) {
                let package = &spec.contract.package;
                items.insert(format!("{package}:{name}"), paths.unique(&format!("{package}/{name}")));
            }
        }
    }
    // Names of items come first.
    for spec in input.specs.iter().filter(|spec| spec.contract.items.iter().any(|item| name_of(item).is_none())) {
        items.insert(laws_of(spec), paths.unique(&format!("{}/package", spec.contract.package)));
    }
    let site = Site { items, backends: input.backends };
    let mut pages: Vec<Page> =
        input.guides.iter().zip(&guides).map(|(guide, path)| guide_page(guide, path, &input.guides, &guides)).collect();
    // By package; a package may lie in several files, and each keeps its order.
    let mut specs: Vec<&Spec<'_>> = input.specs.iter().collect();
    specs.sort_by_key(|spec| spec.contract.package.to_lowercase());
    specs.into_iter().for_each(|spec| pages.extend(item_pages(&site, spec)));
    let names = home::names(&pages);
    pages.insert(0, home::home(input.title, &pages));
    pages.insert(1, names);
    pages
}

fn item_pages(site: &Site<'_>, spec: &Spec<'_>) -> Vec<Page> {
    let trees = Trees::new(spec.sources);
    let declarations = trees.declarations();
    let package = &spec.contract.package;
    let path = |name: &str| site.items.get(&format!("{package}:{name}")).cloned().unwrap_or_default();
    let mut pages = Vec::new();
    for item in &spec.contract.items {
        match item {
            Item::Interface(of) => {
                pages.push(interface::page(site, spec, &declarations, of, path(&of.name)));
            }
            Item::Library(of) => pages.push(library::page(site, spec, of, path(&of.name))),
            Item::Platform(of) => pages.push(platform::page(site, spec, of, path(&of.name))),
            Item::Laws(of) => {
                let path = site.items.get(&laws_of(spec)).cloned().unwrap_or_default();
                pages.push(package::page(spec, &declarations, of, path));
            }
        }
    }
    pages
}

/// What the page of a package goes by: a package may lie in several files, and each states laws of its own. No item has
/// a blank in its name.
fn laws_of(spec: &Spec<'_>) -> String {
    format!("{}: {}", spec.contract.package, spec.name)
}

fn name_of(item: &Item) -> Option<&str> {
    match item {
        Item::Interface(of) => Some(&of.name),
        Item::Library(of) => Some(&of.name),
        Item::Platform(of) => Some(&of.name),
        Item::Laws(_) => None,
    }
}

/// Gives out paths of pages. Those that differ in case alone are one on some disks, so they are not given out twice.
#[derive(Default)]
struct Paths {
    /// Each with the last number that was put behind it.
    given: HashMap<String, u32>,
}

impl Paths {
    fn reserve(&mut self, path: &str) {
        self.given.insert(path.to_lowercase(), 1);
    }

    fn unique(&mut self, path: &str) -> String {
        let mut unique = path.to_owned();
        while self.given.contains_key(&unique.to_lowercase()) {
            let count = self.given.entry(path.to_lowercase()).or_insert(1);
            *count += 1;
            unique = format!("{path}-{count}");
        }
        self.reserve(&unique);
        unique
    }
}

/// Guides keep their folders below `guide`, without the one that all of them share. A README is the page of its folder.
fn guide_paths(guides: &[Guide<'_>], paths: &mut Paths) -> Vec<String> {
    let split: Vec<Vec<&str>> = guides.iter().map(|guide| guide.path.split('/').collect()).collect();
    let shared = split.first().map_or(0, |first| {
        let same = |at: usize| split.iter().all(|path| path.len() > at + 1 && path.get(at) == first.get(at));
        (0..first.len()).take_while(|at| same(*at)).count()
    });
    let own = |path: &[&str]| {
        let parts: Vec<String> = path.get(shared..).unwrap_or_default().iter().map(|part| file_name(part)).collect();
        parts.join("/")
    };
    split.iter().map(|path| paths.unique(&format!("guide/{}", own(path)))).collect()
}

/// A part of a path as the name of a file: what may mean something to a browser or a disk is left out.
fn file_name(part: &str) -> String {
    let stem = part.strip_suffix(".md").unwrap_or(part);
    let kept: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
    match kept.trim_matches('.') {
        "" => "page".into(),
        "README" => "readme".into(),
        kept => kept.to_owned(),
    }
}

fn guide_page(guide: &Guide<'_>, path: &str, guides: &[Guide<'_>], paths: &[String]) -> Page {
    let resolve = |address: &str| {
        if let Some(url) = outside(address) {
            return Some(url);
        }
        let (file, anchor) = address.split_once('#').unwrap_or((address, ""));
        if file.is_empty() {
            return Some(Target::anchor(path, anchor));
        }
        let folder = guide.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let wanted = joined(folder, file);
        let at = guides.iter().position(|other| other.path == wanted || other.path == format!("{wanted}/README.md"))?;
        paths.get(at).map(|path| Target::anchor(path, anchor))
    };
    let prose = prose::page(guide.text, &resolve);
    let name = guide.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".md");
    let mut entries = Vec::new();
    collect_entries(&prose.blocks, &mut entries);
    Page {
        path: path.to_owned(),
        kind: Kind::Guide,
        title: prose.title.unwrap_or_else(|| name.to_owned()),
        over: String::new(),
        summary: prose::first_paragraph(&prose.blocks),
        blocks: prose.blocks,
        entries,
    }
}

/// An address of the web; anything else that has a scheme leads nowhere.
fn outside(address: &str) -> Option<Target> {
    let known = ["https://", "http://", "mailto:"].iter().any(|scheme| address.starts_with(scheme));
    known.then(|| Target::Url(address.to_owned()))
}

/// A relative address from a folder.
fn joined(folder: &str, address: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in address.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The sections of a guide can be found by their titles.
fn collect_entries(blocks: &[Block], entries: &mut Vec<Entry>) {
    for block in blocks {
        if let Block::Section(section) = block {
            let name = plain(&section.title);
            entries.push(Entry { name, kind: "section", anchor: section.id.clone(), summary: String::new() });
            collect_entries(&section.blocks, entries);
        }
    }
}

/// Documentation of an item: links in it lead to the web only.
fn docs(markdown: &str) -> Vec<Block> {
    prose::docs(markdown, &outside)
}

/// Documentation of a row of a table, on one line.
fn line(markdown: &str) -> Vec<Inline> {
    let mut out = Vec::new();
    for block in docs(markdown) {
        if let Block::Text(inlines) = block {
            if !out.is_empty() {
                out.push(text(" "));
            }
            out.extend(inlines);
        }
    }
    out
}

/// So many of something.
fn count(n: impl Into<u64>, what: &str) -> String {
    let n = n.into();
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A part of a page.
fn section(level: u8, id: &str, title: &str, blocks: Vec<Block>) -> Block {
    Block::Section(Section { level, id: id.to_owned(), title: vec![text(title)], marks: Vec::new(), blocks })
}

/// A table; columns in which nothing stands are left out.
fn table<const N: usize>(titles: [&str; N], rows: Vec<Vec<Vec<Inline>>>) -> Block {
    table_of(heads(titles), rows)
}

/// The same, with titles that are not known beforehand.
fn table_of(head: Vec<Vec<Inline>>, rows: Vec<Vec<Vec<Inline>>>) -> Block {
    let is_used: Vec<bool> = (0..head.len())
        .map(|at| rows.iter().any(|row| row.get(at).is_some_and(|cell| !plain(cell).is_empty())))
        .collect();
    let kept = |cells: Vec<Vec<Inline>>| {
        cells.into_iter().zip(&is_used).filter(|(_, used)| **used).map(|(cell, _)| cell).collect()
    };
    Block::Table { head: kept(head), rows: rows.into_iter().map(kept).collect() }
}

/// Cells of plain text.
fn heads<const N: usize>(titles: [&str; N]) -> Vec<Vec<Inline>> {
    titles.iter().map(|title| vec![text(*title)]).collect()
}

/// The contract that an interface stands in, as people name it.
fn full_name(contract: &Contract, interface: &Interface) -> String {
    format!("{}:{}", contract.package, interface.name)
}
