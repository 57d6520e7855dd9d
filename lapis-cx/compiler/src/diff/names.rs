//! What programs know by name beside commands: errors, enums, constants.

use super::rules;
use super::section::{Found, Pairs, pairs};
use crate::contract::core::Type;
use crate::contract::{Const, Enum, Section};

pub(super) fn errors(old: &Section, new: &Section) -> Vec<Found> {
    let mut found = Vec::new();
    let Pairs { both, renamed, removed, added } =
        pairs(&old.errors, &new.errors, |error| &error.name, |a, b| a.code == b.code);
    for (a, b) in &renamed {
        let message = format!("the error `{}` (code {}) is now `{}`", a.name, a.code, b.name);
        found.push(Found::new(&rules::ERROR_RENAMED, message, Some(a.span), Some(b.span)));
    }
    for (a, b) in both.iter().chain(&renamed) {
        if a.code != b.code {
            let message = format!("the code of the error `{}` was {}, and is {}", b.name, a.code, b.code);
            found.push(Found::new(&rules::ERROR_CODE_CHANGED, message, Some(a.span), Some(b.span)));
        }
        if a.message != b.message || a.docs != b.docs {
            let message = format!("the description of the error `{}` changed", b.name);
            found.push(Found::new(&rules::ERROR_MESSAGE_CHANGED, message, Some(a.span), Some(b.span)));
        }
    }
    for b in added {
        let message = format!("the error `{}` (code {}) is new", b.name, b.code);
        found.push(Found::new(&rules::ERROR_ADDED, message, None, Some(b.span)));
    }
    for a in removed {
        let message = format!("the error `{}` (code {}) is gone", a.name, a.code);
        found.push(Found::new(&rules::ERROR_REMOVED, message, Some(a.span), None));
    }
    found
}

pub(super) fn enums(old: &Section, new: &Section) -> Vec<Found> {
    let mut found = Vec::new();
    // An enum has its cases as identity, so none is taken for a renamed one.
    let Pairs { both, removed, added, .. } = pairs(&old.enums, &new.enums, |def| &def.name, |_, _| false);
    for (a, b) in both {
        let base = |def: &Enum| if def.signed { Type::S(def.width) } else { Type::U(def.width) };
        let (was, is) = (base(a).text(old), base(b).text(new));
        if was != is {
            let message = format!("the enum `{}` was {was}, and is {is}", b.name);
            found.push(Found::new(&rules::ENUM_BASE_CHANGED, message, Some(a.span), Some(b.span)));
        }
        cases(a, b, &mut found);
    }
    for b in added {
        found.push(Found::new(&rules::ENUM_ADDED, format!("the enum `{}` is new", b.name), None, Some(b.span)));
    }
    for a in removed {
        found.push(Found::new(&rules::ENUM_REMOVED, format!("the enum `{}` is gone", a.name), Some(a.span), None));
    }
    found
}

fn cases(old: &Enum, new: &Enum, found: &mut Vec<Found>) {
    let Pairs { both, renamed, removed, added } =
        pairs(&old.cases, &new.cases, |case| &case.name, |a, b| a.pattern == b.pattern);
    let name = |case: &str| format!("`{}.{case}`", new.name);
    for (a, b) in renamed {
        let message = format!("the case {} is now {}", name(&a.name), name(&b.name));
        found.push(Found::new(&rules::CASE_RENAMED, message, Some(a.span), Some(b.span)));
    }
    for (a, b) in both.into_iter().filter(|(a, b)| a.pattern != b.pattern) {
        let message = format!("the pattern of {} was {}, and is {}", name(&b.name), a.pattern, b.pattern);
        found.push(Found::new(&rules::CASE_VALUE_CHANGED, message, Some(a.span), Some(b.span)));
    }
    for b in added {
        found.push(Found::new(&rules::CASE_ADDED, format!("the case {} is new", name(&b.name)), None, Some(b.span)));
    }
    for a in removed {
        found.push(Found::new(&rules::CASE_REMOVED, format!("the case {} is gone", name(&a.name)), Some(a.span), None));
    }
}

/// The constants that the interface itself declares: those around it have no generated names.
fn members(section: &Section) -> Vec<&Const> {
    section.consts.iter().filter(|constant| constant.is_member).collect()
}

pub(super) fn consts(old: &Section, new: &Section) -> Vec<Found> {
    let mut found = Vec::new();
    let (ours, theirs) = (members(old), members(new));
    let Pairs { both, removed, added, .. } = pairs(&ours, &theirs, |constant| &constant.name, |_, _| false);
    for (a, b) in both {
        let ty = |section: &Section, ty: &Option<Type>| ty.as_ref().map_or("unsized".into(), |ty| ty.text(section));
        let (was, is) = (ty(old, &a.ty), ty(new, &b.ty));
        if was != is {
            let message = format!("the constant `{}` was {was}, and is {is}", b.name);
            found.push(Found::new(&rules::CONST_TYPE_CHANGED, message, Some(a.span), Some(b.span)));
        }
        if a.value != b.value {
            let message = format!("the constant `{}` has another value", b.name);
            found.push(Found::new(&rules::CONST_VALUE_CHANGED, message, Some(a.span), Some(b.span)));
        }
    }
    for b in added {
        found.push(Found::new(&rules::CONST_ADDED, format!("the constant `{}` is new", b.name), None, Some(b.span)));
    }
    for a in removed {
        let message = format!("the constant `{}` is gone", a.name);
        found.push(Found::new(&rules::CONST_REMOVED, message, Some(a.span), None));
    }
    found
}
