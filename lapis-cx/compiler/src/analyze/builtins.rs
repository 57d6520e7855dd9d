//! Calls: conversions written as calls, built-in functions, functions, and commands in examples and laws.

use crate::contract::core::{BinaryOp, Expr, ExprKind, Type};
use crate::contract::csr::Access;
use crate::contract::{CommandId, CsrId};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{interface, names as name_codes, statements, types as codes};
use crate::int::Int;
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, Frame, Symbol};
use super::convert::{convert, fits};
use super::literal::MAX_WIDTH;
use super::methods::wrong_count;
use super::typed::{Ty, Typed, UNKNOWN_LENGTH};

impl<'t> Checker<'_, 't> {
    pub(super) fn call(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Typed {
        let name = node.name();
        let Some(args_node) = node.child(Kind::args) else { return Typed::error() };
        if let Some(named) = args_node.child(Kind::named_arg) {
            self.error(&codes::ARGUMENTS, named, "arguments have no names here", "a named argument");
            return Typed::error();
        }
        let args: Vec<_> = args_node.exprs().collect();
        if frame.kind == BodyKind::Impl
            && let Some(function) = self.foreign.clone().get(name.text())
        {
            return self.foreign_call(frame, function, node, &args, false);
        }
        // What the file declares wins over what is built in, so that no new builtin can break a file.
        match self.symbol(frame.home, name.text()) {
            Some(Symbol::Fn(decl)) => return self.call_function(frame, decl, node, &args),
            Some(Symbol::Command(id)) => return self.call_command(frame, id, node, &args),
            Some(Symbol::Csr) => return self.access_csr(frame, node, &args),
            Some(Symbol::Broken) => {
                self.names_only(frame, &args);
                return Typed::error();
            }
            Some(Symbol::Enum(_)) | None => {}
            Some(Symbol::Elsewhere(xlen)) => {
                self.report(
                    Diagnostic::error(
                        &name_codes::WRONG_KIND,
                        format!("the command `{}` exists only at XLEN {xlen}", name.text()),
                        name.span(),
                        format!("not at XLEN {}", self.xlen),
                    )
                    .help(format!("restrict this to the same XLEN with `@xlen({xlen})`")),
                );
                return Typed::error();
            }
            Some(symbol) => {
                self.error(
                    &name_codes::WRONG_KIND,
                    name,
                    format!("`{}` is {} and cannot be called", name.text(), symbol.what()),
                    symbol.what(),
                );
                return Typed::error();
            }
        }
        if let Some(ty) = self.named_type(frame, name.text()) {
            let ty = match ty {
                Ok(ty) => ty,
                Err(fault) => {
                    self.type_fault(name, fault);
                    return Typed::error();
                }
            };
            return self.conversion_call(frame, ty, node, &args);
        }
        match name.text() {
            "clog2" => self.clog2(frame, node, &args),
            "ones" => self.ones(frame, node, &args),
            "len" => self.len(frame, node, &args),
            "min" | "max" => self.min_max(frame, node, &args),
            "cat" => self.cat(frame, node, &args),
            "rep" => self.rep(frame, node, &args),
            _ => {
                self.names_only(frame, &args);
                self.unknown(frame, name, "function");
                Typed::error()
            }
        }
    }

    /// `u32(x)`: allowed where the implicit conversion is; `Round(bits)` reads bits of the base as an enum.
    fn conversion_call(&mut self, frame: &mut Frame<'t>, ty: Type, node: Node<'t>, args: &[Node<'t>]) -> Typed {
        let [arg] = args else {
            self.argument_count(node.name(), node.name().text(), 1, args.len());
            return Typed::error();
        };
        let from = self.expr(frame, *arg, Some(&ty));
        if from.is_error() {
            return from;
        }
        if from.sized_type() == Some(&ty) {
            return from;
        }
        if let Type::Enum { width, id } = ty {
            let signed = self.section.enums.get(id.index()).is_some_and(|e| e.signed);
            let base = if signed { Type::S(width) } else { Type::U(width) };
            if !fits(&from, &base) {
                self.mismatch(&from, &base, *arg);
                return Typed::error();
            }
            let bits = convert(from, &base);
            return self.fold(Typed::sized(ty, ExprKind::Convert(Box::new(bits))), node);
        }
        if ty == Type::Bool && from.sized_type() == Some(&Type::U(1)) {
            return self.as_condition(from, *arg);
        }
        if !fits(&from, &ty) {
            self.mismatch(&from, &ty, *arg);
            return Typed::error();
        }
        match self.widen(from, &ty, *arg).kind {
            ExprKind::Const(v) => Typed::constant(ty, v),
            kind => Typed::sized(ty, kind),
        }
    }

    fn one_constant(&mut self, frame: &mut Frame<'t>, node: Node<'t>, args: &[Node<'t>], what: &str) -> Option<Int> {
        match args {
            [arg] => self.constant(frame, *arg, what),
            _ => {
                self.argument_count(node.name(), node.name().text(), 1, args.len());
                None
            }
        }
    }

    fn clog2(&mut self, frame: &mut Frame<'t>, node: Node<'t>, args: &[Node<'t>]) -> Typed {
        match self.one_constant(frame, node, args, "the argument of `clog2`") {
            None => Typed::error(),
            Some(v) if v.is_negative() || v.is_zero() => {
                self.error(&codes::OPERANDS, node, format!("{v} has no logarithm"), "`clog2` takes 1 or more");
                Typed::error()
            }
            // The number of bits that count from 0 to v - 1.
            Some(v) if v == Int::ONE => Typed::number(Int::ZERO),
            Some(v) => Typed::number(Int::from((&v - &Int::ONE).bits())),
        }
    }

    fn ones(&mut self, frame: &mut Frame<'t>, node: Node<'t>, args: &[Node<'t>]) -> Typed {
        let Some(n) = self.one_constant(frame, node, args, "a width") else { return Typed::error() };
        match n.to_u32().filter(|n| (1..=MAX_WIDTH).contains(n)) {
            Some(n) => Typed::constant(Type::U(n), crate::contract::core::Value::Int(Int::ones(n))),
            None => {
                self.error(&codes::BAD_WIDTH, node, format!("{n} cannot be a width"), "a width is 1 to 1024");
                Typed::error()
            }
        }
    }

    fn len(&mut self, frame: &mut Frame<'t>, node: Node<'t>, args: &[Node<'t>]) -> Typed {
        let [arg] = args else {
            self.argument_count(node.name(), "len", 1, args.len());
            return Typed::error();
        };
        let typed = self.expr(frame, *arg, None);
        match typed.sized_type() {
            Some(Type::Array { len: UNKNOWN_LENGTH, .. }) => {
                let message = "this buffer has a length that only the call knows";
                self.report(
                    Diagnostic::error(&codes::NOT_CONSTANT, message, arg.span(), "of unknown length")
                        .help("use the parameter that its type names as its length"),
                );
                Typed::error()
            }
            Some(Type::Array { len, .. }) => Typed::number(Int::from(*len)),
            _ if typed.is_error() => typed,
            _ => {
                let what = self.describe(&typed);
                self.error(&codes::OPERANDS, *arg, format!("{what} has no length"), "not an array");
                Typed::error()
            }
        }
    }

    fn min_max(&mut self, frame: &mut Frame<'t>, node: Node<'t>, args: &[Node<'t>]) -> Typed {
        let name = node.name().text();
        let [a, b] = args else {
            self.argument_count(node.name(), name, 2, args.len());
            return Typed::error();
        };
        let (x, y) = (self.expr(frame, *a, None), self.expr(frame, *b, None));
        if x.is_error() || y.is_error() {
            return Typed::error();
        }
        let op = if name == "min" { BinaryOp::Min } else { BinaryOp::Max };
        let pick = |a: &Int, b: &Int| if op == BinaryOp::Min { a.min(b).clone() } else { a.max(b).clone() };
        if let (Ty::Unsized { lo: al, hi: ah }, Ty::Unsized { lo: bl, hi: bh }) = (&x.ty, &y.ty) {
            if let (Some(a), Some(b)) = (x.int(), y.int()) {
                return Typed::number(pick(&a, &b));
            }
            let (lo, hi) = (pick(al, bl), pick(ah, bh));
            let wide = Type::smallest(al.min(bl), ah.max(bh));
            let (a, b) = (convert(x, &wide), convert(y, &wide));
            let both = Typed::sized(wide, ExprKind::Binary(op, Box::new(a), Box::new(b)));
            let expr = convert(both, &Type::smallest(&lo, &hi));
            return Typed { ty: Ty::Unsized { lo, hi }, value: None, expr };
        }
        if !x.is_integer() || !y.is_integer() {
            return self.wrong_operands(name, &x, &y, node);
        }
        match self.common_type(&x, &y) {
            Some(ty) => {
                let (a, b) = (convert(x, &ty), convert(y, &ty));
                let typed = Typed::sized(ty, ExprKind::Binary(op, Box::new(a), Box::new(b)));
                self.fold(typed, node)
            }
            None => {
                self.no_common_type(&format!("`{name}`"), &x, &y, node);
                Typed::error()
            }
        }
    }

    /// Patterns put side by side need a width each.
    fn pattern(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Option<Expr> {
        let typed = self.expr(frame, node, None);
        match typed.sized_type() {
            Some(ty) if ty.is_integer() => Some(typed.expr),
            _ if typed.is_error() => None,
            _ => {
                let what = self.describe(&typed);
                let (message, help) = match &typed.ty {
                    Ty::Unsized { .. } => (format!("{what} has no width"), "write its type, as in `u8(x)`"),
                    Ty::Sized(Type::Array { .. }) => (format!("{what} is an array"), "`.join()` gives its bits"),
                    _ => (format!("{what} is not an integer"), "`.unsigned()` gives its bits"),
                };
                let found = Diagnostic::error(&codes::NEEDS_SIZE, message, node.span(), "needs a sized integer");
                self.report(found.help(help));
                None
            }
        }
    }

    fn cat(&mut self, frame: &mut Frame<'t>, node: Node<'t>, args: &[Node<'t>]) -> Typed {
        if args.is_empty() {
            self.argument_count(node.name(), "cat", 1, 0);
            return Typed::error();
        }
        let parts: Vec<_> = args.iter().filter_map(|a| self.pattern(frame, *a)).collect();
        if parts.len() != args.len() {
            return Typed::error();
        }
        let bits = parts.iter().fold(0, |sum: u32, p| sum.saturating_add(p.ty.width()));
        self.wide_enough(Typed::sized(Type::U(bits), ExprKind::Cat(parts)), node)
    }

    fn rep(&mut self, frame: &mut Frame<'t>, node: Node<'t>, args: &[Node<'t>]) -> Typed {
        let [pattern, count] = args else {
            self.argument_count(node.name(), "rep", 2, args.len());
            return Typed::error();
        };
        let part = self.pattern(frame, *pattern);
        let count_value = self.constant(frame, *count, "the number of repetitions");
        let (Some(part), Some(count_value)) = (part, count_value) else { return Typed::error() };
        match count_value.to_u32().filter(|n| (1..=MAX_WIDTH).contains(n)) {
            Some(n) => {
                let ty = Type::U(part.ty.width() * n);
                self.wide_enough(Typed::sized(ty, ExprKind::Rep(Box::new(part), n)), node)
            }
            None => {
                self.error(&codes::BAD_WIDTH, *count, format!("cannot repeat {count_value} times"), "1 to 1024");
                Typed::error()
            }
        }
    }

    fn wide_enough(&mut self, typed: Typed, node: Node<'t>) -> Typed {
        let width = typed.expr.ty.width();
        if width > MAX_WIDTH {
            self.error(&codes::BAD_WIDTH, node, format!("the result needs {width} bits"), "at most 1024");
            return Typed::error();
        }
        self.fold(typed, node)
    }

    fn call_command(&mut self, frame: &mut Frame<'t>, id: CommandId, node: Node<'t>, args: &[Node<'t>]) -> Typed {
        if !matches!(frame.kind, BodyKind::Example | BodyKind::Law) {
            self.report(
                Diagnostic::error(
                    &statements::NOT_PURE,
                    format!("a command cannot be issued {}", frame.kind.place()),
                    node.span(),
                    "a command",
                )
                .help("move what both do into a `fn` and call that"),
            );
            return Typed::error();
        }
        let Some(command) = self.section.commands.get(id.index()).cloned() else { return Typed::error() };
        if command.operands.len() != args.len() {
            self.names_only(frame, args);
            let found = wrong_count(node.name(), &command.name, command.operands.len(), args.len());
            self.report(found.label(command.span, "declared here"));
            return Typed::error();
        }
        let mut exprs = Vec::new();
        let mut broken = false;
        for (operand, arg) in command.operands.iter().zip(args) {
            let typed = self.expr(frame, *arg, Some(&operand.ty));
            broken |= typed.is_error();
            self.carried(&command, operand, &typed, *arg);
            exprs.push(self.coerce(typed, &operand.ty, *arg));
        }
        if broken {
            return Typed::error();
        }
        let ty = command.result.unwrap_or(Type::U(self.xlen));
        Typed::sized(ty, ExprKind::Command(id, exprs))
    }

    /// `c()` reads a CSR, `c(v)` writes it and gives what was there before.
    fn access_csr(&mut self, frame: &mut Frame<'t>, node: Node<'t>, args: &[Node<'t>]) -> Typed {
        let name = node.name();
        if !matches!(frame.kind, BodyKind::Example | BodyKind::Law) {
            self.names_only(frame, args);
            self.report(
                Diagnostic::error(
                    &statements::NOT_PURE,
                    format!("a CSR cannot be accessed {}", frame.kind.place()),
                    node.span(),
                    "a CSR",
                )
                .help("it is a view of state: name the state field"),
            );
            return Typed::error();
        }
        let found = self.section.csrs.iter().enumerate().find(|(_, csr)| csr.name == name.text());
        // One that is not there was wrong, and that was said.
        let found = found.map(|(i, csr)| (CsrId(i as u32), csr.access, csr.span));
        let Some((id, access, span)) = found else {
            self.names_only(frame, args);
            return Typed::error();
        };
        let word = Type::U(self.xlen);
        let value = match args {
            [] => None,
            [_] if access == Access::Ro => {
                self.names_only(frame, args);
                self.report(
                    Diagnostic::error(
                        &interface::CSR_WRITE,
                        format!("`{}` is read only", name.text()),
                        node.span(),
                        "written here",
                    )
                    .label(span, "declared `ro`")
                    .help(format!("`{}()` reads it", name.text())),
                );
                return Typed::error();
            }
            [value] => {
                let typed = self.expr(frame, *value, Some(&word));
                if typed.is_error() {
                    return typed;
                }
                Some(Box::new(self.coerce(typed, &word, *value)))
            }
            _ => {
                self.names_only(frame, args);
                let message = format!("a CSR takes no argument or one word, not {}", args.len());
                self.report(
                    Diagnostic::error(&codes::ARGUMENTS, message, name.span(), format!("{} given", args.len()))
                        .label(span, "declared here")
                        .help(format!("`{0}()` reads it, `{0}(word)` writes it", name.text())),
                );
                return Typed::error();
            }
        };
        Typed::sized(word, ExprKind::Csr(id, value))
    }
}
