//! Lines per second of everything between a text and its files: the front end, lowering and each backend, on the shapes of
//! the front end's benchmark. Time is that of the thread, so that a busy machine matters less. The last columns are a whole
//! build on all cores: what it takes of this thread, which is what it takes on a machine with nothing else to do, on the clock,
//! and lines per second on the clock.
//!
//! `cargo bench -p lapis-cx-tests --bench build [-- SHAPE] [LINES]`
#![allow(clippy::unwrap_used)]

#[path = "../../lapis-cx/compiler/benches/shapes/mod.rs"]
mod shapes;

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use lapis_cx::backend::Input;
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};
use lapis_cx::lower::lower;

/// That of `cxc`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The result of a run and the time that it took.
fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = ThreadTime::now();
    let result = run();
    (result, start.elapsed())
}

const TURNS: usize = 5;

/// The times of one turn: the front end, names, lowering and each backend one behind the other; then the whole build, of this
/// thread and on the clock.
fn turn(root: &SourceText) -> Vec<Duration> {
    let backends = lapis_cx_backends::all();
    let again = root.clone();
    let (outcome, check) = timed(|| compile(again, &mut NoImports, &mut NoVerdicts, Effort::Build, &[]));
    let contract = outcome.contract.unwrap();
    let (_, naming) = timed(|| backends.iter().map(|backend| backend.names(&contract).len()).sum::<usize>());
    let (program, lowering) = timed(|| lower(&contract));
    let input = Input::new(&contract, &program);
    let printing = backends.iter().map(|backend| {
        let (files, time) = timed(|| backend.emit(input.clone()).unwrap());
        assert_eq!(files.is_empty(), contract.interfaces().next().is_none());
        time
    });
    let mut times = vec![check, naming, lowering];
    times.extend(printing);
    drop((contract, program));
    let again = root.clone();
    let start = Instant::now();
    let (outcome, build) = timed(|| compile(again, &mut NoImports, &mut NoVerdicts, Effort::Build, backends));
    times.extend([build, start.elapsed()]);
    assert!(!outcome.has_errors());
    times
}

fn main() {
    let backends = lapis_cx_backends::all();
    print!("{:11} {:>8} {:>8} {:>8} {:>8} {:>8}", "shape", "lines", "ms", "check", "names", "lower");
    backends.iter().for_each(|backend| print!(" {:>8}", backend.name()));
    println!(" {:>8} {:>8} {:>8} {:>8}", "lines/s", "build", "clock", "lines/s");
    for (name, shape) in shapes::wanted().filter(|(name, _)| *name != "mistakes") {
        for lines in shapes::sizes() {
            let text = shape(lines);
            let lines = text.lines().count();
            let root = SourceText { name: name.to_owned(), bytes: text.into_bytes() };
            let mut best = turn(&root);
            for _ in 1..TURNS {
                best.iter_mut().zip(turn(&root)).for_each(|(best, time)| *best = time.min(*best));
            }
            let (stages, whole) = best.split_at(best.len() - 2);
            let time = stages.iter().sum::<Duration>();
            let per_second = |time: Duration| (lines as f64 / time.as_secs_f64()) as u64;
            print!("{name:11} {lines:8} {:8}", time.as_millis());
            stages.iter().for_each(|stage| print!(" {:8}", stage.as_millis()));
            print!(" {:8}", per_second(time));
            whole.iter().for_each(|time| print!(" {:8}", time.as_millis()));
            println!(" {:8}", whole.last().map_or(0, |clock| per_second(*clock)));
        }
    }
}
