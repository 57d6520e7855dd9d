//! The stubs of a header: what issues a command to the selected CX. On RISC-V a stub is one instruction, elsewhere a
//! call of the runtime.

use std::borrow::Cow;
use std::fmt::Write;
use std::rc::Rc;

use lapis_cx::contract::core::Type;
use lapis_cx::contract::{Command, Form, Section, Semantics, Slot, Standard};
use lapis_cx::lower::ir::{self, Edge};
use lapis_cx_core::encoding::{Profile, functs};

use crate::header::{comment, type_name};
use crate::naming::{Names, Scope, local};
use crate::text::List;

/// The instruction of a stub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// `.insn r` of form R.
    R,
    /// `.insn i` with the immediate 0: a single operand, in rs1.
    OneRegister,
    /// `.insn i` with a constant.
    I,
    /// `.insn r` of form flex with registers only.
    Flex,
    /// `.insn r` of form flex with a constant in place of rd.
    FlexImmediate,
    /// `.insn r` of form flex25, which is a constant in place of all registers, or nothing.
    Flex25,
}

impl Shape {
    /// Whether the result register belongs to the instruction.
    fn has_rd(self) -> bool {
        matches!(self, Shape::R | Shape::OneRegister | Shape::I)
    }

    /// Where the operand is that the instruction carries as a constant, the likelier place first: it is the one declared
    /// so; in form I, if there is none, the second.
    fn constants(self) -> &'static [Slot] {
        match self {
            Shape::R | Shape::OneRegister | Shape::Flex => &[],
            Shape::I => &[Slot::Imm, Slot::Rs2],
            Shape::FlexImmediate | Shape::Flex25 => &[Slot::Imm],
        }
    }

    fn opcode(self) -> u8 {
        let profile = Profile::DEFAULT;
        match self {
            Shape::R => profile.r(),
            Shape::OneRegister | Shape::I => profile.i(),
            Shape::Flex | Shape::FlexImmediate | Shape::Flex25 => profile.flex(),
        }
    }
}

/// The stub that has the command's name: `None` for forms that have no stub.
fn first(command: &Command) -> Option<Shape> {
    let has = |form| command.forms.contains(&form);
    let immediate = command.operands.iter().any(|o| o.slot == Slot::Imm);
    let is_small = command.id < lapis_cx_core::encoding::SMALL_LIMIT;
    if has(Form::R) {
        Some(Shape::R)
    } else if has(Form::I) && is_small && command.operands.len() == 1 && !immediate {
        Some(Shape::OneRegister)
    } else if has(Form::Flex) && !immediate {
        Some(Shape::Flex)
    } else if has(Form::I) && is_small && !command.operands.is_empty() {
        Some(Shape::I)
    } else if has(Form::Flex) {
        Some(Shape::FlexImmediate)
    } else if has(Form::Flex25) {
        Some(Shape::Flex25)
    } else {
        None
    }
}

/// Whether a command has a stub that issues it to the selected CX.
pub fn has_stub(command: &Command) -> bool {
    first(command).is_some()
}

/// Whether a command has a second stub, for its form I, beside one that takes all operands in registers.
pub fn has_immediate_stub(command: &Command) -> bool {
    let registers = matches!(first(command), Some(Shape::R | Shape::Flex));
    registers && command.forms.contains(&Form::I) && command.id < 8 && command.operands.len() == 2
}

/// The stubs of a command that compilers may merge and move: the names of those which they stand beside.
pub fn movable_stubs(names: &Names, section: &Section, command: &Command) -> Vec<String> {
    if !lapis_cx::lower::is_pure(section, command) {
        return Vec::new();
    }
    spellings(names, command).into_iter().filter(|s| s.has_result).map(|s| s.name).collect()
}

/// Whether a section has stubs that compilers may merge and move.
pub fn has_movable(names: &Names, section: &Section) -> bool {
    section.commands.iter().any(|command| !movable_stubs(names, section, command).is_empty())
}

/// How a stub is called.
pub struct Spelling<'a> {
    /// Its name.
    pub name: String,
    /// Whether it gives the result.
    pub has_result: bool,
    /// The operand that must be a constant.
    pub constant: Option<&'a lapis_cx::contract::Operand>,
}

/// The stubs of a command, in the order in which the header has them.
pub fn spellings<'a>(names: &Names, command: &'a Command) -> Vec<Spelling<'a>> {
    let spelling = |shape: Shape, name| Spelling {
        name,
        has_result: command.result.is_some() && shape.has_rd(),
        constant: shape.constants().iter().find_map(|slot| command.operands.iter().find(|o| o.slot == *slot)),
    };
    let Some(shape) = first(command) else { return Vec::new() };
    let plain = spelling(shape, names.member(&command.name));
    let immediate = has_immediate_stub(command).then(|| spelling(Shape::I, names.immediate(&command.name)));
    std::iter::once(plain).chain(immediate).collect()
}

/// Whether any stub of a section takes a constant.
pub fn takes_constants(section: &Section) -> bool {
    let constant = |shape| matches!(shape, Some(Shape::I | Shape::FlexImmediate | Shape::Flex25));
    section.commands.iter().any(|c| has_immediate_stub(c) || constant(first(c)))
}

/// An operand as a stub takes it.
struct Operand<'a> {
    name: Cow<'a, str>,
    ty: Cow<'static, str>,
    edge: Edge,
    width: u32,
    slot: Slot,
    xlen: u32,
}

/// The cast of an operand to the register that an instruction reads. A command reads the low bits of it. The rest is what
/// the C calling conventions have there, which costs nothing: by the sign kind, but a `uint32_t` on RV64 by its bit 31.
pub fn to_operand_register(edge: Edge, xlen: u32) -> &'static str {
    match edge {
        Edge::Unsigned(32) if xlen == 64 => "(cx_reg_t)(int32_t)",
        Edge::Bool | Edge::Unsigned(_) => "(cx_reg_t)",
        Edge::Signed(_) => "(cx_reg_t)(cx_word_t)",
    }
}

impl Operand<'_> {
    /// The cast of a value of its C type to a register of an instruction.
    fn to_instruction(&self) -> &'static str {
        to_operand_register(self.edge, self.xlen)
    }

    /// The cast of a value of its C type to a whole register, extended by its sign kind to XLEN.
    fn to_register(&self) -> &'static str {
        match self.edge {
            Edge::Bool | Edge::Unsigned(_) => "(cx_reg_t)",
            Edge::Signed(_) => "(cx_reg_t)(cx_word_t)",
        }
    }

    /// The macro argument as the pattern that a flex form carries.
    fn field(&self) -> String {
        format!("((uint32_t){} & 0x{:X}u)", self.argument(), ir::ones(self.width))
    }

    /// The macro argument as a value of its C type.
    fn argument(&self) -> String {
        format!("({})({})", self.ty, self.name)
    }
}

/// A stub.
struct Stub<'a> {
    name: String,
    id: String,
    function: u16,
    shape: Shape,
    operands: Vec<Operand<'a>>,
    result: Option<(Cow<'static, str>, Edge)>,
    order: Order,
    /// Its comment.
    comment: String,
}

/// What a compiler keeps in order with an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// All instructions that are not movable.
    Volatile,
    /// Movable ones too: it may turn a state off.
    Barrier,
    /// What selects, and nothing else.
    Movable,
}

/// What movable stubs read. Nothing is ever loaded from its address, which is one that the compiler has in no register and does
/// not warn about: clang 14 folds nothing but 0, gcc takes what is below 4096 for an offset from null.
const SELECTION: &str = "\
/* Stubs that end in _in are for commands without effect that use no state. Compilers may issue equal ones once, unused ones
 * not at all, and one that is always the same before a loop, if no store to memory is between; all that between two calls of
 * cx_select, which they never leave. So an error of the selection itself, in cx_status, may be noted fewer times, or not. Code
 * that selects by itself does so in asm volatile with \"memory\". The reason is this input, which selecting changes and no
 * instruction reads. */
#ifndef CX_SELECTION
struct cx_selection {
    char cx_member;
};
#ifdef __clang__
#define CX_SELECTION \"m\"(*(const struct cx_selection *)0)
#else
#define CX_SELECTION \"m\"(*(const struct cx_selection *)(intptr_t)-16)
#endif
#endif
";

/// Prints the stubs of a section.
pub fn stubs<'a>(out: &mut String, names: &Names, source: &'a Section, taken: &Rc<Scope<'a>>) {
    let mut hardware = String::new();
    let mut emulated = String::new();
    let has_movable = has_movable(names, source);
    for command in &source.commands {
        let Some(shape) = first(command) else { continue };
        let mut stubs = vec![Stub::new(names, taken, source, command, shape, names.member(&command.name))];
        if has_immediate_stub(command) {
            let name = names.immediate(&command.name);
            stubs.push(Stub::new(names, taken, source, command, Shape::I, name));
        }
        let movable = movable_stubs(names, source, command);
        for mut stub in stubs {
            if has_movable
                && matches!(command.semantics, Semantics::Standard(Standard::WriteStatus | Standard::WriteState))
            {
                stub.order = Order::Barrier;
            }
            hardware.push_str(&stub.comment);
            match stub.constant() {
                Some(constant) => stub.instruction_macro(&mut hardware, constant),
                None => stub.instruction(&mut hardware),
            }
            emulated.push_str(&stub.comment);
            stub.call(&mut emulated);
            if movable.contains(&stub.name) {
                let name = names.movable(&stub.name);
                put!(&mut emulated, "#define ", name, " ", stub.name, "\n");
                stub.name = name;
                stub.order = Order::Movable;
                match stub.constant() {
                    Some(constant) => stub.instruction_macro(&mut hardware, constant),
                    None => stub.instruction(&mut hardware),
                }
            }
        }
    }
    if hardware.is_empty() {
        return;
    }
    out.push_str(
        "\n/* To the selected CX: one instruction on RISC-V, elsewhere through the runtime. */\n#if CX_ON_HART\n",
    );
    if has_movable {
        out.push_str(SELECTION);
    }
    out.push_str(&hardware);
    out.push_str("#else\n");
    out.push_str(&emulated);
    out.push_str("#endif\n");
}

impl<'a> Stub<'a> {
    fn new(
        names: &Names,
        taken: &Rc<Scope<'a>>,
        source: &Section,
        command: &'a Command,
        shape: Shape,
        name: String,
    ) -> Stub<'a> {
        let mut scope = Scope::inside(taken);
        let operand = |o: &'a lapis_cx::contract::Operand| Operand {
            name: scope.fresh(local(&o.name)),
            ty: type_name(names, source, &o.ty),
            edge: lapis_cx::lower::edge(&o.ty),
            width: o.ty.width(),
            slot: o.slot,
            xlen: source.xlen,
        };
        let result = |ty: &Type| (type_name(names, source, ty), lapis_cx::lower::edge(ty));
        let mut stub = Stub {
            name,
            id: names.id(&command.name),
            function: command.id,
            shape,
            operands: command.operands.iter().map(operand).collect(),
            result: command.result.as_ref().filter(|_| shape.has_rd()).map(result),
            order: Order::Volatile,
            comment: String::new(),
        };
        let mut docs = Cow::Borrowed(command.docs.trim());
        let mut note = |text: &str| {
            let docs = docs.to_mut();
            if !docs.is_empty() {
                docs.push('\n');
            }
            docs.push_str(text);
        };
        if !shape.has_rd() && command.result.is_some() {
            note("The form flex has no rd: the result is dropped.");
        }
        if let Some(constant) = stub.constant() {
            let bits =
                if constant.width > 12 && shape == Shape::I { " that 12 bits, sign-extended, carry" } else { "" };
            note(&format!("`{}` is a constant expression{bits}.", constant.name));
        }
        comment(&mut stub.comment, &docs);
        stub
    }

    fn in_slot(&self, slot: Slot) -> Option<&Operand<'a>> {
        self.operands.iter().find(|o| o.slot == slot)
    }

    /// The operand that the instruction carries as a constant.
    fn constant(&self) -> Option<&Operand<'a>> {
        self.shape.constants().iter().find_map(|slot| self.in_slot(*slot))
    }

    /// What the stub returns, out of the result register.
    fn value(&self, register: &str) -> Option<String> {
        self.result.as_ref().map(|(ty, edge)| match edge {
            Edge::Bool => ["(", register, " & 1u) != 0"].concat(),
            _ => ["(", ty, ")", register].concat(),
        })
    }

    /// Names without the types.
    fn list(&self) -> String {
        let mut list = List::default();
        self.operands.iter().for_each(|o| list.item(&[&o.name]));
        list.into()
    }

    fn head(&self, out: &mut String) {
        let mut list = List::default();
        self.operands.iter().for_each(|o| list.item(&[&o.ty, " ", &o.name]));
        let ty = self.result.as_ref().map_or("void", |(ty, _)| ty);
        put!(out, "static inline ", ty, " ", self.name, "(", list.or_void(), ")\n{\n");
    }

    /// The instruction of registers, each of which is the text of an operand of the assembler.
    fn r_type(&self, rd: &str, rs1: &str, rs2: &str) -> String {
        let (funct3, funct7) = functs(self.function);
        format!(".insn r 0x{:02X}, {funct3}, {funct7}, {rd}, {rs1}, {rs2}", self.shape.opcode())
    }

    fn i_type(&self, rd: &str, rs1: &str, immediate: &str) -> String {
        format!(".insn i 0x{:02X}, {}, {rd}, {rs1}, {immediate}", self.shape.opcode(), self.function & 7)
    }

    fn instruction(&self, out: &mut String) {
        self.head(out);
        let mut next = 0;
        let mut operand = |is_used: bool| {
            next += u32::from(is_used);
            if is_used { format!("%{}", next - 1) } else { "x0".to_owned() }
        };
        let rd = operand(self.result.is_some());
        let rs1 = operand(self.in_slot(Slot::Rs1).is_some());
        let text = match self.shape {
            Shape::OneRegister | Shape::I => self.i_type(&rd, &rs1, "0"),
            _ => self.r_type(&rd, &rs1, &operand(self.in_slot(Slot::Rs2).is_some())),
        };
        let mut inputs = List::default();
        self.operands.iter().for_each(|o| inputs.item(&["\"r\"(", o.to_instruction(), &o.name, ")"]));
        if self.result.is_none() {
            put!(out, "    ", self.assembly(&text, None, &inputs), "\n}\n");
            return;
        }
        let mut scope = Scope::default();
        self.operands.iter().for_each(|o| scope.reserve(&*o.name));
        let register = scope.fresh("rd");
        put!(out, "    cx_reg_t ", register, ";\n    ", self.assembly(&text, Some(&register), &inputs), "\n");
        if let Some(value) = self.value(&register) {
            put!(out, "    return ", value, ";\n}\n");
        }
    }

    /// A macro, as the immediate must be a constant expression in the instruction.
    fn instruction_macro(&self, out: &mut String, constant: &Operand) {
        let mut inputs: Vec<String> = Vec::new();
        let first = usize::from(self.result.is_some());
        let rd = if self.result.is_some() { "%0" } else { "x0" };
        let mut register = |slot| match self.in_slot(slot) {
            Some(o) => {
                inputs.push(format!("\"r\"({}{})", o.to_instruction(), o.argument()));
                format!("%{}", first + inputs.len() - 1)
            }
            None => "x0".to_owned(),
        };
        let rs1 = register(Slot::Rs1);
        let text = match self.shape {
            // The low 12 bits, as the signed number that the assembler wants.
            Shape::I => {
                let text = self.i_type(rd, &rs1, &format!("%{}", first + inputs.len()));
                inputs.push(format!("\"i\"((int)(((uint32_t){} & 0xFFFu) ^ 0x800u) - 0x800)", constant.argument()));
                text
            }
            // A register's place holds five bits of a constant: an operand that prints as its number.
            Shape::Flex25 => {
                let part = |shift: u32| format!("\"i\"((int)({} >> {shift} & 31u))", constant.field());
                inputs.extend([0, 5, 10].map(part));
                self.r_type("x%0", "x%1", "x%2")
            }
            _ => {
                let rs2 = register(Slot::Rs2);
                let text = self.r_type(&format!("x%{}", first + inputs.len()), &rs1, &rs2);
                inputs.push(format!("\"i\"((int)({}))", constant.field()));
                text
            }
        };
        // An operand whose name begins with `cx_` ends with an underscore.
        let local = format!("cx_{}_rd", self.name);
        let mut list = List::default();
        inputs.iter().for_each(|input| list.item(&[input]));
        let assembly = self.assembly(&text, self.result.is_some().then_some(&local), &list);
        let mut lines = vec![format!("{};", self.check(constant))];
        match self.value(&local) {
            // An argument may be another use of this macro, whose local hides this one and does no harm.
            Some(value) => lines.extend([
                "_Pragma(\"GCC diagnostic push\")".to_owned(),
                "_Pragma(\"GCC diagnostic ignored \\\"-Wshadow\\\"\")".to_owned(),
                format!("cx_reg_t {local};"),
                assembly,
                "_Pragma(\"GCC diagnostic pop\")".to_owned(),
                format!("{value};"),
            ]),
            None => lines.extend([assembly, "(void)0;".to_owned()]),
        }
        let lines: String = lines.iter().map(|line| format!("    {line} \\\n")).collect();
        let _ = writeln!(out, "#define {}({}) __extension__({{ \\\n{lines}}})", self.name, self.list());
    }

    /// Refuses a constant that is not of the operand's type, or, in form I, one that no 12-bit pattern, sign-extended to
    /// XLEN and cut to that type, gives. Of words of 32 bits and more any pattern is good, written with a sign or without.
    fn check(&self, constant: &Operand) -> String {
        let width = constant.width;
        let mut tests = Vec::new();
        if width < 32 {
            // Signed values are moved up, so that one comparison sees both bounds.
            let half = match constant.edge {
                Edge::Signed(_) => format!(" + {}u", 1u64 << (width - 1)),
                Edge::Bool | Edge::Unsigned(_) => String::new(),
            };
            tests.push(format!("(uint64_t)({}){half} < {}u", constant.name, 1u64 << width));
        }
        let mut says =
            if width == 1 { "1 bit does not carry".to_owned() } else { format!("{width} bits do not carry") };
        if matches!(self.shape, Shape::I) && width > 12 {
            tests.push(format!(
                "(((uint64_t){} + 0x800u) & 0x{:X}ull) < 0x1000u",
                constant.argument(),
                ir::ones(width)
            ));
            "12 bits, sign-extended, do not carry".clone_into(&mut says);
        }
        format!("CX_CONSTANT_CHECK({}, \"{}: {says} `{}`\")", tests.join(" && "), self.name, constant.name)
    }

    /// A call of the runtime. One with an immediate is a macro too, so that it takes what hardware takes.
    fn call(&self, out: &mut String) {
        self.head(out);
        // The whole word by the sign, as on hardware.
        let register = |o: Option<&Operand<'_>>| o.map_or("0".to_owned(), |o| [o.to_register(), &o.name].concat());
        let rs1 = register(self.in_slot(Slot::Rs1));
        let (imm, rs2) = (self.in_slot(Slot::Imm), self.in_slot(Slot::Rs2));
        let function = match imm {
            Some(imm) if rs2.is_some() => {
                format!("CX_WITH_IMMEDIATE({}, (uint32_t){} & 0x{:X}u)", self.id, imm.name, ir::ones(imm.width)).into()
            }
            _ => Cow::Borrowed(self.id.as_str()),
        };
        let rs2 = register(rs2.or(imm));
        let call = ["cx_issue(", &function, ", ", &rs1, ", ", &rs2, ")"].concat();
        match self.value(&call) {
            None => put!(out, "    (void)", call, ";\n}\n"),
            Some(value) => put!(out, "    return ", value, ";\n}\n"),
        }
        if let Some(constant) = self.constant() {
            let (name, list) = (&self.name, self.list());
            let _ = writeln!(out, "#define {name}({list}) \\\n    ({}, {name}({list}))", self.check(constant));
        }
    }

    /// The `asm` statement, with or without an output.
    fn assembly(&self, text: &str, output: Option<&str>, inputs: &List) -> String {
        let mut inputs = inputs.clone();
        let (volatile, clobbers) = match self.order {
            Order::Volatile => (" volatile", ""),
            Order::Barrier => (" volatile", "\"memory\""),
            Order::Movable => {
                inputs.item(&["CX_SELECTION"]);
                ("", "")
            }
        };
        let output = output.map_or(String::new(), |name| ["\"=r\"(", name, ")"].concat());
        let mut parts = vec![&*output, inputs.as_str(), clobbers];
        while parts.last().is_some_and(|part| part.is_empty()) {
            parts.pop();
        }
        let operands: String =
            parts.iter().map(|part| if part.is_empty() { " :".to_owned() } else { format!(" : {part}") }).collect();
        ["__asm__", volatile, "(\"", text, "\"", &operands, ");"].concat()
    }
}
