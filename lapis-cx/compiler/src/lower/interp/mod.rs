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
use crate::contract::csr::written;
use crate::contract::{CsrOp, Response};

/// Steps for one command or one access to a state word.
pub const STEPS: u64 = 20_000_000;

/// How deeply expressions, blocks and calls may nest together: what fits the 2 MB stack of a thread in a build without
/// optimisation.
const MAX_DEPTH: u32 = 400;

/// What an expression outside of bodies runs in.
const NO_BODY: &Body = &Body { locals: Vec::new(), stmts: Vec::new() };

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
            machine.status = state.initial;
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
            return self.refusal(Some(function as u16));
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
        let reply = self.reply(&command.body, args, command.result)?;
        let answers = [Answer::Op, Answer::Custom, Answer::Trap].into_iter().find(|a| *a as u8 == reply.response);
        match answers.filter(|_| !command.can_fail) {
            Some(answer) => Err(Defect::Answer(answer)),
            None => Ok(reply),
        }
    }

    /// Accesses the CSR at an address; bits of the value above XLEN are ignored. The reply's rd is what was read.
    ///
    /// # Errors
    ///
    /// A defect of the bodies that read and write it.
    pub fn access(&mut self, address: u16, op: CsrOp, value: u64) -> Result<Reply, Defect> {
        self.refill();
        let csr = self.section.csrs.iter().find(|csr| csr.address == address);
        let Some(csr) = csr.filter(|csr| op == CsrOp::Read || csr.write.is_some()) else {
            // No access is excepted where the context is off.
            return self.refusal(None);
        };
        let word = Edge::Unsigned(self.section.xlen);
        let reply = self.reply(&csr.read, Vec::new(), Some(word))?;
        self.refill();
        match (written(op, reply.rd, value & ones(self.section.xlen)), &csr.write) {
            (Some(word), Some(body)) => {
                let written = self.reply(body, vec![(self.word(), word)], None)?;
                if written.response == reply.response { Ok(reply) } else { Err(Defect::Ending) }
            }
            _ => Ok(reply),
        }
    }

    /// Runs a body that ends as a command does.
    fn reply(&mut self, body: &'a Body, args: Vec<(Ty, u64)>, result: Option<Edge>) -> Result<Reply, Defect> {
        let mut frame = Frame::new(Role::Command, body, args, None);
        self.charge(body.locals.len() as u64)?;
        let ending = self.body(&mut frame, body)?;
        let Some(stmt::Ending::Finish(answer, value)) = ending else { return Err(Defect::Ending) };
        let rd = match (result, value) {
            (Some(edge), Some((ty, v))) if ty == edge.ty() => self.at_edge(edge, v)?,
            (None, None) => 0,
            _ => return Err(Defect::Type),
        };
        match answer {
            // Dispatchers say it.
            Answer::Func => Err(Defect::Answer(answer)),
            _ => Ok(Reply { rd, response: answer as u8 }),
        }
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
            image.push(match &state.live {
                Some(live) => match self.over_state(Role::Restore, &live.save, &[u64::from(index)])? {
                    Some((ty, word)) if ty == self.word() => word,
                    _ => return Err(Defect::Ending),
                },
                None => self.read_word(state, u64::from(index))?,
            });
        }
        Ok(image)
    }

    /// Takes back what [`Machine::save`] gave, as [`State::restore`] says. Words that are missing are as after reset.
    ///
    /// # Errors
    ///
    /// A defect of the bodies that reset the fields and write a word.
    pub fn restore(&mut self, image: &[u64]) -> Result<(), Defect> {
        let (Some(state), Some((first, words))) = (&self.section.state, image.split_first()) else {
            return Ok(());
        };
        self.refill();
        let first = first & ones(self.section.xlen);
        let Some((Ty::Bool, more)) = self.over_state(Role::Restore, &state.restore, &[first])? else {
            return Err(Defect::Ending);
        };
        if more != 0 {
            for (index, word) in (0..u64::from(state.words)).zip(words) {
                self.refill();
                let word = word & ones(self.section.xlen);
                match &state.live {
                    Some(live) => match self.over_state(Role::Restore, &live.restore, &[index, word])? {
                        None => {}
                        Some(_) => return Err(Defect::Ending),
                    },
                    None => self.write_word(state, index, word)?,
                }
            }
        }
        Ok(())
    }

    /// How a function id is answered that leads to no command, or an access that leads to no CSR.
    fn refusal(&mut self, function: Option<u16>) -> Result<Reply, Defect> {
        let mut response = Response::Func;
        let excepted = |state: &State| function.is_some_and(|id| state.not_off.contains(&id));
        if let Some(state) = self.section.state.as_ref().filter(|state| !excepted(state)) {
            let frame = Frame::new(Role::Restore, NO_BODY, Vec::new(), None);
            if self.condition(&frame, &state.is_off)? {
                response = Response::Off;
            }
        }
        Ok(Reply { rd: 0, response: response as u8 })
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
