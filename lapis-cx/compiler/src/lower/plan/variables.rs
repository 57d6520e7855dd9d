//! Variable arguments that have types: `...: match (op) { v => (params); }`.

use super::block::{Flow, Planner};
use super::{At, Case, Code, Kind, Op, Value, Variables};
use crate::contract::library::place::{Place, Scalar, Type};
use crate::contract::library::{Function, Param, Rest};
use crate::int::Int;

/// Half-open ranges of the number that decides, none for `_`; and the arguments then.
type Tuple<'a> = (&'a [(Int, Int)], &'a [Param]);

/// The cases of a function's variable arguments in the order of [`At::Variable`].
pub(super) fn cases(function: &Function) -> Vec<Tuple<'_>> {
    match rest(function).map(|place| &place.ty) {
        Some(Type::Tuple(params)) => vec![(&[], params.as_slice())],
        Some(Type::Match { arms, default, .. }) => {
            let mut cases: Vec<_> = arms.iter().map(|arm| (arm.patterns.as_slice(), tuple(&arm.place))).collect();
            cases.extend(default.as_deref().map(|place| (&[][..], tuple(place))));
            cases
        }
        _ => Vec::new(),
    }
}

fn rest(function: &Function) -> Option<&Place> {
    match &function.rest {
        Some(Rest::Typed(place)) => Some(place),
        Some(Rest::Local) | None => None,
    }
}

fn tuple(place: &Place) -> &[Param] {
    match &place.ty {
        Type::Tuple(params) => params,
        _ => &[],
    }
}

/// To what C turns an argument for which no parameter is declared (C11, 6.5.2.2), if to something else.
fn promoted(place: &Place, base: impl Fn(&Place) -> Option<u32>) -> Option<Scalar> {
    match &place.ty {
        Type::Scalar(Scalar::Float) => Some(Scalar::Double),
        Type::Scalar(
            Scalar::Bool
            | Scalar::Char
            | Scalar::Short
            | Scalar::UShort
            | Scalar::Unsigned(8 | 16)
            | Scalar::Signed(8 | 16),
        ) => Some(Scalar::Int),
        Type::Enum(_) if base(place).is_some_and(|bytes| bytes < 4) => Some(Scalar::Int),
        _ => None,
    }
}

impl<'a> Planner<'a> {
    /// The number that decides between cases, if there are several.
    fn decider(&mut self, function: &'a Function) -> Option<Code> {
        match &rest(function)?.ty {
            Type::Match { value, .. } => Some(self.frames.code(value)),
            _ => None,
        }
    }

    /// Each variable argument as a value that is there in its case only.
    pub fn variable_arguments(&mut self, function: &'a Function) -> Vec<(At, Value)> {
        let cases = cases(function);
        let named: Vec<(Int, Int)> = cases.iter().flat_map(|(patterns, _)| patterns.iter().cloned()).collect();
        let decider = self.decider(function);
        let mut values = Vec::new();
        for (case, (patterns, params)) in (0..).zip(&cases) {
            self.frames.case = Some((case, *params));
            for (n, param) in (0..).zip(*params) {
                let flow = Flow { copy_in: true, copy_out: false };
                self.frames.enter(At::Variable(case, n));
                let value = self.value(&param.place, flow, false, &[]);
                values.push((At::Variable(case, n), in_case(decider.as_ref(), patterns, &named, value)));
            }
        }
        self.frames.case = None;
        // `_ => ()` describes no arguments: the library would read arguments that the caller did not pass.
        let is_undescribed = |(patterns, params): &Tuple<'_>| patterns.is_empty() && params.is_empty();
        if let Some((_, Value { kind: Kind::Match { arms, default, .. }, .. })) = values.first_mut()
            && cases.iter().any(is_undescribed)
        {
            arms.push((named, Value::NOTHING));
            *default = None;
        }
        values
    }

    /// How a caller's stub finds them, and a worker's thunk passes them.
    pub fn variables(&mut self, function: &'a Function) -> Option<Variables> {
        rest(function)?;
        let value = self.decider(function);
        let sizes = self.frames.sizes();
        let base = |place: &Place| match place.ty {
            Type::Enum(id) => Some(sizes.base(id).0),
            _ => None,
        };
        let cases = cases(function).into_iter().map(|(patterns, params)| Case {
            patterns: patterns.to_vec(),
            promoted: params.iter().map(|param| promoted(&param.place, base)).collect(),
        });
        let value = value.unwrap_or_else(|| Code { ops: vec![Op::Int(Int::ZERO)], text: "0".to_owned() });
        Some(Variables { value, cases: cases.collect() })
    }
}

/// A value that is there only if a number is one of these; without patterns, if it is none of those that are named.
fn in_case(decider: Option<&Code>, patterns: &[(Int, Int)], named: &[(Int, Int)], value: Value) -> Value {
    let Some(decider) = decider else { return value };
    let (copy_in, copy_out) = (value.copy_in, value.copy_out);
    let (arms, default) = match patterns {
        [] if named.is_empty() => (Vec::new(), value),
        [] => (vec![(named.to_vec(), Value::NOTHING)], value),
        patterns => (vec![(patterns.to_vec(), value)], Value::NOTHING),
    };
    let kind = Kind::Match { value: decider.clone(), arms, default: Some(Box::new(default)) };
    Value { copy_in, copy_out, on: None, kind }
}
