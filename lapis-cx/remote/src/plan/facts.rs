//! Derives properties of a plan once after it was decoded, so that calls need not compute them.

use super::blocks_read;
use super::{
    Block, BlockId, Call, Code, Effect, FastCall, Handle, Kind, Numbers, Op, Ownership, Plan, Target, Value, When,
    is_tail, single_bytes,
};

/// Members of the struct behind a handle that the worker sends to the guest.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Members {
    pub block: BlockId,
    /// Numbers and arrays of numbers: the guest sends the numbers that the program changed.
    pub numbers: Vec<Numbers>,
    /// Pointers and objects, which the program does not change.
    pub others: Vec<Numbers>,
}

/// Structs in the struct behind a handle nest at most this deep.
const DEEPEST_MEMBERS: u32 = 64;

/// Facts about all blocks, by which those about values that contain blocks are derived.
pub(super) struct Blocks {
    flat: Vec<Option<Flat>>,
    /// The block ends with an array of variable length.
    varies: Vec<bool>,
    /// A request carries some of the block.
    in_request: Vec<bool>,
    /// A reply carries some of the block.
    in_reply: Vec<bool>,
    own_results: Vec<bool>,
    /// A call with the block ends an object or memory.
    ends: Vec<bool>,
    /// The number of blocks around the block that its expressions read.
    outer_read: Vec<usize>,
    /// The numbers of the block and of the blocks in it.
    numbers: Vec<Vec<Numbers>>,
    /// All values of the block and of the blocks in it.
    values: Vec<Vec<Numbers>>,
}

/// A block that is copied unchanged: its size in bytes, and whether requests and replies carry it.
#[derive(Clone, Copy)]
struct Flat {
    bytes: usize,
    travels: (bool, bool),
}

impl Plan {
    /// Finds the members of structs behind handles.
    pub(super) fn find_members(&mut self) -> Result<(), &'static str> {
        for handle in &mut self.handles {
            let Some(block) = handle.members else { continue };
            let mut members = Members { block, ..Members::default() };
            let is_inside = self.blocks.get(block as usize).is_some_and(|block| block.bytes <= handle.memory);
            let is_copied = members.add(&self.blocks, block, 0, DEEPEST_MEMBERS)
                && members.numbers.iter().chain(&members.others).all(|one| one.offset + one.bytes <= handle.memory);
            if !is_inside || !is_copied {
                return Err("a struct behind a handle that cannot be copied");
            }
            handle.facts.0 = Some(members);
        }
        Ok(())
    }
}

impl Members {
    /// Adds those of a block that lies `offset` bytes behind the start of the struct; false if it cannot be copied.
    fn add(&mut self, blocks: &[Block], id: BlockId, offset: usize, deepest: u32) -> bool {
        let (Some(block), Some(deeper)) = (blocks.get(id as usize), deepest.checked_sub(1)) else { return false };
        block.values.iter().all(|value| {
            let at = offset + value.offset;
            match &value.kind {
                Kind::Nothing | Kind::Local { .. } => true,
                Kind::Block(inner) => self.add(blocks, *inner, at, deeper),
                Kind::Scalar { scalar, .. } => {
                    self.numbers.push(Numbers::one(at, scalar.bytes));
                    true
                }
                Kind::Array(array) => match array.count.ops.as_ref() {
                    [Op::Int(count)] if (0..=i128::from(lapis_cx_plan::MOST_MEMBER_ELEMENTS)).contains(count) => {
                        let bytes = *count as usize * array.stride;
                        self.numbers.push(Numbers { offset: at, bytes, each: array.stride.max(1) });
                        true
                    }
                    _ => false,
                },
                Kind::Handle(handle) => {
                    self.others.push(Numbers::one(at, handle.bytes));
                    true
                }
                Kind::Address { .. } | Kind::Buffer(_) => {
                    self.others.push(Numbers::one(at, size_of::<usize>()));
                    true
                }
                _ => false,
            }
        })
    }
}

/// Returns the size of a number in bytes.
fn number_bytes(kind: &Kind) -> Option<usize> {
    if let Kind::Scalar { scalar, .. } = kind { Some(scalar.bytes) } else { None }
}

/// Returns the values of a block and of the first blocks in it, in order. `size` returns the size of a value in bytes, or `None` for values to leave
/// out. Adjacent values of one size are one entry. A choice between such values is one value with the size of the largest. Other choices are left
/// out: their values may share their memory with values that `size` leaves out.
fn values_of(blocks: &[Block], id: BlockId, size: impl Fn(&Kind) -> Option<usize>) -> Vec<Numbers> {
    /// The most blocks whose values are returned.
    const MOST: usize = 1024;
    let end = blocks.get(id as usize).map_or(0, |block| block.bytes);
    let (mut all, mut inner) = (Vec::<Numbers>::new(), vec![(id, 0)]);
    for _ in 0..MOST {
        let Some((id, offset)) = inner.pop() else { break };
        for value in blocks.get(id as usize).map_or(&[][..], |block| &block.values) {
            let (mut count, mut stride, mut kind) = (1, 0, &value.kind);
            // An array may have arrays as elements.
            while let Kind::Array(array) = kind {
                let [Op::Int(elements)] = array.count.ops.as_ref() else { break };
                count = usize::try_from(*elements).map_or(0, |elements| elements.min(end) * count);
                (stride, kind) = (array.stride, &array.element.kind);
            }
            let offset = offset + value.offset;
            match kind {
                Kind::Block(id) => inner.extend((0..count.min(MOST)).map(|index| (*id, offset + index * stride))),
                Kind::Match(choice) => {
                    let in_case = |case: &Value| if case.kind == Kind::Nothing { Some(0) } else { size(&case.kind) };
                    let each = choice.cases().map(in_case).try_fold(0, |most, size| size.map(|size| most.max(size)));
                    let each = each.filter(|each| count == 1 || *each == stride).unwrap_or_default();
                    all.push(Numbers { offset, bytes: each.saturating_mul(count), each });
                }
                kind => {
                    let each = size(kind).unwrap_or_default();
                    all.push(Numbers { offset, bytes: each.saturating_mul(count), each });
                }
            }
        }
    }
    all.retain(|one| one.each != 0 && one.bytes <= end.saturating_sub(one.offset));
    all.sort_unstable_by_key(|one| one.offset);
    all.dedup_by(|next, last| {
        let is_adjacent = next.each == last.each && next.offset == last.offset + last.bytes;
        last.bytes += if is_adjacent { next.bytes } else { 0 };
        is_adjacent
    });
    all
}

impl Blocks {
    pub(super) fn of(blocks: &[Block]) -> Blocks {
        let mut all = Blocks {
            flat: blocks.iter().map(Flat::of).collect(),
            varies: vec![false; blocks.len()],
            in_request: vec![false; blocks.len()],
            in_reply: vec![false; blocks.len()],
            own_results: vec![false; blocks.len()],
            ends: vec![false; blocks.len()],
            outer_read: blocks_read::outer_read(blocks),
            numbers: (0..).zip(blocks).map(|(id, _)| values_of(blocks, id, number_bytes)).collect(),
            values: (0..).zip(blocks).map(|(id, _)| values_of(blocks, id, single_bytes)).collect(),
        };
        // A block can contain another one, and a buffer of itself, so this repeats until nothing changes.
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for (at, block) in blocks.iter().enumerate() {
                let varies = block.values.iter().any(|value| all.varies(value));
                let in_request = !block.snapshots.is_empty() || block.values.iter().any(|value| all.in_request(value));
                let in_reply = block.values.iter().any(|value| all.in_reply(value));
                let own_results = block.values.iter().any(|value| all.own_results(value));
                let ends = block.values.iter().any(|value| all.ends(value));
                let found = [
                    (&mut all.varies, varies),
                    (&mut all.in_request, in_request),
                    (&mut all.in_reply, in_reply),
                    (&mut all.own_results, own_results),
                    (&mut all.ends, ends),
                ];
                for (facts, is_true) in found {
                    if let Some(fact @ false) = facts.get_mut(at).filter(|_| is_true) {
                        (*fact, has_changed) = (true, true);
                    }
                }
            }
        }
        all
    }

    /// Derives the facts about a block, which has the position `id`, and its values.
    pub(super) fn derive_block(&self, id: BlockId, block: &mut Block) {
        for value in &mut block.values {
            each_inner(value, &mut |inner| self.derive(inner));
            derive_sends_case(value, value.offset);
        }
        block.facts.is_flat = self.flat.get(id as usize).is_some_and(Option::is_some);
        block.facts.varies = has(&self.varies, id);
        block.facts.numbers = self.numbers.get(id as usize).cloned().unwrap_or_default().into();
        block.facts.values = self.values.get(id as usize).cloned().unwrap_or_default().into();
    }

    /// Derives the facts about an array, a buffer or a choice. Those of the values inside of it are derived already.
    fn derive(&self, value: &mut Value) {
        let travels = (value.copy_in, value.copy_out);
        match &mut value.kind {
            Kind::Buffer(buffer) => {
                let travels = (buffer.is_in, buffer.is_out);
                buffer.facts.is_flat = self.is_flat(&buffer.element, buffer.stride, travels);
                buffer.facts.varies = self.varies(&buffer.element);
                buffer.facts.has_inner_results = self.in_reply(&buffer.element);
                buffer.facts.has_own_results = self.own_results(&buffer.element);
                buffer.facts.reads_outer = blocks_read::of_value(&buffer.element, &self.outer_read) != 0;
            }
            Kind::Array(array) => array.facts.is_flat = self.is_flat(&array.element, array.stride, travels),
            _ => {}
        }
    }

    /// Returns whether elements of this type are copied unchanged.
    fn is_flat(&self, element: &Value, stride: usize, travels: (bool, bool)) -> bool {
        let flat = match &element.kind {
            Kind::Scalar { scalar, wire } if scalar.bytes == *wire => {
                Some(Flat { bytes: *wire, travels: (element.copy_in, element.copy_out) })
            }
            Kind::Block(id) => self.flat.get(*id as usize).copied().flatten(),
            _ => None,
        };
        element.on.is_none() && flat.is_some_and(|flat| flat.bytes == stride && flat.travels == travels)
    }

    /// Returns whether the size of the value depends on other values.
    fn varies(&self, value: &Value) -> bool {
        match &value.kind {
            Kind::Array(array) => is_tail(array),
            Kind::Block(id) => has(&self.varies, *id),
            Kind::Match(choice) => choice.cases().any(|value| self.varies(value)),
            _ => false,
        }
    }

    pub(super) fn in_request(&self, value: &Value) -> bool {
        match &value.kind {
            Kind::Nothing | Kind::Local { .. } => false,
            // The receiver checks the case of a choice.
            Kind::Match(_) => true,
            Kind::Block(id) => has(&self.in_request, *id),
            Kind::Array(array) => is_tail(array) || self.in_request(&array.element),
            _ => value.copy_in,
        }
    }

    pub(super) fn in_reply(&self, value: &Value) -> bool {
        value.on.is_some()
            || match &value.kind {
                Kind::Nothing | Kind::Local { .. } => false,
                Kind::Block(id) => has(&self.in_reply, *id),
                Kind::Array(array) => self.in_reply(&array.element),
                Kind::Match(choice) => choice.cases().any(|value| self.in_reply(value)),
                Kind::Buffer(buffer) => value.copy_out || buffer.is_out || self.in_reply(&buffer.element),
                _ => value.copy_out,
            }
    }

    /// Returns whether a reply changes the value itself, and not only memory behind its pointers.
    fn own_results(&self, value: &Value) -> bool {
        match &value.kind {
            Kind::Block(id) => has(&self.own_results, *id),
            Kind::Array(array) => self.own_results(&array.element),
            Kind::Match(choice) => choice.cases().any(|value| self.own_results(value)),
            _ => value.copy_out,
        }
    }

    /// Returns whether a call with this value among its arguments ends an object or memory that earlier calls used.
    fn ends(&self, value: &Value) -> bool {
        match &value.kind {
            Kind::Handle(handle) => handle.is_own,
            Kind::Address { is_own } => *is_own,
            Kind::Block(id) => has(&self.ends, *id),
            Kind::Array(array) => self.ends(&array.element),
            Kind::Match(choice) => choice.cases().any(|value| self.ends(value)),
            Kind::Buffer(buffer) => {
                matches!(buffer.ownership, Ownership::Taken | Ownership::EndsMirroredStruct)
                    || self.ends(&buffer.element)
            }
            _ => false,
        }
    }
}

fn has(facts: &[bool], id: BlockId) -> bool {
    facts.get(id as usize).copied().unwrap_or(false)
}

/// Calls `then` with each value inside of a value, and then with the value.
pub(super) fn each_inner(value: &mut Value, then: &mut impl FnMut(&mut Value)) {
    match &mut value.kind {
        Kind::Buffer(buffer) => each_inner(&mut buffer.element, then),
        Kind::Array(array) => each_inner(&mut array.element, then),
        Kind::Match(choice) => choice.cases_mut().for_each(|value| each_inner(value, then)),
        _ => {}
    }
    then(value);
}

/// Sets `sends_case` of each choice. `offset` is the offset of the value in its block, which its cases share.
fn derive_sends_case(value: &mut Value, offset: usize) {
    if let Kind::Match(choice) = &mut value.kind {
        // A value of another block at the same offset counts too. The caller then sends a case that the callee could compute.
        let is_there = |two: &[Op]| matches!(two, [Op::Own | Op::Arguments, Op::Field(at)] if *at == offset);
        let ops = &choice.value.ops;
        choice.facts.sends_case = ops.contains(&Op::This) || ops.windows(2).any(is_there);
        choice.cases_mut().for_each(|value| derive_sends_case(value, offset));
    }
}

/// Derives facts about a call.
pub(super) fn derive_call(call: &mut Call, block: &Block, handles: &[Handle], blocks: &Blocks) {
    let mut kinds = block.values.iter().map(|value| &value.kind);
    call.facts.has_userdata = kinds.any(|kind| matches!(kind, Kind::Userdata { of, .. } if of.is_empty()));
    call.facts.result = block.values.iter().position(|value| value.is_result);
    call.facts.makes_objects = block.values.iter().any(makes_objects);
    call.facts.ends =
        has(&blocks.ends, call.arguments) || call.effects.iter().any(|effect| matches!(effect.then, Effect::Ends(..)));
    let sets = |effect: &When<Effect>| matches!(&effect.then, Effect::Set(store) if matches!(store.target, Target::Metadata(..)));
    let is_sure = |success: &When<Code>| matches!(*success.then.ops, [Op::Int(1..)]);
    call.facts.may_set = call.effects.iter().any(sets) && !call.success.iter().all(is_sure);
    call.facts.is_numbers = block.values.iter().all(|value| matches!(value.kind, Kind::Scalar { .. }));
    call.facts.fast = FastCall::of(call, block, handles);
}

/// Returns whether a call creates the object in this value, or objects in this buffer.
fn makes_objects(value: &Value) -> bool {
    match &value.kind {
        Kind::Handle(handle) => handle.is_new && value.copy_out && !value.copy_in,
        Kind::Buffer(buffer) => {
            let is_new = matches!(&buffer.element.kind, Kind::Handle(handle) if handle.is_new);
            (buffer.is_out && is_new) || makes_objects(&buffer.element)
        }
        Kind::Match(choice) => choice.cases().any(makes_objects),
        _ => false,
    }
}

impl Flat {
    /// Returns a block that only contains numbers without padding, whose wire format is that in memory and which are copied in the same
    /// directions.
    fn of(block: &Block) -> Option<Flat> {
        let first = block.values.first()?;
        let travels = (first.copy_in, first.copy_out);
        let mut covered = 0;
        for value in &block.values {
            match &value.kind {
                Kind::Scalar { scalar, wire } if scalar.bytes == *wire && value.on.is_none() => covered += wire,
                _ => return None,
            }
            if (value.copy_in, value.copy_out) != travels {
                return None;
            }
        }
        (covered == block.bytes).then_some(Flat { bytes: block.bytes, travels })
    }
}
