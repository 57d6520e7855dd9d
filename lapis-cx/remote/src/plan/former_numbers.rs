//! Numbers that only come back, in structs that go in: a message to the callee carries them too, so those that the callee does not write keep their
//! values. The compiler describes them as `out` only, because expressions at entry must not rely on them.

use super::facts::each_inner;
use super::{Block, BlockId, Kind, Op, Value};

/// Sends the numbers that only come back, in all structs whose buffers go in and do not come back as a whole.
pub(super) fn send(blocks: &mut [Block]) {
    let mut left = Vec::new();
    for value in blocks.iter_mut().flat_map(|block| &mut block.values) {
        each_inner(value, &mut |inner| {
            if let Kind::Buffer(buffer) = &inner.kind
                && buffer.is_in
                && !buffer.is_out
            {
                left.extend(embedded(&buffer.element));
            }
        });
    }
    let mut found = vec![false; blocks.len()];
    while let Some(id) = left.pop() {
        let (Some(is_found), Some(block)) = (found.get_mut(id as usize), blocks.get_mut(id as usize)) else { continue };
        if !std::mem::replace(is_found, true) {
            left.extend(block.values.iter().filter_map(embedded));
            block.values.iter_mut().filter(|value| value.copy_out).for_each(send_number);
        }
    }
}

/// Returns the struct that a value is, or of which a value is an array.
fn embedded(value: &Value) -> Option<BlockId> {
    match &value.kind {
        Kind::Block(id) => Some(*id),
        Kind::Array(array) => embedded(&array.element),
        _ => None,
    }
}

/// Sends a number, or an array of numbers whose length is constant.
fn send_number(value: &mut Value) {
    match &mut value.kind {
        Kind::Scalar { .. } => value.copy_in = true,
        Kind::Array(array) => {
            let is_constant = array.valid.is_none() && matches!(array.count.ops.as_ref(), [Op::Int(_)]);
            if is_constant && matches!(array.element.kind, Kind::Scalar { .. }) {
                (value.copy_in, array.element.copy_in) = (true, true);
            }
        }
        _ => {}
    }
}
