//! Says where `cx.h` is to the build scripts of crates that depend on this one, in `DEP_LAPIS_CX_RUNTIME_INCLUDE`.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Some(folder) = env::var_os("CARGO_MANIFEST_DIR").and_then(|folder| folder.into_string().ok()) {
        println!("cargo::metadata=include={folder}/include");
    }
}
