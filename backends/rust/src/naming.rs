//! The one authority for Rust names: how a declaration is called in each case, which words are taken, which files there
//! are.

pub mod library;

use std::collections::HashSet;
use std::rc::Rc;

use lapis_cx::backend::{DerivedName, NameList, What, platforms};
use lapis_cx::contract::csr::Access;
use lapis_cx::contract::platform::{Device, Platform};
use lapis_cx::contract::{Contract, Interface, Section, Semantics};

use lapis_cx_core::encoding::Fallback;

use crate::{csr, method, xcmd};

/// Names of types, traits and modules.
const TYPES: &str = "Rust type";
/// Names of constants.
const CONSTANTS: &str = "Rust constant";
/// Names of the trait's methods.
const METHODS: &str = "Rust method";
/// Names of the variants of `Error`.
const VARIANTS: &str = "Rust variant";
/// Names of output files.
const FILES: &str = "Rust file";

/// Keywords of every edition up to 2024, also reserved ones.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Keywords that cannot be raw identifiers, and methods that every type, or every one that is cloned, has by the prelude:
/// a method of a trait would not be found beside them.
const TAKEN: &[&str] =
    &["as_mut", "as_ref", "clone", "clone_from", "crate", "into", "self", "super", "to_owned", "try_into"];

/// How long these words are. A name of another length is none of them, which is told without comparing it: every name of the
/// output comes here.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=10;

/// Names of the prelude that generated code uses.
const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Drop",
    "Eq",
    "Err",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "Hash",
    "Into",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "PartialEq",
    "Result",
    "Self",
    "Send",
    "Sized",
    "Some",
    "Sync",
];

/// What every section may have beside its members.
pub const STATE: &str = "State";
/// The software fallback.
pub const SOFT: &str = "Soft";
/// The fallback as a software CXU.
pub const SOFT_CXU: &str = "SoftCxu";
/// The guard.
pub const SELECTED: &str = "Selected";
/// Why a command was not done.
pub const ERROR: &str = "Error";
/// The bodies of commands that the specification leaves open.
pub const BODIES: &str = "Bodies";
/// What such a body raises.
pub const RAISED: &str = "Raised";
/// A device of overloadable opcodes.
pub const DEVICE: &str = "Device";
const TYPE_COMPANIONS: &[&str] = &[STATE, SOFT, SOFT_CXU, SELECTED, ERROR];
const CONSTANT_COMPANIONS: &[&str] = &["XLEN", "UUID", "CONTRACT", "XINTF", "XINTF52"];
/// Variants of `Error` that come from responses.
pub const RESPONSES: &[&str] = &["Cxu", "State", "Off", "Func", "Op", "Custom", "Trap"];
/// The status word in the state structure.
pub const STATUS: &str = "status";

/// Words separated by underscores, in lower case, as it stands. A word begins at an underscore, at a capital behind a small letter or a
/// digit, and at the last of several capitals before a small letter.
fn words(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut before = '_';
    let mut rest = name.chars();
    while let Some(c) = rest.next() {
        let begins = c.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_digit()
                || before.is_ascii_uppercase() && rest.clone().next().is_some_and(|n| n.is_ascii_lowercase()));
        if (begins || c == '_') && !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        if c != '_' {
            out.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    out.truncate(out.trim_end_matches('_').len());
    if !out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert(0, 'n');
    }
    out
}

/// As a method, function, local or field.
pub fn snake(name: &str) -> String {
    escaped(words(name))
}

fn escaped(name: String) -> String {
    if !LENGTHS.contains(&name.len()) {
        name
    } else if KEYWORDS.binary_search(&name.as_str()).is_ok() {
        format!("r#{name}")
    } else if TAKEN.binary_search(&name.as_str()).is_ok() {
        format!("{name}_")
    } else {
        name
    }
}

/// As a constant.
pub fn screaming(name: &str) -> String {
    words(name).to_ascii_uppercase()
}

/// As a type or a variant.
pub fn camel(name: &str) -> String {
    let capital = |part: &str| {
        let mut chars = part.chars();
        chars.next().map_or(String::new(), |c| c.to_ascii_uppercase().to_string() + chars.as_str())
    };
    let mut joined: String = name.split('_').map(capital).collect();
    if !joined.starts_with(|c: char| c.is_ascii_alphabetic()) {
        joined.insert(0, 'N');
    }
    joined
}

/// As a type, beside the names of the prelude.
pub fn type_name(name: &str) -> String {
    let name = camel(name);
    if PRELUDE.binary_search(&name.as_str()).is_ok() { name + "_" } else { name }
}

/// A field of the state structure.
pub fn field(name: &str) -> String {
    match snake(name) {
        name if name == STATUS => name + "_",
        name => name,
    }
}

/// A name without the mark of a raw identifier, to build others from.
pub fn stem(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// Gives out names that are not given out yet.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    given: HashSet<Rc<str>>,
    outer: Rc<HashSet<Rc<str>>>,
}

impl Scope {
    /// The same names, shared by the clones that are made of it.
    pub fn shared(self) -> Scope {
        let mut all = self.given;
        all.extend(self.outer.iter().cloned());
        Scope { given: HashSet::new(), outer: Rc::new(all) }
    }

    fn is_free(&self, name: &str) -> bool {
        !self.outer.contains(name) && !self.given.contains(name)
    }

    /// Marks a name as given out.
    pub fn reserve(&mut self, name: impl Into<Rc<str>>) {
        self.given.insert(name.into());
    }

    /// This name, or the first free one of `name_2`, `name_3` and so on, without giving it out.
    pub fn free(&self, name: &str) -> Rc<str> {
        if self.is_free(name) {
            return name.into();
        }
        let numbered = (2u64..).map(|n| format!("{}_{n}", stem(name)));
        numbered.into_iter().find(|name| self.is_free(name)).unwrap_or_default().into()
    }

    /// The same, which is given out by that.
    pub fn fresh(&mut self, name: &str) -> Rc<str> {
        let name = self.free(name);
        self.reserve(name.clone());
        name
    }

    /// The first free one of `t1`, `t2` and so on, from `next` on.
    pub fn temporary(&mut self, next: &mut u64) -> Rc<str> {
        loop {
            *next += 1;
            let candidate = format!("t{next}");
            if self.is_free(&candidate) {
                return self.fresh(&candidate);
            }
        }
    }
}

/// The stem of the file: the short name, or the long C name.
pub fn file_stem(interface: &Interface) -> String {
    let derived = || format!("{}__{}", interface.package.replace('.', "_"), interface.name);
    interface.short.clone().or_else(|| interface.long_name.clone()).unwrap_or_else(derived)
}

/// The file, relative to the output folder.
pub fn file(interface: &Interface) -> String {
    format!("rust/{}.rs", file_stem(interface))
}

/// What the module of a file is called.
pub fn module(interface: &Interface) -> String {
    snake(&file_stem(interface))
}

/// Every name and file of a contract.
pub fn derive(contract: &Contract) -> Vec<DerivedName<'_>> {
    let concrete = contract.interfaces().filter(|interface| !interface.is_abstract);
    let libraries = contract.libraries().flat_map(library::derive);
    concrete.flat_map(of_interface).chain(libraries).chain(platforms(contract).flat_map(of_platform)).collect()
}

/// The stem of the file of a platform.
pub fn platform_stem(platform: &Platform) -> String {
    format!("{}__{}", platform.package.replace('.', "_"), platform.name)
}

/// The file of a platform, relative to the output folder.
pub fn platform_file(platform: &Platform) -> String {
    format!("rust/{}.rs", platform_stem(platform))
}

/// What the module of a platform's file is called.
pub fn platform_module(platform: &Platform) -> String {
    snake(&platform_stem(platform))
}

/// The type of a device.
pub fn device_type(device: &Device) -> String {
    type_name(&device.name)
}

fn of_platform(platform: &Platform) -> Vec<DerivedName<'_>> {
    let mut list = NameList::default();
    let what = What::new(["the file of `", &platform.name, "`"]);
    list.add(FILES, what, platform.span, || platform_file(platform));
    for device in &platform.devices {
        let what = What::new(["the device `", &device.name, "`"]);
        list.add(TYPES, what, device.span, || format!("{}::{}", platform_module(platform), device_type(device)));
    }
    list.into_names()
}

fn of_interface(interface: &Interface) -> Vec<DerivedName<'_>> {
    let mut list = NameList::default();
    let module = module(interface);
    let within = |name: &str| [&module, "::", name].concat();
    let of = interface.name.as_str();
    list.add(FILES, What::new(["the file of `", of, "`"]), interface.span, || file(interface));
    let mut add = |space, what, span, name: &dyn Fn() -> String| list.add(space, what, span, || within(&name()));
    add(TYPES, What::new(["the trait of `", of, "`"]), interface.span, &|| type_name(of));
    let companion = |name| What::new(["`", name, "` of `", of, "`"]);
    for name in TYPE_COMPANIONS {
        add(TYPES, companion(name), interface.span, &|| (*name).to_owned());
    }
    for name in CONSTANT_COMPANIONS {
        add(CONSTANTS, companion(name), interface.span, &|| (*name).to_owned());
    }
    if interface.sections.iter().flat_map(|s| &s.commands).any(|c| c.semantics == Semantics::Opaque) {
        for name in [BODIES, RAISED] {
            add(TYPES, companion(name), interface.span, &|| name.to_owned());
        }
    }
    if interface.sections.iter().any(xcmd::has_xcmd) {
        add(TYPES, companion(DEVICE), interface.span, &|| DEVICE.to_owned());
    }
    for response in RESPONSES {
        let what = What::new(["the response `", response, "`"]);
        add(VARIANTS, what, interface.span, &|| format!("Error::{response}"));
    }
    for section in &interface.sections {
        for error in &section.errors {
            let what = What::new(["error `", &error.name, "`"]);
            add(VARIANTS, what, error.span, &|| format!("Error::{}", camel(&error.name)));
        }
        for def in &section.enums {
            add(TYPES, What::new(["enum `", &def.name, "`"]), def.span, &|| type_name(&def.name));
            for case in &def.cases {
                let what = What::new(["case `", &def.name, ".", &case.name, "`"]);
                let name = || format!("{}::{}", type_name(&def.name), screaming(&case.name));
                add(CONSTANTS, what, case.span, &name);
            }
        }
        for constant in section.consts.iter().filter(|c| c.is_member) {
            let what = What::new(["constant `", &constant.name, "`"]);
            add(CONSTANTS, what, constant.span, &|| screaming(&constant.name));
        }
        for command in &section.commands {
            let (source, span) = (command.name.as_str(), command.span);
            let mut add = |before, name: fn(&str) -> String| {
                add(METHODS, What::new([before, "command `", source, "`"]), span, &|| name(source));
            };
            add("", snake);
            if method::can_fail(section, command) {
                add("the fallible form of ", tried);
            }
            if method::has_immediate(command) {
                add("form I of ", with_immediate);
            }
        }
        for csr in &section.csrs {
            let source = csr.name.as_str();
            let ty = || format!("csr::{}", type_name(source));
            add(TYPES, What::new(["the CSR `", source, "`"]), csr.span, &ty);
            for &kind in csr::kinds(csr) {
                let what = What::new(["`", kind.word(), "` of the CSR `", source, "`"]);
                add(METHODS, what, csr.span, &|| csr_method(source, kind));
            }
            for field in &csr.fields {
                let of = |before| What::new([before, &field.name, "` of the CSR `", source, "`"]);
                let mut add = |space, before, name: &dyn Fn() -> String| {
                    add(space, of(before), field.span, &|| format!("{}::{}", ty(), name()));
                };
                add(CONSTANTS, "field `", &|| csr_constant(&field.name, "MASK"));
                add(METHODS, "field `", &|| snake(&field.name));
                if csr.access == Access::Rw {
                    add(METHODS, "the change of field `", &|| csr_with(&field.name));
                }
            }
        }
    }
    list.into_names()
}

/// The method that gives an error.
pub fn tried(command: &str) -> String {
    escaped(format!("try_{}", words(command)))
}

/// The method of form I, beside the one that takes all operands in registers.
pub fn with_immediate(command: &str) -> String {
    format!("{}_i", words(command))
}

/// The method of an access of a CSR.
pub fn csr_method(csr: &str, kind: csr::Kind) -> String {
    format!("{}_{}", words(csr), kind.word())
}

/// The software function of an access of a CSR.
pub fn csr_software(csr: &str, kind: csr::Kind) -> String {
    format!("sw_{}", csr_method(csr, kind))
}

/// The `MASK` or `SHIFT` of a field of a CSR.
pub fn csr_constant(field: &str, part: &str) -> String {
    format!("{}_{part}", screaming(field))
}

/// The method that changes a field of a CSR.
pub fn csr_with(field: &str) -> String {
    format!("with_{}", words(field))
}

/// What private functions, tables and locals of a section may not be called.
pub fn taken(section: &Section) -> Scope {
    let mut taken = Scope::default();
    CONSTANT_COMPANIONS.iter().for_each(|name| taken.reserve(*name));
    section.consts.iter().for_each(|c| taken.reserve(screaming(&c.name)));
    section.commands.iter().for_each(|c| taken.reserve(method::software_name(&c.name)));
    for csr in &section.csrs {
        csr::kinds(csr).iter().for_each(|kind| taken.reserve(csr_software(&csr.name, *kind)));
    }
    Fallback::ALL.iter().for_each(|fallback| taken.reserve(fallback.mnemonic()));
    // What they call.
    taken.reserve("drop");
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taken_words_are_sorted_so_that_the_search_finds_them() {
        for list in [KEYWORDS, TAKEN, PRELUDE] {
            assert!(list.windows(2).all(|w| w[0] < w[1]));
        }
        assert!([KEYWORDS, TAKEN].concat().iter().all(|word| LENGTHS.contains(&word.len())));
    }

    #[test]
    fn each_case_is_rusts() {
        for (name, want) in [
            ("RocknRoll", "rockn_roll"),
            ("Rockn_Roll", "rockn_roll"),
            ("a_b", "a_b"),
            ("aB", "a_b"),
            ("crc32_b", "crc32_b"),
            ("HTTPServer", "http_server"),
            ("CL_SUCCESS", "cl_success"),
            ("N", "n"),
            ("_x", "x"),
            ("a__b_", "a_b"),
            ("_1", "n1"),
            ("type", "r#type"),
            ("Gen", "r#gen"),
            ("Self", "self_"),
            ("crate", "crate_"),
            ("clone", "clone_"),
        ] {
            assert_eq!(snake(name), want, "{name}");
        }
        assert_eq!((camel("Rockn_Roll"), camel("aB"), camel("_1a")), ("RocknRoll".into(), "AB".into(), "N1a".into()));
        assert_eq!((screaming("aB"), screaming("wrap")), ("A_B".into(), "WRAP".into()));
        assert_eq!((type_name("Result"), type_name("Round")), ("Result_".into(), "Round".into()));
    }

    #[test]
    fn fresh_names_dodge() {
        let mut scope = Scope::default();
        scope.reserve("t1");
        assert_eq!(&*scope.temporary(&mut 0), "t2");
        assert_eq!((scope.fresh("r#in"), scope.fresh("r#in")), ("r#in".into(), "in_2".into()));
    }
}
