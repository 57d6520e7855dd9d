//! Makes the module of `specs/bitkit.cxspec`. Nothing here asks for the target.

fn main() -> Result<(), lapis_cx_build::Error> {
    lapis_cx_build::Build::new().spec("specs/bitkit.cxspec").compile()
}
