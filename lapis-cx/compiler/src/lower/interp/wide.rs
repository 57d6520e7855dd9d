//! Operations on wide values, by exact integers.

use super::frame::Frame;
use super::memory::Place;
use super::{Defect, Machine};
use crate::int::Int;
use crate::lower::ir::{Slice, Storage, Ty, WideOp};

/// The number that limbs hold, lowest first.
pub(super) fn value(limbs: &[u64]) -> Int {
    limbs.iter().rev().fold(Int::ZERO, |v, limb| v.shl(32).or(&Int::from(*limb)))
}

/// A right shift of a value of this many limbs.
pub(super) fn shifted_right(v: &Int, by: u64, limbs: u32) -> Int {
    match u32::try_from(by) {
        Ok(by) if u64::from(by) < 32 * u64::from(limbs) => v.shr(by),
        _ => Int::ZERO,
    }
}

impl<'a> Machine<'a> {
    pub(super) fn wide_stmt(
        &mut self,
        frame: &mut Frame<'a>,
        dst: &'a Slice,
        limbs: u32,
        op: &'a WideOp,
    ) -> Result<(), Defect> {
        let place = self.place(frame, dst, limbs)?;
        if place.storage() != Storage::U32 {
            return Err(Defect::Type);
        }
        let bits = limbs.checked_mul(32).ok_or(Defect::Type)?;
        let v = self.wide_result(frame, &place, limbs, bits, op)?;
        let limbs: Vec<u64> = v.wrap(bits, false).limbs32(limbs as usize).into_iter().map(u64::from).collect();
        self.store(frame, &place, &limbs)
    }

    /// The exact result, of which the destination takes the low bits.
    fn wide_result(
        &mut self,
        frame: &Frame<'a>,
        dst: &Place,
        limbs: u32,
        bits: u32,
        op: &'a WideOp,
    ) -> Result<Int, Defect> {
        let mut operand = |slice: &'a Slice, limbs: u32| {
            let place = self.place(frame, slice, limbs)?;
            dst.apart(&place)?;
            self.wide_at(frame, &place)
        };
        Ok(match op {
            WideOp::Word(e) => Int::from(self.word_of(frame, e)?),
            WideOp::Resize(a, n) => operand(a, *n)?,
            WideOp::Add(a, b) => &operand(a, limbs)? + &operand(b, limbs)?,
            WideOp::Sub(a, b) => &operand(a, limbs)? - &operand(b, limbs)?,
            WideOp::Mul(a, b) => {
                let v = &operand(a, limbs)? * &operand(b, limbs)?;
                self.charge(u64::from(limbs) * u64::from(limbs))?;
                v
            }
            WideOp::And(a, b) => operand(a, limbs)?.and(&operand(b, limbs)?),
            WideOp::Or(a, b) => operand(a, limbs)?.or(&operand(b, limbs)?),
            WideOp::Xor(a, b) => operand(a, limbs)?.xor(&operand(b, limbs)?),
            WideOp::Not(a) => &Int::from(-1) - &operand(a, limbs)?,
            WideOp::Shl(a, by) => {
                let a = operand(a, limbs)?;
                let by = self.typed(frame, by, Ty::W32)?;
                match u32::try_from(by) {
                    Ok(by) if by < bits => a.shl(by),
                    _ => Int::ZERO,
                }
            }
            WideOp::Shr(a, by) => {
                let a = operand(a, limbs)?;
                let by = self.typed(frame, by, Ty::W32)?;
                shifted_right(&a, by, limbs)
            }
            WideOp::Div(a, b) => {
                let (a, b) = (operand(a, limbs)?, operand(b, limbs)?);
                self.charge(u64::from(limbs) * u64::from(limbs))?;
                a.div_trunc(&b).unwrap_or(Int::from(-1))
            }
            WideOp::Rem(a, b) => {
                let (a, b) = (operand(a, limbs)?, operand(b, limbs)?);
                self.charge(u64::from(limbs) * u64::from(limbs))?;
                a.rem_trunc(&b).unwrap_or(a)
            }
            WideOp::Mask(width) => self.wide_at(frame, dst)?.wrap((*width).min(bits), false),
            WideOp::SignExtend(width) => {
                if !(1..=bits).contains(width) {
                    return Err(Defect::Type);
                }
                self.wide_at(frame, dst)?.wrap(*width, true)
            }
        })
    }
}
