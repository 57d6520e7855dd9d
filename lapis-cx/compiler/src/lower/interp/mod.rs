//! An interpreter of the lowered core: what [`ir`] says, and nothing else.
//!
//! It is the meaning of the lowered core as code, for whoever prints it, and it judges lowering without a compiler of a
//! target. Every promise of [`ir`] that a program breaks is a [`Defect`]; nothing is computed in its place.

mod defect;
mod expr;
mod frame;
mod memory;
mod stmt;
#[cfg(test)]
mod tests;
mod wide;

pub use defect::{Defect, Thing};

use self::frame::{Frame, Role};
use super::ir::{self, Answer, Body, Command, Edge, Section, State, Ty, ones};
use crate::contract::Response;
use crate::contract::layout::status;

/// Steps for one command or one access to a state word.
pub const STEPS: u64 = 20_000_000;

/// How deeply expressions, blocks and calls may nest together: what fits the 2 MB stack of a thread in a build without
/// optimisation.
const MAX_DEPTH: u32 = 400;

/// How an instruction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The result register: XLEN bits, zero-extended to 64.
    pub rd: u64,
    /// A [`Response`] as a number, or 7 for a trap: [`Answer`], and 4 for a function id that is not there.
    pub response: u8,
}

/// A CX of one lowered interface with one state context.
#[derive(Clone, Debug)]
pub struct Machine<'a> {
    section: &'a Section,
    /// The elements of each field; a scalar has one.
    fields: Vec<Vec<Option<u64>>>,
    status: u32,
    /// Steps left.
    steps: u64,
    depth: u32,
}

impl<'a> Machine<'a> {
    /// A CX after reset.
    ///
    /// # Errors
    ///
    /// A defect of the body that resets the fields.
    pub fn new(section: &'a Section) -> Result<Machine<'a>, Defect> {
        let mut machine = Machine { section, fields: Vec::new(), status: 0, steps: STEPS, depth: 0 };
        if let Some(state) = &section.state {
            for field in &state.fields {
                let len = frame::elements(field.shape);
                machine.charge(u64::from(len))?;
                machine.fields.push(vec![None; len as usize]);
            }
            machine.status = status::word(status::INITIAL, u64::from(state.words), 0);
            machine.reset(state)?;
        }
        Ok(machine)
    }

    /// Issues a function id with what the registers hold; bits above XLEN are ignored. Bits 31:16 of `function` are the
    /// immediate of a flex command whose registers are both taken. An id that the interface does not have answers
    /// [`Response::Func`].
    ///
    /// # Errors
    ///
    /// A defect of the command. The state is then as far as the command came.
    pub fn issue(&mut self, function: impl Into<u32>, rs1: u64, rs2: u64) -> Result<Reply, Defect> {
        let function = function.into();
        let Some(command) = self.section.commands.iter().find(|c| u32::from(c.id) == function & 0xFFFF) else {
            return Ok(self.refusal());
        };
        let operand = |param: &ir::Param| match param.register {
            Some(0) => rs1,
            Some(_) => rs2,
            None => u64::from(function >> 16),
        };
        let args: Vec<u64> = command.params.iter().map(operand).collect();
        self.call(command, &args)
    }

    /// Runs a command of the section on its operands, of which the bits above their edge are ignored.
    ///
    /// # Errors
    ///
    /// As [`Machine::issue`].
    pub fn call(&mut self, command: &'a Command, args: &[u64]) -> Result<Reply, Defect> {
        self.refill();
        if args.len() != command.params.len() {
            return Err(Defect::Absent(Thing::Argument));
        }
        let cut = |(edge, v): (Edge, &u64)| (edge.ty(), v & ones(edge_bits(edge).min(self.section.xlen)));
        let args = command.params.iter().map(|p| p.edge).zip(args).map(cut).collect();
        let mut frame = Frame::new(Role::Command, &command.body, args, None);
        self.charge(command.body.locals.len() as u64)?;
        let ending = self.body(&mut frame, &command.body)?;
        let Some(stmt::Ending::Finish(answer, value)) = ending else { return Err(Defect::Ending) };
        if !command.can_fail && !matches!(answer, Answer::Ok | Answer::Off) {
            return Err(Defect::Answer(answer));
        }
        let rd = match (command.result, value) {
            (Some(edge), Some((ty, v))) if ty == edge.ty() => self.at_edge(edge, v)?,
            (None, None) => 0,
            _ => return Err(Defect::Type),
        };
        Ok(Reply { rd, response: answer as u8 })
    }

    /// The status word and then the state words; empty for a stateless interface.
    ///
    /// # Errors
    ///
    /// A defect of the body that reads a word.
    pub fn save(&mut self) -> Result<Vec<u64>, Defect> {
        let Some(state) = &self.section.state else { return Ok(Vec::new()) };
        let mut image = vec![u64::from(self.status)];
        for index in 0..state.words {
            self.refill();
            image.push(self.read_word(state, u64::from(index))?);
        }
        Ok(image)
    }

    /// Takes back what [`Machine::save`] gave: the fields have their reset values if `cs` is off or initial, an error
    /// code that is not declared becomes 0, and the size in the status word is not taken. Words that are missing are as
    /// after reset.
    ///
    /// # Errors
    ///
    /// A defect of the bodies that reset the fields and write a word.
    pub fn restore(&mut self, image: &[u64]) -> Result<(), Defect> {
        let (Some(state), Some((first, words))) = (&self.section.state, image.split_first()) else {
            return Ok(());
        };
        self.refill();
        self.reset(state)?;
        let (cs, error) = ((first >> status::CS_SHIFT) as u8 & status::DIRTY, (first >> status::ERROR_SHIFT) as u8);
        let error = if state.codes.contains(&error) { error } else { 0 };
        self.status = status::word(cs, u64::from(state.words), error);
        if cs > status::INITIAL {
            for (index, word) in (0..u64::from(state.words)).zip(words) {
                self.refill();
                self.write_word(state, index, word & ones(self.section.xlen))?;
            }
        }
        Ok(())
    }

    fn refusal(&self) -> Reply {
        let off = self.section.state.is_some() && self.status & u32::from(status::DIRTY) == u32::from(status::OFF);
        Reply { rd: 0, response: if off { Response::Off } else { Response::Func } as u8 }
    }

    /// A result as the register has it.
    fn at_edge(&self, edge: Edge, v: u64) -> Result<u64, Defect> {
        let register = ones(self.section.xlen);
        match edge {
            Edge::Bool => Ok(v),
            Edge::Unsigned(bits) => frame::fits(v, bits),
            // What the word has above the edge is cut off.
            Edge::Signed(bits) => Ok(sign_extend(v & ones(bits), bits) & register),
        }
    }

    fn reset(&mut self, state: &'a State) -> Result<(), Defect> {
        match self.over_state(Role::Write, &state.reset, &[])? {
            None => Ok(()),
            Some(_) => Err(Defect::Ending),
        }
    }

    fn read_word(&mut self, state: &'a State, index: u64) -> Result<u64, Defect> {
        match self.over_state(Role::Read, &state.read_word, &[index])? {
            Some((ty, v)) if ty == self.word() => Ok(v),
            _ => Err(Defect::Ending),
        }
    }

    fn write_word(&mut self, state: &'a State, index: u64, word: u64) -> Result<(), Defect> {
        match self.over_state(Role::Write, &state.write_word, &[index, word])? {
            None => Ok(()),
            Some(_) => Err(Defect::Ending),
        }
    }

    /// A word of XLEN bits.
    fn word(&self) -> Ty {
        Ty::for_width(self.section.xlen)
    }

    /// Runs a body of the state on words of XLEN bits.
    fn over_state(&mut self, role: Role, body: &'a Body, args: &[u64]) -> Result<Option<(Ty, u64)>, Defect> {
        let mut frame = Frame::new(role, body, Vec::new(), None);
        self.charge(body.locals.len() as u64)?;
        for (i, arg) in args.iter().enumerate() {
            frame.begin_with(ir::LocalId(i as u32), self.word(), *arg)?;
        }
        match self.body(&mut frame, body)? {
            None => Ok(None),
            Some(stmt::Ending::Return(value)) => Ok(value),
            Some(stmt::Ending::Finish(..)) => Err(Defect::Ending),
        }
    }

    fn refill(&mut self) {
        self.steps = STEPS;
        self.depth = 0;
    }

    fn charge(&mut self, steps: u64) -> Result<(), Defect> {
        self.steps = self.steps.checked_sub(steps).ok_or(Defect::Steps)?;
        Ok(())
    }

    /// Runs `f` one level deeper.
    fn deeper<R>(&mut self, f: impl FnOnce(&mut Self) -> Result<R, Defect>) -> Result<R, Defect> {
        if self.depth >= MAX_DEPTH {
            return Err(Defect::Depth);
        }
        self.depth += 1;
        let result = f(self)?;
        self.depth -= 1;
        Ok(result)
    }
}

fn edge_bits(edge: Edge) -> u32 {
    match edge {
        Edge::Bool => 1,
        Edge::Unsigned(bits) | Edge::Signed(bits) => bits,
    }
}

/// A pattern of `bits` bits, zeros above, with its top bit copied to all above.
fn sign_extend(v: u64, bits: u32) -> u64 {
    let top = 1u64.checked_shl(bits.saturating_sub(1)).unwrap_or(0);
    (v ^ top).wrapping_sub(top)
}
