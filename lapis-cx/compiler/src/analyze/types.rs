//! Types as the source writes them, and constant numbers in widths, lengths, bounds and ids.

use crate::contract::core::{ExprKind, Type};
use crate::contract::{Enum, EnumCase, EnumId};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::types as codes;
use crate::int::Int;
use crate::syntax::{Kind, Node};

use super::checker::{Checker, Decl, Frame, Symbol};
use super::literal::MAX_WIDTH;
use super::names;
use super::typed::{Ty, Typed, is_of_unknown_length};

/// Most elements of an array, those of arrays in it counted: what a state context can hold at most in bits (1023 words
/// of 64).
pub(super) const MAX_LENGTH: u32 = 1 << 16;

/// Most dimensions of an array. Types are walked level by level, and no level costs anything to write.
pub(super) const MAX_DIMENSIONS: usize = 16;

/// Whether a variable may have this type: a buffer of a library may be longer than any, or as long as only the call knows.
pub(super) fn can_be_declared(ty: &Type) -> bool {
    (1..=u64::from(MAX_LENGTH)).contains(&ty.flattened().1)
}

impl<'t> Checker<'_, 't> {
    /// The type written at a `type` node.
    pub(super) fn type_of(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Option<Type> {
        let mut ty = self.base_type(frame, node)?;
        // `s8[4][256]` is 4 arrays of 256.
        let dims: Vec<_> = node.children_of(Kind::dim).collect();
        if let Some(dim) = dims.get(MAX_DIMENSIONS) {
            self.report(too_many_dimensions(*dim));
            return None;
        }
        for dim in dims.into_iter().rev() {
            let at = dim.expr()?;
            let len = self.constant(frame, at, "the length of an array")?;
            ty = self.array_of(ty, &len, at)?;
        }
        Some(ty)
    }

    /// An array type, unless it has too many elements.
    pub(super) fn array_of(&mut self, elem: Type, len: &Int, at: Node<'t>) -> Option<Type> {
        let most = u64::from(MAX_LENGTH);
        let (_, count) = elem.flattened();
        if dimensions(&elem) >= MAX_DIMENSIONS {
            self.report(too_many_dimensions(at));
            return None;
        }
        if is_of_unknown_length(&elem) {
            let message = "an array cannot hold buffers of unknown length";
            self.error(&codes::BAD_WIDTH, at, message, "only the call knows how long they are");
            return None;
        }
        match len.to_u32().filter(|n| (1..=most / count.max(1)).contains(&u64::from(*n))) {
            Some(len) => Some(Type::array(elem, len)),
            None => {
                let (message, label) = if count == 1 || *len < Int::ONE {
                    (format!("an array cannot have {len} elements"), format!("1 to {most}"))
                } else {
                    (format!("an array cannot have {len} times {count} elements"), format!("at most {most} in all"))
                };
                self.error(&codes::BAD_WIDTH, at, message, &label);
                None
            }
        }
    }

    /// Takes the elements of an array constant from the budget of the compilation; false after a complaint.
    pub(super) fn spend_elements(&mut self, ty: &Type, node: Node<'t>) -> bool {
        let enough = self.world.take_elements(ty.flattened().1);
        if !enough && self.world.may_complain_of_room() {
            self.report(
                Diagnostic::error(
                    &codes::EVALUATION,
                    "the array constants take too much memory",
                    node.span(),
                    "gave up here",
                )
                .help("use fewer or shorter arrays; a `const` is kept once, an array in a body at each place"),
            );
        }
        enough
    }

    fn base_type(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Option<Type> {
        if let Some(sized) = node.child(Kind::sized_type) {
            let width_node = sized.child(Kind::width)?;
            let width = self.constant(frame, width_node, "a width")?;
            let signed = sized.child(Kind::sign_letter).is_some_and(|l| l.text() == "s");
            return match width.to_u32().filter(|w| (1..=MAX_WIDTH).contains(w)) {
                Some(n) => Some(if signed { Type::S(n) } else { Type::U(n) }),
                None => {
                    self.bad_width(width_node, &width);
                    None
                }
            };
        }
        let name = node.name();
        match self.named_type(frame, name.text()) {
            Some(Ok(ty)) => Some(ty),
            Some(Err(fault)) => {
                self.type_fault(name, fault);
                None
            }
            None => {
                let mut found = Diagnostic::error(
                    &codes::UNKNOWN_TYPE,
                    format!("there is no type `{}`", name.text()),
                    name.span(),
                    "not a type",
                );
                if let Some(help) = foreign_type(name.text()) {
                    found = found.help(help);
                } else if let Some(near) = names::nearest(name.text(), self.type_names(frame).into_iter()) {
                    found = found.help(format!("did you mean `{near}`?"));
                } else if let Some(symbol) = self.symbol(frame.home, name.text()) {
                    found.labels.iter_mut().for_each(|l| symbol.what().clone_into(&mut l.text));
                }
                self.report(found);
                None
            }
        }
    }

    fn bad_width(&mut self, node: Node<'_>, width: &Int) {
        self.error(&codes::BAD_WIDTH, node, format!("an integer cannot be {width} bits wide"), "a width is 1 to 1024");
    }

    /// Says what is wrong with a type that is one by its name.
    pub(super) fn type_fault(&mut self, name: Node<'_>, fault: TypeFault) {
        if let TypeFault::Width(width) = fault {
            self.bad_width(name, &width);
        }
    }

    fn type_names(&self, frame: &Frame<'t>) -> Vec<&'t str> {
        let members = self.members.iter().filter(|_| frame.home.member);
        let enums = members.filter(|(_, (symbol, _))| matches!(symbol, Symbol::Enum(_))).map(|(name, _)| *name);
        let mut all: Vec<_> = enums.chain(["bool", "word", "sword"]).collect();
        all.sort_unstable();
        all
    }

    /// A type by name.
    pub(super) fn named_type(&mut self, frame: &Frame<'t>, name: &str) -> Option<Result<Type, TypeFault>> {
        match name {
            "bool" => return Some(Ok(Type::Bool)),
            "word" => return Some(Ok(Type::U(self.xlen))),
            "sword" => return Some(Ok(Type::S(self.xlen))),
            _ => {}
        }
        if let Some(digits) = name.strip_prefix(['u', 's'])
            && !digits.is_empty()
            && digits.len() <= 100
            && digits.bytes().all(|b| b.is_ascii_digit())
        {
            let width = Int::parse(digits, 10)?;
            return Some(match width.to_u32().filter(|w| (1..=MAX_WIDTH).contains(w)) {
                Some(n) if name.starts_with('u') => Ok(Type::U(n)),
                Some(n) => Ok(Type::S(n)),
                None => Err(TypeFault::Width(width)),
            });
        }
        match self.symbol(frame.home, name)? {
            Symbol::Enum(decl) => {
                let id = self.enum_id(decl);
                let known = id.and_then(|id| Some((id, self.section.enums.get(id.index())?.width)));
                Some(known.map(|(id, width)| Type::Enum { id, width }).ok_or(TypeFault::Said))
            }
            Symbol::Broken => Some(Err(TypeFault::Said)),
            _ => None,
        }
    }

    /// A constant unsized number, such as a width.
    pub(super) fn constant(&mut self, frame: &mut Frame<'t>, node: Node<'t>, what: &str) -> Option<Int> {
        let typed = self.expr(frame, node, None);
        self.constant_of(&typed, node, what)
    }

    /// The number an expression always has.
    pub(super) fn constant_of(&mut self, typed: &Typed, node: Node<'t>, what: &str) -> Option<Int> {
        match (&typed.ty, typed.int()) {
            (Ty::Error, _) => None,
            (_, Some(v)) if typed.is_integer() => Some(v),
            _ => {
                let help = match &typed.expr.kind {
                    _ if what == "a bound of a slice" => "take bits at a varying position with `x[b +: W]`",
                    ExprKind::Call(..) => "give what the function returns a name with `const`, and use that",
                    _ => {
                        "constants are literals, `const`, XLEN, generics and family indices, and what is computed from them"
                    }
                };
                let message = format!("{what} must be a constant");
                let label = if typed.is_integer() { "not known before the program runs" } else { "not a number" };
                self.report(Diagnostic::error(&codes::NOT_CONSTANT, message, node.span(), label).help(help));
                None
            }
        }
    }

    /// The enum of a declaration, entered into the section at its first use.
    pub(super) fn enum_id(&mut self, decl: Decl<'t>) -> Option<EnumId> {
        let key = decl.node.span();
        if let Some(id) = self.enums.get(&key) {
            return *id;
        }
        self.enums.insert(key, None);
        let id = self.enum_item(decl);
        self.enums.insert(key, id);
        id
    }

    fn enum_item(&mut self, decl: Decl<'t>) -> Option<EnumId> {
        let mut frame = Frame::new(super::checker::BodyKind::Const, decl.home);
        let base_node = decl.node.child(Kind::r#type)?;
        let base = self.type_of(&mut frame, base_node)?;
        if !base.is_integer() {
            self.error(&codes::MISMATCH, base_node, "the base of an enum is an integer type", "not an integer type");
            return None;
        }
        let mut cases: Vec<EnumCase> = Vec::new();
        for case in decl.node.children_of(Kind::enum_case) {
            let name = case.name();
            let number = case.child(Kind::signed_int)?;
            let Some(value) = self.signed_int(number) else { continue };
            let (lo, hi) = base.range();
            if value < lo || value > hi {
                let base = self.name_of(&base);
                self.error(&codes::MISMATCH, number, format!("{value} does not fit `{base}`"), "the base of this enum");
                continue;
            }
            let pattern = value.wrap(base.width(), false);
            let clash = cases.iter().find(|c| c.name == name.text() || c.pattern == pattern);
            if let Some(first) = clash {
                let what = if first.name == name.text() { "name" } else { "value" };
                let found = Diagnostic::error(
                    &crate::diagnostic::catalogue::names::DUPLICATE,
                    format!("two cases have one {what}"),
                    case.span(),
                    format!("the {what} of `{}` again", first.name),
                )
                .label(first.span, "first here")
                .help(format!("give each case its own {what}"));
                self.report(found);
                continue;
            }
            cases.push(EnumCase { name: name.text().to_owned(), docs: case.docs(), pattern, span: name.span() });
        }
        let name = decl.node.name();
        self.section.enums.push(Enum {
            name: name.text().to_owned(),
            docs: decl.node.docs(),
            width: base.width(),
            signed: base.is_signed(),
            cases,
            span: name.span(),
        });
        Some(EnumId(self.section.enums.len() as u32 - 1))
    }

    /// A literal that may have a minus.
    pub(super) fn signed_int(&mut self, node: Node<'t>) -> Option<Int> {
        match super::literal::literal(node.child(Kind::int)?) {
            Ok(typed) => typed.int().map(|v| if node.has(Kind::minus) { -&v } else { v }),
            Err(found) => {
                self.report(found);
                None
            }
        }
    }
}

/// How many dimensions an array has; 0 for a scalar.
fn dimensions(ty: &Type) -> usize {
    let (mut count, mut inner) = (0, ty);
    while let Type::Array { elem, .. } = inner {
        (count, inner) = (count + 1, elem);
    }
    count
}

/// Where an array has more than [`MAX_DIMENSIONS`].
pub(super) fn too_many_dimensions(at: Node<'_>) -> Diagnostic {
    let message = format!("an array has at most {MAX_DIMENSIONS} dimensions");
    Diagnostic::error(&codes::BAD_WIDTH, message, at.span(), "one too many")
        .help("use a longer dimension in place of several, and compute positions in it")
}

/// Why a name of a type gives none.
pub(super) enum TypeFault {
    /// A width out of range.
    Width(Int),
    /// That was said at the declaration.
    Said,
}

/// What people of other languages should write instead of a type.
fn foreign_type(name: &str) -> Option<String> {
    Some(match name {
        "void" => "what returns nothing has no `->`; a function always returns something".to_owned(),
        "float" | "double" | "f32" | "f64" | "half" => {
            "all numbers are integers: pass the bits, as in `u32` or `u64`".to_owned()
        }
        "string" | "str" | "String" => "there are no strings in commands and functions".to_owned(),
        _ => format!("write `{}`", crate::syntax::type_here(name).filter(|here| here != name)?),
    })
}
