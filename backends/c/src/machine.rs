//! The machine of a platform, for firmware: tables of its CXUs, and the fixed text that reads them (state context
//! virtualization).

use std::collections::BTreeSet;

use lapis_cx::contract::platform::{Cxu, Platform, Reference};
use minijinja::Environment;

use crate::header::comment_lines;
use crate::naming::Names;
use crate::platform::{name_of, origin, wrong_xlen};

/// Prints the header.
pub fn header(templates: &Environment<'_>, names: &Names, platform: &Platform) -> Result<String, minijinja::Error> {
    let context = minijinja::context! {
        title => format!("{}_machine.h", names.stem),
        origin => origin(platform),
        docs => comment_lines(&platform.docs),
        guard => names.machine_guard(),
        abi => lapis_cx_core::CX_ABI_H.trim_end(),
        machine => lapis_cx_core::CX_MACHINE_H.trim_end(),
        xlen => platform.xlen,
        wrong_xlen => wrong_xlen(platform),
    };
    crate::render(templates, crate::MACHINE_HEADER, context)
}

/// Prints the machine.
pub fn source(templates: &Environment<'_>, names: &Names, platform: &Platform) -> Result<String, minijinja::Error> {
    let cxus = platform.cxus.iter().filter_map(|cxu| Some((cxu, platform.interface(cxu.interface)?)));
    let of_devices = platform.devices.iter().flat_map(|device| &device.units);
    let of_devices = of_devices.filter_map(|unit| platform.interface(unit.interface));
    let stems: BTreeSet<String> =
        cxus.clone().map(|(_, reference)| reference).chain(of_devices).map(|r| Names::of_reference(r).stem).collect();
    let largest =
        cxus.clone().filter(|(cxu, _)| cxu.contexts > 0).map(|(_, reference)| reference.state_words + 1).max();
    let context = minijinja::context! {
        title => format!("{}_machine.c", names.stem),
        origin => origin(platform),
        stem => names.stem.clone(),
        stems => stems,
        xcmds => platform.has_xcmds(),
        image_words => largest.unwrap_or(1),
        cxu_count => platform.cxus.len(),
        cxus => cxus.map(|(cxu, reference)| unit(cxu, reference)).collect::<Vec<_>>(),
        machine => lapis_cx_core::CX_MACHINE_C.trim_end(),
        api => lapis_cx_core::CX_API_C.trim_end(),
        trap => lapis_cx_core::CX_TRAP_C.trim_end(),
    };
    crate::render(templates, crate::MACHINE_SOURCE, context)
}

/// A CXU, as the template takes it.
fn unit(cxu: &Cxu, reference: &Reference) -> minijinja::Value {
    let names = Names::of_reference(reference);
    minijinja::context! {
        id => cxu.id,
        name => name_of(reference),
        contexts => cxu.contexts,
        state => names.member("state"),
        soft_cxu => names.member("soft_cxu"),
    }
}
