//! What an instruction does with a CSR.

/// A CSR instruction (RISC-V Zicsr): `CX_CSR_*` of `cx_abi.h`. The number is the low two bits of its funct3, and 0 for one
/// that writes nothing: `csrrs` and `csrrc` of x0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum CsrOp {
    /// Only reads.
    Read = 0,
    /// Reads, then writes the value.
    Write = 1,
    /// Reads, then writes what was read with these bits set.
    Set = 2,
    /// Reads, then writes what was read with these bits cleared.
    Clear = 3,
}

impl CsrOp {
    /// All there are, by number.
    pub const ALL: [CsrOp; 4] = [CsrOp::Read, CsrOp::Write, CsrOp::Set, CsrOp::Clear];

    /// The operation of a number of the C ABI.
    pub const fn from_code(code: u32) -> Option<CsrOp> {
        Some(match code {
            0 => CsrOp::Read,
            1 => CsrOp::Write,
            2 => CsrOp::Set,
            3 => CsrOp::Clear,
            _ => return None,
        })
    }

    /// What is written over `old`, if anything is.
    pub const fn written(self, old: usize, value: usize) -> Option<usize> {
        match self {
            CsrOp::Read => None,
            CsrOp::Write => Some(value),
            CsrOp::Set => Some(old | value),
            CsrOp::Clear => Some(old & !value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CsrOp;

    #[test]
    fn operations_are_those_of_zicsr() {
        let written = |code| CsrOp::from_code(code).map(|op| op.written(0b1100, 0b1010));
        assert_eq!(written(0), Some(None));
        assert_eq!(written(1), Some(Some(0b1010)));
        assert_eq!(written(2), Some(Some(0b1110)));
        assert_eq!(written(3), Some(Some(0b0100)));
        assert_eq!(written(4), None);
    }
}
