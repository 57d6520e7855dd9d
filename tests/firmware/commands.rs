//! Every command of the shipped specs as an instruction that traps, in a process without a C library: edge values and random ones,
//! against the oracle.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use lapis_cx::contract::layout::Layout;
use lapis_cx::contract::{Form, Interface, Section, Semantics, Sharing, Slot};
use lapis_cx_core::encoding::{CsrAccess, CsrOperation, CsrSource, Instruction, Profile};
use lapis_cx_tests::agreement::vectors::{self, ACCESS, Vector};
use lapis_cx_tests::cc::{WARNINGS, run};
use lapis_cx_tests::{long, spec};

use super::board::{for_harts, here};
use super::{build, includes};

/// rd and rs1.
const A0: u8 = 10;
/// rs2.
const A1: u8 = 11;

/// The instruction of a vector.
fn instruction(section: &Section, vector: &Vector) -> u32 {
    let operands = &vector.operands;
    let instruction = if vector.function >= ACCESS {
        let (operation, source) = match vector.function >> 12 & 3 {
            0 => (CsrOperation::Set, CsrSource::Register(0)),
            1 => (CsrOperation::Write, CsrSource::Register(A0)),
            2 => (CsrOperation::Set, CsrSource::Register(A0)),
            _ => (CsrOperation::Clear, CsrSource::Register(A0)),
        };
        Instruction::Csr(CsrAccess { csr: vector.function as u16 & 0xFFF, operation, rd: A0, source })
    } else {
        let function = vector.function as u16;
        let command = section.commands.iter().find(|command| command.id == function);
        let has = |form| command.is_none_or(|command| command.forms.contains(&form));
        let has_immediate = command.is_some_and(|command| command.operands.iter().any(|o| o.slot == Slot::Imm));
        if has(Form::R) || (command.is_some() && !has(Form::I) && !has(Form::Flex) && !has(Form::Flex25)) {
            // What has an overloadable opcode only is a function of the CXU all the same.
            Instruction::R { function, rd: A0, rs1: A0, rs2: A1 }
        } else if has(Form::I) {
            let value = if has_immediate { operands.imm } else { operands.rs2 };
            let immediate = ((value & 0xFFF) as i16) << 4 >> 4;
            Instruction::I { function, rd: A0, rs1: A0, immediate }
        } else if has(Form::Flex25) {
            Instruction::flex25(function, operands.imm as u16 & 0x7FFF).unwrap()
        } else {
            Instruction::Flex { function, rs1: A0, rs2: A1, immediate: operands.imm as u8 & 31 }
        }
    };
    instruction.encode(Profile::DEFAULT).unwrap()
}

/// The flags of an answer. Without levels a command that traps is answered as by no CXU.
fn status(response: u64) -> u64 {
    let response = if response > 6 { 1 } else { response };
    1 << response & !1
}

/// The vectors of an interface as C, and how many words an image takes.
fn table(interface: &Interface, section: &Section, place: usize, row: &mut String) -> (String, usize) {
    let mut vectors = vectors::some(section, if long() { 1000 } else { 60 }, 7);
    // A write of a CSR whose address says that it is read only is no instruction of the machine.
    vectors.retain(|v| v.function < ACCESS || v.function >> 10 & 3 != 3 || v.function >> 12 & 3 == 0);
    let expected = vectors::expect(section, &vectors);
    let images = section.state.as_ref().map_or(0, |_| 1 + Layout::new(section).words as usize);
    let inputs = vectors::encode(section, &vectors);
    let mut out = format!("static const cx_word_t words{place}[] = {{\n");
    let mask = if section.xlen == 64 { u64::MAX } else { u32::MAX.into() };
    for ((vector, answer), input) in vectors.iter().zip(&expected).zip(&inputs) {
        let [rs1, rs2] = [vector.operands.rs1, vector.operands.rs2].map(|word| word & mask);
        let head = [instruction(section, vector).into(), rs1, rs2, answer.rd, status(answer.response)];
        for word in head.iter().chain(&input[3..]).chain(&answer.image) {
            let _ = write!(out, "0x{word:X}u{}, ", if section.xlen == 64 { "ll" } else { "" });
        }
        out.push('\n');
    }
    out.push_str("};\n");
    let exclusive = section.state.as_ref().is_some_and(|state| state.sharing == Sharing::Exclusive);
    let flags = if exclusive { "cx_open_exclusive" } else { "cx_open_shared" };
    let stem = spec::stem(interface);
    let _ =
        writeln!(row, "    {{\"{stem}\", &{}, {flags}, {}, {images}, words{place}}},", uuid(interface), vectors.len());
    (out, images)
}

fn uuid(interface: &Interface) -> String {
    let (high, low) = interface.uuid.unwrap().as_u64_pair();
    format!("(const cx_uuid_t){{0x{high:X}ull, 0x{low:X}ull}}")
}

/// Interfaces with commands that all have a body.
fn is_tried(interface: &&Interface, xlen: u32) -> bool {
    let section = interface.sections.iter().find(|section| section.xlen == xlen);
    let has_bodies = |section: &Section| section.commands.iter().all(|c| c.semantics != Semantics::Opaque);
    interface.uuid.is_some()
        && !interface.is_abstract
        && section.is_some_and(|s| !s.commands.is_empty() && has_bodies(s))
}

/// Writes the specs in C, the machine of a platform that has them all, and the vectors. Gives how many interfaces there are.
fn write(folder: &Path, xlen: u32) -> usize {
    let (mut uses, mut cxus, mut tables, mut rows) = (String::new(), String::new(), String::new(), String::new());
    let (mut count, mut largest) = (0, 1);
    for name in spec::shipped() {
        let outcome = spec::build(&name);
        spec::write(&outcome, folder);
        for interface in spec::contract(&outcome).interfaces().filter(|interface| is_tried(interface, xlen)) {
            let section = interface.sections.iter().find(|section| section.xlen == xlen).unwrap();
            let _ = writeln!(uses, "use {}:{} as C{count};", interface.package, interface.name);
            let contexts = if section.state.is_some() { "contexts 1;" } else { "" };
            let _ = writeln!(cxus, "    cxu {count} = C{count} {{ level 1; {contexts} }}");
            let (table, images) = table(interface, section, count, &mut rows);
            tables.push_str(&table);
            largest = largest.max(images);
            count += 1;
        }
    }
    let text = format!("cxspec 1;\npackage org.example.all;\n{uses}platform All {{\n    xlen {xlen};\n{cxus}}}\n");
    spec::write(&build("all", &text), folder);
    let text = format!(
        "#include \"org_example_all__All_machine.h\"\nstruct cx {{ const char *name; const cx_uuid_t *uuid; cx_open_flags flags; \
         unsigned vectors; unsigned image_words; const cx_word_t *words; }};\n#define IMAGE_WORDS {largest}\n{tables}static const \
         struct cx cxs[] = {{\n{rows}}};\n"
    );
    fs::write(folder.join("include/vectors.h"), text).unwrap();
    count
}

#[test]
fn commands_are_instructions_that_trap() {
    for xlen in [32, 64] {
        let folder = tempfile::tempdir().unwrap();
        let count = write(folder.path(), xlen);
        assert!(count >= 7, "{count} interfaces");
        for is_gcc in [true, false] {
            let (compiler, flags) = for_harts(is_gcc, xlen);
            let machine = folder.path().join("src/org_example_all__All_machine.c");
            let mut objects = Vec::new();
            for source in [machine, here("commands.c")] {
                let object = folder.path().join(source.with_extension("o").file_name().unwrap());
                let mut command = Command::new(compiler);
                command.args(["-std=c11", "-fno-pic", "-c", "-DCX_MACHINE_ENTRY=0"]).args(&flags).args(WARNINGS);
                run(command.args(includes(folder.path())).arg(source).arg("-o").arg(&object));
                objects.push(object);
            }
            let program = folder.path().join("commands");
            let mut link = Command::new("riscv64-linux-gnu-ld");
            // Text can be written, as the program writes its one instruction.
            link.args(["-N", "-m", if xlen == 64 { "elf64lriscv" } else { "elf32lriscv" }, "--no-warn-rwx-segments"]);
            run(link.args(objects).arg("-o").arg(&program));
            let said =
                run(Command::new(format!("qemu-riscv{xlen}")).args(["-cpu", &format!("rv{xlen}")]).arg(&program));
            let said = String::from_utf8_lossy(&said.stdout).into_owned();
            assert!(said.ends_with("traps, all as the oracle says\n"), "{said}");
            println!("RV{xlen}, {count} interfaces: {said}");
        }
    }
}
