//! Random libraries with their programs: natively and with the library in another process the program prints the same, the
//! library is told the same, and the engine logs nothing. `CX_LONG=1` tries more; `fuzz_libraries` tries any number, and makes
//! what differs smaller.

#![allow(clippy::panic)]

use lapis_cx_tests::long;
use lapis_cx_tests::random_library::generate::{self, Options};
use lapis_cx_tests::random_library::run::{Outcome, Toolchain};

/// Libraries of one test.
fn libraries(test: u64) {
    let options = Options::default();
    let count = if long() { 40 } else { 2 };
    for seed in (0..count).map(|i| 1 + 1_000 * test + i) {
        let library = generate::library(seed, &options);
        let folder = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
        let outcome = Toolchain::Own.judge(&library, folder.path());
        assert_eq!(outcome, Outcome::Same, "seed {seed}: `fuzz_libraries --seed {seed} --count 1` makes it smaller");
    }
}

#[test]
fn random_libraries_first_seeds_are_same_in_another_process() {
    libraries(0);
}

#[test]
fn random_libraries_second_seeds_are_same_in_another_process() {
    libraries(1);
}
