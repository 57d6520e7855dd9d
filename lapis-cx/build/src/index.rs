//! The file that `include_spec!` includes: a macro which knows the modules by name.

use std::collections::BTreeMap;
use std::fs;
use std::path::{self, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::Error;
use crate::specs::Spec;

/// The variable in which `include_spec!` finds the path of the file.
pub const VARIABLE: &str = "LAPIS_CX_SPECS";

/// The name of the file in `OUT_DIR`.
const FILE: &str = "lapis_cx_specs.rs";

/// What this build script did so far: calls of `compile` add up.
static SCRIPT: Mutex<Script> = Mutex::new(Script { roots: Vec::new(), modules: BTreeMap::new(), libraries: 0 });

/// What a build script did.
struct Script {
    /// The specs that were compiled.
    roots: Vec<PathBuf>,
    /// The modules that were made, by name.
    modules: BTreeMap<String, PathBuf>,
    /// How many libraries of C were made.
    #[cfg_attr(not(feature = "c"), allow(dead_code))]
    libraries: u32,
}

/// How many libraries of C this build script made before the one that it makes now.
#[cfg(feature = "c")]
pub fn next_library() -> u32 {
    let mut script = SCRIPT.lock().unwrap_or_else(PoisonError::into_inner);
    script.libraries += 1;
    script.libraries - 1
}

/// All roots that this build script compiled, now with those of `specs`.
pub fn roots(specs: &[Spec]) -> Vec<PathBuf> {
    let mut script = SCRIPT.lock().unwrap_or_else(PoisonError::into_inner);
    script.roots.extend(specs.iter().map(|spec| spec.root.clone()));
    script.roots.clone()
}

/// Writes the file, if that changes it, into the folder of the script, and gives its path.
///
/// # Errors
///
/// It cannot be written; or a path is no text.
pub fn write(scripts: &Path, out_dir: &Path, specs: &[Spec]) -> Result<PathBuf, Error> {
    // Where the crate is compiled, a relative path would have another base.
    let base = path::absolute(out_dir).map_err(|error| Error::about(out_dir, "find", error))?;
    let text = {
        let mut script = SCRIPT.lock().unwrap_or_else(PoisonError::into_inner);
        script.modules.extend(specs.iter().flat_map(|spec| &spec.files).filter_map(|file| {
            let name = file.path.strip_prefix("rust/")?.strip_suffix(".rs")?;
            Some((name.to_owned(), base.join(&file.path)))
        }));
        text(&script.modules)?
    };
    let path = scripts.join(FILE);
    put(&path, &text)?;
    Ok(path)
}

/// Writes a file of the script's own, if that changes it.
///
/// # Errors
///
/// What the file system says.
pub fn put(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read(path).is_ok_and(|found| found == text.as_bytes()) {
        return Ok(());
    }
    fs::write(path, text).map_err(|error| Error::about(path, "write", error))
}

/// The text of the file.
fn text(modules: &BTreeMap<String, PathBuf>) -> Result<String, Error> {
    let mut text = "// What `include_spec!` of this crate can include. Written by lapis-cx-build.\n\
                    #[allow(unused_macro_rules)]\nmacro_rules! lapis_cx_spec {\n"
        .to_owned();
    for (name, path) in modules {
        let file = path.to_str().ok_or_else(|| Error::about(path, "include", "the path is no text"))?;
        text += &format!("    ({name:?}) => {{\n        include!({file:?});\n    }};\n");
    }
    let names: Vec<_> = modules.keys().map(|name| format!("{name:?}")).collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let end = format!(": the build script of this crate made {names}");
    text += &format!(
        "    ($other:tt) => {{\n        compile_error!(concat!(\"there is no module \", stringify!($other), {end:?}));\n    \
         }};\n}}\n"
    );
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn names_are_arms_and_all_others_are_told() {
        let modules = [("b", "/o/rust/b.rs"), ("a", "/o/\"q\"/a.rs")];
        let text = text(&modules.map(|(name, path)| (name.to_owned(), path.into())).into()).unwrap();
        assert!(
            text.contains("    (\"a\") => {\n        include!(\"/o/\\\"q\\\"/a.rs\");\n    };\n    (\"b\") => {"),
            "{text}"
        );
        assert!(text.contains(r#"made \"a\", \"b\""#), "{text}");
    }
}
