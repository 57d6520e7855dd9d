//! The functions of libraries that have a body: what they compute, with each `with` in the reset state of its interface.

use super::eval::{DEFAULT_FUEL, Ending, EvalError, Evaluator, World};
use super::machine::{Machine, TypedOutcome};
use crate::contract::core::{Issue, Type, Value, With};
use crate::contract::library::clause::{ImplBody, Use};
use crate::contract::library::{FunctionId, Library};
use crate::contract::{CommandId, CsrId, FieldId, Interface, Section, Sharing, Standard};
use crate::int::Int;

/// What stands for the functions that have no body: it gets the arguments, of which it may change buffers, and gives the result.
pub type Others<'o> = dyn FnMut(FunctionId, &mut [Value]) -> Int + 'o;

/// A library at one of its XLENs, on a machine.
pub struct Routines<'a, 'o> {
    /// The library.
    pub library: &'a Library,
    /// The position among [`Library::sections`].
    pub section: usize,
    /// Whether the machine has a CX of an interface: of those that a `with` names, the first one that it has is used.
    pub has: &'a dyn Fn(&Interface) -> bool,
    /// What CXs leave in `cx_status`: bit k is set once a command answered k > 0. A fallback that serves leaves nothing there.
    pub status: u32,
    /// The functions without a body.
    pub others: &'o mut Others<'o>,
}

impl Routines<'_, '_> {
    /// Calls a function. A buffer is an array of what lies in memory, at least as long as the function says; a null one is
    /// empty. They come back as the function leaves them, with the result; 0 if there is none.
    ///
    /// # Errors
    ///
    /// [`EvalError::Opaque`] and [`EvalError::OutOfFuel`] as for [`Machine::issue`].
    pub fn call(&mut self, function: FunctionId, args: &mut [Value]) -> Result<Int, EvalError> {
        let mut fuel = DEFAULT_FUEL;
        self.call_on(function, args, &mut fuel)
    }

    fn call_on(&mut self, id: FunctionId, args: &mut [Value], fuel: &mut u64) -> Result<Int, EvalError> {
        let library = self.library;
        let function = library.functions.get(id.index());
        let with_body = function.and_then(|f| f.body());
        let with_body = with_body.and_then(|(uses, bodies)| Some((uses, bodies.get(self.section)?)));
        let Some((uses, body)) = with_body else { return Ok((self.others)(id, args)) };
        let section = library.sections.get(self.section).ok_or(EvalError::Malformed("a library without sections"))?;
        // What lies behind the end of a buffer is not seen.
        let behind = hide(section, body, args, fuel)?;
        let world = Running { routines: self, uses, contexts: Vec::new() };
        let mut evaluator = Evaluator::with_world(section, world, *fuel);
        let (ending, after) = evaluator.run_with(&body.body, args.to_vec())?;
        *fuel = evaluator.fuel();
        for ((arg, now), rest) in args.iter_mut().zip(after).zip(behind) {
            if let (Value::Array(mut items), Value::Array(_)) = (now, &*arg) {
                items.extend(rest);
                *arg = Value::Array(items);
            }
        }
        match ending {
            Ending::Returned(value) => Ok(value.map_or(Int::ZERO, |value| value.int())),
            _ => Err(EvalError::Malformed("the body of a library's function raises")),
        }
    }
}

/// Cuts buffers to their lengths, and gives what was cut off.
fn hide(section: &Section, body: &ImplBody, args: &mut [Value], fuel: &mut u64) -> Result<Vec<Vec<Value>>, EvalError> {
    let mut lengths = Vec::new();
    let mut evaluator = Evaluator::with_world(section, super::eval::Pure, *fuel);
    evaluator.open_frame(args.len());
    for (at, arg) in args.iter().enumerate() {
        evaluator.set_local(crate::contract::core::LocalId(at as u32), arg.clone());
    }
    for length in &body.lengths {
        lengths.push(length.as_ref().map(|e| evaluator.eval(e)).transpose()?);
    }
    *fuel = evaluator.fuel();
    let cut = args.iter_mut().zip(lengths).map(|(arg, length)| match (arg, length) {
        (Value::Array(items), Some(length)) => {
            let length = length.int().max(Int::ZERO).to_u32().map_or(items.len(), |n| items.len().min(n as usize));
            items.split_off(length)
        }
        _ => Vec::new(),
    });
    Ok(cut.collect())
}

/// Whether a `with` can begin on a CX of this interface: a state that others have used and nothing resets is not as it begins.
fn can_begin(section: &Section) -> bool {
    let is_shared = section.state.as_ref().is_some_and(|state| state.sharing != Sharing::Exclusive);
    !is_shared || section.standard(Standard::WriteStatus).is_some()
}

/// A context around.
struct Context<'a> {
    /// Its position among the uses of the function.
    of: u32,
    /// Whether the machine has it; else the fallback serves.
    is_found: bool,
    machine: Machine<'a>,
}

/// A function that runs.
struct Running<'r, 'a, 'o> {
    routines: &'r mut Routines<'a, 'o>,
    uses: &'a [Use],
    /// The contexts around, innermost last.
    contexts: Vec<Context<'a>>,
}

impl World for Running<'_, '_, '_> {
    fn field(&self, _id: FieldId) -> Option<&Value> {
        None
    }
    fn field_mut(&mut self, _id: FieldId) -> Option<(&mut Value, &Type)> {
        None
    }
    fn issue(&mut self, _id: CommandId, _args: Vec<Value>, _fuel: &mut u64) -> Result<Value, EvalError> {
        Err(EvalError::Malformed("a command without a context"))
    }
    fn access(&mut self, _id: CsrId, _value: Option<Value>, _fuel: &mut u64) -> Result<Value, EvalError> {
        Err(EvalError::Malformed("a CSR without a context"))
    }

    fn begin_with(&mut self, with: &With) -> Result<bool, EvalError> {
        let library = self.routines.library;
        let xlen = library.sections.get(self.routines.section).map(|section| section.xlen);
        let names = self.uses.get(with.context as usize).map(|one| one.interfaces.as_slice()).unwrap_or_default();
        let mut tried = names.iter().filter_map(|name| {
            let used = library.used.iter().find(|i| i.package == name.package && i.name == name.name)?;
            Some((used, used.sections.iter().find(|section| Some(section.xlen) == xlen)?))
        });
        let first = tried.clone().next();
        let found =
            tried.find(|(used, section)| used.uuid.is_some() && can_begin(section) && (self.routines.has)(used));
        // Where there is none, the fallback of the first one serves.
        let section = match (found, with.otherwise.is_some()) {
            (None, true) => return Ok(false),
            (None, false) => first,
            (Some(_), _) => found,
        };
        let (_, section) = section.ok_or(EvalError::Malformed("an interface is not there"))?;
        let (of, is_found, machine) = (with.context, found.is_some(), Machine::new(section));
        self.contexts.push(Context { of, is_found, machine });
        Ok(true)
    }

    fn end_with(&mut self, _with: &With) {
        self.contexts.pop();
    }

    fn issue_in(&mut self, issue: &Issue, args: Vec<Value>, fuel: &mut u64) -> Result<Value, EvalError> {
        let one = self.uses.get(issue.context as usize);
        let name = one.and_then(|one| one.commands.get(issue.command as usize));
        let context = self.contexts.iter_mut().rev().find(|context| context.of == issue.context);
        let (Some(name), Some(Context { is_found, machine, .. })) = (name, context) else {
            return Err(EvalError::Malformed("a command without a context"));
        };
        let position = machine.section().commands.iter().position(|command| command.name == *name);
        let id = CommandId(position.ok_or(EvalError::Malformed("a command is not there"))? as u32);
        match machine.issue_values(id, args, fuel)? {
            TypedOutcome::Replied { value, response } => {
                if *is_found {
                    self.routines.status |= 1 << response as u32 & !1;
                }
                Ok(value)
            }
            TypedOutcome::Trapped => Err(EvalError::Trapped(name.clone())),
        }
    }

    fn call_foreign(&mut self, function: FunctionId, args: &mut [Value], fuel: &mut u64) -> Result<Value, EvalError> {
        self.routines.call_on(function, args, fuel).map(Value::Int)
    }
}
