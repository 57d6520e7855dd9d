//! The state of one call while it is encoded and decoded, and what all four passes share.

use std::os::fd::OwnedFd;
use std::sync::Arc;

use super::access::{load_pointer, scan, store as store_number, store_pointer};
use super::entries::{BufferEntries, BufferEntry, HandleEntry};
use super::eval::{Attached, Lists, Native, Number, Scope, Stage};
use super::frame::Frame;
use super::memory::{Allocation, Arena};
use super::shape::Shape;
use super::side::{CallError, CallResult, Limits, Side};
use super::tables::{Locked, Owner, Region, Tables};
use crate::locks::Mutex;
use crate::plan::{
    Array, Block, Buffer, Code, HandleValue, Kind, Lifetime, Ownership, Plan, Simple, Store, Target, Value, When,
};
use crate::protocol::Ended;
use crate::{Reader, Writer};

/// Something else that lives for longer than the call: its number, for how long, and in which block that is said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub what: Ended,
    pub lifetime: &'static Lifetime,
    pub own: usize,
}

pub(crate) struct Marshaller<'a> {
    pub stage: Stage<'a>,
    pub tables: &'a Mutex<Tables>,
    pub side: &'a dyn Side,
    /// Memory of the call.
    pub(super) arena: &'a mut Arena,
    pub limits: Limits,
    /// Where the memory ends that is filled: what lies in it must not reach further.
    pub end: usize,
    pub entries: &'a mut BufferEntries,
    /// Memory that this side alone has, or that ends: the other side has no number for it.
    pub unsent: &'a mut Vec<BufferEntry>,
    pub handles: &'a mut Vec<HandleEntry>,
    /// Kind and identifier of the objects that came at entry, on the worker.
    pub arguments: &'a mut Vec<(u32, u64)>,
    pub kept: &'a mut Vec<Kept>,
    /// How long memory around lives that lives for longer than the call.
    pub(super) around: Option<&'static Lifetime>,
    /// What the registration of a callback is called with.
    pub registration: u32,
    /// Memory of the library that it gave away: who frees it, and where it is.
    pub frees: &'a mut Vec<(Option<u32>, usize)>,
    /// Memory for longer than the call that it uses, or that ended with it: another call may end the first, and the second may still be
    /// sent.
    pub in_use: &'a mut Vec<Arc<Allocation>>,
    /// What paths of this call lead to.
    pub opened: &'a mut Vec<OwnedFd>,
    /// Files that were sent for the call.
    pub sent_files: Vec<u32>,
    /// What the program says of conditions that this side, the worker, can judge by what came of its function.
    pub(super) claims: Vec<(&'static Simple, bool)>,
    pub(super) said_counts: Vec<SaidCount>,
    /// Memory that was made for the library to keep: what frees it, where it is, and the pointer to it. If the answer is refused, the library
    /// gets none of it.
    pub(super) given: Vec<(Option<u32>, usize, usize)>,
    /// Nobody waits for the call.
    pub is_async: bool,
    /// The call is asynchronous and was sent: the worker says when it is over.
    pub is_sent: bool,
    /// The function's name.
    pub call: u32,
    /// The name of the value around an element, which has none of its own.
    pub(super) outer: u32,
    /// Objects of this message whose struct has members that are copied: kind and identifier.
    pub with_members: &'a mut Vec<(u32, u64)>,
    /// Numbers of such structs that this side, the guest, sent.
    pub(super) sent_members: Vec<SentMember>,
    /// Where the traversal is, and the deepest nesting whose memory was counted.
    pub(super) frames: &'a mut Vec<Frame>,
    pub(super) deepest: usize,
    /// The memory that a request is decoded into is new.
    pub(super) is_fresh: bool,
    /// Memory of the caller in which buffers of this call overlap: from, and up to.
    pub(super) spans: Vec<(usize, usize)>,
}

/// A number that the guest sent: of which object, where in its struct, and what was seen there before.
pub(super) struct SentMember {
    pub(super) object: (u32, u64),
    pub(super) offset: usize,
    pub(super) before: Vec<u8>,
}

/// How many elements came, where something else that comes says it too.
pub(super) struct SaidCount {
    pub(super) code: &'static Code,
    pub(super) own: usize,
    pub(super) said: u64,
    pub(super) most: u64,
    pub(super) name: u32,
}

/// What a call needs and the next one can use again.
#[derive(Default)]
pub(crate) struct Scratch {
    pub arena: Arena,
    lists: Lists,
    entries: BufferEntries,
    unsent: Vec<BufferEntry>,
    handles: Vec<HandleEntry>,
    arguments: Vec<(u32, u64)>,
    kept: Vec<Kept>,
    frees: Vec<(Option<u32>, usize)>,
    pub in_use: Vec<Arc<Allocation>>,
    pub opened: Vec<OwnedFd>,
    with_members: Vec<(u32, u64)>,
    frames: Vec<Frame>,
}

/// No metadata, for expressions that do not read any.
pub(crate) struct NothingAttached;

impl Attached for NothingAttached {
    fn get(&self, _: u32, _: u64, _: u32) -> i128 {
        0
    }
}

pub(crate) fn lock(tables: &Mutex<Tables>) -> Locked<'_> {
    Locked::new(tables)
}

impl<'a> Marshaller<'a> {
    /// A walk over the arguments of a call, which are a struct of so many bytes.
    pub fn new(
        (plan, natives): (&'static Plan, &'a [Option<Native>]),
        (tables, side): (&'a Mutex<Tables>, &'a dyn Side),
        is_worker: bool,
        limits: Limits,
        (address, bytes): (usize, usize),
        scratch: &'a mut Scratch,
    ) -> Marshaller<'a> {
        let Scratch {
            arena,
            lists,
            entries,
            unsent,
            handles,
            arguments,
            kept,
            frees,
            in_use,
            opened,
            with_members,
            frames,
        } = scratch;
        with_members.clear();
        entries.clear();
        unsent.clear();
        handles.clear();
        arguments.clear();
        kept.clear();
        frees.clear();
        in_use.clear();
        opened.clear();
        Marshaller {
            stage: Stage::new(plan, natives, is_worker, address, lists),
            tables,
            side,
            arena,
            limits,
            end: address + bytes,
            entries,
            unsent,
            handles,
            arguments,
            kept,
            around: None,
            registration: 0,
            frees,
            in_use,
            opened,
            sent_files: Vec::new(),
            claims: Vec::new(),
            said_counts: Vec::new(),
            given: Vec::new(),
            is_async: false,
            is_sent: false,
            call: 0,
            outer: 0,
            with_members,
            sent_members: Vec::new(),
            frames,
            deepest: 0,
            is_fresh: true,
            spans: Vec::new(),
        }
    }

    pub fn is_worker(&self) -> bool {
        self.stage.is_worker
    }

    pub fn lock(&self) -> Locked<'a> {
        lock(self.tables)
    }

    /// What an expression says.
    pub fn eval(&mut self, code: &Code) -> Number {
        // SAFETY: memory is what the plan says it is: what this side received was checked against the plan before.
        unsafe {
            if code.asks {
                let tables = lock(self.tables);
                self.stage.eval(code, &*tables)
            } else {
                self.stage.eval(code, &NothingAttached)
            }
        }
    }

    /// What an expression says in a block that was left.
    pub fn eval_in(&mut self, code: &Code, own: usize) -> Number {
        self.stage.scopes.push(Scope { own, this: own, index: 0, parent: 0 });
        let value = self.eval(code);
        self.stage.scopes.pop();
        value
    }

    /// Whether a condition holds, if there is one.
    pub fn holds(&mut self, condition: Option<&Code>) -> bool {
        condition.is_none_or(|code| self.eval(code).is_some_and(|value| value != 0))
    }

    /// The last that applies.
    pub fn last<'w, T>(&mut self, all: &'w [When<T>]) -> Option<&'w T> {
        all.iter().rev().find(|one| self.holds(one.condition.as_ref())).map(|one| &one.then)
    }

    /// A number of elements, or of bytes.
    pub(super) fn count(&mut self, code: &Code, name: u32) -> CallResult<u64> {
        let count = self.eval(code).and_then(|count| u64::try_from(count).ok());
        count.ok_or(CallError::Refused("its size is no number, below 0 or too large", name))
    }

    pub(super) fn bytes(&self, count: u64, stride: usize, name: u32) -> CallResult<usize> {
        let bytes = usize::try_from(count).ok().and_then(|count| count.checked_mul(stride));
        bytes.filter(|bytes| *bytes <= self.limits.call).ok_or(CallError::TooLarge("it is larger than the limit", name))
    }

    /// How many elements a buffer has, or has room for.
    ///
    /// # Safety
    ///
    /// `here` points to elements of the buffer.
    pub(crate) unsafe fn capacity(&mut self, buffer: &Buffer, here: usize, name: u32) -> CallResult<u64> {
        let count = buffer.count.as_ref().map(|code| self.count(code, name)).transpose()?;
        match (&buffer.until, count) {
            (None, None) => Ok(0),
            (None, Some(count)) => Ok(count),
            (Some(_), Some(count)) if buffer.takes_out && self.stage.is_entry => Ok(count),
            (Some((scalar, last)), limit) => {
                let last = self.eval(last).ok_or(CallError::Refused("its last element is no number", name))?;
                // SAFETY: as the caller says.
                Ok(unsafe { scan(here, buffer.stride, *scalar, last, limit) })
            }
        }
    }

    /// How many of `capacity` elements carry contents.
    ///
    /// # Safety
    ///
    /// `here` points to so many elements of the buffer.
    pub(super) unsafe fn valid(&mut self, buffer: &Buffer, here: usize, capacity: u64, name: u32) -> CallResult<u64> {
        let limit = match &buffer.valid {
            // Evaluated at exit for `out`, at entry for `in`.
            Some(code) if !(self.stage.is_entry && buffer.takes_out) => {
                let valid = self.count(code, name)?;
                if valid > capacity {
                    return Err(CallError::Refused("more elements carry contents than there is room for", name));
                }
                valid
            }
            _ => capacity,
        };
        match &buffer.until {
            Some((scalar, last)) => {
                let last = self.eval(last).ok_or(CallError::Refused("its last element is no number", name))?;
                // SAFETY: as the caller says.
                Ok(unsafe { scan(here, buffer.stride, *scalar, last, Some(limit)) })
            }
            None => Ok(limit),
        }
    }

    /// How many elements of an array are filled, which must be there.
    pub(super) fn array_room(&mut self, array: &Array, address: usize, sent: u64, name: u32) -> CallResult<()> {
        let count = self.count(&array.count, name)?;
        // Who gets it relies on a length that is a value of the struct, even if fewer were sent.
        let size = self.bytes(if array.is_tail { count.max(sent) } else { sent }, array.stride, name)?;
        let is_inside = address.checked_add(size).is_some_and(|end| end <= self.end);
        if sent > count || !is_inside {
            return Err(CallError::Refused("more elements were sent than there is room for", name));
        }
        Ok(())
    }

    pub(crate) fn block(&self, id: u32) -> Option<&'static Block> {
        self.stage.plan.blocks.get(id as usize)
    }

    /// What a buffer holds.
    pub(super) fn shape(&self, buffer: &'static Buffer) -> Shape {
        match &buffer.element.kind {
            _ if buffer.is_flat || matches!(buffer.element.kind, Kind::Scalar { .. }) => Shape::Flat,
            Kind::Block(id) => match self.block(*id) {
                Some(block) if block.is_flat => Shape::Flat,
                Some(block) => Shape::Blocks(block.bytes),
                None => Shape::Other(0),
            },
            _ => Shape::Other(std::ptr::from_ref(buffer).addr()),
        }
    }

    /// Enters a block.
    pub(crate) fn enter(&mut self, own: usize) {
        let parent = self.stage.innermost();
        self.stage.scopes.push(Scope { own, this: own, index: 0, parent });
    }

    pub(crate) fn leave(&mut self) {
        self.stage.scopes.pop();
    }

    /// What follows is about the value there.
    pub(crate) fn stand_at(&mut self, this: usize) {
        if let Some(scope) = self.stage.scopes.last_mut() {
            scope.this = this;
        }
    }

    /// The same of an element.
    pub(crate) fn stand_at_element(&mut self, this: usize, index: u64) {
        if let Some(scope) = self.stage.scopes.last_mut() {
            (scope.this, scope.index) = (this, index);
        }
    }

    /// Whether a buffer may be null: one without elements may, whatever the specification says.
    pub(super) fn may_be_null(&mut self, buffer: &Buffer, name: u32) -> CallResult<()> {
        let is_empty = match &buffer.count {
            _ if buffer.is_optional || buffer.until.is_some() => false,
            Some(code) => self.count(code, name)? == 0,
            None => true,
        };
        if buffer.is_optional || is_empty { Ok(()) } else { Err(CallError::Refused("it is null", name)) }
    }

    /// Decodes the bytes of so many elements, which their number implies unless they end with an array of any length.
    pub(super) fn decode_size(
        &mut self,
        buffer: &Buffer,
        count: u64,
        name: u32,
        from: &mut Reader<'_>,
    ) -> CallResult<usize> {
        let least = self.bytes(count, buffer.stride, name)?;
        Ok(if buffer.varies { self.bytes(from.get_u64()?, 1, name)?.max(least) } else { least })
    }

    /// What blocks keep of entry.
    pub(super) fn take_snapshots(&mut self, block: &Block, own: usize) {
        if !block.snapshots.is_empty() {
            let values: Vec<Number> = block.snapshots.iter().map(|code| self.eval(code)).collect();
            let start = self.stage.snapshots.len();
            self.stage.snapshot_blocks.push((own, start));
            self.stage.snapshots.extend(values);
        }
    }

    /// The value that a `match` is now.
    pub(crate) fn chosen<'v>(&mut self, choice: &'v crate::plan::Match) -> Option<&'v Value> {
        let at = self.choose(choice)?;
        choice.case(at)
    }

    /// Which of its cases that is.
    pub(super) fn choose(&mut self, choice: &crate::plan::Match) -> Option<usize> {
        let value = self.eval(&choice.value)?;
        let is_it =
            |(ranges, _): &(Vec<(i128, i128)>, Value)| ranges.iter().any(|(from, to)| (*from..*to).contains(&value));
        Some(choice.arms.iter().position(is_it).unwrap_or(choice.arms.len()))
    }

    /// What a buffer is filled with, if these are objects that the guest names.
    pub(super) fn provisional(&self, buffer: &'static Buffer) -> Option<&'static HandleValue> {
        match &buffer.element.kind {
            Kind::Handle(handle) if self.is_async && buffer.takes_out && handle.is_new => Some(handle),
            _ => None,
        }
    }

    /// How long the other side's copy of a buffer lives, if for longer than the call.
    pub(super) fn retained(&self, buffer: &'static Buffer) -> Option<&'static Lifetime> {
        match (&buffer.lifetime, buffer.ownership) {
            (Lifetime::Call, Ownership::Twin) => Some(&buffer.lifetime),
            (Lifetime::Call, _) => self.around,
            _ => Some(&buffer.lifetime),
        }
    }

    /// Whose death ends something.
    pub(super) fn owner(&mut self, lifetime: &Lifetime, own: usize) -> Option<Owner> {
        Some(match lifetime {
            // A twin, which a call ends.
            Lifetime::Call | Lifetime::Manual => Owner::Manual,
            Lifetime::Static => Owner::Static,
            Lifetime::Handle(of, code) => {
                let value = self.eval_in(code, own)? as u64;
                Owner::Handle(*of, self.id_here(*of, value)?)
            }
            Lifetime::Twin(code) => {
                let address = self.eval_in(code, own)? as usize;
                Owner::Region(self.lock().find_region(address)?.0)
            }
            Lifetime::Scope(of, member, code) => Owner::Scope(*of, *member, self.eval_in(code, own)? as u64),
            Lifetime::Callback(_) => Owner::Manual,
            Lifetime::Once => Owner::Once,
        })
    }

    /// The identifier of what this side knows by a value.
    pub fn id_here(&self, of: u32, value: u64) -> Option<u64> {
        let has_memory = self.stage.plan.handles.get(of as usize).is_some_and(|handle| handle.has_memory);
        if self.is_worker() || has_memory { self.lock().known_id(of, value) } else { Some(value) }.filter(|id| *id != 0)
    }

    /// At exit: what was made for this call lives on if it succeeded.
    pub fn settle(&mut self, success: bool, ended: &mut Vec<Ended>) {
        let (mut entries, mut unsent) = (self.entries.take(), std::mem::take(self.unsent));
        for entry in entries.drain(..).chain(unsent.drain(..)) {
            if entry.made != 0 {
                let owner = if success { self.owner(entry.lifetime, entry.own) } else { None };
                let mut tables = self.lock();
                match owner {
                    Some(owner) => tables.set_owner(entry.made, owner),
                    None => {
                        tables.end_region(entry.made, ended);
                        self.in_use.extend(tables.take_over());
                    }
                }
            }
        }
        self.entries.set(entries);
        *self.unsent = unsent;
        let mut all_kept = std::mem::take(self.kept);
        for kept in all_kept.drain(..) {
            let is_call = matches!(kept.lifetime, Lifetime::Call);
            let owner = if success && !is_call { self.owner(kept.lifetime, kept.own) } else { None };
            let mut tables = self.lock();
            match (owner, kept.what) {
                (Some(owner), what) => tables.keep(what, owner),
                // The worker still has to make the call, and says when it was made.
                (None, Ended::Registration(_)) if self.is_sent && !self.is_worker() => {}
                (None, what) => {
                    tables.end_use(what, ended);
                    if let (Ended::Registration(id), true) = (what, self.is_async && self.is_worker()) {
                        ended.push(Ended::Use(id));
                    }
                }
            }
        }
        *self.kept = all_kept;
    }

    /// The answer was taken, or refused: what it had made for the library.
    pub fn end_answer(&mut self, is_taken: bool) {
        let given = std::mem::take(&mut self.given);
        if !is_taken && self.is_worker() {
            for (function, memory, slot) in given.into_iter().rev() {
                // SAFETY: a pointer of the library's, which was made for this answer.
                unsafe { store_pointer(slot, 0) };
                self.side.free(function, memory);
            }
        }
    }

    /// Stores a value where the plan says.
    pub fn store(&mut self, store: &Store, errno: &mut Option<i32>) {
        let value = self.eval(&store.value).unwrap_or(0);
        match &store.target {
            Target::Memory(code, bytes) => {
                if let Some(address @ 1..) = self.eval(code) {
                    // SAFETY: a place of the program's, which the plan names.
                    unsafe { store_number(address as usize, *bytes, value) };
                }
            }
            Target::Pointer(code) => {
                if let Some(address @ 1..) = self.eval(code) {
                    // SAFETY: as above.
                    unsafe { store_pointer(address as usize, value as usize) };
                }
            }
            Target::Metadata(of, member, code) => {
                if let Some(key) = self.eval(code) {
                    self.lock().attach(*of, key as u64, *member, value);
                }
            }
            Target::Errno => *errno = Some(value as i32),
        }
    }

    /// What a value is called: its function, and its own name or that of the one around.
    pub fn names_of(&self, name: u32) -> (&'static str, &'static str) {
        let plan = self.stage.plan;
        let own = plan.text(name);
        (plan.text(self.call), if own.is_empty() { plan.text(self.outer) } else { own })
    }

    /// New memory for longer than the call, with an alignment in bytes and zeros behind it, known under a number.
    pub(super) fn retain(
        &mut self,
        id: u32,
        (bytes, align, behind): (usize, usize, usize),
        (shape, is_shared): (Shape, bool),
        name: u32,
    ) -> CallResult<usize> {
        if bytes > self.limits.kept.saturating_sub(self.lock().kept()) {
            return Err(CallError::TooLarge("what is kept for this connection is larger than the limit", name));
        }
        let (function, parameter) = self.names_of(name);
        let memory = Allocation::watched(bytes + behind, function, parameter);
        let memory = memory.or_else(|| Allocation::aligned(bytes + behind, align));
        let memory = memory.ok_or(CallError::Refused("there is no memory for it", name))?;
        let start = memory.address();
        let (owner, memory) = (Owner::Manual, Some(Arc::new(memory)));
        let region = Region { start, bytes, shape, is_shared, owner, memory, is_given: false };
        self.lock().add_region(id, region);
        Ok(start)
    }

    /// # Safety
    ///
    /// A pointer can be read there.
    pub(super) unsafe fn pointer(address: usize) -> usize {
        // SAFETY: as the caller says.
        unsafe { load_pointer(address) }
    }
}

/// Whether a failed call replies a result of this kind too.
pub(super) fn is_sent_after_failure(kind: &Kind) -> bool {
    matches!(kind, Kind::Scalar { .. } | Kind::Address { .. } | Kind::Within { .. } | Kind::Function(_))
}

/// How long memory lives that is found in a buffer: as long as it, unless its members say for themselves.
pub(super) fn inherited_lifetime(buffer: &Buffer, lifetime: Option<&'static Lifetime>) -> Option<&'static Lifetime> {
    if buffer.ownership == Ownership::Twin { None } else { lifetime }
}

/// A number on the wire.
pub(super) fn put_number(to: &mut Writer<'_>, wire: usize, value: i128) {
    match wire {
        1 => to.put_u8(value as u8),
        2 => to.put_u16(value as u16),
        4 => to.put_u32(value as u32),
        8 => to.put_u64(value as u64),
        _ => to.put_array(value.to_ne_bytes()),
    }
}
