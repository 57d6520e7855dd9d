//! Platforms: the tables of a processor with overloadable opcodes, and its devices, whose units are fallbacks of
//! interfaces or anything else that answers them; and the table of the CXUs of a hart.

use lapis_cx::contract::Form as CommandForm;
use lapis_cx::contract::platform::{Device, Platform, Reference};
use lapis_cx::lower::ir;
use lapis_cx_core::xext::{Levels, Privilege};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;

use crate::expr::hexadecimal;
use crate::method::{from_register, to_register};
use crate::naming;
use crate::print::{Writer, comment};
use crate::section::{self, Soft, Source};
use crate::software::software_name;
use crate::tokens::{ident, literal, part, word};
use crate::{Form, common::Common};

/// Prints the fallback of an interface as a unit of a device.
pub fn unit(out: &mut Writer, source: &Source<'_>) {
    let Source { interface, section, lowered, methods, .. } = source;
    if interface.xintf.is_none() || interface.hash_bytes().is_none() {
        return;
    }
    let Soft { name: bodies, declared, given } = source.soft();
    let mut arms = TokenStream::new();
    let mut read = [false; 2];
    for command in lowered.every_command() {
        let issued = |id| section.commands.iter().any(|c| c.id == id && c.forms.contains(&CommandForm::Xcmd));
        if !issued(command.id) {
            continue;
        }
        let state = lowered.state.is_some().then(|| part(quote!(&mut self.state)));
        let operand = |param: &ir::Param| {
            let (register, value) = match param.register {
                Some(0) => (0, part(quote!(rs1.data()))),
                _ => (1, word("rs2").into()),
            };
            read[register] = true;
            from_register(param.edge, value)
        };
        let args: Vec<TokenTree> = state.into_iter().chain(command.params.iter().map(operand)).collect();
        let bodies = bodies.as_ref().filter(|_| lowered.is_opaque(command)).map(|name| part(quote!(::<#name>)));
        let name = software_name(methods, command);
        let call = part(quote!(#name #bodies (#(#args),*)));
        let id = Literal::u16_unsuffixed(command.id);
        arms.extend(match (command.can_fail, command.result) {
            (true, Some(edge)) => {
                let value = to_register(edge, word("value").into(), lowered.xlen);
                quote! {
                    #id => {
                        let (value, answer) = #call;
                        abi1::answered(#value, answer)
                    }
                }
            }
            (true, None) => quote! {
                #id => {
                    let ((), answer) = #call;
                    abi1::answered(0, answer)
                }
            },
            (false, Some(edge)) => {
                let value = to_register(edge, call, lowered.xlen);
                quote!(#id => Ok(#value),)
            }
            (false, None) => quote! {
                #id => {
                    #call;
                    Ok(0)
                }
            },
        });
    }
    let arms = part(arms);
    let [rs1, rs2] = [("rs1", read[0]), ("rs2", read[1])]
        .map(|(name, read)| if read { word(name) } else { word(&format!("_{name}")) });
    let xintf = part(if section.xlen == 64 { quote!(XINTF52) } else { quote!(XINTF as u64) });
    out.items(quote! {
        impl #declared cx::xext::Unit for Soft #given {
            const XINTF: u64 = #xintf;
            const CONTRACT: [u8; 32] = CONTRACT;

            fn xcmd(&mut self, command: u8, #rs1: cx::Cookie, #rs2: usize) -> Result<usize, cx::xext::Refused> {
                match command {
                    #arms
                    _ => Err(cx::xext::Refused::Configuration),
                }
            }
        }
    });
}

/// Prints the file of a platform.
pub fn file(out: &mut Writer, form: Form, platform: &Platform) {
    let stem = naming::platform_stem(platform);
    let origin = format!("{}:{}", platform.package, platform.name);
    section::begin(out, form, &stem, &origin);
    section::choice(out, &origin, &[platform.xlen]);
    out.docs("", format_args!("`{origin}`, where a register has {} bits.", platform.xlen));
    out.open_common(Common::Head(platform.xlen));
    out.common(Common::Imports { core: true, abi1: false });
    out.common(Common::Xlen(platform.xlen));
    if platform.has_xcmds() {
        processor(out, platform, &origin);
    } else {
        out.docs(&platform.docs, "");
    }
    if !platform.cxus.is_empty() {
        cxus(out, platform);
    }
    if platform.has_xcmds() {
        tables(out, platform);
        let prefix = parameter(platform);
        platform.devices.iter().for_each(|device| self::device(out, platform, device, &prefix));
    }
    out.close();
}

/// Prints the processor.
fn processor(out: &mut Writer, platform: &Platform, origin: &str) {
    let about = format!(
        "The processor. Its devices, in order: {}.",
        platform.devices.iter().map(|device| format!("`{}`", device.name)).collect::<Vec<_>>().join(", ")
    );
    out.docs(&platform.docs, "");
    out.docs(if platform.devices.is_empty() { "The processor. It has no devices." } else { &about }, "");
    let xcmds = Literal::u32_unsuffixed(platform.xcmds);
    let devices = Literal::usize_unsuffixed(platform.devices.len());
    out.items(quote! {
        pub const PLATFORM: cx::xext::Platform<'static, XLEN> = cx::xext::Platform {
            name: #origin,
            levels: tables::LEVELS,
            xcmds: #xcmds,
            devices: #devices,
            luns: &tables::LUNS,
            routes: &tables::ROUTES,
        };
        const _: () = assert!(PLATFORM.check().is_ok());
    });
}

/// Prints the CXUs.
fn cxus(out: &mut Writer, platform: &Platform) {
    let rows: Vec<TokenStream> = platform
        .cxus
        .iter()
        .filter_map(|cxu| {
            let uuid = platform.interface(cxu.interface)?.uuid?;
            let uuid = literal(&hexadecimal(uuid.as_u128(), 32));
            let contexts = Literal::u32_unsuffixed(cxu.contexts);
            Some(quote!(cx::machine::PlatformCxu { uuid: cx::Uuid::from_u128(#uuid), contexts: #contexts }))
        })
        .collect();
    let count = Literal::usize_unsuffixed(rows.len());
    out.docs("The CXUs of a hart, with their state contexts: for `load_platform` of the runtime.", "");
    out.items(quote! {
        pub const CXUS: [cx::machine::PlatformCxu; #count] = [#(#rows),*];
    });
}

/// Names of levels, where they are imported.
fn privileges(levels: Levels) -> TokenStream {
    let level = |level: Privilege| {
        word(match level {
            Privilege::User => "User",
            Privilege::Super => "Super",
            Privilege::Hyper => "Hyper",
            Privilege::Mach => "Mach",
        })
    };
    let levels = Privilege::ALL.into_iter().filter(|l| levels.has(*l)).map(level);
    quote!(&[#(#levels),*])
}

fn name_of(reference: &Reference) -> String {
    format!("{}:{}", reference.package, reference.name)
}

/// Prints the tables, apart from the devices: both have names of their own.
fn tables(out: &mut Writer, platform: &Platform) {
    let levels = privileges(platform.privileges());
    let number = |n: u16| Literal::u16_unsuffixed(n);
    let luns: Vec<TokenStream> = platform
        .lun_rows()
        .into_iter()
        .map(|(row, _)| {
            let uuid = literal(&hexadecimal(row.uuid, 5));
            let (dev, lun, levels) = (number(row.dev), number(row.lun), privileges(row.levels));
            quote!(LunRow::new(#uuid, #dev, #levels, #lun))
        })
        .collect();
    let routes: Vec<TokenStream> = platform
        .device_rows()
        .into_iter()
        .map(|(row, _)| {
            let (lun, levels) = (number(row.lun), privileges(row.levels));
            let (device, subdevice) = (number(row.device), number(row.subdevice));
            quote!(DeviceRow::new(#lun, #levels, #device, #subdevice))
        })
        .collect();
    let (lun_count, route_count) = (Literal::usize_unsuffixed(luns.len()), Literal::usize_unsuffixed(routes.len()));
    let why = comment("Tables without rows, and levels without any, name less.");
    out.items(quote! {
        #why
        #[allow(unused_imports)]
        mod tables {
            use super::cx::xext::Privilege::{Hyper, Mach, Super, User};
            use super::cx::xext::{DeviceRow, Levels, LunRow};

            pub const LEVELS: Levels = Levels::of(#levels);

            /// What `xext` finds, by id and sequence number.
            pub const LUNS: [LunRow; #lun_count] = [#(#luns),*];

            /// Where an `xcmd` to a lun goes.
            pub const ROUTES: [DeviceRow; #route_count] = [#(#routes),*];
        }
    });
}

/// What the parameters of devices begin with: no device is called so.
fn parameter(platform: &Platform) -> String {
    let names: Vec<String> = platform.devices.iter().map(naming::device_type).collect();
    let is_taken = |prefix: &str| {
        let numbered = |name: &String| name.strip_prefix(prefix).is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()));
        names.iter().any(numbered)
    };
    let mut prefix = "U".to_owned();
    while is_taken(&prefix) {
        prefix.push('U');
    }
    prefix
}

/// Prints a device.
fn device(out: &mut Writer, platform: &Platform, device: &Device, prefix: &str) {
    let name = ident(&naming::device_type(device));
    let units = || device.units.iter().filter_map(|unit| Some((unit, platform.interface(unit.interface)?)));
    let parameters: Vec<Ident> = units().map(|(unit, _)| word(&format!("{prefix}{}", unit.number))).collect();
    let fields: Vec<Ident> = units().map(|(unit, _)| word(&format!("unit{}", unit.number))).collect();
    out.docs(&device.docs, "");
    out.docs(&format!("The device `{}` with its units.", device.name), "");
    let docs = units().map(|(unit, reference)| {
        crate::docs::docs("", format_args!("Unit {}: `{}`.", unit.number, name_of(reference)))
    });
    out.items(quote! {
        #[derive(Debug)]
        pub struct #name<#(#parameters),*> {
            #(#docs pub #fields: cx::xext::Mount<#parameters>,)*
        }
    });
    let checks = units().zip(&parameters).filter_map(|((unit, reference), parameter)| {
        let id = literal(&hexadecimal(platform.id_of(reference)?, 5));
        let bytes = reference.hash_bytes()?.map(|byte| literal(&format!("0x{byte:02X}")));
        let message = format!("unit {} of `{}` answers {}", unit.number, device.name, name_of(reference));
        Some(quote!(assert!(cx::xext::is_unit::<#parameter>(#id, &[#(#bytes),*]), #message);))
    });
    out.items(quote! {
        #[rustfmt::skip]
        impl<#(#parameters: cx::xext::Unit),*> #name<#(#parameters),*> {
            const UNITS: () = {
                #(#checks)*
            };

            /// Of units that answer these interfaces; others do not compile.
            #[must_use]
            pub const fn new(#(#fields: #parameters),*) -> Self {
                let () = Self::UNITS;
                #name {
                    #(#fields: cx::xext::Mount::new(#fields),)*
                }
            }
        }
    });
    let arms = units().zip(&fields).map(|((unit, _), field)| {
        let number = Literal::u32_unsuffixed(unit.number);
        quote!(#number => self.#field.xcmd(port, rs1, rs2),)
    });
    out.items(quote! {
        #[rustfmt::skip]
        impl<#(#parameters: cx::xext::Unit),*> cx::xext::Device for #name<#(#parameters),*> {
            fn xcmd(&self, port: cx::xext::Port, rs1: cx::Cookie, rs2: usize) -> Result<usize, cx::xext::Refused> {
                match port.subdevice() {
                    #(#arms)*
                    _ => Err(cx::xext::Refused::Configuration),
                }
            }
        }
    });
}
