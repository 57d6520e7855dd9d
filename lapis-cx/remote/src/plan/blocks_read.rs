//! Finds how many of the blocks around a value its expressions read. What two pointers lead to is the same only if no expression in it reads
//! a block outside of it.

use super::{Block, Code, Kind, Lifetime, Op, Value};

/// Returns the number of blocks that an expression reads, from its own block outwards: 0 if it only reads arguments and constants, 2 if it reads
/// the block around its own.
pub(super) fn of_ops(ops: &[Op]) -> usize {
    // The block of each open step: its distance outwards from the expression's block, and how many structs the expression entered from there.
    let mut open = vec![Some((0_usize, 0_usize))];
    let mut most = 0;
    for op in ops {
        let now = open.last().copied().flatten();
        match op {
            Op::EnterArguments => open.push(None),
            Op::EnterOuter => open.push(now.map(|(outside, entered)| match entered.checked_sub(1) {
                Some(entered) => (outside, entered),
                None => (outside + 1, 0),
            })),
            Op::Enter => open.push(now.map(|(outside, entered)| (outside, entered + 1))),
            Op::EnterElement => open.push(now),
            Op::Leave => drop(open.pop()),
            Op::Own | Op::Index | Op::Old(_) | Op::Native { .. } => {
                if let Some((outside, 0)) = now {
                    most = most.max(outside + 1);
                }
            }
            // A value that reads itself does not depend on the block around, but a value further outside does.
            Op::This => {
                if let Some((outside @ 1.., 0)) = now {
                    most = most.max(outside + 1);
                }
            }
            _ => {}
        }
    }
    most
}

/// Returns for each block how many of the blocks around it its expressions read.
pub(super) fn outer_read(blocks: &[Block]) -> Vec<usize> {
    let mut outer_read = vec![0; blocks.len()];
    // A block can contain another one, and a pointer to itself, so this repeats until nothing changes. No number exceeds that of an expression.
    loop {
        let of_block = |block: &Block| {
            let of_values = block.values.iter().map(|value| of_value(value, &outer_read));
            of_values.chain(block.snapshots.iter().map(of_code)).max().unwrap_or(0).saturating_sub(1)
        };
        let next: Vec<usize> = blocks.iter().map(of_block).collect();
        if next == outer_read {
            return outer_read;
        }
        outer_read = next;
    }
}

fn of_code(code: &Code) -> usize {
    code.facts.blocks_read
}

/// Returns how many blocks the expressions of a value read, from the block of the value outwards. `around` is the result of [`around`].
pub(super) fn of_value(value: &Value, outer_read: &[usize]) -> usize {
    let of = |codes: &[Option<&Code>]| codes.iter().flatten().map(|code| of_code(code)).max().unwrap_or(0);
    let of_kind = match &value.kind {
        Kind::Nothing | Kind::Scalar { .. } | Kind::Address { .. } | Kind::Stream { .. } | Kind::Local { .. } => 0,
        Kind::Handle(handle) => of(&[handle.capacity.as_ref()]),
        Kind::Block(id) => outer_read.get(*id as usize).copied().unwrap_or(0),
        Kind::Array(array) => of(&[Some(&array.count), array.valid.as_ref()]).max(of_value(&array.element, outer_read)),
        Kind::Buffer(buffer) => {
            let until = buffer.until.as_ref().map(|until| &until.value);
            let of_extent = of(&[buffer.count.as_ref(), until, buffer.valid.as_ref()]);
            of_extent.max(of_lifetime(&buffer.lifetime)).max(of_value(&buffer.element, outer_read))
        }
        Kind::Callback { lifetime, .. } => of_lifetime(lifetime),
        Kind::Userdata { of: functions, lifetime } => {
            functions.iter().map(|one| of_code(&one.function)).max().unwrap_or(0).max(of_lifetime(lifetime))
        }
        Kind::Within { region, .. } => of(&[region.as_ref()]),
        Kind::File(file) => of_lifetime(&file.lifetime),
        Kind::Function(name) => of_code(name),
        Kind::Match(choice) => {
            let of_cases = choice.cases().map(|case| of_value(case, outer_read)).max().unwrap_or(0);
            of_code(&choice.value).max(of_cases)
        }
    };
    of_kind.max(of(&[value.on.as_ref()]))
}

/// Returns the expressions of a lifetime.
fn codes_of(lifetime: &Lifetime) -> &[Code] {
    match lifetime {
        Lifetime::Handle(_, code)
        | Lifetime::MirroredStruct(code)
        | Lifetime::Scope(_, code)
        | Lifetime::Callback(code) => std::slice::from_ref(code),
        Lifetime::Once(codes) => codes,
        Lifetime::Call | Lifetime::Static | Lifetime::Manual => &[],
    }
}

fn of_lifetime(lifetime: &Lifetime) -> usize {
    codes_of(lifetime).iter().map(of_code).max().unwrap_or(0)
}

/// Returns whether a lifetime is the same for all values of one block: its expressions read neither a block around nor the value itself.
pub(crate) fn is_of_block(lifetime: &Lifetime) -> bool {
    let reads_value = |code: &Code| code.ops.iter().any(|op| matches!(op, Op::This | Op::Index));
    of_lifetime(lifetime) <= 1 && !codes_of(lifetime).iter().any(reads_value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_read_counts_only_blocks_whose_members_are_read() {
        assert_eq!(of_ops(&[Op::Arguments, Op::Field(8)]), 0);
        assert_eq!(of_ops(&[Op::Own, Op::Field(8)]), 1);
        assert_eq!(of_ops(&[Op::EnterOuter, Op::Arguments, Op::Leave]), 0);
        assert_eq!(of_ops(&[Op::EnterOuter, Op::EnterOuter, Op::Own, Op::Leave, Op::Leave]), 3);
        assert_eq!(of_ops(&[Op::EnterArguments, Op::Own, Op::Leave]), 0);
        // The expression follows a pointer of its block, and reads its block again from the struct there.
        let entered = [Op::Own, Op::Enter, Op::EnterOuter, Op::Own, Op::Leave, Op::Own, Op::Leave];
        assert_eq!(of_ops(&entered), 1);
        assert_eq!(of_ops(&[Op::This]), 0);
    }
}
