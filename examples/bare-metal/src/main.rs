//! The program on a bare hart, or on the computer that builds.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod board;
#[cfg(target_os = "none")]
mod firmware;

#[cfg(not(target_os = "none"))]
fn main() {
    use bare_metal::{crc32c, mulacc};
    use lapis_cx_runtime::{ThisThread, register_rust};

    register_rust::<mulacc::SoftCxu>().expect("it is registered once");
    register_rust::<crc32c::SoftCxu>().expect("it is registered once");
    let mut text = String::new();
    bare_metal::program(ThisThread, &mut text).expect("each CX is registered");
    print!("{text}");
}
