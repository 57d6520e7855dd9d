//! What ckernels over many values cost beside loops that are written by hand: instructions, which valgrind counts.

use std::path::Path;
use std::process::Command;

use lapis_cx::backend::{Backend, Input};
use lapis_cx::driver::Outcome;
use lapis_cx_backend_c::C;

use crate::cc::{self, Compiler, Language};
use crate::spec;

/// The loops of `ckernel/loops.c`: neighbours in memory, an operand that stays, any strides, a table, a command that can
/// raise, one with state.
pub const LOOPS: [&str; 6] = ["neighbours", "constant", "strided", "table", "raises", "state"];

/// Instructions of a loop.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Which loop.
    pub name: &'static str,
    /// Those of the ckernel.
    pub ckernel: u64,
    /// Those of the loop that is written by hand.
    pub hand: u64,
}

impl Cost {
    /// How many times as many the ckernel takes.
    pub fn ratio(&self) -> f64 {
        self.ckernel as f64 / self.hand as f64
    }
}

/// Writes the files of a shipped spec, with ckernels.
///
/// # Panics
///
/// If a file cannot be written.
pub fn write(name: &str, folder: &Path) {
    write_all(&spec::build(name), folder);
}

/// Writes the files of a spec, with ckernels.
///
/// # Panics
///
/// If a file cannot be written.
pub fn write_all(outcome: &Outcome, folder: &Path) {
    spec::write(outcome, folder);
    let contract = spec::contract(outcome);
    let program = lapis_cx::lower::lower(contract);
    let files = C::WITH_CKERNELS.emit(Input::new(contract, &program)).unwrap_or_else(|e| panic!("{e}"));
    for file in files {
        std::fs::write(folder.join(&file.path), file.text).unwrap_or_else(|e| panic!("{}: {e}", file.path));
    }
}

/// What each loop costs, in a folder that has the files of `bitkit` and `mulacc`.
///
/// # Panics
///
/// If a tool is missing, or a ckernel and the loop by hand come to different results.
pub fn measure(folder: &Path, compiler: Compiler, flags: &[&str]) -> Vec<Cost> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("ckernel");
    let mut command = compiler.command(Language::C11);
    command.args(flags).args(cc::WARNINGS).arg("-I").arg(folder.join("include"));
    let sources = [
        here.join("loops.c"),
        here.join("hand.c"),
        folder.join("src/bk_ckernels.c"),
        folder.join("src/mulacc_ckernels.c"),
    ];
    let built = cc::program(command, &sources, &folder.join(format!("loops{compiler:?}{}", flags.concat())));
    let count = |name: &str, way: &str| {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(&built).args([name, way]);
        let output = cc::run(&mut valgrind);
        let said = String::from_utf8_lossy(&output.stderr);
        let count = said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse::<u64>().ok());
        (count.unwrap_or_else(|| panic!("valgrind counts nothing: {said}")), output.stdout)
    };
    let cost = |name| {
        let [(none, _), (ckernel, found), (hand, expected)] = ["none", "ckernel", "hand"].map(|way| count(name, way));
        assert_eq!(found, expected, "{name}");
        Cost { name, ckernel: ckernel.saturating_sub(none), hand: hand.saturating_sub(none) }
    };
    LOOPS.into_iter().map(cost).collect()
}
