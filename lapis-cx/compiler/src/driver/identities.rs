//! Interfaces under one UUID or one overloadable-opcode id: programs could not tell them apart. Those of the root are
//! compared with each other, with those of the imported files, and with the fallbacks of every platform.

use std::collections::HashMap;
use std::hash::Hash;

use crate::analyze::Claimed;
use crate::contract::platform::FALLBACKS;
use crate::contract::{Contract, Interface, Xintf};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::driver as codes;
use crate::source::Span;

/// Whose an id is.
#[derive(Clone, Copy)]
struct Owner<'c> {
    name: &'c str,
    /// Only of interfaces of the root.
    hash: Option<&'c str>,
    span: Span,
}

/// The first owner of each id.
#[derive(Default)]
struct Owners<'c> {
    uuids: HashMap<uuid::Uuid, Owner<'c>>,
    ids: HashMap<u32, Owner<'c>>,
    long_ids: HashMap<u64, Owner<'c>>,
}

pub(super) fn clashes(contract: &Contract, imported: &[Claimed]) -> Vec<Diagnostic> {
    let mut owners = Owners::default();
    for claimed in imported {
        let owner = Owner { name: &claimed.name, hash: None, span: claimed.span };
        claimed.uuid.map(|uuid| first_owner(&mut owners.uuids, uuid, owner));
        if let Some(xintf) = claimed.xintf {
            first_owner(&mut owners.ids, xintf.id20, owner);
            first_owner(&mut owners.long_ids, xintf.id52, owner);
        }
    }
    let mut found = Vec::new();
    for interface in contract.interfaces().filter(|i| !i.is_abstract) {
        let owner = Owner { name: &interface.name, hash: Some(&interface.hash), span: interface.span };
        if let Some(uuid) = interface.uuid
            && let Some(first) = first_owner(&mut owners.uuids, uuid, owner)
        {
            let finding = clash(first, owner, &format!("the UUID {uuid}"));
            found.push(if first.hash == owner.hash { uuid_twice(finding) } else { finding.help(HELP_UUID) });
        }
        if let Some(xintf) = interface.xintf {
            let by_id = first_owner(&mut owners.ids, xintf.id20, owner);
            let by_long_id = first_owner(&mut owners.long_ids, xintf.id52, owner);
            if let Some(first) = by_id.or(by_long_id) {
                found.push(clash(first, owner, &xintf_text(xintf, by_id.is_some())).help(HELP_XINTF));
            } else {
                found.extend(fallback_id(interface, xintf));
            }
        }
    }
    found
}

/// The ids of the fallbacks are taken on every platform, imported or not.
fn fallback_id(interface: &Interface, xintf: Xintf) -> Option<Diagnostic> {
    let (_, fallback) = FALLBACKS.iter().find(|(id, _)| *id == xintf.id20)?;
    let is_itself = fallback.split_once(':').is_some_and(|(package, _)| package == interface.package);
    let message = format!("`{}` has {}, which is that of `{fallback}`", interface.name, xintf_text(xintf, true));
    let finding = Diagnostic::error(&codes::SAME_IDENTITY, message, interface.span, "this interface");
    (!is_itself).then(|| finding.note("every platform answers the fallbacks under their ids").help(HELP_XINTF))
}

pub(super) const HELP_UUID: &str = "a UUID names one contract for ever: give one of them a new UUID";
pub(super) const HELP_XINTF: &str = "give one of them another id, or `xintf auto`";

/// What is to be said where equal contracts have one UUID.
pub(super) fn uuid_twice(clash: Diagnostic) -> Diagnostic {
    clash
        .note("their contracts are equal, so `uuid auto` gives both the same UUID")
        .help("keep one of them, or write a literal UUID into one")
}

/// The id that two interfaces share: the short one, or the long one alone.
pub(super) fn xintf_text(xintf: Xintf, short: bool) -> String {
    if short {
        format!("the xintf id {:#07x}", xintf.id20)
    } else {
        format!("the 52-bit xintf id {:#015x}", xintf.id52)
    }
}

/// Who had the key before; else notes that `owner` has it now.
fn first_owner<'c, K: Hash + Eq>(owners: &mut HashMap<K, Owner<'c>>, key: K, owner: Owner<'c>) -> Option<Owner<'c>> {
    let first = *owners.entry(key).or_insert(owner);
    (first.span != owner.span).then_some(first)
}

fn clash(first: Owner<'_>, second: Owner<'_>, what: &str) -> Diagnostic {
    Diagnostic::error(
        &codes::SAME_IDENTITY,
        format!("`{}` and `{}` both have {what}", first.name, second.name),
        second.span,
        "this interface",
    )
    .label(first.span, "and this one")
}
