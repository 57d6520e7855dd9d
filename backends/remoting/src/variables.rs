//! Variable arguments with types: how a stub reads them, and how a thunk passes them to the real function.

use std::cmp::Ordering;

use lapis_cx::contract::library::place::{Scalar, Type};
use lapis_cx::contract::library::{Function, Library, Param, Rest};
use lapis_cx::int::Int;
use lapis_cx::lower::plan::{Decider, Variables};
use lapis_cx_backend_c::library::place_type;

use crate::{ctype, naming};

/// A case of variable arguments.
pub struct Case {
    /// The condition about the variable `cxr_case`; `None` for the default case.
    pub condition: Option<String>,
    /// The arguments.
    pub arguments: Vec<Argument>,
}

/// A variable argument.
pub struct Argument {
    /// The member of the struct of arguments.
    pub member: String,
    /// The type of the member.
    pub ty: String,
    /// The type after the default argument promotions, if they change it.
    pub promoted: Option<String>,
}

/// Returns the parameters of each case; `_` is the last case.
pub fn params(function: &Function) -> Vec<&[Param]> {
    match &function.rest {
        Some(Rest::Typed(place)) => match &place.ty {
            Type::Tuple(params) => vec![params.as_slice()],
            Type::Match { arms, default, .. } => {
                let all = arms.iter().map(|arm| &arm.place).chain(default.as_deref());
                let params = all.map(|place| match &place.ty {
                    Type::Tuple(params) => params.as_slice(),
                    _ => &[],
                });
                params.collect()
            }
            _ => Vec::new(),
        },
        Some(Rest::Local) | None => Vec::new(),
    }
}

/// Returns the member that stores a variable argument.
pub fn member(case: usize, name: &str) -> String {
    naming::member(&format!("{case}_{name}"))
}

/// Returns the type and name of each member that stores a variable argument.
pub fn members(library: &Library, function: &Function) -> Vec<(String, String)> {
    let cases = params(function).into_iter().enumerate();
    let all = cases.flat_map(|(case, params)| {
        params.iter().map(move |param| {
            let ty = ctype::variable(&place_type(library, Some(function), &param.place));
            (ty, member(case, &param.name))
        })
    });
    all.collect()
}

/// Returns the parameter that selects the case, and the cases; `None` if the case depends on more than one parameter.
pub fn cases(library: &Library, function: &Function, variables: &Variables) -> Option<(String, Vec<Case>)> {
    let (decider, has_sign) = match variables.decider()? {
        Decider::Constant(value) => (value.to_string(), true),
        Decider::Param(n, number) => {
            (naming::member(&function.params.get(n as usize)?.name), number.is_signed || number.is_char)
        }
    };
    let cases = params(function).into_iter().zip(&variables.cases).enumerate();
    let cases = cases.map(|(at, (params, case))| {
        let ranges: Vec<String> = case.patterns.iter().map(|(from, to)| range(from, to, has_sign)).collect();
        let arguments = params.iter().zip(&case.promoted).map(|(param, promoted)| Argument {
            member: member(at, &param.name),
            ty: ctype::variable(&place_type(library, Some(function), &param.place)),
            promoted: promoted.map(|scalar: Scalar| ctype::scalar(library, scalar)),
        });
        let condition = (!ranges.is_empty()).then(|| ranges.join(" || "));
        Case { condition, arguments: arguments.collect() }
    });
    Some((decider, cases.collect()))
}

/// Prints the condition that `cxr_case` is in a half-open range. Numbers of 64 bits without a sign are negative in `cxr_case` from 2^63 on.
fn range(from: &Int, to: &Int, has_sign: bool) -> String {
    let (least, end) = if has_sign { (-&Int::pow2(63), Int::pow2(63)) } else { (Int::ZERO, Int::pow2(64)) };
    let (from, to) = (from.max(&least), to.min(&end));
    let bits = |value: Option<i128>| value.map_or(0, |value| value as i64);
    let (first, last) = (bits(from.to_i128()), bits(to.to_i128()).wrapping_sub(1));
    if from >= to {
        return "0".to_owned();
    }
    match first.cmp(&last) {
        Ordering::Equal => format!("cxr_case == {}", number(first)),
        Ordering::Less => format!("(cxr_case >= {} && cxr_case <= {})", number(first), number(last)),
        Ordering::Greater => format!("(cxr_case >= {} || cxr_case <= {})", number(first), number(last)),
    }
}

fn number(value: i64) -> String {
    match value {
        i64::MIN => format!("(-{}ll - 1)", i64::MAX),
        value => format!("{value}ll"),
    }
}

/// Prints a chain of `if` with what `statements` returns for the arguments of each case.
pub fn chain(decider: &str, cases: &[Case], statements: impl Fn(&[Argument]) -> String) -> String {
    if let [Case { condition: None, arguments }] = cases {
        return statements(arguments);
    }
    let mut text = format!("    const long long cxr_case = (long long){decider};\n");
    for (n, case) in cases.iter().filter(|case| case.condition.is_some()).enumerate() {
        let condition = case.condition.as_deref().unwrap_or_default();
        let inner = statements(&case.arguments);
        text += &format!("    {}if ({condition}) {{\n", if n == 0 { "" } else { "} else " });
        text += &inner.lines().map(|line| format!("    {line}\n")).collect::<String>();
    }
    let rest = cases.iter().find(|case| case.condition.is_none()).map(|case| case.arguments.as_slice());
    let inner = statements(rest.unwrap_or_default());
    text += "    } else {\n";
    text += &inner.lines().map(|line| format!("    {line}\n")).collect::<String>();
    text + "    }\n"
}
