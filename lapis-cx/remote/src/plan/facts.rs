//! Derives properties of a plan once after it was read, so that calls need not compute them.

use super::read::{Invalid, Result};
use super::{Block, BlockId, Call, FastCall, Handle, Kind, Members, Op, Plan, Value};

impl Plan {
    /// Finds the blocks, buffers and arrays whose memory is copied unchanged.
    pub(super) fn learn_what_is_flat(&mut self) {
        let flat: Vec<bool> = self.blocks.iter().map(Block::is_flat_numbers).collect();
        for (block, is_flat) in self.blocks.iter_mut().zip(flat) {
            block.is_flat = is_flat;
        }
        let facts: Vec<Option<Flat>> = self.blocks.iter().map(Flat::of).collect();
        for block in &mut self.blocks {
            block.values.iter_mut().for_each(|value| value.learn(&facts));
        }
    }
}

impl Plan {
    /// Finds the members of structs behind handles.
    pub(super) fn learn_members(&mut self) -> Result<()> {
        for handle in &mut self.handles {
            let Some(members) = &mut handle.members else { continue };
            let is_inside = self.blocks.get(members.block as usize).is_some_and(|block| block.bytes <= handle.memory);
            let is_copied = members.add(&self.blocks, members.block, 0, DEEPEST_MEMBERS)
                && members.numbers.iter().chain(&members.others).all(|(at, bytes)| at + bytes <= handle.memory);
            if !is_inside || !is_copied {
                return Err(Invalid { at: 0, why: "a struct behind a handle that cannot be copied" });
            }
            self.has_members = true;
        }
        Ok(())
    }
}

/// Structs in the struct behind a handle nest at most this deep.
const DEEPEST_MEMBERS: u32 = 64;

impl Members {
    /// Adds those of a block that lies `offset` bytes behind the start of the struct; false if it cannot be copied.
    fn add(&mut self, blocks: &[Block], id: BlockId, offset: usize, deepest: u32) -> bool {
        let (Some(block), Some(deeper)) = (blocks.get(id as usize), deepest.checked_sub(1)) else { return false };
        block.values.iter().all(|value| {
            let at = offset + value.offset;
            match &value.kind {
                Kind::Nothing | Kind::Local(_) => true,
                Kind::Block(inner) => self.add(blocks, *inner, at, deeper),
                Kind::Scalar { scalar, .. } => {
                    self.numbers.push((at, scalar.bytes));
                    true
                }
                Kind::Array(array) => match array.count.ops.as_ref() {
                    [Op::Int(count @ 0..=0x10_0000)] => {
                        self.numbers.push((at, *count as usize * array.stride));
                        true
                    }
                    _ => false,
                },
                Kind::Handle(handle) => {
                    self.others.push((at, handle.bytes));
                    true
                }
                Kind::Address { .. } | Kind::Buffer(_) => {
                    self.others.push((at, size_of::<usize>()));
                    true
                }
                _ => false,
            }
        })
    }
}

impl Plan {
    /// Finds choices that read the place that they are about.
    pub(super) fn learn_what_is_told(&mut self) {
        for block in &mut self.blocks {
            block.values.iter_mut().for_each(|value| value.learn_what_is_told(value.offset));
        }
    }

    /// Finds the structs that end with an array of variable length.
    pub(super) fn learn_what_varies(&mut self) {
        // A struct can end with another struct that varies, so this repeats until nothing changes.
        loop {
            let varies: Vec<bool> = self.blocks.iter().map(|block| block.varies).collect();
            let mut is_new = false;
            for block in &mut self.blocks {
                let ends_so = block.values.iter().any(|value| value.varies(&varies));
                is_new |= ends_so && !block.varies;
                block.varies |= ends_so;
            }
            if !is_new {
                for block in &mut self.blocks {
                    block.values.iter_mut().for_each(|value| value.learn_what_varies(&varies));
                }
                return;
            }
        }
    }
}

/// A block that is copied unchanged: its size in bytes, and whether requests and replies carry it.
#[derive(Clone, Copy)]
struct Flat {
    bytes: usize,
    travels: (bool, bool),
}

impl Flat {
    fn of(block: &Block) -> Option<Flat> {
        let first = block.values.first().filter(|_| block.is_flat)?;
        Some(Flat { bytes: block.bytes, travels: (first.goes, first.comes) })
    }
}

impl Value {
    /// Returns whether the size of the value depends on other values.
    fn varies(&self, blocks: &[bool]) -> bool {
        match &self.kind {
            Kind::Array(array) => array.is_tail,
            Kind::Block(id) => blocks.get(*id as usize).copied().unwrap_or(false),
            Kind::Match(choice) => {
                choice.arms.iter().map(|(_, value)| value).chain(&choice.default).any(|value| value.varies(blocks))
            }
            _ => false,
        }
    }

    /// Sets `is_told` of each choice. `offset` is the offset of the value in its block, which its cases share.
    fn learn_what_is_told(&mut self, offset: usize) {
        if let Kind::Match(choice) = &mut self.kind {
            choice.is_told = choice.value.reads(offset);
            let cases = choice.arms.iter_mut().map(|(_, value)| value).chain(&mut choice.default);
            cases.for_each(|value| value.learn_what_is_told(offset));
        }
    }

    fn learn_what_varies(&mut self, blocks: &[bool]) {
        match &mut self.kind {
            Kind::Buffer(buffer) => {
                buffer.element.learn_what_varies(blocks);
                buffer.varies = buffer.element.varies(blocks);
            }
            Kind::Array(array) => array.element.learn_what_varies(blocks),
            Kind::Match(choice) => {
                let cases = choice.arms.iter_mut().map(|(_, value)| value).chain(&mut choice.default);
                cases.for_each(|value| value.learn_what_varies(blocks));
            }
            _ => {}
        }
    }

    fn learn(&mut self, facts: &[Option<Flat>]) {
        match &mut self.kind {
            Kind::Buffer(buffer) => {
                buffer.element.learn(facts);
                buffer.is_flat = buffer.element.is_flat(buffer.stride, (buffer.takes_in, buffer.takes_out), facts);
            }
            Kind::Array(array) => {
                array.element.learn(facts);
                array.is_flat = array.element.is_flat(array.stride, (self.goes, self.comes), facts);
            }
            Kind::Match(choice) => {
                let cases = choice.arms.iter_mut().map(|(_, value)| value).chain(&mut choice.default);
                cases.for_each(|value| value.learn(facts));
            }
            _ => {}
        }
    }

    /// Returns whether elements of this type are copied unchanged.
    fn is_flat(&self, stride: usize, travels: (bool, bool), facts: &[Option<Flat>]) -> bool {
        self.on.is_none()
            && match &self.kind {
                Kind::Scalar { scalar, wire } => {
                    scalar.bytes == *wire && *wire == stride && (self.goes, self.comes) == travels
                }
                Kind::Block(id) => facts
                    .get(*id as usize)
                    .is_some_and(|flat| flat.is_some_and(|flat| flat.bytes == stride && flat.travels == travels)),
                _ => false,
            }
    }
}

impl Call {
    pub(super) fn learn(&mut self, block: &Block, handles: &[Handle]) {
        self.makes_objects = block.values.iter().any(makes_objects);
        self.is_numbers = block.values.iter().all(|value| matches!(value.kind, Kind::Scalar { .. }));
        self.fast = FastCall::of(self, block, handles);
    }
}

/// Returns whether a call creates the object in this value, or objects in this buffer.
fn makes_objects(value: &Value) -> bool {
    match &value.kind {
        Kind::Handle(handle) => handle.is_new && value.comes && !value.goes,
        Kind::Buffer(buffer) => {
            let is_new = matches!(&buffer.element.kind, Kind::Handle(handle) if handle.is_new);
            (buffer.takes_out && is_new) || makes_objects(&buffer.element)
        }
        Kind::Match(choice) => choice.arms.iter().map(|(_, value)| value).chain(&choice.default).any(makes_objects),
        _ => false,
    }
}

impl Block {
    /// Returns whether a block only contains numbers without padding, whose wire format is that in memory and which are copied in the same
    /// directions.
    fn is_flat_numbers(&self) -> bool {
        let Some(first) = self.values.first() else { return self.bytes == 0 };
        let mut covered = 0;
        for value in &self.values {
            match &value.kind {
                Kind::Scalar { scalar, wire } if scalar.bytes == *wire && value.on.is_none() => covered += wire,
                _ => return false,
            }
            if (value.goes, value.comes) != (first.goes, first.comes) {
                return false;
            }
        }
        covered == self.bytes
    }
}
