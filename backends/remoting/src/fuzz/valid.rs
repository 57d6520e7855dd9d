//! Numbers that say how many elements carry contents (`@valid`) stay within the room that there is: more would be a fault, which is the
//! caller's or the callback's, and nothing that the library itself looks after.

use lapis_cx::lower::plan::{Block, Code, Kind, Number, Op, Value};

use super::code::{Why, size};
use super::{Phase, Printer, Target, line};

/// Where a number lies, if that is all that an expression says.
fn place_of(code: &Code) -> Option<(Code, &Number)> {
    let end = code.ops.iter().rposition(|op| !matches!(op, Op::Leave))?;
    let Op::Load(number) = code.ops.get(end)? else { return None };
    let ops = code.ops.iter().enumerate().filter(|(at, _)| *at != end).map(|(_, op)| op.clone()).collect();
    Some((Code { ops, text: code.text.clone() }, number))
}

impl Printer<'_> {
    /// Prints what corrects the number for a value, after all of its block was made.
    pub(super) fn keep_within(
        &self,
        out: &mut String,
        value: &Value,
        target: &Target,
        block: &Block,
        phase: Phase,
    ) -> Result<(), Why> {
        let (room, valid) = match &value.kind {
            // What comes back of a call has the library's number.
            Kind::Buffer(buffer) if phase == Phase::Tell && buffer.is_out || phase == Phase::Make && !buffer.is_out => {
                (buffer.count.as_ref(), &buffer.valid)
            }
            Kind::Array { count, valid, .. } if phase.has(value) => (Some(count), valid),
            _ => return Ok(()),
        };
        let (Some(room), Some(valid)) = (room, valid) else { return Ok(()) };
        let Some((place, number)) = place_of(valid) else {
            let why = "a callback that says by an expression how much it wrote";
            return if phase == Phase::Tell { Err(why) } else { Ok(()) };
        };
        let (place, room) = (self.number(&place, target, block, phase)?, self.number(room, target, block, phase)?);
        let (bytes, is_signed) = (size(self.unit, &number.size), number.sign_in_c());
        line(out, target.depth, &format!("(void){};", target.scope));
        line(out, target.depth, &format!("cxf_keep_within(c, {place}, {room}, {bytes}, {is_signed});"));
        Ok(())
    }
}
