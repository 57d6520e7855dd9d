//! The C side: fallbacks and sources of the user, compiled into one library.

use std::path::Path;
use std::{env, fs};

use crate::cargo::{self, Instructions};
use crate::specs::Spec;
use crate::{Error, index};

/// Where the runtime has its headers: cargo says it to a crate that depends on the runtime, as the runtime's build script
/// gives it the key `include`.
const RUNTIME_HEADERS: &str = "DEP_LAPIS_CX_RUNTIME_INCLUDE";

/// The folder in that of the script for what `cx.h` includes.
const ABI_HEADER: &str = "lapis_cx_abi";

/// Compiles the sources, and has the library linked.
///
/// # Errors
///
/// What the C compiler says, or that there is none.
pub fn compile(
    c: &cc::Build,
    scripts: &Path,
    out_dir: &Path,
    specs: &[Spec],
    cargo: &mut Instructions,
) -> Result<(), Error> {
    c.get_files().try_for_each(|file| cargo.rerun_if_changed(file))?;
    let headers = scripts.join(ABI_HEADER);
    fs::create_dir_all(&headers).map_err(|error| Error::about(&headers, "make", error))?;
    index::put(&headers.join("cx_abi.h"), lapis_cx_core::CX_ABI_H)?;
    index::put(&headers.join("cx_insn.h"), lapis_cx_core::CX_INSN_H)?;
    let mut c = c.clone();
    // Headers for assembly have the names of those for C, so they are `asm/…`.
    c.include(out_dir.join("include")).include(out_dir);
    c.include(headers).includes(env::var_os(RUNTIME_HEADERS));
    let paths = specs.iter().flat_map(|spec| &spec.files).map(|file| &file.path);
    c.files(paths.filter(|path| path.ends_with(".c")).map(|path| out_dir.join(path)));
    let package = cargo::variable("CARGO_PKG_NAME")?.replace('-', "_");
    // Each call has a library of its own; a second one of a name would take the place of the first.
    let number = match index::next_library() {
        0 => String::new(),
        number => format!("_{number}"),
    };
    c.try_compile(&format!("lapis_cx_{package}{number}")).map_err(|error| Error::new(error.to_string()))
}
