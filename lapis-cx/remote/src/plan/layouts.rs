//! Finds blocks that describe memory alike: with the same pointers, objects and functions at the same offsets. A specification may describe one
//! C struct in several ways, and a call may pass one struct by two of them. Other memory must not be taken for it: storing a number where a
//! pointer is expected would forge the pointer.

use std::collections::HashMap;

use super::{Block, Buffer, Kind, Value};

/// A part of a description: the offset of the value, its kind, and what is said of the kind.
type Part = (usize, Form, usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    Size,
    Address,
    Handle,
    Array,
    Pointer,
    Numbers,
    Block,
    Callback,
    Userdata,
    Within,
    Path,
    Descriptor,
    Function,
    Match,
    End,
}

/// Returns a number for each block. Two blocks have the same number if they describe memory alike.
pub(super) fn of_blocks(blocks: &[Block]) -> Vec<u32> {
    // Blocks count as alike until a difference is found. Pointers in them may lead to blocks that differ, so this repeats.
    let (mut layouts, mut count) = (vec![0; blocks.len()], 0);
    loop {
        let mut known = HashMap::new();
        let next: Vec<u32> = blocks
            .iter()
            .map(|block| {
                let mut parts = vec![(0, Form::Size, block.bytes)];
                block.values.iter().for_each(|value| describe(value, value.offset, (blocks, &layouts), &mut parts));
                let number = known.len() as u32;
                *known.entry(parts).or_insert(number)
            })
            .collect();
        if known.len() == count {
            return next;
        }
        (layouts, count) = (next, known.len());
    }
}

/// Adds the parts of a value at this offset. Numbers, and what no message carries, have none.
fn describe(value: &Value, offset: usize, (blocks, layouts): (&[Block], &[u32]), parts: &mut Vec<Part>) {
    let (form, detail) = match &value.kind {
        Kind::Nothing | Kind::Scalar { .. } | Kind::Local(_) | Kind::Stream { .. } => return,
        Kind::Address { .. } => (Form::Address, 0),
        Kind::Handle(handle) => (Form::Handle, handle.of as usize),
        Kind::Callback { of, .. } => (Form::Callback, *of as usize),
        Kind::Userdata { .. } => (Form::Userdata, 0),
        Kind::Within { .. } => (Form::Within, 0),
        Kind::File(file) if file.is_descriptor => (Form::Descriptor, 0),
        Kind::File(_) => (Form::Path, 0),
        Kind::Function(_) => (Form::Function, 0),
        Kind::Block(id) => {
            // An embedded struct is not a part of its own: its members count as those of the block around it.
            let values = blocks.get(*id as usize).map_or(&[][..], |block| &block.values);
            values.iter().for_each(|one| describe(one, offset + one.offset, (blocks, layouts), parts));
            return;
        }
        Kind::Buffer(buffer) => return describe_pointer(buffer, offset, (blocks, layouts), parts),
        Kind::Array(array) => {
            let before = parts.len();
            parts.push((offset, Form::Array, array.stride));
            describe(&array.element, 0, (blocks, layouts), parts);
            close(before, offset, parts);
            return;
        }
        Kind::Match(choice) => {
            let before = parts.len();
            for (n, case) in choice.cases().enumerate() {
                let first = parts.len();
                parts.push((offset, Form::Match, n));
                describe(case, offset, (blocks, layouts), parts);
                close(first, offset, parts);
            }
            close(before, offset, parts);
            return;
        }
    };
    parts.push((offset, form, detail));
}

/// Ends the parts that begin at `first`. The first one only encloses others, so it is removed if it encloses none.
fn close(first: usize, offset: usize, parts: &mut Vec<Part>) {
    if parts.len() <= first + 1 {
        parts.truncate(first);
    } else {
        parts.push((offset, Form::End, 0));
    }
}

fn describe_pointer(buffer: &Buffer, offset: usize, (blocks, layouts): (&[Block], &[u32]), parts: &mut Vec<Part>) {
    parts.push((offset, Form::Pointer, buffer.stride));
    match &buffer.element.kind {
        _ if buffer.facts.is_flat => parts.push((0, Form::Numbers, 0)),
        Kind::Scalar { .. } => parts.push((0, Form::Numbers, 0)),
        // A block may contain a pointer to itself.
        Kind::Block(id) => parts.push((0, Form::Block, layouts.get(*id as usize).copied().unwrap_or(0) as usize)),
        _ => describe(&buffer.element, 0, (blocks, layouts), parts),
    }
    parts.push((offset, Form::End, 0));
}
