//! The CX machine without an operating system: selectors, status, errors and the descriptor of a software CXU.
//!
//! This crate needs neither `std` nor a heap, and it holds no global state. The runtime for threads is built on it, and
//! so is firmware that has no threads. The names follow the CX API document (section "CX API") and the CX-ISA CSRs.
//!
//! [`Issue`] is a CX that is selected, [`Xcmd`] a processor with overloadable opcodes; on RISC-V both are there as
//! instructions. [`xext::Cpu`] is such a processor in software. The C side of what is here is [`CX_ABI_H`]; generated Rust leans on [`abi1`].
#![no_std]

/// This crate, as [`include_spec!`] imports it: compilers before 1.95 do not import `$crate` itself.
#[doc(hidden)]
pub extern crate self as this;

pub mod abi1;
mod check_abi;
mod checked;
pub mod ckernel;
mod csr;
pub mod encoding;
mod error;
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
mod hart;
mod include_spec;
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
mod insn;
mod issue;
pub mod machine;
mod runtime;
mod rust_cxu;
mod selector;
mod soft;
mod status;
mod table;
mod target;
pub mod trap;
mod xcmd;
pub mod xext;

pub use csr::CsrOp;
pub use error::Error;
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
pub use hart::OnHart;
pub use issue::Issue;
pub use runtime::{NoRuntime, Runtime};
pub use rust_cxu::{RustCxu, Word};
pub use selector::{INDEX_LIMIT, Selector};
pub use soft::{CsrFn, Defect, FlexFn, InitFn, IssueFn, RestoreFn, SaveFn, Sharing, SoftCxu, SoftFlags, Uuid};
pub use status::{Response, Status};
pub use table::{SelectorTable, Slot};
pub use target::{Reply, Target};
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
pub use xcmd::XcmdOnHart;
pub use xcmd::{Cookie, Xcmd};

/// The version of what generated code and a runtime agree on: `cx_abi.h` for C, [`abi1`] and the public types for Rust.
pub const ABI_VERSION: u32 = 3;

/// The text of `cx_abi.h`: what generated C and a runtime agree on, at version [`ABI_VERSION`].
///
/// A generated header carries it as it stands; its include guard makes several copies one.
pub const CX_ABI_H: &str = include_str!("../include/cx_abi.h");

/// The text of `cx_insn.h`, which `cx.h` includes: custom instructions by hand, and `CX_CALL`.
pub const CX_INSN_H: &str = include_str!("../include/cx_insn.h");

/// The text of `cx_machine.h`: what programs see of a machine in C. Generated machines carry it as it stands.
pub const CX_MACHINE_H: &str = include_str!("../c/cx_machine.h");

/// The text of `cx_machine.c`: a machine in C, for firmware. Generated machines carry it behind their tables.
pub const CX_MACHINE_C: &str = include_str!("../c/cx_machine.c");

/// The text of `cx_api.c`: the CX API of a machine in C, behind [`CX_MACHINE_C`].
pub const CX_API_C: &str = include_str!("../c/cx_api.c");

/// The text of `cx_trap.c`: what a machine in C does when an instruction traps, behind [`CX_API_C`].
pub const CX_TRAP_C: &str = include_str!("../c/cx_trap.c");
