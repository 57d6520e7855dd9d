//! The CX API for threads (CX API document, section "CX API"), in safe Rust and, for C and C++, in `include/cx.h`.
//!
//! A program registers software CXUs, opens a CX by its UUID, selects it, and issues commands to it:
//!
//! ```
//! use lapis_cx_runtime::{OpenFlags, Uuid, open};
//!
//! match open(Uuid::from_u128(0x1234), OpenFlags::EXCLUSIVE) {
//!     Ok(cx) => {
//!         let mac = cx.select();
//!         let sum = mac.issue(0, 3, 4);
//!         println!("{sum:?}");
//!     } // the selection that was there before is back, then the CX is closed
//!     Err(error) => println!("{error}: take the way without the CX"),
//! }
//! ```
//!
//! Selections, open CXs and `cx_status` belong to a thread. What is known of software CXUs belongs to the process.
//!
//! # Machines
//!
//! Without more, each software CXU has as many state contexts as are opened. [`load_platform`] says what a machine has; then
//! any number of open CXs share its contexts, and [`counters`] tells what that costs. [`Cx::backing`] tells a library what
//! stands behind a CX. [`emulate_absent`] is the policy for CXs that the machine lacks, and [`revoke`] takes one away.
//!
//! # Other code
//!
//! [`Legacy`] marks code that knows nothing of CXs, and is called with built-in selected. [`Detached`] is for tasks that move
//! between threads, [`UserContext`] for coroutines, [`Singleton`] for a state that a process or a machine shares.
//!
//! # From C and C++
//!
//! A program includes `cx.h` (from `include`) and `cx_abi.h` (from the core's `include`), and links one of the two
//! libraries that cargo builds from this crate. On Linux with glibc:
//!
//! ```text
//! cc program.c liblapis_cx_runtime.a -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc
//! cc program.c -L<folder> -llapis_cx_runtime -Wl,-rpath,<folder>
//! ```
//!
//! `cargo rustc -p lapis-cx-runtime --crate-type staticlib -- --print=native-static-libs` lists the system libraries of
//! another target. The shared library exports `cx_*` and `ckernel_*` only. The static one has Rust's own mangled names beside them.
//!
//! Nothing here unwinds into C.

// Before all that share something: its macros are in the order of the text.
#[macro_use]
mod sync;

pub mod ckernel;
mod ckernel_cxu;
mod context;
mod cx;
mod detached;
mod ffi;
mod hardware;
mod image;
mod last_error;
mod legacy;
#[cfg(unix)]
mod load;
mod machine;
mod memory;
#[cfg(all(loom, test))]
mod models;
mod platform;
mod registry;
mod rust_cxu;
mod singleton;
mod this_thread;
mod thread;
#[cfg(all(target_os = "linux", target_arch = "riscv64"))]
mod trap;

pub use ckernel_cxu::{CkernelCxu, Place, withdraw};
pub use context::UserContext;
pub use cx::{CommandError, Cx, OpenFlags, Selected, clear_status, counters, open, status};
pub use detached::Detached;
pub use lapis_cx_core::include_spec;
pub use lapis_cx_core::machine::{Counters, PlatformCxu};
pub use lapis_cx_core::{
    CsrOp, Defect, Error, Issue, NoRuntime, Reply, Response, Runtime, RustCxu, Selector, Sharing, SoftCxu, SoftFlags,
    Status, Uuid, Word,
};
pub use legacy::Legacy;
#[cfg(unix)]
pub use load::load;
pub use machine::Backing;
pub use platform::{emulate_absent, load_platform, revoke};
pub use registry::register;
pub use rust_cxu::register_rust;
pub use singleton::Singleton;
pub use this_thread::ThisThread;
