//! Time of the backend alone, for each line that it prints, on every shipped spec that it prints something of. Time is
//! that of the thread; the least of many turns counts, as the machine may be busy.
//!
//! `cargo bench -p lapis-cx-backend-rust`
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use cpu_time::ThreadTime;
use lapis_cx::backend::{Backend, Input};
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};
use lapis_cx_backend_rust::Rust;

/// That of `cxc`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    // `cargo bench` says so; `cargo test` only sees that it runs.
    let turns = if std::env::args().any(|a| a == "--bench") { 300 } else { 1 };
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../specs");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "cxspec"));
    paths.sort();
    println!("{:10} {:>6} {:>8} {:>8} {:>8} {:>9}", "spec", "lines", "printed", "KiB", "us", "ns/line");
    let (mut all_lines, mut all_time) = (0, Duration::ZERO);
    for path in paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        let lines = bytes.iter().filter(|b| **b == b'\n').count();
        let source = SourceText { name: name.clone(), bytes };
        let outcome = compile(source, &mut NoImports, &mut NoVerdicts, Effort::Build, &[]);
        let Some(contract) = outcome.contract.filter(|_| !outcome.diagnostics.iter().any(|d| d.is_error())) else {
            continue;
        };
        let program = lapis_cx::lower::lower(&contract);
        let mut least = Duration::MAX;
        let mut size = (0, 0);
        for _ in 0..turns {
            let start = ThreadTime::now();
            let files = Rust::DEFAULT.emit(Input::new(&contract, &program)).unwrap();
            least = least.min(start.elapsed());
            size =
                (files.iter().map(|f| f.text.lines().count()).sum(), files.iter().map(|f| f.text.len()).sum::<usize>());
        }
        if size.0 == 0 {
            continue;
        }
        let per = least.as_nanos() / size.0 as u128;
        println!("{name:10} {lines:6} {:8} {:8} {:8} {per:9}", size.0, size.1 / 1024, least.as_micros());
        all_lines += size.0;
        all_time += least;
    }
    println!("{all_lines} lines printed, {} ns each", all_time.as_nanos() / all_lines.max(1) as u128);
}
