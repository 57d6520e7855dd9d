//! What generated Rust says first: for which ABI it is.

/// Refuses code that was generated for another [`ABI_VERSION`](crate::ABI_VERSION). Generated code calls it; its name and
/// arguments stay as they are in each version, so that any two versions can tell that they do not fit.
///
/// It takes the name of the file, the version of the ABI, and the version of `lapis-cx` that generated it. It is a macro,
/// and no assertion, as one is only looked at when all names are found, and another ABI has other names.
#[macro_export]
macro_rules! check_abi {
    ($file:literal, 3, $generator:literal) => {};
    ($file:literal, $abi:literal, $generator:literal) => {
        compile_error!(concat!(
            $file,
            " was generated for CX ABI ",
            $abi,
            " by lapis-cx ",
            $generator,
            ", but this is lapis-cx-core 0.1.0 for CX ABI 3: generate it with cxc or lapis-cx-build 0.1.0, or depend on \
             lapis-cx-core and lapis-cx-runtime ",
            $generator
        ));
    };
}

/// A macro that other crates expand takes no value from this one, so the numbers stand in it.
#[cfg(test)]
mod tests {
    extern crate std;

    #[test]
    fn the_macro_has_the_versions_of_this_crate() {
        let text = include_str!("check_abi.rs");
        assert!(text.contains(&std::format!("($file:literal, {}, $generator:literal) => {{}};", crate::ABI_VERSION)));
        let (version, abi) = (env!("CARGO_PKG_VERSION"), crate::ABI_VERSION);
        assert!(text.contains(&std::format!("but this is lapis-cx-core {version} for CX ABI {abi}: ")));
        assert!(text.contains(&std::format!("lapis-cx-build {version}, or")));
    }
}
