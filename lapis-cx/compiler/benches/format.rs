//! Lines per second of formatting, with and without reading the text, on generated files of several shapes and sizes. A
//! shape whose rate falls with the size has something quadratic. Time is that of the thread; the best of several turns.
//!
//! `cargo bench -p lapis-cx --bench format [-- SHAPE] [LINES]`
#![allow(clippy::unwrap_used)]

mod shapes;

use std::time::Duration;

use cpu_time::ThreadTime;
use lapis_cx::format::format;
use lapis_cx::source::SourceMap;
use lapis_cx::syntax::parse;

/// That of `cxc`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const TURNS: usize = 5;

fn main() {
    println!("{:11} {:>8} {:>8} {:>14} {:>14}", "shape", "lines", "KiB", "format l/s", "with reading");
    for (name, shape) in shapes::wanted() {
        for lines in shapes::sizes() {
            let text = shape(lines);
            let (lines, kib) = (text.lines().count(), text.len() / 1024);
            let mut sources = SourceMap::new();
            let file = sources.add(name, text);
            let turns = (0..TURNS).map(|_| {
                let start = ThreadTime::now();
                let (tree, _) = parse(&sources, file);
                let read = start.elapsed();
                assert!(format(&tree).is_some());
                (start.elapsed() - read, start.elapsed())
            });
            let turns: Vec<(Duration, Duration)> = turns.collect();
            let rate = |of: fn(&(Duration, Duration)) -> Duration| {
                (lines as f64 / turns.iter().map(of).min().unwrap().as_secs_f64()) as u64
            };
            println!("{name:11} {lines:8} {kib:8} {:14} {:14}", rate(|turn| turn.0), rate(|turn| turn.1));
        }
    }
}
