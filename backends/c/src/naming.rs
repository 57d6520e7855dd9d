//! The one authority for C names: what a declaration is called, which words are taken, which files there are.

mod access;
pub mod platform;
pub mod routine;

pub use access::CsrAccess;
use std::borrow::Cow;
use std::collections::HashSet;
use std::rc::Rc;

use lapis_cx::backend::{DerivedName, NameList, What, platforms};
use lapis_cx::contract::csr::Access;
use lapis_cx::contract::platform::{Platform, Reference};
use lapis_cx::contract::{Command, Contract, Form, Interface, Semantics};
use lapis_cx_core::encoding::Fallback;

use crate::{stub, xcmd};

/// Names of C identifiers and macros that a compilation unit sees.
const IDENTIFIERS: &str = "C identifier";
/// Names of output files.
const FILES: &str = "C file";

/// Words that a local, parameter or field cannot be called: keywords of C11 and C++17 (and C++20, which compilers
/// know), and names and macros of the headers that generated code includes or users commonly do.
const TAKEN: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "assert",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "errno",
    "explicit",
    "export",
    "extern",
    "false",
    "far",
    "float",
    "for",
    "friend",
    "goto",
    "i386",
    "if",
    "inline",
    "int",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "intptr_t",
    "linux",
    "long",
    "main",
    "mutable",
    "namespace",
    "near",
    "new",
    "noexcept",
    "noreturn",
    "not",
    "not_eq",
    "nullptr",
    "offsetof",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "ptrdiff_t",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "size_t",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "stderr",
    "stdin",
    "stdout",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "uintptr_t",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
];

/// Whether a name of ours or of the language may not be a local name.
fn is_taken(name: &str) -> bool {
    TAKEN.binary_search(&name).is_ok()
        || name.starts_with("cx_")
        || name.starts_with('_')
        // Macros are upper case by custom: NULL, EOF, INT32_MAX, CX_XLEN, and what users define.
        || (name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
}

/// A source name as a local, parameter or field. Different names stay different: a taken word, with or without
/// underscores behind it, gets one more.
pub fn local(name: &str) -> Cow<'_, str> {
    let stem = name.trim_end_matches('_');
    if is_taken(stem) || (stem != name && is_taken(name)) {
        Cow::Owned(format!("{name}_"))
    } else {
        Cow::Borrowed(name)
    }
}

/// The status word in the state structure.
pub const STATUS: &str = "status";

/// A source name as a field of the state structure.
pub fn field(name: &str) -> Cow<'_, str> {
    if name.trim_end_matches('_') == STATUS { Cow::Owned(format!("{name}_")) } else { local(name) }
}

/// Gives out names that are not given out yet, here or in the scope around it.
#[derive(Clone, Debug, Default)]
pub struct Scope<'a> {
    outer: Option<Rc<Scope<'a>>>,
    given: HashSet<Cow<'a, str>>,
}

impl<'a> Scope<'a> {
    /// A scope in another one, which is shared: an interface has many declarations, and thousands of names around them.
    pub fn inside(outer: &Rc<Scope<'a>>) -> Scope<'a> {
        Scope { outer: Some(outer.clone()), given: HashSet::new() }
    }

    /// Marks a name as given out.
    pub fn reserve(&mut self, name: impl Into<Cow<'a, str>>) {
        self.given.insert(name.into());
    }

    /// Takes a name back that this scope gave out.
    pub fn release(&mut self, name: &str) {
        self.given.remove(name);
    }

    /// Whether a name is given out.
    pub fn has(&self, name: &str) -> bool {
        self.given.contains(name) || self.is_outside(name)
    }

    /// Whether a scope around this one has given a name out.
    fn is_outside(&self, name: &str) -> bool {
        self.outer.as_ref().is_some_and(|outer| outer.has(name))
    }

    /// Gives a name out; `Err` has it if it was.
    fn give(&mut self, name: Cow<'a, str>) -> Result<Cow<'a, str>, Cow<'a, str>> {
        if self.given.is_empty() {
            // Few scopes have more, and a table that grows is filled again each time.
            self.given.reserve(8);
        }
        if self.is_outside(&name) || !self.given.insert(name.clone()) { Err(name) } else { Ok(name) }
    }

    /// This name, or the first free one of `name_2`, `name_3` and so on.
    pub fn fresh(&mut self, name: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
        let name = match self.give(name.into()) {
            Ok(name) => return name,
            Err(name) => name,
        };
        let mut n = 2u64;
        loop {
            if let Ok(name) = self.give(Cow::Owned(format!("{name}_{n}"))) {
                return name;
            }
            n += 1;
        }
    }

    /// The first free one of `t1`, `t2` and so on, from `next` on.
    pub fn temporary(&mut self, next: &mut u64) -> Cow<'a, str> {
        loop {
            *next += 1;
            if let Ok(name) = self.give(Cow::Owned(format!("t{next}"))) {
                return name;
            }
        }
    }
}

/// The names of one interface.
#[derive(Clone, Debug)]
pub struct Names {
    /// The stem of files: the short name, or the long one.
    pub stem: String,
    separator: &'static str,
}

impl Names {
    /// Names of which each begins with this and `_`.
    pub fn of_stem(stem: &str) -> Names {
        Names { stem: stem.to_owned(), separator: "_" }
    }

    /// `short_…` if the interface has a short name, else `pkg_dots__Iface__…`.
    pub fn new(interface: &Interface) -> Names {
        let Interface { package, name, short, long_name, .. } = interface;
        Names::of(package, name, short.as_deref(), long_name.as_deref())
    }

    /// The same, of an interface that a platform names.
    pub fn of_reference(reference: &Reference) -> Names {
        let Reference { package, name, short, long_name, .. } = reference;
        Names::of(package, name, short.as_deref(), long_name.as_deref())
    }

    /// Of a platform.
    pub fn of_platform(platform: &Platform) -> Names {
        Names::of(&platform.package, &platform.name, None, None)
    }

    fn of(package: &str, name: &str, short: Option<&str>, long_name: Option<&str>) -> Names {
        if let Some(short) = short {
            return Names { stem: short.to_owned(), separator: "_" };
        }
        let derived = || format!("{}__{name}", package.replace('.', "_"));
        Names { stem: long_name.map_or_else(derived, str::to_owned), separator: "__" }
    }

    /// A member of the interface, or one of its companions such as `state_init`.
    pub fn member(&self, name: &str) -> String {
        self.joined(&[name])
    }

    /// A member of the interface whose name has these parts.
    fn joined(&self, parts: &[&str]) -> String {
        let len = self.stem.len() + self.separator.len() + parts.iter().map(|part| part.len()).sum::<usize>();
        let mut name = String::with_capacity(len);
        name.push_str(&self.stem);
        name.push_str(self.separator);
        parts.iter().for_each(|part| name.push_str(part));
        name
    }

    /// The include guard.
    pub fn guard(&self) -> String {
        format!("CX_GENERATED_{}_H", self.stem)
    }

    /// The header, relative to the output folder.
    pub fn header(&self) -> String {
        format!("include/{}.h", self.stem)
    }

    /// The software fallback, relative to the output folder.
    pub fn fallback(&self) -> String {
        format!("src/{}_fallback.c", self.stem)
    }

    /// The header of the ckernels, relative to the output folder.
    pub fn ckernels_header(&self) -> String {
        format!("include/{}_ckernels.h", self.stem)
    }

    /// The ckernels, relative to the output folder.
    pub fn ckernels(&self) -> String {
        format!("src/{}_ckernels.c", self.stem)
    }

    /// The include guard of the header of the ckernels.
    pub fn ckernels_guard(&self) -> String {
        format!("CX_GENERATED_{}_CKERNELS_H", self.stem)
    }

    /// What the files of the ckernels are called, and what they declare where others see it.
    fn public_ckernels<'c>(&self, interface: &'c Interface) -> Vec<DerivedName<'c>> {
        let mut list = NameList::default();
        let of = interface.name.as_str();
        let mut add = |space, what, name| list.push(space, name, What::new([what, of, "`"]), interface.span);
        add(FILES, "the header of the ckernels of `", self.ckernels_header());
        add(FILES, "the ckernels of `", self.ckernels());
        add(IDENTIFIERS, "the table of the ckernels of `", self.member("ckernels"));
        add(IDENTIFIERS, "the include guard of the ckernels of `", self.ckernels_guard());
        list.into_names()
    }

    /// The devices and tables of a platform, relative to the output folder.
    pub fn platform(&self) -> String {
        format!("src/{}_platform.c", self.stem)
    }

    /// Everything that the files of an interface declare where others see it.
    pub fn public<'c>(&self, interface: &'c Interface) -> Vec<DerivedName<'c>> {
        let mut list = NameList::default();
        let mut add = |space, what, span, name: &dyn Fn() -> String| list.add(space, what, span, name);
        let of = interface.name.as_str();
        add(FILES, What::new(["the header of `", of, "`"]), interface.span, &|| self.header());
        add(FILES, What::new(["the fallback of `", of, "`"]), interface.span, &|| self.fallback());
        for companion in COMPANIONS {
            let what = What::new(["`", companion, "` of `", of, "`"]);
            add(IDENTIFIERS, what, interface.span, &|| self.member(companion));
        }
        add(IDENTIFIERS, What::new(["the include guard of `", of, "`"]), interface.span, &|| self.guard());
        if interface.xintf.is_some() && interface.sections.iter().any(xcmd::has_xcmd) {
            for lookup in Fallback::ALL.map(Fallback::mnemonic) {
                let what = What::new(["`", lookup, "` of `", of, "`"]);
                add(IDENTIFIERS, what, interface.span, &|| self.member(lookup));
                let what = What::new(["`", lookup, "` with data of `", of, "`"]);
                add(IDENTIFIERS, what, interface.span, &|| self.lookup_with(lookup));
            }
        }
        for section in &interface.sections {
            for command in &section.commands {
                let (source, span) = (command.name.as_str(), command.span);
                let mut add = |before, name: &dyn Fn() -> String| {
                    add(IDENTIFIERS, What::new([before, "command `", source, "`"]), span, name);
                };
                add("", &|| self.member(source));
                if stub::has_stub(command) && command.forms.contains(&Form::Xcmd) {
                    add("form xcmd of ", &|| self.xcmd(command));
                }
                add("the function id of ", &|| self.id(source));
                if stub::has_immediate_stub(command) {
                    add("form I of ", &|| self.immediate(source));
                }
                for stub in stub::movable_stubs(self, section, command) {
                    add("what compilers may move of ", &|| self.movable(&stub));
                }
                if xcmd::has_cookie_stub(command) {
                    add("form xcmd, with the cookie's data, of ", &|| self.xcmd_of_cookie(command));
                }
                if matches!(command.semantics, Semantics::Opaque) {
                    add("the body of ", &|| self.body(source));
                }
                add("the fallback of ", &|| self.software(source));
                add("the fallback with status of ", &|| self.software_with_status(source));
            }
            if !section.csrs.is_empty() {
                let what = What::new(["`sw_access` of `", of, "`"]);
                add(IDENTIFIERS, what, interface.span, &|| self.member("sw_access"));
            }
            if crate::fallback::has_flex(section) {
                let what = What::new(["`sw_flex` of `", of, "`"]);
                add(IDENTIFIERS, what, interface.span, &|| self.member("sw_flex"));
            }
            for csr in &section.csrs {
                let source = csr.name.as_str();
                let what = What::new(["the address of CSR `", source, "`"]);
                add(IDENTIFIERS, what, csr.span, &|| self.csr_address(source));
                for access in crate::csr::accesses(csr) {
                    let what = What::new(["`", access.word(), "` of CSR `", source, "`"]);
                    add(IDENTIFIERS, what, csr.span, &|| self.csr(source, *access));
                }
                for access in ["read"].into_iter().chain((csr.access == Access::Rw).then_some("write")) {
                    let what = What::new(["`", access, "` of CSR `", source, "` in software"]);
                    add(IDENTIFIERS, what, csr.span, &|| self.software_csr(source, access));
                }
                for field in &csr.fields {
                    let parts = [("`get` of `", "get"), ("`mask` of `", "mask"), ("`shift` of `", "shift")].into_iter();
                    for (before, part) in parts.chain((csr.access == Access::Rw).then_some(("`put` of `", "put"))) {
                        let what = What::new([before, &field.name, "`, a field of CSR `", source, "`"]);
                        add(IDENTIFIERS, what, field.span, &|| self.csr_field(source, &field.name, part));
                    }
                }
            }
            for constant in section.consts.iter().filter(|c| c.is_member) {
                let what = What::new(["constant `", &constant.name, "`"]);
                add(IDENTIFIERS, what, constant.span, &|| self.member(&constant.name));
            }
            for error in &section.errors {
                let what = What::new(["error `", &error.name, "`"]);
                add(IDENTIFIERS, what, error.span, &|| self.error(&error.name));
            }
            for def in &section.enums {
                let what = What::new(["enum `", &def.name, "`"]);
                add(IDENTIFIERS, what, def.span, &|| self.member(&def.name));
                for case in &def.cases {
                    let what = What::new(["case `", &def.name, ".", &case.name, "`"]);
                    add(IDENTIFIERS, what, case.span, &|| self.case(&def.name, &case.name));
                }
            }
        }
        list.into_names()
    }

    /// What the parameters of an interface's functions and macros may not hide.
    pub fn taken(&self, interface: &Interface) -> Rc<Scope<'static>> {
        let mut taken = Scope::default();
        taken.given.extend(self.public(interface).into_iter().map(|derived| derived.name.into()));
        Rc::new(taken)
    }

    /// The same with the names of the ckernels.
    pub fn taken_by_ckernels(&self, interface: &Interface) -> Rc<Scope<'static>> {
        let all = self.public(interface).into_iter().chain(self.public_ckernels(interface));
        let mut taken = Scope::default();
        taken.given.extend(all.map(|derived| derived.name.into()));
        Rc::new(taken)
    }

    /// The constant that is a command's function id.
    pub fn id(&self, command: &str) -> String {
        self.joined(&["id_", command])
    }

    /// The stub of a command's form I, beside the one that takes all operands in registers.
    pub fn immediate(&self, command: &str) -> String {
        self.joined(&[command, "_i"])
    }

    /// The stub beside another, for a command that compilers may merge and move.
    pub fn movable(&self, stub: &str) -> String {
        [stub, "_in"].concat()
    }

    /// A lookup of a device that gives data to the cookie.
    pub fn lookup_with(&self, lookup: &str) -> String {
        self.joined(&[lookup, "_with"])
    }

    /// The constant that is a CSR's address.
    pub fn csr_address(&self, csr: &str) -> String {
        self.joined(&["csr_", csr])
    }

    /// An access of a CSR of the selected CX.
    pub fn csr(&self, csr: &str, access: CsrAccess) -> String {
        self.joined(&[csr, "_", access.word()])
    }

    /// The `read` or `write` of a CSR in software.
    pub fn software_csr(&self, csr: &str, access: &str) -> String {
        self.joined(&["sw_", csr, "_", access])
    }

    /// The `mask`, `shift`, `get` or `put` of a field of a CSR.
    pub fn csr_field(&self, csr: &str, field: &str, part: &str) -> String {
        self.joined(&[csr, "_", field, "_", part])
    }

    /// The stub of a command as an overloadable opcode.
    pub fn xcmd(&self, command: &Command) -> String {
        let name = &command.name;
        if stub::has_stub(command) { self.joined(&[name, "_x"]) } else { self.member(name) }
    }

    /// The stub of an overloadable opcode whose first operand is the data of the cookie.
    pub fn xcmd_of_cookie(&self, command: &Command) -> String {
        [&self.xcmd(command), "_cookie"].concat()
    }

    /// The constant that is an error's code.
    pub fn error(&self, error: &str) -> String {
        self.joined(&["error_", error])
    }

    /// The constant that is an enum's case.
    pub fn case(&self, def: &str, case: &str) -> String {
        self.joined(&[def, "_", case])
    }

    /// The software function of a command.
    pub fn software(&self, command: &str) -> String {
        self.joined(&["sw_", command])
    }

    /// What others define as the body of a command that is declared without one.
    pub fn body(&self, command: &str) -> String {
        self.joined(&["body_", command])
    }

    /// The software function of a command that reports the response.
    pub fn software_with_status(&self, command: &str) -> String {
        self.joined(&["sw_", command, "_st"])
    }
}

/// What every interface may have beside its members.
pub const COMPANIONS: &[&str] = &[
    "contract",
    "soft_cxu",
    "state",
    "state_init",
    "state_restore",
    "state_save",
    "sw_issue",
    "uuid",
    "xintf",
    "xintf52",
];

/// Every name and file of a contract; with those of the ckernels, if there are any.
pub fn derive(contract: &Contract, ckernels: bool, firmware: bool) -> Vec<DerivedName<'_>> {
    let concrete = contract.interfaces().filter(|interface| !interface.is_abstract);
    let mut all = Vec::new();
    for interface in concrete {
        let names = Names::new(interface);
        all.extend(names.public(interface));
        if ckernels {
            all.extend(names.public_ckernels(interface));
        }
    }
    all.extend(contract.libraries().flat_map(routine::names));
    all.extend(routine::taken(contract));
    all.extend(platforms(contract).flat_map(platform::names));
    if firmware {
        all.extend(contract.platforms().flat_map(platform::machine_names));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taken_words_are_sorted_so_that_the_search_finds_them() {
        assert!(TAKEN.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn escaping_keeps_names_apart() {
        for word in ["int", "errno", "EOF", "main", "class", "restrict", "_x", "cx_y"] {
            let words = ["", "_", "__"].map(|tail| format!("{word}{tail}"));
            let escaped = words.each_ref().map(|word| local(word));
            assert!(escaped.iter().all(|e| e.ends_with('_')), "{escaped:?}");
            assert_eq!(escaped.iter().collect::<HashSet<_>>().len(), 3, "{escaped:?}");
        }
        assert_eq!(local("acc"), "acc");
        assert_eq!(local("acc_"), "acc_");
        assert_eq!(local("N"), "N");
    }

    #[test]
    fn fresh_names_dodge() {
        let mut scope = Scope::default();
        scope.reserve("t1");
        assert_eq!(scope.temporary(&mut 0), "t2");
        assert_eq!(scope.fresh("st"), "st");
        assert_eq!(scope.fresh("st"), "st_2");
    }

    #[test]
    fn a_scope_inside_another_holds_its_own_names_only() {
        let mut outer = Scope::default();
        ["a", "a_2", "t1"].into_iter().for_each(|name| outer.reserve(name));
        let outer = Rc::new(outer);
        let mut scope = Scope::inside(&outer);
        assert_eq!([scope.fresh("a"), scope.fresh("a"), scope.fresh("b")], ["a_3", "a_4", "b"]);
        assert_eq!(scope.temporary(&mut 0), "t2");
        assert_eq!((scope.given.len(), outer.given.len()), (4, 3));
        assert!(scope.has("t1") && scope.has("b") && !outer.has("b"));
        assert_eq!(Scope::inside(&Rc::new(scope)).fresh("a_3"), "a_3_2");
    }
}
