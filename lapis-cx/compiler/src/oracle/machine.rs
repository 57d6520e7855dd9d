//! One soft CX: a state context and the commands of an interface on it, by the language's "Commands" and "State,
//! status word, CSRs".

use super::eval::{DEFAULT_FUEL, Ending, EvalError, Evaluator, World};
use super::ops;
use crate::contract::core::{Body, Raised, Type, Value};
use crate::contract::csr::Access;
use crate::contract::layout::{Layout, status};
use crate::contract::{
    Command, CommandId, Csr, CsrId, CsrOp, Field, FieldId, LiveWords, Response, Section, Semantics, Slot, Standard,
};
use crate::int::Int;

/// A state context. A stateless interface has one too, without fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The fields' values in source order.
    pub fields: Vec<Value>,
    /// `cs` of the status word, 0 to 3 ([`status`]).
    pub cs: u8,
    /// `error` of the status word.
    pub error: u8,
}

impl Context {
    /// As after reset.
    pub fn reset(section: &Section) -> Context {
        let fields = section.state.iter().flat_map(|state| &state.fields);
        Context { fields: fields.map(|f| f.reset.clone()).collect(), cs: status::INITIAL, error: 0 }
    }
}

/// What reaches a CX with one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operands {
    /// The first register; bits above XLEN are ignored.
    pub rs1: u64,
    /// The second register, or in form I the sign-extended immediate; bits above XLEN are ignored.
    pub rs2: u64,
    /// The immediate of an operand that is declared `imm`, sign-extended.
    pub imm: u64,
}

/// How an instruction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With a result and a response status.
    Replied {
        /// The result register: XLEN bits, zero-extended to 64.
        rd: u64,
        /// The response.
        response: Response,
    },
    /// `trap`: nothing happened here; a higher level takes over.
    Trapped,
}

/// How a command with typed operands ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypedOutcome {
    /// With a result and a response status.
    Replied {
        /// The result in the command's type; a word of 0 if it has none.
        value: Value,
        /// The response.
        response: Response,
    },
    /// `trap`: nothing happened here; a higher level takes over.
    Trapped,
}

/// A CX of one interface at one XLEN with one context.
#[derive(Clone, Debug)]
pub struct Machine<'a> {
    section: &'a Section,
    layout: Layout,
    /// The context; may be set to anything.
    pub context: Context,
}

impl<'a> Machine<'a> {
    /// A CX after reset.
    pub fn new(section: &'a Section) -> Machine<'a> {
        Machine { section, layout: Layout::new(section), context: Context::reset(section) }
    }

    /// The interface at this XLEN.
    pub fn section(&self) -> &'a Section {
        self.section
    }

    /// Back to reset, as at power-on.
    pub fn reset(&mut self) {
        self.context = Context::reset(self.section);
    }

    /// The status word.
    pub fn status(&self) -> u32 {
        status::word(self.context.cs, self.layout.words, self.context.error)
    }

    /// The field that holds a state word.
    pub fn field_of(&self, word: u64) -> Option<&'a Field> {
        let (place, _) = self.layout.locate(word)?;
        self.section.state.as_ref()?.fields.get(place)
    }

    /// The state as `read_state` gives it, word by word.
    pub fn words(&self) -> Vec<u64> {
        self.layout.pack(&self.context.fields)
    }

    /// The image of the context: status word, then state words, of which those that are not live are 0.
    ///
    /// # Errors
    ///
    /// [`EvalError::OutOfFuel`] if it takes too long to find what is live.
    pub fn save(&self) -> Result<Vec<u64>, EvalError> {
        let mut image = vec![u64::from(self.status())];
        for (index, word) in self.words().into_iter().enumerate() {
            let is_live = match &self.section.live {
                Some(live) => self.is_live(&live.save, index as u64)?,
                None => true,
            };
            image.push(if is_live { word } else { 0 });
        }
        Ok(image)
    }

    /// Takes an image back: the fields have their reset values if `cs` is off or initial, an error code that is not declared
    /// becomes 0, and the size in the status word is not taken. Words that are missing are as after reset.
    ///
    /// # Errors
    ///
    /// As [`Machine::save`].
    pub fn restore(&mut self, image: &[u64]) -> Result<(), EvalError> {
        let Some((word, words)) = image.split_first() else { return Ok(()) };
        self.reset();
        self.context.cs = (word >> status::CS_SHIFT) as u8 & status::DIRTY;
        let error = (word >> status::ERROR_SHIFT) as u8;
        self.context.error = if self.section.errors.iter().any(|e| e.code == error) { error } else { 0 };
        if self.context.cs <= status::INITIAL {
            return Ok(());
        }
        for (index, word) in (0..self.layout.words).zip(words) {
            let is_live = match &self.section.live {
                Some(live) => self.is_live(&live.restore, index)?,
                None => true,
            };
            if is_live {
                self.layout.write(&mut self.context.fields, index, *word);
            }
        }
        Ok(())
    }

    /// Whether a function calls a state word live, given the fields as they are.
    ///
    /// # Errors
    ///
    /// As [`Machine::save`].
    pub fn is_live(&self, words: &LiveWords, index: u64) -> Result<bool, EvalError> {
        let fields = words.fields.iter().filter_map(|id| self.context.fields.get(id.index()).cloned());
        let args = std::iter::once(Value::Int(words.index.reduce(&Int::from(index)))).chain(fields).collect();
        Ok(!Evaluator::new(self.section).call_function(words.function, args)?.int().is_zero())
    }

    /// Issues a function id with what the registers hold. An id that the interface does not have answers
    /// [`Response::Func`].
    ///
    /// # Errors
    ///
    /// [`EvalError::Opaque`] for a command without a body; [`EvalError::OutOfFuel`] if it does not end within
    /// [`DEFAULT_FUEL`]. Nothing has changed then.
    pub fn issue(&mut self, function: u16, operands: Operands) -> Result<Outcome, EvalError> {
        if let Some(response) = self.refusal(function) {
            return Ok(Outcome::Replied { rd: 0, response });
        }
        let section = self.section;
        let Some(command) = section.commands.iter().find(|c| c.id == function) else {
            return Ok(Outcome::Replied { rd: 0, response: Response::Func });
        };
        let args = command.operands.iter().map(|operand| {
            let register = match operand.slot {
                Slot::Rs1 => operands.rs1,
                Slot::Rs2 => operands.rs2,
                Slot::Imm => operands.imm,
            };
            Value::Int(operand.ty.reduce(&Int::from(register)))
        });
        let mut fuel = DEFAULT_FUEL;
        Ok(match self.run(command, args.collect(), &mut fuel)? {
            TypedOutcome::Replied { value, response } => {
                let rd = value.int().wrap(section.xlen, false).to_u64().unwrap_or(0);
                Outcome::Replied { rd, response }
            }
            TypedOutcome::Trapped => Outcome::Trapped,
        })
    }

    /// Issues a command with typed operands, on a budget of steps.
    ///
    /// # Errors
    ///
    /// As [`Machine::issue`].
    pub fn issue_values(&mut self, id: CommandId, args: Vec<Value>, fuel: &mut u64) -> Result<TypedOutcome, EvalError> {
        let section = self.section;
        let command = section.commands.get(id.index()).ok_or(EvalError::Malformed("a command is not there"))?;
        match self.refusal(command.id) {
            Some(response) => Ok(TypedOutcome::Replied { value: self.no_result(command), response }),
            None => self.run(command, args, fuel),
        }
    }

    /// Accesses the CSR at an address; `value` counts by its low XLEN bits. A CSR that the interface does not have answers
    /// [`Response::Func`], and so does a write of one that is read only.
    ///
    /// # Errors
    ///
    /// [`EvalError::OutOfFuel`] if a field is not computed within [`DEFAULT_FUEL`]. Nothing has changed then.
    pub fn access(&mut self, address: u16, op: CsrOp, value: u64) -> Result<(u64, Response), EvalError> {
        if self.is_off() {
            return Ok((0, Response::Off));
        }
        let section = self.section;
        match section.csrs.iter().find(|csr| csr.address == address) {
            Some(csr) if op == CsrOp::Read || csr.access == Access::Rw => {
                let old = self.read_csr(csr, &mut { DEFAULT_FUEL })?;
                if let Some(word) = op.written(old.to_u64().unwrap_or(0), value) {
                    self.write_csr(csr, &Int::from(word));
                }
                Ok((old.to_u64().unwrap_or(0), Response::Ok))
            }
            _ => Ok((0, Response::Func)),
        }
    }

    /// Reads a CSR, or writes a word to it, on a budget of steps. The word that was there before, and the response.
    ///
    /// # Errors
    ///
    /// As [`Machine::access`].
    pub fn access_word(
        &mut self,
        id: CsrId,
        value: Option<&Int>,
        fuel: &mut u64,
    ) -> Result<(Int, Response), EvalError> {
        if self.is_off() {
            return Ok((Int::ZERO, Response::Off));
        }
        let csr = self.section.csrs.get(id.index()).ok_or(EvalError::Malformed("a CSR is not there"))?;
        let old = self.read_csr(csr, fuel)?;
        if let Some(word) = value {
            self.write_csr(csr, word);
        }
        Ok((old, Response::Ok))
    }

    fn read_csr(&mut self, csr: &Csr, fuel: &mut u64) -> Result<Int, EvalError> {
        let declared = self.section.state.as_ref().map_or(&[][..], |state| &state.fields);
        let world = Fields { values: &mut self.context.fields, declared, before: None };
        let mut evaluator = Evaluator::with_world(self.section, world, *fuel);
        evaluator.open_frame(csr.locals.len());
        let mut word = Int::ZERO;
        for field in &csr.fields {
            let v = evaluator.eval(&field.value)?.int();
            word = word.or(&ops::pattern(&field.ty, &v).shl(field.lo));
        }
        *fuel = evaluator.fuel();
        Ok(word)
    }

    fn write_csr(&mut self, csr: &Csr, word: &Int) {
        for field in &csr.fields {
            let value = field.ty.reduce(&word.shr(field.lo).wrap(field.width(), false));
            let refused = match field.ty {
                Type::Enum { id, .. } if field.warl => {
                    let def = self.section.enums.get(id.index());
                    !def.is_some_and(|def| def.cases.iter().any(|case| case.pattern == value))
                }
                _ => false,
            };
            let slot = field.state().and_then(|id| self.context.fields.get_mut(id.index()));
            if let Some(slot) = slot.filter(|_| !refused) {
                *slot = Value::Int(value);
            }
        }
        self.context.cs = status::DIRTY;
    }

    fn is_off(&self) -> bool {
        self.section.state.is_some() && self.context.cs == status::OFF
    }

    /// In cs 0 all but `read_status` and `write_status` are refused.
    fn refusal(&self, function: u16) -> Option<Response> {
        (self.is_off() && !matches!(function, 1022 | 1023)).then_some(Response::Off)
    }

    fn no_result(&self, command: &Command) -> Value {
        Value::zero(command.result.as_ref().unwrap_or(&Type::U(self.section.xlen)))
    }

    fn run(&mut self, command: &Command, args: Vec<Value>, fuel: &mut u64) -> Result<TypedOutcome, EvalError> {
        match &command.semantics {
            Semantics::Body(body) => self.run_body(command, body, args, fuel),
            Semantics::Standard(function) => {
                let v = self.run_standard(*function, &args);
                Ok(TypedOutcome::Replied { value: Value::Int(Int::from(v)), response: Response::Ok })
            }
            Semantics::Opaque => Err(EvalError::Opaque(command.name.clone())),
        }
    }

    fn run_body(
        &mut self,
        command: &Command,
        body: &Body,
        args: Vec<Value>,
        fuel: &mut u64,
    ) -> Result<TypedOutcome, EvalError> {
        let declared = self.section.state.as_ref().map_or(&[][..], |state| &state.fields);
        let world = Fields { values: &mut self.context.fields, declared, before: None };
        let mut evaluator = Evaluator::with_world(self.section, world, *fuel);
        let ending = evaluator.run(body, args);
        *fuel = evaluator.fuel();
        // Some if a state assignment ran.
        let before = evaluator.into_world().before;
        let (value, response, keep) = match &ending {
            Ok(Ending::Returned(value)) => (value, Response::Ok, true),
            Ok(Ending::Raised { error, commit, value }) => (value, self.raise(*error), *commit),
            Ok(Ending::Trapped) | Err(_) => (&None, Response::Ok, false),
        };
        match before {
            Some(_) if keep => self.context.cs = status::DIRTY,
            Some(before) => self.context.fields = before,
            None => {}
        }
        let value = value.clone().unwrap_or_else(|| self.no_result(command));
        match ending? {
            Ending::Trapped => Ok(TypedOutcome::Trapped),
            _ => Ok(TypedOutcome::Replied { value, response }),
        }
    }

    fn raise(&mut self, error: Raised) -> Response {
        match error {
            Raised::Op => Response::Op,
            Raised::Error(id) => {
                self.context.error = self.section.errors.get(id.index()).map_or(0, |e| e.code);
                Response::Custom
            }
        }
    }

    fn run_standard(&mut self, function: Standard, args: &[Value]) -> u64 {
        let arg = |i: usize| args.get(i).and_then(|v| v.int().to_u64()).unwrap_or(0);
        match function {
            Standard::ReadStatus => u64::from(self.status()),
            Standard::WriteStatus => {
                let old = self.status();
                self.write_status(arg(0));
                u64::from(old)
            }
            Standard::ReadState => self.layout.read(&self.context.fields, arg(0)),
            Standard::WriteState => {
                self.layout.write(&mut self.context.fields, arg(0), arg(1));
                self.context.cs = status::DIRTY;
                arg(1)
            }
        }
    }

    fn write_status(&mut self, word: u64) {
        let error = (word >> status::ERROR_SHIFT) as u8;
        self.context.cs = (word >> status::CS_SHIFT) as u8 & status::DIRTY;
        if self.context.cs <= status::INITIAL {
            self.context.fields = Context::reset(self.section).fields;
        }
        if error == 0 || self.section.errors.iter().any(|e| e.code == error) {
            self.context.error = error;
        }
    }
}

/// The state as a command's body sees it.
struct Fields<'m> {
    values: &'m mut Vec<Value>,
    declared: &'m [Field],
    /// The values before the first assignment.
    before: Option<Vec<Value>>,
}

impl World for Fields<'_> {
    fn field(&self, id: FieldId) -> Option<&Value> {
        self.values.get(id.index())
    }

    fn field_mut(&mut self, id: FieldId) -> Option<(&mut Value, &Type)> {
        if self.before.is_none() {
            self.before = Some(self.values.clone());
        }
        let ty = &self.declared.get(id.index())?.ty;
        self.values.get_mut(id.index()).map(|value| (value, ty))
    }

    fn issue(&mut self, _id: CommandId, _args: Vec<Value>, _fuel: &mut u64) -> Result<Value, EvalError> {
        Err(EvalError::Malformed("a body issues a command"))
    }

    fn access(&mut self, _id: CsrId, _value: Option<Value>, _fuel: &mut u64) -> Result<Value, EvalError> {
        Err(EvalError::Malformed("a body accesses a CSR"))
    }
}

/// What an example or law can issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Issued {
    /// A command.
    Command(CommandId),
    /// An access of a CSR.
    Csr(CsrId),
}

impl Issued {
    /// Its name in the source.
    pub fn name(self, section: &Section) -> &str {
        let name = match self {
            Issued::Command(id) => section.commands.get(id.index()).map(|c| &c.name),
            Issued::Csr(id) => section.csrs.get(id.index()).map(|c| &c.name),
        };
        name.map_or("", String::as_str)
    }
}

/// An answer to what an example or law issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was issued.
    pub issued: Issued,
    /// What it answered.
    pub response: Response,
    /// The error code in the status word afterwards.
    pub error: u8,
}

/// A machine that expressions of examples and laws run on, and what its commands and CSRs have answered.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    /// The machine.
    pub machine: Machine<'a>,
    /// The answers since they were last cleared, in order.
    pub answers: Vec<Answer>,
}

impl<'a> Session<'a> {
    /// A session from reset.
    pub fn new(section: &'a Section) -> Session<'a> {
        Session { machine: Machine::new(section), answers: Vec::new() }
    }

    /// Back to reset, with no answers.
    pub fn reset(&mut self) {
        self.machine.reset();
        self.answers.clear();
    }
}

impl World for Session<'_> {
    fn field(&self, id: FieldId) -> Option<&Value> {
        self.machine.context.fields.get(id.index())
    }

    fn field_mut(&mut self, _id: FieldId) -> Option<(&mut Value, &Type)> {
        None
    }

    fn issue(&mut self, id: CommandId, args: Vec<Value>, fuel: &mut u64) -> Result<Value, EvalError> {
        match self.machine.issue_values(id, args, fuel)? {
            TypedOutcome::Replied { value, response } => {
                self.answers.push(Answer { issued: Issued::Command(id), response, error: self.machine.context.error });
                Ok(value)
            }
            TypedOutcome::Trapped => {
                let name = self.machine.section.commands.get(id.index()).map_or_else(String::new, |c| c.name.clone());
                Err(EvalError::Trapped(name))
            }
        }
    }

    fn access(&mut self, id: CsrId, value: Option<Value>, fuel: &mut u64) -> Result<Value, EvalError> {
        let word = value.map(|v| v.int());
        let (old, response) = self.machine.access_word(id, word.as_ref(), fuel)?;
        self.answers.push(Answer { issued: Issued::Csr(id), response, error: self.machine.context.error });
        Ok(Value::Int(old))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::contract::core::{BinaryOp, Stmt};
    use crate::contract::testing::*;
    use crate::contract::{ErrorDef, ErrorId};
    use crate::source::Span;

    fn replied(machine: &mut Machine<'_>, function: u16, rs1: u64, rs2: u64) -> (u64, Response) {
        match machine.issue(function, Operands { rs1, rs2, imm: 0 }).unwrap() {
            Outcome::Replied { rd, response } => (rd, response),
            Outcome::Trapped => panic!("trapped"),
        }
    }

    /// Command `n` of each kind of ending, over a field `f: s8 = 5` and the errors 3 and 7.
    fn endings() -> Section {
        let raise = |error, commit, value| Stmt::Raise { error, commit, value };
        let set = |v: i32| set_field(0, vec![], s(8), constant(s(8), v));
        let one = |id, result, stmts| command("c", id, result, body(1, vec![s(8)], stmts));
        let custom = Raised::Error(ErrorId(1));
        let mut commands = vec![
            one(0, Some(s(8)), vec![set(1), raise(custom, false, Some(local(s(8), 0)))]),
            one(1, Some(s(8)), vec![set(2), raise(custom, true, None)]),
            one(2, Some(s(8)), vec![set(3), raise(Raised::Op, false, Some(constant(s(8), -1)))]),
            one(3, None, vec![set(4), Stmt::Trap]),
            one(4, Some(s(8)), vec![set_field(0, vec![], s(8), local(s(8), 0)), ret(field(s(8), 0))]),
            one(5, Some(s(8)), vec![ret(field(s(8), 0))]),
            one(6, None, vec![set(5)]),
        ];
        commands.extend(standard_commands(64));
        let error = |name: &str, code| ErrorDef {
            name: name.into(),
            code,
            message: None,
            docs: String::new(),
            span: Span::default(),
        };
        Section {
            xlen: 64,
            state: Some(exclusive(vec![state_field("f", s(8), Value::Int(Int::from(5)))])),
            errors: vec![error("three", 3), error("seven", 7)],
            commands,
            ..Section::default()
        }
    }

    #[test]
    fn multiply_accumulate_follows_the_document() {
        for xlen in [32, 64] {
            let section = mulacc_section(xlen);
            let mut machine = Machine::new(&section);
            assert_eq!(machine.status(), 0b101);
            assert_eq!(replied(&mut machine, 0, 3, 4), (12, Response::Ok));
            assert_eq!(replied(&mut machine, 1, 5, 6), (42, Response::Ok));
            assert_eq!(replied(&mut machine, 1021, 0, 0), (42, Response::Ok));
            assert_eq!(replied(&mut machine, 1023, 0, 0), (0b111, Response::Ok));
            assert_eq!(replied(&mut machine, 7, 0, 0), (0, Response::Func));
            let max = u64::MAX >> (64 - xlen);
            assert_eq!(replied(&mut machine, 0, u64::MAX, u64::MAX), (1, Response::Ok));
            assert_eq!(replied(&mut machine, 0, u64::MAX, 1), (max, Response::Ok));
        }
    }

    #[test]
    fn raising_rolls_state_and_dirty_mark_back_without_commit() {
        let section = endings();
        let mut machine = Machine::new(&section);
        assert_eq!(replied(&mut machine, 0, 0x80, 0), (0xFFFF_FFFF_FFFF_FF80, Response::Custom));
        assert_eq!(machine.context, Context { fields: vec![Value::Int(5.into())], cs: 1, error: 7 });
        assert_eq!(replied(&mut machine, 1, 1, 0), (0, Response::Custom));
        assert_eq!(machine.context, Context { fields: vec![Value::Int(2.into())], cs: 3, error: 7 });
        machine.reset();
        machine.context.error = 3;
        assert_eq!(replied(&mut machine, 2, 1, 0), (u64::MAX, Response::Op));
        assert_eq!(machine.context, Context { fields: vec![Value::Int(5.into())], cs: 1, error: 3 });
    }

    #[test]
    fn a_trap_has_no_effect() {
        let section = endings();
        let mut machine = Machine::new(&section);
        assert_eq!(machine.issue(3, Operands::default()), Ok(Outcome::Trapped));
        assert_eq!(machine.context, Context::reset(&section));
    }

    #[test]
    fn operands_are_low_bits_and_results_are_extended() {
        let section = endings();
        let mut machine = Machine::new(&section);
        assert_eq!(replied(&mut machine, 4, 0xABCD_EF7F, 0), (0x7F, Response::Ok));
        assert_eq!(replied(&mut machine, 4, 0x1FF, 0), (u64::MAX, Response::Ok));
        // An assignment marks, also if nothing changed; a read does not.
        machine.reset();
        assert_eq!(replied(&mut machine, 5, 0, 0), (5, Response::Ok));
        assert_eq!(machine.context.cs, status::INITIAL);
        assert_eq!(replied(&mut machine, 6, 0, 0), (0, Response::Ok));
        assert_eq!(machine.context, Context { cs: status::DIRTY, ..Context::reset(&section) });
    }

    #[test]
    fn an_off_context_answers_only_for_its_status() {
        let section = endings();
        let mut machine = Machine::new(&section);
        replied(&mut machine, 4, 9, 0);
        assert_eq!(replied(&mut machine, 1022, 0, 0), (0b111, Response::Ok));
        for function in [0, 3, 4, 5, 99, 1020, 1021] {
            assert_eq!(replied(&mut machine, function, 1, 1), (0, Response::Off), "{function}");
        }
        assert_eq!(replied(&mut machine, 1023, 0, 0), (0b100, Response::Ok));
        assert_eq!(replied(&mut machine, 1022, 2, 0), (0b100, Response::Ok));
        assert_eq!(machine.context, Context { cs: status::CLEAN, ..Context::reset(&section) });
    }

    #[test]
    fn write_status_takes_declared_errors_and_ignores_the_size() {
        let section = endings();
        let mut machine = Machine::new(&section);
        for (written, error) in [(7, 7), (9, 7), (3, 3), (255, 3), (0, 0)] {
            replied(&mut machine, 1022, 0xFFFF_FFFF_0000_0FFE | written << 24, 0);
            assert_eq!(machine.context.error, error, "{written}");
            assert_eq!(machine.status() & 0xFFFF, 0b110);
        }
        // cs 2 and 3 leave the fields, 1 resets them.
        replied(&mut machine, 4, 9, 0);
        replied(&mut machine, 1022, 2, 0);
        assert_eq!(replied(&mut machine, 5, 0, 0).0, 9);
        replied(&mut machine, 1022, 1, 0);
        assert_eq!(machine.context, Context::reset(&section));
    }

    #[test]
    fn write_state_returns_its_value_drops_what_is_outside_and_marks() {
        let section = endings();
        let mut machine = Machine::new(&section);
        assert_eq!(replied(&mut machine, 1020, 1, 0x1234), (0x1234, Response::Ok));
        assert_eq!(machine.context, Context { cs: status::DIRTY, ..Context::reset(&section) });
        assert_eq!(replied(&mut machine, 1020, 0, 0xFFF0), (0xFFF0, Response::Ok));
        assert_eq!(replied(&mut machine, 1021, 0, 0), (0xF0, Response::Ok));
        assert_eq!(replied(&mut machine, 5, 0, 0), (0xFFFF_FFFF_FFFF_FFF0, Response::Ok));
        assert_eq!(replied(&mut machine, 1021, u64::MAX, 0), (0, Response::Ok));
    }

    #[test]
    fn opaque_commands_are_refused_and_immediates_taken() {
        let imm = vec![operand("n", s(12), Slot::Imm), operand("x", u(32), Slot::Rs1)];
        let sum = bin(BinaryOp::Add, u(32), local(s(12), 0), local(u(32), 1));
        let add = command_of("addi", 0, imm, Some(u(32)), Semantics::Body(body(2, vec![s(12), u(32)], vec![ret(sum)])));
        let opaque = command_of("secret", 1, vec![], None, Semantics::Opaque);
        let section = Section { xlen: 32, commands: vec![add, opaque], ..Section::default() };
        let mut machine = Machine::new(&section);
        let reply = machine.issue(0, Operands { rs1: 5, rs2: 99, imm: u64::MAX - 1 });
        assert_eq!(reply, Ok(Outcome::Replied { rd: 3, response: Response::Ok }));
        assert_eq!(machine.issue(1, Operands::default()), Err(EvalError::Opaque("secret".into())));
    }

    #[test]
    fn csrs_are_views_of_state() {
        let e = Type::Enum { id: crate::contract::EnumId(0), width: 2 };
        let case = |name: &str, pattern: i32| crate::contract::EnumCase {
            name: name.into(),
            docs: String::new(),
            pattern: Int::from(pattern),
            span: Span::default(),
        };
        let cases = vec![case("a", 0), case("b", 2)];
        let (name, docs, span) = ("E".into(), String::new(), Span::default());
        let fields =
            vec![state_field("e", e.clone(), Value::Int(Int::ZERO)), state_field("s", s(4), Value::Int(Int::ZERO))];
        let view = vec![(1, field(e, 0), true), (8, field(s(4), 1), false)];
        let section = Section {
            xlen: 32,
            enums: vec![crate::contract::Enum { name, docs, width: 2, signed: false, cases, span }],
            state: Some(exclusive(fields)),
            csrs: vec![
                csr("view", 0x810, Access::Rw, view),
                csr("double", 0xCC0, Access::Ro, vec![(4, conv(u(5), field(s(4), 1)), false)]),
            ],
            ..Section::default()
        };
        let mut machine = Machine::new(&section);
        let mut access = |address, op, value| machine.access(address, op, value).unwrap();
        assert_eq!(access(0x810, CsrOp::Read, 77), (0, Response::Ok));
        assert_eq!(access(0x810, CsrOp::Write, u64::MAX), (0, Response::Ok));
        // 3 is no case, so `e` stays; unlisted bits are dropped.
        assert_eq!(access(0x810, CsrOp::Write, 0xFFF2_F9FD), (0xF00, Response::Ok));
        assert_eq!(access(0x810, CsrOp::Clear, 0x100), (0x904, Response::Ok));
        assert_eq!(access(0xCC0, CsrOp::Read, 0), (0x180, Response::Ok), "-8 in five bits");
        assert_eq!(access(0xCC0, CsrOp::Set, 0), (0, Response::Func));
        assert_eq!(access(0x811, CsrOp::Read, 0), (0, Response::Func));
        machine.context = Context { cs: status::OFF, ..machine.context.clone() };
        let before = machine.context.clone();
        for op in CsrOp::ALL {
            assert_eq!(machine.access(0x810, op, 4).unwrap(), (0, Response::Off));
        }
        assert_eq!(machine.context, before);
        machine.context.cs = status::INITIAL;
        machine.access(0x810, CsrOp::Read, 0).unwrap();
        assert_eq!(machine.context.cs, status::INITIAL, "a read does not mark");
        machine.access(0x810, CsrOp::Set, 0).unwrap();
        assert_eq!(machine.context.cs, status::DIRTY, "a write that changes nothing does");
    }
}
