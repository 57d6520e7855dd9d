//! Evaluates expressions: programs for a stack of exact integers, over the memory of one side.
//!
//! The result of an expression is `None` if it does not fit 128 bits, or if it depends on such a result.

use smallvec::SmallVec;

use super::access::{BYTE, bytes, load, scan};
pub(crate) use super::scopes::Number;
use super::scopes::{Scope, Scopes};
use super::side::Side;
use super::sources::Sources;
use crate::plan::{Binary, Code, Op, Plan, Scalar, Simple, Slot, Unary};

/// A number as C functions of a plan receive and return it: 128 bits in two's complement.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Int {
    /// The lower half.
    pub low: u64,
    /// The upper half.
    pub high: i64,
}

impl From<i128> for Int {
    fn from(value: i128) -> Int {
        Int { low: value as u64, high: (value >> 64) as i64 }
    }
}

impl From<Int> for i128 {
    fn from(value: Int) -> i128 {
        i128::from(value.high) << 64 | i128::from(value.low)
    }
}

/// A function that contains C code of the specification. Its arguments are the block that the code belongs to, and the operands.
pub type Native = unsafe extern "C" fn(arguments: *mut std::ffi::c_void, operands: *const Int) -> Int;

/// The state of a call that expressions read, on one side, in the request or the reply.
pub(crate) struct Stage<'a> {
    pub plan: &'static Plan,
    pub natives: &'a [Option<Native>],
    pub arguments: usize,
    pub is_worker: bool,
    pub is_entry: bool,
    pub errno: i32,
    pub elapsed: u64,
    /// The received element count of the buffer whose count is evaluated, if the count depends on the contents of the buffer.
    pub received: Option<u64>,
    /// Reports memory that outstanding results of asynchronous calls change. `None` if there are no such calls.
    pub results: Option<&'a dyn Side>,
    /// If this call cannot be sent yet: what must happen before.
    pub before: Option<Before>,
    /// The worker has reported what has ended since this call began.
    pub has_reports: bool,
    /// The addresses from which expressions read memory whose contents the current message carries.
    pub sources: Sources,
    pub lists: &'a mut Lists,
}

/// What must happen before a call of the guest can be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// The results of this asynchronous call must arrive, because an expression or a buffer of the new call needs them.
    Results(u64),
    /// The worker must report what has ended, because the new call uses a part of memory that an asynchronous call may have ended.
    Reports,
    /// The call must become synchronous: it may end memory that both sides have, or later calls may free the memory of the library that its results
    /// change.
    Synchronous,
}

/// Memory of a stage, which the next stage reuses. Usual expressions over the arguments do not allocate, because a signal handler may evaluate
/// the failure result of its call.
#[derive(Default)]
pub(crate) struct Lists {
    pub scopes: Scopes,
    stack: SmallVec<[Number; 8]>,
    scope_stack: SmallVec<[usize; 8]>,
}

impl std::ops::Deref for Stage<'_> {
    type Target = Lists;

    fn deref(&self) -> &Lists {
        self.lists
    }
}

impl std::ops::DerefMut for Stage<'_> {
    fn deref_mut(&mut self) -> &mut Lists {
        self.lists
    }
}

/// Access to the metadata of handles and pointers.
pub(crate) trait Attached {
    fn get(&self, of: u32, key: u64, member: u32) -> i128;
}

impl<'a> Stage<'a> {
    /// Creates the state for a call.
    pub fn new(
        plan: &'static Plan,
        natives: &'a [Option<Native>],
        is_worker: bool,
        arguments: usize,
        lists: &'a mut Lists,
    ) -> Stage<'a> {
        lists.scopes.start(arguments);
        Stage {
            plan,
            natives,
            arguments,
            is_worker,
            is_entry: true,
            errno: 0,
            elapsed: 0,
            received: None,
            results: None,
            before: None,
            has_reports: false,
            sources: Sources::default(),
            lists,
        }
    }

    /// Returns whether no outstanding results change this memory.
    #[inline]
    pub fn is_final(&mut self, start: usize, size: usize) -> bool {
        let Some(results) = self.results else { return true };
        let call = results.call_that_changes(start, start.saturating_add(size.max(1)));
        self.before = self.before.or(call.map(Before::Results));
        call.is_none()
    }

    /// Evaluates an expression in the innermost scope.
    ///
    /// # Safety
    ///
    /// The memory that the expression reads must be laid out as the plan describes.
    pub unsafe fn eval(&mut self, code: &Code, attached: &dyn Attached) -> Number {
        if let Some(simple) = &code.facts.simple {
            // SAFETY: the caller upholds the contract of this function.
            return unsafe { simple.value(self.arguments) };
        }
        let (scopes, base) = (self.scopes.len(), self.stack.len());
        let mut scope_stack = std::mem::take(&mut self.lists.scope_stack);
        let first = scope_stack.len();
        scope_stack.push(self.scopes.current());
        for op in &code.ops {
            // SAFETY: the caller upholds the contract of this function.
            unsafe { self.step(*op, &mut scope_stack, attached) };
        }
        let result = self.stack.pop().flatten();
        self.stack.truncate(base);
        self.scopes.truncate(scopes);
        scope_stack.truncate(first);
        self.lists.scope_stack = scope_stack;
        result
    }

    fn pop(&mut self) -> Number {
        self.stack.pop().flatten()
    }

    fn enter(&mut self, scope_stack: &mut SmallVec<[usize; 8]>, scope: Scope) {
        scope_stack.push(self.scopes.push(scope));
    }

    /// Runs one operation of an expression.
    ///
    /// # Safety
    ///
    /// As for [`eval`](Stage::eval).
    unsafe fn step(&mut self, op: Op, scope_stack: &mut SmallVec<[usize; 8]>, attached: &dyn Attached) {
        let at = scope_stack.last().copied().unwrap_or(0);
        let scope = self.scopes.get(at);
        let pushed = match op {
            Op::Int(value) => Some(value),
            Op::Text(text) => self.plan.texts.get(text as usize).map(|text| text.as_ptr() as usize as i128),
            Op::Arguments => Some(self.arguments as i128),
            Op::Own => Some(scope.own as i128),
            Op::EnterArguments => return scope_stack.push(0),
            Op::EnterOuter => return scope_stack.push(scope.parent),
            Op::Enter => {
                let own = self.pop().unwrap_or(0) as usize;
                return self.enter(scope_stack, Scope::entered(own, at));
            }
            Op::EnterElement => {
                let mut element = scope;
                element.index = self.pop().and_then(|index| u64::try_from(index).ok()).unwrap_or(0);
                return self.enter(scope_stack, element);
            }
            Op::Leave => {
                scope_stack.pop();
                return;
            }
            Op::This => Some(scope.this as i128),
            Op::Index => Some(i128::from(scope.index)),
            Op::Received => Some(self.received.map_or(-1, i128::from)),
            Op::Field(offset) => self.pop().map(|address| if address == 0 { 0 } else { address + offset as i128 }),
            Op::Load(scalar) => match self.pop() {
                Some(0) => Some(0),
                Some(address) if !scalar.is_float && self.is_final(address as usize, scalar.bytes) => {
                    // SAFETY: the caller upholds the contract of this function.
                    Some(unsafe { load(self.sources.read(address as usize, scalar.bytes), scalar) })
                }
                _ => None,
            },
            Op::Follow(bytes) => match self.pop() {
                Some(0) => Some(0),
                Some(address) if self.is_final(address as usize, bytes) => {
                    // SAFETY: the caller upholds the contract of this function.
                    Some(unsafe { load(self.sources.read(address as usize, bytes), Scalar::unsigned(bytes)) })
                }
                _ => None,
            },
            Op::Element(bytes) => self.element(bytes),
            Op::Metadata(member) => self.pop().map(|key| attached.get(member.of, key as u64, member.member)),
            Op::MetadataElement { first, count } => self.metadata_element(attached, first, count),
            Op::Old(position) => self.scopes.old(scope, position),
            Op::Errno => Some(i128::from(self.errno)),
            Op::Elapsed => Some(i128::from(self.elapsed)),
            Op::IsEntry => Some(i128::from(self.is_entry)),
            Op::IsWorker => Some(i128::from(self.is_worker)),
            Op::Sizeof(bytes) => Some(bytes as i128),
            // SAFETY: the caller upholds the contract of this function.
            Op::Until { scalar, stride } => unsafe { self.until(scalar, stride) },
            Op::Strlen => {
                let (limit, address) = (self.pop(), self.pop());
                // SAFETY: the caller upholds the contract of this function.
                unsafe { self.text(address, limit) }.map(|text| text.len() as i128)
            }
            // SAFETY: the caller upholds the contract of this function.
            Op::Strchr => unsafe { self.strchr() },
            Op::Physical => self.pop().and(None),
            // SAFETY: the caller upholds the contract of this function.
            Op::Native { native, operands, worker } => unsafe { self.native((native, operands), worker, scope.own) },
            Op::Select => {
                let (otherwise, then, condition) = (self.pop(), self.pop(), self.pop());
                condition.and_then(|condition| if condition == 0 { otherwise } else { then })
            }
            Op::Unary(op) => self.pop().and_then(|value| match op {
                Unary::Not => Some(!value),
                Unary::Neg => value.checked_neg(),
                Unary::LogicalNot => Some(i128::from(value == 0)),
            }),
            Op::Binary(op) => {
                let (b, a) = (self.pop(), self.pop());
                eval_binary(op, a, b)
            }
        };
        self.stack.push(pushed);
    }

    /// Returns the address of an element of an array, or 0 if the index is out of range.
    fn element(&mut self, bytes: usize) -> Number {
        let (count, position, address) = (self.pop(), self.pop(), self.pop());
        let (address, position, count) = (address?, position?, count?);
        let is_inside = address != 0 && (0..count).contains(&position);
        Some(if is_inside { address + position * bytes as i128 } else { 0 })
    }

    /// Returns the metadata of an element of an array with `count` elements, starting at the member `first`, or 0 if the index is out of
    /// range.
    fn metadata_element(&mut self, attached: &dyn Attached, first: Slot, count: u32) -> Number {
        let (at, key) = (self.pop(), self.pop());
        let (at, key) = (at?, key?);
        let inside = u32::try_from(at).ok().filter(|at| *at < count);
        Some(inside.map_or(0, |at| attached.get(first.of, key as u64, first.member.saturating_add(at))))
    }

    /// Counts the elements up to and including the first element that has a given value.
    ///
    /// # Safety
    ///
    /// As for [`eval`](Stage::eval).
    unsafe fn until(&mut self, scalar: Scalar, stride: usize) -> Number {
        let (value, limit, address) = (self.pop(), self.pop(), self.pop());
        if address == Some(0) {
            return Some(0);
        }
        let (address, limit, value) = (address?, limit?, value?);
        if !self.is_final(address as usize, 1) {
            return None;
        }
        let (address, limit) = (self.sources.read(address as usize, 1), u64::try_from(limit).ok());
        // SAFETY: the caller upholds the contract of this function.
        Some(i128::from(unsafe { scan(address, stride, scalar, value, limit) }))
    }

    /// Returns the position of a character in a string, starting at 1, or 0 if the string does not contain it.
    ///
    /// # Safety
    ///
    /// As for [`eval`](Stage::eval).
    unsafe fn strchr(&mut self) -> Number {
        let (character, limit, address) = (self.pop(), self.pop(), self.pop());
        // SAFETY: the caller upholds the contract of this function.
        let text = unsafe { self.text(address, limit) }?;
        // As in C, where the argument is converted to a `char`.
        let character = character? as u8;
        Some(text.iter().position(|byte| *byte == character).map_or(0, |at| at as i128 + 1))
    }

    /// Runs C code of the specification. `own` is the block that the code belongs to: the arguments, or a struct.
    ///
    /// # Safety
    ///
    /// As for [`eval`](Stage::eval).
    unsafe fn native(&mut self, (native, operands): (u32, u32), on_worker: bool, own: usize) -> Number {
        let first = self.stack.len().saturating_sub(operands as usize);
        let operands: Option<Vec<Int>> = self.stack.drain(first..).map(|one| one.map(Int::from)).collect();
        let native = self.natives.get(native as usize).copied().flatten();
        let (operands, native) = (operands?, native?);
        // Members of a null struct are 0.
        if own == 0 {
            return Some(0);
        }
        if on_worker && !self.is_worker {
            return None;
        }
        let block = std::ptr::with_exposed_provenance_mut(self.sources.read(own, 1));
        // SAFETY: the compiler generated the plan and the function together, so the function expects this block and this number of
        // operands.
        Some(i128::from(unsafe { native(block, operands.as_ptr()) }))
    }

    /// Returns a string without its terminating zero.
    ///
    /// # Safety
    ///
    /// As for [`eval`](Stage::eval).
    unsafe fn text<'t>(&mut self, address: Number, limit: Number) -> Option<&'t [u8]> {
        let (address, limit) = (address?, limit?);
        if address == 0 {
            return Some(&[]);
        }
        if !self.is_final(address as usize, 1) {
            return None;
        }
        let (address, limit) = (self.sources.read(address as usize, 1), u64::try_from(limit).ok());
        // SAFETY: the caller upholds the contract of this function.
        let count = unsafe { scan(address, 1, BYTE, 0, limit) } as usize;
        // SAFETY: `scan` just read these bytes.
        let text = unsafe { bytes(address, count) };
        Some(text.strip_suffix(&[0]).unwrap_or(text))
    }
}

impl Simple {
    /// Evaluates the expression for the arguments of a call.
    ///
    /// # Safety
    ///
    /// `arguments` must be the address of the arguments of the call that the expression belongs to.
    pub(crate) unsafe fn value(&self, arguments: usize) -> Number {
        // SAFETY: the caller passes the arguments that the plan describes, and the offsets are those of their members.
        unsafe {
            match self {
                Simple::Int(value) => Some(*value),
                Simple::Member(offset, scalar) => Some(load(arguments + offset, *scalar)),
                Simple::LogicalNot(of) => of.value(arguments).map(|value| i128::from(value == 0)),
                Simple::Two(op, operands) => eval_binary(*op, operands.0.value(arguments), operands.1.value(arguments)),
                Simple::Select(of) => {
                    let (condition, then, otherwise) = &**of;
                    let chosen = if condition.value(arguments)? == 0 { otherwise } else { then };
                    chosen.value(arguments)
                }
            }
        }
    }
}

/// Evaluates a binary operation, also with operands that have no value.
fn eval_binary(op: Binary, a: Number, b: Number) -> Number {
    match (op, a, b) {
        // One operand alone can determine the result.
        (Binary::LogicalAnd, Some(0), _) | (Binary::LogicalAnd, _, Some(0)) => Some(0),
        (Binary::LogicalOr, Some(one), _) | (Binary::LogicalOr, _, Some(one)) if one != 0 => Some(1),
        (_, Some(a), Some(b)) => compute_binary(op, a, b),
        _ => None,
    }
}

fn compute_binary(op: Binary, a: i128, b: i128) -> Number {
    let truth = |holds: bool| Some(i128::from(holds));
    match op {
        Binary::Add => a.checked_add(b),
        Binary::Sub => a.checked_sub(b),
        Binary::Mul => a.checked_mul(b),
        Binary::Div if b == 0 => Some(-1),
        Binary::Div => a.checked_div(b),
        Binary::Rem if b == 0 => Some(a),
        Binary::Rem => a.checked_rem(b),
        Binary::Shl => match u32::try_from(b) {
            _ if a == 0 => Some(0),
            Ok(by) if by < 127 => a.checked_mul(1i128 << by),
            _ => None,
        },
        Binary::Shr => u32::try_from(b).ok().map(|by| a >> by.min(127)),
        Binary::And => Some(a & b),
        Binary::Or => Some(a | b),
        Binary::Xor => Some(a ^ b),
        Binary::Eq => truth(a == b),
        Binary::Ne => truth(a != b),
        Binary::Lt => truth(a < b),
        Binary::Le => truth(a <= b),
        Binary::Gt => truth(a > b),
        Binary::Ge => truth(a >= b),
        Binary::LogicalAnd => truth(a != 0 && b != 0),
        Binary::LogicalOr => truth(a != 0 || b != 0),
        Binary::Min => Some(a.min(b)),
        Binary::Max => Some(a.max(b)),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::c_void;
    use std::sync::atomic::{AtomicU32, Ordering};

    use lapis_cx_plan::Facts;

    use super::*;

    static CALLS: AtomicU32 = AtomicU32::new(0);

    unsafe extern "C" fn same(_: *mut c_void, operands: *const Int) -> Int {
        CALLS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller passes one operand.
        unsafe { *operands }
    }

    struct Nothing;

    impl Attached for Nothing {
        fn get(&self, _: u32, _: u64, _: u32) -> i128 {
            0
        }
    }

    /// A C function is only called if all its operands have values. It never gets a truncated operand.
    #[test]
    fn functions_of_c_get_whole_operands_or_are_not_called() {
        let plan: &'static Plan = Box::leak(Box::default());
        let (natives, mut lists) = ([Some(same as Native)], Lists::default());
        let mut stage = Stage::new(plan, &natives, true, std::ptr::from_ref(&CALLS).addr(), &mut lists);
        let native = Op::Native { native: 0, operands: 1, worker: false };
        let mut of = |ops: Vec<Op>| {
            let code = Code { text: 0, ops: ops.into_iter().chain([native]).collect(), facts: Facts::default() };
            // SAFETY: the expression reads no memory.
            unsafe { stage.eval(&code, &Nothing) }
        };
        for whole in [i128::MIN, -1, 0, 1 << 64, i128::MAX] {
            assert_eq!(of(vec![Op::Int(whole)]), Some(whole));
        }
        assert_eq!(CALLS.swap(0, Ordering::Relaxed), 5);
        for (a, op, b) in [(i128::MAX, Binary::Add, 1), (i128::MIN, Binary::Sub, 1), (1 << 64, Binary::Mul, 1 << 64)] {
            assert_eq!(of(vec![Op::Int(a), Op::Int(b), Op::Binary(op)]), None);
        }
        assert_eq!(CALLS.load(Ordering::Relaxed), 0);
    }
}
