//! Lines per second of the whole front end on generated files of several shapes and sizes. A shape whose rate falls with
//! the size has something quadratic. Time is that of the thread, so that a busy machine matters less; the first of several
//! turns, whose memory is new to the process, and the best of them.
//!
//! `cargo bench -p lapis-cx --bench check [-- SHAPE] [LINES]`
#![allow(clippy::unwrap_used)]

mod shapes;

use std::time::Duration;

use cpu_time::ThreadTime;
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};

/// That of `cxc`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const TURNS: usize = 5;

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn main() {
    println!("{:11} {:>8} {:>8} {:>9} {:>9} {:>12}", "shape", "lines", "KiB", "first ms", "best ms", "lines/s");
    for (name, shape) in shapes::wanted() {
        for lines in shapes::sizes() {
            let text = shape(lines);
            let (lines, kib) = (text.lines().count(), text.len() / 1024);
            let root = SourceText { name: name.to_owned(), bytes: text.into_bytes() };
            let turns = (0..TURNS).map(|_| {
                let root = root.clone();
                let start = ThreadTime::now();
                let outcome = compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, &[]);
                let time = start.elapsed();
                assert_eq!(outcome.has_errors(), name == "mistakes", "{:?}", outcome.diagnostics.first());
                time
            });
            let turns: Vec<Duration> = turns.collect();
            let (first, best) = (turns[0], *turns.iter().min().unwrap());
            let rate = (lines as f64 / best.as_secs_f64()) as u64;
            println!("{name:11} {lines:8} {kib:8} {:9.1} {:9.1} {rate:12}", ms(first), ms(best));
        }
    }
}
