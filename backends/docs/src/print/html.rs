//! A document as HTML: the inside of `<main>`. The page around it is a template.

use std::fmt::Write;

use super::{escape, relative};
use crate::document::{Block, Card, Class, Code, Inline, MEANING, Page, Section, Target, Token, plain};
use crate::figure::svg;

/// The blocks of a page.
pub fn body(page: &Page) -> String {
    let mut html = Html { page: &page.path, out: String::new(), choices: 0 };
    html.blocks(&page.blocks);
    html.out
}

/// The entries of the second level with those of the third below, for the list beside the page.
pub fn outline(page: &Page) -> String {
    let mut out = String::new();
    for section in sections(&page.blocks) {
        let _ = write!(out, "<li><a href=\"#{}\">{}</a>", escape(&section.id), escape(&plain(&section.title)));
        let inner: Vec<_> = sections(&section.blocks).collect();
        if !inner.is_empty() {
            out.push_str("<ul>");
            for section in inner {
                let _ =
                    write!(out, "<li><a href=\"#{}\">{}</a></li>", escape(&section.id), escape(&plain(&section.title)));
            }
            out.push_str("</ul>");
        }
        out.push_str("</li>\n");
    }
    out
}

fn sections(blocks: &[Block]) -> impl Iterator<Item = &Section> {
    blocks.iter().filter_map(|block| match block {
        Block::Section(section) => Some(section),
        _ => None,
    })
}

/// The address of a target, as a page has it.
pub fn address(from: &str, target: &Target) -> String {
    match target {
        Target::Url(url) => url.clone(),
        Target::Page { path, anchor } if path == from && !anchor.is_empty() => format!("#{anchor}"),
        Target::Page { path, anchor } => {
            let file = format!("{}.html", relative(from, path));
            if anchor.is_empty() { file } else { format!("{file}#{anchor}") }
        }
    }
}

struct Html<'p> {
    page: &'p str,
    out: String,
    /// How many choices there are so far: each has a name of its own.
    choices: usize,
}

impl Html<'_> {
    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Section(section) => self.section(section),
            Block::Text(inlines) => self.wrapped("p", inlines),
            Block::List { from, items } => self.list(*from, items),
            Block::Quote(blocks) => {
                self.out.push_str("<blockquote>\n");
                self.blocks(blocks);
                self.out.push_str("</blockquote>\n");
            }
            Block::Note(blocks) => {
                self.out.push_str("<aside class=\"note\">\n");
                self.blocks(blocks);
                self.out.push_str("</aside>\n");
            }
            Block::Code(code) => self.code(code),
            Block::Choice(choices) => self.choice(choices),
            Block::Table { head, rows } => self.table(head, rows),
            Block::Facts(facts) => {
                self.out.push_str("<dl class=\"facts\">\n");
                for (label, value) in facts {
                    let _ = write!(self.out, "<div><dt>{}</dt><dd>", escape(label));
                    self.inlines(value);
                    self.out.push_str("</dd></div>\n");
                }
                self.out.push_str("</dl>\n");
            }
            Block::Figure(figure) => {
                // What is wider than the page is moved about in it, with keys too.
                let _ = writeln!(self.out, "<figure tabindex=\"0\">{}</figure>", svg::inline(figure));
            }
            Block::Cards(cards) => self.cards(cards),
            Block::Rule => self.out.push_str("<hr>\n"),
        }
    }

    fn section(&mut self, section: &Section) {
        let Section { level, id, title, marks, blocks } = section;
        let id = escape(id);
        let _ = write!(self.out, "<section id=\"{id}\" class=\"level{level}\">\n<h{level}>");
        self.inlines(title);
        for mark in marks {
            let _ = write!(self.out, " <span class=\"mark\">{}</span>", escape(mark));
        }
        let about = escape(&plain(title));
        let _ =
            writeln!(self.out, "<a class=\"anchor\" href=\"#{id}\" aria-label=\"Link to {about}\">#</a></h{level}>");
        self.blocks(blocks);
        self.out.push_str("</section>\n");
    }

    fn list(&mut self, from: Option<u64>, items: &[Vec<Block>]) {
        match from {
            None => self.out.push_str("<ul>\n"),
            Some(1) => self.out.push_str("<ol>\n"),
            Some(from) => {
                let _ = writeln!(self.out, "<ol start=\"{from}\">");
            }
        }
        for item in items {
            self.out.push_str("<li>");
            match item.as_slice() {
                [Block::Text(inlines), rest @ ..] => {
                    self.inlines(inlines);
                    self.blocks(rest);
                }
                blocks => self.blocks(blocks),
            }
            self.out.push_str("</li>\n");
        }
        self.out.push_str(if from.is_some() { "</ol>\n" } else { "</ul>\n" });
    }

    fn code(&mut self, code: &Code) {
        // The button comes from the script: without one it could do nothing.
        let class = if code.can_copy { "code copy" } else { "code" };
        let _ = write!(self.out, "<div class=\"{class}\"><pre tabindex=\"0\"><code");
        if !code.language.is_empty() {
            let _ = write!(self.out, " class=\"language-{}\"", escape(&code.language));
        }
        self.out.push('>');
        for token in &code.tokens {
            self.token(token);
        }
        self.out.push_str("</code></pre></div>\n");
    }

    fn token(&mut self, token: &Token) {
        let class = match token.class {
            Class::Plain => None,
            Class::Keyword => Some("keyword"),
            Class::Number => Some("number"),
            Class::Text => Some("text"),
            Class::Comment => Some("comment"),
            Class::Operator => Some("operator"),
            Class::Name => Some("name"),
            Class::Type => Some("type"),
        };
        let title = token.about.map(|about| format!(" title=\"{}\"", escape(about))).unwrap_or_default();
        let words = escape(&token.text);
        let class = class.map(|class| format!(" class=\"t-{class}\"")).unwrap_or_default();
        let _ = match &token.to {
            Some(target) => {
                write!(self.out, "<a{class}{title} href=\"{}\">{words}</a>", escape(&address(self.page, target)))
            }
            None if class.is_empty() && title.is_empty() => write!(self.out, "{words}"),
            None => write!(self.out, "<span{class}{title}>{words}</span>"),
        };
    }

    /// All texts stand there; what is hidden until it is chosen is hidden by radio buttons, without a script.
    fn choice(&mut self, choices: &[(String, Code)]) {
        self.choices += 1;
        // No heading gives an anchor with a colon.
        let name = format!("choice:{}", self.choices);
        let _ = writeln!(self.out, "<div class=\"choice\">");
        for (at, (label, code)) in choices.iter().enumerate() {
            let checked = if at == 0 { " checked" } else { "" };
            let label = escape(label);
            let _ = writeln!(
                self.out,
                "<input type=\"radio\" name=\"{name}\" id=\"{name}:{at}\" data-label=\"{label}\"{checked}>\
                 <label for=\"{name}:{at}\">{label}</label>"
            );
            self.code(code);
        }
        self.out.push_str("</div>\n");
    }

    fn table(&mut self, head: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>]) {
        self.out.push_str("<div class=\"table\" tabindex=\"0\"><table>\n<thead><tr>");
        for cell in head {
            self.wrapped("th", cell);
        }
        self.out.push_str("</tr></thead>\n<tbody>\n");
        for row in rows {
            self.out.push_str("<tr>");
            for (cell, title) in row.iter().zip(head) {
                // On a narrow screen cells stand below each other, each with its title.
                match plain(title).as_str() {
                    "" | MEANING => self.out.push_str("<td>"),
                    title => {
                        let _ = write!(self.out, "<td data-title=\"{}\">", escape(title));
                    }
                }
                self.inlines(cell);
                self.out.push_str("</td>");
            }
            self.out.push_str("</tr>\n");
        }
        self.out.push_str("</tbody>\n</table></div>\n");
    }

    fn cards(&mut self, cards: &[Card]) {
        self.out.push_str("<ul class=\"cards\">\n");
        for card in cards {
            let to = escape(&address(self.page, &card.to));
            let _ = write!(
                self.out,
                "<li><a href=\"{to}\"><span class=\"kind\">{}</span><strong>{}</strong></a><p>",
                escape(&card.kind),
                escape(&card.title)
            );
            self.inlines(&card.summary);
            self.out.push_str("</p></li>\n");
        }
        self.out.push_str("</ul>\n");
    }

    fn wrapped(&mut self, tag: &str, inlines: &[Inline]) {
        let _ = write!(self.out, "<{tag}>");
        self.inlines(inlines);
        let _ = writeln!(self.out, "</{tag}>");
    }

    fn inlines(&mut self, inlines: &[Inline]) {
        for inline in inlines {
            match inline {
                Inline::Text(words) => self.out.push_str(&escape(words)),
                Inline::Code(words) => {
                    let _ = write!(self.out, "<code>{}</code>", escape(words));
                }
                Inline::Strong(inner) => self.in_tag("strong", inner),
                Inline::Emphasis(inner) => self.in_tag("em", inner),
                Inline::Link(target, inner) => {
                    let _ = write!(self.out, "<a href=\"{}\">", escape(&address(self.page, target)));
                    self.inlines(inner);
                    self.out.push_str("</a>");
                }
                Inline::Break => self.out.push_str("<br>"),
            }
        }
    }

    fn in_tag(&mut self, tag: &str, inlines: &[Inline]) {
        let _ = write!(self.out, "<{tag}>");
        self.inlines(inlines);
        let _ = write!(self.out, "</{tag}>");
    }
}
