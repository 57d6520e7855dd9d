//! What is known while tokens of a group are read.

use super::flat::{Shape, Word};

/// What a statement or item began with that says what its groups are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Head {
    None,
    Let,
    Fn,
    Items,
    Fields,
    Match,
    Block,
    Use,
    Const,
}

/// A chain of accesses while it is read: where it begins, its first access, and how many it has.
#[derive(Clone, Copy)]
pub struct Chain {
    pub start: u32,
    pub first: u32,
    pub accesses: u32,
}

/// What is known while a group is read.
pub struct Level {
    pub shape: Shape,
    pub in_attribute: bool,
    /// The next piece begins an item, a statement or an arm.
    pub fresh: bool,
    /// It does, behind its attributes, which begin it already.
    pub attributed: bool,
    /// An attribute began so.
    pub hash: bool,
    pub head: Head,
    /// What the statement began with ends it with its last block.
    pub block_like: bool,
    pub in_type: bool,
    /// Nothing but types is in it.
    pub types: bool,
    pub angles: Vec<u32>,
    pub pipe: Option<u32>,
    pub params_seen: bool,
    /// The `if` of a value, and whether its `else` is there.
    pub select: Option<(u32, bool)>,
    pub chain: Option<Chain>,
    pub commas: u32,
    pub semis: u32,
    pub statements: u32,
}

impl Level {
    /// A group begins.
    pub fn new(shape: Shape, in_attribute: bool) -> Level {
        let fresh = matches!(shape, Shape::File | Shape::Items | Shape::Block | Shape::Arms | Shape::Fields);
        Level {
            shape,
            in_attribute: in_attribute || shape == Shape::Attribute,
            fresh,
            attributed: false,
            hash: false,
            head: Head::None,
            block_like: false,
            in_type: false,
            types: false,
            angles: Vec::new(),
            pipe: None,
            params_seen: false,
            select: None,
            chain: None,
            commas: 0,
            semis: 0,
            statements: 0,
        }
    }

    /// A new item, statement or arm begins.
    pub fn begin(&mut self) {
        self.fresh = true;
        self.head = Head::None;
        self.block_like = false;
        self.in_type = false;
        self.params_seen = false;
        self.select = None;
    }
}

/// The operator of one character.
pub fn sign(c: char) -> &'static str {
    match c {
        '!' => "!",
        '#' => "#",
        '$' => "$",
        '%' => "%",
        '&' => "&",
        '*' => "*",
        '+' => "+",
        ',' => ",",
        '-' => "-",
        '.' => ".",
        '/' => "/",
        ':' => ":",
        ';' => ";",
        '<' => "<",
        '=' => "=",
        '>' => ">",
        '?' => "?",
        '@' => "@",
        '^' => "^",
        '|' => "|",
        // No other character is a token.
        _ => "~",
    }
}

/// An operator with another character, if that is one operator too.
pub fn joined(text: &str, next: char) -> Option<&'static str> {
    Some(match (text.as_bytes(), next) {
        (b"!", '=') => "!=",
        (b"%", '=') => "%=",
        (b"&", '&') => "&&",
        (b"&", '=') => "&=",
        (b"*", '=') => "*=",
        (b"+", '=') => "+=",
        (b"-", '=') => "-=",
        (b"-", '>') => "->",
        (b".", '.') => "..",
        (b"..", '=') => "..=",
        (b"/", '=') => "/=",
        (b":", ':') => "::",
        (b"<", '<') => "<<",
        (b"<<", '=') => "<<=",
        (b"<", '=') => "<=",
        (b"=", '=') => "==",
        (b"=", '>') => "=>",
        (b">", '=') => ">=",
        (b">", '>') => ">>",
        (b">>", '=') => ">>=",
        (b"^", '=') => "^=",
        (b"|", '=') => "|=",
        (b"|", '|') => "||",
        _ => return None,
    })
}

/// The keyword that a word is, if an operand begins behind it or nothing of an expression does.
pub fn keyword(word: &str) -> Option<Word> {
    Some(match word.as_bytes() {
        b"const" => Word::Const,
        b"else" => Word::Else,
        b"enum" => Word::Enum,
        b"fn" => Word::Fn,
        b"for" => Word::For,
        b"if" => Word::If,
        b"impl" => Word::Impl,
        b"let" => Word::Let,
        b"loop" => Word::Loop,
        b"match" => Word::Match,
        b"mod" => Word::Mod,
        b"move" => Word::Move,
        b"mut" => Word::Mut,
        b"pub" => Word::Pub,
        b"static" => Word::Static,
        b"struct" => Word::Struct,
        b"trait" => Word::Trait,
        b"type" => Word::Type,
        b"unsafe" => Word::Unsafe,
        b"use" => Word::Use,
        b"while" => Word::While,
        b"async" | b"break" | b"continue" | b"dyn" | b"extern" | b"in" | b"ref" | b"return" | b"where" => Word::Other,
        _ => return None,
    })
}
