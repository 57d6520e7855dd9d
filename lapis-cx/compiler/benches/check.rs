//! Lines per second of the whole front end on generated files of several shapes and sizes. A shape whose rate falls with
//! the size has something quadratic. Time is that of the thread, so that a busy machine matters less.
//!
//! `cargo bench -p lapis-cx --bench check [-- SHAPE] [LINES]`
#![allow(clippy::unwrap_used)]

mod shapes;

use cpu_time::ThreadTime;
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};

fn main() {
    println!("{:11} {:>8} {:>8} {:>9} {:>12}", "shape", "lines", "KiB", "ms", "lines/s");
    for (name, shape) in shapes::wanted() {
        for lines in shapes::sizes() {
            let text = shape(lines);
            let (lines, kib) = (text.lines().count(), text.len() / 1024);
            let root = SourceText { name: name.to_owned(), bytes: text.into_bytes() };
            let start = ThreadTime::now();
            let outcome = compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, &[]);
            let time = start.elapsed();
            assert_eq!(outcome.has_errors(), name == "mistakes", "{:?}", outcome.diagnostics.first());
            let rate = (lines as f64 / time.as_secs_f64()) as u64;
            println!("{name:11} {lines:8} {kib:8} {:9} {rate:12}", time.as_millis());
        }
    }
}
