//! Checks by the C compiler of sizes that only the library's headers tell. The engine rejects a plan that fails one.

use std::collections::HashSet;

use lapis_cx::contract::library::{HandleId, StructId};
use lapis_cx::lower::plan::{At, Required, required};

use crate::{Unit, ctype, words};

/// A condition, and what to do if it does not hold.
pub struct Check {
    pub condition: String,
    pub message: String,
}

/// Returns the checks of a library, each once.
pub fn checks(unit: &Unit<'_>) -> Vec<Check> {
    let mut all: Vec<Check> = Vec::new();
    for handle in (0..).take(unit.library.handles.len()) {
        let ty = ctype::handle(unit.library, HandleId(handle));
        all.push(Check {
            condition: format!("sizeof({ty}) == 4 || sizeof({ty}) == 8"),
            message: format!("a handle has 4 or 8 bytes: describe `{ty}` as a number or a struct"),
        });
    }
    // The engine copies the members of structs behind handles one by one. In other structs it needs to know which members are pointers.
    let behind_handles: HashSet<_> = unit.library.handles.iter().filter_map(|handle| handle.memory).collect();
    for (id, def) in (0..).map(StructId).zip(&unit.library.structs) {
        let ty = ctype::structure(unit.library, id);
        for member in &def.members {
            let name = member.c.as_ref().unwrap_or(&member.name);
            let ours = ctype::member(unit.library, &member.place);
            all.extend(ours.filter(|ours| behind_handles.contains(&id) || ours.ends_with('*')).map(|ours| Check {
                condition: format!("sizeof((({ty} *)0)->{name}) == sizeof({ours})"),
                message: format!(
                    "`{name}` of `{ty}` has another size in the header than in the specification; `{name}: T[n]` is an array \
                     in the struct"
                ),
            }));
        }
    }
    for (_, required) in required(unit.library, &unit.plan) {
        all.extend(match required {
            Required::Number(ty, bytes) => Some(Check {
                condition: format!("sizeof({ty}) <= {bytes} && (sizeof({ty}) & (sizeof({ty}) - 1)) == 0"),
                message: format!(
                    "`{ty}` is not a number of at most {bytes} bytes: write a wider type after `\"{ty}\" as`"
                ),
            }),
            Required::End(end, element) => {
                words::size_of(unit, &end).zip(words::size_of(unit, &element)).map(|(end, element)| Check {
                    condition: format!("{end} <= {element}"),
                    message: "the first member of a struct has fewer bytes than the specification says".to_owned(),
                })
            }
            Required::First(memory) => words::offset(unit, memory, At::Member(0)).map(|(of, member)| Check {
                condition: format!("CXR_AT({of}, {member}) == 0"),
                message: format!(
                    "`{member}` is not the first member in C: describe the members in the order of the C struct"
                ),
            }),
        });
    }
    let mut seen = HashSet::new();
    all.retain(|check| seen.insert(check.condition.clone()));
    all
}
