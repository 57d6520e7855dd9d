//! Harts with composable extension units, of which each has only so many state contexts; and the part of a supervisor that
//! makes any number of contexts of them (state context virtualization).
//!
//! Three things make it up:
//!
//! - A [`Hart`] has the registers of the CX-ISA and its units. It executes a command at the unit and the state context that
//!   `mcx_selector` names, or raises an illegal instruction.
//! - A [`Unit`] is a [`Cxu`] and what the supervisor knows of each of its state contexts.
//! - A [`Thread`] has open CXs, each with memory for one saved state, and the values that the hart's registers have while it
//!   runs. Threads run on harts one after the other, and on any of them.
//!
//! A context that has no place in a unit has an entry with `cxe` set, so that its first command traps. The handler then saves
//! the state of another, sets `cxe` of that one's entry, loads the state that is wanted, clears `cxe`, writes `cx_index` again,
//! and the command is issued again (state context virtualization, "Virtual CX state contexts for multiple independent accesses
//! to one CX state context from one thread"). Nothing here needs a heap, an operating system, or a table in memory: where the
//! hart has `mcx_table`, [`Thread::entry`] says what stands in it; where it has not, the handler writes `mcx_selector`.
//! [`MachineHart`] is that handler for firmware, with and without the table.

mod hart;
mod machine_hart;
mod pool;
mod rust_unit;
mod selector;
mod soft_unit;
mod thread;
mod unit;

pub use hart::{Counters, Hart, Operation, Trap};
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
pub use machine_hart::OnHartCsrs;
pub use machine_hart::{Emulated, HartCsrs, MachineHart, SelectorWords};
pub use pool::{Lent, Pool};
pub use rust_unit::RustUnit;
pub use selector::HartSelector;
pub use soft_unit::SoftUnit;
pub use thread::{Backing, Image, Slots, Thread, Virtual};
pub use unit::{Contexts, Contract, Cxu, PlatformCxu, StateContext, Unit};
