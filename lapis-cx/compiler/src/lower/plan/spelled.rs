//! The sizes that a plan requires of C types, if only the library's headers define the types.

use super::name::span_of;
use super::{At, Kind, Memory, Plan, Size, Value};
use crate::contract::library::Library;
use crate::source::Span;

/// What the C compiler must confirm of a type.
#[derive(Clone, Debug, PartialEq)]
pub enum Required {
    /// A number, given by its text in C, has at most this many bytes, and a size that numbers have.
    Number(String, u32),
    /// The number that ends a buffer is no larger than an element.
    End(Size, Size),
    /// The C struct must begin with the first member of this struct, which is compared with the end of a buffer.
    First(Memory),
}

/// Returns what a plan requires, and where the source describes it.
pub fn required(library: &Library, plan: &Plan) -> Vec<(Span, Required)> {
    let mut all = Vec::new();
    for block in &plan.blocks {
        for (at, value) in &block.values {
            find(plan, value, &mut |required| {
                let span = span_of(library, block.memory, *at).unwrap_or(library.span);
                if !all.contains(&(span, required.clone())) {
                    all.push((span, required));
                }
            });
        }
    }
    all
}

fn find(plan: &Plan, value: &Value, then: &mut impl FnMut(Required)) {
    match &value.kind {
        Kind::Scalar { scalar, size: Size::Spelling(text) } => {
            then(Required::Number(text.clone(), scalar.wire_bytes()));
        }
        Kind::Enum { bytes, size: Size::Spelling(text), .. } => then(Required::Number(text.clone(), *bytes)),
        Kind::Array { element, .. } => find(plan, element, then),
        Kind::Buffer(buffer) => {
            if let Some(until) = buffer.until.as_ref().filter(|until| until.compared.size != buffer.stride) {
                then(Required::End(until.compared.size.clone(), buffer.stride.clone()));
            }
            let mut element = Some(&buffer.element).filter(|_| buffer.until.is_some());
            while let Some(value) = element {
                element = match &value.kind {
                    Kind::Block(id) => plan.blocks.get(id.index()).and_then(|block| {
                        then(Required::First(block.memory));
                        block.values.iter().find(|(at, _)| *at == At::Member(0)).map(|(_, value)| value)
                    }),
                    Kind::Array { element, .. } => Some(element),
                    _ => None,
                };
            }
            find(plan, &buffer.element, then);
        }
        Kind::Match { arms, default, .. } => {
            arms.iter().map(|(_, case)| case).chain(default.as_deref()).for_each(|case| find(plan, case, then));
        }
        _ => {}
    }
}
