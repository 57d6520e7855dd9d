//! The lists of operations that a message executes on a block. Requests and replies of all calls run through the same traversal
//! (`marshal::traverse`), which executes one of these two flat lists that [`Plan::read`](super::Plan::read) compiles once.
//!
//! A block of numbers is one [`Step::Copy`]. A plain buffer is one [`Step::Value`]. A value that a message does not carry has no step.

use super::facts::Blocks;
use super::{Block, Buffer, Kind, Lifetime, Ownership, Value, is_local};

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

/// Compiles the lists of a block whose values have their facts.
pub(super) fn compile(block: &mut Block, blocks: &Blocks) {
    let (mut request, mut reply) = (Vec::new(), Vec::new());
    for (at, value) in block.values.iter().enumerate() {
        let is_copy = matches!(&value.kind, Kind::Scalar { scalar, wire } if scalar.bytes == *wire);
        if blocks.in_request(value) {
            push(&mut request, at, value, is_copy);
        }
        if blocks.in_reply(value) {
            // Conditional values are part of the reply. The reply of a failed call only carries the result.
            push(&mut reply, at, value, is_copy && value.on.is_none() && !value.is_result);
        }
    }
    let plain = |(at, value)| plain_buffer(value).map(|buffer| (at, buffer.is_out || is_local(buffer)));
    let plain: Vec<(usize, bool)> = block.values.iter().enumerate().filter_map(plain).collect();
    let has_inner = block.values.iter().any(may_have_buffers);
    if has_inner && !plain.is_empty() || plain.len() > 1 && plain.iter().any(|(_, is_written)| *is_written) {
        block.facts.may_overlap = plain.into_iter().map(|(at, _)| at).collect();
    }
    (block.facts.request, block.facts.reply) = (request.into(), reply.into());
}

/// Returns whether there may be buffers in a value, or in the elements of a buffer.
fn may_have_buffers(value: &Value) -> bool {
    match &value.kind {
        Kind::Buffer(buffer) => !buffer.facts.is_flat,
        Kind::Block(_) | Kind::Array(_) | Kind::Match(_) => true,
        _ => false,
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

/// Returns the buffer of a value if it contains numbers, is only used during the call, and its length depends on the arguments only.
pub(crate) fn plain_buffer(value: &Value) -> Option<&Buffer> {
    let Kind::Buffer(buffer) = &value.kind else { return None };
    let is_borrowed = buffer.ownership == Ownership::Borrowed && matches!(buffer.lifetime, Lifetime::Call);
    let is_plain =
        value.copy_in && buffer.facts.is_flat && is_borrowed && buffer.until.is_none() && !buffer.facts.varies;
    is_plain.then_some(buffer)
}
