//! A ckernel that is one after another: `outer(…, inner(…), …)`.

use std::cmp::Ordering;
use std::ffi::{c_char, c_int, c_void};
use std::mem::{MaybeUninit, size_of};
use std::ptr;

use lapis_cx_core::ckernel::{
    Call, Command, Composition, Error, Failure, Kind, MOST_OPERANDS, Prefix, RawBuilder, Set, Type, destroy_child,
};

use super::make::{make, room};
use super::strided;

/// Elements that lie between the two at once.
const CHUNK: usize = 128;

/// The ckernel. Its children are strided ones: a single value is a loop of one turn.
#[derive(Clone, Copy)]
#[repr(C)]
struct Composed {
    base: Prefix,
    inner: isize,
    outer: isize,
    what: Composition,
}

unsafe extern "C" fn destroy_composed(kernel: *mut Prefix) {
    // SAFETY: it is the destructor of such a ckernel.
    unsafe {
        let this = *kernel.cast::<Composed>();
        destroy_child(kernel, this.inner);
        destroy_child(kernel, this.outer);
    }
}

/// Begins such a ckernel. Gives the offset of the inner child, which is to be made next.
///
/// # Safety
/// As [`room`].
pub(super) unsafe fn compose(
    builder: *mut RawBuilder,
    offset: usize,
    kind: Kind,
    what: Composition,
) -> Result<usize, Failure> {
    let operands = (what.inner_operands as usize).saturating_add(what.outer_operands as usize);
    let is_size = |ty: Type| matches!(ty.size, 1 | 2 | 4 | 8);
    if what.at >= what.outer_operands
        || operands > MOST_OPERANDS + 1
        || !is_size(what.from)
        || !is_size(what.to)
        || what.inner_state < 0
        || what.outer_state < 0
        || what.inner_state.checked_add(what.outer_state).is_none()
    {
        return Err(Failure::Invalid);
    }
    let function = match kind {
        Kind::Single => composed_single as *mut c_void,
        Kind::Strided => composed_strided as *mut c_void,
    };
    // SAFETY: the caller's promise; there is room, and the child's prefix is zero until it is made.
    unsafe {
        let (kernel, end) = room(builder, offset, size_of::<Composed>())?;
        let base = Prefix { function, destructor: Some(destroy_composed) };
        ptr::write(kernel.cast(), Composed { base, inner: (end - offset) as isize, outer: 0, what });
        Ok(end)
    }
}

/// Says where the outer child will be: behind the inner one, which is made. It is to be made next.
///
/// # Safety
/// As [`room`]; at `offset` is what [`compose`] began.
pub(super) unsafe fn outer(builder: *mut RawBuilder, offset: usize, end: usize) -> Result<usize, Failure> {
    // SAFETY: the caller's promise; room for no bytes is room for the child's prefix, which is zero until it is made.
    unsafe {
        let (_, end) = room(builder, end, 0)?;
        let kernel = (*builder).m_data.byte_add(offset).cast::<Composed>();
        let behind = isize::try_from(end.checked_sub(offset).ok_or(Failure::Invalid)?).ok();
        (*kernel).outer = behind.filter(|behind| *behind > (*kernel).inner).ok_or(Failure::Invalid)?;
        Ok(end)
    }
}

/// Makes such a ckernel of two commands of sets, in their reset states. Gives the offset behind it.
///
/// # Safety
/// As [`make`], for both.
pub(super) unsafe fn commands(
    builder: *mut RawBuilder,
    offset: usize,
    kind: Kind,
    ((outer_set, outer_command), at): ((&Set, &Command), u32),
    (inner_set, inner_command): (&Set, &Command),
) -> Result<usize, Failure> {
    let to = outer_command.operand.get(at as usize).copied().ok_or(Failure::Invalid)?;
    let what = Composition {
        inner_operands: inner_command.operands,
        outer_operands: outer_command.operands,
        at,
        from: inner_command.result,
        to,
        inner_state: inner_set.state_size,
        outer_state: outer_set.state_size,
    };
    // SAFETY: the caller's promise; what fails leaves a ckernel whose children need no care.
    unsafe {
        let inner = compose(builder, offset, kind, what)?;
        let end = make(builder, inner, (inner_set, inner_command), Kind::Strided, (ptr::null(), 0))?;
        let end = outer(builder, offset, end)?;
        make(builder, end, (outer_set, outer_command), Kind::Strided, (ptr::null(), 0))
    }
}

unsafe extern "C" fn composed_single(
    dst: *mut c_char,
    src: *const *const c_char,
    extra: *mut Prefix,
    call: *const Call,
) -> c_int {
    // SAFETY: as below; one turn takes no step.
    unsafe { composed_strided(dst, 0, src, [0; MOST_OPERANDS].as_ptr(), 1, extra, call) }
}

unsafe extern "C" fn composed_strided(
    dst: *mut c_char,
    dst_stride: isize,
    src: *const *const c_char,
    src_stride: *const isize,
    count: usize,
    extra: *mut Prefix,
    call: *const Call,
) -> c_int {
    // SAFETY: it is the function of such a ckernel, and the caller gives what its prototype asks for.
    let (this, call) = unsafe { (*extra.cast::<Composed>(), call.as_ref().copied().unwrap_or(NO_CALL)) };
    let mut error = Error::NONE;
    // SAFETY: as above.
    let status = unsafe { run(&this, (dst, dst_stride), (src, src_stride), count, extra, &call, &mut error) };
    if status != 0 && !call.error.is_null() {
        // SAFETY: the slot is the caller's.
        unsafe { call.error.write(error) };
    }
    status
}

/// A call that gives nothing.
const NO_CALL: Call = Call { error: ptr::null_mut(), initial: ptr::null(), state: ptr::null_mut(), state_size: 0 };

/// Where the states of the two are: behind each other.
struct States {
    memory: *mut u8,
    inner: usize,
    outer: usize,
}

impl States {
    /// What a child is called with, from the states that it was left in, or from `first` if it was not called yet.
    fn call(&self, is_outer: bool, first: Option<*const u8>, error: &mut Error) -> Call {
        let (offset, size) = if is_outer { (self.inner, self.outer) } else { (0, self.inner) };
        let at = |memory: *const u8| if memory.is_null() { memory } else { memory.wrapping_add(offset) };
        let state = if size == 0 { ptr::null() } else { at(self.memory) };
        let initial = if size == 0 { ptr::null() } else { first.map_or(state, at) };
        Call { error, initial: initial.cast(), state: state.cast_mut().cast(), state_size: size as isize }
    }
}

/// Runs the two in turn. The inner one, if it has a state, is never ahead of the outer one when that fails.
unsafe fn run(
    this: &Composed,
    (dst, dst_stride): (*mut c_char, isize),
    (src, src_stride): (*const *const c_char, *const isize),
    count: usize,
    extra: *mut Prefix,
    call: &Call,
    error: &mut Error,
) -> c_int {
    let what = &this.what;
    let (inner, outer) = (what.inner_operands as usize, what.outer_operands as usize);
    let states = what.inner_state as usize + what.outer_state as usize;
    if states > 0 && !(call.initial.is_null() && call.state.is_null()) && call.state_size < states as isize {
        return error.failed(Failure::Invalid, c"composition: no image of the states of both");
    }
    let chunk = if what.inner_state > 0 { 1 } else { CHUNK };
    // Between two chunks the states have to be somewhere.
    let mut own = Vec::<MaybeUninit<u8>>::new();
    let mut memory = call.state.cast::<u8>();
    if memory.is_null() && states > 0 && count > chunk {
        if own.try_reserve_exact(states).is_err() {
            return error.failed(Failure::NoMemory, c"composition: no memory for the states between two steps");
        }
        memory = own.as_mut_ptr().cast();
    }
    let states = States { memory, inner: what.inner_state as usize, outer: what.outer_state as usize };
    // SAFETY: a child that was not made is found out here; the others are where the offsets say.
    let children = unsafe { [extra.byte_offset(this.inner), extra.byte_offset(this.outer)] };
    // SAFETY: as above.
    if this.outer == 0 || children.iter().any(|child| unsafe { (**child).function.is_null() }) {
        return error.failed(Failure::Invalid, c"composition: a child was not made");
    }
    let mut between = [0u64; CHUNK];
    let between: *mut c_char = between.as_mut_ptr().cast();
    let mut done = 0;
    loop {
        let turn = chunk.min(count - done);
        let first = (done == 0).then_some(call.initial.cast::<u8>());
        // Operand `i` of those of the whole, at the element that is next.
        let operand = |i: usize| {
            // SAFETY: the caller gives all of them.
            let (memory, stride) = unsafe { (*src.add(i), *src_stride.add(i)) };
            (memory.wrapping_offset((done as isize).wrapping_mul(stride)), stride)
        };
        let mut operands = [(ptr::null::<c_char>(), 0isize); MOST_OPERANDS];
        let at = what.at as usize;
        operands.iter_mut().take(inner).enumerate().for_each(|(i, place)| *place = operand(at + i));
        let (from, steps) = (operands.map(|(memory, _)| memory), operands.map(|(_, stride)| stride));
        let mut failed = Error::NONE;
        let status = {
            let call = states.call(false, first, &mut failed);
            let size = isize::from(what.from.size);
            // SAFETY: the child is there; what is between is large enough for its results.
            unsafe { strided(children[0], (between, size), (from.as_ptr(), steps.as_ptr()), turn, &call) }
        };
        let good = if status == 0 { turn } else { (failed.index as usize).min(turn) };
        // SAFETY: so many results are there.
        unsafe { convert(between, good, what.from, what.to) };
        operands.iter_mut().take(outer).enumerate().for_each(|(i, place)| {
            *place = match i {
                i if i < at => operand(i),
                i if i == at => (between.cast_const(), isize::from(what.to.size)),
                i => operand(i + inner - 1),
            }
        });
        let (from, steps) = (operands.map(|(memory, _)| memory), operands.map(|(_, stride)| stride));
        let outer_status = {
            let call = states.call(true, first, error);
            let dst = dst.wrapping_offset((done as isize).wrapping_mul(dst_stride));
            // SAFETY: the child is there, and gets what the caller gave. With no turns it leaves its state behind all the same.
            unsafe { strided(children[1], (dst, dst_stride), (from.as_ptr(), steps.as_ptr()), good, &call) }
        };
        if outer_status != 0 {
            error.index = error.index.saturating_add(done as u64);
            return outer_status;
        }
        if status != 0 {
            *error = failed;
            error.index = error.index.saturating_add(done as u64);
            return status;
        }
        done += turn;
        if done == count {
            return 0;
        }
    }
}

/// Results of one type as operands of another, in place: by their sign where the result has one.
unsafe fn convert(memory: *mut c_char, count: usize, from: Type, to: Type) {
    let one = |i: usize| {
        // SAFETY: the caller says that so many are there, in memory for eight bytes each.
        unsafe {
            let value = load(memory.add(i * usize::from(from.size)), from);
            store(memory.add(i * usize::from(to.size)), to, value);
        }
    };
    // What grows is written behind what is still to be read.
    match to.size.cmp(&from.size) {
        Ordering::Equal => {}
        Ordering::Less => (0..count).for_each(one),
        Ordering::Greater => (0..count).rev().for_each(one),
    }
}

/// What is in memory, extended to 64 bits.
unsafe fn load(memory: *const c_char, ty: Type) -> u64 {
    // SAFETY: the caller says that a value of the type is there.
    unsafe {
        match (ty.size, ty.kind) {
            (1, b'i') => memory.cast::<i8>().read_unaligned() as u64,
            (1, _) => memory.cast::<u8>().read_unaligned().into(),
            (2, b'i') => memory.cast::<i16>().read_unaligned() as u64,
            (2, _) => memory.cast::<u16>().read_unaligned().into(),
            (4, b'i') => memory.cast::<i32>().read_unaligned() as u64,
            (4, _) => memory.cast::<u32>().read_unaligned().into(),
            _ => memory.cast::<u64>().read_unaligned(),
        }
    }
}

/// Writes the low bits of a value.
unsafe fn store(memory: *mut c_char, ty: Type, value: u64) {
    // SAFETY: the caller says that there is room for a value of the type.
    unsafe {
        match ty.size {
            1 => memory.cast::<u8>().write_unaligned(value as u8),
            2 => memory.cast::<u16>().write_unaligned(value as u16),
            4 => memory.cast::<u32>().write_unaligned(value as u32),
            _ => memory.cast::<u64>().write_unaligned(value),
        }
    }
}
