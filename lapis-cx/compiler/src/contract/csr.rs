//! CSRs of an interface: views of its state, and of what can be computed from it (CX API, "cx_select": custom CSR
//! accesses are performed by the selected CX instance).
//!
//! A CSR is a word of XLEN bits. Its fields are named bits; the others read 0, and writes to them are dropped. A `rw`
//! CSR writes the state fields that its fields name; a `ro` CSR has no writes. An access has no other effect than those
//! writes and the dirty mark.

pub use lapis_cx_core::CsrOp;

use super::FieldId;
use super::core::{Expr, ExprKind, Local, Type};
use crate::json::{Deserialize, JsonSchema, Serialize};
use crate::source::Span;

/// A CSR.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Csr {
    /// Its name.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// Its address: 12 bits, one of those that [`CsrAddress::of`](lapis_cx_core::encoding::CsrAddress::of) calls custom.
    pub address: u16,
    /// Whether it can be written.
    pub access: Access,
    /// The locals of the expressions of all fields: variables of comprehensions.
    pub locals: Vec<Local>,
    /// Its fields by ascending low bit. They do not overlap.
    pub fields: Vec<CsrField>,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// What instructions may do with a CSR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Read and write.
    Rw,
    /// Read.
    Ro,
}

impl Access {
    /// As the source writes it.
    pub fn name(self) -> &'static str {
        match self {
            Access::Rw => "rw",
            Access::Ro => "ro",
        }
    }
}

/// Bits of a CSR.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CsrField {
    /// Its name.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// Its lowest bit. It takes as many bits as its type has, all below XLEN.
    pub lo: u32,
    /// Its type, a scalar; the bits are its pattern.
    pub ty: Type,
    /// What is read, of the type `ty`. In a `rw` CSR it is a state field, to which a write goes; no other field of that CSR
    /// names the same one.
    pub value: Expr,
    /// `@warl`: a pattern that is no case of the enum leaves the state field alone. Only an enum in a `rw` CSR has it.
    pub warl: bool,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

impl CsrField {
    /// How many bits it takes.
    pub fn width(&self) -> u32 {
        self.ty.width()
    }

    /// The state field that it names, if its value is nothing more.
    pub fn state(&self) -> Option<FieldId> {
        match self.value.kind {
            ExprKind::State(id) => Some(id),
            _ => None,
        }
    }
}

/// What an instruction writes over a word of at most 64 bits, if anything: [`CsrOp::written`] for the words of any XLEN, also
/// where the compiler's own are shorter.
pub fn written(op: CsrOp, old: u64, value: u64) -> Option<u64> {
    match op {
        CsrOp::Read => None,
        CsrOp::Write => Some(value),
        CsrOp::Set => Some(old | value),
        CsrOp::Clear => Some(old & !value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_and_clear_write_what_was_read_with_changes() {
        let words = CsrOp::ALL.map(|op| written(op, 0b1100, 0b1010));
        assert_eq!(words, [None, Some(0b1010), Some(0b1110), Some(0b0100)]);
        assert_eq!(words, CsrOp::ALL.map(|op| op.written(0b1100, 0b1010).map(|word| word as u64)));
        assert_eq!(written(CsrOp::Clear, u64::MAX, 1), Some(u64::MAX - 1));
    }
}
