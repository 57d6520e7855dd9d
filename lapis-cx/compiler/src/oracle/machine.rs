//! One soft CX: a state context and the commands of an interface on it, by the language's "Commands" and "State,
//! status word, CSRs".

use super::eval::{DEFAULT_FUEL, Ending, EvalError, Evaluator, World};
use super::ops;
use crate::contract::core::{Body, Raised, Type, Value};
use crate::contract::csr::{Access, written};
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
                if let Some(word) = written(op, old.to_u64().unwrap_or(0), value) {
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was issued.
    pub issued: Issued,
    /// What it answered.
    pub response: Response,
    /// The result in the command's type, or the word that a CSR had.
    pub value: Value,
    /// The error code in the status word afterwards.
    pub error: u8,
    /// The first operand that no instruction carries, by its place, and its value: only software can be called so.
    pub not_carried: Option<(usize, Int)>,
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

/// The first operand that no instruction of the command carries, and its value.
fn not_carried(command: &Command, args: &[Value]) -> Option<(usize, Int)> {
    command.operands.iter().zip(args).enumerate().find_map(|(at, (operand, value))| match value {
        Value::Int(v) if !command.carries(operand, v) => Some((at, v.clone())),
        _ => None,
    })
}

impl World for Session<'_> {
    fn field(&self, id: FieldId) -> Option<&Value> {
        self.machine.context.fields.get(id.index())
    }

    fn field_mut(&mut self, _id: FieldId) -> Option<(&mut Value, &Type)> {
        None
    }

    fn issue(&mut self, id: CommandId, args: Vec<Value>, fuel: &mut u64) -> Result<Value, EvalError> {
        let not_carried = self.machine.section.commands.get(id.index()).and_then(|command| not_carried(command, &args));
        match self.machine.issue_values(id, args, fuel)? {
            TypedOutcome::Replied { value, response } => {
                let (issued, error) = (Issued::Command(id), self.machine.context.error);
                self.answers.push(Answer { issued, response, value: value.clone(), error, not_carried });
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
        let (issued, error) = (Issued::Csr(id), self.machine.context.error);
        let value = Value::Int(old);
        self.answers.push(Answer { issued, response, value: value.clone(), error, not_carried: None });
        Ok(value)
    }
}
