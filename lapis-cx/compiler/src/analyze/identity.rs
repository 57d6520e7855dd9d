//! The clauses of an interface that say who it is: `uuid`, `contract`, `xintf`, `short`, `xlen`.

use crate::contract::{Interface, Xintf};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::interface as codes;
use crate::int::Int;
use crate::source::Span;
use crate::syntax::{Kind, Node};

/// A literal or `auto`, and where it stands.
#[derive(Clone, Debug)]
pub(super) enum Given<T> {
    Literal(T, Span),
    Auto(Span),
}

/// The clauses as written.
#[derive(Clone, Debug)]
pub(super) struct Clauses {
    pub(super) uuid: Option<Given<uuid::Uuid>>,
    pub(super) xintf: Option<Given<Xintf>>,
    pub(super) contract: Option<(String, Span)>,
    pub(super) short: Option<String>,
    pub(super) long_name: Option<String>,
    pub(super) xlens: Vec<u32>,
}

impl Clauses {
    /// Reads the clauses of one interface; bases give none.
    pub(super) fn read(node: Node<'_>, found: &mut Vec<Diagnostic>) -> Clauses {
        for kind in
            [Kind::uuid_clause, Kind::xintf_clause, Kind::contract_clause, Kind::short_clause, Kind::xlen_clause]
        {
            let mut clauses = node.children_of(kind);
            if let (Some(first), Some(second)) = (clauses.next(), clauses.next()) {
                let word = second.text().split_whitespace().next().unwrap_or_default();
                let message = format!("duplicate `{word}`");
                found.push(
                    Diagnostic::error(&codes::REPEATED, message, second.span(), "again here")
                        .label(first.span(), "first here")
                        .help("remove one"),
                );
            }
        }
        Clauses {
            uuid: node.child(Kind::uuid_clause).and_then(|c| uuid_of(c, found)),
            xintf: node.child(Kind::xintf_clause).and_then(|c| xintf_of(c, found)),
            contract: node
                .child(Kind::contract_clause)
                .and_then(|c| c.child(Kind::string))
                .map(|s| (unquoted(s), s.span())),
            short: node.child(Kind::short_clause).and_then(|c| short_of(c, found)),
            long_name: node.child(Kind::string).and_then(|s| long_name_of(s, found)),
            xlens: node.child(Kind::xlen_clause).map_or(vec![32, 64], |c| xlens_of(c, found)),
        }
    }

    /// Gives the finished sections their identity, and holds it against what was frozen.
    /// `broken` says that something of the interface could not be understood.
    pub(super) fn apply(&self, interface: &mut Interface, node: Node<'_>, broken: bool, found: &mut Vec<Diagnostic>) {
        use crate::contract::identity;
        interface.hash = identity::contract_hash(interface);
        interface.uuid = match &self.uuid {
            Some(Given::Literal(uuid, _)) => Some(*uuid),
            Some(Given::Auto(_)) => identity::uuid_auto(&interface.hash),
            None => None,
        };
        interface.xintf = self.xintf.as_ref().map(|given| given_xintf(given, &interface.package, &interface.name));
        if interface.is_abstract {
            return;
        }
        if self.uuid.is_none() && self.xintf.is_none() {
            let has_bad_clause =
                [Kind::uuid_clause, Kind::xintf_clause, Kind::bad_member].into_iter().any(|k| node.has(k));
            if !has_bad_clause {
                found.push(
                    Diagnostic::error(
                        &codes::NO_IDENTITY,
                        format!("`{}` has no identity", interface.name),
                        node.name().span(),
                        "neither `uuid` nor `xintf`",
                    )
                    .help("add `uuid auto;`, or mint one with `uuidgen` and write `uuid \"…\";`"),
                );
            }
            return;
        }
        // A contract that could not be read is not what was frozen; its errors come first.
        if !broken {
            let uuid = match &self.uuid {
                Some(Given::Literal(_, span)) => identity::UuidClause::Literal(*span),
                Some(Given::Auto(span)) => identity::UuidClause::Auto(*span),
                None => identity::UuidClause::Absent,
            };
            let contract = self.contract.as_ref().map(|(text, span)| (text.as_str(), *span));
            found.extend(identity::check(interface, identity::Clauses { uuid, contract }));
        }
    }
}

/// Refuses an identity of an abstract interface.
pub(super) fn none(node: Node<'_>, name: &str, found: &mut Vec<Diagnostic>) {
    let clauses = [Kind::uuid_clause, Kind::xintf_clause, Kind::contract_clause];
    for clause in node.children().filter(|child| clauses.contains(&child.kind())) {
        let message = format!("the abstract interface `{name}` has an identity");
        let finding = Diagnostic::error(&codes::ABSTRACT_IDENTITY, message, clause.span(), "nobody can open it");
        found.push(finding.help("move this clause to the interfaces that inherit from it"));
    }
}

/// What an interface of an imported file says it is, as far as its clauses alone tell: what `uuid auto` gives is known
/// only from the whole contract.
#[derive(Clone, Debug, PartialEq)]
pub struct Claimed {
    /// `package:Name`
    pub name: String,
    /// A literal UUID.
    pub uuid: Option<uuid::Uuid>,
    /// The overloadable-opcode id.
    pub xintf: Option<Xintf>,
    /// Where the name stands.
    pub span: Span,
}

/// The identities of the interfaces of all files but the root.
pub fn imported_identities(world: &super::world::World<'_>) -> Vec<Claimed> {
    let mut claimed = Vec::new();
    for file in world.imported() {
        for node in file.tree.root().children_of(Kind::interface) {
            // Findings are those of the other file, when that is compiled.
            let clauses = Clauses::read(node, &mut Vec::new());
            let name = node.name();
            claimed.push(Claimed {
                name: format!("{}:{}", file.package, name.text()),
                uuid: match clauses.uuid {
                    Some(Given::Literal(uuid, _)) => Some(uuid),
                    _ => None,
                },
                xintf: clauses.xintf.map(|given| given_xintf(&given, &file.package, name.text())),
                span: name.span(),
            });
        }
    }
    claimed
}

/// The ids that an `xintf` clause gives.
fn given_xintf(given: &Given<Xintf>, package: &str, name: &str) -> Xintf {
    match given {
        Given::Literal(xintf, _) => *xintf,
        Given::Auto(_) => {
            let id20 = crate::contract::identity::xintf_auto(package, name);
            Xintf { id20, id52: sign_extended(id20) }
        }
    }
}

/// The text of a string node without its quotes.
pub(super) fn unquoted(node: Node<'_>) -> String {
    let text = node.text();
    let text = text.strip_prefix('"').unwrap_or(text);
    text.strip_suffix('"').unwrap_or(text).to_owned()
}

fn uuid_of(clause: Node<'_>, found: &mut Vec<Diagnostic>) -> Option<Given<uuid::Uuid>> {
    if let Some(auto) = clause.child(Kind::kw_auto) {
        return Some(Given::Auto(auto.span()));
    }
    let string = clause.child(Kind::string)?;
    match uuid::Uuid::try_parse(&unquoted(string)) {
        Ok(uuid) if !uuid.is_nil() => Some(Given::Literal(uuid, string.span())),
        _ => {
            found.push(
                Diagnostic::error(&codes::BAD_UUID, "this is not a UUID", string.span(), "cannot be read")
                    .help("32 hexadecimal digits as 8-4-4-4-12, as `uuidgen` prints them; or `uuid auto;`"),
            );
            None
        }
    }
}

fn sign_extended(id20: u32) -> u64 {
    // `lui` on RV64 copies bit 19 into all bits above (overloadable-opcodes, "lui rd 0xABCDE").
    let bits = u64::from(id20);
    if id20 >> 19 & 1 == 1 { bits | 0xFFFF_FFFF << 20 } else { bits }
}

fn xintf_of(clause: Node<'_>, found: &mut Vec<Diagnostic>) -> Option<Given<Xintf>> {
    if let Some(auto) = clause.child(Kind::kw_auto) {
        return Some(Given::Auto(auto.span()));
    }
    let mut ids = Vec::new();
    for (node, bits) in clause.children_of(Kind::int).zip([20, 52]) {
        let value = super::literal::literal(node).ok().and_then(|t| t.int()).filter(|v| *v < Int::pow2(bits));
        match value.and_then(|v| v.to_u64()) {
            Some(v) => ids.push(v),
            None => {
                let message = format!("this id does not fit {bits} bits");
                let help = if bits == 20 {
                    "write 5 hexadecimal digits, as in `xintf 0x12345;`, or `xintf auto;` for the id of the name"
                } else {
                    "the second id is that of RV64: 13 hexadecimal digits at most"
                };
                found.push(Diagnostic::error(&codes::BAD_XINTF, message, node.span(), "out of range").help(help));
                return None;
            }
        }
    }
    let id20 = *ids.first()? as u32;
    Some(Given::Literal(Xintf { id20, id52: ids.get(1).copied().unwrap_or(sign_extended(id20)) }, clause.span()))
}

fn short_of(clause: Node<'_>, found: &mut Vec<Diagnostic>) -> Option<String> {
    let name = clause.name();
    if name.text().contains('_') {
        found.push(
            Diagnostic::error(&codes::SHORT, "a short name holds no underscore", name.span(), "this name")
                .note("`a_b` with member `c` and `a` with member `b_c` would both give `a_b_c`"),
        );
        return None;
    }
    let small = name.text().to_ascii_lowercase();
    let what = if small == "cx" {
        "`cx` is the prefix and the header of the CX API".to_owned()
    } else if HEADERS.binary_search(&small.as_str()).is_ok() {
        format!("`{small}.h` is a header of C, which a generated one would hide")
    } else {
        return Some(name.text().to_owned());
    };
    found.push(Diagnostic::error(&codes::SHORT, what, name.span(), "this name").help("choose another short name"));
    None
}

/// Headers of C (ISO 9899:2024, 7.1.2) and of POSIX (IEEE 1003.1, "Headers") whose name might be a short name. A generated
/// header lies in a folder that is searched before those of the system.
const HEADERS: [&str; 62] = [
    "aio",
    "assert",
    "complex",
    "cpio",
    "ctype",
    "devctl",
    "dirent",
    "dlfcn",
    "endian",
    "errno",
    "fcntl",
    "fenv",
    "float",
    "fmtmsg",
    "fnmatch",
    "ftw",
    "glob",
    "grp",
    "iconv",
    "inttypes",
    "langinfo",
    "libgen",
    "libintl",
    "limits",
    "locale",
    "math",
    "monetary",
    "mqueue",
    "ndbm",
    "netdb",
    "poll",
    "pthread",
    "pwd",
    "regex",
    "sched",
    "search",
    "semaphore",
    "setjmp",
    "signal",
    "spawn",
    "stdalign",
    "stdarg",
    "stdatomic",
    "stdbit",
    "stdbool",
    "stdckdint",
    "stddef",
    "stdint",
    "stdio",
    "stdlib",
    "stdnoreturn",
    "string",
    "strings",
    "syslog",
    "termios",
    "tgmath",
    "threads",
    "time",
    "uchar",
    "unistd",
    "wchar",
    "wctype",
];

fn long_name_of(string: Node<'_>, found: &mut Vec<Diagnostic>) -> Option<String> {
    let name = unquoted(string);
    let is_identifier = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_identifier || string.is_broken() {
        return Some(name).filter(|_| is_identifier);
    }
    found.push(
        Diagnostic::error(&codes::SHORT, "a long name is an identifier of C", string.span(), "letters, digits and `_`")
            .help("such as \"org_example__Name\""),
    );
    None
}

fn xlens_of(clause: Node<'_>, found: &mut Vec<Diagnostic>) -> Vec<u32> {
    let mut xlens = Vec::new();
    for node in clause.children_of(Kind::int) {
        match super::literal::literal(node).ok().and_then(|t| t.int()).and_then(|v| v.to_u32()) {
            Some(xlen @ (32 | 64)) if !xlens.contains(&xlen) => xlens.push(xlen),
            Some(32 | 64) => {
                let found_twice = Diagnostic::error(&codes::XLEN, "duplicate XLEN", node.span(), "again here");
                found.push(found_twice.help("remove one"));
            }
            _ => {
                let found_other = Diagnostic::error(&codes::XLEN, "XLEN is 32 or 64", node.span(), "not an XLEN");
                found.push(found_other.help("write `xlen 32;`, `xlen 64;` or `xlen 32, 64;`"));
            }
        }
    }
    xlens.sort_unstable();
    xlens
}
