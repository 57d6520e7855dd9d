//! What an interface is called by machines: its contract hash, derived UUIDs and overloadable-opcode ids.
//!
//! The rules are those of the language's "Contract hash"; [`frozen`](super::frozen) compares with a `contract` line.

use std::fmt::Write;

use uuid::Uuid;

use super::canonical;
use super::frozen::{Frozen, Part};
use super::{Interface, Semantics};
use crate::diagnostic::{Diagnostic, catalogue};
use crate::source::Span;

/// SHA-256 as 64 lower-case hex digits.
pub fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    hmac_sha256::Hash::hash(bytes.as_ref()).iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The contract hash: SHA-256 of the [`canonical::text`], 64 hex digits.
pub fn contract_hash(interface: &Interface) -> String {
    sha256_hex(canonical::text(interface))
}

/// What `uuid auto` stands for: the first 16 bytes of the contract hash as a UUID of version 8, variant 1.
///
/// `None` if `hash` is not 64 hex digits.
pub fn uuid_auto(hash: &str) -> Option<Uuid> {
    if hash.len() != 64 || !hash.is_ascii() {
        return None;
    }
    let mut bytes = [0u8; 16];
    for (byte, i) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(hash.get(i..i + 2)?, 16).ok()?;
    }
    bytes[6] = 0x80 | bytes[6] & 0x0F;
    bytes[8] = 0x80 | bytes[8] & 0x3F;
    Some(Uuid::from_bytes(bytes))
}

/// What `xintf auto` stands for: 20 bits with bit 19 set, from SHA-256 of the name. Registered ids have bit 19 clear.
pub fn xintf_auto(package: &str, name: &str) -> u32 {
    let digest = hmac_sha256::Hash::hash(format!("cx1:xintf:{package}:{name}").as_bytes());
    let high = digest.iter().take(4).fold(0u32, |sum, &byte| sum << 8 | u32::from(byte));
    0x80000 | high & 0x7FFFF
}

/// The identity clauses of an interface as its source has them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clauses<'a> {
    /// `uuid`.
    pub uuid: UuidClause,
    /// The string of `contract "…"` and where it stands.
    pub contract: Option<(&'a str, Span)>,
}

/// How an interface states its UUID.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UuidClause {
    /// Not at all.
    #[default]
    Absent,
    /// `uuid auto`, at this place.
    Auto(Span),
    /// `uuid "…"`, at this place.
    Literal(Span),
}

/// Checks the identity clauses against the contract: a literal UUID must be frozen unless the interface is a draft,
/// and what is frozen must not have changed.
pub fn check(interface: &Interface, clauses: Clauses<'_>) -> Vec<Diagnostic> {
    if interface.is_abstract {
        return Vec::new();
    }
    let mut found = Vec::new();
    if let UuidClause::Auto(span) = clauses.uuid {
        found.extend(opaque_commands(interface, span));
    }
    match clauses.contract {
        Some((text, span)) => found.extend(compare(interface, text, span, clauses.uuid)),
        None => {
            if let UuidClause::Literal(span) = clauses.uuid
                && !interface.is_draft
            {
                found.push(not_frozen(interface, span));
            }
        }
    }
    found
}

fn opaque_commands(interface: &Interface, uuid: Span) -> Option<Diagnostic> {
    let opaque = |c: &&super::Command| matches!(c.semantics, Semantics::Opaque);
    let command = interface.sections.iter().flat_map(|s| &s.commands).find(opaque)?;
    Some(
        Diagnostic::error(
            &catalogue::contract::OPAQUE_AUTO_UUID,
            format!("`uuid auto` cannot cover the opaque command `{}`", command.name),
            uuid,
            "derived from the contract hash",
        )
        .label(command.span, "has no body")
        .note("the hash covers an opaque command's name only, so two different commands could get one UUID")
        .help("write a literal UUID and run `cxc freeze`, or give the command a body"),
    )
}

fn not_frozen(interface: &Interface, uuid: Span) -> Diagnostic {
    Diagnostic::error(
        &catalogue::contract::NOT_FROZEN,
        format!("`{}` has a literal UUID, but no `contract` line says what the UUID stands for", interface.name),
        uuid,
        "promises one contract for ever",
    )
    .help("run `cxc freeze` to write that line, or say `draft interface` while it may still change")
}

fn compare(interface: &Interface, text: &str, span: Span, uuid: UuidClause) -> Option<Diagnostic> {
    let frozen = match Frozen::parse(text) {
        Ok(frozen) => frozen,
        Err(why) => {
            return Some(
                Diagnostic::error(
                    &catalogue::contract::MALFORMED,
                    format!("this is no contract hash: {why}"),
                    span,
                    "expected \"cx1:sha256:\" and 64 hex digits",
                )
                .help("delete the line and let `cxc freeze` write it"),
            );
        }
    };
    let parts = frozen.differences(interface);
    if frozen.hash() == contract_hash(interface) {
        return (!parts.is_empty()).then(|| stale_parts(span));
    }
    Some(changed(interface, span, uuid, &frozen, &parts))
}

fn stale_parts(span: Span) -> Diagnostic {
    Diagnostic::warning(
        &catalogue::contract::STALE_PARTS,
        "the contract is as frozen, but the digests of its parts are not",
        span,
        "edited by hand?",
    )
    .note("the parts only help to name what changed; the hash before them decides")
    .help("run `cxc freeze` to write them anew")
}

fn changed(interface: &Interface, span: Span, uuid: UuidClause, frozen: &Frozen, parts: &[Part]) -> Diagnostic {
    let names: Vec<String> = parts.iter().map(|p| p.to_string()).collect();
    let what = match names.as_slice() {
        [] => "its contract".to_string(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    };
    let verb = match parts {
        [one] => one.change.verb(),
        _ => "changed",
    };
    let mut diagnostic = Diagnostic::error(
        &catalogue::contract::CHANGED,
        format!("{what} {verb}, but `{}` is frozen", interface.name),
        span,
        format!("now cx1:sha256:{}", contract_hash(interface)),
    );
    for part in parts {
        if let Some(place) = part.span {
            diagnostic = diagnostic.label(place, part.change.verb());
        }
    }
    diagnostic = match names.len() {
        0 if frozen.has_parts() => {
            diagnostic.note("no part differs from its digest, so the digests do not belong to this hash")
        }
        0 => diagnostic.note("the line holds no digests of parts, so it cannot say which part changed"),
        1 => diagnostic,
        _ => {
            let list = parts.iter().map(|p| format!("{p} {}", p.change.verb()));
            diagnostic.note(list.collect::<Vec<_>>().join("; "))
        }
    };
    diagnostic.help(match uuid {
        UuidClause::Literal(_) => {
            "a UUID names one contract for ever: undo the change, or give the interface a new UUID, delete the \
             `contract` line and run `cxc freeze`"
        }
        _ => "undo the change, or delete the `contract` line and run `cxc freeze`",
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::contract::testing::{edit_both, mulacc};

    #[test]
    fn the_language_documents_figures() {
        let hash = contract_hash(&mulacc());
        assert_eq!(hash, "014907b79753bf39cb68b8cc31762d17da8e10c193796aa02a339ed0238f36f9");
        assert_eq!(uuid_auto(&hash).unwrap().to_string(), "014907b7-9753-8f39-8b68-b8cc31762d17");
        assert_eq!(xintf_auto("org.tinker.tinker", "RocknRoll"), 0xA98D6);
    }

    #[test]
    fn a_derived_uuid_needs_a_whole_hash() {
        for bad in ["", "01", &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(uuid_auto(bad), None, "{bad}");
        }
    }

    fn at(start: u32) -> Span {
        Span { start, end: start + 1, ..Span::default() }
    }

    fn check_line(interface: &Interface, contract: Option<&str>) -> Vec<Diagnostic> {
        check(interface, Clauses { uuid: UuidClause::Literal(at(1)), contract: contract.map(|c| (c, at(2))) })
    }

    #[test]
    fn a_literal_uuid_must_be_frozen_unless_draft() {
        let mut interface = mulacc();
        let found = check_line(&interface, None);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].code, catalogue::contract::NOT_FROZEN.code);
        // The line is long, and no text to copy from a message.
        assert!(found[0].help.as_ref().is_some_and(|help| help.contains("cxc freeze") && help.len() < 100));
        interface.is_draft = true;
        assert_eq!(check_line(&interface, None), []);
    }

    #[test]
    fn what_is_frozen_and_unchanged_passes_with_and_without_parts() {
        let interface = mulacc();
        assert_eq!(check_line(&interface, Some(&Frozen::new(&interface).to_string())), []);
        assert_eq!(check_line(&interface, Some(&format!("cx1:sha256:{}", contract_hash(&interface)))), []);
    }

    #[test]
    fn a_changed_body_is_named() {
        let mut interface = mulacc();
        let line = Frozen::new(&interface).to_string();
        edit_both(&mut interface, |section| {
            section.commands[0].name = "product".into();
            section.commands[0].span = at(7);
            section.commands[0].semantics = Semantics::Opaque;
        });
        let found = check_line(&interface, Some(&line));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].code, catalogue::contract::CHANGED.code);
        assert!(found[0].message.contains("command `product` (id 0) changed"), "{}", found[0].message);
        assert_eq!(found[0].labels[1].span, at(7));

        let plain = line.split(';').next().unwrap();
        let found = check_line(&interface, Some(plain));
        assert!(found[0].note.as_ref().unwrap().contains("cannot say which part"));
    }

    #[test]
    fn stale_digests_of_parts_are_only_a_warning() {
        let interface = mulacc();
        let line = format!("cx1:sha256:{};cmd0=000000", contract_hash(&interface));
        let found = check_line(&interface, Some(&line));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].code, catalogue::contract::STALE_PARTS.code);
        assert_eq!(found[0].severity, crate::diagnostic::Severity::Warning);
    }

    #[test]
    fn a_malformed_line_is_an_error() {
        let found = check_line(&mulacc(), Some("cx1:sha256:123"));
        assert_eq!(found[0].code, catalogue::contract::MALFORMED.code);
    }

    #[test]
    fn a_derived_uuid_refuses_opaque_commands() {
        let mut interface = mulacc();
        let auto = Clauses { uuid: UuidClause::Auto(at(1)), contract: None };
        assert_eq!(check(&interface, auto), []);
        edit_both(&mut interface, |section| section.commands[1].semantics = Semantics::Opaque);
        assert_eq!(check(&interface, auto)[0].code, catalogue::contract::OPAQUE_AUTO_UUID.code);
    }
}
