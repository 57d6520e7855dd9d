//! From tokens to pieces: which operators have two operands, what groups are, and what must break.

use std::fmt::Write;

use proc_macro2::{Delimiter, Ident, Literal, Spacing, TokenStream, TokenTree};

use super::COMMENT;
use super::flat::{Flat, Kind, Piece, Shape, Word, comment_text};
use super::level::{Chain, Head, Level, joined, keyword, sign};

/// rustfmt's limits: what is wider is broken, even if the line has room.
mod limit {
    /// Arguments of a call, if there are several; elements of a tuple.
    pub const CALL: u32 = 60;
    /// Arguments in an attribute.
    pub const ATTRIBUTE: u32 = 70;
    /// Elements of an array.
    pub const ARRAY: u32 = 60;
    /// Fields of a literal.
    pub const LITERAL: u32 = 18;
    /// A chain of two or more accesses.
    pub const CHAIN: u32 = 60;
    /// `if … else …` as a value.
    pub const SELECT: u32 = 50;
}

impl Flat {
    /// Reads tokens in place of what was there.
    pub fn read(&mut self, tokens: TokenStream) {
        self.text.clear();
        self.pieces.clear();
        (self.breaks, self.is_wide) = (0, false);
        let mut level = Level::new(Shape::File, false);
        self.stream(tokens, &mut level);
        self.end_chain(&mut level);
    }

    /// Whether what was read last can be an operand, so that an operator behind it has two.
    fn is_operand(&self, level: &Level) -> bool {
        use Kind::*;
        let last = self.last();
        !level.fresh && matches!(last, Name | Literal | Close(_) | AngleClose | Question | Lifetime)
    }

    /// Writes the blank before a piece, if one stands there. Gives where the piece begins.
    fn begin(&mut self, spaced: bool) -> u32 {
        if spaced {
            self.text.push(' ');
        }
        self.text.len() as u32
    }

    /// Adds the piece whose text was written from `start` on. Gives its place.
    fn add(&mut self, kind: Kind, start: u32, level: &mut Level) -> u32 {
        let (at, end) = (self.pieces.len() as u32, self.text.len() as u32);
        let first = level.fresh && !level.attributed && !matches!(kind, Kind::Close(_));
        self.pieces.push(Piece { kind, first, start, end, pair: at, breaks: self.breaks });
        level.statements += u32::from(first);
        level.fresh = false;
        level.attributed = false;
        at
    }

    fn simple(&mut self, kind: Kind, text: &str, spaced: bool, level: &mut Level) -> u32 {
        let start = self.begin(spaced);
        self.text.push_str(text);
        self.add(kind, start, level)
    }

    /// A chain ends before what is no access. One that is too wide breaks at its first access.
    fn end_chain(&mut self, level: &mut Level) {
        if let Some(Chain { start, first, accesses }) = level.chain.take()
            && accesses >= 2
            && self.since(start) > limit::CHAIN
        {
            self.breaks += 1;
            self.pieces.iter_mut().skip(first as usize).for_each(|piece| piece.breaks += 1);
        }
    }

    /// What begins a chain or goes on with it.
    fn operand(&self, level: &mut Level) {
        if level.chain.is_none() {
            level.chain = Some(Chain { start: self.len() as u32, first: 0, accesses: 0 });
        }
    }

    fn stream(&mut self, tokens: TokenStream, level: &mut Level) {
        let mut rest = tokens.into_iter();
        // An operator to which another character may belong.
        let mut begun = None;
        while let Some(token) = rest.next() {
            if let Some(text) = begun.take() {
                if let TokenTree::Punct(punct) = &token
                    && let Some(longer) = joined(text, punct.as_char())
                {
                    begun = self.punct(longer, punct.spacing(), level);
                    continue;
                }
                self.operator(text, level);
            }
            match token {
                TokenTree::Ident(ident) => self.ident(&ident, level),
                TokenTree::Literal(literal) => self.literal(&literal, level),
                TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                    if let Some(TokenTree::Ident(name)) = rest.next() {
                        let start = self.begin(self.spaced(Kind::Lifetime));
                        let _ = write!(self.text, "'{name}");
                        self.add(Kind::Lifetime, start, level);
                    }
                }
                TokenTree::Punct(punct) => begun = self.punct(sign(punct.as_char()), punct.spacing(), level),
                TokenTree::Group(group) => {
                    let delimiter = group.delimiter();
                    let inner = group.stream();
                    // What is held once is moved, not copied, where it is read.
                    drop(group);
                    match delimiter {
                        Delimiter::None => self.stream(inner, level),
                        Delimiter::Parenthesis => self.parentheses(inner, level),
                        Delimiter::Bracket => self.brackets(inner, level),
                        Delimiter::Brace => self.braces(inner, level),
                    }
                }
            }
        }
        if let Some(text) = begun {
            self.operator(text, level);
        }
    }

    /// Reads an operator, unless the next character may belong to it: then it is given back.
    fn punct(&mut self, text: &'static str, spacing: Spacing, level: &mut Level) -> Option<&'static str> {
        // `>>` ends two lists of generics.
        let is_end = text == ">" && !level.angles.is_empty();
        if spacing == Spacing::Joint && !is_end {
            return Some(text);
        }
        self.operator(text, level);
        None
    }

    fn ident(&mut self, ident: &Ident, level: &mut Level) {
        // A name behind a name or a keyword begins a chain of its own.
        if !matches!(self.last(), Kind::Dot | Kind::Path) || level.fresh {
            self.end_chain(level);
        }
        let was_fresh = level.fresh;
        let start = self.begin(self.spaced(Kind::Name));
        let _ = write!(self.text, "{ident}");
        let text = self.text.get(start as usize..).unwrap_or_default();
        let keyword = keyword(text);
        let kind = match keyword {
            Some(word) => Kind::Keyword(word),
            None if text == "as" => Kind::As,
            None => Kind::Name,
        };
        let at = self.add(kind, start, level);
        match keyword {
            Some(word) => self.keyword(word, at, was_fresh, level),
            None if kind == Kind::As => level.in_type = true,
            None if level.chain.is_none() => level.chain = Some(Chain { start: at, first: 0, accesses: 0 }),
            None => {}
        }
    }

    /// What a keyword at a place says of what follows.
    fn keyword(&mut self, word: Word, at: u32, was_fresh: bool, level: &mut Level) {
        match word {
            Word::Impl | Word::Struct | Word::Enum | Word::Trait | Word::Type | Word::Fn => level.in_type = true,
            Word::If | Word::Match | Word::For | Word::While | Word::Loop | Word::Unsafe if was_fresh => {
                level.block_like = true;
            }
            Word::If if !level.block_like && level.head != Head::Items => match level.select {
                // `else if` needs several lines.
                Some((_, true)) => {
                    self.breaks += 1;
                    self.pieces.iter_mut().skip(at.saturating_sub(1) as usize).for_each(|piece| piece.breaks += 1);
                }
                _ => level.select = Some((at, false)),
            },
            Word::Else => {
                // The statement goes on.
                if let Some(last) = self.pieces.last_mut()
                    && last.first
                {
                    last.first = false;
                    level.statements = level.statements.saturating_sub(1);
                    level.block_like = true;
                }
                if let Some((_, other)) = &mut level.select {
                    *other = true;
                }
            }
            _ => {}
        }
        // What is not safe is an item then, not a block.
        let is_unsafe = at > 0 && self.kind(at as usize - 1) == Kind::Keyword(Word::Unsafe);
        match word {
            Word::Fn if is_unsafe => level.head = Head::Fn,
            Word::Impl | Word::Trait if is_unsafe => level.head = Head::Items,
            Word::Let => level.head = Head::Let,
            Word::Const | Word::Static | Word::Type if level.head == Head::None => level.head = Head::Const,
            Word::Fn if was_fresh || matches!(level.head, Head::None | Head::Const) => level.head = Head::Fn,
            Word::Impl | Word::Trait | Word::Mod if level.head == Head::None => level.head = Head::Items,
            Word::Struct | Word::Enum => level.head = Head::Fields,
            Word::Match => level.head = Head::Match,
            Word::Use => level.head = Head::Use,
            Word::If | Word::Else | Word::While | Word::Loop | Word::Unsafe => level.head = Head::Block,
            Word::For if level.head == Head::None => level.head = Head::Block,
            _ => {}
        }
    }

    fn literal(&mut self, literal: &Literal, level: &mut Level) {
        if self.last() != Kind::Dot {
            self.end_chain(level);
            self.operand(level);
        }
        let start = self.begin(self.spaced(Kind::Literal));
        let _ = write!(self.text, "{literal}");
        // Nothing else has other letters than those of ASCII.
        self.is_wide |= self.text.get(start as usize..).is_some_and(|text| !text.is_ascii());
        self.add(Kind::Literal, start, level);
    }

    fn operator(&mut self, text: &str, level: &mut Level) {
        use Kind::*;
        let operand = self.is_operand(level);
        let kind = match text.as_bytes() {
            b"." => Dot,
            b"::" => Path,
            b"," => Comma,
            b";" => Semi,
            b":" => Colon,
            b"?" => Question,
            b"#" => Hash,
            b"@" => At,
            b"->" => Arrow,
            b"=>" => FatArrow,
            b".." | b"..=" => Range,
            b"<" if level.in_type || !level.angles.is_empty() || self.last() == Path || !operand => AngleOpen,
            b">" if !level.angles.is_empty() => AngleClose,
            b"!" if operand => Bang,
            b"|" if level.pipe.is_some() => PipeClose,
            b"|" if !operand => PipeOpen,
            b"||" if !operand => PipeClose,
            b"!" | b"-" | b"*" | b"&" | b"&&" if !operand => Unary,
            b"*" | b"/" | b"%" => Binary(1),
            b"+" | b"-" => Binary(2),
            b"<<" | b">>" => Binary(3),
            b"&" => Binary(4),
            b"^" => Binary(5),
            b"|" => Binary(6),
            b"==" | b"!=" | b"<" | b">" | b"<=" | b">=" => Binary(7),
            b"&&" => Binary(8),
            b"||" => Binary(9),
            _ => Assign,
        };
        if !matches!(kind, Dot | Path | Question | AngleOpen | AngleClose | Bang) {
            self.end_chain(level);
        }
        if kind == Dot
            && let Some(chain) = &mut level.chain
        {
            chain.accesses += 1;
            if chain.accesses == 1 {
                chain.first = self.pieces.len() as u32;
            }
        }
        let in_angles = !level.angles.is_empty();
        match kind {
            Hash => level.hash = level.fresh,
            Comma if level.shape == Shape::Arms && !in_angles => {
                // Layout says where arms have commas.
                level.begin();
                return;
            }
            Comma if !in_angles && level.pipe.is_none() => {
                level.commas += 1;
                level.in_type = level.types;
                level.select = None;
            }
            Semi | Assign | Range | FatArrow | Binary(_) if !in_angles => level.in_type = false,
            Arrow => level.in_type = true,
            Colon => {
                let typed = matches!(level.shape, Shape::Params | Shape::Fields) || level.pipe.is_some();
                level.in_type |= typed || matches!(level.head, Head::Let | Head::Const) || in_angles;
            }
            _ => {}
        }
        // A closure without parameters is like an operand before which a space stands.
        let spaced = match kind {
            PipeClose if level.pipe.is_none() => self.spaced(Name),
            Path if self.last() == AngleClose => self.is_impl(),
            _ => self.spaced(kind),
        };
        let at = self.simple(kind, text, spaced, level);
        match kind {
            AngleOpen => level.angles.push(at),
            AngleClose => self.tie(level.angles.pop(), at),
            PipeOpen => level.pipe = Some(at),
            PipeClose => {
                self.tie(level.pipe.take(), at);
                level.in_type = false;
            }
            Semi if matches!(level.shape, Shape::File | Shape::Items | Shape::Block) => {
                level.semis += 1;
                level.begin();
            }
            Comma if level.shape == Shape::Fields && !in_angles => level.begin(),
            _ => {}
        }
    }

    /// Whether the generics that end here are those of an `impl`.
    fn is_impl(&self) -> bool {
        let open = self.pieces.last().map_or(0, |close| close.pair as usize);
        open > 0 && matches!(self.kind(open - 1), Kind::Keyword(_))
    }

    /// Ties the ends of a group together.
    fn tie(&mut self, open: Option<u32>, close: u32) {
        let Some(open) = open else { return };
        for (at, other) in [(open, close), (close, open)] {
            if let Some(piece) = self.pieces.get_mut(at as usize) {
                piece.pair = other;
            }
        }
    }

    fn parentheses(&mut self, inner: TokenStream, level: &mut Level) {
        let operand = self.is_operand(level);
        let last = self.last();
        let is_pub = matches!(last, Kind::Keyword(Word::Pub | Word::Fn));
        let shape = if last == Kind::Bang {
            Shape::Macro
        } else if level.head == Head::Fn && !level.params_seen && level.angles.is_empty() {
            level.params_seen = true;
            Shape::Params
        } else if operand || is_pub {
            Shape::Call
        } else {
            Shape::Tuple
        };
        if shape == Shape::Tuple {
            self.end_chain(level);
            self.operand(level);
        }
        self.group(shape, ("(", ")"), inner, level);
    }

    fn brackets(&mut self, inner: TokenStream, level: &mut Level) {
        let last = self.last();
        if last == Kind::Hash {
            return self.attribute(inner, level);
        }
        let shape = match last {
            Kind::Bang => Shape::Macro,
            _ if self.is_operand(level) && !level.in_type => Shape::Index,
            _ => Shape::Array,
        };
        if shape == Shape::Array {
            self.end_chain(level);
            self.operand(level);
        }
        self.group(shape, ("[", "]"), inner, level);
    }

    fn braces(&mut self, inner: TokenStream, level: &mut Level) {
        let last = self.last();
        let shape = match level.head {
            Head::Fn | Head::Block => Shape::Block,
            Head::Items => Shape::Items,
            Head::Fields => Shape::Fields,
            Head::Match => Shape::Arms,
            Head::Use => Shape::Use,
            Head::None | Head::Let | Head::Const if self.is_operand(level) => {
                if last == Kind::Name || last == Kind::AngleClose { Shape::Literal } else { Shape::Block }
            }
            _ => Shape::Block,
        };
        if level.fresh {
            level.block_like = true;
        }
        if shape != Shape::Literal {
            self.end_chain(level);
        }
        let is_body = last == Kind::FatArrow;
        let ends = level.block_like
            || is_body
            || matches!(level.head, Head::Items | Head::Fields)
            || level.head == Head::Fn && matches!(level.shape, Shape::File | Shape::Items | Shape::Block);
        self.group(shape, ("{", "}"), inner, level);
        if shape == Shape::Use {
            return;
        }
        level.head = Head::None;
        level.in_type = false;
        if ends && shape != Shape::Literal {
            level.begin();
        } else if let Some((start, true)) = level.select
            && self.since(start) > limit::SELECT
        {
            self.force();
        }
    }

    fn group(&mut self, shape: Shape, (open, close): (&str, &str), inner: TokenStream, level: &mut Level) {
        let at = self.simple(Kind::Open(shape), open, self.spaced(Kind::Open(shape)), level);
        let breaks = self.breaks;
        let mut own = Level::new(shape, level.in_attribute);
        own.types = level.in_type && (shape == Shape::Tuple || level.head == Head::Fields);
        own.in_type = own.types;
        self.stream(inner, &mut own);
        self.end_chain(&mut own);
        self.drop_comma(&mut own);
        let width = self.since(at + 1);
        let is_empty = self.len() as u32 == at + 1;
        let spaced = self.spaced(Kind::Close(shape));
        let end = self.simple(Kind::Close(shape), close, spaced, level);
        self.tie(Some(at), end);
        let broken = match shape {
            _ if is_empty => false,
            Shape::Call | Shape::Tuple | Shape::Macro => {
                let limit = if level.in_attribute { limit::ATTRIBUTE } else { limit::CALL };
                own.commas > 0 && width > limit
            }
            Shape::Array => own.commas > 0 && width > limit::ARRAY,
            Shape::Literal => width > limit::LITERAL,
            Shape::Block => {
                let is_argument = !level.angles.is_empty();
                let inline = level.select.is_some() && own.semis == 0 && own.statements == 1 && !own.block_like;
                !((inline || is_argument) && self.breaks == breaks)
            }
            Shape::Items | Shape::Arms | Shape::Fields => true,
            Shape::File | Shape::Params | Shape::Index | Shape::Attribute | Shape::Use => false,
        };
        if broken {
            self.force();
        }
    }

    /// A comma that ends a list is layout's, except in a macro and behind the only element of a tuple.
    fn drop_comma(&mut self, own: &mut Level) {
        let lone = own.shape == Shape::Tuple && own.commas == 1;
        if own.shape == Shape::Macro || lone {
            return;
        }
        if let Some(&Piece { kind: Kind::Comma, start, .. }) = self.pieces.last() {
            self.pieces.pop();
            self.text.truncate(start as usize);
            own.commas = own.commas.saturating_sub(1);
        }
    }

    /// An attribute, which may stand for a comment: `# [name = text]`.
    fn attribute(&mut self, inner: TokenStream, level: &mut Level) {
        let mut rest = inner.into_iter();
        let name = rest.next();
        let kind = match &name {
            Some(TokenTree::Ident(name)) if name == "doc" => Some(Kind::Doc),
            Some(TokenTree::Ident(name)) if name == COMMENT => Some(Kind::Comment),
            _ => None,
        };
        let equals = kind.and_then(|_| rest.next());
        let value = kind.and_then(|_| rest.next());
        let text = match &value {
            Some(TokenTree::Literal(text)) => comment_text(&text.to_string()),
            _ => None,
        };
        match kind.zip(text) {
            Some((kind, text)) => self.comment(kind, &text),
            None => {
                let inner = [name, equals, value].into_iter().flatten().chain(rest);
                self.group(Shape::Attribute, ("[", "]"), inner.collect(), level);
            }
        }
        // What follows is what the attribute is of.
        level.fresh = level.hash;
        level.attributed = level.hash;
    }

    /// A comment in place of the `#` of its attribute.
    fn comment(&mut self, kind: Kind, text: &str) {
        let Some(piece) = self.pieces.last_mut() else { return };
        self.text.truncate(piece.start as usize);
        self.text.push_str(match kind {
            Kind::Doc => "///",
            _ if text.is_empty() => "//",
            _ => "// ",
        });
        self.text.push_str(text);
        // It is as wide as it is; nothing stands beside it.
        (piece.kind, piece.end) = (kind, self.text.len() as u32);
        self.force();
    }
}
