//! Two interfaces of one file under one UUID or one overloadable-opcode id: programs could not tell them apart.

use std::collections::HashMap;
use std::hash::Hash;

use crate::contract::{Contract, Interface, Xintf};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::driver as codes;

pub(super) fn clashes(contract: &Contract) -> Vec<Diagnostic> {
    let (mut uuids, mut ids, mut long_ids) = (HashMap::new(), HashMap::new(), HashMap::new());
    let mut found = Vec::new();
    for interface in contract.interfaces().filter(|i| !i.is_abstract) {
        if let Some(uuid) = interface.uuid
            && let Some(first) = first_owner(&mut uuids, uuid, interface)
        {
            let finding = clash(first, interface, &format!("the UUID {uuid}"));
            found.push(if first.hash == interface.hash { uuid_twice(finding) } else { finding.help(HELP_UUID) });
        }
        if let Some(xintf) = interface.xintf {
            let by_id = first_owner(&mut ids, xintf.id20, interface);
            let by_long_id = first_owner(&mut long_ids, xintf.id52, interface);
            if let Some(first) = by_id.or(by_long_id) {
                found.push(clash(first, interface, &xintf_text(xintf, by_id.is_some())).help(HELP_XINTF));
            }
        }
    }
    found
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

/// Who had the key before; else notes that `interface` has it now.
fn first_owner<'c, K: Hash + Eq>(
    owners: &mut HashMap<K, &'c Interface>,
    key: K,
    interface: &'c Interface,
) -> Option<&'c Interface> {
    let owner = *owners.entry(key).or_insert(interface);
    (!std::ptr::eq(owner, interface)).then_some(owner)
}

fn clash(first: &Interface, second: &Interface, what: &str) -> Diagnostic {
    Diagnostic::error(
        &codes::SAME_IDENTITY,
        format!("`{}` and `{}` both have {what}", first.name, second.name),
        second.span,
        "this interface",
    )
    .label(first.span, "and this one")
}
