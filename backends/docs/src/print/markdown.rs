//! A document as Markdown that GitHub and most others read. Drawings are files beside it.

use std::fmt::Write;

use super::relative;
use crate::document::{Block, Code, Inline, Page, Section, Target};
use crate::figure::{Figure, svg};

/// The text of a page, and its drawings: each a path and an SVG.
pub fn page(page: &Page) -> (String, Vec<(String, String)>) {
    let mut markdown = Markdown { page: &page.path, out: String::new(), figures: Vec::new() };
    let _ = write!(markdown.out, "# {}\n\n", line(&page.title));
    if !page.over.is_empty() {
        let _ = write!(markdown.out, "*{}*\n\n", line(&page.over));
    }
    markdown.blocks(&page.blocks, "");
    let text = markdown.out.trim_end().to_owned() + "\n";
    (text, markdown.figures)
}

struct Markdown<'p> {
    page: &'p str,
    out: String,
    figures: Vec<(String, String)>,
}

impl Markdown<'_> {
    /// Blocks, each line after `indent`.
    fn blocks(&mut self, blocks: &[Block], indent: &str) {
        for block in blocks {
            self.block(block, indent);
        }
    }

    fn block(&mut self, block: &Block, indent: &str) {
        match block {
            Block::Section(section) => self.section(section, indent),
            Block::Text(inlines) => self.paragraph(&begin(&self.inlines(inlines)), indent),
            Block::List { from, items } => {
                for (at, item) in (0..).zip(items) {
                    let bullet = from.map_or_else(|| "- ".to_owned(), |from| format!("{}. ", from + at));
                    let inner = format!("{indent}{}", " ".repeat(bullet.len()));
                    let start = self.out.len();
                    match item.as_slice() {
                        [] => self.out += &format!("{inner}\n"),
                        // Paragraphs alone stand close together.
                        [Block::Text(inlines)] => self.out += &format!("{inner}{}\n", begin(&self.inlines(inlines))),
                        blocks => self.blocks(blocks, &inner),
                    }
                    // The first line has the bullet in place of its indent.
                    self.out.replace_range(start + indent.len()..start + inner.len(), &bullet);
                }
                self.end(indent);
            }
            Block::Quote(blocks) | Block::Note(blocks) => {
                let inner = format!("{indent}> ");
                self.blocks(blocks, &inner);
                // The empty line after the last block is no part of what is quoted.
                if let Some(rest) = self.out.strip_suffix(&format!("{}\n", inner.trim_end())) {
                    self.out.truncate(rest.len());
                }
                self.end(indent);
            }
            Block::Code(code) => self.code(code, indent),
            Block::Choice(choices) => {
                for (label, code) in choices {
                    self.paragraph(&format!("{}:", line(label)), indent);
                    self.code(code, indent);
                }
            }
            Block::Table { head, rows } => {
                let cells = |cells: &[Vec<Inline>]| {
                    let cells: Vec<_> = cells.iter().map(|cell| self.inlines(cell).replace('|', "\\|")).collect();
                    format!("| {} |", cells.join(" | "))
                };
                let mut lines = vec![cells(head), format!("|{}", "---|".repeat(head.len()))];
                lines.extend(rows.iter().map(|row| cells(row)));
                self.lines(lines.iter().map(String::as_str), indent);
            }
            Block::Facts(facts) => {
                let lines: Vec<_> = facts
                    .iter()
                    .map(|(label, value)| format!("* **{}**: {}", line(label), self.inlines(value)))
                    .collect();
                self.lines(lines.iter().map(String::as_str), indent);
            }
            Block::Figure(figure) => self.figure(figure, indent),
            Block::Cards(cards) => {
                let lines: Vec<_> = cards
                    .iter()
                    .map(|card| {
                        let link = self.link(&card.to, &line(&card.title));
                        format!("- {link} ({}): {}", line(&card.kind), self.inlines(&card.summary))
                    })
                    .collect();
                self.lines(lines.iter().map(String::as_str), indent);
            }
            Block::Rule => self.paragraph("---", indent),
        }
    }

    fn section(&mut self, section: &Section, indent: &str) {
        let mut title = format!("{} {}", "#".repeat(usize::from(section.level)), self.inlines(&section.title));
        section.marks.iter().for_each(|mark| title += &format!(" `{mark}`"));
        // What links lead to, whatever a reader of Markdown makes of the heading.
        self.lines([format!("<a id=\"{}\"></a>", section.id).as_str(), "", title.as_str()], indent);
        self.blocks(&section.blocks, indent);
    }

    fn paragraph(&mut self, text: &str, indent: &str) {
        self.lines(text.lines(), indent);
    }

    fn lines<'l>(&mut self, lines: impl IntoIterator<Item = &'l str>, indent: &str) {
        for line in lines {
            let _ = writeln!(self.out, "{}", format!("{indent}{line}").trim_end());
        }
        self.end(indent);
    }

    /// The empty line between blocks.
    fn end(&mut self, indent: &str) {
        let _ = writeln!(self.out, "{}", indent.trim_end());
    }

    fn code(&mut self, code: &Code, indent: &str) {
        let text = code.text();
        // Longer than any run of the same in it.
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        let first = format!("{fence}{}", code.language);
        let lines = std::iter::once(first.as_str()).chain(text.trim_end().lines()).chain([fence.as_str()]);
        self.lines(lines, indent);
    }

    fn figure(&mut self, figure: &Figure, indent: &str) {
        let path = format!("{}.figures/{}.svg", self.page, self.figures.len() + 1);
        let way = relative(self.page, &path);
        self.paragraph(&format!("![{}]({})", line(&figure.about), destination(&way)), indent);
        self.figures.push((path, svg::file(figure)));
    }

    fn link(&self, target: &Target, shown: &str) -> String {
        let address = match target {
            Target::Url(url) => url.clone(),
            Target::Page { path, anchor } if path == self.page && !anchor.is_empty() => format!("#{anchor}"),
            Target::Page { path, anchor } => {
                let file = format!("{}.md", relative(self.page, path));
                if anchor.is_empty() { file } else { format!("{file}#{anchor}") }
            }
        };
        format!("[{shown}]({})", destination(&address))
    }

    fn inlines(&self, inlines: &[Inline]) -> String {
        let mut out = String::new();
        for inline in inlines {
            match inline {
                Inline::Text(words) => out += &line(words),
                Inline::Code(words) => out += &quoted(words),
                Inline::Strong(inner) => out += &format!("**{}**", self.inlines(inner)),
                Inline::Emphasis(inner) => out += &format!("*{}*", self.inlines(inner)),
                Inline::Link(target, inner) => out += &self.link(target, &self.inlines(inner)),
                Inline::Break => out += "<br>",
            }
        }
        out
    }
}

/// Text of which nothing means anything to Markdown, on one line.
fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '!' => out.extend(['\\', c]),
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A paragraph may not begin as a list, a title or a rule does.
fn begin(words: &str) -> String {
    let digits = words.len() - words.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = words.split_at(digits);
    if rest.starts_with(['-', '+', '=']) || digits > 0 && rest.starts_with(['.', ')']) {
        format!("{number}\\{rest}")
    } else {
        words.to_owned()
    }
}

/// Text between backticks, of which it may have some itself.
fn quoted(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{ticks}{space}{}{space}{ticks}", text.replace(['\n', '\r'], " "))
}

/// An address as a link has it.
fn destination(address: &str) -> String {
    if address.contains([' ', '(', ')', '<', '>']) {
        format!("<{}>", address.replace(['<', '>'], ""))
    } else {
        address.to_owned()
    }
}
