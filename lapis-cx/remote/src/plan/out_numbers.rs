//! Numbers that only come back, in structs whose other members go in: a message to the callee carries them too, so those that the callee does not write
//! keep their values. The compiler describes them as `out` only, because expressions at entry must not rely on them.

use super::facts::each_inner;
use super::{Block, BlockId, Kind, Op, Value};

/// Makes requests carry the numbers that only come back, in all structs whose contents they carry.
pub(super) fn copy_in(blocks: &mut [Block]) {
    let mut left = Vec::new();
    for value in blocks.iter_mut().flat_map(|block| &mut block.values) {
        each_inner(value, &mut |inner| {
            if let Kind::Buffer(buffer) = &inner.kind
                && buffer.is_in
            {
                add_embedded(&buffer.element, &mut left);
            }
        });
    }
    let mut found = vec![false; blocks.len()];
    while let Some(id) = left.pop() {
        let (Some(is_found), Some(block)) = (found.get_mut(id as usize), blocks.get_mut(id as usize)) else { continue };
        if !std::mem::replace(is_found, true) {
            block.values.iter().for_each(|value| add_embedded(value, &mut left));
            block.values.iter_mut().for_each(|value| _ = copy_number_in(value));
        }
    }
}

/// Adds the structs that a value consists of.
fn add_embedded(value: &Value, to: &mut Vec<BlockId>) {
    match &value.kind {
        Kind::Block(id) => to.push(*id),
        Kind::Array(array) => add_embedded(&array.element, to),
        Kind::Match(choice) => choice.cases().for_each(|case| add_embedded(case, to)),
        _ => {}
    }
}

/// Makes requests carry a number that comes back, an array of them whose length is constant, or those that are cases of a choice. Returns whether the
/// value is such a number or array.
fn copy_number_in(value: &mut Value) -> bool {
    let is_number = match &mut value.kind {
        Kind::Scalar { .. } => true,
        Kind::Array(array) => {
            let is_constant = array.valid.is_none() && matches!(array.count.ops.as_ref(), [Op::Int(_)]);
            is_constant && copy_number_in(&mut array.element)
        }
        Kind::Match(choice) => {
            choice.cases_mut().for_each(|case| _ = copy_number_in(case));
            false
        }
        _ => false,
    };
    value.copy_in |= is_number && value.copy_out;
    is_number
}
