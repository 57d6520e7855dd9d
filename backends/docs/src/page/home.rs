//! The first page, and the list of everything that has a name.

use super::section;
use crate::document::{Block, Card, Inline, Kind, Page, Target, code, text};

/// The kinds of pages that the first page lists, and what it calls them.
const GROUPS: [(Kind, &str, &str); 5] = [
    (Kind::Guide, "guides", "Guides"),
    (Kind::Interface, "interfaces", "Interfaces"),
    (Kind::Library, "libraries", "Libraries"),
    (Kind::Platform, "platforms", "Platforms"),
    (Kind::Package, "packages", "Packages"),
];

/// The first page: cards of all others.
pub fn home(title: &str, pages: &[Page]) -> Page {
    let group = |(kind, id, name): &(Kind, &str, &str)| {
        let cards: Vec<_> = pages.iter().filter(|page| page.kind == *kind).map(card).collect();
        (!cards.is_empty()).then(|| section(2, id, name, vec![Block::Cards(cards)]))
    };
    Page {
        path: "index".into(),
        kind: Kind::Home,
        title: title.to_owned(),
        over: String::new(),
        summary: String::new(),
        blocks: GROUPS.iter().filter_map(group).collect(),
        entries: Vec::new(),
    }
}

fn card(page: &Page) -> Card {
    // Over the title stands the package; a guide has none.
    let kind = if page.over.is_empty() { page.kind.name().to_owned() } else { page.over.clone() };
    Card {
        to: Target::page(page.path.as_str()),
        title: page.title.clone(),
        kind,
        summary: vec![text(page.summary.as_str())],
    }
}

/// Everything that has a name, by its first letter: what is found without a script.
pub fn names(pages: &[Page]) -> Page {
    let mut all: Vec<(&str, &str, Target, &str)> = Vec::new();
    for page in pages {
        all.push((&page.title, page.kind.name(), Target::page(page.path.as_str()), ""));
        for entry in page.entries.iter().filter(|_| page.kind != Kind::Guide) {
            let target = Target::anchor(page.path.as_str(), entry.anchor.as_str());
            all.push((&entry.name, entry.kind, target, &page.title));
        }
    }
    all.sort_by_key(|(name, kind, ..)| (name.to_lowercase(), *kind));
    let mut blocks = Vec::new();
    let mut rest = all.as_slice();
    while let Some((first, ..)) = rest.first() {
        let letter = letter(first);
        let end = rest.iter().position(|(name, ..)| self::letter(name) != letter).unwrap_or(rest.len());
        let (these, others) = rest.split_at(end);
        rest = others;
        let items = these.iter().map(|(name, kind, target, page)| {
            let mut inlines = vec![Inline::Link(target.clone(), vec![code(*name)]), text(format!(" {kind}"))];
            if !page.is_empty() {
                inlines.push(text(format!(" of {page}")));
            }
            vec![Block::Text(inlines)]
        });
        let id = letter.map_or("other".to_owned(), |letter| format!("letter-{letter}"));
        let title = letter.map_or("Others".to_owned(), |letter| letter.to_uppercase().to_string());
        blocks.push(section(2, &id, &title, vec![Block::List { from: None, items: items.collect() }]));
    }
    Page {
        path: "names".into(),
        kind: Kind::Index,
        title: "All names".into(),
        over: String::new(),
        summary: String::new(),
        blocks,
        entries: Vec::new(),
    }
}

/// The letter that a name is listed under.
fn letter(name: &str) -> Option<char> {
    name.chars().next().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase())
}
