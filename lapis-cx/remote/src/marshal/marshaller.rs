//! The state of one call while it is encoded and decoded, and the operations that all four passes share.

use std::collections::{HashMap, HashSet};
use std::os::fd::OwnedFd;
use std::sync::Arc;

use super::access::{load_pointer, scan, store as store_number, store_pointer};
use super::ended_memory::{EndedMemory, OwnMemory};
use super::entries::{BufferEntries, BufferEntry, HandleEntry};
use super::eval::{Attached, Native, Number, Stage};
use super::frame::{Frame, MemoryKind, Retained, UnknownAddress};
use super::known_pointers::KnownPointer;
use super::memory::{Allocation, Arena};
use super::region_contents::RegionContents;
use super::scratch::{Kept, Scratch};
use super::shape::Shape;
use super::side::{CallError, CallResult, Limits, NO_SIZE, NO_VALID, OUTSIDE, Side};
use super::sources::Sources;
use super::tables::{EndedRegion, Locked, Region, Tables, capacity_for};
use crate::locks::Mutex;
use crate::plan::{
    Arm, Array, Block, Buffer, Code, HandleValue, Kind, Lifetime, Plan, Simple, Store, Target, Value, When,
    carries_valid_only, is_tail,
};
use crate::{Reader, Writer};

pub(crate) struct Marshaller<'a> {
    pub stage: Stage<'a>,
    pub tables: &'a Mutex<Tables>,
    pub side: &'a dyn Side,
    /// The memory of the call.
    pub(super) arena: &'a mut Arena,
    pub limits: Limits,
    /// The end of the memory that is being filled. An array at the end of a struct must not extend past it.
    pub end: usize,
    /// The end of the argument struct.
    pub(super) arguments_end: usize,
    /// The buffers of the request.
    pub entries: &'a mut BufferEntries,
    /// The memory of the callee whose contents this reply carries, in the order of the reply.
    pub(super) returned: &'a mut BufferEntries,
    /// Buffers that only this side has, or that end with the call. The other side has no id for them.
    pub unsent: &'a mut Vec<BufferEntry>,
    pub handles: &'a mut Vec<HandleEntry>,
    /// On the worker: kind and identifier of the objects that the request passes as arguments.
    pub arguments: &'a mut Vec<(u32, u64)>,
    pub kept: &'a mut Vec<Kept>,
    /// The lifetime of the enclosing buffer, if it outlives the call.
    pub(super) inherited: Option<Retained>,
    /// The receiver has the memory of the current value for longer than the call. Memory that the value points to is then kept as long as the
    /// connection.
    pub(super) outlives: bool,
    /// The registration that a callback is called with.
    pub registration: u32,
    /// Memory of the library that the library gave to the caller: the function that frees it, and its address.
    pub frees: &'a mut Vec<(Option<u32>, usize)>,
    /// Memory that outlives the call and that the call uses or ended. The references keep it allocated: another call may end it during this
    /// call, and the reply may still be sent from it.
    pub in_use: &'a mut Vec<Arc<Allocation>>,
    /// The addresses of the arguments that the program passed as null, and for which the guest allocated memory.
    pub(super) filled_nulls: Vec<usize>,
    /// Descriptors of the files that the paths of this call name.
    pub opened: &'a mut Vec<OwnedFd>,
    pub effects: Effects,
    pub(super) deferred: Deferred,
    pub(super) contents: &'a mut RegionContents,
    /// On the worker, while it decodes a request: waits for the turn of the call, because the worker does not have this region. Returns `false` if
    /// earlier calls may still bring it.
    pub turn: Option<&'a dyn Fn(u32) -> bool>,
    /// Earlier calls may bring memory that the request refers to.
    pub(super) is_early: bool,
    /// The caller does not wait for a reply.
    pub is_async: bool,
    /// The call is asynchronous and was sent. The worker reports when it has made the call.
    pub is_sent: bool,
    /// The name of the function, as a text of the plan.
    pub call: u32,
    /// The name of the value that contains the current element, as elements have no names.
    pub(super) outer: u32,
    /// Objects of this message whose struct has members that are copied: kind and identifier.
    pub with_members: &'a mut Vec<(u32, u64)>,
    /// The position of the traversal, and the deepest nesting and the largest number of scopes whose memory was charged.
    pub(super) frames: &'a mut Vec<Frame>,
    pub(super) deepest: usize,
    pub(super) most_scopes: usize,
    /// The memory from which the current value is encoded, or into which it is decoded.
    pub(super) kind: MemoryKind,
    /// The distance from the memory into which the request is decoded to the memory from which the reply is encoded, which may wrap. It is not 0
    /// for contents of memory that this side owns, which are decoded into scratch memory.
    pub(super) shift: usize,
    /// Address ranges (start, end) of the caller that plain arguments cover. A range is listed if one of its arguments is written.
    pub(super) spans: Vec<(usize, usize)>,
}

/// Contents of buffers at the time of the request, by address and size in bytes.
pub(super) type FormerContents = HashMap<(usize, usize), Arc<[u8]>>;

/// The entries of this side's tables that a call changes beyond its arguments.
#[derive(Default)]
pub(crate) struct Effects {
    /// Regions of the other side's memory that ended with this call. Its results may still point into them.
    pub(super) ended_regions: Vec<EndedRegion>,
    /// If this call is made in a callback: what it ended.
    pub(super) ended: Option<Box<EndedMemory>>,
    /// If a callback or an inner call runs meanwhile: the contents that the request carried of `inout` buffers that are no regions, by address and
    /// size.
    pub(super) before: Option<FormerContents>,
    /// The number of callbacks before these contents were copied, if none ran.
    pub callbacks: Option<u64>,
    /// Regions that a callback or a call of another thread ended with `own`. They get no results.
    pub(super) taken_meanwhile: HashSet<u32>,
    /// The regions that the request passes with `own`.
    pub(super) passed_with_own: HashSet<u32>,
    /// The contents that the request carried of structs in regions of this side: copies by address and size.
    pub(super) sent_structs: HashMap<(usize, usize), usize>,
    /// If an inner call may have ended memory: the memory of this side that this call or callback sent or received.
    pub(super) own_memory: Option<Box<OwnMemory>>,
    /// Ids of the files that were sent for the call.
    pub sent_files: Vec<u32>,
    /// Memory that was allocated for the library to keep: the function that frees it, its address, and the address of the pointer to it. If
    /// the reply is rejected, the memory is freed again.
    pub(super) given: Vec<(Option<u32>, usize, usize)>,
    /// On the worker: registrations that ended with this call. Its results may still name them.
    pub(super) held: Vec<u32>,
    /// On the worker: kind, identifier and size of the objects that the call took and gives back.
    pub(super) given_back: Vec<(u32, u64, usize)>,
    /// The metadata that the call has set: the kind of metadata, and the handle or address that has it.
    pub(super) attached: Vec<(u32, u64)>,
    /// Numbers of structs of objects that this side, the guest, sent.
    pub(super) sent_members: Vec<SentMember>,
}

impl Effects {
    /// Drops the kept contents, because no callback has run since.
    pub fn forget_contents(&mut self) {
        self.before = None;
    }
}

/// Values of a message that a pass checks or replaces after the last value.
#[derive(Default)]
pub(super) struct Deferred {
    /// On the worker: conditions that the program reported, which the worker evaluates itself from the reply of the program's function.
    pub claims: Vec<(&'static Simple, bool)>,
    pub counts: Vec<DeferredCount>,
    /// On the guest: pointers of the reply that are checked once the reply is decoded.
    pub known_pointers: Vec<KnownPointer>,
    /// Plain addresses (`ptr`) into no known memory. They are searched again at the end of the message.
    pub unknown_addresses: Vec<UnknownAddress>,
}

/// A number that the guest sent: its object, its offset in the struct, and the value that the guest had sent or received before.
pub(super) struct SentMember {
    pub(super) object: (u32, u64),
    pub(super) offset: usize,
    pub(super) before: Vec<u8>,
}

/// A received element count of a reply, which is compared with its expression once all results are decoded. `limit` caps the value of the
/// expression.
pub(super) struct DeferredCount {
    pub(super) code: &'static Code,
    pub(super) scope: usize,
    pub(super) received: u64,
    pub(super) limit: u64,
    pub(super) name: u32,
}

/// An empty set of metadata, for expressions that do not read metadata.
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
    /// Creates a marshaller for the arguments of a call, a struct of `bytes` bytes at `address`.
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
            returned,
            unsent,
            handles,
            arguments,
            kept,
            frees,
            in_use,
            opened,
            with_members,
            frames,
            contents,
        } = scratch;
        with_members.clear();
        entries.clear();
        returned.clear();
        unsent.clear();
        handles.clear();
        arguments.clear();
        kept.clear();
        frees.clear();
        in_use.clear();
        opened.clear();
        contents.clear();
        Marshaller {
            stage: Stage::new(plan, natives, is_worker, address, lists),
            tables,
            side,
            arena,
            limits,
            end: address + bytes,
            arguments_end: address + bytes,
            entries,
            returned,
            unsent,
            handles,
            arguments,
            kept,
            inherited: None,
            outlives: false,
            registration: 0,
            frees,
            in_use,
            opened,
            turn: None,
            is_early: false,
            filled_nulls: Vec::new(),
            is_async: false,
            is_sent: false,
            call: 0,
            outer: 0,
            with_members,
            frames,
            deepest: 0,
            most_scopes: 1,
            kind: MemoryKind::Fresh,
            shift: 0,
            effects: Effects::default(),
            deferred: Deferred::default(),
            contents,
            spans: Vec::new(),
        }
    }

    /// Frees the memory that this marshaller owns, because its destructor may not run. The [`Scratch`] keeps its memory.
    pub fn free(&mut self) {
        (self.effects, self.deferred, self.spans) = Default::default();
        self.stage.sources = Sources::default();
    }

    pub fn is_worker(&self) -> bool {
        self.stage.is_worker
    }

    /// Makes expressions and buffers of the request fail if they use memory that outstanding results of asynchronous calls change.
    pub fn watch_results(&mut self) {
        self.stage.results = Some(self.side).filter(|side| side.awaits_results());
    }

    /// Checks that no outstanding results of asynchronous calls change this memory.
    pub(super) fn check_final(&mut self, here: usize, size: usize, name: u32) -> CallResult<()> {
        if self.stage.is_final(here, size) {
            return Ok(());
        }
        Err(CallError::Refused("results of an asynchronous call that have not arrived change it", name))
    }

    /// Returns whether an address is in the argument struct, and not in what an argument points to.
    pub(super) fn is_argument(&self, address: usize) -> bool {
        (self.stage.arguments..self.arguments_end).contains(&address)
    }

    pub fn lock(&self) -> Locked<'a> {
        lock(self.tables)
    }

    /// Keeps the memory of ended regions allocated until the call is over.
    pub(super) fn keep_ended_regions(&mut self, tables: &mut Tables) {
        for one in tables.take_ended_regions() {
            self.in_use.push(Arc::clone(&one.memory));
            self.effects.ended_regions.push(one);
        }
    }

    /// Evaluates an expression.
    pub fn eval(&mut self, code: &Code) -> Number {
        // SAFETY: expressions only read memory that the plan describes. Received data is checked against the plan before it is used.
        unsafe {
            if code.facts.reads_metadata {
                let tables = lock(self.tables);
                self.stage.eval(code, &*tables)
            } else {
                self.stage.eval(code, &NothingAttached)
            }
        }
    }

    /// Evaluates an expression in a scope that was kept.
    pub fn eval_in(&mut self, code: &Code, scope: usize) -> Number {
        let before = self.stage.scopes.set_current(scope);
        let value = self.eval(code);
        self.stage.scopes.set_current(before);
        value
    }

    /// Returns whether a condition holds. Without a condition it returns true.
    pub fn holds(&mut self, condition: Option<&Code>) -> bool {
        condition.is_none_or(|code| self.eval(code).is_some_and(|value| value != 0))
    }

    /// Returns the last entry whose condition holds.
    pub fn last<'w, T>(&mut self, all: &'w [When<T>]) -> Option<&'w T> {
        all.iter().rev().find(|one| self.holds(one.condition.as_ref())).map(|one| &one.then)
    }

    /// Evaluates an expression to a number of elements or of bytes.
    pub(super) fn count(&mut self, code: &Code, name: u32) -> CallResult<u64> {
        let count = self.eval(code).and_then(|count| u64::try_from(count).ok());
        count.ok_or(CallError::Refused(NO_SIZE, name))
    }

    /// Returns the size in bytes of `count` elements, at most the memory limit of a call.
    pub(super) fn bytes(&self, count: u64, stride: usize, name: u32) -> CallResult<usize> {
        let needed = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(stride);
        if needed <= self.limits.call { Ok(needed) } else { Err(self.exceeds(needed, name)) }
    }

    /// Returns the number of elements of a buffer, or its capacity in elements.
    ///
    /// # Safety
    ///
    /// `here` must point to elements of the buffer.
    pub(crate) unsafe fn capacity(&mut self, buffer: &Buffer, here: usize, name: u32) -> CallResult<u64> {
        let count = buffer.count.as_ref().map(|code| self.count(code, name)).transpose()?;
        match (&buffer.until, count) {
            (None, None) => Ok(0),
            (None, Some(count)) => Ok(count),
            (Some(_), Some(count)) if buffer.is_out && self.stage.is_entry => Ok(count),
            (Some(until), limit) => {
                let last = self
                    .eval(&until.value)
                    .ok_or(CallError::Refused("the value of its last element cannot be computed", name))?;
                // SAFETY: the caller upholds the contract of this function.
                Ok(unsafe { scan(here, buffer.stride, until.scalar, last, limit) })
            }
        }
    }

    /// Returns how many of `capacity` elements of an `inout` argument are valid before the call, or `capacity` if the expression has no value then.
    pub(super) fn valid_at_entry(&mut self, code: &Code, capacity: u64) -> u64 {
        let valid = self.eval(code);
        valid.map_or(capacity, |valid| u64::try_from(valid.max(0)).unwrap_or(capacity).min(capacity))
    }

    /// Returns how many of `count` elements a request carries. It carries only the valid elements of `in` arguments (`is_in_only`), and of
    /// `inout` arguments with pointers whose number of valid elements is known before the call (`has_valid_only`): pointers in other elements may
    /// be invalid. It carries all elements of other arguments.
    pub(super) fn carried_at_entry(
        &mut self,
        valid: Option<&Code>,
        (is_in_only, has_valid_only): (bool, bool),
        count: u64,
        name: u32,
    ) -> CallResult<u64> {
        match valid {
            Some(code) if is_in_only => Ok(count.min(self.count(code, name)?)),
            Some(code) if has_valid_only => Ok(self.valid_at_entry(code, count)),
            _ => Ok(count),
        }
    }

    /// Returns how many of `capacity` elements carry contents.
    ///
    /// # Safety
    ///
    /// `here` must point to `capacity` elements of the buffer.
    pub(super) unsafe fn valid(&mut self, buffer: &Buffer, here: usize, capacity: u64, name: u32) -> CallResult<u64> {
        let limit = match &buffer.valid {
            code if self.stage.is_entry && buffer.is_out => {
                let has_valid_only = carries_valid_only(buffer.is_valid_known, buffer.facts.is_flat);
                self.carried_at_entry(code.as_ref(), (false, has_valid_only), capacity, name)?
            }
            // The expression is evaluated in the reply for `out` buffers, and in the request for `in` buffers.
            Some(code) => {
                let valid = self.count(code, name).map_err(|_| CallError::Refused(NO_VALID, name))?;
                if valid > capacity {
                    return Err(CallError::TooManyValid(name, valid, capacity));
                }
                valid
            }
            _ => capacity,
        };
        match &buffer.until {
            Some(until) => {
                let last = self
                    .eval(&until.value)
                    .ok_or(CallError::Refused("the value of its last element cannot be computed", name))?;
                // SAFETY: the caller upholds the contract of this function.
                Ok(unsafe { scan(here, buffer.stride, until.scalar, last, Some(limit)) })
            }
            None => Ok(limit),
        }
    }

    /// Checks that an array has room for the `sent` elements of a message.
    pub(super) fn check_array_capacity(
        &mut self,
        array: &Array,
        address: usize,
        sent: u64,
        name: u32,
    ) -> CallResult<()> {
        let count = self.count(&array.count, name)?;
        // The receiver relies on the length that the struct contains, even if fewer elements were sent.
        let size = self.bytes(if is_tail(array) { count.max(sent) } else { sent }, array.stride, name)?;
        let is_inside = address.checked_add(size).is_some_and(|end| end <= self.end);
        if sent > count {
            return Err(CallError::TooLarge("the number of elements sent is", name, sent, count));
        }
        if is_inside { Ok(()) } else { Err(CallError::Refused("it is larger than the memory of its struct", name)) }
    }

    pub(crate) fn block(&self, id: u32) -> Option<&'static Block> {
        self.stage.plan.blocks.get(id as usize)
    }

    /// Returns whether the reply of a failed call also contains a result of this kind.
    pub(super) fn is_sent_after_failure(&self, kind: &Kind) -> bool {
        match kind {
            Kind::Scalar { .. } | Kind::Address { .. } | Kind::Within { .. } | Kind::Function(_) | Kind::Handle(_) => {
                true
            }
            Kind::Block(id) => self.block(*id).is_some_and(|block| block.facts.is_flat),
            _ => false,
        }
    }

    /// Returns the layout of the elements of a buffer.
    pub(super) fn shape(&self, buffer: &'static Buffer) -> Shape {
        match &buffer.element.kind {
            _ if buffer.facts.is_flat || matches!(buffer.element.kind, Kind::Scalar { .. }) => Shape::Flat,
            Kind::Block(id) => match self.block(*id) {
                Some(block) if block.facts.is_flat => Shape::Flat,
                Some(block) => Shape::Blocks(block.facts.layout, block.bytes),
                None => Shape::Other(0),
            },
            _ => Shape::Other(buffer.facts.element),
        }
    }

    /// Enters the scope of a block.
    pub(crate) fn enter(&mut self, block: &'static Block, own: usize) {
        let (place, is_request) = (self.address_in_reply(own), self.stage.is_entry);
        self.stage.scopes.enter(block, own, place, is_request);
    }

    pub(crate) fn leave(&mut self) {
        self.stage.scopes.leave();
    }

    /// Sets the current value to the one at the address `this`.
    pub(crate) fn set_current_value(&mut self, this: usize) {
        self.stage.scopes.set_current_value(this);
    }

    /// Sets the current value to the element at the address `this`, with its index.
    pub(crate) fn set_current_element(&mut self, this: usize, index: u64) {
        self.stage.scopes.set_current_element(this, index);
    }

    /// Keeps the scope of the current value, for an expression that is evaluated later.
    pub(super) fn keep_scope(&mut self) -> usize {
        self.stage.scopes.keep()
    }

    /// Returns the address that the reply has for an address of the request.
    pub(super) fn address_in_reply(&self, address: usize) -> usize {
        address.wrapping_add(self.shift)
    }

    /// Checks that a buffer may be null. A buffer without elements may always be null.
    pub(super) fn check_null_allowed(&mut self, buffer: &Buffer, name: u32) -> CallResult<()> {
        let is_empty = match &buffer.count {
            _ if buffer.is_optional || buffer.until.is_some() => false,
            Some(code) => self.count(code, name)? == 0,
            None => true,
        };
        if buffer.is_optional || is_empty { Ok(()) } else { Err(CallError::null(name)) }
    }

    /// Decodes the size in bytes of `count` elements. The message contains it only for elements that end with an array of variable length.
    pub(super) fn decode_size(
        &mut self,
        buffer: &Buffer,
        count: u64,
        name: u32,
        from: &mut Reader<'_>,
    ) -> CallResult<usize> {
        let least = self.bytes(count, buffer.stride, name)?;
        Ok(if buffer.facts.varies { self.bytes(from.get_u64()?, 1, name)?.max(least) } else { least })
    }

    /// Evaluates and stores the values of the current block that expressions of the reply read with `old`.
    pub fn take_snapshots(&mut self, block: &Block) -> CallResult<()> {
        if !block.snapshots.is_empty() {
            self.charge(block.snapshots.len() * size_of::<Number>())?;
            let values: Vec<Number> = block.snapshots.iter().map(|code| self.eval(code)).collect();
            self.stage.scopes.add_snapshots(values);
        }
        Ok(())
    }

    /// Returns the value that a `match` currently selects.
    pub(crate) fn chosen<'v>(&mut self, choice: &'v crate::plan::Match) -> Option<&'v Value> {
        let at = self.choose(choice)?;
        choice.case(at)
    }

    /// Returns the position of the case that a `match` currently selects.
    pub(super) fn choose(&mut self, choice: &crate::plan::Match) -> Option<usize> {
        let value = self.eval(&choice.value)?;
        let is_it = |arm: &Arm| arm.ranges.iter().any(|(from, to)| (*from..*to).contains(&value));
        Some(choice.arms.iter().position(is_it).unwrap_or(choice.arms.len()))
    }

    /// Returns the handle type of the elements of a buffer, if these are objects with provisional ids.
    pub(super) fn provisional(&self, buffer: &'static Buffer) -> Option<&'static HandleValue> {
        match &buffer.element.kind {
            Kind::Handle(handle) if self.is_async && buffer.is_out && handle.is_new => Some(handle),
            _ => None,
        }
    }

    /// On the worker: frees the blocks that a reply passed to the library, if the reply was rejected.
    pub fn free_given_if_rejected(&mut self, is_taken: bool) {
        let given = std::mem::take(&mut self.effects.given);
        if !is_taken && self.is_worker() {
            for (function, memory, slot) in given.into_iter().rev() {
                // SAFETY: `slot` is a pointer of the library, which has not run since the decoder of this reply set the pointer, if it was stored.
                unsafe {
                    if load_pointer(slot) == memory {
                        store_pointer(slot, 0);
                    }
                }
                self.side.free(function, memory);
            }
        }
    }

    /// Stores a value into the target that the plan names.
    pub fn store(&mut self, store: &Store, errno: &mut Option<i32>) {
        let value = self.eval(&store.value).unwrap_or(0);
        match &store.target {
            Target::Memory(code, bytes) => {
                if let Some(address @ 1..) = self.eval(code) {
                    // SAFETY: the plan names this variable of the program, and the specification guarantees that it is writable.
                    unsafe { store_number(address as usize, *bytes, value) };
                }
            }
            Target::Pointer(code) => {
                if let Some(address @ 1..) = self.eval(code) {
                    // SAFETY: the plan names this pointer of the program, and the specification guarantees that it is writable.
                    unsafe { store_pointer(address as usize, value as usize) };
                }
            }
            // `remember` stores it.
            Target::Metadata(..) => {}
            Target::Errno => *errno = Some(value as i32),
        }
    }

    /// Returns the names of the function and of the value `name`. A value without a name has that of the enclosing value.
    pub fn names_of(&self, name: u32) -> (&'static str, &'static str) {
        let plan = self.stage.plan;
        let own = plan.text(name);
        (plan.text(self.call), if own.is_empty() { plan.text(self.outer) } else { own })
    }

    /// Allocates memory that outlives the call and adds it as the region `id`. Returns `None` if another thread has added the region. `align` and
    /// `behind` (the zero bytes after the end) are in bytes.
    pub(super) fn retain(
        &mut self,
        id: u32,
        (bytes, align, behind): (usize, usize, usize),
        (shape, is_shared): (Shape, bool),
        name: u32,
    ) -> CallResult<Option<usize>> {
        let capacity = if is_shared { capacity_for(bytes) } else { bytes };
        let cost = capacity.saturating_add(behind + align + RECORD);
        self.check_kept_limit(cost, name)?;
        let (function, parameter) = self.names_of(name);
        let watched = Allocation::watched(bytes + behind, function, parameter);
        let capacity = if watched.is_some() { bytes } else { capacity };
        let memory = watched.or_else(|| Allocation::aligned(capacity + behind, align));
        let memory = memory.ok_or(CallError::Refused("there is no memory for it", name))?;
        let start = memory.address();
        let memory = Arc::new(memory);
        // Keeps the memory allocated: another call may end the region during this call.
        self.in_use.push(Arc::clone(&memory));
        let mut tables = self.lock();
        if tables.region(id).is_some() {
            return Ok(None);
        }
        if tables.is_full() {
            return Err(CallError::Refused("both sides share too much memory", name));
        }
        let memory = Some(memory);
        tables.add_region(id, Region { is_shared, memory, capacity, cost, ..Region::new(start, bytes, shape) });
        Ok(Some(start))
    }

    /// Creates a region for memory of this side's program or library. In shadow mode the other side watches its copy, which cannot grow.
    pub(super) fn own_region(&self, start: usize, bytes: usize, shape: Shape) -> Region {
        let region = Region::new(start, bytes, shape);
        let capacity = if self.side.substitutes().is_some() { bytes } else { region.capacity };
        Region { capacity, ..region }
    }

    /// Checks that the engine may keep `more` bytes for longer than a call.
    ///
    /// # Errors
    ///
    /// The memory that this side keeps would exceed its limit.
    pub(super) fn check_kept_limit(&self, more: usize, name: u32) -> CallResult<()> {
        let (kept, limit) = (self.lock().kept().saturating_add(more), self.limits.kept);
        let what = "the memory kept in bytes (CX_REMOTE_KEPT_BYTES) would be";
        if kept <= limit { Ok(()) } else { Err(CallError::TooLarge(what, name, kept as u64, limit as u64)) }
    }

    /// Returns the memory in bytes that this asynchronous call needs until its results are sent.
    ///
    /// # Errors
    ///
    /// The memory that this side keeps would exceed its limit.
    pub fn cost_of_results(&mut self) -> CallResult<usize> {
        let records = size_of::<Scratch>() + self.entries.len() * size_of::<BufferEntry>();
        let cost = self.arena.trim().saturating_add(records);
        self.check_kept_limit(cost, self.call)?;
        Ok(cost)
    }

    /// Allocates `bytes` bytes that outlive the call and that only this side has. Returns the id of their region, and their address.
    pub(super) fn retain_local(
        &mut self,
        bytes: usize,
        lifetime: &'static Lifetime,
        name: u32,
    ) -> CallResult<(u32, usize)> {
        let region = self.lock().new_region_id();
        let here = self.retain(region, (bytes, 1, 0), (Shape::Flat, false), name)?;
        let here = here.ok_or(CallError::Refused(OUTSIDE, name))?;
        let scope = self.keep_scope();
        self.unsent.push(BufferEntry { here, bytes, region, lifetime, scope, ..BufferEntry::NONE });
        Ok((region, here))
    }

    /// Loads the pointer that the message carries for the pointer at `address`.
    ///
    /// # Safety
    ///
    /// `address` must be the address of a pointer in the memory of [`kind`](Self::kind).
    pub(super) unsafe fn pointer(&self, address: usize) -> usize {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { load_pointer(self.source(address)) }
    }
}

/// The size in bytes that is charged for the bookkeeping of a region.
pub(super) const RECORD: usize = 256;

/// Encodes an integer in `wire` bytes.
pub(super) fn put_number(to: &mut Writer<'_>, wire: usize, value: i128) {
    match wire {
        1 => to.put_u8(value as u8),
        2 => to.put_u16(value as u16),
        4 => to.put_u32(value as u32),
        8 => to.put_u64(value as u64),
        _ => to.put_array(value.to_ne_bytes()),
    }
}
