//! Which backends a build runs, and with what options.

use lapis_cx::backend::Backend;
use lapis_cx::diagnostic::catalogue::driver::{BAD_OPTION, UNKNOWN_BACKEND};
use lapis_cx::diagnostic::{Diagnostic, Severity};

use crate::finding;

/// The backends of a build, in the order of the registry.
pub struct Chosen {
    backends: Vec<One>,
}

struct One {
    plain: &'static dyn Backend,
    /// With the options that were set.
    set: Option<Box<dyn Backend>>,
}

impl Chosen {
    /// The backends as they run.
    pub fn list(&self) -> Vec<&dyn Backend> {
        self.backends.iter().map(|one| one.set.as_deref().unwrap_or(one.plain)).collect()
    }
}

/// Those of these names among `all`, each once, for no name those that run unasked; with options such as `asm.xcmd-opcode=0x5B`, of
/// which a later one of a key wins.
///
/// # Errors
///
/// A name or an option that no backend has, or a value that cannot be.
pub fn choose(
    all: &[&'static dyn Backend],
    names: &[String],
    options: &[impl AsRef<str>],
) -> Result<Chosen, Diagnostic> {
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|backend| backend.name() == *name)) {
        let known: Vec<_> = all.iter().map(|backend| format!("`{}`", backend.name())).collect();
        return Err(finding(&UNKNOWN_BACKEND, Severity::Error, format!("there is no backend `{unknown}`"))
            .help(format!("the backends are {}", known.join(", "))));
    }
    let mut settings = Vec::new();
    for option in options.iter().map(AsRef::as_ref) {
        let Some((backend, (key, value))) =
            option.split_once('.').and_then(|(backend, rest)| Some((backend, rest.split_once('=')?)))
        else {
            return Err(refused(format!("`{option}` is not `backend.key=value`")));
        };
        settings.push((backend, (key, value)));
    }
    let is_named = |backend: &&dyn Backend| names.iter().any(|name| name == backend.name());
    let is_chosen = |backend: &&dyn Backend| is_named(backend) || (names.is_empty() && backend.is_default());
    let mut backends = Vec::new();
    for plain in all.iter().copied().filter(is_chosen) {
        let own: Vec<_> = settings.iter().filter(|(name, _)| *name == plain.name()).map(|(_, pair)| *pair).collect();
        let set = match own.as_slice() {
            [] => None,
            own => Some(plain.with_options(own).map_err(|e| refused(format!("backend `{}`: {e}", plain.name())))?),
        };
        backends.push(One { plain, set });
    }
    if let Some((name, _)) = settings.iter().find(|(name, _)| !backends.iter().any(|one| one.plain.name() == *name)) {
        let known: Vec<_> = backends.iter().map(|one| format!("`{}`", one.plain.name())).collect();
        return Err(refused(format!("`{name}` is no backend of this build"))
            .help(format!("the backends are {}", known.join(", "))));
    }
    Ok(Chosen { backends })
}

fn refused(message: String) -> Diagnostic {
    finding(&BAD_OPTION, Severity::Error, message)
}
