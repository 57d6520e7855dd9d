//! The one authority for names in assembly: what a declaration is called, and which files there are.
//!
//! Every name is a prefix of the interface, at least one underscore, and the name in the source. No mnemonic, register,
//! directive or CSR of an assembler has an underscore, so a name shadows none, whatever it is in the source: `short_add`
//! stands beside `add`.

use lapis_cx::backend::{DerivedName, NameList, What};
use lapis_cx::contract::core::Value;
use lapis_cx::contract::{Command, Contract, Form, Interface, Slot};
use lapis_cx_core::encoding::Fallback;

/// Macros of the assembler. GNU as does not tell their cases apart.
const MACROS: &str = "assembler macro";
/// Macros of the preprocessor, which replace a name wherever it stands.
const DEFINES: &str = "preprocessor macro in assembly";
/// Names of output files.
const FILES: &str = "asm file";

/// The names of one interface.
#[derive(Clone, Debug)]
pub struct Names {
    /// The stem of files: the short name, or the long one.
    pub stem: String,
    long: String,
    short: Option<String>,
}

impl Names {
    /// `pkg_dots__Iface__…`, and `short_…` too if the interface has a short name.
    pub fn new(interface: &Interface) -> Names {
        let derived = || format!("{}__{}", interface.package.replace('.', "_"), interface.name);
        let long = interface.long_name.clone().unwrap_or_else(derived);
        Names { stem: interface.short.clone().unwrap_or(long.clone()), long, short: interface.short.clone() }
    }

    /// A member of the interface, or one of its companions such as `uuid`, under its long name.
    pub fn long(&self, name: &str) -> String {
        format!("{}__{name}", self.long)
    }

    /// The same under its short name, which the preprocessor replaces by the long one.
    pub fn short(&self, name: &str) -> Option<String> {
        self.short.as_ref().map(|short| format!("{short}_{name}"))
    }

    /// The include guard.
    pub fn guard(&self) -> String {
        format!("CX_GENERATED_ASM_{}_H", self.stem)
    }

    /// The header, relative to the output folder.
    pub fn header(&self) -> String {
        format!("asm/{}.h", self.stem)
    }
}

/// The forms of a command that are instructions, each with its name behind the prefix. The first one, which is that of
/// the C stub, has the name of the command.
pub fn forms(command: &Command) -> Vec<(Form, String)> {
    let immediate = command.operands.iter().any(|o| o.slot == Slot::Imm);
    let lone = command.operands.len() == 1 && !immediate;
    let rank = |form: &Form| match form {
        Form::R => 0,
        Form::I if lone => 1,
        Form::Flex if !immediate => 2,
        Form::I => 3,
        Form::Flex => 4,
        Form::Flex25 => 5,
        Form::Xcmd => 6,
    };
    let suffix = |form: Form| match form {
        Form::R => "r",
        Form::I => "i",
        Form::Flex => "flex",
        Form::Flex25 => "flex25",
        Form::Xcmd => "x",
    };
    let mut forms = command.forms.clone();
    forms.sort_by_key(rank);
    let named = |(i, form): (usize, Form)| match i {
        0 => (form, command.name.clone()),
        _ => (form, format!("{}_{}", command.name, suffix(form))),
    };
    forms.into_iter().enumerate().map(named).collect()
}

/// The function id of a command.
pub fn id(command: &str) -> String {
    format!("id_{command}")
}

/// The code of an error.
pub fn error(error: &str) -> String {
    format!("error_{error}")
}

/// The pattern of an enum's case.
pub fn case(def: &str, case: &str) -> String {
    format!("{def}_{case}")
}

/// The address of a CSR.
pub fn csr(csr: &str) -> String {
    format!("csr_{csr}")
}

/// The lowest bit of a CSR's field.
pub fn shift(csr: &str, field: &str) -> String {
    format!("{csr}_{field}_shift")
}

/// The bits of a CSR's field, where they stand.
pub fn mask(csr: &str, field: &str) -> String {
    format!("{csr}_{field}_mask")
}

/// The index of a state field's first word.
pub fn word(field: &str) -> String {
    format!("word_{field}")
}

/// Every name and file of a contract.
pub fn derive(contract: &Contract) -> Vec<DerivedName<'_>> {
    contract.interfaces().filter(|interface| !interface.is_abstract).flat_map(of_interface).collect()
}

/// Every name and file of one interface.
pub fn of_interface(interface: &Interface) -> Vec<DerivedName<'_>> {
    let own = Names::new(interface);
    let mut list = NameList::default();
    let of = interface.name.as_str();
    list.add(FILES, What::new(["the assembly header of `", of, "`"]), interface.span, || own.header());
    list.add(DEFINES, What::new(["the include guard of `", of, "`"]), interface.span, || own.guard());
    let mut both = |what, is_macro: bool, span, name: &dyn Fn() -> String| {
        if !list.is_new(DEFINES, what) {
            return;
        }
        let name = name();
        if is_macro {
            list.push(MACROS, own.long(&name).to_ascii_lowercase(), what, span);
        }
        list.push(DEFINES, own.long(&name), what, span);
        if let Some(short) = own.short(&name) {
            list.push(DEFINES, short, what, span);
        }
    };
    for companion in companions(interface) {
        let what = What::new(["`", companion.name, "` of `", of, "`"]);
        both(what, companion.is_macro, interface.span, &|| companion.name.to_owned());
    }
    for section in &interface.sections {
        for command in &section.commands {
            let (source, span) = (command.name.as_str(), command.span);
            for (i, (form, name)) in forms(command).into_iter().enumerate() {
                let what = match i {
                    0 => What::new(["command `", source, "`"]),
                    _ => What::new(["form ", form.name(), " of command `", source, "`"]),
                };
                both(what, true, span, &|| name.clone());
            }
            both(What::new(["the function id of command `", source, "`"]), false, span, &|| id(source));
        }
        for constant in section.consts.iter().filter(|c| c.is_member && matches!(c.value, Value::Int(_))) {
            let what = What::new(["constant `", &constant.name, "`"]);
            both(what, false, constant.span, &|| constant.name.clone());
        }
        for def in &section.errors {
            both(What::new(["error `", &def.name, "`"]), false, def.span, &|| error(&def.name));
        }
        for def in &section.enums {
            for entry in &def.cases {
                let what = What::new(["case `", &def.name, ".", &entry.name, "`"]);
                both(what, false, entry.span, &|| case(&def.name, &entry.name));
            }
        }
        for def in &section.csrs {
            let what = What::new(["the address of CSR `", &def.name, "`"]);
            both(what, false, def.span, &|| csr(&def.name));
            for field in &def.fields {
                let of = |before| What::new([before, &field.name, "` of CSR `", &def.name, "`"]);
                both(of("the lowest bit of field `"), false, field.span, &|| shift(&def.name, &field.name));
                both(of("the bits of field `"), false, field.span, &|| mask(&def.name, &field.name));
            }
        }
        for field in section.state.iter().flat_map(|state| &state.fields) {
            let what = What::new(["the word index of `", &field.name, "`"]);
            both(what, false, field.span, &|| word(&field.name));
        }
    }
    list.into_names()
}

/// What stands for the interface itself.
pub struct Companion {
    /// Its name behind the prefix.
    pub name: &'static str,
    is_macro: bool,
}

/// The companions of an interface.
fn companions(interface: &Interface) -> Vec<Companion> {
    let has_state = interface.sections.iter().any(|s| s.state.is_some());
    let mut names = vec![("contract_data", true)];
    if interface.uuid.is_some() {
        names.push(("uuid_data", true));
    }
    if interface.xintf.is_some() {
        names.extend([("uuid", false), ("xintf", false), ("xintf52", false)]);
        names.extend(Fallback::ALL.map(|fallback| (fallback.mnemonic(), true)));
    }
    if has_state {
        names.push(("state_words", false));
    }
    names.into_iter().map(|(name, is_macro)| Companion { name, is_macro }).collect()
}
