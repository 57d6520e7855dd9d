//! Makes calls of a C library in another process, the worker: channels between the processes, marshalling and calls.

#![cfg(target_os = "linux")]

#[cfg(not(target_pointer_width = "64"))]
compile_error!("lapis-cx-remote needs a 64-bit target: both processes use 64-bit positions in their shared rings");

#[cfg(not(all(loom, test)))]
pub mod abi1;
#[cfg(not(all(loom, test)))]
mod call;
#[cfg(not(all(loom, test)))]
mod capi;
#[cfg(not(all(loom, test)))]
pub mod cxu;
#[cfg(not(all(loom, test)))]
mod marshal;
#[cfg(not(all(loom, test)))]
mod plan;
#[cfg(not(all(loom, test)))]
mod protocol;
#[cfg(not(all(loom, test)))]
mod shadow;
mod transport;

// The names by which the other layers use these modules of `transport`.
#[cfg(not(all(loom, test)))]
use transport::{control, descriptors as files, field_kind, header as word, locks, memory, send};

#[cfg(all(feature = "fault-injection", not(loom)))]
pub use transport::inject as fault_injection;
#[cfg(not(all(loom, test)))]
pub use transport::{
    Capabilities, Channel, ConnectError, Connection, Credentials, Geometry, Library, Listener, Transport, socket_pair,
};
pub use transport::{Error, Life, ProtocolError, Reader, Receiver, Sender, Spin, Wake, Writer};
