//! A document as AsciiDoc, with the WaveDrom blocks that the documents of RISC-V have.

use std::fmt::Write;

use super::relative;
use crate::document::{Block, Code, Inline, Page, Section, Target};
use crate::figure::{Figure, Graph, Shape, wavedrom};

/// The text of a page.
pub fn page(page: &Page) -> String {
    let mut asciidoc = AsciiDoc { page: &page.path, out: String::new(), depth: 0 };
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
    /// How many blocks are open around the place: the marks of a block in another one are longer.
    depth: usize,
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
            Block::Quote(blocks) => self.between("[quote]\n", '_', blocks),
            Block::Note(blocks) => self.between("[NOTE]\n", '=', blocks),
            Block::Code(code) => self.code("", code),
            Block::Choice(choices) => {
                for (label, code) in choices {
                    self.code(&format!(".{}\n", line(label)), code);
                }
            }
            Block::Table { head, rows } => self.table(head, rows),
            Block::Facts(facts) => {
                for (label, value) in facts {
                    let _ = writeln!(self.out, "{}:: {}", line(label), in_a_line(&self.inlines(value)));
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
        let title = in_a_line(&self.inlines(title));
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
                [Block::Text(inlines), rest @ ..] => (begin(&self.inlines(inlines)), rest),
                rest => ("{empty}".to_owned(), rest),
            };
            let _ = writeln!(self.out, "{bullet} {first}");
            for block in rest {
                if let Block::List { from, items } = block {
                    self.list(*from, items, depth + 1);
                } else {
                    // Open blocks (`--`) cannot stand in each other; examples can.
                    self.between("+\n", '=', std::slice::from_ref(block));
                }
            }
        }
        if depth == 1 {
            self.out.push('\n');
        }
    }

    /// Blocks between marks of this character.
    fn between(&mut self, before: &str, mark: char, blocks: &[Block]) {
        let marks = mark.to_string().repeat(4 + self.depth);
        let _ = writeln!(self.out, "{before}{marks}");
        self.depth += 1;
        self.blocks(blocks);
        self.depth -= 1;
        self.out.truncate(self.out.trim_end().len());
        let _ = write!(self.out, "\n{marks}\n\n");
    }

    fn code(&mut self, title: &str, code: &Code) {
        let text = code.text();
        // Longer than any such line in it.
        let longest = text.lines().filter(|line| line.chars().all(|c| c == '-')).map(str::len).max().unwrap_or(0);
        let fence = "-".repeat(longest.max(3) + 1);
        let language = if code.language.is_empty() { String::new() } else { format!(",{}", code.language) };
        let lines: Vec<_> = text.trim_end().lines().map(verbatim).collect();
        let _ = write!(self.out, "{title}[source{language}]\n{fence}\n{}\n{fence}\n\n", lines.join("\n"));
    }

    fn table(&mut self, head: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>]) {
        let _ = write!(self.out, "[%header%autowidth,cols=\"{}\"]\n|===\n", vec!["1"; head.len()].join(","));
        for row in std::iter::once(head).chain(rows.iter().map(Vec::as_slice)) {
            let cells: Vec<_> = row.iter().map(|cell| format!("|{}", in_a_line(&self.inlines(cell)))).collect();
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
            Target::Url(url) => format!("link:{}[{shown}]", address(url)),
            Target::Page { path, anchor } if path == self.page && !anchor.is_empty() => format!("<<{anchor},{shown}>>"),
            Target::Page { path, anchor } => format!("xref:{}.adoc#{anchor}[{shown}]", relative(self.page, path)),
        }
    }

    fn inlines(&self, inlines: &[Inline]) -> String {
        let mut out = String::new();
        for inline in inlines {
            match inline {
                Inline::Text(words) => out += &line(words),
                Inline::Code(words) => out += &literal(words),
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
    let mut before = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let next = rest.clone().next();
        let has_meaning = match c {
            '*' | '_' | '`' | '#' | '^' | '~' | '[' | ']' | '<' | '>' | '&' | '{' | '}' | '|' | '+' | '\\' | '\'' => {
                true
            }
            // `...`, `--`, `::`, `((`, `//` and the like.
            '.' | '-' | ':' | ';' | '=' | '(' | ')' | '/' | '"' | ',' if before == Some(c) || next == Some(c) => true,
            // (C), (R), (TM).
            '(' => matches!(next, Some('C' | 'R' | 'T')),
            _ => false,
        };
        match c {
            c if has_meaning => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
        before = Some(c);
    }
    out
}

/// Text of a language, as it is. Two marks hold beside letters too.
fn literal(text: &str) -> String {
    format!("``{}``", line(text))
}

/// A line of a listing. Directives are read there too; what stands behind a backslash is none.
fn verbatim(line: &str) -> String {
    let words = line.trim_start_matches('\\');
    let is_directive =
        ["include", "ifdef", "ifndef", "ifeval", "endif"].iter().any(|word| words.starts_with(&format!("{word}::")));
    if is_directive { format!("\\{line}") } else { line.to_owned() }
}

/// What must not be more than a line: a title, a cell.
fn in_a_line(words: &str) -> String {
    words.replace(" +\n", " ")
}

/// An address as a link has it: what would end it or mean something is written in hex.
fn address(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            '[' | ']' | '_' | '*' | '^' | '~' | '{' | '}' | '|' | '\'' | '"' | '`' | ' ' | '<' | '>' | '+' | '\\' => {
                let _ = write!(out, "%{:02X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// A paragraph may not begin as a list, a title, a block or a warning does: one that does not begin with a plain word begins
/// with nothing.
fn begin(words: &str) -> String {
    let first = words.split([' ', '\n']).next().unwrap_or_default();
    // What a paragraph may begin with of ours; in text these marks are escaped.
    let is_ours = ["xref:", "link:", "<<", "``", "**", "__"].iter().any(|mark| words.starts_with(mark));
    if is_ours || first.chars().all(char::is_alphabetic) && !first.is_empty() {
        words.to_owned()
    } else {
        format!("{{empty}}{words}")
    }
}
