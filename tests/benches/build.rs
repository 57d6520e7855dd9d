//! Lines per second of everything between a text and its files: the front end, lowering and each backend, on the shapes of
//! the front end's benchmark. Time is that of the thread, so that a busy machine matters less.
//!
//! `cargo bench -p lapis-cx-tests --bench build [-- SHAPE]`
#![allow(clippy::unwrap_used)]

#[path = "../../lapis-cx/compiler/benches/shapes/mod.rs"]
mod shapes;

use std::time::Duration;

use cpu_time::ThreadTime;
use lapis_cx::backend::Input;
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};
use lapis_cx::lower::lower;

/// The result of a run and the time that it took.
fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = ThreadTime::now();
    let result = run();
    (result, start.elapsed())
}

fn main() {
    let backends = lapis_cx_backends::all();
    print!("{:11} {:>8} {:>8} {:>8} {:>8} {:>8}", "shape", "lines", "ms", "check", "names", "lower");
    backends.iter().for_each(|backend| print!(" {:>8}", backend.name()));
    println!(" {:>12}", "lines/s");
    for (name, shape) in shapes::wanted().filter(|(name, _)| *name != "mistakes") {
        for lines in shapes::sizes() {
            let text = shape(lines);
            let lines = text.lines().count();
            let root = SourceText { name: name.to_owned(), bytes: text.into_bytes() };
            let (outcome, check) = timed(|| compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, &[]));
            let contract = outcome.contract.unwrap();
            let (_, naming) = timed(|| backends.iter().map(|backend| backend.names(&contract).len()).sum::<usize>());
            let (program, lowering) = timed(|| lower(&contract));
            let input = Input { contract: &contract, program: &program };
            let printing = backends.iter().map(|backend| {
                let (files, time) = timed(|| backend.emit(input).unwrap());
                assert_eq!(files.is_empty(), contract.interfaces().next().is_none());
                time
            });
            let printing: Vec<Duration> = printing.collect();
            let time = check + naming + lowering + printing.iter().sum::<Duration>();
            print!("{name:11} {lines:8} {:8}", time.as_millis());
            [check, naming, lowering].iter().chain(&printing).for_each(|part| print!(" {:8}", part.as_millis()));
            println!(" {:12}", (lines as f64 / time.as_secs_f64()) as u64);
        }
    }
}
