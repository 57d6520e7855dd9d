//! Makes the module of `specs/mulacc.cxspec`.

fn main() -> Result<(), lapis_cx_build::Error> {
    lapis_cx_build::Build::new().spec("specs/mulacc.cxspec").compile()
}
