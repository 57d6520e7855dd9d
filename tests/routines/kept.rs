//! Mistakes that were made once, in Rust.

#[path = "rust/bare.rs"]
mod bare;
#[path = "rust/ce.rs"]
mod ce;
#[path = "rust/cr.rs"]
mod cr;
#[path = "rust/ex.rs"]
mod ex;
#[path = "rust/kept.rs"]
mod kept;
#[path = "rust/own.rs"]
mod own;

use lapis_cx_runtime::{PlatformCxu, ThisThread, emulate_absent, load_platform, register_rust};

fn main() {
    let machine = std::env::args().nth(1).unwrap();
    register_rust::<bare::SoftCxu>().unwrap();
    register_rust::<ce::SoftCxu>().unwrap();
    register_rust::<cr::SoftCxu>().unwrap();
    register_rust::<ex::SoftCxu>().unwrap();
    register_rust::<own::SoftCxu>().unwrap();
    let all = [bare::UUID, ce::UUID, cr::UUID, ex::UUID, own::UUID];
    match machine.as_str() {
        "soft" => {}
        "few" => load_platform(&all.map(|uuid| PlatformCxu { uuid, contexts: 1 })).unwrap(),
        _ => load_platform(&[]).unwrap(),
    }
    if machine == "emulated" {
        all.iter().for_each(|uuid| emulate_absent(*uuid).unwrap());
    }
    let library = kept::Kept::new(ThisThread);
    for _ in 0..2 {
        assert_eq!(library.sets(2), 3);
        assert_eq!(library.adds(2), if machine == "absent" { 99 } else { 7 });
    }
    assert_eq!(library.squared(9), 81);
    assert_eq!(library.minus(5), -5);
}
