//! Makes the module of `specs/crc32c.cxspec`.

fn main() -> Result<(), lapis_cx_build::Error> {
    lapis_cx_build::Build::new().spec("specs/crc32c.cxspec").compile()
}
