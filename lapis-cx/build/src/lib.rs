//! What a build script calls to have Rust modules made from `.cxspec` files, and on request their C side.
//!
//! `build.rs` of a crate:
//!
//! ```no_run
//! fn main() -> Result<(), lapis_cx_build::Error> {
//!     lapis_cx_build::Build::new().spec("specs/mulacc.cxspec").compile()
//! }
//! ```
//!
//! and in the crate, which depends on `lapis-cx-runtime`, or on `lapis-cx-core` if it needs no runtime:
//!
//! ```text
//! mod mulacc {
//!     lapis_cx_runtime::include_spec!("mulacc");
//! }
//! ```
//!
//! The name is that of the file which `cxc build` writes below `rust/`: one for each interface.
//!
//! Nothing outside of cargo is needed, no network and no other program, and nothing asks for what target the crate is
//! built: a module has the contracts for both widths of registers. With the feature `c` there is `Build::link_c`, which
//! needs a C compiler for the target.
//!
//! Cargo is told each file that was read, so that the script runs again only if one of them changed. Errors are what
//! `main` returns; warnings are warnings of cargo.

mod cargo;
mod error;
mod findings;
mod index;
#[cfg(feature = "c")]
mod link;
mod specs;

use std::path::{Path, PathBuf};

use cxc_io::outputs::{self, Edited};
use lapis_cx::source::SourceMap;

pub use error::Error;

/// The `cc` crate whose `Build` [`Build::link_c`] takes.
#[cfg(feature = "c")]
pub use cc;

/// What to build, and how.
#[derive(Clone, Debug, Default)]
#[must_use = "nothing happens before `compile`"]
pub struct Build {
    specs: Vec<PathBuf>,
    import_dirs: Vec<PathBuf>,
    options: Vec<String>,
    out_dir: Option<PathBuf>,
    #[cfg(feature = "c")]
    c: Option<cc::Build>,
    #[cfg(feature = "remoting")]
    has_remoting: bool,
}

impl Build {
    /// Nothing yet.
    pub fn new() -> Build {
        Build::default()
    }

    /// Adds a spec; of a folder, all `.cxspec` files in it and below. As in all of cargo, a path is relative to the folder of
    /// the package.
    ///
    /// For a folder, cargo runs the script again if anything in it changed, as a new file may be a new spec. So it must not
    /// hold what cargo or this script writes: not `.` if `target` is in it.
    pub fn spec(mut self, path: impl AsRef<Path>) -> Build {
        self.specs.push(path.as_ref().to_owned());
        self
    }

    /// Adds several specs, each as [`spec`](Self::spec) does.
    pub fn specs(mut self, paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Build {
        self.specs.extend(paths.into_iter().map(|path| path.as_ref().to_owned()));
        self
    }

    /// Searches this folder for imports, after the folder of the spec: `cxc -I`.
    pub fn import_dir(mut self, folder: impl AsRef<Path>) -> Build {
        self.import_dirs.push(folder.as_ref().to_owned());
        self
    }

    /// Sets an option of a backend, as `backend.key=value`: `cxc --option`.
    pub fn option(mut self, option: impl Into<String>) -> Build {
        self.options.push(option.into());
        self
    }

    /// Writes below this folder, not below `OUT_DIR`. Files in it that were edited since the last build are not
    /// overwritten; that is an error.
    pub fn out_dir(mut self, folder: impl AsRef<Path>) -> Build {
        self.out_dir = Some(folder.as_ref().to_owned());
        self
    }

    /// Also writes what the backends of C and assembly print, and compiles the software fallbacks and the files of `c` into
    /// a library that is linked to the crate. In C, `#include "mulacc.h"` finds the header of an interface, and `cx.h` is
    /// that of the runtime, if the crate depends on it; in assembly, `#include "asm/mulacc.h"`.
    ///
    /// ```no_run
    /// # use lapis_cx_build::{Build, Error, cc};
    /// # fn main() -> Result<(), Error> {
    /// Build::new().spec("specs/mulacc.cxspec").link_c(cc::Build::new().file("src/dot.c")).compile()
    /// # }
    /// ```
    ///
    /// C and Rust share the runtime that is linked to the program. Cargo is told the files of `c`; headers of your own that
    /// they include you tell it yourself (`cargo::rerun-if-changed`).
    #[cfg(feature = "c")]
    pub fn link_c(mut self, c: &cc::Build) -> Build {
        self.c = Some(c.clone());
        self
    }

    /// Checks and compiles the specs, writes what changed, and tells cargo what it must know.
    ///
    /// Several calls in one script add up.
    ///
    /// # Errors
    ///
    /// Findings in the specs, as `cxc` shows them; what stands against reading or writing; what the C compiler says. Then the
    /// outputs are as they were, unless writing or the C compiler failed.
    pub fn compile(&self) -> Result<(), Error> {
        let scripts = cargo::folder("OUT_DIR")?;
        let out_dir = self.out_dir.as_deref().unwrap_or(&scripts);
        let mut cargo = cargo::Instructions::default();
        let folders: Vec<_> = self.specs.iter().filter(|path| path.is_dir()).collect();
        folders.iter().try_for_each(|folder| cargo::holds_none_of(folder, &[&scripts, out_dir]))?;
        let built = specs::compile(self, out_dir)?;
        let roots = index::roots(&built.specs);
        for spec in &built.specs {
            let report = match self.out_dir {
                Some(_) => outputs::write(out_dir, &spec.root, &spec.files, Edited::Refuse),
                None => outputs::write_own(out_dir, &spec.root, &spec.files, &roots),
            };
            let report = report.map_err(Error::of_findings)?;
            report.warnings.iter().for_each(|warning| cargo.warn(&findings::line(warning, &SourceMap::new())));
        }
        folders.iter().try_for_each(|folder| cargo.rerun_if_changed(folder))?;
        built.specs.iter().flat_map(|spec| &spec.read).try_for_each(|file| cargo.rerun_if_changed(file))?;
        built.warnings.iter().for_each(|warning| cargo.warn(warning));
        cargo.set_env(index::VARIABLE, &index::write(&scripts, out_dir, &built.specs)?)?;
        #[cfg(feature = "c")]
        if let Some(c) = &self.c {
            link::compile(c, &scripts, out_dir, &built.specs, &mut cargo)?;
        }
        cargo.print()
    }

    /// Also writes `remoting/NAME_remote.rs` for each library that has a soname: a typed client for it in another process, and a
    /// trait for a service in its place. It leans on `lapis-cx-remote`, and is a module as it is:
    ///
    /// ```text
    /// mod tally {
    ///     include!(concat!(env!("OUT_DIR"), "/remoting/tally_remote.rs"));
    /// }
    /// ```
    #[cfg(feature = "remoting")]
    pub fn remoting(mut self) -> Build {
        self.has_remoting = true;
        self
    }

    /// The backends that run.
    fn backends(&self) -> Vec<&'static dyn lapis_cx::backend::Backend> {
        #[cfg_attr(not(any(feature = "c", feature = "remoting")), allow(unused_mut))]
        let mut backends: Vec<&'static dyn lapis_cx::backend::Backend> = vec![&RUST];
        #[cfg(feature = "c")]
        if self.c.is_some() {
            backends.insert(0, &lapis_cx_backend_c::C);
            backends.push(&lapis_cx_backend_asm::Asm::DEFAULT);
        }
        #[cfg(feature = "remoting")]
        if self.has_remoting {
            backends.push(&REMOTING);
        }
        backends
    }
}

/// Both sides of libraries in another process.
#[cfg(feature = "remoting")]
const REMOTING: lapis_cx_backend_remoting::Remoting =
    lapis_cx_backend_remoting::Remoting::new(lapis_cx_backend_remoting::Printed::Rust);

/// Modules for `include_spec!`.
const RUST: lapis_cx_backend_rust::Rust = lapis_cx_backend_rust::Rust::new(lapis_cx_backend_rust::Form::Included);
