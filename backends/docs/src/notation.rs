//! Source text in pieces: what each is, what it means, and where it is explained.

use std::collections::{BTreeSet, HashMap, HashSet};

use lapis_cx::source::SourceMap;
use lapis_cx::syntax::{Kind, Node, parse};

use crate::document::{Block, Class, Code, Inline, Section, Target, Token, code, text};

/// What names mean on a page.
pub type Names = HashMap<String, Target>;

/// Which operators and methods a page uses, for their explanation.
#[derive(Debug, Default)]
pub struct Used(BTreeSet<&'static str>);

/// Operators that do not mean what they mean in C, and functions that are built in; each with what it gives.
const MEANINGS: &[(&str, &str)] = &[
    ("+", "sum, exact: the result has a bit more than the operands"),
    ("-", "difference, exact: the result has a bit more than the operands, and a sign"),
    ("*", "product, exact: the result has the bits of both operands"),
    ("/", "quotient, rounded to zero; division by 0 gives all ones"),
    ("%", "remainder, with the sign of the dividend; by 0 it gives the dividend"),
    ("+%", "sum that keeps the width: modulo 2 to its power"),
    ("-%", "difference that keeps the width: modulo 2 to its power"),
    ("*%", "product that keeps the width: modulo 2 to its power"),
    ("<<", "shift to the left; what leaves the width is lost, and a shift by the width or more gives 0"),
    (">>", "shift to the right: with the sign if the value has one, else with zeros"),
    ("[i +: n]", "n bits or elements from i upwards; outside of the value there are zeros"),
    ("[h:l]", "bits h to l; outside of the value there are zeros"),
    (".trunc(n)", "the low n bits, where the type stays as signed as it was"),
    (".wrap(n)", "modulo 2 to the n, as signed as before"),
    (".sat(n)", "the nearest value of n bits, as signed as before"),
    (".usat(n)", "the nearest value of n bits without a sign"),
    (".zext(n)", "to n bits with zeros above"),
    (".sext(n)", "to n bits with the highest bit above"),
    (".ext(n)", "to n bits with the same value"),
    (".signed()", "the same bits, read with a sign"),
    (".unsigned()", "the same bits, read without a sign"),
    (".split(n)", "the array of its n-bit pieces, the lowest first"),
    (".join()", "the elements side by side in one value, the first lowest"),
    ("cat(a, b)", "a above b in one value"),
    ("rep(x, n)", "x, n times side by side"),
    ("ones(n)", "n bits that are 1"),
    ("len(a)", "the number of elements"),
    ("clog2(n)", "the bits that count n things need"),
    ("min(a, b)", "the smallest"),
    ("max(a, b)", "the greatest"),
    ("[for i in a..b => e]", "the array of e for each i from a to b, without b"),
    ("for i in a..b", "each i from a to b, without b"),
    ("raise e -> v", "ends with the error e and v as the result; the state is as before the command"),
    ("raise e @commit -> v", "ends with the error e and v as the result, and keeps what was written to the state"),
    ("trap", "leaves the command to software of a higher level"),
    ("imm", "the operand is a part of the instruction, not a register"),
];

/// The form of a function or method that is built in; that of a method begins with a dot.
fn call_form(start: &str) -> Option<&'static str> {
    MEANINGS.iter().map(|(form, _)| *form).find(|form| form.split_once('(').is_some_and(|(name, _)| name == start))
}

impl Used {
    /// The explanation of what was used; nothing if that is nothing.
    pub fn section(&self) -> Option<Block> {
        let used = MEANINGS.iter().filter(|(form, _)| self.0.contains(form));
        let rows: Vec<_> = used.map(|(form, about)| vec![vec![code(*form)], vec![text(*about)]]).collect();
        if rows.is_empty() {
            return None;
        }
        let head = vec![vec![text("Form")], vec![text("Meaning")]];
        let intro = "What the bodies on this page use. Values are exact integers within their types, and every operation \
                     has a value for all operands.";
        Some(Block::Section(Section {
            level: 2,
            id: "notation".into(),
            title: vec![text("Notation")],
            marks: Vec::new(),
            blocks: vec![Block::Text(vec![Inline::Text(intro.into())]), Block::Table { head, rows }],
        }))
    }

    fn note(&mut self, form: &str) -> Option<&'static str> {
        let (form, about) = MEANINGS.iter().find(|(known, _)| *known == form)?;
        self.0.insert(form);
        Some(about)
    }
}

/// The text of a declaration from its keyword on: without its documentation, and with its own indentation taken away.
pub fn declaration(node: Node<'_>, names: &Names, used: &mut Used) -> Code {
    let mut reader = Reader { names, used, local: local_names(node), tokens: Vec::new(), indent: 0 };
    let mut leaves = Vec::new();
    let mut inside = false;
    for child in node.all_children() {
        inside |= child.kind() != Kind::doc && !child.is_trivia();
        if inside && child.kind() != Kind::doc {
            collect(child, node.kind(), &mut leaves);
        }
    }
    reader.indent = indent(node, &leaves);
    reader.read(&leaves);
    Code { language: "cxspec".into(), can_copy: false, tokens: reader.tokens }
}

/// The text of a whole file or of a part of one, in pieces; names are not looked up.
pub fn fragment(words: &str) -> Code {
    let mut sources = SourceMap::new();
    let file = sources.add("", words);
    let (tree, _) = parse(&sources, file);
    let (names, mut used) = (Names::new(), Used::default());
    let mut reader = Reader { names: &names, used: &mut used, local: HashSet::new(), tokens: Vec::new(), indent: 0 };
    let mut leaves = Vec::new();
    collect(tree.root(), Kind::file, &mut leaves);
    reader.read(&leaves);
    Code { language: "cxspec".into(), can_copy: true, tokens: reader.tokens }
}

/// A leaf, and what it is a part of.
struct Leaf<'t> {
    node: Node<'t>,
    parent: Kind,
}

/// The leaves below a node.
fn collect<'t>(node: Node<'t>, parent: Kind, leaves: &mut Vec<Leaf<'t>>) {
    // The height of a tree is limited by the parser; the stack is the heap all the same.
    let mut open = vec![(node, parent)];
    while let Some((node, parent)) = open.pop() {
        let at = open.len();
        open.extend(node.all_children().map(|child| (child, node.kind())));
        if open.len() == at {
            leaves.push(Leaf { node, parent });
        } else if let Some(children) = open.get_mut(at..) {
            children.reverse();
        }
    }
}

/// How far the last line of a declaration is from the margin: its closing brace stands below its keyword.
fn indent(node: Node<'_>, leaves: &[Leaf<'_>]) -> usize {
    let whole: String = leaves.iter().map(|leaf| leaf.node.text()).collect();
    let closes = node.text().trim_end().ends_with('}');
    let lines = whole.lines().skip(1).filter(|line| !line.trim().is_empty());
    let spaces = |line: &str| line.len() - line.trim_start().len();
    if closes { lines.last().map_or(0, spaces) } else { lines.map(spaces).min().unwrap_or(0) }
}

/// Names that a declaration has inside: what is called like them elsewhere is not meant.
fn local_names<'t>(node: Node<'t>) -> HashSet<&'t str> {
    let declares = |node: Node<'_>| {
        matches!(
            node.kind(),
            Kind::param
                | Kind::let_stmt
                | Kind::var_stmt
                | Kind::for_stmt
                | Kind::let_step
                | Kind::for_step
                | Kind::comprehension
                | Kind::family
                | Kind::generics
        )
    };
    node.descendants(declares).flat_map(|node| node.children_of(Kind::ident)).map(|name| name.text()).collect()
}

struct Reader<'r, 't> {
    names: &'r Names,
    used: &'r mut Used,
    local: HashSet<&'t str>,
    tokens: Vec<Token>,
    indent: usize,
}

impl<'t> Reader<'_, 't> {
    fn read(&mut self, leaves: &[Leaf<'t>]) {
        let mut at_line_start = 0;
        for (at, leaf) in leaves.iter().enumerate() {
            let words = leaf.node.text();
            if leaf.node.kind() == Kind::WHITESPACE {
                let kept: String = words.chars().filter(|c| self.keeps(*c, &mut at_line_start)).collect();
                self.push(Class::Plain, &kept, None, None);
                continue;
            }
            at_line_start = 0;
            self.token(leaf, leaves.get(at + 1..).unwrap_or_default());
        }
    }

    /// Whether a blank is shown: not if it indents the declaration as a whole. Lines end with one character.
    fn keeps(&self, c: char, left: &mut usize) -> bool {
        match c {
            '\r' => false,
            '\n' => {
                *left = self.indent;
                true
            }
            _ if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        }
    }

    /// A token, before these.
    fn token(&mut self, leaf: &Leaf<'t>, after: &[Leaf<'t>]) {
        let words = leaf.node.text();
        let called = after.first().is_some_and(|next| next.node.kind() == Kind::lparen);
        match leaf.node.kind() {
            Kind::comment | Kind::doc => self.push(Class::Comment, words, None, None),
            Kind::string | Kind::raw_string => self.push(Class::Text, words, None, None),
            Kind::int => self.push(Class::Number, words, None, None),
            Kind::ident if leaf.parent == Kind::r#type => self.name(words, Class::Type),
            Kind::ident if leaf.parent == Kind::method => {
                let about = call_form(&format!(".{words}")).and_then(|form| self.used.note(form));
                self.push(Class::Name, words, None, about);
            }
            Kind::ident if called && !self.names.contains_key(words) => {
                let about = call_form(words).and_then(|form| self.used.note(form));
                self.push(Class::Name, words, None, about);
            }
            Kind::ident if leaf.parent == Kind::field => self.push(Class::Name, words, None, None),
            Kind::ident => self.name(words, Class::Plain),
            Kind::psl => {
                let about = self.used.note("[i +: n]");
                self.push(Class::Operator, words, None, about);
            }
            Kind::colon if leaf.parent == Kind::slice => {
                let about = self.used.note("[h:l]");
                self.push(Class::Operator, words, None, about);
            }
            Kind::op_add | Kind::op_mul | Kind::op_shift => {
                let about = self.used.note(words);
                self.push(Class::Operator, words, None, about);
            }
            Kind::assign_op => {
                let about = self.used.note(words.trim_end_matches('='));
                self.push(Class::Operator, words, None, about);
            }
            Kind::kw_raise => {
                let mut statement = after.iter().take_while(|leaf| leaf.node.kind() != Kind::semi);
                let keeps = statement.any(|leaf| leaf.parent == Kind::attr && leaf.node.text() == "commit");
                let about = self.used.note(if keeps { "raise e @commit -> v" } else { "raise e -> v" });
                self.push(Class::Keyword, words, None, about);
            }
            _ if words.starts_with(|c: char| c.is_ascii_alphabetic()) => self.keyword(words, leaf.parent),
            _ => self.push(Class::Plain, words, None, None),
        }
    }

    fn keyword(&mut self, words: &str, parent: Kind) {
        let form = match (words, parent) {
            ("for", Kind::comprehension) => "[for i in a..b => e]",
            ("for", _) => "for i in a..b",
            ("trap", _) => "trap",
            ("imm", _) => "imm",
            _ => "",
        };
        let about = self.used.note(form);
        self.push(Class::Keyword, words, None, about);
    }

    fn name(&mut self, words: &str, class: Class) {
        let to = if self.local.contains(words) { None } else { self.names.get(words).cloned() };
        let class = if to.is_some() && class == Class::Plain { Class::Name } else { class };
        self.push(class, words, to, None);
    }

    fn push(&mut self, class: Class, words: &str, to: Option<Target>, about: Option<&'static str>) {
        match self.tokens.last_mut() {
            Some(last) if last.class == Class::Plain && class == Class::Plain && last.to.is_none() && to.is_none() => {
                last.text.push_str(words);
            }
            _ if words.is_empty() => {}
            _ => self.tokens.push(Token { class, text: words.to_owned(), to, about }),
        }
    }
}
