//! The Rust program that issues vectors: to the software CXU, to the fallback through the trait, and to the software CXU
//! through the guard, which must all give the same.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

use lapis_cx::contract::csr::Access;
use lapis_cx::contract::{CsrOp, Interface, Section, Sharing};
use lapis_cx::lower::ir::{self, Edge};
use lapis_cx_backend_rust::csr::Kind;
use lapis_cx_backend_rust::method::{Value, all, methods, to_register};
use lapis_cx_backend_rust::{naming, xcmd};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::vectors::{ACCESS, access};

/// What the program says of each module.
#[derive(Clone, Copy)]
pub struct Module<'a> {
    /// The interface.
    pub interface: &'a Interface,
    /// Its section.
    pub section: &'a Section,
    /// The lowered section.
    pub lowered: &'a ir::Section,
}

/// How the program is told to run a module.
pub fn name(interface: &Interface, section: &Section) -> String {
    format!("{}_{}", naming::module(interface), section.xlen)
}

/// The tokens of a text, as the backend puts them into others.
fn tokens(text: &str) -> TokenTree {
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    Group::new(Delimiter::None, tokens).into()
}

/// The text of the program. Its first argument is the name of a module; it reads vectors, issues them and writes answers.
pub fn text(modules: &[Module<'_>]) -> String {
    program(modules, false)
}

/// The same, which issues vectors through the runtime too: on RISC-V by instructions, of modules of its XLEN.
pub fn text_with_runtime(modules: &[Module<'_>]) -> String {
    program(modules, true)
}

fn program(modules: &[Module<'_>], with_runtime: bool) -> String {
    let mut out = String::from(HEAD);
    let mut stems = Vec::new();
    let mut arms = String::new();
    for module in modules {
        let stem = naming::file_stem(module.interface);
        let inner = naming::module(module.interface);
        if !stems.contains(&stem) {
            let _ = writeln!(out, "#[path = \"rust/{stem}.rs\"]\nmod {inner};");
            stems.push(stem);
        }
        let name = name(module.interface, module.section);
        let run = &name;
        let _ = writeln!(arms, "        \"{name}\" => {run}::run(),");
        let _ = writeln!(
            out,
            "\nmod {run} {{\n    use super::{inner}::xlen{}::*;\n{}}}",
            module.section.xlen,
            one(module, with_runtime)
        );
    }
    let _ = writeln!(
        out,
        "\nfn main() {{\n    match std::env::args().nth(1).unwrap().as_str() {{\n{arms}        other => panic!(\"{{other}}\"),\n    }}\n}}"
    );
    out
}

/// What the modules share.
const HEAD: &str = "\
// Reads vectors, issues them, writes answers.
use std::io::{Read, Write};

/// Vectors of `n` words on the standard input, until it ends.
fn each(n: usize, mut f: impl FnMut(&[u64]) -> Vec<u64>) {
    let mut all = Vec::new();
    std::io::stdin().lock().read_to_end(&mut all).unwrap();
    let words: Vec<u64> = all.chunks_exact(8).map(|c| u64::from_ne_bytes(c.try_into().unwrap())).collect();
    let mut out = Vec::new();
    for vector in words.chunks_exact(n) {
        f(vector).iter().for_each(|w| out.extend(w.to_ne_bytes()));
    }
    std::io::stdout().lock().write_all(&out).unwrap();
}

/// The operation and the address of an access. An interface that is no CX has none.
#[allow(dead_code)]
fn accessed(function: u64) -> Option<(lapis_cx_core::CsrOp, u32)> {
    let op = lapis_cx_core::CsrOp::from_code(function as u32 >> 12 & 3)?;
    (function >= 0x8000_0000).then_some((op, function as u32 & 0xFFF))
}
";
const _: () = assert!(ACCESS == 0x8000_0000);

/// Adds the accesses of all CSRs to the arms of `plain`; gives what holds the fields of a word against their bits.
fn accesses(section: &Section, lowered: &ir::Section, plain: &mut String) -> String {
    let xlen = section.xlen;
    let mut fields = String::new();
    for (csr, lowered) in section.csrs.iter().zip(&lowered.csrs) {
        let ty = format!("csr::{}", naming::type_name(&csr.name));
        let method = |kind| naming::csr_method(&csr.name, kind);
        let mut arm = |op: CsrOp, text: String| {
            let _ = writeln!(plain, "            {} => u64::from({text}.0),", access(op, csr.address));
        };
        arm(CsrOp::Read, format!("cx.{}()", method(Kind::Read)));
        if csr.access == Access::Rw {
            let [read, write, swap] = [Kind::Read, Kind::Write, Kind::Swap].map(method);
            arm(
                CsrOp::Write,
                // Both ways to write.
                format!(
                    "(if rs1 & 1 == 0 {{ cx.{swap}({ty}(rs1 as _)) }} else {{ let old = cx.{read}(); cx.{write}({ty}(rs1 as \
                     _)); old }})"
                ),
            );
            arm(CsrOp::Set, format!("cx.{}(rs1 as _)", method(Kind::Set)));
            arm(CsrOp::Clear, format!("cx.{}(rs1 as _)", method(Kind::Clear)));
        }
        for (field, lowered) in csr.fields.iter().zip(&lowered.fields) {
            let value = Value::new(section, &field.ty);
            let get = format!("word.{}()", naming::snake(&field.name));
            let register = to_register(value.edge, value.inner(tokens(&get)), xlen);
            let (lo, ones) = (lowered.lo, ir::ones(lowered.width));
            // The same by another way: the bits, and for a signed one copies of the top one above.
            let bits = format!("rs1 as u{xlen} >> {lo} & {ones}");
            let sign = match value.edge {
                Edge::Signed(_) => ir::ones(xlen) & !(ones >> 1),
                _ => 0,
            };
            let _ = writeln!(
                fields,
                "            let (word, bits) = ({ty}(rs1 as u{xlen}), {bits});\n            assert_eq!({register}, (if bits & \
                 {sign} != 0 {{ bits | {sign} }} else {{ bits }}) as usize, \"{} of {}: {{rs1:#x}}\");",
                field.name, csr.name
            );
            if csr.access == Access::Rw {
                let with = naming::csr_with(&field.name);
                let _ = writeln!(
                    fields,
                    "            assert_eq!({ty}(rs2 as _).{with}({get}).0, rs2 as u{xlen} & !({ones} << {lo}) | bits << {lo}, \
                     \"{} of {}: {{rs1:#x}} {{rs2:#x}}\");",
                    field.name, csr.name
                );
            }
        }
    }
    fields
}

fn one(module: &Module<'_>, with_runtime: bool) -> String {
    let Module { interface, section, lowered } = module;
    let xlen = section.xlen;
    let stateful = lowered.state.is_some();
    let (mut plain, mut tried) = (String::new(), String::new());
    let methods = methods(interface, section);
    // An immediate is a constant, so those methods have a test of their own.
    let called = methods.iter().filter(|m| m.is_defined && m.operands.iter().all(|o| o.register.is_some()));
    for method in called {
        let args = method.operands.iter().map(|o| {
            let register = if o.register == Some(0) { "rs1" } else { "rs2" };
            o.value.outer(o.value.from_register(tokens(register))).to_string()
        });
        let args = args.collect::<Vec<_>>().join(", ");
        let (pattern, value) = match &method.result {
            Some(result) => ("v", format!("({}) as u64", result.to_register(result.inner(tokens("v")), xlen))),
            None => ("()", "0".to_owned()),
        };
        let (id, name) = (method.id, &method.name);
        let _ = writeln!(plain, "            {id} => {{ let {pattern} = cx.{name}({args}); {value} }}");
        if let Some(name) = &method.tried {
            let _ = writeln!(tried, "            {id} => cx.{name}({args}).map(|{pattern}| {value}).map_err(code),");
        }
    }
    let is_device = xcmd::is_whole(section, &methods) && interface.xintf.is_some();
    let told = methods.iter().filter(|m| m.tried.is_some() && m.operands.iter().all(|o| o.register.is_some()));
    let told: HashSet<u16> = told.map(|m| m.id).collect();
    let untold = all(interface, section).into_iter().map(|m| m.id).filter(|id| !told.contains(id));
    let untold: BTreeSet<String> = untold.map(|id| id.to_string()).collect();
    let trapped = if untold.is_empty() {
        String::new()
    } else {
        // Only a trap is answered so, and nothing above asked the fallback.
        let ids = Vec::from_iter(untold).join(" | ");
        format!("            if response == 1 && matches!(function & 0xFFFF, {ids}) {{ response = 7; }}\n")
    };
    let fields = accesses(section, lowered, &mut plain);
    let fallible = !tried.is_empty();
    let name = naming::type_name(&interface.name);
    let code = if fallible { CODE } else { "" };
    let bind = if stateful {
        "let mut soft = Fallback::default();\n                Fallback::restore(&mut soft, &words);"
    } else {
        "let soft = Fallback::default();"
    };
    let words = if stateful { "State::WORDS" } else { "0" };
    let state = |soft: &str| if stateful { format!("*Fallback::state(&{soft})") } else { "()".to_owned() };
    let mut cx = if interface.uuid.is_some() {
        format!(
            "            let direct = Direct(std::cell::Cell::new({state}));
            let reply = match super::accessed(function) {{
                Some((op, address)) => lapis_cx_core::Issue::csr(&&direct, op, address, rs1),
                None => lapis_cx_core::Issue::issue(&&direct, function as u32, rs1, rs2),
            }};
            let (rd, mut response) = (reply.value as u64, u64::from(reply.response.code()));
            let guard = Direct(std::cell::Cell::new({state}));
            if let Some(value) = plain(&mut Selected::new(&guard), function, rs1, rs2) {{
                assert_eq!((value, guard.0.get()), (rd, direct.0.get()), \"guard: {{vector:x?}}\");
            }}
            let guard = Direct(std::cell::Cell::new({state}));
            if let Some(result) = tried(&mut Selected::new(&guard), function, rs1, rs2) {{
                let expected = if response == 0 {{ Ok(rd) }} else {{ Err(response) }};
                assert_eq!((result, guard.0.get()), (expected, direct.0.get()), \"guard: {{vector:x?}}\");
            }}
            let after = direct.0.get();
            if let Some(value) = plain(&mut soft(), function, rs1, rs2) {{
                assert_eq!(value, rd, \"fallback: {{vector:x?}}\");
            }}
",
            state = state("soft()"),
        )
    } else {
        // Without a UUID there is no CXU: the trait is all there is.
        let off = if stateful { "Fallback::state(&first).status & 3 == 0" } else { "false" };
        format!(
            "            let mut first = soft();
            let is_off = {off};
            let value = plain(&mut first, function, rs1, rs2);
            let rd = value.unwrap_or(0);
            let mut response = if is_off {{ 3 }} else if value.is_some() {{ 0 }} else {{ 4 }};
            let after = {state};
",
            state = state("first"),
        )
    };
    if with_runtime && interface.uuid.is_some() {
        let is_shared = section.state.as_ref().is_some_and(|state| state.sharing != Sharing::Exclusive);
        cx += &THROUGH_RUNTIME.replace("{flags}", if is_shared { "SHARED" } else { "EXCLUSIVE" }).replace(
            "{after}",
            if stateful { "after.save().iter().flat_map(|w| w.to_ne_bytes()).collect()" } else { "Vec::new()" },
        );
    }
    if is_device {
        // A device of overloadable opcodes does the same.
        let _ = writeln!(
            cx,
            "            if let Some((value, it)) = device(soft(), function, rs1, rs2) {{
                let _ = &it;
                assert_eq!((value, {}), (rd, after), \"device: {{vector:x?}}\");
            }}",
            state("it")
        );
    }
    let processor =
        if is_device { PROCESSOR.replace("{id}", if xlen == 64 { "XINTF52" } else { "XINTF" }) } else { String::new() };
    let bodies = bodies(section, lowered, interface.uuid.is_some());
    let direct = if interface.uuid.is_some() {
        DIRECT.replace("{state}", if stateful { "State" } else { "()" })
    } else {
        String::new()
    };
    format!(
        "
    /// The value in a register.
    #[allow(unreachable_code)]
    fn plain(cx: &mut impl {name}, function: u64, rs1: usize, rs2: usize) -> Option<u64> {{
        let _ = (&cx, rs1, rs2);
        Some(match function {{
{plain}            _ => return None,
        }})
    }}

    /// The same from the methods that tell the response.
    #[allow(unreachable_code)]
    fn tried(cx: &mut impl {name}, function: u64, rs1: usize, rs2: usize) -> Option<Result<u64, u64>> {{
        let _ = (&cx, rs1, rs2);
        Some(match function {{
{tried}            _ => return None,
        }})
    }}
{bodies}{code}{direct}{processor}
    pub fn run() {{
        super::each(3 + {words}, |vector| {{
            let (function, rs1, rs2) = (vector[0], vector[1] as usize, vector[2] as usize);
{fields}            let mut words = [0; {words}];
            words.iter_mut().zip(&vector[3..]).for_each(|(to, from)| *to = *from as u{xlen});
            let soft = || {{
                {bind}
                soft
            }};
{cx}            let mut again = soft();
            if let Some(result) = tried(&mut again, function, rs1, rs2) {{
                let expected = if response == 0 && result != Err(7) {{ Ok(rd) }} else {{ result }};
                assert_eq!(result, expected, \"fallback: {{vector:x?}}\");
                // A CXU has no answer for a trap.
                let answer = result.err().unwrap_or(0);
                assert!(answer == response || answer == 7, \"fallback: {{vector:x?}}\");
                assert_eq!({again}, after);
                response = answer;
            }}
            let mut again = soft();
            if plain(&mut again, function, rs1, rs2).is_some() {{
                assert_eq!({again}, after);
            }}
{trapped}            let mut out = vec![rd, response];
            out.extend({image});
            out
        }});
    }}
",
        again = state("again"),
        image = if stateful { "after.save().map(u64::from)" } else { "[after; 0].map(|()| 0)" },
    )
}

/// The fallback and the software CXU by names that say nothing of bodies. Commands without one are not issued here.
fn bodies(section: &Section, lowered: &ir::Section, is_cx: bool) -> String {
    let cxu = |given: &str| if is_cx { format!("\n    type Cxu = SoftCxu{given};") } else { String::new() };
    if lowered.opaque.is_empty() {
        return format!("\n    type Fallback = Soft;{}\n", cxu(""));
    }
    let mut functions = String::new();
    for command in section.commands.iter().filter(|c| lowered.opaque.iter().any(|o| o.id == c.id)) {
        let state = lowered.state.iter().map(|_| "_: &mut State".to_owned());
        let operands = command.operands.iter().map(|o| format!("_: {}", Value::new(section, &o.ty).ty()));
        let list: Vec<String> = state.chain(operands).collect();
        let returns = command.result.as_ref().map_or("Result<(), Error>".to_owned(), |ty| {
            let ty = Value::new(section, ty).ty();
            format!("Result<{ty}, Raised<{ty}>>")
        });
        let name = naming::snake(&command.name);
        let _ = writeln!(
            functions,
            "        fn {name}({}) -> {returns} {{\n            Err(Error::Func.into())\n        }}",
            list.join(", ")
        );
    }
    let given = "<Given>";
    format!(
        "\n    pub struct Given;\n\n    impl Bodies for Given {{\n{functions}    }}\n\n    type Fallback = Soft{given};{}\n",
        cxu(given)
    )
}

/// The number of a response.
const CODE: &str = "
    fn code(error: Error) -> u64 {
        match error {
            Error::Cxu => 1,
            Error::State => 2,
            Error::Off => 3,
            Error::Func => 4,
            Error::Op => 5,
            Error::Trap => 7,
            _ => 6,
        }
    }
";

/// A selection that is a CXU of its own.
const DIRECT: &str = "
    struct Direct(std::cell::Cell<{state}>);

    impl lapis_cx_core::Issue for &Direct {
        const INSTRUCTIONS: bool = false;
        fn issue(&self, function: u32, rs1: usize, rs2: usize) -> lapis_cx_core::Reply {
            let mut state = self.0.get();
            let reply = <Cxu as lapis_cx_core::RustCxu>::issue(&mut state, function, rs1, rs2);
            self.0.set(state);
            reply
        }
        fn csr(&self, op: lapis_cx_core::CsrOp, address: u32, value: usize) -> lapis_cx_core::Reply {
            let mut state = self.0.get();
            let reply = <Cxu as lapis_cx_core::RustCxu>::csr(&mut state, op, address, value);
            self.0.set(state);
            reply
        }
    }
";

/// The guard of the runtime, once for each kind of method.
const THROUGH_RUNTIME: &str = "            {
                use lapis_cx_runtime::{OpenFlags, Status, clear_status, open, register_rust, status};
                register_rust::<Cxu>().unwrap();
                let opened = open(UUID, OpenFlags::{flags}).unwrap();
                let image: Vec<u8> = words.iter().flat_map(|w: &_| w.to_ne_bytes()).collect();
                let expected: Vec<u8> = {after};
                for is_tried in [false, true] {
                    let guard = opened.select();
                    guard.restore(&image).unwrap();
                    clear_status(Status::ALL);
                    let mut cx = Selected::new(guard);
                    if is_tried {
                        let Some(result) = tried(&mut cx, function, rs1, rs2) else { continue };
                        assert_eq!(result, if response == 0 { Ok(rd) } else { Err(response) }, \"{vector:x?}\");
                    } else {
                        let Some(value) = plain(&mut cx, function, rs1, rs2) else { continue };
                        assert_eq!(value, rd, \"{vector:x?}\");
                    }
                    assert_eq!(status().bits(), 1 << response & !1, \"{vector:x?}\");
                    drop(cx);
                    let mut after = vec![0; image.len()];
                    assert_eq!(opened.select().save(&mut after), Ok(expected.len()));
                    assert_eq!(after, expected, \"{vector:x?}\");
                }
            }
";

/// A processor with one device, which is the fallback: data arrive above the lun that its lookup gave.
const PROCESSOR: &str = "
    struct Processor(std::cell::RefCell<Fallback>);

    impl lapis_cx_core::Xcmd for &Processor {
        const OPCODE: Option<u8> = None;
        fn xext(&self, fallback: lapis_cx_core::encoding::Fallback, rs1: usize) -> usize {
            assert_eq!((fallback.lun(), rs1), (1, ({id} << 12 | 7) as usize));
            0x5A_FED
        }
        fn xcmd(&self, command: u32, rs1: usize, rs2: usize) -> usize {
            assert_eq!(rs1 & 0xFFF, 0xFED);
            assert!(XLEN == usize::BITS || rs1 >> XLEN == 0);
            plain(&mut *self.0.borrow_mut(), command.into(), rs1 >> 12, rs2).unwrap() as usize
        }
    }

    /// What a device answers, and what it is then.
    fn device(soft: Fallback, function: u64, rs1: usize, rs2: usize) -> Option<(u64, Fallback)> {
        let processor = Processor(std::cell::RefCell::new(soft));
        let value = plain(&mut xext0(&processor, 7), function, rs1, rs2)?;
        Some((value, processor.0.into_inner()))
    }
";
