//! Expressions.

use crate::contract::EnumId;
use crate::contract::core::{Comprehension, Expr, ExprKind, Type, Value};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{names as name_codes, types as codes};
use crate::int::Int;
use crate::oracle::eval::EvalError;
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, Frame, NameInBody, Symbol};
use super::convert::convert;
use super::typed::{Ty, Typed, UNKNOWN_LENGTH};

impl<'t> Checker<'_, 't> {
    /// Checks an expression. `expected` only gives lists and comprehensions their element type; the caller converts.
    pub(super) fn expr(&mut self, frame: &mut Frame<'t>, node: Node<'t>, expected: Option<&Type>) -> Typed {
        let node = without_parentheses(node);
        if !self.enter(node, 1) {
            return Typed::error();
        }
        let typed = self.bare_expr(frame, node, expected);
        self.leave(1);
        typed
    }

    fn bare_expr(&mut self, frame: &mut Frame<'t>, node: Node<'t>, expected: Option<&Type>) -> Typed {
        match node.kind() {
            Kind::int => match super::literal::literal(node) {
                Ok(typed) => typed,
                Err(found) => {
                    self.report(found);
                    Typed::error()
                }
            },
            Kind::kw_true => Typed::bool(true),
            Kind::kw_false => Typed::bool(false),
            Kind::name => self.name(frame, node),
            Kind::unary => self.unary(frame, node),
            Kind::binary => self.binary(frame, node),
            Kind::ternary => self.ternary(frame, node, expected),
            Kind::access_expr => self.access(frame, node),
            Kind::call => self.call(frame, node),
            Kind::list => self.list(frame, node, expected),
            Kind::comprehension => self.comprehension(frame, node, expected),
            Kind::string => {
                self.error(&codes::OPERANDS, node, "a string is no value here", "a string");
                Typed::error()
            }
            _ => Typed::error(),
        }
    }

    /// A condition: `bool` or `u1`.
    pub(super) fn condition(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Typed {
        let typed = self.expr(frame, node, None);
        self.as_condition(typed, node)
    }

    pub(super) fn as_condition(&mut self, typed: Typed, node: Node<'t>) -> Typed {
        match &typed.ty {
            Ty::Error | Ty::Sized(Type::Bool) => typed,
            Ty::Sized(Type::U(1)) => match &typed.value {
                Some(value) => Typed::bool(!value.is_zero()),
                None => Typed::sized(Type::Bool, ExprKind::Convert(Box::new(typed.expr))),
            },
            _ => {
                let label = format!("this is {}", self.describe(&typed));
                let found = Diagnostic::error(&codes::CONDITION, "a condition is `bool` or `u1`", node.span(), label);
                self.report(match &typed.ty {
                    Ty::Unsized { lo, hi } if lo == hi => found.help("write `true` or `false`"),
                    Ty::Sized(Type::Enum { .. }) => found.help("compare it with a case"),
                    _ if typed.is_integer() => found.help("compare it, as in `x != 0`"),
                    _ => found,
                });
                Typed::error()
            }
        }
    }

    pub(super) fn name(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Typed {
        let name = node.name();
        let text = name.text();
        match frame.find(text) {
            Some(NameInBody::Broken) => return Typed::error(),
            Some(NameInBody::Alias(v, _)) => return Typed::number(v.clone()),
            Some(NameInBody::Passed(_, why)) => {
                let message = format!("`{text}` has no value here: it {why}");
                let found = Diagnostic::error(&name_codes::WRONG_KIND, message, name.span(), "can be passed on only");
                self.report(found.help("pass it to another function of the library"));
                return Typed::error();
            }
            Some(NameInBody::Context(..)) => {
                let message = format!("`{text}` is a context, not a value");
                let found = Diagnostic::error(&name_codes::WRONG_KIND, message, name.span(), "a context");
                self.report(found.help(format!("issue a command: `{text}.command(…)`")));
                return Typed::error();
            }
            Some(NameInBody::Local(id)) => {
                let id = *id;
                return match frame.infos.get(id.index()).map(|i| i.ty.clone()) {
                    Some(Ty::Sized(ty)) => Typed::sized(ty, ExprKind::Local(id)),
                    Some(Ty::Unsized { lo, hi }) => Typed::ranged(lo, hi, ExprKind::Local(id)),
                    Some(Ty::Error) | None => Typed::error(),
                };
            }
            None => {}
        }
        if let Some(value) = frame.generics.get(text) {
            return Typed::number(Int::from(value.value));
        }
        if text == "XLEN" {
            return Typed::number(Int::from(self.xlen));
        }
        match self.symbol(frame.home, text) {
            Some(Symbol::Const(decl)) => self.const_use(decl, node),
            Some(Symbol::Field(id)) => self.field_use(frame, id, node),
            Some(Symbol::Broken) => Typed::error(),
            Some(symbol) => {
                let mut found = Diagnostic::error(
                    &name_codes::WRONG_KIND,
                    format!("`{text}` is {}, not a value", symbol.what()),
                    name.span(),
                    symbol.what(),
                );
                if matches!(symbol, Symbol::Csr) {
                    found = found.help(format!("`{text}()` reads it, in an example or a law"));
                } else if matches!(symbol, Symbol::Fn(_) | Symbol::Command(_)) {
                    found = found.help(format!("call it: `{text}(…)`"));
                } else if matches!(symbol, Symbol::Enum(_)) {
                    found = found.help(format!("name a case: `{text}.…`"));
                }
                self.report(found);
                Typed::error()
            }
            None => {
                self.unknown(frame, name, "value");
                Typed::error()
            }
        }
    }

    fn field_use(&mut self, frame: &Frame<'t>, id: crate::contract::FieldId, node: Node<'t>) -> Typed {
        if !matches!(frame.kind, BodyKind::Command | BodyKind::Csr | BodyKind::Example) {
            self.report(
                Diagnostic::error(
                    &crate::diagnostic::catalogue::statements::NOT_PURE,
                    format!("state cannot be read {}", frame.kind.place()),
                    node.span(),
                    "a state field",
                )
                .help(match frame.kind {
                    BodyKind::Law => "read it through a command or a CSR that gives it, or use an `example`",
                    _ => "pass the value as an argument",
                }),
            );
            return Typed::error();
        }
        let field = self.section.state.as_ref().and_then(|s| s.fields.get(id.index()));
        match field {
            Some(field) => Typed::sized(field.ty.clone(), ExprKind::State(id)),
            None => Typed::error(),
        }
    }

    fn ternary(&mut self, frame: &mut Frame<'t>, node: Node<'t>, expected: Option<&Type>) -> Typed {
        let parts: Vec<_> = node.exprs().collect();
        let [c, a, b] = parts.as_slice() else { return Typed::error() };
        let cond = self.condition(frame, *c);
        // Under a constant condition only the taken branch is checked.
        if let Some(v) = cond.int() {
            return self.expr(frame, if v.is_zero() { *b } else { *a }, expected);
        }
        let (x, y) = (self.expr(frame, *a, expected), self.expr(frame, *b, expected));
        if cond.is_error() || x.is_error() || y.is_error() {
            return Typed::error();
        }
        let select = |ty, x, y| Expr { ty, kind: ExprKind::Select(Box::new(cond.expr), Box::new(x), Box::new(y)) };
        if let (Ty::Unsized { lo: al, hi: ah }, Ty::Unsized { lo: bl, hi: bh }) = (&x.ty, &y.ty) {
            let (lo, hi) = (al.min(bl).clone(), ah.max(bh).clone());
            let ty = Type::smallest(&lo, &hi);
            let (x, y) = (convert(x, &ty), convert(y, &ty));
            return Typed { ty: Ty::Unsized { lo, hi }, value: None, expr: select(ty, x, y) };
        }
        match self.common_type(&x, &y) {
            Some(ty) => {
                let (x, y) = (self.widen(x, &ty, *a), self.widen(y, &ty, *b));
                Typed { ty: Ty::Sized(ty.clone()), value: None, expr: select(ty, x, y) }
            }
            None => {
                self.no_common_type("`?:`", &x, &y, node);
                Typed::error()
            }
        }
    }

    /// "neither side's type holds the other": names both and the width that would do.
    pub(super) fn no_common_type(&mut self, what: &str, a: &Typed, b: &Typed, node: Node<'t>) {
        let (a_name, b_name) = (self.describe(a), self.describe(b));
        let mut found = Diagnostic::error(
            &codes::OPERANDS,
            format!("{what} needs a type that holds both sides: {a_name} and {b_name}"),
            node.span(),
            "neither side's type holds the other",
        );
        if a.is_integer() && b.is_integer() {
            let ((al, ah), (bl, bh)) = (a.range(), b.range());
            let common = Type::smallest(&al.min(bl), &ah.max(bh));
            if a.sized_type().is_none() && b.sized_type().is_none() {
                found = found.help("give one side a type, as in `u32(x)`");
            } else {
                found = found.help(format!(
                    "`{}` holds both: widen one side with `.ext(…)` or give it that type",
                    self.name_of(&common)
                ));
            }
        } else {
            found =
                found.help("bool, enum, array and number never mix; `.unsigned()` gives the bits of a bool or an enum");
        }
        self.report(found);
    }

    /// A checked expression's type in words.
    pub(super) fn describe(&self, typed: &Typed) -> String {
        self.describe_type(&typed.ty)
    }

    pub(super) fn describe_type(&self, ty: &Ty) -> String {
        match ty {
            Ty::Sized(ty) => format!("`{}`", self.name_of(ty)),
            Ty::Unsized { lo, hi } if lo == hi => format!("the number {lo}"),
            Ty::Unsized { lo, hi } => format!("a number from {lo} to {hi}"),
            Ty::Error => "something wrong".to_owned(),
        }
    }

    fn access(&mut self, frame: &mut Frame<'t>, node: Node<'t>) -> Typed {
        let mut parts = node.children();
        let (Some(base), Some(postfix)) = (parts.next(), parts.next()) else { return Typed::error() };
        if let Some(NameInBody::Context(at, _)) = frame.find(base.name().text()).filter(|_| base.kind() == Kind::name)
            && postfix.kind() == Kind::method
        {
            let at = *at;
            return self.issue(frame, at, postfix);
        }
        if postfix.kind() == Kind::field {
            return self.enum_case(frame, base, postfix.name());
        }
        let typed = self.expr(frame, base, None);
        if typed.is_error() {
            return typed;
        }
        match postfix.kind() {
            Kind::dim => self.index(frame, typed, postfix, node),
            Kind::slice => self.slice(frame, typed, postfix, node),
            Kind::part_select => self.part_select(frame, typed, postfix, node),
            Kind::method => self.method(frame, typed, base, postfix),
            _ => Typed::error(),
        }
    }

    /// `Round.wrap`
    fn enum_case(&mut self, frame: &mut Frame<'t>, base: Node<'t>, case: Node<'t>) -> Typed {
        if base.kind() == Kind::name
            && frame.find(base.name().text()).is_none()
            && let Some(Symbol::Enum(decl)) = self.symbol(frame.home, base.name().text())
        {
            let Some(id) = self.enum_id(decl) else { return Typed::error() };
            return match self.case_pattern(id, case.text()) {
                Some((ty, pattern)) => Typed::constant(ty, Value::Int(pattern)),
                None => {
                    let found = self.no_such_case(id, case);
                    self.report(found);
                    Typed::error()
                }
            };
        }
        let typed = self.expr(frame, base, None);
        if !typed.is_error() {
            let what = self.describe(&typed);
            self.error(&codes::UNKNOWN_METHOD, case, format!("{what} has no field `{}`", case.text()), "no such field");
        }
        Typed::error()
    }

    pub(super) fn case_pattern(&self, id: EnumId, name: &str) -> Option<(Type, Int)> {
        let e = self.section.enums.get(id.index())?;
        let case = e.cases.iter().find(|c| c.name == name)?;
        Some((Type::Enum { id, width: e.width }, case.pattern.clone()))
    }

    pub(super) fn no_such_case(&self, id: EnumId, case: Node<'t>) -> Diagnostic {
        let (name, cases) = match self.section.enums.get(id.index()) {
            Some(e) => (e.name.as_str(), e.cases.iter().map(|c| c.name.as_str()).collect()),
            None => ("enum", Vec::new()),
        };
        Diagnostic::error(
            &name_codes::UNKNOWN_NAME,
            format!("`{name}` has no case `{}`", case.text()),
            case.span(),
            "no such case",
        )
        .help(format!("its cases are {}", super::names::quoted_list(&cases)))
    }

    fn list(&mut self, frame: &mut Frame<'t>, node: Node<'t>, expected: Option<&Type>) -> Typed {
        let nodes: Vec<_> = node.exprs().collect();
        let len = nodes.len() as u32;
        let elem_type = match expected {
            Some(Type::Array { elem, .. }) => Some((**elem).clone()),
            _ => None,
        };
        let mut elems: Vec<Typed> = nodes.iter().map(|n| self.expr(frame, *n, elem_type.as_ref())).collect();
        let Some(elem_type) = elem_type.or_else(|| elems.iter().find_map(|e| e.sized_type().cloned())) else {
            if !elems.iter().any(Typed::is_error) {
                self.needs_element_type(node);
            }
            return Typed::error();
        };
        if let Some(Type::Array { len: wanted, .. }) = expected
            && (*wanted != len || *wanted == UNKNOWN_LENGTH)
        {
            self.wrong_length(*wanted, &Int::from(len), node, &format!("this list has {len}"));
            return Typed::error();
        }
        let broken = elems.iter().any(Typed::is_error);
        let exprs: Vec<Expr> = elems.drain(..).zip(&nodes).map(|(e, n)| self.coerce(e, &elem_type, *n)).collect();
        if broken {
            return Typed::error();
        }
        let Some(ty) = self.array_of(elem_type, &Int::from(len), node) else { return Typed::error() };
        if exprs.iter().all(is_const) && !self.spend_elements(&ty, node) {
            return Typed::error();
        }
        self.fold(Typed::sized(ty, ExprKind::Array(exprs)), node)
    }

    /// Finds unknown names in arguments whose types are not known because of another mistake.
    pub(super) fn names_only(&mut self, frame: &mut Frame<'t>, nodes: &[Node<'t>]) {
        for node in nodes {
            let node = without_parentheses(*node);
            match node.kind() {
                // Without the type that is wanted, elements may have none.
                Kind::list => self.names_only(frame, &node.exprs().collect::<Vec<_>>()),
                Kind::comprehension => {}
                _ => {
                    self.expr(frame, node, None);
                }
            }
        }
    }

    fn needs_element_type(&mut self, node: Node<'t>) {
        self.report(
            Diagnostic::error(
                &codes::NEEDS_SIZE,
                "the elements of this array have no type",
                node.span(),
                "only numbers",
            )
            .help("give the array a type, as in `let a: u8[4] = […];`, or write `u8(x)` for an element"),
        );
    }

    fn comprehension(&mut self, frame: &mut Frame<'t>, node: Node<'t>, expected: Option<&Type>) -> Typed {
        let (Some(range), Some(elem_node)) = (node.child(Kind::range), node.expr()) else { return Typed::error() };
        let bounds: Vec<_> = range.exprs().collect();
        let [lo_node, hi_node] = bounds.as_slice() else { return Typed::error() };
        let lo = self.constant(frame, *lo_node, "a bound of an array");
        let hi = self.constant(frame, *hi_node, "a bound of an array");
        let (Some(lo), Some(hi)) = (lo, hi) else { return Typed::error() };
        let len = &hi - &lo;
        let elem_type = match expected {
            Some(Type::Array { len: wanted, .. }) if Int::from(*wanted) != len || *wanted == UNKNOWN_LENGTH => {
                self.wrong_length(*wanted, &len, range, &format!("{len} elements"));
                return Typed::error();
            }
            Some(Type::Array { elem, .. }) => Some((**elem).clone()),
            _ => None,
        };
        frame.scopes.push(Default::default());
        let var_ty = Ty::Unsized { lo: lo.clone(), hi: &hi - &Int::ONE };
        let local = self.declare(frame, node.name(), var_ty, ("a variable", false));
        let elem = self.expr(frame, elem_node, elem_type.as_ref());
        frame.scopes.pop();
        if elem.is_error() {
            return Typed::error();
        }
        let Some(elem_type) = elem_type.or_else(|| elem.sized_type().cloned()) else {
            self.needs_element_type(node);
            return Typed::error();
        };
        let elem = self.coerce(elem, &elem_type, elem_node);
        let Some(ty) = self.array_of(elem_type, &len, range) else { return Typed::error() };
        Typed::sized(ty, ExprKind::Comprehension(Box::new(Comprehension { local, lo, hi, elem })))
    }

    // ---- positions ----

    fn index(&mut self, frame: &mut Frame<'t>, base: Typed, dim: Node<'t>, node: Node<'t>) -> Typed {
        let Some(at_node) = dim.expr() else { return Typed::error() };
        let (len, ty) = match base.sized_type() {
            Some(Type::Array { len, elem }) => (*len, (**elem).clone()),
            Some(Type::U(n) | Type::S(n)) => (*n, Type::U(1)),
            _ => return self.no_positions(&base, node),
        };
        let at = self.expr(frame, at_node, None);
        let Some(at) = self.position(at, len, at_node) else { return Typed::error() };
        let is_array = matches!(base.sized_type(), Some(Type::Array { .. }));
        let known = base.is_constant() && matches!(at.kind, ExprKind::Const(_));
        let (base, at) = (Box::new(base.expr), Box::new(at));
        let typed = Typed::sized(ty, if is_array { ExprKind::Index(base, at) } else { ExprKind::Bits(base, at) });
        if known { self.fold(typed, node) } else { typed }
    }

    fn slice(&mut self, frame: &mut Frame<'t>, base: Typed, slice: Node<'t>, node: Node<'t>) -> Typed {
        let Some(width) = base.sized_type().filter(|t| t.is_integer()).map(Type::width) else {
            return self.no_positions(&base, node);
        };
        let Some((low, count)) = self.slice_bounds(frame, width, slice) else { return Typed::error() };
        let known = base.is_constant();
        let at = Typed::number(Int::from(low)).expr;
        let typed = Typed::sized(Type::U(count), ExprKind::Bits(Box::new(base.expr), Box::new(at)));
        if known { self.fold(typed, node) } else { typed }
    }

    /// Lowest bit and number of bits of `[h:l]`.
    pub(super) fn slice_bounds(&mut self, frame: &mut Frame<'t>, width: u32, slice: Node<'t>) -> Option<(u32, u32)> {
        let bounds: Vec<_> = slice.exprs().collect();
        let [high_node, low_node] = bounds.as_slice() else { return None };
        let high = self.constant(frame, *high_node, "a bound of a slice")?;
        let low = self.constant(frame, *low_node, "a bound of a slice")?;
        if low > high {
            self.report(
                Diagnostic::error(
                    &codes::OUT_OF_RANGE,
                    "the high bit of a slice comes first",
                    slice.span(),
                    "reversed",
                )
                .help(format!("write `[{low}:{high}]`")),
            );
            return None;
        }
        match (low.to_u32(), high.to_u32().filter(|h| *h < width)) {
            (Some(low), Some(high)) => Some((low, high - low + 1)),
            _ => {
                self.error(
                    &codes::OUT_OF_RANGE,
                    slice,
                    format!("bits {high} to {low} are not all in {width} bits"),
                    &format!("the highest bit is {}", width - 1),
                );
                None
            }
        }
    }

    fn part_select(&mut self, frame: &mut Frame<'t>, base: Typed, part: Node<'t>, node: Node<'t>) -> Typed {
        let Some(width) = base.sized_type().filter(|t| t.is_integer()).map(Type::width) else {
            return self.no_positions(&base, node);
        };
        let Some((at, count)) = self.part_bounds(frame, width, part) else { return Typed::error() };
        let known = base.is_constant() && matches!(at.kind, ExprKind::Const(_));
        let typed = Typed::sized(Type::U(count), ExprKind::Bits(Box::new(base.expr), Box::new(at)));
        if known { self.fold(typed, node) } else { typed }
    }

    /// Position and number of bits of `[b +: W]`.
    pub(super) fn part_bounds(&mut self, frame: &mut Frame<'t>, width: u32, part: Node<'t>) -> Option<(Expr, u32)> {
        let bounds: Vec<_> = part.exprs().collect();
        let [at_node, count_node] = bounds.as_slice() else { return None };
        let at = self.expr(frame, *at_node, None);
        let count = self.constant(frame, *count_node, "the number of bits")?;
        let Some(count) = count.to_u32().filter(|c| (1..=width).contains(c)) else {
            self.error(
                &codes::OUT_OF_RANGE,
                *count_node,
                format!("{count} bits cannot be taken from {width}"),
                "the number of bits",
            );
            return None;
        };
        if let Some(v) = at.int()
            && v >= Int::from(width - count + 1)
        {
            self.error(
                &codes::OUT_OF_RANGE,
                *at_node,
                format!("{count} bits from position {v} are not all in {width} bits"),
                &format!("at most {}", width - count),
            );
            return None;
        }
        Some((self.position(at, width, *at_node)?, count))
    }

    /// A position must be unsigned; a constant one must be below `len`.
    pub(super) fn position(&mut self, at: Typed, len: u32, node: Node<'t>) -> Option<Expr> {
        if at.is_error() {
            return None;
        }
        let unsigned = at.is_integer() && !at.range().0.is_negative();
        if !unsigned || matches!(at.ty, Ty::Sized(Type::S(_))) {
            let what = self.describe(&at);
            self.error(&codes::OPERANDS, node, "a position is an unsigned integer", &format!("this is {what}"));
            return None;
        }
        // What varies may be outside, and reads 0 there; what is always outside is a mistake.
        let least = at.int().unwrap_or_else(|| at.range().0);
        if len != UNKNOWN_LENGTH && least >= Int::from(len) {
            let always = if at.is_constant() { "" } else { "always " };
            self.error(
                &codes::OUT_OF_RANGE,
                node,
                format!("position {least} is {always}outside: there are {len}, counted from 0"),
                &format!("at most {}", len - 1),
            );
            return None;
        }
        Some(at.into_number())
    }

    fn no_positions(&mut self, base: &Typed, node: Node<'t>) -> Typed {
        let what = self.describe(base);
        let mut found = Diagnostic::error(
            &codes::OPERANDS,
            format!("{what} has no positions"),
            node.span(),
            "only sized integers have bits, only arrays have elements",
        );
        if matches!(base.ty, Ty::Unsized { .. }) {
            found = found.help("give it a type first, as in `u32(x)[0]`");
        } else if matches!(base.ty, Ty::Sized(Type::Array { .. })) {
            found.message = "an array cannot be sliced".to_owned();
            found = found.help("build an array of the elements, as in `[for i in 0..2 => a[i]]`");
        } else {
            found = found.help("`.unsigned()` gives the bits of a bool or an enum");
        }
        self.report(found);
        Typed::error()
    }

    /// Replaces a node whose operands are all constant by its value.
    pub(super) fn fold(&mut self, typed: Typed, node: Node<'t>) -> Typed {
        let Some(ty) = typed.sized_type().cloned() else { return typed };
        if !operands_are_constant(&typed.expr.kind) {
            return typed;
        }
        match self.evaluate(&typed.expr, 0) {
            Ok(value) => Typed::constant(ty, value),
            Err(EvalError::OutOfFuel) if !self.world.may_complain_of_time() => Typed::error(),
            Err(why) => {
                self.error(&codes::EVALUATION, node, format!("this constant cannot be computed: {why}"), "here");
                Typed::error()
            }
        }
    }
}

/// What stands inside parentheses.
pub(super) fn without_parentheses(mut node: Node<'_>) -> Node<'_> {
    while matches!(node.kind(), Kind::expr | Kind::width | Kind::paren)
        && let Some(inner) = node.expr()
    {
        node = inner;
    }
    node
}

fn is_const(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Const(_) | ExprKind::Table(_))
}

fn operands_are_constant(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::Saturate(a) => is_const(a),
        ExprKind::Split(a) | ExprKind::Join(a) | ExprKind::Rep(a, _) | ExprKind::Fill(a) => is_const(a),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Bits(a, b) => is_const(a) && is_const(b),
        ExprKind::Select(c, a, b) => is_const(c) && is_const(a) && is_const(b),
        ExprKind::Cat(items) | ExprKind::Array(items) => items.iter().all(is_const),
        _ => false,
    }
}

impl BodyKind {
    /// As in "state cannot be read …".
    pub(super) fn place(self) -> &'static str {
        match self {
            BodyKind::Const => "in a constant",
            BodyKind::Fn => "in a function",
            BodyKind::Command => "in a command",
            BodyKind::Csr => "in a CSR",
            BodyKind::Example => "in an example",
            BodyKind::Law => "in a law",
            BodyKind::Impl => "in the body of a library's function",
        }
    }
}
