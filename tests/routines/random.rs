//! Random libraries: on each machine a function gives what the oracle says, which knows nothing of selections, of saved states,
//! and of commands that are issued once for many. Functions that it calls destroy what their convention lets them.

use std::fmt::Write as _;
use std::fs;

use lapis_cx::contract::core::Value;
use lapis_cx::contract::library::{FunctionId, Library};
use lapis_cx::int::Int;
use lapis_cx::oracle::routine::Routines;
use lapis_cx_tests::cc::{Compiler, Language};
use lapis_cx_tests::{long, spec};

use crate::{MACHINES, compiler, linked, printed, rust};

/// Interfaces with one kind of state each; `Pure` has none, so that its commands may be issued once for many.
const INTERFACES: &str = r#"cxspec 1;
package org.example.random;
use cx.std:IStateContext;

fn is_live(index: u10, depth: u32) -> bool { return index == 0 || index - 1 < depth.trunc(10); }
interface Pure {
    uuid auto; short pu;
    command mix = 0 : R (a: u32, b: u32) -> u32 { return (a *% 3) ^ b; }
    command low = 1 : R (a: u32) -> u8 { return a.trunc(8); }
}
STATES
interface Cu : IStateContext {
    uuid auto; short cu;
    state shared(custom, save: is_live, restore: is_live) { depth: u32 = 0; cells: u32[3] = 0; }
    command set = 0 : R (a: u32, b: u32) -> u32 { depth = 3; cells = [a, b, a ^ b]; return a; }
    command add = 1 : R (a: u32) -> u32 { if (depth == 0) { depth = 2; } cells[0] = cells[0] +% a; return cells[0]; }
    command part = 2 : R (a: u32) -> u32 { if (depth != 0) { cells[1] = a; } return cells[0]; }
    command get = 3 : R () -> u32 { return cells[0] ^ cells[1] ^ depth; }
}
"#;

/// With a state of two fields under a model.
const STATE: &str = r#"interface NAME : IStateContext {
    uuid auto; short SHORT;
    state MODEL { x: u32 = 5; y: u32 = 6; }
    command set = 0 : R (a: u32, b: u32) -> u32 { x = a; y = b; return a ^ b; }
    command add = 1 : R (a: u32) -> u32 { x = x +% a; y = y +% 1; return x; }
    command part = 2 : R (a: u32) -> u32 { y = a; return y; }
    command get = 3 : R () -> u32 { return x ^ y; }
}
"#;

const STATEFUL: [(&str, &str, &str); 5] = [
    ("Ex", "ex", "exclusive"),
    ("Cr", "cr", "shared(caller_save)"),
    ("Ce", "ce", "shared(callee_save)"),
    ("Al", "al", "shared(always_init)"),
    ("Cu", "cu", ""),
];

/// Bodies that are seldom drawn. `LAST` is the function before.
const WRITTEN: [&str; 4] = [
    // What is read after the call is read in the next round.
    "with Cr as m { m.set(v, 1); for i in 0..4 { v = m.add(w); w = legacy(v); } }",
    "for i in 0..n { out[i] = v +% i.wrap(32); v = v *% 3; }",
    // A call writes what was read before it.
    "out[0] = 5; out[1] = out[0] +% 2; v = out[0] ^ LAST(a, out, v +% 9, n) ^ out[1] ^ LAST(a, out, out[2], n);",
    // A context that begins and ends in each round, also by a return.
    "for i in 0..3 { with Al as m { v = m.add(v); if (v[5]) { return legacy(v); } w = legacy(w); v = v ^ m.get(); } }",
];

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0.rotate_left(31) % n as u64) as usize
    }

    fn one<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// A function that is drawn.
#[derive(Clone, Copy)]
struct Function {
    follows_cx: bool,
    /// Whether it, or one that it calls, may destroy shared state.
    destroys: bool,
}

struct Drawing<'d> {
    dice: &'d mut Dice,
    text: String,
    /// The contexts around, by the name of the variable, and whether they have state.
    contexts: Vec<(String, bool)>,
    earlier: &'d [Function],
    function: Function,
    names: usize,
    /// Statements that may still be drawn.
    left: usize,
}

impl Drawing<'_> {
    fn value(&mut self) -> String {
        match self.dice.below(9) {
            0 => "u32(7)".to_owned(),
            1 => "n".to_owned(),
            2 => "v".to_owned(),
            3 => "a[v[1:0]]".to_owned(),
            4 => "out[w[2:0]]".to_owned(),
            5 => "v +% w".to_owned(),
            _ => self.dice.one(&["v", "w"]).to_owned(),
        }
    }

    /// A value that may have an effect.
    fn effect(&mut self) -> String {
        let value = self.value();
        let context = (!self.contexts.is_empty()).then(|| self.dice.below(self.contexts.len()));
        match (self.dice.below(8), context.and_then(|at| self.contexts.get(at)).cloned()) {
            (0, _) if !self.function.follows_cx => {
                self.function.destroys = true;
                format!("legacy({value})")
            }
            (1, _) => format!("aware({value})"),
            (2, _) if !self.earlier.is_empty() => {
                let at = self.dice.below(self.earlier.len());
                let called = self.earlier[at];
                // One of the default convention leaves shared state in any state.
                let preserves = called.follows_cx && !called.destroys;
                if called.follows_cx && called.destroys || self.function.follows_cx && !preserves {
                    return value;
                }
                self.function.destroys |= !called.follows_cx;
                format!("f{at}(a, out, {value}, n)")
            }
            (_, Some((name, true))) => match self.dice.below(4) {
                0 => format!("{name}.set({value}, w)"),
                1 => format!("{name}.part({value})"),
                2 => format!("{name}.get()"),
                _ => format!("{name}.add({value})"),
            },
            (3, Some((name, false))) => format!("{name}.low({value}).ext(32)"),
            (_, Some((name, false))) => format!("{name}.mix({value}, n)"),
            _ => value,
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(depth + 2));
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..=self.dice.below(4) {
            if self.left > 0 {
                self.left -= 1;
                self.statement(depth);
            }
        }
    }

    fn statement(&mut self, depth: usize) {
        let target = self.dice.one(&["v", "w", "out[w[2:0]]", "out[0]"]);
        match self.dice.below(if depth < 5 { 12 } else { 4 }) {
            0..=2 => {
                let (first, second) = (self.effect(), self.effect());
                self.line(depth, &format!("{target} = {first} ^ {second};"));
            }
            3 | 4 => {
                let value = self.effect();
                self.line(depth, &format!("{target} = {value};"));
            }
            5 => {
                let (condition, then, other) = (self.value(), self.effect(), self.effect());
                self.line(depth, &format!("{target} = {condition} > 40 ? {then} : {other};"));
            }
            6 | 7 => {
                let condition = self.effect();
                self.line(depth, &format!("if (({condition})[0]) {{"));
                self.block(depth + 1);
                if self.dice.below(2) == 0 {
                    self.line(depth, "} else {");
                    self.block(depth + 1);
                }
                self.line(depth, "}");
            }
            8 => {
                let (end, i) = (self.dice.one(&["3", "n[1:0]", "v[1:0]"]), self.names);
                self.names += 1;
                self.line(depth, &format!("for i{i} in 0..{end} {{"));
                self.block(depth + 1);
                self.line(depth, "}");
            }
            9 if depth > 0 => {
                let value = self.effect();
                self.line(depth, &format!("if (w[3:0] == 9) {{ return {value}; }}"));
            }
            10 => {
                let value = self.effect();
                self.line(depth, &format!("match (({value})[1:0]) {{"));
                for arm in ["0", "1..3", "_"] {
                    self.line(depth + 1, &format!("{arm} => {{"));
                    self.block(depth + 2);
                    self.line(depth + 1, "}");
                }
                self.line(depth, "}");
            }
            _ => self.with(depth),
        }
    }

    fn with(&mut self, depth: usize) {
        if self.contexts.len() > 2 {
            return self.line(depth, "w = w +% 1;");
        }
        let stateful = self.dice.below(5) > 0;
        let interface = if stateful { STATEFUL[self.dice.below(STATEFUL.len())].0 } else { "Pure" };
        let name = format!("m{}", self.names);
        self.names += 1;
        self.line(depth, &format!("with {interface} as {name} {{"));
        self.contexts.push((name, stateful));
        self.left += 6;
        self.block(depth + 1);
        self.block(depth + 1);
        self.contexts.pop();
        self.line(depth, "}");
    }
}

/// A spec with functions, each of which may call the earlier ones.
fn library(dice: &mut Dice, count: usize) -> (String, Vec<Function>) {
    let states = STATEFUL
        .iter()
        .filter(|(.., model)| !model.is_empty())
        .map(|(name, short, model)| STATE.replace("NAME", name).replace("SHORT", short).replace("MODEL", model));
    let mut text = INTERFACES.replace("STATES", &states.collect::<String>());
    text += "library Random for Pure, Ex, Cr, Ce, Al, Cu {\n    c prefix \"rnd_\"; c header \"rnd.h\";\n";
    text += "    func legacy(x: u32) -> u32;\n    func aware(x: u32) -> u32 { cx_call; }\n";
    let mut functions: Vec<Function> = Vec::new();
    for (at, written) in (0..count).map(|at| (at, None)).chain((count..).zip(WRITTEN.iter().map(Some))) {
        let function = Function { follows_cx: dice.below(2) == 0, destroys: false };
        let mut drawing = Drawing {
            dice,
            text: String::new(),
            contexts: Vec::new(),
            earlier: &functions,
            function,
            names: 0,
            left: 16,
        };
        match written {
            Some(written) => {
                drawing.text = written.replace("LAST", &format!("f{}", at.saturating_sub(1)));
                drawing.function = Function { follows_cx: false, destroys: true };
            }
            None => {
                drawing.with(1);
                drawing.block(1);
                drawing.with(1);
            }
        }
        let (body, function) = (drawing.text, drawing.function);
        let clause = if function.follows_cx { "cx_call; " } else { "" };
        let _ = writeln!(
            text,
            "    func f{at}(a: in [u32; 3], out: inout [u32; n]?, v0: u32, n: u32) -> u32 {{\n        {clause}impl {{\n            \
             var v: u32 = v0;\n            var w: u32 = 0;\n{body}            return v ^ w;\n        }}\n    }}"
        );
        functions.push(function);
    }
    (text + "}\n", functions)
}

/// The functions as rows for `random.c`.
fn table(functions: &[Function]) -> String {
    let row = |(at, f): (usize, &Function)| {
        format!("    {{rnd_f{at}, {}, {}}},\n", u8::from(f.follows_cx), u8::from(!f.destroys))
    };
    functions.iter().enumerate().map(row).collect()
}

/// Seeds that found a mistake, and how many functions they drew.
const KEPT: [(u64, usize); 1] = [
    // Two contexts that are one shared state, used in turns.
    (1, 12),
];

/// What `random.c` prints of a function, by the oracle.
fn expected(library: &Library, section: usize, at: usize) -> String {
    let of =
        |name: &str| library.functions.iter().position(|f| f.name == name).map(|id| FunctionId(id as u32)).unwrap();
    let (legacy, function) = (of("legacy"), of(&format!("f{at}")));
    let word = |value: &Value| value.int().to_u32().unwrap();
    let mut others = |id: FunctionId, args: &mut [Value]| {
        let x = word(&args[0]);
        Int::from(if id == legacy { x.wrapping_mul(3).wrapping_add(1) } else { x ^ 0x55 })
    };
    let mut routines = Routines { library, section, has_cxs: true, others: &mut others };
    let array = |values: &[u32]| Value::Array(values.iter().map(|v| Value::Int(Int::from(*v))).collect());
    let mut sum = 0u32;
    let add = |sum: u32, v: u32| sum.wrapping_mul(31).wrapping_add(v);
    for round in 0..30u32 {
        let is_null = round % 5 == 4;
        let out = [round, 1, 2, 3, 4, 5, 6, 7];
        let a = array(&[round, round * 77, u32::MAX - round]);
        let given = if is_null { array(&[]) } else { array(&out) };
        let number = |v: u32| Value::Int(Int::from(v));
        let mut args = [a, given, number(round.wrapping_mul(0x0123_4567)), number(round % 9)];
        sum = add(sum, routines.call(function, &mut args).unwrap().to_u32().unwrap());
        let after = match &args[1] {
            Value::Array(items) if !is_null => items.iter().map(word).collect(),
            _ => out.to_vec(),
        };
        sum = after.into_iter().fold(sum, add);
    }
    format!("{sum:08X}")
}

/// Each machine prints what the oracle says.
#[test]
fn random_libraries_give_what_the_oracle_says() {
    let (seeds, count) = if long() { (300, 12) } else { (3, 6) };
    for (seed, count) in (0..seeds).map(|seed| (seed, count)).chain(KEPT) {
        let (text, functions) = library(&mut Dice(seed), count);
        let folder = tempfile::tempdir().unwrap();
        let outcome = spec::build_text("rnd", text.clone());
        let library = spec::contract(&outcome).libraries().next().unwrap();
        spec::write(&outcome, folder.path());
        fs::write(folder.path().join("table.inc"), table(&functions)).unwrap();
        let names = ["rnd", "pu_fallback", "ex_fallback", "cr_fallback", "ce_fallback", "al_fallback", "cu_fallback"];
        let sources = names.iter().map(|name| folder.path().join(format!("src/{name}.c")));
        let sources: Vec<_> = sources.chain([crate::here("routines/random.c")]).collect();
        let (family, language) = match seed % 3 {
            0 => (Compiler::Gcc, Language::C11),
            1 => (Compiler::Clang, Language::Cpp17),
            _ => (Compiler::Clang, Language::C11),
        };
        let xlen = if seed % 2 == 0 { 64 } else { 32 };
        let mut command = compiler(family, language, xlen, folder.path());
        command.arg("-I").arg(folder.path());
        let program = linked(command, &sources, family.sanitize(), &folder.path().join("program"));
        let count = functions.len();
        let wanted: Vec<String> = (0..count).map(|at| expected(library, usize::from(xlen == 64), at)).collect();
        let rows = functions.iter().map(|f| (f.follows_cx, !f.destroys));
        let rust = rust::random(folder.path(), if seed % 4 < 2 { "2024" } else { "2021" }, xlen, rows);
        let runs =
            [("C", &program), ("Rust", &rust)].into_iter().flat_map(|one| MACHINES.map(|machine| (one, machine)));
        for ((language, program), machine) in runs {
            let said = printed(program, machine);
            let said: Vec<&str> = said.lines().collect();
            let differs = wanted.iter().zip(&said).position(|(wanted, got)| wanted != got);
            assert_eq!(
                (differs, said.len()),
                (None, count),
                "seed {seed} in {language} on the machine `{machine}`:\n{text}\n{wanted:?}\n{said:?}"
            );
        }
    }
}
