//! The projects that `cxc new --project` starts: a spec, a program that calls its commands, and what builds them.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use clap::ValueEnum;
use cxc_io::outputs::relative;
use cxc_io::{cannot_read, cannot_write};
use lapis_cx::diagnostic::Diagnostic;

/// What builds a project.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Project {
    /// Rust, with a build script
    Cargo,
    /// C, with a Makefile for GNU make
    Make,
    /// C, with CMake
    Cmake,
    /// C, with Meson
    Meson,
}

/// Names that cargo, CMake or Meson keep for targets or folders of their own, and keywords of Rust, which no crate can be
/// called.
const KEPT: &str = "abstract all as async await become benchmark box break build check clean const continue crate deps dist \
    distcheck do dyn else enum examples extern false final fn for gen help if impl in incremental install let loop macro \
    match mod move mut override package preinstall priv pub ref return self static struct super test trait true try type \
    typeof uninstall unsafe unsized use virtual where while yield";

macro_rules! template {
    ($path:literal) => {
        include_str!(concat!("../templates/project/", $path))
    };
}

impl Project {
    /// The files beside the spec and `.gitignore`: their paths, and their texts with names to be filled in.
    pub fn files(self) -> &'static [(&'static str, &'static str)] {
        const MAIN: (&str, &str) = ("main.c", template!("c/main.c"));
        match self {
            Project::Cargo => &[
                ("Cargo.toml", template!("cargo/Cargo.toml")),
                ("build.rs", template!("cargo/build.rs")),
                ("src/main.rs", template!("cargo/main.rs")),
                ("README.md", template!("cargo/README.md")),
            ],
            Project::Make => {
                &[MAIN, ("Makefile", template!("make/Makefile")), ("README.md", template!("make/README.md"))]
            }
            Project::Cmake => &[
                MAIN,
                ("CMakeLists.txt", template!("cmake/CMakeLists.txt")),
                ("README.md", template!("cmake/README.md")),
            ],
            Project::Meson => {
                &[MAIN, ("meson.build", template!("meson/meson.build")), ("README.md", template!("meson/README.md"))]
            }
        }
    }

    /// What version control leaves out.
    pub fn ignored(self) -> &'static str {
        if self == Project::Cargo { "/target\n" } else { "/build\n" }
    }

    /// What to type in the folder of a project.
    pub fn next(self, name: &str) -> String {
        match self {
            Project::Cargo => "cargo run".to_owned(),
            Project::Make => "make run".to_owned(),
            Project::Cmake => format!("cmake -B build && cmake --build build && build/{name}"),
            // pkg-config does not look there by itself, and Meson has no setting for it that knows the home.
            Project::Meson => {
                let path = "PKG_CONFIG_PATH=~/.local/lib/pkgconfig";
                format!("{path} meson setup build && ninja -C build && build/{name}")
            }
        }
    }
}

/// Whether a program may have this name, whatever builds it.
pub fn is_free(name: &str) -> bool {
    KEPT.split_whitespace().all(|kept| kept != name)
}

/// How the manifest of cargo names a crate of ours that lies in `folder` of the repository: by version, or by the path to a
/// clone.
///
/// # Errors
///
/// `source` is no clone, or its path cannot be told.
pub fn dependency(folder: &str, source: Option<&Path>, project: &Path) -> Result<String, Diagnostic> {
    let Some(source) = source else { return Ok(concat!("\"", env!("CARGO_PKG_VERSION"), "\"").to_owned()) };
    let manifest = source.join(folder).join("Cargo.toml");
    if !manifest.is_file() {
        return Err(cannot_read(&manifest, "no such file").help("`--source` is the folder of a clone of Lapis-CX"));
    }
    let real = |path: &Path| fs::canonicalize(path).map_err(|error| cannot_read(path, error));
    let above = project.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let from = real(above)?.join(project.file_name().unwrap_or_default());
    let path = relative(&real(source)?.join(folder), &from);
    // A string of JSON is one of TOML.
    serde_json::to_string(&path)
        .map(|path| format!("{{ path = {path} }}"))
        .map_err(|error| cannot_write(project, error))
}

/// Makes the folder of a project and writes its files.
///
/// # Errors
///
/// The folder exists, or what the file system says; then what was written so far is there.
pub fn write(folder: &Path, files: &[(String, String)]) -> Result<(), Diagnostic> {
    fs::create_dir(folder).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => cannot_write(folder, "it exists")
            .help("`new` never overwrites anything: choose another name or another `--out-dir`, or remove the folder"),
        _ => cannot_write(folder, error),
    })?;
    for (path, text) in files {
        let path = folder.join(path);
        let done = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        done.map_err(|error| cannot_write(&path, error))?;
    }
    Ok(())
}
