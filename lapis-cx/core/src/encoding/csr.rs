//! Control and status registers: the numbers of a CX, and the instructions that access any (RISC-V, "Zicsr").

/// The opcode of CSR instructions, among others.
pub(super) const SYSTEM: u8 = 0x73;

/// The number of a control and status register that the CX-ISA defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
pub enum Csr {
    /// `cx_index`: bits 9:0 select an entry of the selector table.
    CxIndex = 0x800,
    /// `cx_status`: the flags of [`Status`](crate::Status).
    CxStatus = 0x801,
    /// `mcx_selector`: cxu_id 7:0, state_id 23:16, cxe 28, version 31:29.
    McxSelector = 0xBC0,
    /// `mcx_table`: the address of the selector table.
    McxTable = 0xBC1,
}

impl Csr {
    /// All of them, by number.
    pub const ALL: [Csr; 4] = [Csr::CxIndex, Csr::CxStatus, Csr::McxSelector, Csr::McxTable];

    /// The number.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The name in assembly.
    pub const fn name(self) -> &'static str {
        match self {
            Csr::CxIndex => "cx_index",
            Csr::CxStatus => "cx_status",
            Csr::McxSelector => "mcx_selector",
            Csr::McxTable => "mcx_table",
        }
    }

    /// The register of a number.
    pub const fn from_number(number: u16) -> Option<Csr> {
        Some(match number {
            0x800 => Csr::CxIndex,
            0x801 => Csr::CxStatus,
            0xBC0 => Csr::McxSelector,
            0xBC1 => Csr::McxTable,
            _ => return None,
        })
    }
}

/// What the RISC-V privileged specification ("CSR Address Mapping Conventions") and the CX-ISA say of a CSR address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CsrAddress {
    /// Free for custom use: a CX may have a CSR there.
    Custom {
        /// The two top bits are 11: each write is an illegal instruction.
        read_only: bool,
    },
    /// The CX-ISA has it.
    Taken(Csr),
    /// Standard, reserved, or of more than 12 bits.
    Other,
}

impl CsrAddress {
    /// Judges an address.
    pub const fn of(address: u32) -> CsrAddress {
        if address >= 1 << 12 {
            return CsrAddress::Other;
        }
        if let Some(csr) = Csr::from_number(address as u16) {
            return CsrAddress::Taken(csr);
        }
        match address {
            // Supervisor, hypervisor and machine.
            0x5C0..=0x5FF | 0x6C0..=0x6FF | 0x7C0..=0x7FF => CsrAddress::Custom { read_only: false },
            // User, and the levels above it again.
            0x800..=0x8FF | 0x9C0..=0x9FF | 0xAC0..=0xAFF | 0xBC0..=0xBFF => CsrAddress::Custom { read_only: false },
            // The same, read only.
            0xCC0..=0xCFF | 0xDC0..=0xDFF | 0xEC0..=0xEFF | 0xFC0..=0xFFF => CsrAddress::Custom { read_only: true },
            _ => CsrAddress::Other,
        }
    }
}

/// What a CSR instruction does to the register; all give the old value in rd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CsrOperation {
    /// `csrrw`: the source's value.
    Write = 1,
    /// `csrrs`: sets the source's bits.
    Set = 2,
    /// `csrrc`: clears the source's bits.
    Clear = 3,
}

/// The source of a CSR instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CsrSource {
    /// A register, 0 to 31. A set or clear of register 0 does not write.
    Register(u8),
    /// A number, 0 to 31. A set or clear of 0 does not write.
    Immediate(u8),
}

/// A CSR instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CsrAccess {
    /// The CSR's number, 0 to 4095.
    pub csr: u16,
    /// What is done to it.
    pub operation: CsrOperation,
    /// Gets the old value. A write with register 0 here does not read.
    pub rd: u8,
    /// With what.
    pub source: CsrSource,
}

impl CsrAccess {
    /// The instruction word. `None` if a number is out of its range.
    pub const fn encode(self) -> Option<u32> {
        let (source, is_immediate) = match self.source {
            CsrSource::Register(n) => (n, 0),
            CsrSource::Immediate(n) => (n, 4),
        };
        if self.csr >= 1 << 12 || self.rd >= 32 || source >= 32 {
            return None;
        }
        let funct3 = self.operation as u32 | is_immediate;
        Some((self.csr as u32) << 20 | (source as u32) << 15 | funct3 << 12 | (self.rd as u32) << 7 | SYSTEM as u32)
    }

    /// Reads an instruction word; `None` if it is no CSR instruction.
    pub const fn decode(word: u32) -> Option<CsrAccess> {
        if word & 0x7F != SYSTEM as u32 {
            return None;
        }
        let operation = match word >> 12 & 3 {
            1 => CsrOperation::Write,
            2 => CsrOperation::Set,
            3 => CsrOperation::Clear,
            _ => return None,
        };
        let source = (word >> 15 & 31) as u8;
        let source = if word >> 12 & 4 == 0 { CsrSource::Register(source) } else { CsrSource::Immediate(source) };
        Some(CsrAccess { csr: (word >> 20) as u16, operation, rd: (word >> 7 & 31) as u8, source })
    }
}
