//! Makes the client and the trait of `specs/tally.cxspec`.

fn main() -> Result<(), lapis_cx_build::Error> {
    lapis_cx_build::Build::new().spec("specs/tally.cxspec").remoting().compile()
}
