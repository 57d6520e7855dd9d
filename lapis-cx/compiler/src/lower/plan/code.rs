//! Expressions become programs for a stack.

use super::size::Sizes;
use super::{At, Code, Memory, Number, Op, Size};
use crate::contract::core::BinaryOp;
use crate::contract::library::expr::{Expr, ExprKind};
use crate::contract::library::place::{Place, Type};
use crate::contract::library::text::Scope;
use crate::contract::library::{Function, Library, MetadataId, Param, Struct};
use crate::int::Int;
use crate::source::Span;

/// How many steps the expressions of a library have at most. Lengths that read what other buffers hold repeat the lengths of
/// those, so a short text can ask for many.
pub(super) const MAX_STEPS: u32 = 1 << 20;

/// How deep expressions are at most, with the lengths that they need.
const MAX_DEPTH: u32 = 100;

/// A block that is being planned: what the names of an expression in it stand for.
#[derive(Debug)]
pub(super) struct Frame<'a> {
    /// What it is.
    pub memory: Memory,
    /// For [`ExprKind::Outer`]: expressions of the frame around.
    pub outer: &'a [Expr],
    /// Filled by expressions that ask for values at entry.
    pub olds: Vec<Code>,
    /// How many lists of elements are around the value that is being planned, within this block.
    pub elements: u32,
}

/// A function that is being planned, and the blocks around the place where that is; the first one has the arguments.
#[derive(Debug)]
pub(super) struct Frames<'a> {
    pub library: &'a Library,
    pub function: &'a Function,
    /// Names of the parameters.
    pub names: Vec<String>,
    /// The value of a block that is being planned.
    pub at: Option<(Memory, At)>,
    /// The place that is being planned, that value or one inside of it: what `self` stands for.
    pub this: Option<&'a Place>,
    /// Places whose length is being written, outermost first, and what names each where its length stands: the length of one
    /// may read what another holds.
    pub measured: Vec<(&'a Place, Expr, usize)>,
    /// Values whose length needs itself.
    pub circles: Vec<(Memory, At)>,
    /// Values with an expression that asks for a position among elements, where several lists of elements are around.
    pub unclear: Vec<(Memory, At)>,
    /// The places of functions with an expression that reads or stores a floating-point number.
    pub fractions: Vec<Span>,
    /// Whether the length of a named element is being written: then the position is that of this element.
    pub is_at_element: bool,
    /// How many steps there may still be, and how deep they are.
    pub left: u32,
    pub depth: u32,
    /// Whether there were not enough of them: the plan has gaps.
    pub is_too_large: bool,
    /// Whether a function of C gets the value whose own length is being written, so the length is read from its contents.
    pub is_passed: bool,
    /// Whether what is written is also evaluated before the call is sent, where nothing is old yet.
    pub is_at_both: bool,
    /// Whether the value at entry is being written, where metadata needs no snapshot.
    pub is_at_entry: bool,
    /// The case of variable arguments that is being planned.
    pub case: Option<(u32, &'a [Param])>,
    pub stack: Vec<Frame<'a>>,
}

impl<'a> Frames<'a> {
    /// Sizes of the library.
    pub fn sizes(&self) -> Sizes<'a> {
        Sizes { library: self.library }
    }

    /// The struct or union of a frame.
    fn struct_of(&self, level: usize) -> Option<&'a Struct> {
        match self.stack.get(level)?.memory {
            Memory::Struct(id) | Memory::Live(id, _) => self.library.structs.get(id.index()),
            Memory::Arguments(_) | Memory::CallbackArguments(_) => None,
        }
    }

    /// Goes on with a value of the innermost block. The one around is returned.
    pub fn enter(&mut self, at: At) -> Option<(Memory, At)> {
        let memory = self.stack.last()?.memory;
        self.at.replace((memory, at))
    }

    /// An expression of the innermost block.
    pub fn code(&mut self, expr: &Expr) -> Code {
        self.code_at(expr, self.stack.len().saturating_sub(1))
    }

    /// An expression of the innermost block that is asked at entry and at exit. At entry, `old(e)` is e.
    pub fn code_at_both(&mut self, expr: &Expr) -> Code {
        let before = std::mem::replace(&mut self.is_at_both, true);
        let code = self.code(expr);
        self.is_at_both = before;
        code
    }

    /// An expression of the function, wherever it is used.
    pub fn code_of_arguments(&mut self, expr: &Expr) -> Code {
        self.code_at(expr, 0)
    }

    /// The address of what an expression of the arguments names, and what loads its value from there.
    pub fn address_code(&mut self, expr: &Expr) -> Option<(Code, Option<Op>)> {
        let mut ops = Vec::new();
        let load = self.place(expr, 0).and_then(|place| self.sizes().load(place));
        self.address(&mut ops, expr, 0).then(|| (Code { ops, text: self.text(expr, 0) }, load))
    }

    /// An expression of a block.
    fn code_at(&mut self, expr: &Expr, level: usize) -> Code {
        let mut ops = Vec::new();
        self.push(&mut ops, expr, level);
        Code { ops, text: self.text(expr, level) }
    }

    fn text(&self, expr: &Expr, level: usize) -> String {
        let scope = Scope::function(self.library, self.function, &self.names);
        let scope = scope.among(self.case.map_or(&[], |(_, params)| params));
        match self.struct_of(level) {
            Some(def) => scope.within(def).expr(expr),
            None => scope.expr(expr),
        }
    }

    /// The place that an expression names.
    pub fn place(&self, expr: &Expr, level: usize) -> Option<&'a Place> {
        let library = self.library;
        match &expr.kind {
            ExprKind::Param(n) => Some(&self.function.params.get(*n as usize)?.place),
            ExprKind::Implicit(n) => Some(&self.function.implicits.get(*n as usize)?.place),
            ExprKind::Variable(n) => Some(&self.case?.1.get(*n as usize)?.place),
            ExprKind::Ret => Some(&self.function.result),
            ExprKind::Sibling(n) => Some(&self.struct_of(level)?.members.get(*n as usize)?.place),
            ExprKind::Outer(n) => {
                let outer = self.stack.get(level)?.outer.get(*n as usize)?;
                self.place(outer, level.checked_sub(1)?)
            }
            ExprKind::Member { of, member, .. } => {
                Some(&library.structs.get(of.index())?.members.get(*member as usize)?.place)
            }
            ExprKind::Metadata { of, member, .. } => {
                Some(&library.metadata.get(of.index())?.members.get(*member as usize)?.place)
            }
            ExprKind::Element(base, _) => elements(self.place(base, level)?),
            ExprKind::SelfValue => self.measured.last().map(|(place, ..)| *place).or(self.this),
            ExprKind::Old(e) => self.place(e, level),
            ExprKind::Select(_, a, _) => self.place(a, level),
            _ => None,
        }
    }

    /// The address of what an expression names, where it has one.
    fn address(&mut self, ops: &mut Vec<Op>, expr: &Expr, level: usize) -> bool {
        let arguments = self.stack.first().map(|frame| frame.memory);
        let own = self.stack.get(level).map(|frame| frame.memory);
        match &expr.kind {
            ExprKind::Param(n) => ops.extend([Op::Arguments].into_iter().chain(field(arguments, At::Param(*n)))),
            ExprKind::Implicit(n) => ops.extend([Op::Arguments].into_iter().chain(field(arguments, At::Implicit(*n)))),
            ExprKind::Ret => ops.extend([Op::Arguments].into_iter().chain(field(arguments, At::Ret))),
            ExprKind::Variable(n) => {
                let Some((case, _)) = self.case else { return false };
                ops.extend([Op::Arguments].into_iter().chain(field(arguments, At::Variable(case, *n))));
            }
            ExprKind::Sibling(n) => ops.extend([Op::Own].into_iter().chain(field(own, At::Member(*n)))),
            ExprKind::SelfValue => {
                let (name, level) = match self.measured.last() {
                    Some((_, name, level)) if name.kind != ExprKind::SelfValue => (name.clone(), *level),
                    _ => {
                        ops.push(Op::This);
                        return true;
                    }
                };
                return self.address(ops, &name, level);
            }
            ExprKind::Outer(n) => {
                let Some(outer) = self.outer(level, *n) else { return false };
                ops.push(Op::EnterOuter);
                let found = self.address(ops, outer, level.saturating_sub(1));
                ops.push(Op::Leave);
                return found;
            }
            ExprKind::Member { base, of, member } => {
                // A struct is its address, and a pointer to one is too.
                self.push(ops, base, level);
                ops.push(Op::Field(Memory::Struct(*of), At::Member(*member)));
            }
            ExprKind::Element(base, index) => {
                let Some(place) = self.place(base, level) else { return false };
                self.push(ops, base, level);
                self.push(ops, index, level);
                self.count(ops, base, level);
                ops.push(Op::Element(elements(place).map_or(Size::Nothing, |element| self.sizes().size(element))));
            }
            _ => return false,
        }
        true
    }

    /// The value that an expression names.
    fn named(&self, expr: &Expr, level: usize) -> Option<(Memory, At)> {
        let arguments = self.stack.first()?.memory;
        Some(match &expr.kind {
            ExprKind::Param(n) => (arguments, At::Param(*n)),
            ExprKind::Variable(n) => (arguments, At::Variable(self.case?.0, *n)),
            ExprKind::Implicit(n) => (arguments, At::Implicit(*n)),
            ExprKind::Ret => (arguments, At::Ret),
            ExprKind::Sibling(n) => (self.stack.get(level)?.memory, At::Member(*n)),
            ExprKind::Outer(n) => return self.named(self.outer(level, *n)?, level.checked_sub(1)?),
            ExprKind::Member { of, member, .. } => (Memory::Struct(*of), At::Member(*member)),
            ExprKind::Element(base, _) => return self.named(base, level),
            ExprKind::SelfValue => self.at?,
            _ => return None,
        })
    }

    /// Pushes the length of a place, which reads what other places hold, and needs their lengths for that.
    /// `name` is what names the place there.
    fn length(&mut self, ops: &mut Vec<Op>, length: &'a Expr, (place, name): (&'a Place, Expr), level: usize) {
        self.measured.push((place, name, level));
        self.push(ops, length, level);
        self.measured.pop();
    }

    /// The expression for which a name of the place of use stands, and how many blocks further out it is.
    pub fn resolved(&self, expr: &'a Expr, level: usize) -> (&'a Expr, usize) {
        let (mut named, mut depth) = (expr, 0);
        while let ExprKind::Outer(n) = &named.kind
            && let Some(outer) = self.outer(level.saturating_sub(depth), *n)
        {
            (named, depth) = (outer, depth + 1);
        }
        (named, depth)
    }

    /// An expression of the block that is `depth` blocks further out than the current one.
    pub fn code_of_outer(&mut self, expr: &Expr, depth: usize) -> Code {
        let level = self.stack.len().saturating_sub(1).saturating_sub(depth);
        let mut ops = vec![Op::EnterOuter; depth];
        self.push(&mut ops, expr, level);
        ops.extend(vec![Op::Leave; depth]);
        Code { ops, text: self.text(expr, level) }
    }

    fn outer(&self, level: usize, n: u32) -> Option<&'a Expr> {
        self.stack.get(level)?.outer.get(n as usize)
    }

    /// Pushes how many elements the buffer or array has that an expression names; -1 if only its contents say it.
    fn count(&mut self, ops: &mut Vec<Op>, expr: &Expr, level: usize) {
        let Some(place) = self.place(expr, level) else {
            ops.push(Op::Int(Int::from(0)));
            return;
        };
        if self.measured.iter().any(|(one, ..)| std::ptr::eq(*one, place)) {
            self.circles.extend(self.named(expr, level));
            ops.push(Op::Int(Int::from(0)));
            return;
        }
        // The length is an expression of the block that holds the place.
        let holder = |ops: &mut Vec<Op>, frames: &mut Self, length: &'a Expr| match &expr.kind {
            ExprKind::Param(_) | ExprKind::Variable(_) | ExprKind::Implicit(_) | ExprKind::Ret if level > 0 => {
                ops.push(Op::EnterArguments);
                frames.length(ops, length, (place, expr.clone()), 0);
                ops.push(Op::Leave);
            }
            ExprKind::Outer(n) => {
                let name = frames.outer(level, *n).unwrap_or(expr).clone();
                ops.push(Op::EnterOuter);
                frames.length(ops, length, (place, name), level.saturating_sub(1));
                ops.push(Op::Leave);
            }
            ExprKind::Member { base, of, member } => {
                let name = Expr { kind: ExprKind::Sibling(*member), ..expr.clone() };
                frames.push(ops, base, level);
                ops.push(Op::Enter);
                // Names of the place of use are those of the place that the base names.
                let outer = match frames.place(base, level).map(|place| &place.ty) {
                    Some(Type::Struct { outer, .. } | Type::Live { outer, .. }) => outer.as_slice(),
                    Some(Type::Buffer { element, .. } | Type::Array { element, .. }) => match &element.ty {
                        Type::Struct { outer, .. } | Type::Live { outer, .. } => outer.as_slice(),
                        _ => &[],
                    },
                    _ => &[],
                };
                let deeper = frames.stack.split_off((level + 1).min(frames.stack.len()));
                frames.stack.push(Frame { memory: Memory::Struct(*of), outer, olds: Vec::new(), elements: 0 });
                frames.length(ops, length, (place, name), level + 1);
                frames.stack.truncate(level + 1);
                frames.stack.extend(deeper);
                ops.push(Op::Leave);
            }
            ExprKind::Element(_, index) => {
                frames.push(ops, index, level);
                ops.push(Op::EnterElement);
                let around = std::mem::replace(&mut frames.is_at_element, true);
                frames.length(ops, length, (place, expr.clone()), level);
                frames.is_at_element = around;
                ops.push(Op::Leave);
            }
            _ => frames.length(ops, length, (place, expr.clone()), level),
        };
        match &place.ty {
            Type::Array { len, .. } => holder(ops, self, len),
            Type::Buffer { len: Some(len), until: None, .. } => holder(ops, self, len),
            Type::Buffer { element, len, until: Some(until) } => {
                let (compared, size) = (self.sizes().compared(element), self.sizes().size(element));
                self.push(ops, expr, level);
                match len {
                    Some(len) => holder(ops, self, len),
                    None => ops.push(Op::Int(Int::from(-1))),
                }
                holder(ops, self, until);
                ops.push(Op::Until(compared, size));
            }
            // A choice of buffers has at least one element, which begins alike in all cases.
            Type::Match { .. } if elements(place).is_some() => ops.push(Op::Int(Int::from(1))),
            _ => ops.push(Op::Int(Int::from(0))),
        }
    }

    /// Pushes the value of an expression.
    fn push(&mut self, ops: &mut Vec<Op>, expr: &Expr, level: usize) {
        if self.left == 0 || self.depth == MAX_DEPTH {
            self.is_too_large = true;
            ops.push(Op::Int(Int::from(0)));
            return;
        }
        self.left -= 1;
        self.depth += 1;
        self.push_steps(ops, expr, level);
        self.depth -= 1;
    }

    fn push_steps(&mut self, ops: &mut Vec<Op>, expr: &Expr, level: usize) {
        match &expr.kind {
            // The call itself, and calls in its callbacks, may change metadata or end what has it.
            _ if !self.is_at_entry && self.reads_metadata_at_entry(expr, level) => self.old(ops, expr, level, true),
            ExprKind::Int(v) | ExprKind::Case { value: v, .. } => ops.push(Op::Int(v.clone())),
            ExprKind::Bool(v) => ops.push(Op::Int(Int::from(i64::from(*v)))),
            ExprKind::Null => ops.push(Op::Int(Int::from(0))),
            ExprKind::Text(text) => ops.push(Op::Text(text.clone())),
            ExprKind::Outer(n) => match self.outer(level, *n) {
                Some(outer) => {
                    ops.push(Op::EnterOuter);
                    self.push(ops, outer, level.saturating_sub(1));
                    ops.push(Op::Leave);
                }
                None => ops.push(Op::Int(Int::from(0))),
            },
            ExprKind::Element(of, index) if matches!(of.kind, ExprKind::Metadata { .. }) => {
                self.metadata_element(ops, of, index, level);
            }
            ExprKind::Param(_)
            | ExprKind::Variable(_)
            | ExprKind::Implicit(_)
            | ExprKind::Ret
            | ExprKind::Sibling(_)
            | ExprKind::SelfValue
            | ExprKind::Member { .. }
            | ExprKind::Element(..) => {
                let place = self.place(expr, level);
                if self.address(ops, expr, level) {
                    let load = place.and_then(|place| self.sizes().load(place));
                    if matches!(load, Some(Op::Load(Number { is_float: true, .. }))) {
                        self.fractions.push(self.function.span);
                    }
                    ops.extend(load);
                } else {
                    ops.push(Op::Int(Int::from(0)));
                }
            }
            ExprKind::Index => self.index(ops, level),
            ExprKind::Errno => ops.push(Op::Errno),
            ExprKind::Elapsed => ops.push(Op::Elapsed),
            ExprKind::IsIn => ops.push(Op::IsEntry),
            ExprKind::IsOut => ops.extend([Op::Int(Int::from(1)), Op::IsEntry, Op::Binary(BinaryOp::Sub)]),
            ExprKind::OnWorker => ops.push(Op::IsWorker),
            ExprKind::OnGuest => ops.extend([Op::Int(Int::from(1)), Op::IsWorker, Op::Binary(BinaryOp::Sub)]),
            ExprKind::Old(e) => self.old(ops, e, level, self.is_at_both),
            ExprKind::Metadata { base, of, member } => {
                self.push(ops, base, level);
                ops.push(Op::Metadata(*of, *member));
            }
            ExprKind::SizeofType(place) => ops.push(Op::Sizeof(self.sizes().size(place))),
            ExprKind::SizeofValue(e) => {
                let size = self.place(e, level).map_or(Size::Nothing, |place| self.sizes().size(place));
                ops.push(Op::Sizeof(size));
            }
            ExprKind::Strlen(e) => {
                self.push(ops, e, level);
                self.limit(ops, e, level);
                ops.push(Op::Strlen);
            }
            ExprKind::Strchr(e, character) => {
                self.push(ops, e, level);
                self.limit(ops, e, level);
                self.push(ops, character, level);
                ops.push(Op::Strchr);
            }
            ExprKind::Physical(e) => {
                self.push(ops, e, level);
                ops.push(Op::Physical);
            }
            ExprKind::Min(all) => self.fold(ops, all, &Op::Min, level),
            ExprKind::Max(all) => self.fold(ops, all, &Op::Max, level),
            ExprKind::Call(id, operands) => {
                self.each(ops, operands, level);
                ops.push(Op::Call(*id, operands.len() as u32));
            }
            ExprKind::Fn(id, operands) => {
                self.each(ops, operands, level);
                ops.push(Op::Fn(*id, operands.len() as u32));
            }
            ExprKind::Utility(name, operands) => {
                self.each(ops, operands, level);
                ops.push(Op::Utility(name.clone(), operands.len() as u32));
            }
            ExprKind::Code(code) => {
                let memory = self.stack.get(level).map(|frame| frame.memory);
                ops.push(memory.map_or(Op::Int(Int::from(0)), |memory| Op::Native(memory, code.text.clone())));
            }
            ExprKind::Unary(op, e) => {
                self.push(ops, e, level);
                ops.push(Op::Unary(*op));
            }
            ExprKind::Binary(op, a, b) => {
                self.push(ops, a, level);
                self.push(ops, b, level);
                ops.push(Op::Binary(*op));
            }
            ExprKind::Select(c, a, b) => {
                for e in [c, a, b] {
                    self.push(ops, e, level);
                }
                ops.push(Op::Select);
            }
        }
    }

    /// Pushes the value that an expression has at entry. `is_at_both` is whether it is also asked for at entry, where no snapshot is taken yet.
    fn old(&mut self, ops: &mut Vec<Op>, expr: &Expr, level: usize, is_at_both: bool) {
        let before = (std::mem::take(&mut self.is_at_both), std::mem::replace(&mut self.is_at_entry, true));
        if is_at_both {
            ops.push(Op::IsEntry);
            self.push(ops, expr, level);
        }
        let old = self.code_at(expr, level);
        (self.is_at_both, self.is_at_entry) = before;
        let position = self.stack.get_mut(level).map_or(0, |frame| {
            let known = frame.olds.iter().position(|one| *one == old);
            known.unwrap_or_else(|| {
                frame.olds.push(old);
                frame.olds.len() - 1
            })
        });
        ops.push(Op::Old(position as u32));
        if is_at_both {
            ops.push(Op::Select);
        }
    }

    /// Returns whether an expression is metadata that is evaluated at entry: it names no `out` place. (Language, libraries, rule 1)
    fn reads_metadata_at_entry(&self, expr: &Expr, level: usize) -> bool {
        match &expr.kind {
            ExprKind::Metadata { base, .. } => self.is_known_at_entry(base, level),
            ExprKind::Element(of, index) => match &of.kind {
                ExprKind::Metadata { base, .. } => {
                    self.is_known_at_entry(base, level) && self.is_known_at_entry(index, level)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns whether an expression consists of numbers, arguments, and members and elements of `in` places.
    fn is_known_at_entry(&self, expr: &Expr, level: usize) -> bool {
        let is_known = |one: &Expr| self.is_known_at_entry(one, level);
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Case { .. } | ExprKind::Bool(_) | ExprKind::Null => true,
            ExprKind::Param(_) | ExprKind::Variable(_) | ExprKind::Implicit(_) => true,
            // A struct that the call writes is behind an `out` place, which `base` names.
            ExprKind::Member { base, .. } => is_known(base),
            ExprKind::Element(of, index) => {
                let is_in = self.place(of, level).is_some_and(|place| !place.directions.output);
                is_in && is_known(of) && is_known(index)
            }
            ExprKind::Unary(_, one) => is_known(one),
            ExprKind::Binary(_, a, b) => is_known(a) && is_known(b),
            ExprKind::Min(all) | ExprKind::Max(all) => all.iter().all(is_known),
            _ => false,
        }
    }

    /// Pushes the position among the elements around.
    fn index(&mut self, ops: &mut Vec<Op>, level: usize) {
        let lists = self.stack.get(level).map_or(0, |frame| frame.elements);
        if lists > 1 && !self.is_at_element {
            self.unclear.extend(self.at);
        }
        ops.push(Op::Index);
    }

    /// Pushes an element of an inline array that is attached to a handle or pointer.
    fn metadata_element(&mut self, ops: &mut Vec<Op>, array: &Expr, index: &Expr, level: usize) {
        let ExprKind::Metadata { base, of, member } = &array.kind else { return };
        self.push(ops, base, level);
        self.push(ops, index, level);
        ops.push(Op::MetadataElement(*of, *member, metadata_elements(self.library, *of, *member).unwrap_or(0)));
    }

    /// Pushes the maximum length of a string: the number of elements of its buffer, or -1 for any length.
    fn limit(&mut self, ops: &mut Vec<Op>, expr: &Expr, level: usize) {
        let place = self.place(expr, level);
        if self.is_being_sized(expr, place, level) {
            ops.push(Op::Received);
            return;
        }
        match place.map(|place| &place.ty) {
            // While another length is written that needs this one, the contents are there and end with NUL.
            Some(Type::Buffer { until: None, .. } | Type::Array { .. }) if expr.kind != ExprKind::SelfValue => {
                self.count(ops, expr, level);
            }
            _ => ops.push(Op::Int(Int::from(-1))),
        }
    }

    /// Whether an expression names the value whose own length is being written: by `self` or by its name.
    fn is_being_sized(&self, expr: &Expr, place: Option<&'a Place>, level: usize) -> bool {
        let is_it = |place: &Place, this: &Place| {
            std::ptr::eq(place, this)
                || matches!(place.ty, Type::Match { .. }) && self.at.is_some() && self.named(expr, level) == self.at
        };
        self.measured.is_empty()
            && (expr.kind == ExprKind::SelfValue
                || place.zip(self.this).is_some_and(|(place, this)| is_it(place, this)))
    }

    fn each(&mut self, ops: &mut Vec<Op>, operands: &[Expr], level: usize) {
        for operand in operands {
            self.is_passed |= self.is_being_sized(operand, self.place(operand, level), level);
            self.push(ops, operand, level);
        }
    }

    fn fold(&mut self, ops: &mut Vec<Op>, operands: &[Expr], op: &Op, level: usize) {
        for (position, operand) in operands.iter().enumerate() {
            self.push(ops, operand, level);
            if position > 0 {
                ops.push(op.clone());
            }
        }
    }
}

/// How many elements a member of metadata has, if it is an inline array.
pub(super) fn metadata_elements(library: &Library, of: MetadataId, member: u32) -> Option<u32> {
    let member = library.metadata.get(of.index())?.members.get(member as usize)?;
    match &member.place.ty {
        Type::Array { len, .. } => match &len.kind {
            ExprKind::Int(count) | ExprKind::Case { value: count, .. } => count.to_u32(),
            _ => None,
        },
        _ => None,
    }
}

fn field(memory: Option<Memory>, at: At) -> Option<Op> {
    memory.map(|memory| Op::Field(memory, at))
}

/// Returns the type of the elements of a buffer or an array; of a choice of buffers, that of its first case.
fn elements(place: &Place) -> Option<&Place> {
    match &place.ty {
        Type::Buffer { element, .. } | Type::Array { element, .. } => Some(element),
        Type::Match { arms, default, .. } => {
            arms.iter().map(|arm| &arm.place).chain(default.as_deref()).find_map(elements)
        }
        _ => None,
    }
}
