//! State: how it is shared, what it holds, and where that lies in saved images.

use super::rules;
use super::section::{Found, Pairs, pairs, same_type};
use crate::contract::layout::Layout;
use crate::contract::{Field, Section, Sharing};

fn fields(section: &Section) -> &[Field] {
    section.state.as_ref().map_or(&[], |state| &state.fields)
}

fn position(section: &Section, name: &str) -> Option<usize> {
    fields(section).iter().position(|field| field.name == name)
}

/// Fields by name; a field of another name in the same place and of the same type was renamed.
fn field_pairs<'a>(old: &'a Section, new: &'a Section) -> Pairs<'a, Field> {
    let same =
        |a: &Field, b: &Field| position(old, &a.name) == position(new, &b.name) && same_type(old, &a.ty, new, &b.ty);
    pairs(fields(old), fields(new), |field| &field.name, same)
}

/// For each new field the number of the old one that it continues; other new fields get numbers that no old one has.
pub(super) fn field_numbers(old: &Section, new: &Section) -> Vec<u32> {
    let Pairs { both, renamed, .. } = field_pairs(old, new);
    let count = fields(old).len();
    let number = |(place, field): (usize, &Field)| {
        let partner = both.iter().chain(&renamed).find(|(_, b)| b.name == field.name);
        partner.and_then(|(a, _)| position(old, &a.name)).unwrap_or(count + place) as u32
    };
    fields(new).iter().enumerate().map(number).collect()
}

pub(super) fn compare(old: &Section, new: &Section) -> Vec<Found> {
    let mut found = Vec::new();
    let (a, b) = match (&old.state, &new.state) {
        (Some(a), Some(b)) => (a, b),
        (None, None) => return found,
        (Some(_), None) => {
            found.push(Found::new(&rules::STATE_REMOVED, "the state is gone".into(), None, None));
            return found;
        }
        (None, Some(_)) => {
            found.push(Found::new(&rules::STATE_ADDED, "it has state now".into(), None, None));
            return found;
        }
    };
    if a.sharing != b.sharing {
        let message = format!("the state was {}, and is {}", sharing(a.sharing), sharing(b.sharing));
        found.push(Found::new(&rules::SHARING_CHANGED, message, None, None));
    }
    if a.ucontext != b.ucontext {
        let message = format!("`@ucontext` was {}, and is {}", a.ucontext, b.ucontext);
        found.push(Found::new(&rules::UCONTEXT_CHANGED, message, None, None));
    }
    if a.docs != b.docs {
        found.push(Found::new(&rules::DOCS_CHANGED, "the description of the state changed".into(), None, None));
    }
    let Pairs { both, renamed, removed, added } = field_pairs(old, new);
    for (a, b) in &renamed {
        let message = format!("the field `{}` is now `{}`", a.name, b.name);
        found.push(Found::new(&rules::FIELD_RENAMED, message, Some(a.span), Some(b.span)));
    }
    let (old_layout, new_layout) = (Layout::new(old), Layout::new(new));
    let first = |section, layout: &Layout, field: &Field| {
        position(section, &field.name).and_then(|place| layout.fields.get(place)).map_or(0, |field| field.first)
    };
    for (a, b) in both.iter().chain(&renamed) {
        let (was, is) = (first(old, &old_layout, a), first(new, &new_layout, b));
        if was != is {
            let message = format!("the field `{}` starts at state word {is}, no longer at {was}", b.name);
            found.push(Found::new(&rules::FIELD_MOVED, message, Some(a.span), Some(b.span)));
        }
        let (was, is) = (a.ty.text(old), b.ty.text(new));
        if was != is {
            let message = format!("the field `{}` was {was}, and is {is}", b.name);
            found.push(Found::new(&rules::FIELD_TYPE_CHANGED, message, Some(a.span), Some(b.span)));
        } else if a.reset != b.reset {
            let message = format!("the field `{}` has another value after reset", b.name);
            found.push(Found::new(&rules::RESET_CHANGED, message, Some(a.span), Some(b.span)));
        }
        if a.docs != b.docs {
            let message = format!("the description of the field `{}` changed", b.name);
            found.push(Found::new(&rules::DOCS_CHANGED, message, Some(a.span), Some(b.span)));
        }
    }
    for b in added {
        let message = format!("the field `{}` is new", b.name);
        found.push(Found::new(&rules::FIELD_ADDED, message, None, Some(b.span)));
    }
    for a in removed {
        let message = format!("the field `{}` is gone", a.name);
        found.push(Found::new(&rules::FIELD_REMOVED, message, Some(a.span), None));
    }
    found
}

fn sharing(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::Exclusive => "`exclusive`",
        Sharing::CallerSave => "`shared(caller_save)`",
        Sharing::CalleeSave => "`shared(callee_save)`",
        Sharing::AlwaysInit => "`shared(always_init)`",
        Sharing::Custom => "`shared(custom, …)`",
    }
}
