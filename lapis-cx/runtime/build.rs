//! Says where `cx.h` is to the build scripts of crates that depend on this one, in `DEP_LAPIS_CX_RUNTIME_INCLUDE`, and gives the
//! shared library the name that `install` has for it.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LAPIS_CX_RUNTIME_SONAME");
    let is_elf = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| ["linux", "freebsd", "netbsd"].contains(&&*system));
    if let Ok(name) = env::var("LAPIS_CX_RUNTIME_SONAME")
        && is_elf
    {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{name}");
    }
    if let Some(folder) = env::var_os("CARGO_MANIFEST_DIR").and_then(|folder| folder.into_string().ok()) {
        println!("cargo::metadata=include={folder}/include");
    }
}
