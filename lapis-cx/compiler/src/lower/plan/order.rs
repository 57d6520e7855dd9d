//! The order in which the values of a block travel: what a size or a choice reads comes before what it is about.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{At, Block, BlockId, Code, Kind, Memory, Op, Value};

/// Sorts values: numbers first, then each behind what it reads, else in the order of the source. Values that read each other
/// stay in that order; the checker has refused those.
pub(super) fn in_order(mut values: Vec<(At, Value)>, memory: Memory, blocks: &[Block]) -> Vec<(At, Value)> {
    // What holds no memory of its own reads nothing.
    values.sort_by_key(|(_, value)| !is_flat(&value.kind));
    let positions: HashMap<At, usize> = values.iter().enumerate().map(|(n, (at, _))| (*at, n)).collect();
    // Of each value: how many it waits for, and which wait for it.
    let mut waits = vec![0_usize; values.len()];
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); values.len()];
    for (n, (at, value)) in values.iter().enumerate() {
        let reads = reads_of(value, memory, blocks);
        for read in reads.iter().filter(|read| *read != at).filter_map(|read| positions.get(read)) {
            if let (Some(count), Some(others)) = (waits.get_mut(n), waiting.get_mut(*read)) {
                *count += 1;
                others.push(n);
            }
        }
    }
    let mut left: BTreeSet<usize> = (0..values.len()).collect();
    let mut ready: BTreeSet<usize> = left.iter().copied().filter(|n| waits.get(*n) == Some(&0)).collect();
    let mut order = Vec::with_capacity(values.len());
    while let Some(next) = ready.pop_first().or_else(|| left.first().copied()) {
        left.remove(&next);
        order.push(next);
        for other in waiting.get(next).into_iter().flatten() {
            if let Some(count) = waits.get_mut(*other) {
                *count -= 1;
                if *count == 0 && left.contains(other) {
                    ready.insert(*other);
                }
            }
        }
    }
    let mut values: Vec<Option<(At, Value)>> = values.into_iter().map(Some).collect();
    order.into_iter().filter_map(|n| values.get_mut(n)?.take()).collect()
}

fn is_flat(kind: &Kind) -> bool {
    matches!(kind, Kind::Scalar { .. } | Kind::Enum { .. } | Kind::Address { .. } | Kind::Handle { .. })
}

/// The values of `memory` that must be there before this one.
pub(super) fn reads_of(value: &Value, memory: Memory, blocks: &[Block]) -> HashSet<At> {
    let mut reader = Reader { memory, blocks, reads: HashSet::new(), seen: HashSet::new() };
    reader.value(value);
    reader.reads
}

struct Reader<'a> {
    memory: Memory,
    blocks: &'a [Block],
    reads: HashSet<At>,
    seen: HashSet<BlockId>,
}

impl Reader<'_> {
    fn code(&mut self, code: &Code) {
        for op in &code.ops {
            if let Op::Field(memory, at) = op
                && *memory == self.memory
            {
                self.reads.insert(*at);
            }
        }
    }

    fn value(&mut self, value: &Value) {
        match &value.kind {
            Kind::Scalar { .. }
            | Kind::Enum { .. }
            | Kind::Address { .. }
            | Kind::Callback { .. }
            | Kind::Userdata { .. }
            | Kind::File { .. }
            | Kind::Stream { .. }
            | Kind::Nothing
            | Kind::Local { .. } => {}
            Kind::Handle { room: code, .. } | Kind::Within { region: code, .. } => {
                code.iter().for_each(|code| self.code(code));
            }
            Kind::Function(code) => self.code(code),
            Kind::Block(id) => self.block(*id),
            Kind::Array { count, valid, is_valid_known, element, .. } => {
                self.code(count);
                if value.copy_in && (!value.copy_out || *is_valid_known) {
                    valid.iter().for_each(|code| self.code(code));
                }
                self.value(element);
            }
            Kind::Buffer(buffer) => {
                buffer
                    .count
                    .iter()
                    .chain(buffer.until.iter().map(|until| &until.value))
                    .for_each(|code| self.code(code));
                // A reply comes after all values of the request.
                if buffer.is_in && (!buffer.is_out || buffer.is_valid_known) {
                    buffer.valid.iter().for_each(|code| self.code(code));
                }
                self.value(&buffer.element);
            }
            Kind::Match { value, arms, default } => {
                self.code(value);
                arms.iter().for_each(|(_, value)| self.value(value));
                default.iter().for_each(|value| self.value(value));
            }
        }
    }

    fn block(&mut self, id: BlockId) {
        if self.seen.insert(id)
            && let Some(block) = self.blocks.get(id.index())
        {
            block.values.iter().for_each(|(_, value)| self.value(value));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use super::*;
    use crate::driver::{Effort, NoImports, SourceText, Unjudged, compile};
    use crate::lower::plan::plan_library;

    /// The values that each value of a library reads come before it.
    fn is_sorted(name: &str, text: &str) -> usize {
        let root = SourceText { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
        let contract = compile(root, &mut NoImports, &mut Unjudged, Effort::Build, &[]).contract.unwrap();
        let mut read = 0;
        for library in contract.libraries() {
            let plan = plan_library(library);
            for block in &plan.blocks {
                let mut there = HashSet::new();
                for (at, value) in &block.values {
                    let mut reads = reads_of(value, block.memory, &plan.blocks);
                    reads.remove(at);
                    assert!(reads.is_subset(&there), "{name}: {:?} {at:?} reads {reads:?}", block.memory);
                    read += reads.len();
                    there.insert(*at);
                }
            }
        }
        read
    }

    #[test]
    fn what_is_read_comes_first() {
        let text = "cxspec 1; package a; library L { func f(p: in [u8; n[0]], n: in [u32; m], m: u32) -> void; }";
        assert_eq!(is_sorted("small", text), 3);
        for name in ["zlib", "opencl", "sqlite"] {
            let text = fs::read_to_string(format!("{}/../../specs/{name}.cxspec", env!("CARGO_MANIFEST_DIR"))).unwrap();
            assert!(is_sorted(name, &text) >= 10, "{name}");
        }
    }
}
