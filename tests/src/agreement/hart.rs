//! The C program that issues vectors by the stubs of the header, to a CX that it has opened: on a hart, by instructions.

use std::collections::BTreeSet;
use std::fmt::Write;

use lapis_cx::contract::core::Type;
use lapis_cx::contract::layout::Layout;
use lapis_cx::contract::{Interface, Operand, Section, Semantics, Slot};
use lapis_cx_backend_c::naming::Names;
use lapis_cx_backend_c::stub::{Spelling, spellings};

use super::program::{c_type, supplied};
use super::vectors::{ACCESS, Answer, TRAPPED, Vector};

/// So many constants of each operand that has to be one are compiled in.
const CONSTANTS: usize = 12;

/// A program, and the vectors that it can answer.
pub struct OnHart {
    /// The text of the program. It reads what [`program::input`](super::program::input) gives for one interface.
    pub text: String,
    /// Those of the vectors whose constants are compiled in; and which stub each takes, where a command has two.
    pub vectors: Vec<Vector>,
    /// Whether the stub of a vector has no result register, so that the answer's `rd` is 0.
    pub silent: Vec<bool>,
}

/// The value that goes to the operand of a stub.
fn place(operand: &Operand) -> &'static str {
    match operand.slot {
        Slot::Rs1 => "rs1",
        Slot::Rs2 => "rs2",
        Slot::Imm => "imm",
    }
}

/// Makes the program of one interface at one XLEN, which has a UUID.
pub fn make(interface: &Interface, section: &Section, vectors: &[Vector]) -> OnHart {
    let names = Names::new(interface);
    let has_state = section.state.is_some();
    let words = section.state.as_ref().map_or(0, |_| 1 + Layout::new(section).words);
    let (mut cases, mut bodies) = (String::new(), String::new());
    let (mut taken, mut silent) = (Vec::new(), Vec::new());
    for command in &section.commands {
        if matches!(command.semantics, Semantics::Opaque) {
            bodies += &supplied(&names, command, has_state);
            continue;
        }
        let of_this = |vector: &&Vector| vector.function == u64::from(command.id);
        let all: Vec<&Vector> = vectors.iter().filter(of_this).collect();
        let stubs = spellings(&names, command);
        for (number, stub) in stubs.iter().enumerate() {
            let call = |args: Vec<String>| {
                let call = format!("{}({})", stub.name, args.join(", "));
                if stub.has_result { format!("rd = (cx_reg_t)(cx_word_t){call};") } else { format!("{call};") }
            };
            let arg = |operand: &Operand| match operand.ty {
                Type::Bool => format!("({} & 1u) != 0", place(operand)),
                _ => format!("({}){}", c_type(&operand.ty), place(operand)),
            };
            let id = u64::from(command.id) | (number as u64) << 32;
            let Some(constant) = stub.constant else {
                let _ =
                    writeln!(cases, "        case {id}u: {} break;", call(command.operands.iter().map(arg).collect()));
                taken.extend(all.iter().map(|vector| numbered(vector, number)));
                silent.extend(all.iter().map(|_| is_silent(stub, command.result.is_some())));
                continue;
            };
            // A constant is one of few: the macro wants it in the text.
            let value = |vector: &Vector| match constant.slot {
                Slot::Rs1 => vector.operands.rs1,
                Slot::Rs2 => vector.operands.rs2,
                Slot::Imm => vector.operands.imm,
            };
            let of_type = |value: u64| literal(&constant.ty, value);
            let values: BTreeSet<String> = all.iter().filter_map(|vector| of_type(value(vector))).collect();
            let carried = |text: &String| text.parse().is_ok_and(|v: i64| is_carried(constant, v));
            let values: Vec<String> = values.into_iter().filter(carried).collect();
            let values: Vec<&String> = values.iter().step_by(values.len().div_ceil(CONSTANTS).max(1)).collect();
            for (i, text) in values.iter().enumerate() {
                let args = command.operands.iter().map(|operand| match operand.slot == constant.slot {
                    true => format!("({text})"),
                    false => arg(operand),
                });
                let id = id | (i as u64 + 1) << 40;
                let _ = writeln!(cases, "        case {id}u: {} break;", call(args.collect()));
                for vector in all.iter().filter(|vector| of_type(value(vector)).as_ref() == Some(text)) {
                    taken.push(Vector { function: vector.function | id, ..(*vector).clone() });
                    silent.push(is_silent(stub, command.result.is_some()));
                }
            }
        }
    }
    OnHart { text: text(&names, section, words, &bodies, &cases), vectors: taken, silent }
}

/// The same vector for the stub of a command with this number.
fn numbered(vector: &Vector, number: usize) -> Vector {
    Vector { function: vector.function | (number as u64) << 32, ..vector.clone() }
}

fn is_silent(stub: &Spelling<'_>, has_result: bool) -> bool {
    has_result && !stub.has_result
}

/// A value of a small type as C writes it.
fn literal(ty: &Type, value: u64) -> Option<String> {
    let width = ty.width();
    let low = if width < 64 { value & ((1 << width) - 1) } else { value };
    match ty {
        Type::Bool => Some((value & 1).to_string()),
        Type::S(_) => Some((((low << (64 - width)) as i64) >> (64 - width)).to_string()),
        _ => i64::try_from(low).ok().map(|value| value.to_string()),
    }
}

/// Form I has twelve bits.
fn is_carried(operand: &Operand, value: i64) -> bool {
    operand.slot == Slot::Imm && operand.ty.width() <= 12 || (-2048..2048).contains(&value)
}

fn text(names: &Names, section: &Section, words: u64, bodies: &str, cases: &str) -> String {
    let stem = &names.stem;
    let (uuid, soft) = (names.member("uuid"), names.member("soft_cxu"));
    let flag = if section.state.as_ref().is_some_and(|s| s.sharing != lapis_cx::contract::Sharing::Exclusive) {
        "cx_open_shared"
    } else {
        "cx_open_exclusive"
    };
    let (before, after) = if words > 0 {
        (
            format!(
                "        for (i = 0; i < {words}; i++) {{ image[i] = (cx_word_t)in[4 + i]; }}\n        cx_restore(image, sizeof image);\n"
            ),
            format!(
                "        if (cx_save(image, sizeof image) != sizeof image) {{ return 3; }}\n        for (i = 0; i < {words}; i++) {{ out[2 + i] = image[i]; }}\n"
            ),
        )
    } else {
        (String::new(), String::new())
    };
    let image = if words > 0 { format!("    cx_word_t image[{words}];\n") } else { String::new() };
    format!(
        r#"/* Reads vectors, issues them by the stubs, writes answers. */
#include "cx.h"
#include "{stem}.h"
#include <stdio.h>
{bodies}
int main(void) {{
    uint64_t in[4 + {words}], out[2 + {words}], head[2];
    size_t i;
{image}    cx_sel_t sel;
    (void)i;
    if (cx_soft_register(&{soft}) != CX_ERROR_NONE || (sel = cx_open(&{uuid}, {flag})) == cx_sel_invalid) {{
        fprintf(stderr, "%s\n", cx_last_error_string());
        return 2;
    }}
    if (fread(head, sizeof head, 1, stdin) != 1) {{ return 1; }}
    cx_select(sel);
    for (; head[1] > 0; head[1]--) {{
        uint64_t rs1, rs2, imm, flags;
        cx_reg_t rd = 0;
        if (fread(in, sizeof in, 1, stdin) != 1) {{ return 1; }}
        rs1 = in[1], rs2 = in[2], imm = in[3];
        (void)rs1, (void)rs2, (void)imm;
{before}        cx_status_write(0);
        switch (in[0]) {{
{cases}        default: return 4;
        }}
        flags = cx_status_read();
        out[0] = rd;
        for (out[1] = 0; flags > 1; flags >>= 1) {{ out[1]++; }}
{after}        fwrite(out, sizeof out, 1, stdout);
    }}
    cx_select(cx_sel_builtin);
    return 0;
}}
"#
    )
}

/// Vectors as the program reads them: the stub, rs1, rs2, the constant, and the state.
pub fn encode(section: &Section, vectors: &[Vector]) -> Vec<Vec<u64>> {
    let layout = Layout::new(section);
    let encode = |Vector { function, operands, context }: &Vector| {
        let mut words = vec![*function, operands.rs1, operands.rs2, operands.imm];
        words.extend(super::vectors::image(section, &layout, context));
        words
    };
    vectors.iter().map(encode).collect()
}

/// What the oracle says, as the program sees it.
pub fn expect(section: &Section, on_hart: &OnHart) -> Vec<Answer> {
    let plain: Vec<Vector> =
        on_hart.vectors.iter().map(|v| Vector { function: v.function & (ACCESS - 1), ..v.clone() }).collect();
    let mut answers = super::vectors::expect(section, &plain);
    // A runtime without levels takes a command that traps for one that nobody answers (`cx_abi.h`).
    answers.iter_mut().filter(|answer| answer.response == TRAPPED).for_each(|answer| answer.response = 1);
    answers.iter_mut().zip(&on_hart.silent).filter(|(_, silent)| **silent).for_each(|(answer, _)| answer.rd = 0);
    answers
}
