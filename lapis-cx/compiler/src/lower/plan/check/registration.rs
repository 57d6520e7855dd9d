//! Callbacks whose registration the worker could not find.

use std::collections::HashSet;

use super::super::read::{Place, Reading, Scene};
use super::super::{At, BlockId, Call, Kind, Lifetime, Value};
use super::Check;
use crate::contract::library::CallbackId;
use crate::contract::library::clause::Clause;
use crate::contract::library::expr::ExprKind;
use crate::contract::library::place::{self, Type};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::library as codes;

/// What a call says of callbacks.
#[derive(Default)]
struct Said {
    /// Callbacks that it hands over.
    given: Vec<(Place, CallbackId)>,
    /// Those that have a tag.
    tagged: HashSet<Place>,
}

/// Whether a place lives until the callback in this parameter was called.
fn lives_until(place: &place::Place, callback: u32) -> bool {
    matches!(&place.lifetime, Some(place::Lifetime::Until(e)) if e.kind == ExprKind::Param(callback))
        && !matches!(place.ty, Type::Userdata(_))
}

impl<'a> Check<'a> {
    /// Complains about callbacks that carry a tag which no call gives them.
    pub(super) fn registrations(&mut self) {
        let plan = self.plan;
        let carries: Vec<bool> = plan.callbacks.iter().map(|call| self.carries(call)).collect();
        if !carries.contains(&true) {
            return;
        }
        let calls: Vec<Said> = plan.functions.iter().flatten().map(|call| self.said_by(call)).collect();
        // An implicit argument is one that another call has handed over.
        let later: HashSet<CallbackId> = calls
            .iter()
            .flat_map(|call| {
                call.given.iter().filter(|(of, _)| matches!(of.1, At::Implicit(_)) && call.tagged.contains(of))
            })
            .map(|(_, id)| *id)
            .collect();
        for call in &calls {
            for (of, id) in &call.given {
                let needs = carries.get(id.index()).copied().unwrap_or_default();
                if !needs || call.tagged.contains(of) || later.contains(id) {
                    continue;
                }
                let Some(callback) = self.library.callbacks.get(id.index()) else { continue };
                let name = self.name(*of);
                let message = format!("callback `{name}` without userdata");
                let help = format!(
                    "tag it with an argument, `user: userdata({name})`, here or in the call that gives it its tag; a callback \
                     without userdata has `slots`"
                );
                let (span, label) = (callback.span, format!("`{}` is called with a tag", callback.name));
                self.complain(&codes::NO_TAG, *of, message, "gets no tag", |_, d| d.label(span, label).help(help));
            }
        }
    }

    /// Complains about registrations that end with the call although a callback may come later.
    pub(super) fn tags(&mut self) {
        for function in &self.library.functions {
            for (tag, of) in function.params.iter().filter_map(|param| match &param.place.ty {
                Type::Userdata(of) if param.place.lifetime.is_none() => Some((param, of)),
                _ => None,
            }) {
                for n in of.iter().filter_map(|e| if let ExprKind::Param(n) = e.kind { Some(n) } else { None }) {
                    let Some(param) = function.params.get(n as usize) else { continue };
                    let Type::Callback(id) = param.place.ty else { continue };
                    let Some(callback) = self.library.callbacks.get(id.index()) else { continue };
                    if param.place.lifetime.is_some() {
                        continue;
                    }
                    let kept = function.params.iter().find(|other| lives_until(&other.place, n));
                    let is_once = callback.clauses.contains(&Clause::Once);
                    let found = match kept {
                        Some(kept) => {
                            let message = format!("the registration of `{}` ends with the call", param.name);
                            Diagnostic::error(&codes::ENDS_EARLY, message, tag.span, "lives until the call returns")
                                .label(kept.span, format!("lives until `{}` was called", param.name))
                        }
                        None if is_once => {
                            let message = format!("`{}` may be called after its registration has ended", param.name);
                            Diagnostic::warning(
                                &codes::MAY_END_EARLY,
                                message,
                                tag.span,
                                "lives until the call returns",
                            )
                            .label(callback.span, "`once`: called when something is done")
                        }
                        None => continue,
                    };
                    let name = &param.name;
                    self.found.push(found.help(format!("write `userdata({name}) @lifetime({name})`")));
                }
            }
        }
    }

    /// Whether a callback has a parameter that is its tag.
    fn carries(&self, call: &Call) -> bool {
        let block = self.plan.blocks.get(call.arguments.index());
        let mut values = block.into_iter().flat_map(|block| &block.values);
        values.any(|(at, value)| matches!((at, &value.kind), (At::Param(_), Kind::Userdata { .. })))
    }

    fn said_by(&self, call: &Call) -> Said {
        let mut said = Said::default();
        self.gather_block(&mut vec![call.arguments], &mut HashSet::new(), &mut said);
        said
    }

    fn gather_block(&self, enclosing: &mut Vec<BlockId>, seen: &mut HashSet<BlockId>, said: &mut Said) {
        let plan = self.plan;
        let Some(block) = enclosing.last().and_then(|id| plan.blocks.get(id.index())) else { return };
        for (at, value) in &block.values {
            self.gather((block.memory, *at), value, enclosing, seen, said);
        }
    }

    fn gather(
        &self,
        of: Place,
        value: &'a Value,
        enclosing: &mut Vec<BlockId>,
        seen: &mut HashSet<BlockId>,
        said: &mut Said,
    ) {
        let scene = |enclosing| Scene { plan: self.plan, enclosing, this: Reading { of, value } };
        match &value.kind {
            Kind::Callback { of: id, .. } if value.copy_in => said.given.push((of, *id)),
            Kind::Userdata { of, .. } => {
                let named: Vec<_> = of.iter().filter_map(|code| scene(enclosing).named(code)).collect();
                for reading in named {
                    said.tagged.insert(reading.of);
                    // The tag of a struct is that of all callbacks in it.
                    let mut inside = Said::default();
                    self.gather(reading.of, reading.value, enclosing, &mut HashSet::new(), &mut inside);
                    said.tagged.extend(inside.given.into_iter().map(|(of, _)| of));
                }
            }
            Kind::Block(id) if seen.insert(*id) => {
                enclosing.push(*id);
                self.gather_block(enclosing, seen, said);
                enclosing.pop();
            }
            Kind::Array { element, .. } => self.gather(of, element, enclosing, seen, said),
            Kind::Buffer(buffer) => {
                // A buffer that lives until a callback was called is what that is called with.
                if let Lifetime::Callback(code) = &buffer.lifetime {
                    said.tagged.extend(scene(enclosing).named(code).map(|reading| reading.of));
                }
                self.gather(of, &buffer.element, enclosing, seen, said);
            }
            Kind::Match { arms, default, .. } => {
                for value in arms.iter().map(|(_, value)| value).chain(default.as_deref()) {
                    self.gather(of, value, enclosing, seen, said);
                }
            }
            _ => {}
        }
    }
}
