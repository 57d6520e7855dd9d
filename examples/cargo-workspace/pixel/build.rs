//! Makes the module of `specs/pixel.cxspec`, which imports a function of the other crate's spec.

fn main() -> Result<(), lapis_cx_build::Error> {
    lapis_cx_build::Build::new().spec("specs/pixel.cxspec").import_dir("../blend/specs").compile()
}
