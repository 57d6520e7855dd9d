//! Makes the modules of `specs`, and says where a firmware is in memory.

use std::env;

fn main() -> Result<(), lapis_cx_build::Error> {
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "none") {
        let folder = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        println!("cargo::rustc-link-arg-bins=-T{folder}/virt.ld");
        println!("cargo::rerun-if-changed=virt.ld");
    }
    lapis_cx_build::Build::new().spec("specs").compile()
}
