//! Makes the module and the header of `specs/mulacc.cxspec`, and compiles its fallback with `src/dot.c`.

use lapis_cx_build::{Build, Error, cc};

fn main() -> Result<(), Error> {
    Build::new().spec("specs/mulacc.cxspec").link_c(cc::Build::new().file("src/dot.c")).compile()
}
