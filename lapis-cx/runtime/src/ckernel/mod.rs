//! ckernels: small pieces of memory that begin with a function and a destructor (Blaze CKernel Interface), and the builder
//! that they are built in. `ckernel.h` is the same for C, and says what holds between them.

mod bind;
mod compose;
mod ffi;
mod make;
mod raw;

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::{CStr, c_char, c_int};
use std::mem::size_of;
use std::ptr::NonNull;

pub use lapis_cx_core::ckernel::{
    Call, Command, Composition, DestructorFn, Error, Failure, Kind, Prefix, RawBuilder, Set, SingleFn, StridedFn, Type,
    destroy, destroy_child,
};

/// Calls a ckernel of [`Kind::Single`].
///
/// # Safety
/// Such a ckernel is there, and gets what its prototype asks for.
pub unsafe fn single(kernel: *mut Prefix, dst: *mut c_char, src: *const *const c_char, call: *const Call) -> c_int {
    // SAFETY: the caller's promise; a function has the size of a pointer.
    unsafe {
        let function: SingleFn = std::mem::transmute((*kernel).function);
        function(dst, src, kernel, call)
    }
}

/// Calls a ckernel of [`Kind::Strided`]: memory and step of the destination, and of the operands.
///
/// # Safety
/// As [`single`].
pub unsafe fn strided(
    kernel: *mut Prefix,
    (dst, dst_stride): (*mut c_char, isize),
    (src, src_stride): (*const *const c_char, *const isize),
    count: usize,
    call: *const Call,
) -> c_int {
    // SAFETY: as above.
    unsafe {
        let function: StridedFn = std::mem::transmute((*kernel).function);
        function(dst, dst_stride, src, src_stride, count, kernel, call)
    }
}

/// The builder of a ckernel. It owns the ckernel, and destroys it when it is dropped.
///
/// ```
/// use lapis_cx_runtime::ckernel::Builder;
///
/// let mut builder = Builder::new()?;
/// builder.ensure_capacity(200)?;
/// assert!(builder.capacity() >= 200 + 2 * size_of::<usize>());
/// assert!(builder.kernel(200).is_some());
/// # Ok::<(), lapis_cx_runtime::ckernel::Failure>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    // A builder must stay where it was constructed, so it is not part of this value.
    raw: NonNull<RawBuilder>,
}

impl Builder {
    /// An empty builder.
    ///
    /// # Errors
    /// [`Failure::NoMemory`].
    pub fn new() -> Result<Builder, Failure> {
        // SAFETY: a builder has a size.
        let memory = unsafe { alloc_zeroed(Layout::new::<RawBuilder>()) };
        let raw = NonNull::new(memory.cast::<RawBuilder>()).ok_or(Failure::NoMemory)?;
        // SAFETY: the memory is that of a builder.
        unsafe { raw::construct(raw.as_ptr()) };
        Ok(Builder { raw })
    }

    /// Bytes that a ckernel can take now.
    pub fn capacity(&self) -> usize {
        // SAFETY: it is constructed as long as `self` is there, and so not negative.
        unsafe { (*self.raw.as_ptr()).m_capacity as usize }
    }

    /// Makes room for `bytes` and, behind them, the prefix of a child: `ckernel_builder_ensure_capacity`.
    ///
    /// # Errors
    /// [`Failure::NoMemory`]; then all is as it was.
    pub fn ensure_capacity(&mut self, bytes: usize) -> Result<(), Failure> {
        self.ensure_capacity_leaf(bytes.checked_add(size_of::<Prefix>()).ok_or(Failure::NoMemory)?)
    }

    /// Makes room for `bytes`: `ckernel_builder_ensure_capacity_leaf`.
    ///
    /// # Errors
    /// [`Failure::NoMemory`]; then all is as it was.
    pub fn ensure_capacity_leaf(&mut self, bytes: usize) -> Result<(), Failure> {
        // SAFETY: it is constructed, and only `self` has it.
        unsafe { raw::grow(self.raw.as_ptr(), bytes) }
    }

    /// Destroys the ckernel. The builder is as a new one.
    pub fn reset(&mut self) {
        // SAFETY: as above.
        unsafe {
            raw::destruct(self.raw.as_ptr());
            raw::construct(self.raw.as_ptr());
        }
    }

    /// The builder as C has it, for factories in other languages.
    pub fn as_raw(&mut self) -> *mut RawBuilder {
        self.raw.as_ptr()
    }

    /// The ckernel at `offset` bytes; `None` if no prefix fits there, or it would not be aligned.
    pub fn kernel(&mut self, offset: usize) -> Option<NonNull<Prefix>> {
        let end = offset.checked_add(size_of::<Prefix>())?;
        if end > self.capacity() || !offset.is_multiple_of(align_of::<Prefix>()) {
            return None;
        }
        // SAFETY: it is constructed, and the offset is inside of its memory.
        NonNull::new(unsafe { (*self.raw.as_ptr()).m_data.byte_add(offset).cast() })
    }

    /// Puts a ckernel at `offset` bytes: the prefix, and behind it what it owns. Returns the offset behind it, for the next
    /// one. After it there is room for the prefix of a child.
    ///
    /// # Errors
    /// [`Failure::NoMemory`]; [`Failure::Invalid`] for an offset that is not aligned as a pointer is.
    ///
    /// # Safety
    /// The destructor may be called with what is put there, wherever it is moved to, and destroys the children of this
    /// ckernel and no others. The builder has no ckernel at these bytes yet.
    pub unsafe fn put<T: Copy>(&mut self, offset: usize, prefix: Prefix, owned: T) -> Result<usize, Failure> {
        let size = size_of::<Prefix>().checked_add(size_of::<T>()).ok_or(Failure::NoMemory)?;
        // SAFETY: there is room for both; what is owned may want a greater alignment than there is.
        unsafe {
            let (kernel, end) = make::room(self.raw.as_ptr(), offset, size)?;
            kernel.add(1).cast::<T>().write_unaligned(owned);
            kernel.write(prefix);
            Ok(end)
        }
    }

    /// Puts a ckernel of a command at `offset` bytes: `ckernel_make`. An image is the state that it begins in, else that is the
    /// reset state.
    ///
    /// # Errors
    /// [`Failure::NoMemory`]; [`Failure::Invalid`] as the header says.
    ///
    /// # Safety
    /// The set is as generated code has it, and stays. The builder has no ckernel at these bytes yet.
    pub unsafe fn make(
        &mut self,
        offset: usize,
        set: *const Set,
        name: &CStr,
        kind: Kind,
        image: Option<&[u8]>,
    ) -> Result<usize, Failure> {
        let image = image.map_or((std::ptr::null(), 0), |image| (image.as_ptr().cast(), image.len() as isize));
        // SAFETY: the caller's promise, and the builder is this one's.
        unsafe {
            let command = make::find(set, name).ok_or(Failure::Invalid)?;
            make::make(self.raw.as_ptr(), offset, command, kind, image)
        }
    }

    /// Begins a ckernel that gives its child one operand: `ckernel_bind`. Gives the offset of the child, which is to be made
    /// next, of the same kind.
    ///
    /// # Errors
    /// [`Failure::NoMemory`]; [`Failure::Invalid`] as the header says.
    ///
    /// # Safety
    /// What is made next is such a child. The builder has no ckernel at these bytes yet.
    pub unsafe fn bind(
        &mut self,
        offset: usize,
        kind: Kind,
        operands: u32,
        at: u32,
        value: &[u8],
    ) -> Result<usize, Failure> {
        // SAFETY: the builder is this one's.
        unsafe { bind::bind(self.raw.as_ptr(), offset, kind, (operands, at), value) }
    }

    /// Begins a ckernel that is one after another: `ckernel_compose_begin`. Gives the offset of the inner child, which is to be
    /// made next.
    ///
    /// # Errors
    /// [`Failure::NoMemory`]; [`Failure::Invalid`] as the header says.
    ///
    /// # Safety
    /// What is made next is such a child. The builder has no ckernel at these bytes yet.
    pub unsafe fn compose(&mut self, offset: usize, kind: Kind, what: Composition) -> Result<usize, Failure> {
        // SAFETY: the builder is this one's.
        unsafe { compose::compose(self.raw.as_ptr(), offset, kind, what) }
    }

    /// Says where the outer child will be, behind the inner one: `ckernel_compose_outer`. It is to be made next.
    ///
    /// # Errors
    /// [`Failure::NoMemory`]; [`Failure::Invalid`] as the header says.
    ///
    /// # Safety
    /// At `offset` is what [`compose`](Self::compose) began, and the inner child ends at `end`.
    pub unsafe fn compose_outer(&mut self, offset: usize, end: usize) -> Result<usize, Failure> {
        // SAFETY: the builder is this one's.
        unsafe { compose::outer(self.raw.as_ptr(), offset, end) }
    }
}

impl Builder {
    /// A copy of what is in another builder, whose root ckernel is then in both: one of them must be told to
    /// [leave](Self::leave) it, or that it was [moved](Self::moved_from).
    ///
    /// # Safety
    /// The other one is constructed, and nobody else uses it.
    pub(crate) unsafe fn copied(from: *mut RawBuilder) -> Result<Builder, Failure> {
        // SAFETY: the caller's promise.
        let (data, size) = unsafe { ((*from).m_data, (*from).m_capacity as usize) };
        let mut builder = Builder::new()?;
        if !data.is_null() {
            builder.ensure_capacity_leaf(size)?;
            // SAFETY: both have as many bytes, and are different.
            unsafe { data.cast::<u8>().copy_to_nonoverlapping((*builder.raw.as_ptr()).m_data.cast(), size) };
        }
        Ok(builder)
    }

    /// Drops the builder, and not the ckernel, which is elsewhere too.
    pub(crate) fn leave(mut self) {
        if let Some(mut kernel) = self.kernel(0) {
            // SAFETY: a prefix is there, and nobody else has this one.
            unsafe { kernel.as_mut() }.destructor = None;
        }
    }

    /// The ckernel of a builder is elsewhere now: the builder is as a new one.
    ///
    /// # Safety
    /// As [`copied`](Self::copied).
    pub(crate) unsafe fn moved_from(builder: *mut RawBuilder) {
        // SAFETY: the caller's promise; a builder has room for a prefix, or no memory.
        unsafe {
            if let Some(kernel) = (*builder).m_data.cast::<Prefix>().as_mut() {
                kernel.destructor = None;
            }
            raw::destruct(builder);
            raw::construct(builder);
        }
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: it was constructed in memory of this layout, and nobody has it any more.
        unsafe {
            raw::destruct(self.raw.as_ptr());
            dealloc(self.raw.as_ptr().cast(), Layout::new::<RawBuilder>());
        }
    }
}
