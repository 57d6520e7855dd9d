//! CSRs: addresses, bits, and what each field reads and writes.

use lapis_cx_core::encoding::CsrAddress;

use crate::contract::core::{Expr, ExprKind, Type};
use crate::contract::csr::{Access, Csr, CsrField};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::interface as codes;
use crate::syntax::{Kind, Node};

use super::checker::{BodyKind, Checker, Decl, Frame, Symbol};
use super::expr::without_parentheses;
use super::interface::Members;

impl<'t> Checker<'_, 't> {
    /// Checks all CSRs, and enters them by ascending address. State and enums are known.
    pub(super) fn csrs(&mut self, members: &Members<'t>) {
        for decl in members.decls.iter().filter(|d| d.node.kind() == Kind::csr_item) {
            if let Some(csr) = self.csr(*decl) {
                self.section.csrs.push(csr);
            }
        }
        self.section.csrs.sort_by_key(|csr| csr.address);
    }

    fn csr(&mut self, decl: Decl<'t>) -> Option<Csr> {
        let (node, name) = (decl.node, decl.node.name());
        let access_node = node.child(Kind::access)?;
        let access = if access_node.text() == "rw" { Access::Rw } else { Access::Ro };
        let address = self.csr_address(node.child(Kind::int)?, access);
        if access == Access::Rw && self.section.state.is_none() {
            self.report(
                Diagnostic::error(
                    &codes::CSR_FIELD,
                    format!("`{}` can be written, but the interface has no state", name.text()),
                    access_node.span(),
                    "nothing to write",
                )
                .help("add a `state` block, or make the CSR `ro`"),
            );
            return None;
        }
        let mut frame = Frame::new(BodyKind::Csr, decl.home);
        let mut fields: Vec<CsrField> = Vec::new();
        let mut complete = !node.has(Kind::bad_field);
        for written in node.children_of(Kind::csr_field) {
            match self.csr_field(&mut frame, written, access) {
                Some(field) if self.fits_beside(&fields, &field, written, access) => fields.push(field),
                _ => complete = false,
            }
        }
        fields.sort_by_key(|field| field.lo);
        complete.then_some(())?;
        let (docs, span) = (node.docs(), name.span());
        Some(Csr { name: name.text().to_owned(), docs, address: address?, access, locals: frame.locals, fields, span })
    }

    fn csr_address(&mut self, node: Node<'t>, access: Access) -> Option<u16> {
        let number = match super::literal::literal(node) {
            Ok(typed) => typed.int()?.to_u32().unwrap_or(u32::MAX),
            Err(found) => {
                self.report(found);
                return None;
            }
        };
        let mut wrong = |message: String, label: &str, help: &str| {
            self.report(Diagnostic::error(&codes::CSR_ADDRESS, message, node.span(), label).help(help));
            None
        };
        match CsrAddress::of(number) {
            CsrAddress::Other => wrong(
                format!("`{}` is no address for custom CSRs", node.text()),
                "not custom",
                "user-level CSRs are at 0x802 to 0x8FF, read-only ones at 0xCC0 to 0xCFF; `cxc explain CX0440` lists all ranges",
            ),
            CsrAddress::Taken(by) => wrong(
                format!("the CSR at `{}` is `{}` of the CX-ISA", node.text(), by.name()),
                "taken",
                "choose another address, such as 0x810",
            ),
            CsrAddress::Custom { read_only: true } if access == Access::Rw => wrong(
                format!("the CSR at `{}` cannot be written", node.text()),
                "read only by its address",
                "a write to an address from 0xC00 on is an illegal instruction: declare the CSR `ro`, or choose an address below",
            ),
            CsrAddress::Custom { .. } => {
                let address = number as u16;
                if let Some(other) = self.section.csrs.iter().find(|csr| csr.address == address) {
                    let found = Diagnostic::error(
                        &codes::CSR_ADDRESS,
                        format!("two CSRs have the address {address:#X}"),
                        node.span(),
                        "used again here",
                    )
                    .label(other.span, format!("`{}` has it", other.name))
                    .help("give each CSR an address of its own");
                    self.report(found);
                    return None;
                }
                Some(address)
            }
        }
    }

    fn csr_field(&mut self, frame: &mut Frame<'t>, node: Node<'t>, access: Access) -> Option<CsrField> {
        let exprs: Vec<_> = node.exprs().collect();
        let (hi_node, lo_node, value_node) = match exprs.as_slice() {
            [bit, value] => (*bit, *bit, *value),
            [hi, lo, value] => (*hi, *lo, *value),
            _ => return None,
        };
        let hi = self.constant(frame, hi_node, "a bit of a CSR");
        let lo = self.constant(frame, lo_node, "a bit of a CSR");
        let ty = self.type_of(frame, node.child(Kind::r#type)?);
        let warl = self.csr_attributes(node, ty.as_ref(), access);
        let value = ty.as_ref().and_then(|ty| self.csr_value(frame, value_node, ty, access));
        let (hi, lo, ty) = (hi?, lo?, ty?);
        let Some((hi, lo)) = hi.to_u32().zip(lo.to_u32()).filter(|(hi, _)| *hi < self.xlen) else {
            let message = format!("a CSR has the bits 0 to {} at XLEN {}", self.xlen - 1, self.xlen);
            self.error(&codes::CSR_BITS, hi_node, message, "outside");
            return None;
        };
        if hi < lo {
            self.report(
                Diagnostic::error(&codes::CSR_BITS, "the highest bit comes first", hi_node.span(), "the lower one")
                    .help(format!("write `[{lo}:{hi}]`")),
            );
            return None;
        }
        let (bits, width, name) = (hi - lo + 1, ty.width(), self.name_of(&ty));
        if matches!(ty, Type::Array { .. }) {
            let message = format!("a CSR field is a scalar, not `{name}`");
            self.error(&codes::CSR_BITS, node.child(Kind::r#type).unwrap_or(node), message, "an array");
            return None;
        }
        if bits != width {
            let counted = |n: u32| format!("{n} bit{}", if n == 1 { "" } else { "s" });
            let found = Diagnostic::error(
                &codes::CSR_BITS,
                format!("`{}` has {} here, but `{name}` has {width}", node.name().text(), counted(bits)),
                hi_node.span(),
                format!("needs {}", counted(width)),
            );
            self.report(match lo + width {
                end if end > self.xlen => found.help(format!("a type of {} fits these bits", counted(bits))),
                end if width == 1 => found.help(format!("write `[{}]`, or a type of {}", end - 1, counted(bits))),
                end => found.help(format!("write `[{}:{lo}]`, or a type of {}", end - 1, counted(bits))),
            });
            return None;
        }
        let (docs, span) = (node.docs(), node.name().span());
        Some(CsrField { name: node.name().text().to_owned(), docs, lo, ty, value: value?, warl, span })
    }

    /// Reads `@warl`; complains about what is unknown.
    fn csr_attributes(&mut self, node: Node<'t>, ty: Option<&Type>, access: Access) -> bool {
        let mut warl = false;
        for attr in node.children_of(Kind::attr) {
            let why = match attr.name().text() {
                "warl" if attr.has(Kind::args) => "`@warl` takes no arguments".to_owned(),
                "warl" if access == Access::Ro => "`@warl` is about writes: a `ro` CSR has none".to_owned(),
                "warl" => match ty {
                    Some(Type::Enum { .. }) | None => {
                        warl = true;
                        continue;
                    }
                    Some(other) => {
                        format!("`@warl` is for enums: every pattern of `{}` is legal", self.name_of(other))
                    }
                },
                other => format!("a CSR field has no attribute `@{other}`"),
            };
            self.error(&codes::ATTRIBUTE, attr, why, "no effect here");
        }
        warl
    }

    /// What a field reads: any expression, or in a CSR that can be written the state field that it names.
    fn csr_value(&mut self, frame: &mut Frame<'t>, node: Node<'t>, ty: &Type, access: Access) -> Option<Expr> {
        if access == Access::Ro {
            let typed = self.expr(frame, node, Some(ty));
            return (!typed.is_error()).then(|| self.coerce(typed, ty, node));
        }
        let inner = without_parentheses(node);
        let name = Some(inner).filter(|n| n.kind() == Kind::name).map(|n| n.name().text());
        let id = match name.and_then(|name| self.symbol(frame.home, name)) {
            Some(Symbol::Field(id)) => id,
            Some(Symbol::Broken) => return None,
            _ => {
                self.report(
                    Diagnostic::error(
                        &codes::CSR_FIELD,
                        "a field of a `rw` CSR names a state field",
                        node.span(),
                        "a write would have nowhere to go",
                    )
                    .help("name a whole state field here, or make the CSR `ro`: its fields read any expression"),
                );
                return None;
            }
        };
        let field = self.section.state.as_ref().and_then(|s| s.fields.get(id.index()))?;
        if field.ty != *ty {
            let (field_ty, span) = (field.ty.clone(), field.span);
            let (has, wants) = (self.name_of(&field_ty), self.name_of(ty));
            let found = Diagnostic::error(
                &codes::CSR_FIELD,
                format!("the CSR field is `{wants}`, the state field `{has}`"),
                node.span(),
                format!("this is `{has}`"),
            )
            .label(span, "declared here");
            self.report(found.help(match field_ty {
                Type::Array { .. } => {
                    "a CSR field is a scalar: use a state field of its own, or make the CSR `ro`".to_owned()
                }
                _ => format!("what is written must be what is kept: give the CSR field the type `{has}`"),
            }));
            return None;
        }
        Some(Expr { ty: ty.clone(), kind: ExprKind::State(id) })
    }

    /// Whether a field overlaps none of those before, has a name of its own, and writes a state field that they do not.
    fn fits_beside(&mut self, before: &[CsrField], field: &CsrField, node: Node<'t>, access: Access) -> bool {
        let at = node.expr().unwrap_or(node);
        for other in before {
            let overlaps = field.lo < other.lo + other.width() && other.lo < field.lo + field.width();
            let found = if overlaps {
                Diagnostic::error(
                    &codes::CSR_BITS,
                    format!("`{}` and `{}` have bits in common", other.name, field.name),
                    at.span(),
                    "overlap",
                )
                .help("give each bit to one field")
            } else if other.name == field.name {
                let name = node.name();
                Diagnostic::error(
                    &crate::diagnostic::catalogue::names::DUPLICATE,
                    format!("two fields of the CSR are called `{}`", field.name),
                    name.span(),
                    "again here",
                )
                .help("choose another name")
            } else if access == Access::Rw && other.state() == field.state() {
                let value = node.exprs().last().unwrap_or(node);
                Diagnostic::error(
                    &codes::CSR_FIELD,
                    format!("`{}` and `{}` write one state field", other.name, field.name),
                    value.span(),
                    "written twice by one access",
                )
                .help("which write counts would be unclear: drop one of them")
            } else {
                continue;
            };
            self.report(found.label(other.span, "the other field"));
            return false;
        }
        true
    }
}
