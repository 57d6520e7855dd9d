//! The modules that `lapis-cx-build` wrote, in the crate whose build script called it.

/// The module that [`lapis-cx-build`](https://docs.rs/lapis-cx-build) wrote for an interface, by the name of its file. It
/// is called in a module of its own:
///
/// ```text
/// mod mulacc {
///     lapis_cx_core::include_spec!("mulacc");
/// }
/// ```
///
/// A crate that depends on `lapis-cx-runtime` calls `lapis_cx_runtime::include_spec!`, which is the same macro.
#[macro_export]
macro_rules! include_spec {
    ($name:tt) => {
        use $crate::this as cx;
        // It has a macro that knows the names, and includes one.
        include!(env!(
            "LAPIS_CX_SPECS",
            "no spec was built for this crate: its build.rs must call `lapis_cx_build::Build::new().spec(\"...\").compile()`, \
             with a lapis-cx-build of the version of its lapis-cx-core or lapis-cx-runtime"
        ));
        lapis_cx_spec!($name);
    };
}
