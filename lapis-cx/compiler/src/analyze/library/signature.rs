//! Functions that a clause or attribute names, so that the runtime calls them: whether they can take what it has.

use crate::contract::library::place::{Place, Scalar, Type};
use crate::contract::library::{FunctionId, HandleId};
use crate::diagnostic::catalogue::library as codes;
use crate::diagnostic::{Diagnostic, Entry};
use crate::syntax::Node;

use super::Lib;
use super::function::Signature;
use super::scope::value_of;
use crate::contract::library::expr::ValueKind;

impl<'t> Lib<'_, 't> {
    /// `@allocator(a, d)`: a takes a size and returns a pointer, d takes a pointer.
    pub(super) fn check_allocator(&mut self, allocate: Option<(FunctionId, Node<'t>)>, free: (FunctionId, Node<'t>)) {
        if let Some((id, node)) = allocate
            && let Some(signature) = self.signatures.get(id.index()).cloned()
        {
            let returns = matches!(value_of(&signature.result), ValueKind::Pointer | ValueKind::Any);
            if !(returns && matches!(signature.params.as_slice(), [size] if is_size(size))) {
                let entry = &codes::ATTRIBUTE;
                self.cannot_be_called(entry, node, id, "allocates", "one size, and return a pointer");
            }
        }
        let (id, node) = free;
        if let Some(signature) = self.signatures.get(id.index()).cloned()
            && !matches!(signature.params.as_slice(), [one] if is_pointer(one))
        {
            self.cannot_be_called(&codes::ATTRIBUTE, node, id, "frees", "one pointer");
        }
    }

    /// `snapshot(extract, restore)`: both take the object; one fills a stream or returns bytes, the other takes them.
    /// `object` is the handle that they are about, where that is known.
    pub(super) fn check_snapshot(
        &mut self,
        object: Option<HandleId>,
        extract: (FunctionId, Node<'t>),
        restore: (FunctionId, Node<'t>),
    ) {
        let jobs = [
            (extract, "writes the state", "the object and an `out stream`, or return its bytes", true),
            (restore, "reads the state", "the object and an `in stream`, or its bytes and their number", false),
        ];
        for ((id, node), job, form, writes) in jobs {
            let Some(signature) = self.signatures.get(id.index()).cloned() else { continue };
            if !moves_state(&signature, object, writes) {
                self.cannot_be_called(&codes::CLAUSE_ARGUMENTS, node, id, job, form);
            }
        }
    }

    fn cannot_be_called(&mut self, entry: &'static Entry, node: Node<'t>, id: FunctionId, job: &str, form: &str) {
        let name = node.text();
        let declared = self
            .symbols
            .values()
            .find(|s| matches!(s.meaning, super::declare::Meaning::Function(other) if other == id));
        let declared = declared.map(|s| s.span);
        let message = format!("`{name}` is not a function that {job}");
        let diagnostic = Diagnostic::error(entry, message, node.span(), "with other parameters");
        let diagnostic = diagnostic.help(format!("it would take {form}"));
        self.report(match declared {
            Some(span) => diagnostic.label(span, "declared here"),
            None => diagnostic,
        });
    }
}

fn moves_state(signature: &Signature, object: Option<HandleId>, writes: bool) -> bool {
    let Some((first, rest)) = signature.params.split_first() else { return false };
    let is_object = match (value_of(first), object) {
        (ValueKind::Handle(id), Some(object)) => id == object,
        (ValueKind::Handle(_) | ValueKind::Pointer | ValueKind::Any, _) => true,
        _ => false,
    };
    let goes = |place: &Place| if writes { place.directions.output } else { place.directions.input };
    if let [stream] = rest
        && matches!(stream.ty, Type::Stream)
    {
        return is_object && goes(stream);
    }
    let is_bytes = |place: &Place| matches!(place.ty, Type::Buffer { .. } | Type::Match { .. } | Type::Tuple(_));
    let has_bytes = rest.iter().any(|place| is_bytes(place) && goes(place)) || writes && is_bytes(&signature.result);
    is_object && has_bytes && rest.iter().all(|place| is_bytes(place) || is_size(place))
}

/// Whether a size can be passed there.
fn is_size(place: &Place) -> bool {
    match &place.ty {
        Type::Scalar(scalar) => !matches!(scalar, Scalar::Bool | Scalar::Float | Scalar::Double),
        Type::Match { .. } | Type::Tuple(_) => true,
        _ => false,
    }
}

fn is_pointer(place: &Place) -> bool {
    matches!(value_of(place), ValueKind::Pointer | ValueKind::Handle(_) | ValueKind::Any)
        && !matches!(place.ty, Type::Stream | Type::Callback(_))
}
