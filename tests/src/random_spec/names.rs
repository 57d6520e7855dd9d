//! What the names of a generated spec are called: the same spec can be written under any names.

use std::collections::HashMap;

use super::dice::Dice;
use super::model::{Name, Role, Spec};

/// The spelling of each name.
#[derive(Clone, Debug)]
pub struct Names {
    /// The package, dotted.
    pub package: String,
    /// By [`Name`].
    spelled: Vec<String>,
}

/// Locals that are words of the language (which are contextual) or of a target.
const STRANGE: &[&str] = &[
    "state",
    "command",
    "error",
    "law",
    "example",
    "interface",
    "library",
    "platform",
    "enum",
    "csr",
    "uuid",
    "short",
    "xlen",
    "imm",
    "auto",
    "package",
    "use",
    "fn",
    "const",
    "op",
    "exclusive",
    "int",
    "register",
    "unsigned",
    "class",
    "self",
    "type",
    "impl",
    "crate",
    "mut",
    "rd",
    "rs1",
    "rs2",
    "cx",
    "status",
    "context",
    "value",
    "result",
    "uint32_t",
    "cx_word_t",
    "main",
    "errno",
    "template",
    "u",
    "s",
    "join",
    "trunc",
    "len",
    "min",
    "linux",
    "NULL",
    "i",
    "e",
    "t0",
    "response",
    "function",
    "loop",
    "dyn",
    "async",
    "super",
    "where",
    "abs",
    "out",
    "raises",
    "reset",
];

impl Names {
    /// Short names that say what a name is for.
    pub fn plain(spec: &Spec) -> Names {
        Names::of(spec, format!("org.fuzz.{}", spec.package), |role, place, _| {
            let first = match role {
                Role::Interface => 'I',
                Role::Global => 'g',
                Role::Case => 'k',
                Role::Local(_) => 'v',
            };
            format!("{first}{}", letters(place))
        })
    }

    /// Other names for everything, some of them words of the language or of C.
    pub fn strange(spec: &Spec, dice: &mut Dice) -> Names {
        let mut strange = STRANGE.to_vec();
        dice.shuffle(&mut strange);
        let mut globals: Vec<usize> = (0..spec.names.len()).collect();
        dice.shuffle(&mut globals);
        let package = format!("strange.{}.renamed", spec.package);
        Names::of(spec, package, |role, place, all| {
            let number = letters(globals.get(all).copied().unwrap_or(all));
            match role {
                Role::Interface => format!("Q{number}X"),
                Role::Global if place % 3 == 0 => format!("Z{}", number.to_uppercase()),
                Role::Global => format!("q_{number}"),
                Role::Case => format!("{number}_c"),
                Role::Local(_) => match strange.get(place) {
                    Some(word) => (*word).to_owned(),
                    None => format!("{number}_L"),
                },
            }
        })
    }

    fn of(spec: &Spec, package: String, mut spell: impl FnMut(Role, usize, usize) -> String) -> Names {
        // Locals of different bodies may be called alike.
        let mut locals: HashMap<u32, usize> = HashMap::new();
        let spelled = spec.names.iter().enumerate().map(|(all, role)| {
            let place = match role {
                Role::Local(body) => {
                    let next = locals.entry(*body).or_default();
                    *next += 1;
                    *next - 1
                }
                _ => all,
            };
            spell(*role, place, all)
        });
        Names { package, spelled: spelled.collect() }
    }

    /// How a name is spelled.
    pub fn get(&self, name: Name) -> &str {
        self.spelled.get(name.0 as usize).map_or("missing", String::as_str)
    }
}

/// a, b, …, z, aa, ab, …: no digits, as the members of a family end in some.
fn letters(mut n: usize) -> String {
    let mut text = String::new();
    loop {
        text.insert(0, char::from(b'a' + (n % 26) as u8));
        n /= 26;
        if n == 0 {
            return text;
        }
        n -= 1;
    }
}
