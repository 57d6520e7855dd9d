//! Commands as calls of ckernels.

use std::ffi::{c_char, c_void};

use lapis_cx_core::ckernel::{self, Call, Type};
use lapis_cx_core::{Response, SoftCxu, SoftFlags};

use super::image::{Image, Shape};
use super::slot::Functions;
use super::{CkernelCxu, Command, OPERANDS, Place};
use crate::ckernel::single;
use crate::sync::UnsafeCell;
use crate::thread::Inside;

/// A CXU that can be registered.
pub(super) struct Made {
    parts: CkernelCxu,
    shape: Shape,
    /// Made when it has a slot.
    descriptor: Option<SoftCxu>,
    /// By ascending number; none once they were destroyed.
    commands: UnsafeCell<Vec<Command>>,
}

// SAFETY: who registers ckernels vouches for them on any thread. The cell is written by the slot only, where nobody reads.
unsafe impl Send for Made {}
// SAFETY: as above.
unsafe impl Sync for Made {}

impl Made {
    pub fn new(mut parts: CkernelCxu) -> Made {
        let commands = std::mem::take(&mut parts.commands);
        let shape = Shape::new(parts.xlen, parts.reset.len());
        Made { parts, shape, descriptor: None, commands: UnsafeCell::new(commands) }
    }

    /// Its descriptor, with the functions of its slot.
    pub fn describe(&mut self, functions: &Functions) -> &SoftCxu {
        self.descriptor.insert(self.parts.descriptor(functions))
    }

    /// The descriptor that was made; null if there is none.
    pub fn descriptor(&self) -> *const SoftCxu {
        self.descriptor.as_ref().map_or(std::ptr::null(), |descriptor| descriptor)
    }

    /// The commands, to be destroyed or given back.
    ///
    /// # Safety
    /// No command runs, and none will.
    pub unsafe fn take_commands(&self) -> Vec<Command> {
        // SAFETY: the caller's promise.
        self.commands.with_mut(|commands| unsafe { std::mem::take(&mut *commands) })
    }

    /// The state at an address.
    ///
    /// # Safety
    /// As [`Image::new`].
    unsafe fn image(&self, at: *mut c_void) -> Image {
        // SAFETY: the caller's promise.
        unsafe { Image::new(at, self.shape) }
    }

    /// # Safety
    /// As `init` of [`SoftCxu`].
    pub unsafe fn init(&self, state: *mut c_void) {
        // SAFETY: the caller's promise.
        unsafe { self.image(state) }.reset(&self.parts.reset);
    }

    /// # Safety
    /// As `save` of [`SoftCxu`].
    pub unsafe fn save(&self, state: *const c_void, to: *mut c_void) {
        // SAFETY: the caller's promise; the state is only read.
        unsafe { self.image(state.cast_mut()).copy_to(self.image(to)) };
    }

    /// # Safety
    /// As `restore` of [`SoftCxu`].
    pub unsafe fn restore(&self, state: *mut c_void, from: *const c_void) {
        // SAFETY: the caller's promise; the saved image is only read.
        unsafe { self.image(state).restore(self.image(from.cast_mut()), &self.parts.reset) };
    }

    /// # Safety
    /// As `issue` of [`SoftCxu`]. The commands are not taken meanwhile.
    pub unsafe fn issue(&self, state: *mut c_void, function: u32, rs1: usize, rs2: usize, rd: &mut usize) -> u32 {
        // It is a piece of hardware: what it would disturb is in use.
        let Some(_inside) = Inside::enter() else { return Response::Cxu.code() };
        let [rs1, rs2] = [rs1, rs2].map(|register| register & self.mask());
        // SAFETY: the caller's promise.
        let image = (!self.parts.reset.is_empty()).then(|| unsafe { self.image(state) });
        if let Some(image) = image {
            let has_context = self.parts.flags & SoftFlags::STATE_CONTEXT != 0;
            match function {
                1023 if has_context => *rd = image.status(),
                1022 if has_context => *rd = image.write_status(rs1, &self.parts.reset),
                _ if image.is_off() => return Response::Off.code(),
                1021 if has_context => *rd = image.read_state(rs1),
                1020 if has_context => *rd = image.write_state(rs1, rs2),
                _ => return self.call(function, [rs1, rs2], Some(image), rd),
            }
            return Response::Ok.code();
        }
        self.call(function, [rs1, rs2], None, rd)
    }

    fn mask(&self) -> usize {
        if self.parts.xlen == 32 { u32::MAX as usize } else { usize::MAX }
    }

    /// Runs the ckernel of a command.
    fn call(&self, function: u32, registers: [usize; 2], image: Option<Image>, rd: &mut usize) -> u32 {
        // SAFETY: commands are taken only when none runs.
        self.commands.with(|commands| self.call_one(unsafe { &*commands }, function, registers, image, rd))
    }

    fn call_one(
        &self,
        commands: &[Command],
        function: u32,
        [rs1, rs2]: [usize; 2],
        image: Option<Image>,
        rd: &mut usize,
    ) -> u32 {
        let (id, immediate) = (function & 0xFFFF, (function >> 16) as usize);
        let found = commands.binary_search_by_key(&id, |command| command.function).ok();
        let Some((command, kernel)) = found.and_then(|at| commands.get(at)).and_then(|c| Some((c, c.kernel?))) else {
            return Response::Func.code();
        };
        let takes = |(place, _): &(Place, Type)| *place == Place::Immediate;
        if immediate != 0 && !command.operands.iter().any(takes) {
            return Response::Func.code();
        }
        let mut operands = [[0; 8]; OPERANDS];
        for (operand, (place, ty)) in operands.iter_mut().zip(&command.operands) {
            let register = match place {
                Place::Rs1 => rs1,
                Place::Rs2 => rs2,
                Place::Immediate => immediate,
            };
            *operand = to_memory(*ty, register);
        }
        let addresses: [*const c_char; OPERANDS] = operands.each_ref().map(|operand| operand.as_ptr().cast());
        let mut error = ckernel::Error::NONE;
        let mut call =
            Call { error: &raw mut error, initial: std::ptr::null(), state: std::ptr::null_mut(), state_size: 0 };
        if let Some(image) = image {
            image.copy_to(image.before());
            call.initial = image.before().address();
            call.state = image.address();
            call.state_size = self.shape.image_size() as isize;
        }
        let mut result = [0; 8];
        // SAFETY: the ckernel is one of these operands and this result, as who registered it said; all it gets is there.
        let status =
            unsafe { single(kernel.as_ptr(), result.as_mut_ptr().cast(), addresses.as_ptr(), &raw const call) };
        let response = u32::try_from(status).unwrap_or(Response::Cxu.code());
        if let Some(image) = image {
            let code = error.code;
            image.settle((response == Response::Custom.code() && code != 0).then_some(code));
        }
        if command.result.kind != 0 {
            *rd = to_register(command.result, result) & self.mask();
        }
        response
    }
}

/// Whether a type of a ckernel is one that fits a register.
pub(super) fn is_type(ty: Type, xlen: u32) -> bool {
    let width = u32::from(ty.width);
    match ty.kind {
        b'u' | b'i' => {
            matches!(ty.size, 1 | 2 | 4 | 8) && (1..=u32::from(ty.size) * 8).contains(&width) && width <= xlen
        }
        b'b' => ty.size == 1 && width == 1,
        _ => false,
    }
}

/// The low bits of a value as its type extends them.
fn extended(ty: Type, value: u64) -> u64 {
    let above = 64 - u32::from(ty.width).clamp(1, 64);
    if ty.kind == b'i' { ((value << above) as i64 >> above) as u64 } else { value << above >> above }
}

/// A register as the type has it in memory, in the first bytes.
fn to_memory(ty: Type, register: usize) -> [u8; 8] {
    let value = extended(ty, register as u64);
    let mut bytes = [0; 8];
    match ty.size {
        1 => bytes[..1].copy_from_slice(&(value as u8).to_ne_bytes()),
        2 => bytes[..2].copy_from_slice(&(value as u16).to_ne_bytes()),
        4 => bytes[..4].copy_from_slice(&(value as u32).to_ne_bytes()),
        _ => bytes = value.to_ne_bytes(),
    }
    bytes
}

/// What a type has in memory as a register.
fn to_register(ty: Type, [a, b, c, d, e, f, g, h]: [u8; 8]) -> usize {
    let value = match ty.size {
        1 => u64::from(a),
        2 => u64::from(u16::from_ne_bytes([a, b])),
        4 => u64::from(u32::from_ne_bytes([a, b, c, d])),
        _ => u64::from_ne_bytes([a, b, c, d, e, f, g, h]),
    };
    extended(ty, value) as usize
}
