//! The `.cxspec` compiler: source text in; contract, diagnostics and files out.
//!
//! The data flows one way: text → [`syntax`] tree → [`analyze`] → [`contract`] → [`lower`]ed core → [`backend`] → files.
//! Nothing here reads or writes a file, looks at a clock or ends the process; see [`driver`] for the line in code.

pub mod analyze;
pub mod backend;
pub mod contract;
pub mod diagnostic;
pub mod diff;
pub mod driver;
#[cfg(feature = "json")]
pub mod emit;
pub mod format;
pub mod freeze;
pub mod int;
#[cfg(feature = "json")]
mod int_json;
mod json;
pub mod lower;
pub mod oracle;
pub mod source;
pub mod syntax;
pub mod usage;
