//! A ckernel that gives its child one operand, always the same.

use std::ffi::{c_char, c_int, c_void};
use std::mem::size_of;
use std::ptr;

use lapis_cx_core::ckernel::{Call, Failure, Kind, MOST_OPERANDS, Prefix, RawBuilder, destroy_child};

use super::make::room;
use super::{single, strided};

/// The ckernel. Its child comes behind it.
#[derive(Clone, Copy)]
#[repr(C)]
struct Bound {
    base: Prefix,
    child: isize,
    /// Operands of the child, and which of them is bound.
    operands: u32,
    at: u32,
    value: [u8; 8],
}

impl Bound {
    /// The operands of the child: `others` with `bound` among them.
    fn operands<T: Copy>(&self, others: *const T, bound: T) -> [T; MOST_OPERANDS] {
        let mut all = [bound; MOST_OPERANDS];
        let places = (0..self.operands).filter(|place| *place != self.at);
        for (i, place) in places.enumerate() {
            if let Some(operand) = all.get_mut(place as usize) {
                // SAFETY: the caller of a ckernel gives all operands that are not bound.
                *operand = unsafe { others.add(i).read() };
            }
        }
        all
    }

    /// Where the value lies.
    fn value(extra: *mut Prefix) -> *const c_char {
        // SAFETY: only the address is taken.
        unsafe { (&raw const (*extra.cast::<Bound>()).value).cast() }
    }
}

unsafe extern "C" fn destroy_bound(kernel: *mut Prefix) {
    // SAFETY: it is the destructor of such a ckernel.
    unsafe { destroy_child(kernel, (*kernel.cast::<Bound>()).child) };
}

unsafe extern "C" fn bound_single(
    dst: *mut c_char,
    src: *const *const c_char,
    extra: *mut Prefix,
    call: *const Call,
) -> c_int {
    // SAFETY: it is the function of such a ckernel, and the caller gives what its prototype asks for.
    unsafe {
        let this = *extra.cast::<Bound>();
        let src = this.operands(src, Bound::value(extra));
        single(extra.byte_offset(this.child), dst, src.as_ptr(), call)
    }
}

unsafe extern "C" fn bound_strided(
    dst: *mut c_char,
    dst_stride: isize,
    src: *const *const c_char,
    src_stride: *const isize,
    count: usize,
    extra: *mut Prefix,
    call: *const Call,
) -> c_int {
    // SAFETY: as above.
    unsafe {
        let this = *extra.cast::<Bound>();
        let (src, strides) = (this.operands(src, Bound::value(extra)), this.operands(src_stride, 0));
        strided(extra.byte_offset(this.child), (dst, dst_stride), (src.as_ptr(), strides.as_ptr()), count, call)
    }
}

/// Begins such a ckernel. Gives the offset of its child, which is to be made next.
///
/// # Safety
/// As [`room`].
pub(super) unsafe fn bind(
    builder: *mut RawBuilder,
    offset: usize,
    kind: Kind,
    (operands, at): (u32, u32),
    value: &[u8],
) -> Result<usize, Failure> {
    let mut bytes = [0; 8];
    bytes.get_mut(..value.len()).ok_or(Failure::Invalid)?.copy_from_slice(value);
    if at >= operands || operands as usize > MOST_OPERANDS {
        return Err(Failure::Invalid);
    }
    let function = match kind {
        Kind::Single => bound_single as *mut c_void,
        Kind::Strided => bound_strided as *mut c_void,
    };
    // SAFETY: the caller's promise; there is room, and the child's prefix is zero until it is made.
    unsafe {
        let (kernel, end) = room(builder, offset, size_of::<Bound>())?;
        let base = Prefix { function, destructor: Some(destroy_bound) };
        let child = (end - offset) as isize;
        ptr::write(kernel.cast(), Bound { base, child, operands, at, value: bytes });
        Ok(end)
    }
}
