//! Random libraries: on each machine a function gives what the oracle says, which knows nothing of selections, of saved states,
//! and of commands that are issued once for many. Functions that it calls destroy what their convention lets them.

pub mod draw;
mod interfaces;
pub mod kind;

use std::fmt::Write as _;
use std::fs;

use lapis_cx::contract::core::{Type, Value};
use lapis_cx::contract::library::{FunctionId, Library};
use lapis_cx::int::Int;
use lapis_cx::oracle::routine::Routines;
use lapis_cx_tests::cc::{Compiler, Language};
use lapis_cx_tests::{long, spec};

use crate::{compiler, linked, printed, rust};
use draw::{Dice, Drawn, library};
use interfaces::INTERFACES;
use kind::Kind;

/// What a machine has of the CXs: all in software; one context of each; one context of each second one; none; none, and
/// software that stands in.
const MACHINES: [&str; 6] = ["soft", "few", "odd", "even", "absent", "emulated"];

/// Whether a machine has the interface of this number.
fn has(machine: &str, at: usize) -> bool {
    match machine {
        "odd" => at % 2 == 1,
        "even" => at.is_multiple_of(2),
        "absent" => false,
        _ => true,
    }
}

/// The functions for `random.c`: one that calls each with values of its types, and the rows of a table.
fn table(drawn: &Drawn) -> String {
    let (mut callers, mut rows) = (String::new(), String::new());
    for (at, f) in drawn.functions.iter().enumerate() {
        let shape = drawn.shapes[f.shape];
        let as_c = |kind: &Kind, value: &str| match kind.is_bool() {
            true => format!("({value} & 1u) != 0"),
            false => format!("({}){value}", kind.api[1]),
        };
        let array = |name: &str, kind: &Kind, len: usize| {
            let items: Vec<_> = (0..len).map(|i| as_c(kind, &format!("call->{name}[{i}]"))).collect();
            format!("    {} {name}[{len}] = {{{}}};\n", kind.api[1], items.join(", "))
        };
        let (v, w, n) = (as_c(f.v, "call->v"), as_c(f.w, "call->w"), as_c(shape.n, "call->n"));
        let call = format!("rnd_f{at}(a, call->is_null ? NULL : out, b, {v}, {w}, call->t, {n})");
        let call = if f.result.is_some() { format!("call->result = (uint64_t){call}") } else { call };
        let (a, out, b) = (array("a", shape.a, 3), array("out", shape.out, 8), array("b", shape.b, 2));
        let same = as_c(shape.out, "call->out[i]");
        let _ = write!(
            callers,
            "static void f{at}(struct call *call)\n{{\n    unsigned i;\n{a}{out}{b}    {call};\n    for (i = 0; i < 8; i++) {{\n        \
             CHECK((int64_t)i < (int64_t)call->n || out[i] == ({same}));\n        call->out[i] = (uint64_t)out[i];\n    }}\n    \
             for (i = 0; i < 2; i++) {{\n        call->b[i] = (uint64_t)b[i];\n    }}\n}}\n"
        );
        let flags = [f.follows_cx, !f.destroys, shape.n.is_signed].map(u8::from);
        let _ = writeln!(rows, "    {{f{at}, {}, {}, {}}},", flags[0], flags[1], flags[2]);
    }
    format!("{callers}static const struct row ROWS[] = {{\n{rows}}};\n")
}

/// What stands for the functions that have no body.
fn other(name: &str, args: &[Value]) -> Int {
    let word = |at: usize| args[at].int().wrap(64, false).to_u64().unwrap();
    match name {
        "legacy" => Int::from((word(0) as u32).wrapping_mul(3).wrapping_add(1)),
        "aware" => Int::from(word(0) as u32 ^ 0x55),
        "narrow" => Int::from(i128::from((word(0) as i64 * 5 - (word(1) & 0x7FFF) as i64) as i16)),
        _ => Int::from(word(0) ^ (word(1) & 1)),
    }
}

/// A value of a parameter's type out of these words.
fn given(ty: &Type, words: &[u64]) -> Value {
    match ty {
        Type::Array { elem, .. } => Value::Array(words.iter().map(|word| given(elem, &[*word])).collect()),
        scalar => Value::Int(scalar.reduce(&Int::from(words[0]))),
    }
}

/// What `random.c` prints of a function on a machine, by the oracle.
fn expected(library: &Library, section: usize, at: usize, machine: &str) -> String {
    let name = format!("f{at}");
    let id = FunctionId(library.functions.iter().position(|f| f.name == name).unwrap() as u32);
    let (_, bodies) = library.functions[id.index()].body().unwrap();
    let types: Vec<&Type> = bodies[section].body.locals.iter().map(|local| &local.ty).collect();
    let mut others = |id: FunctionId, args: &mut [Value]| other(&library.functions[id.index()].name, args);
    let position = |name: &str| INTERFACES.iter().position(|one| one.name == name).unwrap();
    let has = |interface: &lapis_cx::contract::Interface| has(machine, position(&interface.name));
    let mut routines = Routines { library, section, has: &has, status: 0, others: &mut others };
    let mut sum = 0u32;
    let mut add = |word: u64| {
        for half in [word as u32, (word >> 32) as u32] {
            sum = sum.wrapping_mul(31).wrapping_add(half);
        }
    };
    let word = |value: &Value| value.int().wrap(64, false).to_u64().unwrap();
    for round in 0..30u64 {
        let is_null = round % 5 == 4;
        let n = if types[6].is_signed() && round % 9 == 7 { 3u64.wrapping_neg() } else { round % 9 };
        let a = [round, round * 77, u64::MAX - round * 0x10001];
        let out: Vec<u64> = (0..8).map(|k: u64| k.wrapping_mul(0x8101_0181_0101_8101).wrapping_add(round)).collect();
        let b = [round * 3, !round];
        let v = round.wrapping_mul(0x8123_4567_0123_4567);
        let w = round.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let words: [&[u64]; 7] = [&a, if is_null { &[] } else { &out }, &b, &[v], &[w], &[round >> 1 & 1], &[n]];
        let mut args: Vec<Value> = types.iter().zip(words).map(|(ty, words)| given(ty, words)).collect();
        let result = routines.call(id, &mut args).unwrap();
        add(word(&Value::Int(result)));
        let unchanged = given(types[1], &out);
        let items = |value: &Value| match value {
            Value::Array(items) => items.iter().map(word).collect(),
            Value::Int(_) => Vec::new(),
        };
        items(if is_null { &unchanged } else { &args[1] }).into_iter().for_each(&mut add);
        items(&args[2]).into_iter().for_each(&mut add);
    }
    format!("{sum:08X} {:02X}", routines.status)
}

/// Each machine prints what the oracle says. `CX_SEED=7` begins with that one.
#[test]
fn random_libraries_give_what_the_oracle_says() {
    let (seeds, count) = if long() { (300, 12) } else { (3, 5) };
    let from = std::env::var("CX_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    for seed in from..from + seeds {
        println!("seed {seed}");
        let drawn = library(&mut Dice(seed), count);
        let text = &drawn.text;
        let folder = tempfile::tempdir().unwrap();
        let outcome = spec::build_text("rnd", text.clone());
        let library = spec::contract(&outcome).libraries().next().unwrap();
        spec::write(&outcome, folder.path());
        fs::write(folder.path().join("table.inc"), table(&drawn)).unwrap();
        let fallbacks = INTERFACES.iter().map(|one| format!("src/{}_fallback.c", one.short));
        let sources = fallbacks.chain(["src/rnd.c".to_owned()]).map(|name| folder.path().join(name));
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
        let count = drawn.functions.len();
        let edition = if seed % 4 < 2 { "2024" } else { "2021" };
        let programs = [("C", program), ("Rust", rust::random(folder.path(), edition, xlen, &drawn))];
        for machine in MACHINES {
            let section = usize::from(xlen == 64);
            let wanted: Vec<String> = (0..count).map(|at| expected(library, section, at, machine)).collect();
            for (in_language, program) in &programs {
                let said = printed(program, machine);
                let said: Vec<&str> = said.lines().collect();
                let differs = wanted.iter().zip(&said).position(|(wanted, got)| wanted != got);
                let at = format!("seed {seed}, in {in_language}, on the machine `{machine}`");
                assert_eq!((differs, said.len()), (None, count), "{at}:\n{text}\n{wanted:?}\n{said:?}");
            }
        }
    }
}
