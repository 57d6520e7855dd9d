//! Lines per second of the whole front end on generated files of several shapes and sizes. A shape whose rate falls with
//! the size has something quadratic.
//!
//! `cargo bench -p lapis-cx --bench check`
#![allow(clippy::unwrap_used)]

use std::time::Instant;

use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile};

const HEAD: &str = "cxspec 1;\npackage org.example.bench;\n";

/// Interfaces of ten commands each.
fn interfaces(lines: usize) -> String {
    let mut text = HEAD.to_owned()
        + "const POLY: u32 = 0xEDB88320;\nfn step(c: u32) -> u32 {\n    return c[0] ? (c >> 1) ^ POLY : c >> 1;\n}\n";
    for i in 0..lines / 75 {
        text += &format!(
            "draft interface I{i} {{\n    uuid auto;\n    state exclusive {{\n        acc: word = 0;\n        on: bool = true;\n    }}\n"
        );
        for k in 0..10 {
            text += &format!(
                "    /// Command {k}.\n    command c{k} = {k} : R (a: word, b: u32) -> word {{\n        let next = step(b);\n        if (a == {k}) {{\n            acc = acc +% a *% {k};\n        }}\n        return acc ^ next.zext(XLEN);\n    }}\n"
            );
        }
        text += "}\n";
    }
    text
}

/// One interface of as many commands as there are ids, with long bodies.
fn bodies(lines: usize) -> String {
    let mut text = HEAD.to_owned() + "draft interface X {\n    uuid auto;\n";
    for i in 0..1000 {
        text += &format!("    command c{i} = {i} : R (a: word, b: word) -> word {{\n        var s: word = a;\n");
        for k in 0..(lines / 1000).saturating_sub(4) {
            text += &format!("        s = (s ^ b) +% {k};\n");
        }
        text += "        return s;\n    }\n";
    }
    text + "}\n"
}

/// Functions and constants of a package, each used by the next.
fn package(lines: usize) -> String {
    let mut text = HEAD.to_owned() + "const C0 = 1;\nfn f0(x: u32) -> u32 { return x; }\n";
    for i in 1..lines / 5 {
        let before = i - 1;
        text += &format!(
            "const C{i} = (C{before} + 1) % 1000;\nfn f{i}(x: u32) -> u32 {{\n    let y = x ^ C{before};\n    return y;\n}}\n"
        );
    }
    text
}

/// One body with many locals.
fn locals(lines: usize) -> String {
    let mut text = HEAD.to_owned() + "fn f(x0: u32) -> u32 {\n";
    for i in 1..lines {
        text += &format!("    let x{i} = x{} +% {i};\n", i - 1);
    }
    text + &format!("    return x{};\n}}\n", lines - 1)
}

/// Every line has a mistake.
fn mistakes(lines: usize) -> String {
    let mut text = HEAD.to_owned() + "fn f(x0: u32) -> u32 {\n";
    for i in 1..lines {
        text += &format!("    let x{i} = y{i} +% {i};\n");
    }
    text + "    return x0;\n}\n"
}

/// A list and a match as long as the file.
fn tables(lines: usize) -> String {
    let lines = lines.min(60_000) / 2;
    let list: String = (0..lines).map(|i| format!("    0x{i:08X},\n")).collect();
    let arms: String = (0..lines).map(|i| format!("        {i} => {{ return {i}; }}\n")).collect();
    format!(
        "{HEAD}const T: u32[{lines}] = [\n{list}];\nfn f(x: u32) -> u32 {{\n    match (x) {{\n{arms}        _ => {{ return T[x]; }}\n    }}\n}}\n"
    )
}

/// Text of about so many lines.
type Shape = fn(usize) -> String;

fn main() {
    println!("{:11} {:>8} {:>8} {:>9} {:>12}", "shape", "lines", "KiB", "ms", "lines/s");
    let shapes: [(&str, Shape); 6] = [
        ("interfaces", interfaces),
        ("bodies", bodies),
        ("package", package),
        ("locals", locals),
        ("mistakes", mistakes),
        ("tables", tables),
    ];
    for (name, shape) in shapes {
        for lines in [1_000, 10_000, 100_000] {
            let text = shape(lines);
            let (lines, kib) = (text.lines().count(), text.len() / 1024);
            let root = SourceText { name: name.to_owned(), bytes: text.into_bytes() };
            let start = Instant::now();
            let outcome = compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, &[]);
            let time = start.elapsed();
            assert_eq!(outcome.has_errors(), name == "mistakes", "{:?}", outcome.diagnostics.first());
            let rate = (lines as f64 / time.as_secs_f64()) as u64;
            println!("{name:11} {lines:8} {kib:8} {:9} {rate:12}", time.as_millis());
        }
    }
}
