//! Makes the module of `specs/blend.cxspec`, which imports a constant of the other crate's spec.

fn main() -> Result<(), lapis_cx_build::Error> {
    lapis_cx_build::Build::new().spec("specs/blend.cxspec").import_dir("../pixel/specs").compile()
}
