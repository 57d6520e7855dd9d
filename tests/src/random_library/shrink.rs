//! Makes a library that differs smaller, as long as it differs in the same way.

use super::generate::repair;
use super::model::{Effect, Extent, From, Function, Library, Place, Returns, Scalar, Step, Timing, Type, is_read};

/// The smallest library that is found while `wrong` holds, in at most `tries` tries.
pub fn shrink(library: &Library, tries: usize, mut wrong: impl FnMut(&Library) -> bool) -> Library {
    let mut best = library.clone();
    let mut left = tries;
    let mut attempt = |best: &mut Library, mut smaller: Library| {
        repair(&mut smaller);
        if left == 0 || smaller.steps.is_empty() {
            return false;
        }
        left -= 1;
        let better = wrong(&smaller);
        if better {
            *best = smaller;
        }
        better
    };
    steps(&mut best, &mut attempt);
    functions(&mut best, &mut attempt);
    while simpler(&mut best, &mut attempt) {}
    steps(&mut best, &mut attempt);
    unused(&mut best, &mut attempt);
    best
}

/// Tries a library, and takes it if it is as wrong.
type Attempt<'a> = dyn FnMut(&mut Library, Library) -> bool + 'a;

/// Leaves out calls: first halves, then smaller parts.
fn steps(best: &mut Library, attempt: &mut Attempt<'_>) {
    let mut part = best.steps.len() / 2;
    while part > 0 {
        // What comes last is what shows the difference: from the end, and with the part before it last.
        let mut end = best.steps.len();
        while end > 0 {
            let start = end.saturating_sub(part);
            let mut smaller = best.clone();
            smaller.steps.drain(start..end.min(smaller.steps.len()));
            attempt(best, smaller);
            end = start.min(best.steps.len());
        }
        part /= 2;
    }
}

/// Leaves out all functions that no call uses.
fn functions(best: &mut Library, attempt: &mut Attempt<'_>) {
    let mut smaller = best.clone();
    let is_called = |function: &Function| best.steps.iter().any(|step| step.function == function.id);
    smaller.functions.retain(is_called);
    attempt(best, smaller);
}

/// Tries one simpler library after another: whether one was as wrong.
fn simpler(best: &mut Library, attempt: &mut Attempt<'_>) -> bool {
    let mut any = false;
    let (mut at, mut place) = (0, 0);
    while at < best.functions.len() {
        let mut smaller = best.clone();
        let edited = smaller.functions.get_mut(at).is_some_and(|function| edit_function(function, place));
        if !edited {
            (at, place) = (at + 1, 0);
        } else if attempt(best, smaller) {
            any = true;
        } else {
            place += 1;
        }
    }
    any |= members(best, attempt);
    for at in 0..best.steps.len() {
        let edits: [fn(&mut Step); 3] =
            [|step| step.plain = true, |step| step.nested = None, |step| step.parallel = false];
        for edit in edits {
            let mut smaller = best.clone();
            let Some(step) = smaller.steps.get_mut(at) else { break };
            let before = (step.plain, step.nested, step.parallel);
            edit(step);
            any |= (step.plain, step.nested, step.parallel) != before && attempt(best, smaller);
        }
    }
    any
}

/// Leaves out members, and makes others simpler.
fn members(best: &mut Library, attempt: &mut Attempt<'_>) -> bool {
    let mut any = false;
    for list in 0..best.structs.len() + best.callbacks.len() {
        let mut edit = 0;
        loop {
            let mut smaller = best.clone();
            let structs = smaller.structs.len();
            let places = match list.checked_sub(structs) {
                None => smaller.structs.get_mut(list).map(|item| &mut item.members),
                Some(at) => smaller.callbacks.get_mut(at).map(|item| &mut item.params),
            };
            if !places.is_some_and(|places| edit_places(places, edit, &|_| true)) {
                break;
            }
            if attempt(best, smaller) {
                any = true;
            } else {
                edit += 1;
            }
        }
    }
    any
}

/// Makes one edit of a function: false if there are not so many.
fn edit_function(function: &mut Function, mut edit: usize) -> bool {
    let mut here = || {
        edit = edit.wrapping_sub(1);
        edit == usize::MAX
    };
    if function.timing != Timing::Sync && here() {
        function.timing = Timing::Sync;
        return true;
    }
    if function.fails.is_some() && here() {
        function.fails = None;
        return true;
    }
    if function.errno && here() {
        function.errno = false;
        return true;
    }
    if !matches!(function.result, Returns::Status | Returns::New(_)) && here() {
        function.result = Returns::Status;
        return true;
    }
    for at in 0..function.effects.len() {
        if !matches!(function.effects.get(at), Some(Effect::Close(_))) && here() {
            function.effects.remove(at);
            return true;
        }
    }
    let (result, timing, fails, effects) =
        (function.result.clone(), function.timing, function.fails, function.effects.clone());
    let free = |id: u32| {
        !result.reads(id)
            && timing != Timing::If(id)
            && fails != Some(id)
            && !effects.iter().any(|effect| names(effect, id))
    };
    edit_places(&mut function.params, edit, &free)
}

fn names(effect: &Effect, id: u32) -> bool {
    match effect {
        Effect::Keep { place, of, .. } => *place == id || *of == Some(id),
        Effect::Show { of, .. } | Effect::Drop { of, .. } => *of == Some(id),
        Effect::Call { from: From::Params(f, user), .. } => *f == id || *user == Some(id),
        Effect::Call { from: From::Members(of, ..), .. } => *of == id,
        Effect::Call { from: From::Slot(_, of), .. } => *of == Some(id),
        Effect::Set { value, of } => *value == id || *of == Some(id),
        Effect::Close(of) => *of == id,
    }
}

/// Makes one edit of a scope. `free`: whether nothing outside of it names a place.
fn edit_places(places: &mut Vec<Place>, mut edit: usize, free: &dyn Fn(u32) -> bool) -> bool {
    let mut here = || {
        edit = edit.wrapping_sub(1);
        edit == usize::MAX
    };
    for at in 0..places.len() {
        let Some(place) = places.get(at) else { break };
        let is_object = match &place.ty {
            Type::Handle(..) | Type::Taken(_) => true,
            Type::Buffer(buffer) => matches!(buffer.element.ty, Type::Handle(..)),
            _ => false,
        };
        let can_go = !is_read(places, place.id) && free(place.id) && !is_object && places.len() > 1;
        let is_number = matches!(place.ty, Type::Scalar(Scalar::Int));
        let can_be_number = !is_read(places, place.id) && free(place.id) && !is_object && !is_number;
        let Some(place) = places.get_mut(at) else { break };
        if can_go && here() {
            places.remove(at);
            return true;
        }
        if can_be_number && here() {
            place.ty = Type::Scalar(Scalar::Int);
            place.optional = false;
            return true;
        }
        if place.optional && here() {
            place.optional = false;
            return true;
        }
        let Type::Buffer(buffer) = &mut place.ty else { continue };
        if buffer.valid.is_some() && here() {
            buffer.valid = None;
            return true;
        }
        if buffer.always && here() {
            buffer.always = false;
            return true;
        }
        if !is_object && !matches!(buffer.extent, Extent::Fixed(_) | Extent::Count(_)) && here() {
            buffer.extent = Extent::Fixed(1);
            buffer.valid = None;
            return true;
        }
        if !is_object
            && !matches!(buffer.element.ty, Type::Scalar(Scalar::Int))
            && !matches!(buffer.extent, Extent::Length | Extent::LengthIfNegative(_))
            && here()
        {
            buffer.element.ty = Type::Scalar(Scalar::Int);
            buffer.element.optional = false;
            return true;
        }
    }
    false
}

/// Leaves out what nothing uses, from the last one on, so that numbers stay.
fn unused(best: &mut Library, attempt: &mut Attempt<'_>) {
    let edits: [fn(&mut Library); 4] = [
        |library| {
            library.structs.pop();
        },
        |library| {
            library.slots.pop();
        },
        |library| {
            library.callbacks.pop();
        },
        |library| {
            library.handles.pop();
        },
    ];
    for edit in edits {
        loop {
            let mut smaller = best.clone();
            let before = (smaller.structs.len(), smaller.slots.len(), smaller.callbacks.len(), smaller.handles.len());
            edit(&mut smaller);
            let after = (smaller.structs.len(), smaller.slots.len(), smaller.callbacks.len(), smaller.handles.len());
            if before == after || !attempt(best, smaller) {
                break;
            }
        }
    }
}
