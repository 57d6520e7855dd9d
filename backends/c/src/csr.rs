//! CSRs: addresses, fields and accesses in the header, and what a runtime calls in the fallback.

use std::borrow::Cow;
use std::fmt::Write;
use std::rc::Rc;

use lapis_cx::contract::csr::Access;
use lapis_cx::contract::{Csr, CsrField, Section};
use lapis_cx::lower::ir::{self, Edge};

use crate::body::Printer;
use crate::header::{comment, type_name};
use crate::naming::{CsrAccess, Names, Scope};
use crate::unit::Unit;

/// A pattern as a constant of an unsigned type that holds it.
fn pattern(v: u64) -> String {
    if v > u64::from(u32::MAX) { format!("UINT64_C(0x{v:X})") } else { format!("0x{v:X}u") }
}

/// Prints what users see of the CSRs of a section: addresses, fields, and accesses to the selected CX. On RISC-V an access
/// is one instruction, elsewhere a call of the runtime.
pub fn declarations(out: &mut String, names: &Names, source: &Section, section: &ir::Section, taken: &Rc<Scope<'_>>) {
    if section.csrs.is_empty() {
        return;
    }
    out.push_str("\n/* Addresses of CSRs. */\n");
    for csr in &section.csrs {
        let _ = writeln!(out, "#define {} 0x{:X}u", names.csr_address(&csr.name), csr.address);
    }
    for (csr, declared) in section.csrs.iter().zip(&source.csrs) {
        for (field, declared) in csr.fields.iter().zip(&declared.fields) {
            let ty = type_name(names, source, &declared.ty);
            print_field(out, names, (csr, field), declared, &ty, taken);
        }
    }
    let mut hardware = String::new();
    let mut emulated = String::new();
    for (csr, declared) in section.csrs.iter().zip(&source.csrs) {
        for &access in accesses(declared) {
            let docs = docs_of(declared, access);
            comment(&mut hardware, &docs);
            instruction(&mut hardware, names, csr, access, taken);
            comment(&mut emulated, &docs);
            call(&mut emulated, names, csr, access, taken);
        }
    }
    let _ = writeln!(
        out,
        "\n/* CSRs of the selected CX: one instruction on RISC-V, elsewhere through the runtime. A context that is off\n * \
         gives 0 and stays as it is. */\n#if CX_ON_HART\n{hardware}#else\n{emulated}#endif"
    );
}

/// The accesses that a CSR has.
pub fn accesses(csr: &Csr) -> &'static [CsrAccess] {
    match csr.access {
        Access::Rw => &CsrAccess::ALL,
        Access::Ro => &[CsrAccess::Read],
    }
}

fn docs_of(csr: &Csr, access: CsrAccess) -> String {
    let name = &csr.name;
    match access {
        CsrAccess::Read if csr.docs.trim().is_empty() => format!("Reads `{name}`."),
        CsrAccess::Read => csr.docs.clone(),
        CsrAccess::Write => format!("Writes `{name}`."),
        CsrAccess::Swap => format!("Writes `{name}`; returns what was there before."),
        CsrAccess::Set => format!("Sets these bits of `{name}`; returns what was there before."),
        CsrAccess::Clear => format!("Clears these bits of `{name}`; returns what was there before."),
    }
}

fn print_field(
    out: &mut String,
    names: &Names,
    (csr, field): (&ir::Csr, &ir::CsrField),
    declared: &CsrField,
    ty: &str,
    taken: &Rc<Scope<'_>>,
) {
    let [shift, mask, get, put] =
        ["shift", "mask", "get", "put"].map(|what| names.csr_field(&csr.name, &field.name, what));
    let mut scope = Scope::inside(taken);
    let [word, value] = ["word", "value"].map(|name| scope.fresh(name));
    let low = ir::ones(field.width);
    let low_bits = match field.lo {
        0 => format!("{word} & {}", pattern(low)),
        lo => format!("({word} >> {lo}) & {}", pattern(low)),
    };
    let got = match field.edge {
        Edge::Bool => format!("({low_bits}) != 0"),
        Edge::Unsigned(_) => format!("({ty})({low_bits})"),
        Edge::Signed(_) => {
            let top = pattern(1 << (field.width - 1));
            format!("({ty})(cx_word_t)((({low_bits}) ^ {top}) - {top})")
        }
    };
    let moved = match field.lo {
        0 => format!("(cx_word_t){value}"),
        lo => format!("((cx_word_t){value} << {lo})"),
    };
    out.push('\n');
    let docs = declared.docs.trim();
    let bits = match field.width {
        1 => format!("Bit {}", field.lo),
        n => format!("Bits {}:{}", field.lo + n - 1, field.lo),
    };
    comment(out, format!("{bits} of `{}`.\n{docs}", csr.name).trim_end());
    let _ = writeln!(out, "#define {shift} {}", field.lo);
    let _ = writeln!(out, "#define {mask} ((cx_word_t){})", pattern(low << field.lo));
    let _ = writeln!(out, "static inline {ty} {get}(cx_word_t {word})\n{{\n    return {got};\n}}");
    if csr.write.is_some() {
        let _ = writeln!(
            out,
            "static inline cx_word_t {put}(cx_word_t {word}, {ty} {value})\n{{\n    return ({word} & ~{mask}) | ({moved} & \
             {mask});\n}}"
        );
    }
}

/// The head of an access, and the name of its parameter.
fn head<'a>(out: &mut String, names: &Names, csr: &ir::Csr, access: CsrAccess, scope: &mut Scope<'a>) -> Cow<'a, str> {
    let ty = if access == CsrAccess::Write { "void" } else { "cx_word_t" };
    let value = scope.fresh(if matches!(access, CsrAccess::Set | CsrAccess::Clear) { "bits" } else { "value" });
    let list = if access == CsrAccess::Read { "void".to_owned() } else { format!("cx_word_t {value}") };
    let _ = writeln!(out, "static inline {ty} {}({list})\n{{", names.csr(&csr.name, access));
    value
}

fn instruction(out: &mut String, names: &Names, csr: &ir::Csr, access: CsrAccess, taken: &Rc<Scope<'_>>) {
    let mut scope = Scope::inside(taken);
    let value = head(out, names, csr, access, &mut scope);
    let [old, mask] = ["old", "mask"].map(|name| scope.fresh(name));
    let address = csr.address;
    // A small constant goes into the instruction.
    let text = match access {
        CsrAccess::Read => format!("\"csrr %0, 0x{address:X}\" : \"=r\"({old})"),
        CsrAccess::Write => format!("\"csrw 0x{address:X}, %0\" : : \"rK\"((cx_reg_t){value})"),
        CsrAccess::Swap => format!("\"csrrw %0, 0x{address:X}, %1\" : \"=r\"({old}) : \"rK\"((cx_reg_t){value})"),
        CsrAccess::Set => format!("\"csrrs %0, 0x{address:X}, %1\" : \"=r\"({old}) : \"r\"({mask})"),
        CsrAccess::Clear => format!("\"csrrc %0, 0x{address:X}, %1\" : \"=r\"({old}) : \"r\"({mask})"),
    };
    if matches!(access, CsrAccess::Set | CsrAccess::Clear) {
        let _ = writeln!(
            out,
            "    cx_reg_t {mask} = {value};\n    __asm__(\"\" : \"+r\"({mask})); /* in x0 it would not be written */"
        );
    }
    let _ = match access {
        CsrAccess::Write => writeln!(out, "    __asm__ volatile({text});\n}}"),
        _ => writeln!(out, "    cx_reg_t {old};\n    __asm__ volatile({text});\n    return (cx_word_t){old};\n}}"),
    };
}

fn call(out: &mut String, names: &Names, csr: &ir::Csr, access: CsrAccess, taken: &Rc<Scope<'_>>) {
    let value = head(out, names, csr, access, &mut Scope::inside(taken));
    let (op, value) = match access {
        CsrAccess::Read => ("CX_CSR_READ", "0".into()),
        CsrAccess::Write | CsrAccess::Swap => ("CX_CSR_WRITE", value),
        CsrAccess::Set => ("CX_CSR_SET", value),
        CsrAccess::Clear => ("CX_CSR_CLEAR", value),
    };
    let call = format!("cx_csr({op}, {}, {value})", names.csr_address(&csr.name));
    let _ = match access {
        CsrAccess::Write => writeln!(out, "    (void){call};\n}}"),
        _ => writeln!(out, "    return (cx_word_t){call};\n}}"),
    };
}

/// Prints the prototypes of the software accesses.
pub fn prototypes(out: &mut String, names: &Names, section: &ir::Section, taken: &Rc<Scope<'_>>) {
    if section.csrs.is_empty() {
        return;
    }
    for csr in &section.csrs {
        let mut scope = Scope::inside(taken);
        let value = scope.fresh("value");
        let (read, write) = software(names, section, &scope.fresh("st"));
        let _ = writeln!(
            out,
            "/** The CSR `{}` in software. */\ncx_word_t {}({});",
            csr.name,
            names.software_csr(&csr.name, "read"),
            read.as_deref().unwrap_or("void")
        );
        if csr.write.is_some() {
            let list: Vec<String> = write.into_iter().chain([format!("cx_word_t {value}")]).collect();
            let _ = writeln!(out, "void {}({});", names.software_csr(&csr.name, "write"), list.join(", "));
        }
    }
    let _ = writeln!(
        out,
        "/** Any CSR, as `csr` of `struct cx_soft_cxu`. Returns the response. */\nuint32_t {}(void *state, uint32_t op, \
         uint32_t address, cx_reg_t value, cx_reg_t *old);",
        names.member("sw_access")
    );
}

/// The parameter that is the state, for a read and for a write.
fn software(names: &Names, section: &ir::Section, st: &str) -> (Option<String>, Option<String>) {
    let ty = section.state.is_some().then(|| names.member("state"));
    (ty.as_ref().map(|ty| format!("const {ty} *{st}")), ty.as_ref().map(|ty| format!("{ty} *{st}")))
}

/// Prints the software accesses and their dispatcher.
pub fn definitions(out: &mut String, names: &Names, unit: &mut Unit<'_>) {
    let section = unit.section;
    if section.csrs.is_empty() {
        return;
    }
    let word = Edge::Unsigned(section.xlen);
    let value = ir::Param { name: "value".to_owned(), edge: word, width: section.xlen, register: None };
    let state = section.state.is_some().then(|| names.member("state"));
    for csr in &section.csrs {
        let constant = state.as_ref().map(|ty| format!("const {ty}"));
        let (list, text) = Printer::new(unit, &csr.read).issued(&[], Some(word), &[], constant.as_deref(), false);
        let _ = writeln!(out, "cx_word_t {}({list})\n{{\n{text}}}\n", names.software_csr(&csr.name, "read"));
        if let Some(body) = &csr.write {
            let params = std::slice::from_ref(&value);
            let types = ["cx_word_t".into()];
            let (list, text) = Printer::new(unit, body).issued(params, None, &types, state.as_deref(), false);
            let _ = writeln!(out, "void {}({list})\n{{\n{text}}}\n", names.software_csr(&csr.name, "write"));
        }
    }
    dispatcher(out, names, unit);
}

fn dispatcher(out: &mut String, names: &Names, unit: &mut Unit<'_>) {
    let section = unit.section;
    let st = if section.state.is_some() { "st" } else { "" };
    let writes = section.csrs.iter().any(|csr| csr.write.is_some());
    let mut cases = String::new();
    for csr in &section.csrs {
        let _ = writeln!(cases, "    case {}:", names.csr_address(&csr.name));
        if csr.write.is_none() {
            cases.push_str("        if (op != CX_CSR_READ) {\n            return CX_RESPONSE_FUNC;\n        }\n");
        }
        let _ = writeln!(cases, "        *old = {}({st});", names.software_csr(&csr.name, "read"));
        if csr.write.is_some() {
            let write = names.software_csr(&csr.name, "write");
            let _ = writeln!(
                cases,
                "        if (op != CX_CSR_READ) {{\n            {write}({st}, (cx_word_t)CX_CSR_WRITTEN(op, *old, value));\n        }}"
            );
        }
        cases.push_str("        break;\n");
    }
    let _ = writeln!(
        out,
        "uint32_t {}(void *state, uint32_t op, uint32_t address, cx_reg_t value, cx_reg_t *old)\n{{",
        names.member("sw_access")
    );
    match &section.state {
        Some(state) => {
            let ty = names.member("state");
            let is_off = crate::fallback::is_off(unit, state);
            let _ = writeln!(
                out,
                "    {ty} *st = ({ty} *)state;\n    *old = 0;\n    if ({is_off}) {{\n        return CX_RESPONSE_OFF;\n    }}"
            );
        }
        None => out.push_str("    (void)state;\n    *old = 0;\n"),
    }
    if !writes {
        out.push_str("    (void)value;\n");
    }
    let _ = writeln!(
        out,
        "    if (op > CX_CSR_CLEAR) {{\n        return CX_RESPONSE_FUNC;\n    }}\n    switch (address) {{\n{cases}    \
         default:\n        return CX_RESPONSE_FUNC;\n    }}\n    return CX_RESPONSE_OK;\n}}\n"
    );
}
