//! What the asked-for backends cannot print, and names that would collide in their targets: refused at the declaration.

use std::collections::HashMap;

use crate::backend::{Backend, Capabilities, DerivedName};
use crate::contract::core::Type;
use crate::contract::{Contract, Form, Interface, Item, Section, Semantics};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::driver as codes;
use crate::source::Span;

pub(super) fn refuse(contract: &Contract, backends: &[&dyn Backend]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for item in &contract.items {
        let (Item::Library(head) | Item::Platform(head)) = item else { continue };
        if !backends.is_empty() {
            let what = if matches!(item, Item::Library(_)) { "library" } else { "platform" };
            found.push(Diagnostic::note_at(
                &codes::SKIPPED,
                format!("the {what} `{}` is not compiled by this version", head.name),
                head.span,
                "skipped",
            ));
        }
    }
    for backend in backends {
        for interface in contract.interfaces().filter(|i| !i.is_abstract) {
            if let Some((span, what)) = beyond(interface, backend.capabilities()) {
                found.push(
                    Diagnostic::error(
                        &codes::BACKEND_CANNOT,
                        format!("the backend `{}` cannot compile {what}", backend.name()),
                        span,
                        "declared here",
                    )
                    .help("choose other backends with `--backend`"),
                );
            }
        }
        found.extend(collisions(&backend.names(contract)));
    }
    found
}

/// The first thing of an interface that a backend cannot print.
fn beyond(interface: &Interface, can: Capabilities) -> Option<(Span, String)> {
    let section = interface.sections.last()?;
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
                if scalar.width() > can.max_width && !matches!(local.ty, Type::Bool) {
                    return Some((command.span, format!("integers of {} bits, as `{}`", scalar.width(), local.name)));
                }
            }
        }
    }
    wide_field(section, can.max_width)
}

fn wide_field(section: &Section, max: u32) -> Option<(Span, String)> {
    let fields = section.state.iter().flat_map(|s| &s.fields);
    fields.filter(|f| f.ty.flattened().0.width() > max).map(|f| (f.span, format!("the field `{}`", f.name))).next()
}

/// Two declarations whose names meet in one space of a target.
fn collisions(names: &[DerivedName]) -> Vec<Diagnostic> {
    let mut seen: HashMap<(&str, String), &DerivedName> = HashMap::new();
    let mut found = Vec::new();
    for name in names {
        // Files of one folder may not differ in case only: not every file system tells them apart.
        let key = if name.space == "file" { name.name.to_lowercase() } else { name.name.clone() };
        if let Some(first) = seen.get(&(name.space, key.clone())) {
            found.push(
                Diagnostic::error(
                    &codes::NAME_COLLISION,
                    format!("{} and {} would both be the {} `{}`", first.what, name.what, name.space, name.name),
                    name.span,
                    "this name",
                )
                .label(first.span, "and this one")
                .help("rename one of them"),
            );
            continue;
        }
        seen.insert((name.space, key), name);
    }
    found
}
