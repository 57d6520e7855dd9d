//! Instructions of strided ckernels, and of the same loops written by hand, as valgrind counts them.
//!
//! `cargo bench -p lapis-cx-tests --bench ckernel`
#![allow(clippy::unwrap_used)]

use lapis_cx_tests::cc::COMPILERS;
use lapis_cx_tests::ckernel_cost::{measure, write};

fn main() {
    let folder = tempfile::tempdir().unwrap();
    ["bitkit", "mulacc"].iter().for_each(|name| write(name, folder.path()));
    println!("{:22} {:11} {:>9} {:>9} {:>6}", "compiler", "loop", "ckernel", "by hand", "ratio");
    for compiler in COMPILERS {
        for flags in [&["-O2"][..], &["-O3"], &["-O3", "-mavx2"]] {
            if flags.len() > 1 && !cfg!(target_arch = "x86_64") {
                continue;
            }
            for cost in measure(folder.path(), compiler, flags) {
                let what = format!("{compiler:?} {}", flags.join(" "));
                println!("{what:22} {:11} {:9} {:9} {:6.3}", cost.name, cost.ckernel, cost.hand, cost.ratio());
            }
        }
    }
}
