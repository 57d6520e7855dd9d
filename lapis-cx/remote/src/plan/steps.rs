//! The operations of a block in requests and replies, as two flat lists that [`Plan::read`](super::Plan::read) compiles once.
//!
//! A block of numbers is one [`Step::Copy`]. A plain buffer is one [`Step::Value`]. A value that a message does not carry has no step.

use super::{Block, Buffer, Kind, Lifetime, Op, Ownership, Plan, Value};

/// One operation on a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Copies adjacent numbers whose wire format is that in memory.
    Copy {
        /// The offset from the start of the block in bytes.
        offset: usize,
        bytes: usize,
    },
    /// Encodes or decodes a value, by its position in the block.
    Value(usize),
}

/// The deepest nesting of values. [`Plan::read`](super::Plan::read) rejects deeper plans, so this only stops blocks that contain
/// themselves.
const DEEPEST: u32 = 64;

impl Plan {
    /// Compiles the lists of all blocks.
    pub(super) fn compile(&mut self) {
        self.find_inner_results();
        self.find_overlaps();
        let lists: Vec<_> = self.blocks.iter().map(|block| self.lists(block)).collect();
        for (block, (request, reply)) in self.blocks.iter_mut().zip(lists) {
            (block.request, block.reply) = (request, reply);
        }
    }

    /// Finds buffers of numbers that may overlap where at least one of them is written.
    fn find_overlaps(&mut self) {
        for block in &mut self.blocks {
            let plain = |(at, value): (usize, &Value)| value.plain_buffer().map(|buffer| (at, buffer.takes_out));
            let all: Vec<(usize, bool)> = block.values.iter().enumerate().filter_map(plain).collect();
            if all.len() > 1 && all.iter().any(|(_, takes_out)| *takes_out) {
                block.may_overlap = all.into_iter().map(|(at, _)| at).collect();
            }
        }
    }

    fn lists(&self, block: &Block) -> (Box<[Step]>, Box<[Step]>) {
        let (mut request, mut reply) = (Vec::new(), Vec::new());
        for (at, value) in block.values.iter().enumerate() {
            let is_copy = matches!(&value.kind, Kind::Scalar { scalar, wire } if scalar.bytes == *wire);
            if self.is_in_request(value, DEEPEST) {
                push(&mut request, at, value, is_copy);
            }
            if self.is_in_reply(value, DEEPEST) {
                // Conditional values are part of the reply. The reply of a failed call only carries the result.
                let is_result = self.text(value.name) == "ret";
                push(&mut reply, at, value, is_copy && value.on.is_none() && !is_result);
            }
        }
        (request.into(), reply.into())
    }

    fn is_in_request(&self, value: &Value, deepest: u32) -> bool {
        let Some(deeper) = deepest.checked_sub(1) else { return true };
        match &value.kind {
            Kind::Nothing => false,
            // The receiver allocates memory for the value, and checks the case of a choice.
            Kind::Local(room) => room.is_some(),
            Kind::Match(_) => true,
            Kind::Block(id) => self.block(*id).is_some_and(|block| {
                !block.snapshots.is_empty() || block.values.iter().any(|value| self.is_in_request(value, deeper))
            }),
            Kind::Array(array) => array.is_tail || self.is_in_request(&array.element, deeper),
            _ => value.goes,
        }
    }

    fn is_in_reply(&self, value: &Value, deepest: u32) -> bool {
        let Some(deeper) = deepest.checked_sub(1) else { return true };
        value.on.is_some()
            || match &value.kind {
                Kind::Nothing | Kind::Local(_) => false,
                Kind::Block(id) => self
                    .block(*id)
                    .is_some_and(|block| block.values.iter().any(|value| self.is_in_reply(value, deeper))),
                Kind::Array(array) => self.is_in_reply(&array.element, deeper),
                Kind::Match(choice) => choice.cases().any(|value| self.is_in_reply(value, deeper)),
                Kind::Buffer(buffer) => value.comes || buffer.takes_out || buffer.has_inner_results,
                _ => value.comes,
            }
    }

    /// Finds `in` buffers whose elements contain values that the reply carries.
    ///
    /// A struct can contain a buffer of itself, so this repeats until nothing changes.
    fn find_inner_results(&mut self) {
        loop {
            let mut found = Vec::new();
            for block in &self.blocks {
                for value in &block.values {
                    self.collect(value, &mut found);
                }
            }
            let mut found = found.into_iter();
            let mut has_changed = false;
            for block in &mut self.blocks {
                for value in &mut block.values {
                    value.each_buffer(&mut |buffer| {
                        let now = found.next().unwrap_or(false);
                        has_changed |= now != buffer.has_inner_results;
                        buffer.has_inner_results = now;
                    });
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    /// Collects whether each buffer in a value contains results, in the order of [`Value::each_buffer`].
    fn collect(&self, value: &Value, found: &mut Vec<bool>) {
        match &value.kind {
            Kind::Buffer(buffer) => {
                found.push(self.is_in_reply(&buffer.element, DEEPEST));
                self.collect(&buffer.element, found);
            }
            Kind::Array(array) => self.collect(&array.element, found),
            Kind::Match(choice) => choice.cases().for_each(|value| self.collect(value, found)),
            _ => {}
        }
    }

    fn block(&self, id: u32) -> Option<&Block> {
        self.blocks.get(id as usize)
    }
}

fn push(steps: &mut Vec<Step>, at: usize, value: &Value, is_copy: bool) {
    let Kind::Scalar { wire, .. } = value.kind else { return steps.push(Step::Value(at)) };
    match steps.last_mut() {
        _ if !is_copy => steps.push(Step::Value(at)),
        Some(Step::Copy { offset, bytes }) if *offset + *bytes == value.offset => *bytes += wire,
        _ => steps.push(Step::Copy { offset: value.offset, bytes: wire }),
    }
}

impl Value {
    /// Returns the buffer of this value if it contains numbers, is only used during the call, and its length depends on the arguments only.
    pub fn plain_buffer(&self) -> Option<&Buffer> {
        let Kind::Buffer(buffer) = &self.kind else { return None };
        let is_lent = buffer.ownership == Ownership::Lent && matches!(buffer.lifetime, Lifetime::Call);
        let is_plain = self.goes && buffer.is_flat && is_lent && buffer.until.is_none() && !buffer.varies;
        is_plain.then_some(buffer)
    }

    fn each_buffer(&mut self, then: &mut impl FnMut(&mut Buffer)) {
        match &mut self.kind {
            Kind::Buffer(buffer) => {
                then(buffer);
                buffer.element.each_buffer(then);
            }
            Kind::Array(array) => array.element.each_buffer(then),
            Kind::Match(choice) => {
                let cases = choice.arms.iter_mut().map(|(_, value)| value).chain(&mut choice.default);
                cases.for_each(|value| value.each_buffer(then));
            }
            _ => {}
        }
    }
}

impl super::Code {
    /// Returns whether this expression reads the value that it belongs to, which is `offset` bytes into its block.
    ///
    /// It also returns true for a value of another block at the same offset. The caller then sends a case that the callee could compute.
    pub(super) fn reads(&self, offset: usize) -> bool {
        let is_there = |two: &[Op]| matches!(two, [Op::Own | Op::Arguments, Op::Field(at)] if *at == offset);
        self.ops.contains(&Op::This) || self.ops.windows(2).any(is_there)
    }
}
