//! A function around each stub of an interface: its C text, what it must be compiled to, and what it must do.

use std::ops::RangeInclusive;

use lapis_cx::contract::core::Type;
use lapis_cx::contract::{Command, Form, Interface, Operand, Section, Semantics, Slot};
use lapis_cx::lower::ir::Edge;
use lapis_cx::lower::{edge, is_pure};
use lapis_cx::oracle::machine::{Machine, Operands, Outcome};
use lapis_cx::oracle::vectors::{Random, cost, operands};
use lapis_cx_backend_c::naming::{CsrAccess, Names};
use lapis_cx_core::encoding::{CsrOperation, CsrSource, Fallback};
use serde_json::{Value, json};

/// The first register of arguments, and of results.
pub const A0: u8 = 10;

/// An instruction that a function must have.
#[derive(Clone, Copy, Debug)]
pub enum Want {
    R {
        function: u16,
        rs1: u8,
        rs2: u8,
    },
    I {
        function: u16,
        rs1: u8,
        immediate: i16,
    },
    Flex {
        function: u16,
        immediate: u8,
        rs1: u8,
        rs2: u8,
    },
    Flex25 {
        function: u16,
        immediate: u16,
    },
    /// The register of the cookie may be a new one.
    Xcmd {
        command: u8,
        rs1: Option<u8>,
        rs2: u8,
    },
    Xext {
        fallback: Fallback,
        rs2: u8,
    },
    Csr {
        address: u16,
        operation: CsrOperation,
        source: CsrSource,
    },
}

/// A function around one stub.
#[derive(Debug)]
pub struct Case {
    pub name: String,
    pub text: String,
    /// The custom instructions, in this order.
    pub wants: Vec<Want>,
    /// So many others stand before the last of them.
    pub before: RangeInclusive<usize>,
    /// Exactly so many others after it, beside `ret`: what extends a result as the calling convention has it.
    pub after: usize,
    /// Whether a result is taken from the last of them.
    pub has_result: bool,
    /// What it must do, for the emulator: arguments, what the instructions see, and the result.
    pub runs: Vec<Value>,
}

/// The C type of an operand or a result.
pub fn c_type(ty: &Type) -> &'static str {
    match edge(ty) {
        Edge::Bool => "bool",
        Edge::Unsigned(8) => "uint8_t",
        Edge::Unsigned(16) => "uint16_t",
        Edge::Unsigned(32) => "uint32_t",
        Edge::Unsigned(_) => "uint64_t",
        Edge::Signed(8) => "int8_t",
        Edge::Signed(16) => "int16_t",
        Edge::Signed(32) => "int32_t",
        Edge::Signed(_) => "int64_t",
    }
}

/// What a result costs: the compilers do not know that rd is extended already.
fn extension(ty: Option<&Type>, xlen: u32) -> usize {
    match ty.map(edge) {
        Some(Edge::Bool | Edge::Unsigned(8)) => 1,
        Some(Edge::Unsigned(16) | Edge::Signed(8 | 16)) => 2,
        Some(Edge::Unsigned(32) | Edge::Signed(32)) if xlen == 64 => 1,
        _ => 0,
    }
}

/// A value of an operand's type, with the bits of its C type.
fn value(ty: &Type, bits: u64) -> u64 {
    let unused = 64 - ty.width().min(64);
    match edge(ty) {
        Edge::Signed(_) => ((bits << unused) as i64 >> unused) as u64,
        _ => bits << unused >> unused,
    }
}

/// What an instruction sees and gives, as the emulator's table has it. A value goes with its C type.
pub fn step(op: &str, number: u16, immediate: i64, rs1: Option<Value>, rs2: Option<Value>, rd: u64) -> Value {
    json!({ "op": op, "number": number, "imm": immediate, "rs1": rs1, "rs2": rs2, "rd": format!("{rd:#x}") })
}

/// A value as the table has it.
pub fn typed(ty: &str, bits: u64) -> Value {
    json!([ty, format!("{bits:#x}")])
}

/// The cases of one interface at one XLEN.
pub struct Cases<'a> {
    section: &'a Section,
    interface: &'a Interface,
    names: Names,
    pub list: Vec<Case>,
}

impl<'a> Cases<'a> {
    /// All of them.
    pub fn of(interface: &'a Interface, section: &'a Section) -> Vec<Case> {
        let mut cases = Cases { section, interface, names: Names::new(interface), list: Vec::new() };
        for command in &section.commands {
            cases.command(command);
        }
        if interface.xintf.is_some() && section.commands.iter().any(|c| c.forms.contains(&Form::Xcmd)) {
            cases.lookups();
        }
        cases.accesses();
        cases.list
    }

    /// What commands get: edges and random values; of what takes the oracle long only a few.
    fn vectors(&self, command: &Command) -> Vec<Operands> {
        let all = operands(self.section, command, 12, u64::from(command.id) + 77);
        let most = (200_000 / cost(self.section, command)).clamp(2, 16) as usize;
        all.iter().step_by(all.len().div_ceil(most).max(1)).copied().collect()
    }

    /// rd by the oracle, of a CX after reset. A command without a body gives anything that its type has.
    fn rd(&self, command: &Command, operands: Operands) -> Option<u64> {
        if matches!(command.semantics, Semantics::Opaque) {
            let mut random = Random::new(operands.rs1 ^ operands.rs2 ^ operands.imm);
            let cut = u64::MAX >> (64 - self.section.xlen);
            return Some(command.result.as_ref().map_or(0, |ty| value(ty, random.next()) & cut));
        }
        match Machine::new(self.section).issue(command.id, operands) {
            Ok(Outcome::Replied { rd, .. }) => Some(rd),
            Ok(Outcome::Trapped) => None,
            Err(e) => panic!("{}: {e}", command.name),
        }
    }

    fn command(&mut self, command: &Command) {
        let forms = &command.forms;
        let constant = command.operands.iter().find(|o| o.slot == Slot::Imm);
        let plain = self.names.member(&command.name);
        let register_stub = forms.contains(&Form::R)
            || forms.contains(&Form::Flex) && constant.is_none()
            || forms.contains(&Form::I) && command.operands.len() == 1 && constant.is_none();
        if register_stub {
            let form = [Form::R, Form::I, Form::Flex].into_iter().find(|form| forms.contains(form));
            self.stub(command, &plain, form.unwrap_or(Form::R), None);
            if forms.contains(&Form::I) && command.operands.len() == 2 {
                let second = command.operands.iter().find(|o| o.slot == Slot::Rs2);
                self.stub(command, &self.names.immediate(&command.name), Form::I, second);
            }
        } else if let Some(form) = [Form::I, Form::Flex, Form::Flex25].into_iter().find(|form| forms.contains(form)) {
            let constant = constant.or_else(|| command.operands.iter().find(|o| o.slot == Slot::Rs2));
            self.stub(command, &plain, form, constant);
        }
        if forms.contains(&Form::Xcmd) {
            self.xcmd(command);
        }
    }

    /// The stub of a form, with some constants if it takes one; and the one that compilers may move.
    fn stub(&mut self, command: &Command, name: &str, form: Form, constant: Option<&Operand>) {
        let constants: Vec<Option<u64>> = match constant {
            Some(o) => [0, 1, u64::MAX].into_iter().map(|bits| Some(value(&o.ty, bits))).collect(),
            None => vec![None],
        };
        let result = command.result.as_ref().filter(|_| !matches!(form, Form::Flex | Form::Flex25));
        let movable = (result.is_some() && is_pure(self.section, command)).then(|| self.names.movable(name));
        for (i, constant_value) in constants.into_iter().enumerate() {
            let place = constant.zip(constant_value);
            for name in [Some(name.to_owned()), movable.clone()].into_iter().flatten() {
                self.one(command, &name, i, form, place, result);
            }
        }
    }

    /// One function around a stub of a CX.
    fn one(
        &mut self,
        command: &Command,
        stub: &str,
        number: usize,
        form: Form,
        constant: Option<(&Operand, u64)>,
        result: Option<&Type>,
    ) {
        let is_constant = |o: &Operand| constant.is_some_and(|(c, _)| c.name == o.name);
        let registers: Vec<&Operand> = command.operands.iter().filter(|o| !is_constant(o)).collect();
        let register = |slot| {
            let place = registers.iter().position(|o| o.slot == slot);
            place.map_or(0, |place| A0 + place as u8)
        };
        let (rs1, rs2) = (register(Slot::Rs1), register(Slot::Rs2));
        let bits = constant.map_or(0, |(_, bits)| bits);
        // The twelve bits, sign-extended.
        let low12 = ((bits << 52) as i64 >> 52) as i16;
        let function = command.id;
        let want = match form {
            Form::R => Want::R { function, rs1, rs2 },
            Form::I => Want::I { function, rs1, immediate: low12 },
            Form::Flex => Want::Flex { function, immediate: (bits & 31) as u8, rs1, rs2 },
            _ => Want::Flex25 { function, immediate: (bits & 0x7FFF) as u16 },
        };
        let argument = |o: &Operand| match constant {
            Some((c, bits)) if c.name == o.name => match edge(&o.ty) {
                Edge::Signed(_) => format!("{}", bits as i64),
                _ => format!("{bits:#x}u{}", if bits > u64::from(u32::MAX) { "ll" } else { "" }),
            },
            _ => format!("p{}", registers.iter().position(|r| r.name == o.name).unwrap_or(0)),
        };
        let arguments: Vec<String> = command.operands.iter().map(argument).collect();
        let mut runs = Vec::new();
        for vector in self.vectors(command) {
            let of = |slot| registers.iter().find(|o| o.slot == slot);
            let pick = |slot, bits| of(slot).map(|o| (c_type(&o.ty), value(&o.ty, bits)));
            let (first, second) = (pick(Slot::Rs1, vector.rs1), pick(Slot::Rs2, vector.rs2));
            let extended = match form {
                Form::I => low12 as i64 as u64,
                _ => bits,
            };
            let issued = Operands {
                rs1: first.map_or(0, |(_, bits)| bits),
                rs2: second.map_or(extended, |(_, bits)| bits),
                imm: bits,
            };
            let Some(rd) = self.rd(command, issued) else { continue };
            let op = match form {
                Form::R => "R",
                Form::I => "I",
                Form::Flex => "flex",
                _ => "flex25",
            };
            let seen = |operand: Option<(&str, u64)>| operand.map(|(ty, bits)| typed(ty, bits));
            let immediate = match form {
                Form::I => i64::from(low12),
                Form::Flex => (bits & 31) as i64,
                Form::Flex25 => (bits & 0x7FFF) as i64,
                _ => 0,
            };
            let arguments: Vec<Value> = registers
                .iter()
                .map(|o| typed(c_type(&o.ty), if o.slot == Slot::Rs1 { issued.rs1 } else { issued.rs2 }))
                .collect();
            let shown = result.map_or(0, |_| rd);
            runs.push(json!({
                "args": arguments,
                "steps": [step(op, function, immediate, seen(first), seen(second), shown)],
                "ret": result.map(|ty| typed(c_type(ty), rd)),
            }));
        }
        let types: Vec<&str> = registers.iter().map(|o| c_type(&o.ty)).collect();
        self.push(
            Case {
                name: format!("case_{stub}_{number}"),
                text: String::new(),
                wants: vec![want],
                before: 0..=0,
                after: extension(result, self.section.xlen),
                has_result: result.is_some(),
                runs,
            },
            result,
            &types,
            &format!("{stub}({})", arguments.join(", ")),
        );
    }

    /// Adds a case whose text is a call.
    fn push(&mut self, mut case: Case, result: Option<&Type>, types: &[&str], call: &str) {
        let parameters: Vec<String> = types.iter().enumerate().map(|(i, ty)| format!("{ty} p{i}")).collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        let (name, ty) = (&case.name, result.map_or("void", c_type));
        let give = if result.is_some() { "return " } else { "" };
        case.text = format!("{ty} {name}({parameters});\n{ty} {name}({parameters}) {{ {give}{call}; }}\n");
        self.list.push(case);
    }

    /// The stubs of an overloadable opcode, and the sequence with a lookup that the document has.
    fn xcmd(&mut self, command: &Command) {
        let stub = self.names.xcmd(command);
        let result = command.result.as_ref();
        let after = extension(result, self.section.xlen);
        let of = |slot| command.operands.iter().find(|o| o.slot == slot);
        let (data, other) = (of(Slot::Rs1), of(Slot::Rs2));
        let number = command.id as u8;
        let last = other.map(|o| c_type(&o.ty));
        let all: Vec<&str> = ["cx_cookie_t"].into_iter().chain(data.map(|o| c_type(&o.ty))).chain(last).collect();
        let rs2 = |place: usize| if other.is_some() { A0 + place as u8 } else { 0 };
        let arguments = |n: usize| (0..n).map(|i| format!("p{i}")).collect::<Vec<_>>().join(", ");
        let case = |name: String, wants, before, runs| Case {
            name,
            text: String::new(),
            wants,
            before,
            after,
            has_result: result.is_some(),
            runs,
        };
        let lun = 0x20u64;
        let width = self.section.xlen - 12;
        let word = if self.section.xlen == 64 { "uint64_t" } else { "uint32_t" };
        let id = self.id();
        let (mut plain, mut sequence) = (Vec::new(), Vec::new());
        for vector in self.vectors(command) {
            let pick = |o: Option<&Operand>, bits| o.map_or(0, |o| value(&o.ty, bits));
            let (a, b) = (pick(data, vector.rs1), pick(other, vector.rs2));
            let Some(rd) = self.rd(command, Operands { rs1: a, rs2: b, imm: 0 }) else { continue };
            let rd = result.map_or(0, |_| rd);
            let cut = |bits: u64| bits & (u64::MAX >> (64 - self.section.xlen));
            // Data that a device sees: those of the operand, or those that the cookie had.
            let before = cut(0xA5A5 << 12 | lun);
            let data_of = |bits: u64| cut(bits << 12 | lun);
            // A uint32_t goes there as it comes in its register.
            let extended = |bits: u64| match data.map(|o| c_type(&o.ty)) {
                Some("uint32_t") => bits as i32 as u64,
                _ => bits,
            };
            let bits_of_cookie = if data.is_some() { data_of(extended(a)) } else { before };
            let seen = other.map(|o| typed(c_type(&o.ty), b));
            let ret = result.map(|ty| typed(c_type(ty), rd));
            let mut args = vec![typed(word, before)];
            args.extend(data.map(|o| typed(c_type(&o.ty), a)));
            args.extend(seen.clone());
            let xcmd = |cookie| step("xcmd", command.id, 0, Some(typed(word, cookie)), seen.clone(), rd);
            plain.push(json!({ "args": args, "steps": [xcmd(bits_of_cookie)], "ret": ret }));
            let loose = cut(a) & (u64::MAX >> (64 - width));
            let args: Vec<Value> = [typed(word, cut(a))].into_iter().chain(seen.clone()).collect();
            let cookie = data_of(loose);
            let lookup = step("xext", 0, 0, Some(typed(word, id)), Some(typed(word, cut(a))), cookie);
            sequence.push(json!({ "args": args, "steps": [lookup, xcmd(cookie)], "ret": ret }));
        }
        // The lun of the cookie, the data above it, and both together.
        let inserted = if data.is_some() { 4..=4 } else { 0..=0 };
        let rs1 = data.is_none().then_some(A0);
        let want = Want::Xcmd { command: number, rs1, rs2: rs2(all.len() - 1) };
        let name = format!("case_{stub}");
        self.push(case(name, vec![want], inserted, plain), result, &all, &format!("{stub}({})", arguments(all.len())));
        if data.is_none() {
            return;
        }
        let of_cookie = self.names.xcmd_of_cookie(command);
        let types: Vec<&str> = ["cx_cookie_t"].into_iter().chain(last).collect();
        let want = Want::Xcmd { command: number, rs1: Some(A0), rs2: rs2(1) };
        let call = format!("{of_cookie}({})", arguments(types.len()));
        self.push(case(format!("case_{of_cookie}"), vec![want], 0..=0, Vec::new()), result, &types, &call);
        if self.interface.xintf.is_none() {
            return;
        }
        let types: Vec<&str> = ["cx_word_t"].into_iter().chain(last).collect();
        let lookup = Want::Xext { fallback: Fallback::Trap, rs2: A0 };
        let want = Want::Xcmd { command: number, rs1: None, rs2: rs2(1) };
        let with = self.names.lookup_with(Fallback::Trap.mnemonic());
        let operand = if last.is_some() { ", p1" } else { "" };
        let call = format!("{of_cookie}({with}(0, p0){operand})");
        let before = self.li();
        self.push(case(format!("sequence_{stub}"), vec![lookup, want], before, sequence), result, &types, &call);
    }

    /// What a lookup has in rs1: the interface's id above the number of the default device.
    fn id(&self) -> u64 {
        self.interface.xintf.as_ref().map_or(0, |xintf| match self.section.xlen {
            64 => xintf.id52 << 12,
            _ => u64::from(xintf.id20) << 12,
        })
    }

    /// How many instructions the id takes: one, `lui`, if it is a sign-extended number of 20 bits; of others what `li` takes.
    fn li(&self) -> RangeInclusive<usize> {
        let id = self.id();
        if id == 0 {
            // clang takes x0.
            return 0..=1;
        }
        if self.section.xlen == 32 || id as i32 as i64 == id as i64 { 1..=1 } else { 2..=8 }
    }

    fn lookups(&mut self) {
        let (id, before) = (self.id(), self.li());
        let (word, ty) = match self.section.xlen {
            64 => ("uint64_t", Type::U(64)),
            _ => ("uint32_t", Type::U(32)),
        };
        for fallback in Fallback::ALL {
            let mnemonic = fallback.mnemonic();
            let data: u64 = 0x0003_2123;
            for (name, argument, data) in
                [(self.names.member(mnemonic), "", None), (self.names.lookup_with(mnemonic), ", p0", Some(data))]
            {
                let cookie = 0x7FF | data.unwrap_or(0) << 12 & 0xFFFF_FFFF;
                let args: Vec<Value> = data.map(|bits| typed(word, bits)).into_iter().collect();
                let seen = data.map(|bits| typed(word, bits));
                let step = step("xext", fallback.lun(), 0, Some(typed(word, id)), seen, cookie);
                let case = Case {
                    name: format!("case_{name}"),
                    text: String::new(),
                    wants: vec![Want::Xext { fallback, rs2: data.map_or(0, |_| A0) }],
                    before: before.clone(),
                    after: 0,
                    has_result: true,
                    runs: vec![json!({ "args": args, "steps": [step], "ret": typed(word, cookie) })],
                };
                let types: &[&str] = if data.is_some() { &["cx_word_t"] } else { &[] };
                self.push(case, Some(&ty), types, &format!("{name}(0{argument}).bits"));
            }
        }
    }

    /// The accesses of CSRs, of a register.
    fn accesses(&mut self) {
        let section = self.section;
        for csr in &section.csrs {
            let writes = csr.access == lapis_cx::contract::csr::Access::Rw;
            for access in CsrAccess::ALL.into_iter().filter(|a| writes || *a == CsrAccess::Read) {
                let name = self.names.csr(&csr.name, access);
                let (operation, source) = match access {
                    CsrAccess::Read => (CsrOperation::Set, CsrSource::Register(0)),
                    CsrAccess::Write | CsrAccess::Swap => (CsrOperation::Write, CsrSource::Register(A0)),
                    CsrAccess::Set => (CsrOperation::Set, CsrSource::Register(A0)),
                    CsrAccess::Clear => (CsrOperation::Clear, CsrSource::Register(A0)),
                };
                let ty = Type::U(section.xlen);
                let result = (access != CsrAccess::Write).then_some(&ty);
                let case = Case {
                    name: format!("case_{name}"),
                    text: String::new(),
                    wants: vec![Want::Csr { address: csr.address, operation, source }],
                    before: 0..=0,
                    after: 0,
                    has_result: result.is_some(),
                    runs: Vec::new(),
                };
                let (types, argument): (&[&str], &str) =
                    if access == CsrAccess::Read { (&[], "") } else { (&["cx_word_t"], "p0") };
                self.push(case, result, types, &format!("{name}({argument})"));
            }
        }
    }
}
