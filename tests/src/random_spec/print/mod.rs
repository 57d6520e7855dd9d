//! A generated spec as text, in any layout.

mod expr;
mod item;
mod layout;
mod stmt;

use super::model::*;
use super::names::Names;
use layout::{Token, join};

/// How a spec is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Parentheses around everything, or only where they are needed.
    pub all_parentheses: bool,
    /// Documentation before what can have it.
    pub docs: bool,
    /// Where blanks and comments go.
    pub layout: Layout,
}

/// Where blanks and comments go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A statement a line.
    Plain,
    /// No blank that is not needed.
    Tight,
    /// Blanks, line ends and comments everywhere, from a seed.
    Wild(u64),
}

/// As people write.
pub const PLAIN: Style = Style { all_parentheses: false, docs: false, layout: Layout::Plain };

/// The text of a spec.
pub fn print(spec: &Spec, names: &Names, style: Style) -> String {
    let mut printer = Printer { names, style, tokens: Vec::new(), docs: 0 };
    printer.file(spec);
    join(&printer.tokens, style.layout)
}

struct Printer<'a> {
    names: &'a Names,
    style: Style,
    tokens: Vec<Token>,
    docs: u32,
}

impl Printer<'_> {
    fn put(&mut self, text: impl Into<String>) {
        self.tokens.push(Token::Text(text.into()));
    }

    fn puts(&mut self, texts: &[&str]) {
        texts.iter().for_each(|t| self.put(*t));
    }

    fn name(&mut self, name: Name) {
        let text = self.names.get(name).to_owned();
        self.put(text);
    }

    /// The end of a line in the plain layout.
    fn end(&mut self, text: &str) {
        self.put(text);
        self.tokens.push(Token::Break);
    }

    fn doc(&mut self) {
        if self.style.docs {
            self.docs += 1;
            self.tokens
                .push(Token::Doc(format!("/// Text number {} with \"quotes\", `code` and */ signs.", self.docs)));
        }
    }

    fn file(&mut self, spec: &Spec) {
        self.puts(&["cxspec", "1"]);
        self.end(";");
        self.put("package");
        let package = self.names.package.clone();
        self.put(package);
        self.end(";");
        if spec.imports_context {
            self.puts(&["use", "cx.std", ":", "IStateContext"]);
            self.end(";");
        }
        for item in &spec.items {
            self.doc();
            match item {
                Item::Const(item) => self.constant(item),
                Item::Function(item) => self.function(item),
                Item::Interface(item) => self.interface(item),
                Item::Law(law) => self.law(law),
            }
        }
    }

    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.put(",");
            }
            each(self, item);
        }
    }
}
