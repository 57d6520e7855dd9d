//! Makes the modules of the specs.

fn main() -> Result<(), lapis_cx_build::Error> {
    lapis_cx_build::Build::new().spec("../specs").compile()
}
