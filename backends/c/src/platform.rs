//! The files of a platform: the tables of a processor, and its devices in software (overloadable opcodes, "Description
//! of the extension as C functions"); and the table of its CXUs.

use std::collections::BTreeSet;
use std::fmt::Write;

use lapis_cx::backend::in_c_comment;
use lapis_cx::contract::platform::{Device, Platform, Reference, Unit};
use lapis_cx_core::xext::{Levels, Privilege};
use minijinja::Environment;

use crate::header::{comment, comment_lines};
use crate::naming::Names;
use crate::naming::platform::{CXUS, device_name};

/// Prints the header.
pub fn header(templates: &Environment<'_>, names: &Names, platform: &Platform) -> Result<String, minijinja::Error> {
    let devices = platform.devices.iter().map(|device| {
        let mut docs = String::new();
        comment(&mut docs, &device.docs);
        minijinja::context! { docs => docs, name => device_name(names, device) }
    });
    let context = minijinja::context! {
        title => format!("{}.h", names.stem),
        origin => origin(platform),
        processor => platform.has_xcmds(),
        docs => comment_lines(&platform.docs),
        guard => names.guard(),
        stem => names.stem.clone(),
        abi => lapis_cx_core::CX_ABI_H.trim_end(),
        xext => lapis_cx_core::xext::XEXT_H.trim_end(),
        wrong_xlen => wrong_xlen(platform),
        devices => devices.collect::<Vec<_>>(),
        cxus => names.member(CXUS),
        cxu_count => platform.cxus.len(),
    };
    crate::render(templates, crate::PLATFORM_HEADER, context)
}

/// Prints the tables and the devices.
pub fn source(templates: &Environment<'_>, names: &Names, platform: &Platform) -> Result<String, minijinja::Error> {
    let units = platform.devices.iter().flat_map(|device| &device.units);
    let includes: BTreeSet<String> = units
        .filter_map(|unit| platform.interface(unit.interface))
        .map(|r| Names::of_reference(r).stem + ".h")
        .collect();
    let devices = platform.devices.iter().map(|device| {
        minijinja::context! { name => device_name(names, device), body => device_body(platform, device) }
    });
    let lun_rows = platform.lun_rows();
    let device_rows = platform.device_rows();
    let context = minijinja::context! {
        title => format!("{}_platform.c", names.stem),
        origin => origin(platform),
        processor => platform.has_xcmds(),
        stem => names.stem.clone(),
        includes => includes,
        devices => devices.collect::<Vec<_>>(),
        levels => levels(platform.privileges()),
        xcmds => platform.xcmds,
        lun_count => lun_rows.len(),
        luns => lines(lun_rows.iter().map(|(row, reference)| {
            let suffix = if platform.xlen == 64 { "ull" } else { "u" };
            let key = format!("{{{}, 0x{:05X}{suffix}}}", row.dev, row.uuid);
            format!("    {{{key}, {}, {{{}}}}}, /* {} */", levels(row.levels), row.lun, name_of(reference))
        })),
        route_count => device_rows.len(),
        routes => lines(device_rows.iter().map(|(row, reference)| {
            let device = platform.devices.get(usize::from(row.device)).map(|device| device_name(names, device));
            let device = device.unwrap_or_else(|| "NULL".to_owned());
            let to = format!("{{{device}, {}}}", row.subdevice);
            format!("    {{{{{}}}, {}, {to}}}, /* {} */", row.lun, levels(row.levels), name_of(reference))
        })),
        cxus => names.member(CXUS),
        cxu_count => platform.cxus.len(),
        cxu_rows => lines(platform.cxus.iter().filter_map(|cxu| {
            let reference = platform.interface(cxu.interface)?;
            let (high, low) = reference.uuid?.as_u64_pair();
            let uuid = format!("{{0x{high:016X}ull, 0x{low:016X}ull}}");
            Some(format!("    {{{uuid}, {}}}, /* {} */", cxu.contexts, name_of(reference)))
        })),
    };
    crate::render(templates, crate::PLATFORM_SOURCE, context)
}

/// What refuses a compiler whose registers are not those of the platform.
pub fn wrong_xlen(platform: &Platform) -> String {
    let (origin, xlen) = (origin(platform), platform.xlen);
    let abi = if xlen == 32 { "ilp32" } else { "lp64" };
    format!(
        "#if CX_XLEN != {xlen} && defined __riscv_xlen\n\
         #error \"{origin} has registers of {xlen} bits: compile with -march=rv{xlen}... and -mabi={abi}\"\n\
         #elif CX_XLEN != {xlen}\n\
         #error \"{origin} has registers of {xlen} bits: build with -DCX_XLEN={xlen}\"\n\
         #endif"
    )
}

pub fn origin(platform: &Platform) -> String {
    format!("{}:{}", platform.package, platform.name)
}

pub fn name_of(reference: &Reference) -> String {
    format!("{}:{}", reference.package, reference.name)
}

fn lines(rows: impl Iterator<Item = String>) -> String {
    rows.collect::<Vec<_>>().join("\n")
}

/// As an expression of the enumerators of `enum privilege`.
fn levels(levels: Levels) -> String {
    let names: Vec<_> = Privilege::ALL.into_iter().filter(|level| levels.has(*level)).map(Privilege::name).collect();
    names.join(" | ")
}

/// A device that sends each command of each unit to the interface's fallback.
fn device_body(platform: &Platform, device: &Device) -> String {
    let mut out = String::new();
    let mut cases = String::new();
    for unit in &device.units {
        let Some(reference) = platform.interface(unit.interface) else { continue };
        let _ = writeln!(cases, "    /* unit {}: {} */", unit.number, name_of(reference));
        for command in &reference.xcmds {
            let name = in_c_comment(&command.name);
            let _ = writeln!(cases, "    case XEXT_PORT({}, {}): /* {name} */", unit.number, command.id);
        }
        cases.push_str(&answer(&mut out, unit, reference));
    }
    out.push_str("    uint32_t response = CX_RESPONSE_FUNC;\n    cx_reg_t rd = 0;\n    switch (subdevice_xcmd) {\n");
    out.push_str(&cases);
    out.push_str("    default:\n        break;\n    }\n    return cpu__answered(response, (cx_word_t)rd);");
    out
}

/// What a unit does with a command; what it keeps is declared before.
fn answer(declared: &mut String, unit: &Unit, reference: &Reference) -> String {
    let names = Names::of_reference(reference);
    let mut out = String::new();
    let mut state = "NULL".to_owned();
    if reference.has_state {
        let number = unit.number;
        let ty = names.member("state");
        let _ = writeln!(declared, "    static CX_HART_LOCAL {ty} unit{number};");
        let _ = writeln!(declared, "    static CX_HART_LOCAL int unit{number}_has_begun;");
        let init = names.member("state_init");
        let _ = writeln!(
            out,
            "        if (!unit{number}_has_begun) {{\n            {init}(&unit{number});\n            unit{number}_has_begun = 1;\n        }}"
        );
        state = format!("&unit{number}");
    }
    let issue = names.member("sw_issue");
    let _ = writeln!(
        out,
        "        response = {issue}({state}, (uint32_t)subdevice_xcmd >> 12, (cx_reg_t)rs1.data, (cx_reg_t)(cx_word_t)rs2, &rd);\n        break;"
    );
    out
}
