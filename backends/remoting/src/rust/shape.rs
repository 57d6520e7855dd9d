//! The Rust types of arguments, and whether they are safe.

use lapis_cx::contract::core::BinaryOp;
use lapis_cx::contract::library::clause::{Clause, Mode, Root};
use lapis_cx::contract::library::expr::{Expr, ExprKind};
use lapis_cx::contract::library::place::{Declared, Lifetime, Place, Scalar, Type};
use lapis_cx::contract::library::{CallbackId, Function, Param};
use lapis_cx_backend_rust::naming::{self, Scope};
use lapis_cx_backend_rust::tokens::{ident, literal};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::types::{Types, scalar};

/// An argument.
pub struct Argument<'l> {
    /// The name in Rust.
    pub name: Ident,
    /// The name in the specification.
    pub source: &'l str,
    pub docs: &'l str,
    pub place: &'l Place,
    /// The member of the struct of arguments.
    pub member: Ident,
    pub shape: Shape,
}

/// The kind of an argument or a result.
#[derive(Clone)]
pub enum Shape {
    /// `bool`.
    Bool { raw: TokenStream },
    /// A number or a struct that has one type everywhere.
    Same(TokenStream),
    /// A number whose type in memory is another one.
    Cast { ty: TokenStream, raw: TokenStream },
    /// A newtype that has another type in memory.
    Wrapped { ty: TokenStream, base: TokenStream, raw: TokenStream },
    /// A slice, or a reference to one element.
    Buffer(Buffer),
    /// A text that ends with a 0.
    Text { optional: bool },
    /// A closure, or its stand-in on the other side.
    Callback { of: CallbackId, optional: bool, is_borrowed: bool, tag: Option<usize> },
    /// The tag of a callback. The caller passes none for a borrowed closure.
    Tag { is_borrowed: bool },
    /// An address that is not dereferenced.
    Address,
    /// A raw pointer: Rust cannot check it.
    Pointer(TokenStream),
    /// Nothing.
    Nothing,
}

#[derive(Clone)]
pub struct Buffer {
    pub element: TokenStream,
    pub written: bool,
    pub optional: bool,
    pub count: Count,
}

/// The number of elements.
#[derive(Clone)]
pub enum Count {
    One,
    Fixed(usize),
    Of(Box<Expr>),
}

impl Shape {
    /// Whether the caller must uphold a safety condition.
    pub fn is_unsafe_to_send(&self) -> bool {
        match self {
            Shape::Pointer(_) => true,
            Shape::Callback { is_borrowed, .. } => !is_borrowed,
            _ => false,
        }
    }
}

/// The arguments of a function or callback, and its result.
pub struct Signature<'l> {
    pub arguments: Vec<Argument<'l>>,
    pub result: Shape,
    pub sizes: Sizes<'l>,
}

/// The values that sizes are computed from.
pub struct Sizes<'l> {
    function: &'l Function,
    /// References to one number that are never null: a size may read the number.
    ones: Vec<usize>,
}

pub fn signature<'l>(types: &Types<'l>, function: &'l Function) -> Signature<'l> {
    let mut scope = Scope::default();
    ["self_", "call", "checked", "client", "made"].into_iter().for_each(|name| scope.reserve(name));
    let refined = Refined::of(function);
    let pairs = pairs(function);
    // Without one of them, so that none needs another.
    let mut sizes = Sizes { function, ones: Vec::new() };
    let is_one = |(at, param): &(usize, &Param)| {
        let shape = || shape(types, &sizes, &param.place, &refined);
        let is_number = matches!(&param.place.ty, Type::Buffer { element, .. } if is_integer(element));
        let is_one = |shape| matches!(shape, Shape::Buffer(Buffer { optional: false, count: Count::One, .. }));
        !refined.params.contains(at) && param.place.directions.input && is_number && is_one(shape())
    };
    sizes.ones = function.params.iter().enumerate().filter(is_one).map(|(at, _)| at).collect();
    let arguments = function.params.iter().enumerate().map(|(at, param)| {
        let shape = if refined.params.contains(&at) {
            Shape::Pointer(types.raw(&param.place))
        } else if let Some(shape) = paired(types, function, &pairs, at, refined.is_async) {
            shape
        } else {
            shape(types, &sizes, &param.place, &refined)
        };
        Argument {
            name: ident(&scope.fresh(&naming::snake(&param.name))),
            source: &param.name,
            docs: &param.docs,
            place: &param.place,
            member: member(at),
            shape,
        }
    });
    let arguments: Vec<_> = arguments.collect();
    let result = match refined.has_result {
        true => Shape::Pointer(types.raw(&function.result)),
        false => result(types, &function.result),
    };
    Signature { arguments, result, sizes }
}

/// The member for the argument at a position.
pub fn member(at: usize) -> Ident {
    Ident::new(&format!("a{at}"), Span::call_site())
}

/// The member for the implicit argument at a position.
pub fn implicit(at: usize) -> Ident {
    Ident::new(&format!("i{at}"), Span::call_site())
}

/// The member for a variable argument of a case.
pub fn variable(case: usize, at: usize) -> Ident {
    Ident::new(&format!("v{case}_{at}"), Span::call_site())
}

/// What clauses change about arguments.
#[derive(Default)]
struct Refined {
    params: Vec<usize>,
    has_result: bool,
    has_pass: bool,
    is_async: bool,
}

impl Refined {
    fn of(function: &Function) -> Refined {
        let mut refined = Refined::default();
        refined.add(&function.clauses);
        refined
    }

    fn add(&mut self, clauses: &[Clause]) {
        for clause in clauses {
            match clause {
                Clause::Refine { place, .. } => match place.root {
                    Root::Param(at) => self.params.push(at as usize),
                    Root::Ret => self.has_result = true,
                    Root::Implicit(_) => {}
                },
                Clause::Pass { .. } => self.has_pass = true,
                Clause::Timing { mode, .. } => self.is_async |= *mode != Mode::Sync,
                Clause::When { then, otherwise, .. } => {
                    self.add(then);
                    self.add(otherwise);
                }
                _ => {}
            }
        }
    }
}

/// Callbacks with the parameter that is their tag, if they have one; `None` for those whose tag is not that simple.
fn pairs(function: &Function) -> Vec<(usize, Option<usize>)> {
    let mut pairs = Vec::new();
    for (at, param) in function.params.iter().enumerate() {
        if !matches!(param.place.ty, Type::Callback(_)) || param.place.c.is_some() && is_declared(&param.place) {
            continue;
        }
        let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Param(n) if n as usize == at);
        let tags = function.params.iter().enumerate().filter_map(|(n, param)| match &param.place.ty {
            Type::Userdata(of) if of.iter().any(is_it) => Some((n, of.len() == 1 && !is_declared(&param.place))),
            _ => None,
        });
        match tags.collect::<Vec<_>>().as_slice() {
            [] => pairs.push((at, None)),
            [(tag, true)] => pairs.push((at, Some(*tag))),
            _ => {}
        }
    }
    pairs
}

fn is_declared(place: &Place) -> bool {
    matches!(place.c, Some(Declared::Type(_)))
}

fn is_of_call(place: &Place) -> bool {
    matches!(place.lifetime, None | Some(Lifetime::Call))
}

/// A callback with its tag, or that tag.
fn paired(
    types: &Types<'_>,
    function: &Function,
    pairs: &[(usize, Option<usize>)],
    at: usize,
    is_async: bool,
) -> Option<Shape> {
    let (callback, tag) = *pairs.iter().find(|(callback, tag)| *callback == at || *tag == Some(at))?;
    let place = &function.params.get(callback)?.place;
    let Type::Callback(of) = place.ty else { return None };
    // The tag must be found again: an argument of the callback, or its trampoline.
    let takes_tag = has_tag(types.library.callbacks.get(of.index())?);
    if takes_tag != tag.is_some() {
        return None;
    }
    let tag_place = tag.and_then(|tag| function.params.get(tag)).map(|param| &param.place);
    let is_borrowed = is_of_call(place) && tag_place.is_none_or(is_of_call) && !is_async;
    if callback != at {
        return Some(Shape::Tag { is_borrowed });
    }
    Some(Shape::Callback { of, optional: place.optional, is_borrowed, tag })
}

/// Whether an argument of a callback identifies the registration.
pub fn has_tag(callback: &Function) -> bool {
    callback.params.iter().any(|param| matches!(param.place.ty, Type::Userdata(_)))
}

fn shape(types: &Types<'_>, sizes: &Sizes<'_>, place: &Place, refined: &Refined) -> Shape {
    if let Some(number) = number(types, place) {
        return number;
    }
    let pointer = || Shape::Pointer(types.raw(place));
    if is_declared(place) {
        return pointer();
    }
    let d = place.directions;
    match &place.ty {
        Type::Void => Shape::Nothing,
        Type::Ptr if !d.own && !d.new && !d.local => Shape::Address,
        Type::Userdata(of) if of.is_empty() => Shape::Tag { is_borrowed: true },
        Type::Buffer { element, len, until } => {
            let is_borrowed = !d.own && !d.new && !d.local && is_of_call(place);
            let is_simple = place.allocator.is_none() && place.zero_copy.is_none() && !refined.has_pass;
            if !is_borrowed || !is_simple || refined.is_async && d.output || !types.is_plain(element) {
                return pointer();
            }
            let is_inner_simple = !element.directions.local && is_of_call(element);
            let is_text = matches!(element.ty, Type::Scalar(Scalar::Char)) && element.c.is_none();
            let is_zero = |expr: &Expr| matches!(&expr.kind, ExprKind::Int(value) if value.is_zero());
            match (len, until) {
                (None, Some(until)) if is_text && is_zero(until) && !d.output => {
                    Shape::Text { optional: place.optional }
                }
                // Only the side with the memory knows this length: after an earlier terminator the other side has fewer elements.
                (Some(_), Some(_)) if d.input => pointer(),
                (Some(len), _) if is_inner_simple => match count(sizes, len) {
                    Some(count) => Shape::Buffer(Buffer {
                        element: types.raw(element),
                        written: d.output,
                        optional: place.optional,
                        count,
                    }),
                    None => pointer(),
                },
                _ => pointer(),
            }
        }
        _ => pointer(),
    }
}

/// Returns the kind of an argument that is not a pointer.
fn number(types: &Types<'_>, place: &Place) -> Option<Shape> {
    let raw = types.raw(place);
    if is_declared(place) {
        return None;
    }
    let wrapped = |ty: TokenStream, base: TokenStream| {
        if place.c.is_some() { Shape::Wrapped { ty, base, raw: raw.clone() } } else { Shape::Same(ty) }
    };
    Some(match &place.ty {
        Type::Scalar(Scalar::Bool) => Shape::Bool { raw },
        Type::Scalar(one) => {
            let ty = scalar(*one);
            if ty.to_string() == raw.to_string() { Shape::Same(ty) } else { Shape::Cast { ty, raw } }
        }
        Type::Enum(id) => wrapped(types.enumeration(id.index()), scalar(types.base(*id))),
        Type::Handle(id) => wrapped(types.handle(id.index()), quote!(usize)),
        Type::Struct { .. } if types.is_plain(place) => Shape::Same(raw),
        _ => return None,
    })
}

fn result(types: &Types<'_>, place: &Place) -> Shape {
    match &place.ty {
        Type::Void => Shape::Nothing,
        Type::Ptr if !is_declared(place) => Shape::Address,
        _ => number(types, place).unwrap_or_else(|| Shape::Pointer(types.raw(place))),
    }
}

fn count(sizes: &Sizes<'_>, len: &Expr) -> Option<Count> {
    if let ExprKind::Int(count) = &len.kind {
        return match count.to_u32()? {
            1 => Some(Count::One),
            // An array of length 0 transfers nothing, so the argument is not a buffer.
            0 => None,
            count => Some(Count::Fixed(count as usize)),
        };
    }
    sizes.computed(len, &|_| quote!(0)).map(|_| Count::Of(Box::new(len.clone())))
}

/// A number: no truth value, and none that has a fraction.
fn is_integer(place: &Place) -> bool {
    let Type::Scalar(scalar) = place.ty else { return false };
    !is_declared(place) && !matches!(scalar, Scalar::Bool | Scalar::Float | Scalar::Double)
}

impl Sizes<'_> {
    /// Prints a size as an expression of type `Option<i128>`. `param` returns the value of a parameter, or of its one element.
    pub fn size(&self, len: &Expr, param: &dyn Fn(usize) -> TokenStream) -> TokenStream {
        match (&len.kind, self.computed(len, param)) {
            (ExprKind::Binary(..), Some(value)) => quote!((|| Some(#value))()),
            (_, Some(value)) => quote!(Some(#value)),
            (_, None) => quote!(None),
        }
    }

    /// Whether a size reads an element.
    pub fn reads(&self, len: &Expr) -> bool {
        match &len.kind {
            ExprKind::Element(..) => true,
            ExprKind::Binary(_, left, right) => self.reads(left) || self.reads(right),
            _ => false,
        }
    }

    /// A size of type `i128`, within a function that returns an `Option`.
    fn computed(&self, expr: &Expr, param: &dyn Fn(usize) -> TokenStream) -> Option<TokenStream> {
        Some(match &expr.kind {
            ExprKind::Int(value) | ExprKind::Case { value, .. } => {
                let value = literal(&format!("{}_i128", u128::try_from(value.to_i128()?).ok()?));
                quote!(#value)
            }
            ExprKind::Param(at) => {
                if !is_integer(&self.function.params.get(*at as usize)?.place) {
                    return None;
                }
                let value = param(*at as usize);
                quote!(#value as i128)
            }
            ExprKind::Element(of, position) => match (&of.kind, &position.kind) {
                (ExprKind::Param(at), ExprKind::Int(first))
                    if first.is_zero() && self.ones.contains(&(*at as usize)) =>
                {
                    let value = param(*at as usize);
                    quote!(#value as i128)
                }
                _ => return None,
            },
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.computed(left, param)?, self.computed(right, param)?);
                let operation = match op {
                    BinaryOp::Add => quote!(checked_add),
                    BinaryOp::Sub => quote!(checked_sub),
                    BinaryOp::Mul => quote!(checked_mul),
                    _ => return None,
                };
                quote!((#left).#operation(#right)?)
            }
            _ => return None,
        })
    }
}
