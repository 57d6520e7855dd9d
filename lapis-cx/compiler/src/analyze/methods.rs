//! Methods on values: changes of width and sign, and cutting into elements.

use crate::contract::core::{ExprKind, Type, Value};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::types as codes;
use crate::syntax::{Kind, Node};

use super::checker::{Checker, Frame, Symbol};
use super::expr::without_parentheses;
use super::literal::MAX_WIDTH;
use super::shift::Widening;
use super::typed::{Typed, is_of_unknown_length};

const METHODS: [&str; 10] = ["trunc", "zext", "sext", "ext", "wrap", "sat", "usat", "signed", "unsigned", "split"];

impl<'t> Checker<'_, 't> {
    /// The method that `node` names, of the value `base`, which stands at `of`.
    pub(super) fn method(&mut self, frame: &mut Frame<'t>, base: Typed, of: Node<'t>, node: Node<'t>) -> Typed {
        let (name, args) = (node.name(), node.child(Kind::args));
        let args: Vec<_> = args.into_iter().flat_map(|a| a.exprs().collect::<Vec<_>>()).collect();
        let method = name.text();
        let takes = match method {
            "join" | "signed" | "unsigned" => 0,
            _ if METHODS.contains(&method) => 1,
            _ => {
                let mut found = Diagnostic::error(
                    &codes::UNKNOWN_METHOD,
                    format!("there is no method `{method}`"),
                    name.span(),
                    "not a method",
                );
                let known = METHODS.iter().copied().chain(["join"]);
                let is_function = ["len", "clog2", "ones", "min", "max", "cat", "rep"].contains(&method)
                    || matches!(self.symbol(frame.home, method), Some(Symbol::Fn(_)));
                found = if is_function {
                    found.help(format!("`{method}` is a function: write `{method}(…)`, with the value as an argument"))
                } else if let Some(near) = super::names::nearest(method, known) {
                    found.help(format!("did you mean `{near}`?"))
                } else {
                    let list: Vec<_> = METHODS.iter().map(|name| format!("`{name}`")).collect();
                    found.help(format!("the methods are {} and `join`; all else is a function", list.join(", ")))
                };
                self.report(found);
                return Typed::error();
            }
        };
        if args.len() != takes {
            self.argument_count(name, method, takes, args.len());
            return Typed::error();
        }
        let number = match args.first() {
            None => 0,
            Some(at) => {
                if let Some(width) = self.width_of_type(frame, *at) {
                    let found = Diagnostic::error(
                        &codes::BAD_WIDTH,
                        format!("`.{method}` takes a width, not a type"),
                        at.span(),
                        "a type",
                    );
                    self.report(found.help(format!("write `.{method}({width})`")));
                    return Typed::error();
                }
                let Some(width) = self.constant(frame, *at, "a width") else { return Typed::error() };
                match width.to_u32().filter(|w| (1..=MAX_WIDTH).contains(w)) {
                    Some(width) => width,
                    None => {
                        self.error(
                            &codes::BAD_WIDTH,
                            *at,
                            format!("{width} cannot be a width"),
                            "a width is 1 to 1024",
                        );
                        return Typed::error();
                    }
                }
            }
        };
        // `wrap` says that bits may go, at some XLEN perhaps.
        if matches!(method, "zext" | "sext" | "ext") {
            self.widened_shift(&base, &Type::U(number), Widening::Method(method), of);
        }
        let ty = base.ty.clone();
        // `zext` and `sext` are two steps, and of a constant each is one.
        let base = match method {
            "zext" | "sext" if base.is_integer() => match resign(base, method == "sext") {
                Ok(pattern) => self.fold(pattern, node),
                Err(_) => return Typed::error(),
            },
            _ => base,
        };
        let typed = match method {
            "join" => join(base),
            "unsigned" | "signed" => resign(base, method == "signed"),
            "split" => split(base, number),
            _ if !base.is_integer() => Err(format!("`.{method}` does not take {}", self.describe(&base))),
            _ => resize(base, method, number),
        };
        match typed {
            Ok(typed) => self.fold(typed, node),
            Err(message) => {
                let what = self.describe_type(&ty);
                self.report(Diagnostic::error(&codes::OPERANDS, message, node.span(), format!("on {what}")));
                Typed::error()
            }
        }
    }

    /// The width of a type that stands where a number should, as in `x.sat(u8)`.
    fn width_of_type(&self, frame: &Frame<'t>, at: Node<'t>) -> Option<String> {
        let at = without_parentheses(at);
        let name = Some(at).filter(|at| at.kind() == Kind::name)?.name().text();
        let is_declared =
            frame.find(name).is_some() || frame.generics.contains_key(name) || self.symbol(frame.home, name).is_some();
        let here = crate::syntax::type_here(name).filter(|_| !is_declared)?;
        Some(match here.as_str() {
            "bool" => "1".to_owned(),
            "word" | "sword" => "XLEN".to_owned(),
            _ => here.get(1..)?.to_owned(),
        })
    }

    pub(super) fn argument_count(&mut self, at: Node<'t>, name: &str, takes: usize, given: usize) {
        self.report(wrong_count(at, name, takes, given));
    }
}

/// "takes 2 arguments, not 1"
pub(super) fn wrong_count(at: Node<'_>, name: &str, takes: usize, given: usize) -> Diagnostic {
    let plural = if takes == 1 { "" } else { "s" };
    let message = format!("`{name}` takes {takes} argument{plural}, not {given}");
    Diagnostic::error(&codes::ARGUMENTS, message, at.span(), format!("{given} given"))
}

/// A node over `base`, of another integer type; a constant stays one.
fn converted(base: Typed, ty: Type) -> Typed {
    if base.expr.ty == ty {
        return Typed { ty: super::typed::Ty::Sized(ty), ..base };
    }
    match &base.value {
        Some(v) => {
            let v = ty.reduce(v);
            Typed::constant(ty, Value::Int(v))
        }
        None => Typed::sized(ty, ExprKind::Convert(Box::new(base.expr))),
    }
}

fn resize(base: Typed, method: &str, n: u32) -> Result<Typed, String> {
    // A number without a size counts as its smallest type.
    let (width, signed) = (base.expr.ty.width(), base.expr.ty.is_signed());
    let of = |signed: bool, n: u32| if signed { Type::S(n) } else { Type::U(n) };
    match method {
        "trunc" if n > width => Err(format!("`.trunc` only narrows: {n} is more than {width} bits")),
        "zext" | "sext" | "ext" if n < width => Err(format!(
            "`.{method}` only widens: {n} is less than {width} bits; `.trunc` narrows, `.wrap` does either"
        )),
        // Of the last two the pattern is extended, whatever its sign meant: it was given that sign before.
        "trunc" | "wrap" | "ext" | "zext" | "sext" => Ok(converted(base, of(signed, n))),
        "sat" | "usat" => {
            let ty = of(signed && method == "sat", n);
            Ok(Typed::sized(ty, ExprKind::Saturate(Box::new(base.expr))))
        }
        _ => Err(format!("there is no method `{method}`")),
    }
}

fn resign(base: Typed, signed: bool) -> Result<Typed, String> {
    match base.expr.ty {
        Type::U(n) | Type::S(n) => Ok(converted(base, if signed { Type::S(n) } else { Type::U(n) })),
        Type::Bool if !signed => Ok(converted(base, Type::U(1))),
        Type::Enum { width, .. } if !signed => Ok(converted(base, Type::U(width))),
        _ => Err("only integers have a sign; `.unsigned()` also takes bools and enums".to_owned()),
    }
}

fn split(base: Typed, n: u32) -> Result<Typed, String> {
    let elem = match base.sized_type() {
        Some(Type::U(_)) => Type::U(n),
        Some(Type::S(_)) => Type::S(n),
        _ => return Err("only a sized integer can be split".to_owned()),
    };
    let width = base.expr.ty.width();
    if !width.is_multiple_of(n) {
        return Err(format!("{width} bits cannot be split into elements of {n}"));
    }
    Ok(Typed::sized(Type::array(elem, width / n), ExprKind::Split(Box::new(base.expr))))
}

fn join(base: Typed) -> Result<Typed, String> {
    let bits = match base.sized_type() {
        Some(ty) if is_of_unknown_length(ty) => return Err("a buffer of unknown length cannot be joined".to_owned()),
        Some(ty @ Type::Array { elem, .. }) if elem.is_integer() => ty.bits(),
        _ => return Err("only an array of integers can be joined".to_owned()),
    };
    if bits > u64::from(MAX_WIDTH) {
        return Err(format!("{bits} bits are more than {MAX_WIDTH}"));
    }
    Ok(Typed::sized(Type::U(bits as u32), ExprKind::Join(Box::new(base.expr))))
}
