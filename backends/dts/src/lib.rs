//! Prints what a platform has as a fragment of a device tree: `dts/<stem>.dtsi`, for the source of a board to include
//! (Devicetree Specification, "Devicetree Source (DTS) Format").
//!
//! It is the table of the platform in the form that firmware hands to kernels; the file says what its properties mean.

#![warn(missing_docs)]

use std::fmt::Write;

use lapis_cx::backend::{Backend, Capabilities, DerivedName, EmitError, File, Input, NameList, What, in_c_comment};
use lapis_cx::contract::Contract;
use lapis_cx::contract::platform::{Platform, Reference};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

/// The backend.
pub struct Dts;

const NAME: &str = "dts";
const FRAGMENT: &str = "platform.dtsi";

impl Backend for Dts {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "a device-tree fragment for each platform: its composable extension units and logical units"
    }

    fn capabilities(&self) -> Capabilities {
        // It prints nothing of an interface but its ids.
        Capabilities { libraries: false, remote_libraries: false, ..Capabilities::ALL }
    }

    fn names<'c>(&self, contract: &'c Contract) -> Vec<DerivedName<'c>> {
        let mut list = NameList::default();
        for platform in contract.platforms() {
            let what = What::new(["the device-tree fragment of `", &platform.name, "`"]);
            list.add("device-tree file", what, platform.span, || path(platform));
        }
        list.into_names()
    }

    fn emit(&self, input: Input<'_>) -> Result<Vec<File>, EmitError> {
        let mut templates = Environment::new();
        templates.set_undefined_behavior(UndefinedBehavior::Strict);
        templates.set_auto_escape_callback(|_| AutoEscape::None);
        templates.add_template(FRAGMENT, include_str!("../templates/platform.dtsi.j2")).map_err(failed)?;
        let print = |platform| Ok(File { path: path(platform), text: text(&templates, platform).map_err(failed)? });
        input.every_platform().map(print).collect()
    }
}

fn failed(error: minijinja::Error) -> EmitError {
    EmitError { backend: NAME, message: format!("{error:#}") }
}

/// As the files of C: the package with `_` for `.`, and the name.
fn path(platform: &Platform) -> String {
    format!("dts/{}__{}.dtsi", platform.package.replace('.', "_"), platform.name)
}

fn text(templates: &Environment<'_>, platform: &Platform) -> Result<String, minijinja::Error> {
    let cxus = platform.cxus.iter().filter_map(|cxu| {
        let reference = platform.interface(cxu.interface)?;
        Some(minijinja::context! {
            id => cxu.id,
            unit => format!("{:x}", cxu.id),
            label => name_of(reference),
            uuid => bytes(reference.uuid?.as_bytes()),
            contract => reference.hash_bytes().map(|hash| bytes(&hash)),
            contexts => cxu.contexts,
            level => cxu.level,
            latency => cxu.latency.map(|(least, most)| format!("{least} {most}")),
            omits => cxu.omits.iter().map(u16::to_string).collect::<Vec<_>>().join(" "),
        })
    });
    let luns = platform.luns.iter().filter_map(|lun| {
        let reference = platform.interface(lun.interface)?;
        let id = platform.id_of(reference)?;
        let mut found: Vec<String> = Vec::new();
        for (row, _) in platform.lun_rows().iter().filter(|(row, _)| u32::from(row.lun) == lun.number) {
            found.push(format!("<{} {}>", row.dev, row.levels.bits()));
        }
        let routes = platform.device_rows();
        let routes = routes.iter().filter(|(row, _)| u32::from(row.lun) == lun.number);
        let routes = routes.map(|(row, _)| format!("<{} {} {}>", row.levels.bits(), row.device, row.subdevice));
        Some(minijinja::context! {
            number => lun.number,
            unit => format!("{:x}", lun.number),
            label => name_of(reference),
            xintf => format!("0x{:x} 0x{:x}", id >> 32, id & 0xFFFF_FFFF),
            contract => reference.hash_bytes().map(|hash| bytes(&hash)),
            found => found.join(", "),
            routes => routes.collect::<Vec<_>>().join(", "),
        })
    });
    let docs = in_c_comment(platform.docs.trim());
    let context = minijinja::context! {
        file => path(platform).trim_start_matches("dts/"),
        origin => format!("{}:{}", platform.package, platform.name),
        docs => docs.lines().map(|line| format!(" * {}", line.trim()).trim_end().to_owned()).collect::<Vec<_>>(),
        harts => platform.harts,
        xlen => platform.xlen,
        xcmds => platform.has_xcmds().then_some(platform.xcmds),
        devices => platform.devices.iter().map(|device| format!("\"{}\"", device.name)).collect::<Vec<_>>().join(", "),
        cxus => cxus.collect::<Vec<_>>(),
        luns => luns.collect::<Vec<_>>(),
    };
    Ok(templates.get_template(FRAGMENT)?.render(context)? + "\n")
}

/// `package:Name`
fn name_of(reference: &Reference) -> String {
    format!("{}:{}", reference.package, reference.name)
}

/// Bytes as a device tree has them between `[` and `]`.
fn bytes(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}
