//! A document as AsciiDoc, with the WaveDrom blocks that the documents of RISC-V have.

use std::fmt::Write;

use super::relative;
use crate::document::{Block, Code, Inline, Page, Section, Target};
use crate::figure::{Figure, Graph, Shape, wavedrom};

/// The text of a page.
pub fn page(page: &Page) -> String {
    let mut asciidoc = AsciiDoc { page: &page.path, out: String::new() };
    let _ = write!(asciidoc.out, "= {}\n:stem: latexmath\n\n", line(&page.title));
    if !page.over.is_empty() {
        let _ = write!(asciidoc.out, "_{}_\n\n", line(&page.over));
    }
    asciidoc.blocks(&page.blocks);
    asciidoc.out.trim_end().to_owned() + "\n"
}

struct AsciiDoc<'p> {
    page: &'p str,
    out: String,
}

impl AsciiDoc<'_> {
    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Section(section) => self.section(section),
            Block::Text(inlines) => {
                let words = self.inlines(inlines);
                let _ = write!(self.out, "{}\n\n", begin(&words));
            }
            Block::List { from, items } => self.list(*from, items, 1),
            Block::Quote(blocks) => self.between("[quote]\n____", "____", blocks),
            Block::Note(blocks) => self.between("[NOTE]\n====", "====", blocks),
            Block::Code(code) => self.code("", code),
            Block::Choice(choices) => {
                for (label, code) in choices {
                    self.code(&format!(".{}\n", line(label)), code);
                }
            }
            Block::Table { head, rows } => self.table(head, rows),
            Block::Facts(facts) => {
                for (label, value) in facts {
                    let _ = writeln!(self.out, "{}:: {}", line(label), self.inlines(value));
                }
                self.out.push('\n');
            }
            Block::Figure(figure) => self.figure(figure),
            Block::Cards(cards) => {
                for card in cards {
                    let link = self.link(&card.to, &line(&card.title));
                    let _ = writeln!(self.out, "* {link} ({}): {}", line(&card.kind), self.inlines(&card.summary));
                }
                self.out.push('\n');
            }
            Block::Rule => self.out.push_str("'''\n\n"),
        }
    }

    fn section(&mut self, section: &Section) {
        let Section { level, id, title, marks, blocks } = section;
        let marks: String = marks.iter().map(|mark| format!(" {}", literal(mark))).collect();
        let title = self.inlines(title);
        let _ = write!(self.out, "[#{id}]\n{} {title}{marks}\n\n", "=".repeat(usize::from(*level)));
        self.blocks(blocks);
    }

    fn list(&mut self, from: Option<u64>, items: &[Vec<Block>], depth: usize) {
        if let Some(from) = from.filter(|from| *from != 1) {
            let _ = writeln!(self.out, "[start={from}]");
        }
        let bullet = if from.is_some() { "." } else { "*" }.repeat(depth);
        for item in items {
            let (first, rest) = match item.as_slice() {
                [Block::Text(inlines), rest @ ..] => (self.inlines(inlines), rest),
                rest => ("{empty}".to_owned(), rest),
            };
            let _ = writeln!(self.out, "{bullet} {first}");
            for block in rest {
                if let Block::List { from, items } = block {
                    self.list(*from, items, depth + 1);
                } else {
                    self.between("+\n--", "--", std::slice::from_ref(block));
                }
            }
        }
        if depth == 1 {
            self.out.push('\n');
        }
    }

    fn between(&mut self, open: &str, close: &str, blocks: &[Block]) {
        let _ = writeln!(self.out, "{open}");
        self.blocks(blocks);
        self.out.truncate(self.out.trim_end().len());
        let _ = write!(self.out, "\n{close}\n\n");
    }

    fn code(&mut self, title: &str, code: &Code) {
        let text = code.text();
        // Longer than any such line in it.
        let longest = text.lines().filter(|line| line.chars().all(|c| c == '-')).map(str::len).max().unwrap_or(0);
        let fence = "-".repeat(longest.max(3) + 1);
        let language = if code.language.is_empty() { String::new() } else { format!(",{}", code.language) };
        let _ = write!(self.out, "{title}[source{language}]\n{fence}\n{}\n{fence}\n\n", text.trim_end());
    }

    fn table(&mut self, head: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>]) {
        let _ = write!(self.out, "[%header%autowidth,cols=\"{}\"]\n|===\n", vec!["1"; head.len()].join(","));
        for row in std::iter::once(head).chain(rows.iter().map(Vec::as_slice)) {
            let cells: Vec<_> =
                row.iter().map(|cell| format!("|{}", self.inlines(cell).replace('|', "{vbar}"))).collect();
            let _ = writeln!(self.out, "{}", cells.join(" "));
        }
        self.out.push_str("|===\n\n");
    }

    fn figure(&mut self, figure: &Figure) {
        match &figure.shape {
            Shape::Words { rows, .. } => {
                for row in rows.iter().filter(|row| !row.fields.is_empty()) {
                    let label = if row.label.is_empty() { String::new() } else { format!(".{}\n", line(&row.label)) };
                    let _ = write!(self.out, "{label}[wavedrom, ,svg]\n....\n{}\n....\n\n", wavedrom::word(row));
                }
            }
            Shape::Graph(graph) => self.graph(&figure.about, graph),
        }
    }

    /// A graph in words: a table of its lines.
    fn graph(&mut self, about: &str, graph: &Graph) {
        let name = |at: usize| graph.nodes.get(at).map(|node| node.text.clone()).unwrap_or_default();
        let cell = |text: String| vec![Inline::Text(text)];
        let head = ["From", "", "To"].map(|title| cell(title.to_owned()));
        let rows: Vec<_> = graph
            .edges
            .iter()
            .map(|edge| vec![cell(name(edge.from)), cell(edge.text.clone()), cell(name(edge.to))])
            .collect();
        let _ = writeln!(self.out, ".{}", line(about));
        self.table(&head, &rows);
    }

    fn link(&self, target: &Target, shown: &str) -> String {
        let shown = shown.replace(']', "\\]");
        match target {
            Target::Url(url) => format!("link:{url}[{shown}]"),
            Target::Page { path, anchor } if path == self.page && !anchor.is_empty() => format!("<<{anchor},{shown}>>"),
            Target::Page { path, anchor } => format!("xref:{}.adoc#{anchor}[{shown}]", relative(self.page, path)),
        }
    }

    fn inlines(&self, inlines: &[Inline]) -> String {
        let mut out = String::new();
        for inline in inlines {
            match inline {
                Inline::Text(words) => out += &line(words),
                Inline::Code(words) | Inline::Mark(words) => out += &literal(words),
                Inline::Strong(inner) => out += &format!("**{}**", self.inlines(inner)),
                Inline::Emphasis(inner) => out += &format!("__{}__", self.inlines(inner)),
                Inline::Link(target, inner) => out += &self.link(target, &self.inlines(inner)),
                Inline::Break => out += " +\n",
            }
        }
        out
    }
}

/// Text of which nothing means anything to AsciiDoc, on one line.
fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '*' | '_' | '`' | '#' | '^' | '~' | '[' | ']' | '<' | '>' | '&' | '{' | '}' | '|' | '+' | '\\' | '\'' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Text of a language, as it is.
fn literal(text: &str) -> String {
    format!("`{}`", line(text))
}

/// A paragraph may not begin as a list, a title or a block does.
fn begin(words: &str) -> String {
    if words.starts_with(['.', '-', '=', '/', ':']) || words.starts_with(|c: char| c.is_ascii_digit()) {
        format!("{{empty}}{words}")
    } else {
        words.to_owned()
    }
}
