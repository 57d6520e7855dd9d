//! What a page says, before it has a format: blocks and the text in them. Each format prints the same document.

use crate::figure::Figure;

/// What a page is about; it decides the group that it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The first page.
    Home,
    /// The list of everything that has a name.
    Index,
    /// An interface.
    Interface,
    /// A library.
    Library,
    /// A platform.
    Platform,
    /// The laws of a package.
    Package,
    /// A page of prose that was given.
    Guide,
}

impl Kind {
    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Home => "home",
            Kind::Index => "index",
            Kind::Interface => "interface",
            Kind::Library => "library",
            Kind::Platform => "platform",
            Kind::Package => "package",
            Kind::Guide => "guide",
        }
    }
}

/// A page.
#[derive(Clone, Debug)]
pub struct Page {
    /// Where it is, without the ending, as in `org.example.dsp/MulAcc`.
    pub path: String,
    /// What it is about.
    pub kind: Kind,
    /// Its title.
    pub title: String,
    /// What stands over the title, such as the package.
    pub over: String,
    /// One sentence.
    pub summary: String,
    /// What it says.
    pub blocks: Vec<Block>,
    /// What has a name on it, in the order of the page.
    pub entries: Vec<Entry>,
}

/// Something with a name that can be found: in the search and in the list of everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, as in `mulacc`.
    pub name: String,
    /// What it is, such as `command`.
    pub kind: &'static str,
    /// The anchor on its page; empty for the page itself.
    pub anchor: String,
    /// One sentence.
    pub summary: String,
}

/// The title of columns that explain: what stands there needs no title on a narrow screen.
pub const MEANING: &str = "Meaning";

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A part with a title.
    Section(Section),
    /// A paragraph.
    Text(Vec<Inline>),
    /// A list; numbered from this number, if there is one.
    List {
        /// The number of the first item.
        from: Option<u64>,
        /// The items.
        items: Vec<Vec<Block>>,
    },
    /// What somebody else says.
    Quote(Vec<Block>),
    /// A remark that stands out.
    Note(Vec<Block>),
    /// Text of a language.
    Code(Code),
    /// Texts of which a reader wants one, each with a label.
    Choice(Vec<(String, Code)>),
    /// A table.
    Table {
        /// The titles of the columns.
        head: Vec<Vec<Inline>>,
        /// The rows, each with as many cells.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// Properties: a label and what holds.
    Facts(Vec<(String, Vec<Inline>)>),
    /// A drawing.
    Figure(Figure),
    /// Cards that lead to other pages.
    Cards(Vec<Card>),
    /// A line between things.
    Rule,
}

/// A part with a title.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// How deep it is: 2 for a part of a page, 3 for a part of that.
    pub level: u8,
    /// The anchor, unique on the page.
    pub id: String,
    /// The title.
    pub title: Vec<Inline>,
    /// Short marks behind the title, such as the forms of a command.
    pub marks: Vec<String>,
    /// What it holds.
    pub blocks: Vec<Block>,
}

/// Leads to a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// Where to.
    pub to: Target,
    /// The name.
    pub title: String,
    /// What it is.
    pub kind: String,
    /// One sentence.
    pub summary: Vec<Inline>,
}

/// Text of a language, in pieces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {
    /// The language as highlighters name it; empty for none.
    pub language: String,
    /// What copying gives, if that is offered.
    pub can_copy: bool,
    /// The pieces; joined they are the text.
    pub tokens: Vec<Token>,
}

impl Code {
    /// Text that is one piece.
    pub fn plain(language: &str, text: impl Into<String>) -> Code {
        let token = Token { class: Class::Plain, text: text.into(), to: None, about: None };
        Code { language: language.to_owned(), can_copy: true, tokens: vec![token] }
    }

    /// The text.
    pub fn text(&self) -> String {
        self.tokens.iter().map(|token| token.text.as_str()).collect()
    }
}

/// A piece of text of a language.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it is.
    pub class: Class,
    /// The text.
    pub text: String,
    /// Where what it names is explained.
    pub to: Option<Target>,
    /// What it means.
    pub about: Option<&'static str>,
}

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Nothing in particular.
    Plain,
    /// A word of the language.
    Keyword,
    /// A number.
    Number,
    /// A text in quotes.
    Text,
    /// A comment.
    Comment,
    /// An operator.
    Operator,
    /// A name that is explained elsewhere.
    Name,
    /// A type.
    Type,
}

/// A piece of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    /// Text.
    Text(String),
    /// Text of a language.
    Code(String),
    /// Of weight.
    Strong(Vec<Inline>),
    /// With stress.
    Emphasis(Vec<Inline>),
    /// Leads elsewhere.
    Link(Target, Vec<Inline>),
    /// A new line.
    Break,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A page of the same documentation, and perhaps an anchor on it.
    Page {
        /// [`Page::path`].
        path: String,
        /// [`Section::id`]; empty for the top.
        anchor: String,
    },
    /// Any address.
    Url(String),
}

impl Target {
    /// The top of a page.
    pub fn page(path: impl Into<String>) -> Target {
        Target::Page { path: path.into(), anchor: String::new() }
    }

    /// An anchor on a page.
    pub fn anchor(path: impl Into<String>, anchor: impl Into<String>) -> Target {
        Target::Page { path: path.into(), anchor: anchor.into() }
    }
}

/// Text without anything about it.
pub fn text(text: impl Into<String>) -> Inline {
    Inline::Text(text.into())
}

/// Text of a language.
pub fn code(text: impl Into<String>) -> Inline {
    Inline::Code(text.into())
}

/// The text alone.
pub fn plain(inlines: &[Inline]) -> String {
    let mut out = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(text) | Inline::Code(text) => out.push_str(text),
            Inline::Strong(inner) | Inline::Emphasis(inner) | Inline::Link(_, inner) => out += &plain(inner),
            Inline::Break => out.push(' '),
        }
    }
    out
}
