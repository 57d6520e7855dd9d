//! Software CXUs whose commands are ckernels. `cx_ckernel.h` is the same for C, and says what holds of their states, errors
//! and lives.

mod ffi;
mod function;
mod image;
mod run;
mod slot;

use std::ffi::{CStr, CString};
use std::ptr::NonNull;

use lapis_cx_core::ckernel::{Prefix, Type};
use lapis_cx_core::{ABI_VERSION, Error, Reply, Sharing, SoftCxu, SoftFlags, Uuid};

use crate::ckernel::{self, Builder};
use crate::last_error::Failure;

/// The first command of IStateContext.
const STATE_CONTEXT: u32 = 1020;
/// Commands of a CXU.
const COMMANDS: u32 = 1024;
/// The most operands of a command: two registers and an immediate.
const OPERANDS: usize = 3;

/// A CXU that is made of ckernels, before it is registered: `cx_ckernel_cxu`.
///
/// Its commands are ckernels from anywhere ([`kernel`](Self::kernel)), or safe functions ([`command`](Self::command)), which
/// become ckernels.
///
/// ```
/// use lapis_cx_runtime::{CkernelCxu, OpenFlags, Reply, Response, Sharing, Uuid, open, withdraw};
///
/// let uuid = Uuid::from_u128(0xC0FFEE);
/// CkernelCxu::new(uuid, c"counter")
///     .state(Sharing::Exclusive, &[40])
///     .command(3, |state, [step, ..]| {
///         state[0] += step;
///         Reply { value: state[0], response: Response::Ok }
///     })?
///     .register()?;
/// let counter = open(uuid, OpenFlags::EXCLUSIVE)?;
/// assert_eq!(counter.select().issue(3, 2, 0), Ok(42));
/// withdraw(uuid)?;
/// assert!(counter.select().issue(3, 2, 0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CkernelCxu {
    uuid: Uuid,
    contract: [u8; 32],
    xlen: u32,
    sharing: u32,
    flags: u32,
    name: CString,
    reset: Vec<usize>,
    commands: Vec<Command>,
}

/// Where an operand of a command comes from: `CX_PLACE_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Place {
    /// The first register.
    Rs1 = 1,
    /// The second one, or the immediate of a command with one register.
    Rs2 = 2,
    /// The immediate of a command with two registers.
    Immediate = 3,
}

impl Place {
    /// All of them, in the order of operands that have one each.
    const ALL: [Place; OPERANDS] = [Place::Rs1, Place::Rs2, Place::Immediate];
}

/// A command and its ckernel.
#[derive(Debug)]
struct Command {
    function: u32,
    operands: Vec<(Place, Type)>,
    /// Of kind 0 if there is none.
    result: Type,
    /// At the beginning of the builder; `None` if there is none.
    kernel: Option<NonNull<Prefix>>,
    /// What destroys it.
    builder: Builder,
}

impl Command {
    fn new(function: u32, operands: &[(Place, Type)], result: Type, mut builder: Builder) -> Command {
        // SAFETY: the builder has at least room for a prefix there, zeros if nothing was made.
        let made = builder.kernel(0).filter(|kernel| unsafe { !kernel.as_ref().function.is_null() });
        Command { function, operands: operands.to_vec(), result, kernel: made, builder }
    }
}

impl CkernelCxu {
    /// Without state and commands, for registers of this machine's width.
    pub fn new(uuid: Uuid, name: &CStr) -> CkernelCxu {
        CkernelCxu {
            uuid,
            contract: [0; 32],
            xlen: usize::BITS,
            sharing: Sharing::Stateless as u32,
            flags: 0,
            name: name.to_owned(),
            reset: Vec::new(),
            commands: Vec::new(),
        }
    }

    /// The SHA-256 of its contract.
    pub fn contract(self, contract: [u8; 32]) -> CkernelCxu {
        CkernelCxu { contract, ..self }
    }

    /// Bits of a register and of a word of state, 32 or 64. To be said before commands are added.
    pub fn xlen(self, xlen: u32) -> CkernelCxu {
        CkernelCxu { xlen, ..self }
    }

    /// Its sharing model, and the words of its reset state.
    pub fn state(self, sharing: Sharing, reset: &[usize]) -> CkernelCxu {
        CkernelCxu { sharing: sharing as u32, reset: reset.to_vec(), ..self }
    }

    /// Bits of [`SoftFlags`]. With [`SoftFlags::STATE_CONTEXT`] it has the commands of IStateContext too.
    pub fn flags(self, flags: u32) -> CkernelCxu {
        CkernelCxu { flags, ..self }
    }

    /// Adds a command that is a safe function, of the words of state, and of rs1, rs2 and the immediate. It becomes a
    /// ckernel. If it panics, the response is [`Response::Cxu`](crate::Response::Cxu), and the state is as
    /// it was.
    ///
    /// # Errors
    /// [`ckernel::Failure::NoMemory`].
    pub fn command<F>(mut self, function: u32, run: F) -> Result<CkernelCxu, ckernel::Failure>
    where
        F: Fn(&mut [usize], [usize; 3]) -> Reply + Send + Sync + 'static,
    {
        let word = Type { kind: b'u', size: (self.xlen / 8) as u8, width: self.xlen as u16 };
        let immediate = Type { kind: b'u', size: 2, width: 16 };
        let builder = function::kernel(word, run)?;
        let operands = [(Place::Rs1, word), (Place::Rs2, word), (Place::Immediate, immediate)];
        self.commands.push(Command::new(function, &operands, word, builder));
        Ok(self)
    }

    /// Adds a command that is the ckernel at the beginning of a builder. `result` is of kind 0 if there is none. If the CXU
    /// cannot be registered, the ckernel is destroyed.
    ///
    /// # Safety
    /// The ckernel is of [`Kind::Single`](ckernel::Kind::Single) and has these operands and this result, and what the header asks of it is so.
    pub unsafe fn kernel(
        mut self,
        function: u32,
        operands: &[(Place, Type)],
        result: Type,
        kernel: Builder,
    ) -> CkernelCxu {
        self.commands.push(Command::new(function, operands, result, kernel));
        self
    }

    /// Makes it known to all threads, until it is [withdrawn](withdraw).
    ///
    /// # Errors
    /// [`Error::Invalid`] if its parts do not fit together, [`Error::Busy`] if another CXU has this UUID,
    /// [`Error::TableFull`] after 64 such CXUs, and [`Error::NoMemory`]. Its ckernels are destroyed then.
    pub fn register(self) -> Result<(), Error> {
        self.try_register().map_err(|(failure, _)| failure.into())
    }

    /// As [`register`](Self::register), with the commands back on failure.
    fn try_register(mut self) -> Result<(), (Failure, Vec<Command>)> {
        self.commands.sort_by_key(|command| command.function);
        match self.check() {
            Ok(()) => slot::register(run::Made::new(self)),
            Err(failure) => Err((failure, self.commands)),
        }
    }

    fn check(&self) -> Result<(), Failure> {
        let invalid = |text| Err(Failure::said(Error::Invalid, text));
        if !matches!(self.xlen, 32 | 64) || self.xlen > usize::BITS {
            return invalid(c"invalid: the XLEN of the CXU is not 32 or 64, or wider than a pointer");
        }
        let has_context = self.flags & SoftFlags::STATE_CONTEXT != 0;
        if (self.sharing == Sharing::Stateless as u32) != self.reset.is_empty() || has_context && self.reset.is_empty()
        {
            return invalid(c"invalid: the state words of the CXU do not fit its sharing model and its flags");
        }
        let limit = if has_context { STATE_CONTEXT } else { COMMANDS };
        if self.commands.last().is_some_and(|command| command.function >= limit) {
            return invalid(c"invalid: a command is above 1023, or, with CX_SOFT_STATE_CONTEXT, above 1019");
        }
        if self.commands.windows(2).any(|two| matches!(two, [a, b] if a.function == b.function)) {
            return invalid(c"invalid: two commands have the same number");
        }
        let fits = |ty: Type| run::is_type(ty, self.xlen);
        let good = |c: &Command| {
            let operands = c.operands.len() <= OPERANDS && c.operands.iter().all(|(_, ty)| fits(*ty));
            operands && (c.result.kind == 0 || fits(c.result))
        };
        if !self.commands.iter().all(good) {
            return invalid(c"invalid: a command has more than three operands, or a type that no register holds");
        }
        if self.commands.iter().any(|command| command.kernel.is_none()) {
            return invalid(c"invalid: the builder of a command has no ckernel at its beginning");
        }
        Ok(())
    }

    /// The descriptor, with the functions of a slot.
    fn descriptor(&self, functions: &slot::Functions) -> SoftCxu {
        let state = image::Shape::new(self.xlen, self.reset.len());
        let has_state = !self.reset.is_empty();
        SoftCxu {
            abi_version: ABI_VERSION,
            struct_size: size_of::<SoftCxu>() as u32,
            uuid: self.uuid,
            contract: self.contract,
            xlen: self.xlen,
            sharing: self.sharing,
            flags: self.flags,
            state_words: self.reset.len() as u32,
            state_size: if has_state { state.state_size() } else { 0 },
            state_align: align_of::<u64>(),
            name: self.name.as_ptr(),
            init: has_state.then_some(functions.init),
            issue: Some(functions.issue),
            save: has_state.then_some(functions.save),
            restore: has_state.then_some(functions.restore),
            csr: None,
            flex: None,
        }
    }
}

/// Takes a CXU of ckernels away from all threads: `cx_ckernel_withdraw`.
///
/// # Errors
/// [`Error::NoDevice`] if no CXU has this UUID, [`Error::Invalid`] if it is not one of ckernels.
pub fn withdraw(uuid: Uuid) -> Result<(), Error> {
    slot::withdraw(uuid)
}
