//! The string of a `contract` line: the contract hash, and short digests of the parts that name what changed.
//!
//! `cx1:sha256:<64 hex>` optionally followed by `;key=value,key=value…`. Only the hash decides. The keys are `xlen`
//! (the sections, as `32+64`), `std`, `state`, `csr<address>` with the address as `0x810`, `err` and `cmd<id>`; each value but that of `xlen` is the first six hex
//! digits of a SHA-256. See decision record 0004.

use std::collections::BTreeMap;
use std::fmt;

use super::canonical::{self, Printer};
use super::identity::{contract_hash, sha256_hex};
use super::{Interface, Section, Semantics};
use crate::source::Span;

const PREFIX: &str = "cx1:sha256:";
const DIGEST_DIGITS: usize = 6;

/// A parsed `contract` string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frozen {
    hash: String,
    xlens: Vec<u32>,
    parts: BTreeMap<Key, String>,
}

/// Why a string is no contract hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrozenError {
    /// Another scheme, or none.
    Scheme,
    /// The hash is too short, too long, or not hex.
    Hash(usize),
    /// A part that is not `key=value`.
    Part(String),
    /// A key twice.
    Twice(String),
}

impl fmt::Display for FrozenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrozenError::Scheme => f.write_str("it does not start with `cx1:sha256:`"),
            FrozenError::Hash(count) => {
                write!(f, "after `cx1:sha256:` come {count} characters, not 64 lower-case hex digits")
            }
            FrozenError::Part(text) => write!(f, "`{text}` is no digest of a part"),
            FrozenError::Twice(key) => write!(f, "`{key}` occurs twice"),
        }
    }
}

impl std::error::Error for FrozenError {}

/// A part that may change on its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Std,
    State,
    Csr(u16),
    Errors,
    Command(u16),
    /// Of a later version of the language.
    Other(String),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Std => f.write_str("std"),
            Key::State => f.write_str("state"),
            Key::Csr(address) => write!(f, "csr{address:#x}"),
            Key::Errors => f.write_str("err"),
            Key::Command(id) => write!(f, "cmd{id}"),
            Key::Other(key) => f.write_str(key),
        }
    }
}

impl Key {
    fn parse(key: &str) -> Key {
        match key {
            "std" => Key::Std,
            "state" => Key::State,
            "err" => Key::Errors,
            _ => {
                let address = key.strip_prefix("csr0x").and_then(|hex| u16::from_str_radix(hex, 16).ok());
                let id = key.strip_prefix("cmd").and_then(|id| id.parse().ok());
                let known = address.map(Key::Csr).or(id.map(Key::Command));
                known.unwrap_or_else(|| Key::Other(key.to_string()))
            }
        }
    }
}

/// How a part differs from what was frozen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Not there when it was frozen.
    Added,
    /// No longer there.
    Removed,
    /// Means something else.
    Changed,
}

impl Change {
    /// As a sentence says it of one part.
    pub fn verb(self) -> &'static str {
        match self {
            Change::Added => "is new",
            Change::Removed => "is gone",
            Change::Changed => "changed",
        }
    }
}

/// A part of an interface that is not as it was frozen. Displays as, for example, "command `mul` (id 0)".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// How it differs.
    pub change: Change,
    /// What it is, for people.
    pub what: String,
    /// Where it stands now, if it is one declaration that still exists.
    pub span: Option<Span>,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl Frozen {
    /// What `cxc freeze` writes for an interface.
    pub fn new(interface: &Interface) -> Frozen {
        let xlens: Vec<u32> = interface.sections.iter().map(|s| s.xlen).collect();
        Frozen { hash: contract_hash(interface), parts: digests(interface, &xlens), xlens }
    }

    /// Parses the string of a `contract` line.
    pub fn parse(text: &str) -> Result<Frozen, FrozenError> {
        let rest = text.strip_prefix(PREFIX).ok_or(FrozenError::Scheme)?;
        let (hash, suffix) = rest.split_once(';').map_or((rest, None), |(hash, suffix)| (hash, Some(suffix)));
        if hash.len() != 64 || !is_hex(hash) {
            return Err(FrozenError::Hash(hash.chars().count()));
        }
        let mut frozen = Frozen { hash: hash.to_string(), xlens: Vec::new(), parts: BTreeMap::new() };
        for part in suffix.into_iter().flat_map(|s| s.split(',')) {
            let malformed = || FrozenError::Part(part.to_string());
            let (key, value) = part.split_once('=').ok_or_else(malformed)?;
            let twice = if key == "xlen" {
                let xlens: Result<_, _> = value.split('+').map(str::parse).collect();
                !std::mem::replace(&mut frozen.xlens, xlens.map_err(|_| malformed())?).is_empty()
            } else if value.len() == DIGEST_DIGITS && is_hex(value) && !key.is_empty() {
                frozen.parts.insert(Key::parse(key), value.to_string()).is_some()
            } else {
                return Err(malformed());
            };
            if twice {
                return Err(FrozenError::Twice(key.to_string()));
            }
        }
        Ok(frozen)
    }

    /// The contract hash, 64 hex digits.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Whether the string can name what changed.
    pub fn has_parts(&self) -> bool {
        !self.xlens.is_empty() || !self.parts.is_empty()
    }

    /// Whether the interface still is what was frozen. Only the hash decides.
    pub fn matches(&self, interface: &Interface) -> bool {
        self.hash == contract_hash(interface)
    }

    /// The parts that are not as frozen, by the digests of parts; empty if there are none to compare with.
    ///
    /// A command's digest covers the functions that it calls. So a changed function names every command that calls it.
    pub fn differences(&self, interface: &Interface) -> Vec<Part> {
        if !self.has_parts() {
            return Vec::new();
        }
        let now: Vec<u32> = interface.sections.iter().map(|s| s.xlen).collect();
        let frozen_xlens = if self.xlens.is_empty() { &now } else { &self.xlens };
        let mut found = Vec::new();
        let mut xlen = |xlen: &u32, change| {
            found.push(Part { change, what: format!("XLEN {xlen}"), span: Some(interface.span) });
        };
        now.iter().filter(|x| !frozen_xlens.contains(x)).for_each(|x| xlen(x, Change::Added));
        frozen_xlens.iter().filter(|x| !now.contains(x)).for_each(|x| xlen(x, Change::Removed));
        if found.iter().any(|part| part.change == Change::Removed) {
            // The digests cover a section that is gone, so all of them differ and none says anything.
            return found;
        }
        let digests = digests(interface, frozen_xlens);
        for (key, digest) in &digests {
            match self.parts.get(key) {
                Some(frozen) if frozen == digest => {}
                Some(_) => found.push(describe(interface, key, Change::Changed)),
                None => found.push(describe(interface, key, Change::Added)),
            }
        }
        let gone = self.parts.keys().filter(|key| !digests.contains_key(key));
        found.extend(gone.map(|key| describe(interface, key, Change::Removed)));
        found
    }
}

impl fmt::Display for Frozen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.hash)?;
        let mut separator = ';';
        if !self.xlens.is_empty() {
            let xlens: Vec<String> = self.xlens.iter().map(u32::to_string).collect();
            write!(f, "{separator}xlen={}", xlens.join("+"))?;
            separator = ',';
        }
        for (key, digest) in &self.parts {
            write!(f, "{separator}{key}={digest}")?;
            separator = ',';
        }
        Ok(())
    }
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// The digest of each part over the sections of these XLENs. A part without text has none.
fn digests(interface: &Interface, xlens: &[u32]) -> BTreeMap<Key, String> {
    let mut texts: BTreeMap<Key, String> = BTreeMap::new();
    let mut add = |key: Key, section: &Section, text: Option<String>| {
        if let Some(text) = text {
            let all = texts.entry(key).or_default();
            all.push_str(&format!("(xlen {}\n{text})\n", section.xlen));
        }
    };
    for section in interface.sections.iter().filter(|s| xlens.contains(&s.xlen)) {
        add(Key::Std, section, canonical::std_text(interface));
        let mut printer = Printer::new(section);
        if let Some(text) = printer.state() {
            let functions = printer.functions();
            add(Key::State, section, Some(functions.join("\n") + &text));
        }
        for csr in &section.csrs {
            let mut printer = Printer::new(section);
            let text = printer.csr(csr);
            let functions = printer.functions();
            add(Key::Csr(csr.address), section, Some(functions.join("\n") + &text));
        }
        add(Key::Errors, section, canonical::errors_text(section));
        for command in &section.commands {
            if matches!(command.semantics, Semantics::Standard(_)) {
                continue;
            }
            let mut printer = Printer::new(section);
            let text = printer.command(interface, command);
            let functions = printer.functions();
            add(Key::Command(command.id), section, Some(functions.join("\n") + &text));
        }
    }
    texts
        .into_iter()
        .map(|(key, text)| {
            let mut digest = sha256_hex(&text);
            digest.truncate(DIGEST_DIGITS);
            (key, digest)
        })
        .collect()
}

fn describe(interface: &Interface, key: &Key, change: Change) -> Part {
    let (what, span) = match key {
        Key::Std => ("the inherited IStateContext".to_string(), None),
        Key::State => ("the state".to_string(), None),
        Key::Csr(address) => match interface.sections.iter().flat_map(|s| &s.csrs).find(|c| c.address == *address) {
            Some(csr) => (format!("CSR `{}` (address {address:#X})", csr.name), Some(csr.span)),
            None => (format!("the CSR at address {address:#X}"), None),
        },
        Key::Errors => ("the set of error codes".to_string(), None),
        Key::Other(key) => (format!("the part `{key}`"), None),
        Key::Command(id) => match interface.sections.iter().flat_map(|s| &s.commands).find(|c| c.id == *id) {
            Some(command) => (format!("command `{}` (id {id})", command.name), Some(command.span)),
            None => (format!("the command with id {id}"), None),
        },
    };
    Part { change, what, span }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::contract::core::Type;
    use crate::contract::testing::{edit_both, mulacc};
    use crate::contract::{ErrorDef, Form};

    fn named(frozen: &Frozen, interface: &Interface) -> Vec<String> {
        frozen.differences(interface).iter().map(|p| format!("{p} {}", p.change.verb())).collect()
    }

    #[test]
    fn the_string_round_trips() {
        let frozen = Frozen::new(&mulacc());
        let text = frozen.to_string();
        assert!(text.starts_with(
            "cx1:sha256:014907b79753bf39cb68b8cc31762d17da8e10c193796aa02a339ed0238f36f9;xlen=32+64,std="
        ));
        assert_eq!(Frozen::parse(&text), Ok(frozen));
    }

    #[test]
    fn malformed_strings_say_why() {
        let hash = "0".repeat(64);
        for (text, why) in [
            ("sha256:00".to_string(), FrozenError::Scheme),
            ("cx1:sha256:00".to_string(), FrozenError::Hash(2)),
            (format!("cx1:sha256:{}", "G".repeat(64)), FrozenError::Hash(64)),
            (format!("cx1:sha256:{hash};"), FrozenError::Part(String::new())),
            (format!("cx1:sha256:{hash};cmd0=12"), FrozenError::Part("cmd0=12".into())),
            (format!("cx1:sha256:{hash};xlen=a"), FrozenError::Part("xlen=a".into())),
            (format!("cx1:sha256:{hash};cmd0=123456,cmd0=123456"), FrozenError::Twice("cmd0".into())),
        ] {
            assert_eq!(Frozen::parse(&text), Err(why), "{text}");
        }
    }

    #[test]
    fn each_part_is_named_alone() {
        let frozen = Frozen::new(&mulacc());
        let after = |edit: &dyn Fn(&mut Section)| {
            let mut interface = mulacc();
            edit_both(&mut interface, edit);
            named(&frozen, &interface)
        };
        assert_eq!(after(&|s| s.commands[1].forms = vec![Form::R]), ["command `mulacc` (id 1) changed"]);
        assert_eq!(after(&|s| s.commands[0].id = 2), ["command `mul` (id 2) is new", "the command with id 0 is gone"]);
        assert_eq!(after(&|s| s.state.as_mut().unwrap().ucontext = true), ["the state changed"]);
        let error = ErrorDef { name: "e".into(), code: 1, message: None, docs: String::new(), span: Span::default() };
        assert_eq!(after(&|s| s.errors.push(error.clone())), ["the set of error codes is new"]);
        assert_eq!(after(&|s| s.commands[0].name = "renamed".into()), [""; 0]);
        assert_eq!(
            after(&|s| s.commands.iter_mut().for_each(|c| c.result = Some(Type::Bool))),
            ["command `mul` (id 0) changed", "command `mulacc` (id 1) changed"]
        );
    }

    #[test]
    fn a_new_or_lost_xlen_is_named_and_not_every_command() {
        let both = mulacc();
        let mut one = mulacc();
        one.sections.truncate(1);
        assert_eq!(named(&Frozen::new(&both), &one), ["XLEN 64 is gone"]);
        assert_eq!(named(&Frozen::new(&one), &both), ["XLEN 64 is new"]);
    }

    #[test]
    fn keys_of_later_versions_are_kept() {
        let hash = "0".repeat(64);
        let text = format!("cx1:sha256:{hash};csr=123456");
        assert_eq!(Frozen::parse(&text).unwrap().to_string(), text);
    }
}
