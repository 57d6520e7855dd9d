//! Markdown, of documentation comments and of pages of prose, as blocks. HTML in it is text: nothing that a spec says
//! reaches a page unescaped.

use std::collections::HashMap;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::document::{Block, Code, Inline, Section, Target, plain, text};
use crate::notation;

/// What is nested deeper than this stands where its surroundings stand, so that nothing that walks a document needs much
/// stack.
const MAX_DEPTH: usize = 24;

/// A page of prose.
pub struct Prose {
    /// The text of its first heading of the first level.
    pub title: Option<String>,
    /// What follows, in nested sections.
    pub blocks: Vec<Block>,
}

/// Documentation of an item. Headings are paragraphs of weight: the sections are those of the page around it. `resolve` says
/// where an address leads.
pub fn docs(markdown: &str, resolve: &dyn Fn(&str) -> Option<Target>) -> Vec<Block> {
    read(markdown, resolve)
        .into_iter()
        .map(|piece| match piece {
            Piece::Block(block) => block,
            Piece::Heading(_, title) => Block::Text(vec![Inline::Strong(title)]),
        })
        .collect()
}

/// A whole page.
pub fn page(markdown: &str, resolve: &dyn Fn(&str) -> Option<Target>) -> Prose {
    let mut title = None;
    let mut open: Vec<Section> = Vec::new();
    let mut blocks = Vec::new();
    let mut ids = Ids::default();
    for piece in read(markdown, resolve) {
        match piece {
            Piece::Heading(1, heading) if title.is_none() => title = Some(plain(&heading)),
            Piece::Heading(level, heading) => {
                let level = level.clamp(2, 5);
                close(&mut open, &mut blocks, level);
                let id = ids.unique(&plain(&heading));
                open.push(Section { level, id, title: heading, marks: Vec::new(), blocks: Vec::new() });
            }
            Piece::Block(block) => open.last_mut().map_or(&mut blocks, |section| &mut section.blocks).push(block),
        }
    }
    close(&mut open, &mut blocks, 0);
    Prose { title, blocks }
}

/// Ends all sections that are at least as deep.
fn close(open: &mut Vec<Section>, blocks: &mut Vec<Block>, level: u8) {
    while open.last().is_some_and(|section| section.level >= level) {
        if let Some(section) = open.pop() {
            let around = open.last_mut().map_or(&mut *blocks, |around| &mut around.blocks);
            around.push(Block::Section(section));
        }
    }
}

/// Gives out anchors, as GitHub derives them from headings.
struct Ids {
    /// Each with the last number that was put behind it.
    given: HashMap<String, u32>,
}

/// Anchors that the page around the text has.
const TAKEN: [&str; 3] = ["main", "pages", "results"];

impl Default for Ids {
    fn default() -> Ids {
        Ids { given: TAKEN.into_iter().map(|id| (id.to_owned(), 0)).collect() }
    }
}

impl Ids {
    /// The anchor of a heading, which no other one on the page has.
    fn unique(&mut self, title: &str) -> String {
        let kept = title.trim().to_lowercase();
        let mut id: String = kept
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        if id.is_empty() {
            id.push_str("section");
        }
        let mut unique = id.clone();
        while self.given.contains_key(&unique) {
            let count = self.given.entry(id.clone()).or_default();
            *count += 1;
            unique = format!("{id}-{count}");
        }
        self.given.insert(unique.clone(), 0);
        unique
    }
}

/// The first sentence, without marks: for lists and searches.
pub fn summary(markdown: &str) -> String {
    first_paragraph(&docs(markdown, &|_| None))
}

/// The first sentence, with its marks: for tables.
pub fn brief(blocks: Vec<Block>) -> Vec<Inline> {
    let first = blocks.into_iter().find_map(|block| match block {
        Block::Text(inlines) => Some(inlines),
        _ => None,
    });
    let mut left = first_sentence(&first.as_deref().map(plain).unwrap_or_default()).chars().count();
    let mut out = Vec::new();
    for inline in first.unwrap_or_default() {
        let length = plain(std::slice::from_ref(&inline)).chars().count();
        if left == 0 {
            break;
        }
        // A sentence ends in plain text; what else would be cut stays whole.
        match inline {
            Inline::Text(words) if length > left => out.push(text(words.chars().take(left).collect::<String>())),
            inline => out.push(inline),
        }
        left = left.saturating_sub(length);
    }
    out
}

/// The first sentence of the first paragraph, without marks.
pub fn first_paragraph(blocks: &[Block]) -> String {
    let first = blocks.iter().find_map(|block| match block {
        Block::Text(inlines) => Some(plain(inlines)),
        _ => None,
    });
    first_sentence(&first.unwrap_or_default()).to_owned()
}

/// Up to the first full stop that ends a sentence, or a semicolon that parts two.
fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    let end = text.match_indices(". ").map(|(at, _)| at + 1).find(|at| {
        // `e.g. this` goes on: the next sentence begins with a capital.
        text.get(at + 1..).and_then(|rest| rest.chars().next()).is_some_and(|c| !c.is_lowercase())
    });
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

/// A block, or a heading, of which only a page makes sections.
enum Piece {
    Block(Block),
    Heading(u8, Vec<Inline>),
}

/// Something that has begun.
enum Open {
    /// A paragraph, a heading or something in one.
    Inlines(Vec<Inline>),
    /// A link, with its address.
    Link(String, Vec<Inline>),
    Blocks(Vec<Block>),
    List(Option<u64>, Vec<Vec<Block>>),
    Code(String, String),
    Table {
        head: Vec<Vec<Inline>>,
        rows: Vec<Vec<Vec<Inline>>>,
    },
    Row(Vec<Vec<Inline>>),
    /// What is too deep, or has no form here.
    Through,
}

fn read(markdown: &str, resolve: &dyn Fn(&str) -> Option<Target>) -> Vec<Piece> {
    let mut reader = Reader { pieces: Vec::new(), open: Vec::new(), resolve };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(tag) => reader.start(&tag),
            Event::End(tag) => reader.end(tag),
            Event::Text(words) | Event::Html(words) | Event::InlineHtml(words) => reader.text(&words),
            Event::Code(words) => reader.inline(Inline::Code(words.into_string())),
            Event::SoftBreak => reader.text(" "),
            Event::HardBreak => reader.inline(Inline::Break),
            Event::Rule => reader.block(Block::Rule),
            _ => {}
        }
    }
    reader.pieces
}

struct Reader<'r> {
    pieces: Vec<Piece>,
    open: Vec<Open>,
    resolve: &'r dyn Fn(&str) -> Option<Target>,
}

impl Reader<'_> {
    fn start(&mut self, tag: &Tag<'_>) {
        let is_deep = self.open.len() >= MAX_DEPTH;
        self.open.push(match tag {
            Tag::Paragraph | Tag::Heading { .. } if self.is_in_inlines() => Open::Through,
            Tag::Paragraph | Tag::Heading { .. } => Open::Inlines(Vec::new()),
            Tag::Strong | Tag::Emphasis if !is_deep => Open::Inlines(Vec::new()),
            Tag::Link { dest_url, .. } if !is_deep => Open::Link(dest_url.to_string(), Vec::new()),
            Tag::BlockQuote(_) if !is_deep => Open::Blocks(Vec::new()),
            Tag::List(from) if !is_deep => Open::List(*from, Vec::new()),
            Tag::Item if matches!(self.open.last(), Some(Open::List(..))) => Open::Blocks(Vec::new()),
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    // What is no plain word could mean something to a format.
                    CodeBlockKind::Fenced(info) => {
                        let word = info.split([' ', ',']).next().unwrap_or_default();
                        let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "_+#.-".contains(c));
                        if is_plain { word.to_owned() } else { String::new() }
                    }
                    CodeBlockKind::Indented => String::new(),
                };
                Open::Code(language, String::new())
            }
            Tag::Table(_) => Open::Table { head: Vec::new(), rows: Vec::new() },
            Tag::TableHead | Tag::TableRow => Open::Row(Vec::new()),
            Tag::TableCell => Open::Inlines(Vec::new()),
            Tag::HtmlBlock => Open::Inlines(Vec::new()),
            _ => Open::Through,
        });
    }

    /// Whether text would go into a paragraph.
    fn is_in_inlines(&self) -> bool {
        let around = self.open.iter().rev().find(|open| !matches!(open, Open::Through));
        matches!(around, Some(Open::Inlines(_) | Open::Link(..)))
    }

    fn end(&mut self, tag: TagEnd) {
        match (self.open.pop(), tag) {
            (Some(Open::Inlines(words)), TagEnd::Heading(level)) => self.heading(level, words),
            (Some(Open::Inlines(words)), TagEnd::Strong) => self.inline(Inline::Strong(words)),
            (Some(Open::Inlines(words)), TagEnd::Emphasis) => self.inline(Inline::Emphasis(words)),
            (Some(Open::Inlines(words)), TagEnd::TableCell) => {
                if let Some(Open::Row(cells)) = self.open.last_mut() {
                    cells.push(words);
                }
            }
            (Some(Open::Link(address, words)), _) => match (self.resolve)(&address) {
                Some(target) => self.inline(Inline::Link(target, words)),
                None => words.into_iter().for_each(|inline| self.inline(inline)),
            },
            (Some(Open::Inlines(words)), _) => self.block(Block::Text(words)),
            (Some(Open::Blocks(blocks)), TagEnd::Item) => {
                if let Some(Open::List(_, items)) = self.open.last_mut() {
                    items.push(blocks);
                }
            }
            (Some(Open::Blocks(blocks)), _) => self.block(Block::Quote(blocks)),
            (Some(Open::List(from, items)), _) => self.block(Block::List { from, items }),
            (Some(Open::Code(language, words)), _) if language == "cxspec" => {
                self.block(Block::Code(notation::fragment(&words)));
            }
            (Some(Open::Code(language, words)), _) => self.block(Block::Code(Code::plain(&language, words))),
            (Some(Open::Row(cells)), tag) => {
                if let Some(Open::Table { head, rows }) = self.open.last_mut() {
                    match tag {
                        TagEnd::TableHead => *head = cells,
                        _ => rows.push(cells),
                    }
                }
            }
            (Some(Open::Table { head, rows }), _) => self.block(Block::Table { head, rows }),
            (Some(Open::Through) | None, _) => {}
        }
    }

    fn heading(&mut self, level: HeadingLevel, words: Vec<Inline>) {
        // A heading in a quote or a list is a line of weight.
        if self.open.iter().all(|open| matches!(open, Open::Through)) {
            self.pieces.push(Piece::Heading(level as u8, words));
        } else {
            self.block(Block::Text(vec![Inline::Strong(words)]));
        }
    }

    fn text(&mut self, words: &str) {
        match self.open.iter_mut().rev().find(|open| !matches!(open, Open::Through)) {
            Some(Open::Code(_, inside)) => inside.push_str(words),
            _ => self.inline(text(words)),
        }
    }

    fn inline(&mut self, inline: Inline) {
        match self.open.iter_mut().rev().find(|open| !matches!(open, Open::Through)) {
            Some(Open::Inlines(words) | Open::Link(_, words)) => join(words, inline),
            // The text of a tight list has no paragraph.
            Some(Open::Blocks(blocks)) => match blocks.last_mut() {
                Some(Block::Text(words)) => join(words, inline),
                _ => blocks.push(Block::Text(vec![inline])),
            },
            Some(_) => {}
            None => self.pieces.push(Piece::Block(Block::Text(vec![inline]))),
        }
    }

    fn block(&mut self, block: Block) {
        match self.open.iter_mut().rev().find(|open| !matches!(open, Open::Through)) {
            Some(Open::Blocks(blocks)) => blocks.push(block),
            Some(Open::Inlines(words) | Open::Link(_, words)) => {
                if let Block::Text(more) = block {
                    words.extend(more);
                }
            }
            Some(_) => {}
            None => self.pieces.push(Piece::Block(block)),
        }
    }
}

/// Appends; neighbouring texts are one.
fn join(words: &mut Vec<Inline>, inline: Inline) {
    match (words.last_mut(), inline) {
        (Some(Inline::Text(before)), Inline::Text(more)) => before.push_str(&more),
        (_, inline) => words.push(inline),
    }
}
