//! Commands: who they are, how they are issued, what they do.

use super::rules;
use super::section::{Found, pairs, same_type};
use super::state::field_numbers;
use crate::contract::canonical::Printer;
use crate::contract::{Command, Form, Operand, Section, Semantics, Slot};

pub(super) fn compare(old: &Section, new: &Section) -> Vec<Found> {
    let mut found = Vec::new();
    let numbers = field_numbers(old, new);
    let body_of = |section, command: &Command, numbers: &[u32]| body(section, command, numbers.to_vec());
    let same_body = |a: &Command, b: &Command| body_of(old, a, &[]) == body_of(new, b, &numbers);
    let renamed = |a: &Command, b: &Command| a.id == b.id && same_body(a, b) && same_signature(old, a, new, b);
    let (ours, theirs) = (own(old), own(new));
    let pairs = pairs(&ours, &theirs, |c| &c.name, |a, b| renamed(a, b));
    for (a, b) in &pairs.renamed {
        let message = format!("command `{}` (id {}) is now `{}`", a.name, a.id, b.name);
        found.push(Found::new(&rules::COMMAND_RENAMED, message, Some(a.span), Some(b.span)));
    }
    for (a, b) in pairs.both.iter().chain(&pairs.renamed) {
        let mut two = Two { old, a, new, b, found: &mut found };
        two.identity();
        two.operands();
        two.result();
        two.semantics(same_body(a, b));
    }
    for b in pairs.added {
        let message = format!("command `{}` (id {}) is new", b.name, b.id);
        found.push(Found::new(&rules::COMMAND_ADDED, message, None, Some(b.span)));
        if let Some(a) = pairs.removed.iter().find(|a| a.id == b.id) {
            let message = format!("id {} was that of command `{}`, and is that of `{}`", b.id, a.name, b.name);
            found.push(Found::new(&rules::COMMAND_ID_REUSED, message, Some(a.span), Some(b.span)));
        }
    }
    for a in pairs.removed {
        let message = format!("command `{}` (id {}) is gone", a.name, a.id);
        found.push(Found::new(&rules::COMMAND_REMOVED, message, Some(a.span), None));
    }
    found
}

/// The commands of the interface itself: whether it has the standard ones is a matter of the whole.
fn own(section: &Section) -> Vec<&Command> {
    section.commands.iter().filter(|command| !matches!(command.semantics, Semantics::Standard(_))).collect()
}

/// The canonical text of what a command does, with all functions that it reaches; `numbers` as [`field_numbers`] says,
/// or empty.
fn body(section: &Section, command: &Command, numbers: Vec<u32>) -> String {
    match &command.semantics {
        Semantics::Body(body) => {
            let mut printer = Printer::with_fields(section, numbers);
            printer.body(body);
            printer.with_functions()
        }
        Semantics::Standard(_) | Semantics::Opaque => String::new(),
    }
}

fn same_signature(old: &Section, a: &Command, new: &Section, b: &Command) -> bool {
    let same_operand = |(x, y): (&Operand, &Operand)| same_type(old, &x.ty, new, &y.ty) && x.slot == y.slot;
    let same_result = match (&a.result, &b.result) {
        (Some(x), Some(y)) => same_type(old, x, new, y),
        (None, None) => true,
        _ => false,
    };
    same_result && a.operands.len() == b.operands.len() && a.operands.iter().zip(&b.operands).all(same_operand)
}

/// Two versions of one command.
struct Two<'a> {
    old: &'a Section,
    a: &'a Command,
    new: &'a Section,
    b: &'a Command,
    found: &'a mut Vec<Found>,
}

impl Two<'_> {
    fn add(&mut self, rule: &'static rules::Rule, what: impl std::fmt::Display) {
        let message = format!("command `{}`: {what}", self.b.name);
        self.found.push(Found::new(rule, message, Some(self.a.span), Some(self.b.span)));
    }

    fn identity(&mut self) {
        let (a, b) = (self.a, self.b);
        if a.id != b.id {
            self.add(&rules::COMMAND_ID_CHANGED, format!("the id was {}, and is {}", a.id, b.id));
        }
        let lost = |from: &Command, to: &Command| -> Vec<Form> {
            from.forms.iter().filter(|form| !to.forms.contains(form)).copied().collect()
        };
        for form in lost(a, b) {
            self.add(&rules::FORM_REMOVED, format!("the form {} is gone", form.name()));
        }
        for form in lost(b, a) {
            self.add(&rules::FORM_ADDED, format!("the form {} is new", form.name()));
        }
        if a.latency != b.latency {
            self.add(&rules::LATENCY_CHANGED, "the latency changed");
        }
        if a.docs != b.docs {
            self.add(&rules::DOCS_CHANGED, "the description changed");
        }
    }

    fn operands(&mut self) {
        let (a, b) = (&self.a.operands, &self.b.operands);
        if a.len() != b.len() {
            let message = format!("it had {}, and has {}", operands(a.len()), operands(b.len()));
            return self.add(&rules::OPERAND_COUNT_CHANGED, message);
        }
        if let Some(text) = self.reordered() {
            return self.add(&rules::OPERANDS_REORDERED, text);
        }
        for (x, y) in a.iter().zip(b) {
            if x.name != y.name {
                self.add(&rules::OPERAND_RENAMED, format!("the operand `{}` is now `{}`", x.name, y.name));
            }
            let (was, is) = (x.ty.text(self.old), y.ty.text(self.new));
            if was != is {
                let message = format!("the operand `{}` was {was}, and is {is}", y.name);
                self.add(&rules::OPERAND_TYPE_CHANGED, message);
            }
            if x.slot != y.slot {
                let message = format!("the operand `{}` was {}, and is {}", y.name, slot(x.slot), slot(y.slot));
                self.add(&rules::OPERAND_SLOT_CHANGED, message);
            }
        }
    }

    /// The orders, if the same operands stand in another one.
    fn reordered(&self) -> Option<String> {
        let names = |operands: &[Operand]| operands.iter().map(|o| o.name.clone()).collect::<Vec<_>>();
        let (was, is) = (names(&self.a.operands), names(&self.b.operands));
        let sorted = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort();
            names
        };
        let moved = was != is && sorted(&was) == sorted(&is);
        moved.then(|| format!("the operands were ({}), and are ({})", was.join(", "), is.join(", ")))
    }

    fn result(&mut self) {
        match (&self.a.result, &self.b.result) {
            (None, Some(ty)) => self.add(&rules::RESULT_ADDED, format!("it returns {}", ty.text(self.new))),
            (Some(_), None) => self.add(&rules::RESULT_REMOVED, "it returns nothing any more"),
            (Some(x), Some(y)) => {
                let (was, is) = (x.text(self.old), y.text(self.new));
                if was != is {
                    self.add(&rules::RESULT_TYPE_CHANGED, format!("the result was {was}, and is {is}"));
                }
            }
            (None, None) => {}
        }
    }

    fn semantics(&mut self, same_body: bool) {
        match (&self.a.semantics, &self.b.semantics) {
            (Semantics::Opaque, Semantics::Opaque) => {}
            (Semantics::Opaque, _) => self.add(&rules::BODY_GIVEN, "it has a body now"),
            (_, Semantics::Opaque) => self.add(&rules::MADE_OPAQUE, "it has no body any more"),
            _ if !same_body => self.add(&rules::BODY_CHANGED, "it computes something else"),
            _ => {}
        }
        match (self.old.can_raise(self.a), self.new.can_raise(self.b)) {
            (false, true) => self.add(&rules::STATUS_VARIANT_ADDED, "it can raise now, so it has a variant `_st`"),
            (true, false) => {
                self.add(&rules::STATUS_VARIANT_REMOVED, "it can raise no more, so its variant `_st` is gone");
            }
            _ => {}
        }
    }
}

fn operands(count: usize) -> String {
    format!("{count} operand{}", if count == 1 { "" } else { "s" })
}

fn slot(slot: Slot) -> &'static str {
    match slot {
        Slot::Rs1 => "in rs1",
        Slot::Rs2 => "in rs2",
        Slot::Imm => "an immediate",
    }
}
