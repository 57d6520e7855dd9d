#![allow(clippy::unwrap_used, clippy::panic)]

mod cpu;
mod model;
mod registers;
mod tables;

pub extern crate std;

pub use std::string::ToString;
pub use std::vec::Vec;

use super::*;
use crate::Cookie;

pub const USER: Privilege = Privilege::User;
pub const SUPER: Privilege = Privilege::Super;
pub const HYPER: Privilege = Privilege::Hyper;
pub const MACH: Privilege = Privilege::Mach;

/// Registers of this XLEN.
pub fn id<const XLEN: u32>(uuid: u64, dev: u16) -> usize {
    UuidDevice { uuid, dev }.register::<XLEN>().unwrap()
}

/// Answers with what it got: the number of the device, the port and the low bits of rs2 have a digit or more each.
pub fn tell(device: usize) -> impl Fn(Port, Cookie, usize) -> Result<usize, Refused> {
    move |port, _, rs2| Ok(device << 24 | usize::from(port.bits()) << 8 | rs2 & 0xFF)
}

/// What [`tell`] answers.
pub fn told(device: usize, subdevice: u16, command: u8, rs2: usize) -> usize {
    device << 24 | usize::from(Port::new(subdevice, command).unwrap().bits()) << 8 | rs2 & 0xFF
}
