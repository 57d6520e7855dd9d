//! Tokens as pieces of one flat text: what they are, what stands between them, how wide they are, and whether they can stay
//! in one line. Each is decided once, so that layout only compares numbers.

/// What the printer knows of a group in delimiters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The file.
    File,
    /// Arguments.
    Call,
    /// Arguments of a macro.
    Macro,
    /// Parameters of a function.
    Params,
    /// A tuple, or parentheses alone.
    Tuple,
    /// A position in an array.
    Index,
    /// An array, its type, or a pattern of a slice.
    Array,
    /// What an attribute says.
    Attribute,
    /// Items in braces.
    Items,
    /// Statements.
    Block,
    /// Arms of a `match`.
    Arms,
    /// Fields or variants that are declared.
    Fields,
    /// Fields that get values.
    Literal,
    /// Names that are imported.
    Use,
}

/// Keywords that the printer knows, and others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Const,
    Else,
    Enum,
    Fn,
    For,
    If,
    Impl,
    Let,
    Loop,
    Match,
    Mod,
    Move,
    Mut,
    Pub,
    Static,
    Struct,
    Trait,
    Type,
    Unsafe,
    Use,
    While,
    Other,
}

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name that is a value or a type.
    Name,
    /// A word behind which an operand begins.
    Keyword(Word),
    /// A number, a string.
    Literal,
    /// `'a`
    Lifetime,
    /// `,`
    Comma,
    /// `;`
    Semi,
    /// `:`
    Colon,
    /// `.`
    Dot,
    /// `::`
    Path,
    /// `->`
    Arrow,
    /// `=>`
    FatArrow,
    /// `=`, `+=`
    Assign,
    /// `..`, `..=`
    Range,
    /// An operator between two operands; a lower number binds tighter.
    Binary(u8),
    /// `as`
    As,
    /// An operator before its operand.
    Unary,
    /// `?`
    Question,
    /// `<` of generics.
    AngleOpen,
    /// `>` of generics.
    AngleClose,
    /// `|` before parameters.
    PipeOpen,
    /// `|` behind parameters, or `||` without any.
    PipeClose,
    /// `!` of a macro.
    Bang,
    /// `#`
    Hash,
    /// `@`
    At,
    /// The beginning of a group.
    Open(Shape),
    /// The end of a group.
    Close(Shape),
    /// A documentation comment.
    Doc,
    /// Another comment.
    Comment,
}

/// A token or several that are never apart.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// What it is.
    pub kind: Kind,
    /// Whether it begins an item, a statement, a field or an arm.
    pub first: bool,
    /// Its bytes in the flat text.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Its columns in the flat text.
    pub(super) from: u32,
    pub(super) to: u32,
    /// The other end of a group, or itself.
    pub pair: u32,
    /// How many breaks must be, from the beginning up to its end.
    pub(super) breaks: u32,
}

/// What stands behind the last piece.
const NOTHING: Piece = Piece { kind: Kind::Semi, first: true, start: 0, end: 0, from: 0, to: 0, pair: 0, breaks: 0 };

/// Tokens as one flat text.
#[derive(Default)]
pub struct Flat {
    /// The text in one line. Documentation is an attribute in it.
    pub(super) text: String,
    pub(super) pieces: Vec<Piece>,
    /// The column behind the text.
    pub(super) column: u32,
    pub(super) breaks: u32,
}

impl Flat {
    /// How many pieces there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// A piece.
    #[inline]
    pub fn piece(&self, i: usize) -> Piece {
        self.pieces.get(i).copied().unwrap_or(NOTHING)
    }

    /// What a piece is.
    #[inline]
    pub fn kind(&self, i: usize) -> Kind {
        self.piece(i).kind
    }

    /// Behind a piece, or behind the group that it begins.
    #[inline]
    pub fn behind(&self, i: usize) -> usize {
        (self.piece(i).pair as usize).max(i) + 1
    }

    /// The text of some pieces in one line.
    pub fn text(&self, from: usize, to: usize) -> &str {
        if from >= to {
            return "";
        }
        self.text.get(self.piece(from).start as usize..self.piece(to - 1).end as usize).unwrap_or_default()
    }

    /// The columns of that text.
    #[inline]
    pub fn width(&self, from: usize, to: usize) -> usize {
        if from >= to { 0 } else { self.piece(to - 1).to.saturating_sub(self.piece(from).from) as usize }
    }

    /// Whether some pieces must be on several lines.
    #[inline]
    pub fn is_broken(&self, from: usize, to: usize) -> bool {
        let before = if from == 0 { 0 } else { self.piece(from - 1).breaks };
        from < to && self.piece(to - 1).breaks != before
    }

    pub(super) fn last(&self) -> Kind {
        self.pieces.last().map_or(Kind::Semi, |p| p.kind)
    }

    /// Breaks what was read last.
    pub(super) fn force(&mut self) {
        self.breaks += 1;
        if let Some(last) = self.pieces.last_mut() {
            last.breaks = self.breaks;
        }
    }

    /// The columns from a piece up to here.
    pub(super) fn since(&self, start: u32) -> u32 {
        self.column.saturating_sub(self.piece(start as usize).from)
    }

    /// Whether a space stands between what was read last and this.
    pub(super) fn spaced(&self, kind: Kind) -> bool {
        use Kind::*;
        let Some(last) = self.pieces.last() else { return false };
        match last.kind {
            Open(shape) if !is_brace(shape) => return false,
            Unary | Path | Dot | Hash | Bang | AngleOpen | PipeOpen => return false,
            Range => return matches!(kind, Close(shape) if is_brace(shape)) || matches!(kind, Assign | FatArrow),
            Keyword(_) if kind == Open(Shape::Call) => return false,
            _ => {}
        }
        match kind {
            Comma | Semi | Colon | Dot | Question | AngleClose | AngleOpen | PipeClose | Bang => false,
            Open(Shape::Call | Shape::Params | Shape::Index | Shape::Attribute | Shape::Macro) => false,
            Close(shape) if is_brace(shape) => !matches!(last.kind, Open(_)),
            Close(_) => false,
            Path => !matches!(last.kind, Name | AngleClose),
            Range => !matches!(last.kind, Name | Literal | Close(_) | Question),
            _ => true,
        }
    }
}

/// Whether a group in braces has blanks inside.
pub fn is_brace(shape: Shape) -> bool {
    matches!(shape, Shape::Items | Shape::Block | Shape::Arms | Shape::Fields | Shape::Literal)
}

/// What a string literal says, if one line of a comment can hold it.
pub fn comment_text(literal: &str) -> Option<String> {
    let (is_raw, literal) = literal.strip_prefix('r').map_or((false, literal), |rest| (true, rest));
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    if is_raw || !inner.contains('\\') {
        return Some(inner.to_owned()).filter(|text| can_be_comment(text));
    }
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        let c = match c {
            '\\' => match rest.next()? {
                'n' | 'r' => return None,
                't' => '\t',
                '0' => '\0',
                'u' => {
                    let digits: String = rest.by_ref().skip(1).take_while(|c| *c != '}').collect();
                    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
                }
                other @ ('\\' | '"' | '\'') => other,
                _ => return None,
            },
            '\n' | '\r' => return None,
            c => c,
        };
        text.push(c);
    }
    can_be_comment(&text).then_some(text)
}

/// Four slashes are no documentation, blanks at the end do not stay, and a lone carriage return is refused.
fn can_be_comment(text: &str) -> bool {
    !text.starts_with('/') && text.trim_end() == text && !text.contains(['\n', '\r'])
}
