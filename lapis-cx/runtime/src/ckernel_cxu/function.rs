//! A safe function as a ckernel.

use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use lapis_cx_core::ckernel::{Call, Failure, Prefix, Type};
use lapis_cx_core::{Reply, Response};

use super::image::{Image, Shape};
use crate::ckernel::Builder;

/// What the ckernel owns.
#[derive(Clone, Copy)]
#[repr(C)]
struct Owned {
    /// The function, in a box.
    run: *mut c_void,
    /// The type of the operands that are registers, and of the result.
    word: Type,
}

/// A builder with the ckernel of a function.
pub(super) fn kernel<F>(word: Type, run: F) -> Result<Builder, Failure>
where
    F: Fn(&mut [usize], [usize; 3]) -> Reply + Send + Sync + 'static,
{
    let mut builder = Builder::new()?;
    let prefix = Prefix { function: single::<F> as *mut c_void, destructor: Some(destroy::<F>) };
    builder.ensure_capacity(size_of::<Prefix>() + size_of::<Owned>())?;
    let run = Box::into_raw(Box::new(run)).cast();
    // SAFETY: the destructor frees the box, wherever the ckernel is; the builder is new.
    unsafe { builder.put(0, prefix, Owned { run, word }) }?;
    Ok(builder)
}

/// What such a ckernel owns.
///
/// # Safety
/// It is one.
unsafe fn owned(kernel: *mut Prefix) -> Owned {
    // SAFETY: the caller's promise.
    unsafe { kernel.add(1).cast::<Owned>().read_unaligned() }
}

unsafe extern "C" fn destroy<F>(kernel: *mut Prefix) {
    // SAFETY: it is the destructor of such a ckernel, which runs once; a panic of what the function owned ends here.
    let _ = catch_unwind(AssertUnwindSafe(|| unsafe { drop(Box::from_raw(owned(kernel).run.cast::<F>())) }));
}

unsafe extern "C" fn single<F>(
    dst: *mut c_char,
    src: *const *const c_char,
    extra: *mut Prefix,
    call: *const Call,
) -> c_int
where
    F: Fn(&mut [usize], [usize; 3]) -> Reply,
{
    // SAFETY: it is the function of such a ckernel, and the caller gives what its prototype asks for.
    unsafe {
        let Owned { run, word } = owned(extra);
        let run = &*run.cast::<F>();
        let register = |place: usize| match word.size {
            4 => (*src.add(place)).cast::<u32>().read_unaligned() as usize,
            _ => (*src.add(place)).cast::<u64>().read_unaligned() as usize,
        };
        let immediate = (*src.add(2)).cast::<u16>().read_unaligned();
        let operands = [register(0), register(1), usize::from(immediate)];
        let mut words = Vec::new();
        let image = call.as_ref().filter(|call| !call.state.is_null()).map(|call| {
            let count = (call.state_size / isize::from(word.size)) as usize - 1;
            (Image::new(call.state, Shape::new(u32::from(word.width), count)), count)
        });
        if let Some((image, count)) = image {
            if words.try_reserve_exact(count).is_err() {
                return Failure::NoMemory as c_int;
            }
            words.extend(image.words());
        }
        let reply = catch_unwind(AssertUnwindSafe(|| run(&mut words, operands)));
        let Ok(reply) = reply else { return Response::Cxu.code() as c_int };
        if let Some((image, _)) = image {
            image.set_words(words);
        }
        match word.size {
            4 => dst.cast::<u32>().write_unaligned(reply.value as u32),
            _ => dst.cast::<u64>().write_unaligned(reply.value as u64),
        }
        reply.response.code() as c_int
    }
}
