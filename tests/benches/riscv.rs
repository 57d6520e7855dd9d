//! RISC-V on qemu: what an emulated command costs beside its signal, and loops of stubs beside loops by hand.
//!
//! `cargo bench -p lapis-cx-tests --bench riscv`
#![allow(clippy::unwrap_used)]

use lapis_cx_tests::riscv_cost::{emulated, loops};

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let [signal, command, selection] = emulated(folder.path());
    println!("{:34} {:>8} {:>6}", "on a RISC-V Linux, emulated", "ns", "ratio");
    for (what, cost) in [("a signal that does nothing", signal), ("a command", command), ("a selection", selection)] {
        println!("{what:34} {cost:8.0} {:6.2}", cost / signal);
    }
    println!("\n{:34} {:>8} {:>8} {:>6}", "instructions of a loop", "by stub", "by hand", "ratio");
    for level in ["-O1", "-O2", "-O3"] {
        for (name, stub, hand) in loops(folder.path(), level) {
            println!("{:34} {stub:8} {hand:8} {:6.3}", format!("{name} {level}"), stub as f64 / hand as f64);
        }
    }
}
