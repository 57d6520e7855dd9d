//! Lines per second from text to tree, on shipped specs repeated to several sizes.
//!
//! `cargo bench -p lapis-cx --bench syntax`
#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use lapis_cx::source::SourceMap;
use lapis_cx::syntax;

/// A file of at least `lines` lines: one header, then the interfaces of a spec under new names.
fn grown(spec: &str, lines: usize) -> String {
    let (header, body) = spec.split_at(spec.find("///").unwrap());
    let body = body.split("\nlibrary ").next().unwrap();
    let mut text = header.to_owned();
    let copies = lines / body.lines().count() + 1;
    for copy in 0..copies {
        text += &body.replace("interface ", &format!("interface N{copy}"));
        text.push('\n');
    }
    text
}

/// The best of some runs, as the machine may be busy.
fn best(mut run: impl FnMut()) -> Duration {
    (0..7)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .min()
        .unwrap()
}

fn main() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../specs");
    println!("{:10} {:>8} {:>8} {:>14} {:>10}", "spec", "lines", "KiB", "tree l/s", "nodes");
    // `broken` lacks the `;` of every `return` and misspells each command.
    for name in ["mulacc", "bitkit", "broken"] {
        let broken = name == "broken";
        let path = format!("{folder}/{}.cxspec", if broken { "mulacc" } else { name });
        let spec = std::fs::read_to_string(path).unwrap();
        for lines in [1_000, 10_000, 100_000] {
            let mut text = grown(&spec, lines);
            if broken {
                text = text.replace("return acc;", "return acc").replace("command ", "comand ");
            }
            let lines = text.lines().count();
            let mut sources = SourceMap::new();
            let file = sources.add(name, text.as_str());
            let (tree, diagnostics) = syntax::parse(&sources, file);
            assert_eq!(diagnostics.is_empty(), !broken, "{:?}", diagnostics.first());
            let rate = |time: Duration| (lines as f64 / time.as_secs_f64()) as u64;
            let whole = rate(best(|| assert_eq!(syntax::parse(&sources, file).1.len(), diagnostics.len())));
            println!("{name:10} {lines:8} {:8} {whole:14} {:10}", text.len() / 1024, tree.node_count());
        }
    }
}
