//! The instructions of commands as drawings (`lapis_cx_core::encoding` says where things are).

use lapis_cx::contract::{Command, Form, Slot};
use lapis_cx_core::encoding::{LUN_BITS, Profile, functs};

use crate::figure::{Field, FieldKind, Figure, Row, Shape};

/// The instruction of one form of a command, or of a family whose members have different ids.
pub fn figure(command: &Command, form: Form, family: Option<&str>) -> Figure {
    let id = Id { function: command.id, family };
    let about = format!("encoding of {} in form {}", family.unwrap_or(&command.name), form.name());
    let fields = match form {
        Form::R => vec![id.high(), rs2(command), rs1(command), id.low(), rd(command), opcode(Profile::DEFAULT.r(), 0)],
        Form::I => vec![
            value(12, "imm[11:0]", immediate(command)),
            rs1(command),
            id.low(),
            rd(command),
            opcode(Profile::DEFAULT.i(), 1),
        ],
        Form::Flex => {
            let imm = command.operands.iter().find(|operand| operand.slot == Slot::Imm);
            let imm = match imm {
                Some(operand) => value(5, "imm[4:0]", &operand.name),
                None => fixed(5, "00000", ""),
            };
            vec![id.high(), rs2(command), rs1(command), id.low(), imm, opcode(Profile::DEFAULT.flex(), 2)]
        }
        Form::Flex25 => {
            let name = immediate(command);
            vec![
                id.high(),
                value(5, "imm[14:10]", name),
                value(5, "imm[9:5]", name),
                id.low(),
                value(5, "imm[4:0]", name),
                opcode(Profile::DEFAULT.flex(), 2),
            ]
        }
        Form::Xcmd => {
            let data = operand(command, Slot::Rs1);
            let note = data.map_or_else(|| "lun".to_owned(), |name| format!("{name}, lun"));
            vec![
                fixed(7, "0000000", ""),
                rs2(command),
                register("rs1", &note),
                id.low(),
                rd(command),
                opcode(Profile::DEFAULT.xcmd(), 3),
            ]
        }
    };
    Figure { about, shape: Shape::Words { width: 32, rows: vec![Row { label: String::new(), fields }] } }
}

/// What the first register of an `xcmd` holds: the lun below, data of the command above.
pub fn xcmd_register(command: &Command, xlen: u32) -> Figure {
    let fields = vec![
        match operand(command, Slot::Rs1) {
            Some(name) => value(xlen.saturating_sub(LUN_BITS), name, ""),
            None => Field {
                width: xlen.saturating_sub(LUN_BITS),
                text: "0".into(),
                note: String::new(),
                kind: FieldKind::Unused,
            },
        },
        value(LUN_BITS, "lun", ""),
    ];
    let about = format!("register rs1 of {} at XLEN {xlen}", command.name);
    Figure { about, shape: Shape::Words { width: xlen, rows: vec![Row { label: String::new(), fields }] } }
}

/// A function id; that of a family is a formula.
struct Id<'c> {
    function: u16,
    family: Option<&'c str>,
}

impl Id<'_> {
    fn high(&self) -> Field {
        let (_, funct7) = functs(self.function);
        match self.family {
            Some(_) => fixed(7, "id[9:3]", "funct7"),
            None => fixed(7, &format!("{funct7:07b}"), "funct7"),
        }
    }

    fn low(&self) -> Field {
        let (funct3, _) = functs(self.function);
        match self.family {
            Some(_) => fixed(3, "id[2:0]", "funct3"),
            None => fixed(3, &format!("{funct3:03b}"), "funct3"),
        }
    }
}

fn operand(command: &Command, slot: Slot) -> Option<&str> {
    command.operands.iter().find(|operand| operand.slot == slot).map(|operand| operand.name.as_str())
}

/// The operand that an immediate carries: one that is declared so, else the second, which has no register in form I.
fn immediate(command: &Command) -> &str {
    operand(command, Slot::Imm).or_else(|| operand(command, Slot::Rs2)).unwrap_or_default()
}

fn rs1(command: &Command) -> Field {
    operand(command, Slot::Rs1).map_or_else(|| fixed(5, "00000", "x0"), |name| register("rs1", name))
}

fn rs2(command: &Command) -> Field {
    operand(command, Slot::Rs2).map_or_else(|| fixed(5, "00000", "x0"), |name| register("rs2", name))
}

fn rd(command: &Command) -> Field {
    if command.result.is_some() { register("rd", "result") } else { fixed(5, "00000", "x0") }
}

fn opcode(bits: u8, number: u32) -> Field {
    fixed(7, &format!("{bits:07b}"), &format!("custom-{number}"))
}

fn field(width: u32, text: &str, note: &str, kind: FieldKind) -> Field {
    Field { width, text: text.to_owned(), note: note.to_owned(), kind }
}

fn fixed(width: u32, text: &str, note: &str) -> Field {
    field(width, text, note, FieldKind::Fixed)
}

fn register(text: &str, note: &str) -> Field {
    field(5, text, note, FieldKind::Register)
}

fn value(width: u32, text: &str, note: &str) -> Field {
    field(width, text, note, FieldKind::Value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use lapis_cx::contract::core::Type;
    use lapis_cx::contract::{Operand, Semantics};
    use lapis_cx::source::Span;
    use lapis_cx_core::encoding::Instruction;

    use super::*;

    fn command(id: u16, form: Form, slots: &[Slot], result: bool) -> Command {
        let operand =
            |slot: &Slot| Operand { name: format!("{slot:?}"), ty: Type::U(5), slot: *slot, span: Span::default() };
        Command {
            name: "c".into(),
            family: None,
            docs: String::new(),
            id,
            forms: vec![form],
            operands: slots.iter().map(operand).collect(),
            result: result.then_some(Type::U(8)),
            latency: None,
            semantics: Semantics::Opaque,
            span: Span::default(),
        }
    }

    /// The word of a drawing with 0 in what is not fixed.
    fn word(figure: &Figure) -> u32 {
        let Shape::Words { width: 32, rows } = &figure.shape else { panic!("{figure:?}") };
        let [row] = rows.as_slice() else { panic!("{figure:?}") };
        assert_eq!(row.fields.iter().map(|field| field.width).sum::<u32>(), 32);
        row.fields.iter().fold(0, |word, field| {
            let bits = match field.kind {
                FieldKind::Fixed => {
                    assert_eq!(field.text.len(), field.width as usize, "{field:?}");
                    u32::from_str_radix(&field.text, 2).unwrap()
                }
                _ => 0,
            };
            word << field.width | bits
        })
    }

    #[test]
    fn what_is_drawn_as_fixed_is_what_instructions_have() {
        let slots: [&[Slot]; 4] = [&[], &[Slot::Rs1], &[Slot::Rs2], &[Slot::Rs1, Slot::Rs2]];
        for (function, slots) in [0, 1, 7, 8, 511, 1023].into_iter().flat_map(|id| slots.map(|slots| (id, slots))) {
            for result in [false, true] {
                let drawn = |form| word(&figure(&command(function, form, slots, result), form, None));
                let (rd, rs1, rs2) = (0, 0, 0);
                let encoded = |instruction: Instruction| instruction.encode(Profile::DEFAULT).unwrap();
                assert_eq!(drawn(Form::R), encoded(Instruction::R { function, rd, rs1, rs2 }));
                assert_eq!(drawn(Form::Flex), encoded(Instruction::Flex { function, rs1, rs2, immediate: 0 }));
                assert_eq!(drawn(Form::Flex25), encoded(Instruction::flex25(function, 0).unwrap()));
                if function < 8 {
                    assert_eq!(drawn(Form::I), encoded(Instruction::I { function, rd, rs1, immediate: 0 }));
                    let command = function as u8;
                    assert_eq!(drawn(Form::Xcmd), encoded(Instruction::Xcmd { command, rd, rs1, rs2 }));
                }
            }
        }
    }
}
