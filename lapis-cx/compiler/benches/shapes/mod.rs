//! Generated files of several shapes and any size: what the benchmarks compile.

use lapis_cx::source::SourceMap;
use lapis_cx::syntax::{self, Kind};

/// Text of about so many lines.
pub type Shape = fn(usize) -> String;

/// Every shape by its name.
pub const SHAPES: [(&str, Shape); 7] = [
    ("shipped", shipped),
    ("interfaces", interfaces),
    ("bodies", bodies),
    ("package", package),
    ("locals", locals),
    ("mistakes", mistakes),
    ("tables", tables),
];

/// The shapes named on the command line; all if there are none.
pub fn wanted() -> impl Iterator<Item = (&'static str, Shape)> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let any = SHAPES.iter().any(|(name, _)| wanted.iter().any(|w| w == name));
    SHAPES.into_iter().filter(move |(name, _)| !any || wanted.iter().any(|w| w == name))
}

/// The sizes on the command line, in lines. Else three if it is `cargo bench` that runs this; `cargo test` only sees that
/// every shape still goes through.
pub fn sizes() -> Vec<usize> {
    let given: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    match () {
        () if !given.is_empty() => given,
        () if std::env::args().any(|a| a == "--bench") => vec![1_000, 10_000, 100_000],
        () => vec![1_000],
    }
}

const HEAD: &str = "cxspec 1;\npackage org.example.bench;\n";

/// Interfaces of shipped specs without computed tables, under new names and without their frozen identities, examples and laws, so that
/// neither hardware ids clash nor the oracle's time counts.
fn shipped(lines: usize) -> String {
    // Benchmarks of several crates share this file.
    let above = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let folder = above.map(|folder| folder.join("specs")).find(|folder| folder.is_dir()).unwrap();
    let mut functions = String::new();
    let mut interfaces = Vec::new();
    for name in ["crc32c", "mulacc", "pair", "simd"] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.cxspec"))).unwrap();
        let text = without_checks(&text);
        let (before, interface) = text.split_at(text.find("interface ").unwrap());
        let (mut before, mut interface) = (before.to_owned(), interface.to_owned());
        // Package functions and constants get the spec's name behind theirs.
        let declared: Vec<String> =
            before.lines().filter_map(|l| l.strip_prefix("fn ").or(l.strip_prefix("const "))).map(first_word).collect();
        for item in declared {
            for place in [&mut before, &mut interface] {
                *place = rename(place, &item, &format!("{item}_{name}"));
            }
        }
        let head = |l: &&str| !["cxspec", "package", "use"].iter().any(|w| l.starts_with(w));
        functions += &before.lines().filter(head).map(|l| l.to_owned() + "\n").collect::<String>();
        interfaces.push(interface);
    }
    let mut text = "cxspec 1;\npackage org.example.bench;\nuse cx.std:IStateContext;\n".to_owned() + &functions;
    let mut ids = 0;
    let mut count = text.lines().count();
    for copy in 0.. {
        if count >= lines {
            break;
        }
        for interface in &interfaces {
            ids += 1;
            let head = format!("{{\n    uuid \"00000000-0000-4000-8000-{ids:012x}\";");
            text += &interface.replacen("interface ", &format!("draft interface N{copy}_"), 1).replacen('{', &head, 1);
            count += interface.lines().count();
        }
    }
    text
}

/// A spec without examples, laws, libraries and what names an interface to hardware and files.
fn without_checks(spec: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("spec", spec);
    let (tree, _) = syntax::parse(&sources, file);
    let mut kept = String::new();
    let mut at = 0;
    let items = tree.root().children();
    let members = items.flat_map(|item| std::iter::once(item).chain(item.children()));
    let dropped =
        [Kind::example, Kind::law, Kind::uuid_clause, Kind::contract_clause, Kind::short_clause, Kind::library];
    for node in members.filter(|node| dropped.contains(&node.kind())) {
        let span = node.span();
        kept += &spec[at..span.start as usize];
        at = span.end as usize;
    }
    kept + &spec[at..]
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Each whole word `from` becomes `to`.
fn rename(text: &str, from: &str, to: &str) -> String {
    let mut renamed = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word = first_word(rest);
        if word.is_empty() {
            renamed.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            renamed += if word == from { to } else { &word };
            rest = &rest[word.len()..];
        }
    }
    renamed
}

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
                "    /// Command {k}.\n    command c{k} = {k} : R (a: word, b: u32) -> word {{\n        let next = step(b);\n        if (a == {i} * 10 + {k}) {{\n            acc = acc +% a *% {k};\n        }}\n        return acc ^ next.zext(XLEN);\n    }}\n"
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

/// A list as long as the file, and a match as long as the language has it.
fn tables(lines: usize) -> String {
    let lines = lines.min(60_000);
    let list: String = (0..lines).map(|i| format!("    0x{i:08X},\n")).collect();
    let arms: String = (0..255).map(|i| format!("        {i} => {{ return {i}; }}\n")).collect();
    format!(
        "{HEAD}const T: u32[{lines}] = [\n{list}];\nfn f(x: u32) -> u32 {{\n    match (x) {{\n{arms}        _ => {{ return T[x]; }}\n    }}\n}}\n"
    )
}
