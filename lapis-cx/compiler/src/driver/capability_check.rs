//! Rejects what the chosen backends cannot print or carry out, and names that would collide in their targets, at the declaration.

mod libraries;

pub(super) use self::libraries::missing_sources;

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::backend::{Backend, Capabilities, DerivedName};
use crate::contract::core;
use crate::contract::library::place::{Declared, Place, Type};
use crate::contract::library::{Function, Library};
use crate::contract::platform::Platform;
use crate::contract::{Contract, Form, Interface, Item, Section, Semantics};
use crate::diagnostic::catalogue::driver as codes;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lower::plan::has_identifier;
use crate::source::Span;

use super::{Effort, parallel};

pub(super) fn check(contract: &Contract, backends: &[&dyn Backend], effort: Effort, workers: usize) -> Vec<Diagnostic> {
    let is_build = effort == Effort::Build;
    let mut found = Vec::new();
    for item in contract.items.iter().filter(|_| is_build && !backends.is_empty()) {
        let (message, label) = match item {
            Item::Library(library) => {
                let is_remote = backends.iter().any(|b| b.capabilities().remote_libraries);
                if library.binding.is_real() && is_remote {
                    continue;
                }
                let printed = backends.iter().any(|b| b.capabilities().libraries);
                let bodies = library.functions.iter().filter(|function| printed && function.has_body()).count();
                if bodies > 0 && bodies == library.functions.len() {
                    continue;
                }
                let name = &library.name;
                if is_remote {
                    found.push(without_soname(library));
                    continue;
                }
                match bodies {
                    0 => (format!("the library `{name}` is checked; nothing is generated from it yet"), "checked only"),
                    _ => (
                        format!("of the library `{name}` the functions with a body are generated"),
                        "others are checked only",
                    ),
                }
            }
            Item::Platform(platform) if !backends.iter().any(|b| prints(b.capabilities(), platform)) => {
                (format!("the platform `{}` is checked; nothing is generated from it", platform.name), "checked only")
            }
            Item::Platform(_) => continue,
            Item::Interface(_) | Item::Laws(_) => continue,
        };
        found.push(Diagnostic::note_at(&codes::SKIPPED, message, item.span(), label));
    }
    let commands = contract.interfaces().flat_map(|i| &i.sections).flat_map(|section| &section.commands);
    let families: HashMap<Span, &str> =
        commands.filter_map(|c| Some((c.span, c.family.as_ref().map(|(base, _)| base.as_str())?))).collect();
    // Declarations whose names meet in several targets are named once.
    let mut said: HashSet<Vec<Span>> = HashSet::new();
    let met = parallel::map(backends, workers, |backend| collisions(&backend.names(contract), &families));
    for (backend, met) in backends.iter().zip(met) {
        let can = backend.capabilities();
        for interface in contract.interfaces().filter(|i| !i.is_abstract) {
            if let Some((span, what)) = beyond(interface, can) {
                let message = format!("the backend `{}` cannot compile {what}", backend.name());
                let finding = Diagnostic::error(&codes::BACKEND_CANNOT, message, span, "declared here");
                // A check does not know which backends will be used.
                found.push(if is_build {
                    finding.help("choose other backends with `--backend`")
                } else {
                    Diagnostic { severity: Severity::Note, ..finding }.help("build with other backends only")
                });
            }
        }
        let libraries =
            contract.libraries().filter(|_| (can.libraries || can.remote_libraries) && !can.undeclared_types);
        for (span, name, is_real) in libraries.filter_map(|library| undeclared(library, can.remote_libraries)) {
            let message = format!("the backend `{}` cannot declare `{name}`", backend.name());
            let finding = Diagnostic::error(&codes::BACKEND_CANNOT, message, span, "a type that no header declares");
            found.push(if !is_build {
                Diagnostic { severity: Severity::Note, ..finding }.help("build with other backends only")
            } else if is_real {
                finding.help("name the header of the library: `c header \"…\";`")
            } else {
                finding.help(
                    "declare it in a header, and name that behind the one that is made: `c header \"made.h\", \"types.h\";`",
                )
            });
        }
        if is_build {
            found.extend(libraries::check(contract, *backend));
        }
        let mut met =
            met.unwrap_or_else(|| vec![parallel::panicked(&format!("the naming of backend `{}`", backend.name()))]);
        let places = |d: &Diagnostic| d.labels.iter().map(|label| label.span).collect::<Vec<Span>>();
        met.retain(|d| !said.contains(&places(d)));
        said.extend(met.iter().map(places));
        found.extend(met);
    }
    found
}

/// Warns of a library that a chosen backend would print if it had the name of its file.
fn without_soname(library: &Library) -> Diagnostic {
    let message = format!("nothing is generated for the library `{}` in another process", library.name);
    let warning = Diagnostic::note_at(&codes::SKIPPED, message, library.span, "it has no `c soname`");
    Diagnostic { severity: Severity::Warning, ..warning }
        .help("name the shared library, as `readelf -d LIBRARY` prints its SONAME: `c soname \"libNAME.so.1\";`")
}

/// Whether a backend prints something of a platform.
fn prints(can: Capabilities, platform: &Platform) -> bool {
    can.platforms && (can.every_platform || platform.has_tables())
}

/// The first thing of an interface that a backend cannot print.
fn beyond(interface: &Interface, can: Capabilities) -> Option<(Span, String)> {
    // A command may stand at one XLEN only.
    interface.sections.iter().find_map(|section| beyond_in(interface, section, can))
}

fn beyond_in(interface: &Interface, section: &Section, can: Capabilities) -> Option<(Span, String)> {
    if section.state.is_some() && !can.state {
        return Some((interface.span, "state".to_owned()));
    }
    for command in &section.commands {
        if matches!(command.semantics, Semantics::Opaque) && !can.opaque_commands {
            return Some((command.span, format!("the opaque command `{}`", command.name)));
        }
        if command.forms.contains(&Form::Xcmd) && !can.xcmd {
            return Some((command.span, format!("the xcmd `{}`", command.name)));
        }
        if !can.flex_immediates && (command.operands.len() > 2 || command.forms == [Form::Flex25]) {
            return Some((command.span, format!("the immediate bits of `{}`, a flex command", command.name)));
        }
        if let Semantics::Body(body) = &command.semantics {
            for local in &body.locals {
                let (scalar, _) = local.ty.flattened();
                if scalar.width() > can.max_width && !matches!(local.ty, core::Type::Bool) {
                    return Some((command.span, format!("integers of {} bits, as `{}`", scalar.width(), local.name)));
                }
            }
        }
    }
    if section.live.is_some() && !can.live {
        return Some((interface.span, "state that is shared in a custom way".to_owned()));
    }
    if let Some(csr) = section.csrs.first().filter(|_| !can.csrs) {
        return Some((csr.span, format!("the CSR `{}`", csr.name)));
    }
    wide_field(section, can.max_width)
}

fn wide_field(section: &Section, max: u32) -> Option<(Span, String)> {
    let fields = section.state.iter().flat_map(|s| &s.fields);
    fields.filter(|f| f.ty.flattened().0.width() > max).map(|f| (f.span, format!("the field `{}`", f.name))).next()
}

/// The first type of C in the functions of a library that are printed which no header declares; and whether there is a real
/// library. Text of `utility` may declare types, too.
fn undeclared(library: &Library, is_remote: bool) -> Option<(Span, String, bool)> {
    let is_real = library.binding.is_real();
    let prints_all = is_remote && is_real;
    let is_printed = prints_all || library.functions.iter().any(Function::has_body);
    if !library.binding.declaring_headers().is_empty() || !is_printed {
        return None;
    }
    let printed = library.functions.iter().filter(|function| prints_all || !is_real || function.has_body());
    let mut places = printed.flat_map(|function| {
        let params = function.params.iter().map(|param| (&param.place, param.span));
        params.chain([(&function.result, function.span)])
    });
    let is_own = |name: &String| !library.utilities.iter().any(|utility| has_identifier(&utility.text, name));
    places.find_map(|(place, span)| Some((span, name_in_c(library, place).filter(is_own)?, is_real)))
}

/// The name in C of a handle, struct or callback in a place, unless C spells it with more than a name.
fn name_in_c(library: &Library, place: &Place) -> Option<String> {
    if let Some(Declared::Spelling(_)) = &place.c {
        return None;
    }
    let name = match &place.ty {
        Type::Handle(id) => library.handles.get(id.index()).map(|h| library.name_in_c(h.c.as_deref(), &h.name)),
        Type::Struct { id, .. } | Type::Live { id, .. } => {
            library.structs.get(id.index()).map(|s| library.name_in_c(s.c.as_deref(), &s.name))
        }
        Type::Callback(id) => library.callbacks.get(id.index()).and_then(|callback| callback.c.clone()),
        Type::Buffer { element, .. } | Type::Array { element, .. } => name_in_c(library, element),
        _ => None,
    };
    name.filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// Whether a [`DerivedName::space`] is one of file names, such as `C file`.
pub(super) fn is_file(name: &DerivedName<'_>) -> bool {
    name.space == "file" || name.space.ends_with(" file")
}

/// Two declarations whose names meet in one space of a target. Interfaces that share a file share every other name in
/// it too: where files meet, only that is said. Once for two declarations, however many of their names meet.
/// `families` has the name of the family for the place of a command that is a member of one.
fn collisions(names: &[DerivedName<'_>], families: &HashMap<Span, &str>) -> Vec<Diagnostic> {
    let (files, others): (Vec<_>, Vec<_>) = names.iter().partition(|name| is_file(name));
    let mut pairs = HashSet::new();
    let mut met = meetings(&files);
    if met.is_empty() {
        met = meetings(&others);
    }
    met.retain(|(first, second)| pairs.insert((first.span, second.span)));
    let what = |name: &DerivedName<'_>| match families.get(&name.span) {
        Some(family) => format!("{} of the family `{family}`", name.what),
        None => name.what.to_string(),
    };
    let finding = |(first, second): Meeting<'_, '_>| {
        Diagnostic::error(
            &codes::NAME_COLLISION,
            format!("{} and {} would both be the {} `{}`", what(first), what(second), second.space, second.name),
            second.span,
            "this name",
        )
        .label(first.span, "and this one")
        .help(if is_file(second) {
            "give one of them another name, or another `short` name"
        } else {
            "rename one of them"
        })
    };
    met.into_iter().map(finding).collect()
}

/// A name that was there before, behind the first one.
type Meeting<'n, 'c> = (&'n DerivedName<'c>, &'n DerivedName<'c>);

/// Each name that was there before, with the first one.
fn meetings<'n, 'c>(names: &[&'n DerivedName<'c>]) -> Vec<Meeting<'n, 'c>> {
    let mut seen: HashMap<(&str, Cow<'_, str>), &DerivedName<'c>> = HashMap::with_capacity(names.len());
    let mut met = Vec::new();
    for &name in names {
        // Files of one folder may not differ in case only: not every file system tells them apart.
        let key = if is_file(name) { name.name.to_lowercase().into() } else { name.name.as_str().into() };
        match seen.entry((name.space, key)) {
            Entry::Occupied(first) => met.push((*first.get(), name)),
            Entry::Vacant(place) => {
                place.insert(name);
            }
        }
    }
    met
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::backend::What;

    const FILES: &str = "C file";

    fn name<'c>(space: &'static str, name: &'c str, of: u32) -> DerivedName<'c> {
        let span = Span { start: of, end: of + 1, ..Span::default() };
        DerivedName { space, name: name.to_owned(), what: What::new(["`", name, "`"]), span }
    }

    #[test]
    fn a_shared_file_is_said_once_and_hides_what_follows_from_it() {
        let of = |i| [name(FILES, "x.h", i), name(FILES, "X.c", i), name("C identifier", "x_uuid", i)];
        let found = collisions(&[of(1), of(2), of(3)].concat(), &HashMap::new());
        assert_eq!(found.iter().map(|d| d.labels[0].span.start).collect::<Vec<_>>(), [2, 3]);
        assert!(found.iter().all(|d| d.message.contains("file `x.h`") && d.labels[1].span.start == 1), "{found:?}");
    }

    #[test]
    fn only_files_are_compared_without_case() {
        assert_eq!(collisions(&[name(FILES, "x.h", 1), name(FILES, "X.h", 2)], &HashMap::new()).len(), 1);
        let names = [name("C identifier", "x", 1), name("C identifier", "X", 2), name(FILES, "x", 3)];
        assert_eq!(collisions(&names, &HashMap::new()), []);
        let names = [name("C identifier", "x", 1), name("C identifier", "x", 2), name("C identifier", "x", 3)];
        assert_eq!(collisions(&names, &HashMap::new()).len(), 2);
    }

    #[test]
    fn two_declarations_meet_once_and_a_family_is_named() {
        let of = |i| [name("C identifier", "x_a", i), name("C macro", "X_A", i)];
        let families = [(of(2)[0].span, "fam")].into();
        let found = collisions(&[of(1), of(2)].concat(), &families);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].message.contains("of the family `fam`"), "{found:?}");
    }
}
