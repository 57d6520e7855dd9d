//! CSRs: where programs find them, what their fields show, and what a write does.

use super::rules;
use super::section::{Found, Pairs, pairs, same_type};
use super::state::field_numbers;
use crate::contract::canonical::Printer;
use crate::contract::csr::Access;
use crate::contract::{Csr, CsrField, Section};

pub(super) fn compare(old: &Section, new: &Section) -> Vec<Found> {
    let mut found = Vec::new();
    let Pairs { both, renamed, removed, added } =
        pairs(&old.csrs, &new.csrs, |csr| &csr.name, |a, b| a.address == b.address);
    for (a, b) in &renamed {
        let message = format!("the CSR `{}` ({:#x}) is now `{}`", a.name, a.address, b.name);
        found.push(Found::new(&rules::CSR_RENAMED, message, Some(a.span), Some(b.span)));
    }
    let numbers = field_numbers(old, new);
    for (a, b) in both.iter().chain(&renamed) {
        Two { old, a, new, b, numbers: &numbers, found: &mut found }.compare();
    }
    for b in added {
        let message = format!("the CSR `{}` ({:#x}) is new", b.name, b.address);
        found.push(Found::new(&rules::CSR_ADDED, message, None, Some(b.span)));
    }
    for a in removed {
        let message = format!("the CSR `{}` ({:#x}) is gone", a.name, a.address);
        found.push(Found::new(&rules::CSR_REMOVED, message, Some(a.span), None));
    }
    found
}

/// The canonical text of what a field shows, with all functions that it reaches; `numbers` as [`field_numbers`] says, or
/// empty.
fn value(section: &Section, csr: &Csr, field: &CsrField, numbers: &[u32]) -> String {
    let mut printer = Printer::with_fields(section, numbers.to_vec());
    printer.begin_locals(&csr.locals, 0);
    printer.expr(&csr.locals, &field.value);
    printer.with_functions()
}

/// Two versions of one CSR.
struct Two<'a> {
    old: &'a Section,
    a: &'a Csr,
    new: &'a Section,
    b: &'a Csr,
    numbers: &'a [u32],
    found: &'a mut Vec<Found>,
}

impl Two<'_> {
    fn add(&mut self, rule: &'static rules::Rule, what: impl std::fmt::Display) {
        let message = format!("CSR `{}`: {what}", self.b.name);
        self.found.push(Found::new(rule, message, Some(self.a.span), Some(self.b.span)));
    }

    fn compare(&mut self) {
        let (a, b) = (self.a, self.b);
        if a.address != b.address {
            let message = format!("the address was {:#x}, and is {:#x}", a.address, b.address);
            self.add(&rules::CSR_ADDRESS_CHANGED, message);
        }
        match (a.access, b.access) {
            (Access::Ro, Access::Rw) => self.add(&rules::CSR_MADE_WRITABLE, "it can be written now"),
            (Access::Rw, Access::Ro) => self.add(&rules::CSR_MADE_READ_ONLY, "it can only be read"),
            (Access::Ro, Access::Ro) | (Access::Rw, Access::Rw) => {}
        }
        if a.docs != b.docs {
            self.add(&rules::DOCS_CHANGED, "the description changed");
        }
        self.fields();
    }

    fn fields(&mut self) {
        let (a, b) = (self.a, self.b);
        let place = |field: &CsrField| (field.lo, field.width());
        let Pairs { both, renamed, removed, added } =
            pairs(&a.fields, &b.fields, |field| &field.name, |x, y| place(x) == place(y));
        for (x, y) in &renamed {
            self.add(&rules::CSR_FIELD_RENAMED, format!("the field `{}` is now `{}`", x.name, y.name));
        }
        for (x, y) in both.iter().chain(&renamed) {
            self.field(x, y);
        }
        for y in added {
            self.add(&rules::CSR_FIELD_ADDED, format!("the field `{}` is new, in {}", y.name, bits(y)));
        }
        for x in removed {
            self.add(&rules::CSR_FIELD_REMOVED, format!("the field `{}` is gone", x.name));
        }
    }

    fn field(&mut self, x: &CsrField, y: &CsrField) {
        let name = &y.name;
        if x.lo != y.lo {
            let message = format!("the field `{name}` was in {}, and is in {}", bits(x), bits(y));
            self.add(&rules::CSR_FIELD_MOVED, message);
        }
        if !same_type(self.old, &x.ty, self.new, &y.ty) {
            let (was, is) = (x.ty.text(self.old), y.ty.text(self.new));
            self.add(&rules::CSR_FIELD_TYPE_CHANGED, format!("the field `{name}` was {was}, and is {is}"));
        } else if value(self.old, self.a, x, &[]) != value(self.new, self.b, y, self.numbers) {
            self.add(&rules::CSR_FIELD_VALUE_CHANGED, format!("the field `{name}` shows something else"));
        }
        match (x.warl, y.warl) {
            (false, true) => {
                self.add(&rules::CSR_WARL_CHANGED, format!("the field `{name}` leaves out patterns without a name"));
            }
            (true, false) => self.add(&rules::CSR_WARL_CHANGED, format!("the field `{name}` takes every pattern")),
            _ => {}
        }
        if x.docs != y.docs {
            self.add(&rules::DOCS_CHANGED, format!("the description of the field `{name}` changed"));
        }
    }
}

/// Where a field is, as the source writes it.
fn bits(field: &CsrField) -> String {
    match field.width() {
        1 => format!("[{}]", field.lo),
        width => format!("[{}:{}]", field.lo + width - 1, field.lo),
    }
}
