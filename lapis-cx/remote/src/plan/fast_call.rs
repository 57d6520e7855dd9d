//! Finds the calls that can take the fast path. Their values are numbers, objects, and buffers of numbers whose size depends on the
//! arguments only. Such a call does not depend on earlier calls, so it needs no traversal. (`call::fast_path`)

use super::{
    Block, Buffer, Call, Effect, Handle, HandleValue, Key, Kind, Lifetime, Mode, Ownership, Simple, Value, When,
    is_local,
};

/// The values that a call on the fast path copies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FastCall {
    pub mode: Mode,
    pub order: Constant,
    pub monitor: Constant,
    /// The size of the arguments in bytes.
    pub bytes: usize,
    /// The numbers of the request: offset and size in bytes of each range.
    pub copy_in: Box<[(usize, usize)]>,
    /// The objects of the request.
    pub objects: Box<[Object]>,
    pub buffers: Box<[Flat]>,
    /// Offset and size in bytes of the result.
    pub copy_out: Option<(usize, usize)>,
    /// The condition for success. `None` means that the call always succeeds.
    pub success: Option<Simple>,
    /// Few numbers go, one may come back, and no monitor is needed.
    pub is_scalar: bool,
}

/// The largest size of the arguments of a scalar-only call in bytes.
pub(crate) const FEW: usize = 64;

/// An object among the arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object {
    pub name: u32,
    pub offset: usize,
    /// The kind of the handle, its size in bytes, and whether it may be null.
    pub of: u32,
    pub bytes: usize,
    pub is_optional: bool,
}

/// A buffer of the call whose elements are copied unchanged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Flat {
    pub name: u32,
    pub offset: usize,
    /// The number of elements, and the size of each in bytes.
    pub count: Simple,
    pub stride: usize,
    pub is_in: bool,
    pub is_out: bool,
    pub is_optional: bool,
}

/// Keys of an order or monitor that are the same for all calls of a thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Constant {
    pub is_global: bool,
    pub is_thread: bool,
}

/// The largest number of buffers. A record has four bits for each buffer in one word.
const MOST_BUFFERS: usize = 16;

impl FastCall {
    /// Compiles a call for the fast path. Returns `None` if it needs a marshaller.
    pub(super) fn of(call: &Call, block: &Block, handles: &[Handle]) -> Option<FastCall> {
        let mode = match call.timing.as_slice() {
            [] => Mode::Sync,
            [When { condition: None, then }] if then.returns.is_empty() => then.mode,
            _ => return None,
        };
        let has_errno = match call.errno.as_slice() {
            [] => false,
            [When { condition: None, then }] => *then,
            _ => return None,
        };
        let success = match call.success.as_slice() {
            [] => None,
            [When { condition: None, then }] => Some(then.facts.simple.clone()?),
            _ => return None,
        };
        let is_scalar = call.implicits.is_empty()
            && call.requires.is_empty()
            && call.passes.is_empty()
            && call.c_text.is_empty()
            && !call.effects.iter().any(|one| matches!(one.then, Effect::Set(_) | Effect::Ends(..)));
        // An asynchronous call must not report failure, `errno` or a result.
        let tells_nothing = !has_errno && success.is_none() && call.facts.result.is_none();
        if !is_scalar || !(mode == Mode::Sync || mode == Mode::Async && tells_nothing) {
            return None;
        }
        let (order, monitor) = (Constant::of(&call.order)?, Constant::of(&call.monitor)?);
        let (mut copy_in, mut objects, mut buffers, mut copy_out) = (Vec::new(), Vec::new(), Vec::new(), None);
        for (n, value) in block.values.iter().enumerate() {
            let is_result = call.facts.result == Some(n);
            if value.on.is_some() || value.copy_out != is_result || value.copy_in == is_result {
                return None;
            }
            match &value.kind {
                Kind::Scalar { scalar, wire } if scalar.bytes == *wire => match copy_in.last_mut() {
                    _ if is_result => copy_out = Some((value.offset, *wire)),
                    Some((offset, size)) if *offset + *size == value.offset => *size += wire,
                    _ => copy_in.push((value.offset, *wire)),
                },
                Kind::Handle(handle) if !is_result => objects.push(Object::of(value, handle, handles)?),
                Kind::Buffer(buffer) if !is_result => buffers.push(Flat::of(value, buffer)?),
                _ => return None,
            }
        }
        let comes_back = buffers.iter().any(|buffer: &Flat| buffer.is_out);
        if buffers.len() > MOST_BUFFERS || comes_back && mode != Mode::Sync {
            return None;
        }
        let is_free = !monitor.is_global && !monitor.is_thread;
        let is_scalar = objects.is_empty() && buffers.is_empty() && is_free && block.bytes <= FEW;
        let (copy_in, objects, buffers) = (copy_in.into(), objects.into(), buffers.into());
        Some(FastCall {
            mode,
            order,
            monitor,
            bytes: block.bytes,
            copy_in,
            objects,
            buffers,
            copy_out,
            success,
            is_scalar,
        })
    }

    /// Returns whether the arguments are only numbers.
    pub fn is_numbers(&self) -> bool {
        self.objects.is_empty() && self.buffers.is_empty()
    }
}

impl Object {
    fn of(value: &Value, handle: &HandleValue, handles: &[Handle]) -> Option<Object> {
        let has_members = handles.get(handle.of as usize).is_some_and(|one| one.members.is_some());
        if handle.is_new || handle.is_own || has_members || !matches!(handle.bytes, 4 | 8) {
            return None;
        }
        let HandleValue { of, bytes, is_optional, .. } = *handle;
        Some(Object { name: value.name, offset: value.offset, of, bytes, is_optional })
    }
}

impl Flat {
    fn of(value: &Value, buffer: &Buffer) -> Option<Flat> {
        let is_plain = buffer.facts.is_flat
            && !is_local(buffer)
            && buffer.ownership == Ownership::Borrowed
            && matches!(buffer.lifetime, Lifetime::Call)
            && buffer.free.is_none()
            && buffer.until.is_none()
            && buffer.valid.is_none()
            && buffer.alignment == 0;
        if !is_plain {
            return None;
        }
        let count = buffer.count.as_ref()?.facts.simple.clone()?;
        let Buffer { stride, is_in, is_out, is_optional, .. } = *buffer;
        Some(Flat { name: value.name, offset: value.offset, count, stride, is_in, is_out, is_optional })
    }
}

impl Constant {
    /// Returns the keys if they are unconditional and constant. Without a clause all calls share one key.
    fn of(all: &[When<Vec<Key>>]) -> Option<Constant> {
        let keys = match all {
            [] => return Some(Constant { is_global: true, is_thread: false }),
            [When { condition: None, then }] => then,
            _ => return None,
        };
        let mut constant = Constant { is_global: false, is_thread: false };
        for key in keys {
            match key {
                Key::Global => constant.is_global = true,
                Key::Thread => constant.is_thread = true,
                Key::Value(_) => return None,
            }
        }
        Some(constant)
    }
}
