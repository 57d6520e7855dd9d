//! Makes the module of the spec, whenever the spec or an import of it changes.

fn main() -> Result<(), lapis_cx_build::Error> {
    lapis_cx_build::Build::new().spec("specs/starter.cxspec").compile()
}
