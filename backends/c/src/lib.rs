//! Prints C: for each interface a self-contained header, which also compiles as C++17, and a software fallback.
//!
//! The code is C11 without undefined behaviour. It leans on the CX ABI header ([`lapis_cx_core::CX_ABI_H`]), which
//! each header carries, and on nothing else.

mod body;
mod csr;
mod expr;
mod fallback;
mod header;
mod helper;
pub mod library;
pub mod naming;
mod stub;
mod unit;
mod xcmd;

use lapis_cx::backend::{Backend, Capabilities, DerivedName, EmitError, File, Input};
use lapis_cx::contract::Contract;

/// The name of the backend.
const NAME: &str = "c";

/// The C backend.
#[derive(Clone, Copy, Debug, Default)]
pub struct C;

impl Backend for C {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "C11 headers (C++17 too) with one-instruction stubs, and software fallbacks"
    }

    fn capabilities(&self) -> Capabilities {
        // Wide values are loops over limbs: any width of the language, and of exact results of its operators, prints.
        Capabilities {
            state: true,
            opaque_commands: true,
            xcmd: true,
            flex_immediates: true,
            csrs: true,
            live: true,
            max_width: 1024,
        }
    }

    fn names(&self, contract: &Contract) -> Vec<DerivedName> {
        naming::derive(contract)
    }

    fn emit(&self, input: Input<'_>) -> Result<Vec<File>, EmitError> {
        let mut files = Vec::new();
        for (interface, lowered) in input.contract.interfaces().zip(&input.program.interfaces) {
            if interface.is_abstract {
                continue;
            }
            let names = naming::Names::new(interface);
            let text = header::print(&names, interface, lowered).map_err(failed)?;
            files.push(File { path: names.header(), text });
            let text = fallback::print(&names, interface, lowered).map_err(failed)?;
            files.push(File { path: names.fallback(), text });
        }
        Ok(files)
    }
}

fn failed(error: minijinja::Error) -> EmitError {
    EmitError { backend: NAME, message: format!("{error:#}") }
}

/// Fills a template; a name that it does not get is an error.
fn render(name: &str, template: &str, context: minijinja::Value) -> Result<String, minijinja::Error> {
    let mut environment = minijinja::Environment::new();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment.add_template(name, template)?;
    // The engine drops the last line break of a template.
    environment.get_template(name)?.render(context).map(|text| text.trim_end().to_owned() + "\n")
}
