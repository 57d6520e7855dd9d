//! The one place that knows opcodes and fields: instruction words of CX commands and of overloadable opcodes.
//!
//! | Form | Type | funct7, funct3 | Where else operands are |
//! |---|---|---|---|
//! | R | R on custom-0 | function id, high and low bits | rd, rs1, rs2 |
//! | I | I on custom-1 | funct3: function id 0 to 7 | rd, rs1, 12-bit immediate |
//! | flex | R on custom-2 | function id | rs1, rs2; 5-bit immediate in place of rd |
//! | flex25 | R on custom-2 | function id | 15-bit immediate in place of rs2, rs1, rd |
//! | xcmd | R on custom-3 | funct3: command 0 to 7, funct7: 0 | rd, rs1, rs2 |
//! | xext, xext0, xextm1 | R on custom-3 | funct3: 0, 1, 2, funct7: 1 | rd, rs1, rs2 |
//!
//! The sources: CX API, "CX library examples", as corrected by the language (a function id is `funct7:funct3`);
//! overloadable opcodes, "Description of the instructions". The latter has no numbers: where its instructions are is a
//! [`Profile`]. flex and flex25 are one format. Only the command knows which of the two it has, so a decoded
//! [`Instruction::Flex`] can be read both ways.
//!
//! [`encode`](Instruction::encode) and [`decode`](Instruction::decode) are inverse: decoding gives exactly what was encoded, and
//! encoding what was decoded gives the same word. Both are `const`, total and without state: compilers and trap
//! handlers use the same.

mod csr;

pub use csr::{Csr, CsrAccess, CsrAddress, CsrOperation, CsrSource};

/// A function id is below this: it has the ten bits of funct7 and funct3.
pub const FUNCTION_LIMIT: u16 = 1024;

/// Ids below this have room in funct3 alone: those of form I and of overloadable opcodes.
pub const SMALL_LIMIT: u16 = 8;

/// Bits of the lun in rs1 of an `xcmd`, and of the device number in rs1 of an `xext`.
pub const LUN_BITS: u32 = 12;

/// Luns from here on name devices. 0 to 2 are the mandatory fallbacks, 8 to 30 error numbers, 3 to 7 and 31 are reserved
/// (overloadable opcodes, `dev_subdevice_map`).
pub const FIRST_DEVICE_LUN: u16 = 32;

/// What `xext` and commands give in place of a cookie is below this: one `bltu` against the largest number that `c.li` has
/// (overloadable opcodes, `dev_subdevice_map`). No cookie has the lun 31 itself.
pub const FAILED_LUNS: u16 = 31;

/// A major opcode of 32-bit instructions: bits 1:0 are 11, bits 4:2 are not 111.
const fn is_major_opcode(opcode: u8) -> bool {
    opcode < 0x80 && opcode & 3 == 3 && opcode & 0x1C != 0x1C
}

/// Whether an opcode is custom-0, custom-1, custom-2 or custom-3: those that no standard extension takes (RISC-V
/// unprivileged, "RISC-V base opcode map"; the last two only where registers have at most 64 bits).
pub const fn is_custom_opcode(opcode: u8) -> bool {
    matches!(opcode, 0x0B | 0x2B | 0x5B | 0x7B)
}

/// The opcodes of custom instructions; the rest of an encoding is the same in every profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Profile {
    r: u8,
    i: u8,
    flex: u8,
    xcmd: u8,
}

impl Profile {
    /// custom-0, custom-1 and custom-2 for the forms of a CX, custom-3 for overloadable opcodes.
    pub const DEFAULT: Profile = Profile { r: 0x0B, i: 0x2B, flex: 0x5B, xcmd: 0x7B };

    /// A profile of these opcodes for R, I, flex and xcmd. `None` if one is no major opcode of a 32-bit instruction, if
    /// one is SYSTEM (which holds the CSR instructions), or if two are the same.
    pub const fn new(r: u8, i: u8, flex: u8, xcmd: u8) -> Option<Profile> {
        let opcodes = [r, i, flex, xcmd];
        let mut a = 0;
        while a < opcodes.len() {
            if !is_major_opcode(opcodes[a]) || opcodes[a] == csr::SYSTEM {
                return None;
            }
            let mut b = 0;
            while b < a {
                if opcodes[a] == opcodes[b] {
                    return None;
                }
                b += 1;
            }
            a += 1;
        }
        Some(Profile { r, i, flex, xcmd })
    }

    /// The opcode of form R.
    pub const fn r(self) -> u8 {
        self.r
    }

    /// The opcode of form I.
    pub const fn i(self) -> u8 {
        self.i
    }

    /// The opcode of flex and flex25.
    pub const fn flex(self) -> u8 {
        self.flex
    }

    /// The opcode of `xcmd` and `xext`.
    pub const fn xcmd(self) -> u8 {
        self.xcmd
    }
}

impl Default for Profile {
    fn default() -> Profile {
        Profile::DEFAULT
    }
}

/// What `xext` gives if the CPU does not know the interface: the lun of a fallback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Fallback {
    /// `xext`: lun 0, each command traps.
    Trap = 0,
    /// `xext0`: lun 1, each command gives 0.
    Zero = 1,
    /// `xextm1`: lun 2, each command gives -1.
    MinusOne = 2,
}

impl Fallback {
    /// All three, by lun.
    pub const ALL: [Fallback; 3] = [Fallback::Trap, Fallback::Zero, Fallback::MinusOne];

    /// The lun, which is the instruction's funct3 too.
    pub const fn lun(self) -> u16 {
        self as u16
    }

    /// The instruction that asks for it.
    pub const fn mnemonic(self) -> &'static str {
        match self {
            Fallback::Trap => "xext",
            Fallback::Zero => "xext0",
            Fallback::MinusOne => "xextm1",
        }
    }
}

/// A decoded instruction. Registers are 0 to 31.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Instruction {
    /// Form R of a CX command.
    R {
        /// Function id, 0 to 1023.
        function: u16,
        /// Result register.
        rd: u8,
        /// First operand's register.
        rs1: u8,
        /// Second operand's register.
        rs2: u8,
    },
    /// Form I of a CX command.
    I {
        /// Function id, 0 to 7.
        function: u16,
        /// Result register.
        rd: u8,
        /// The register operand's register.
        rs1: u8,
        /// The immediate, -2048 to 2047.
        immediate: i16,
    },
    /// Form flex or flex25 of a CX command.
    Flex {
        /// Function id, 0 to 1023.
        function: u16,
        /// First operand's register; of flex25, bits 9:5 of the immediate.
        rs1: u8,
        /// Second operand's register; of flex25, bits 14:10 of the immediate.
        rs2: u8,
        /// The immediate of flex, 0 to 31; of flex25, bits 4:0.
        immediate: u8,
    },
    /// A command of whatever device the lun in rs1 names.
    Xcmd {
        /// Which, 0 to 7.
        command: u8,
        /// Result register.
        rd: u8,
        /// The register with lun and data.
        rs1: u8,
        /// Second operand's register.
        rs2: u8,
    },
    /// Finds the lun of a device that implements an interface.
    Xext {
        /// What to give instead if there is none.
        fallback: Fallback,
        /// Gets the lun, and data above it.
        rd: u8,
        /// The register with the interface's id above the number of the device.
        rs1: u8,
        /// The register with the data.
        rs2: u8,
    },
    /// Reads and writes a control and status register; the ones of a CX need software where there is no hardware.
    Csr(CsrAccess),
}

/// funct7 of `xext` and its variants.
const XEXT: u8 = 1;

/// The fields of the R type, which every custom form but I has.
struct Fields {
    funct7: u8,
    rs2: u8,
    rs1: u8,
    funct3: u8,
    rd: u8,
}

impl Fields {
    const fn of(word: u32) -> Fields {
        Fields {
            funct7: (word >> 25) as u8,
            rs2: (word >> 20 & 31) as u8,
            rs1: (word >> 15 & 31) as u8,
            funct3: (word >> 12 & 7) as u8,
            rd: (word >> 7 & 31) as u8,
        }
    }

    /// `None` if a field does not fit.
    const fn word(self, opcode: u8) -> Option<u32> {
        let Fields { funct7, rs2, rs1, funct3, rd } = self;
        if funct7 >= 128 || rs2 >= 32 || rs1 >= 32 || funct3 >= 8 || rd >= 32 {
            return None;
        }
        let high = (funct7 as u32) << 25 | (rs2 as u32) << 20 | (rs1 as u32) << 15;
        Some(high | (funct3 as u32) << 12 | (rd as u32) << 7 | opcode as u32)
    }

    const fn function(&self) -> u16 {
        (self.funct7 as u16) << 3 | self.funct3 as u16
    }
}

/// funct3 and funct7 of a function id. An id that is not below [`FUNCTION_LIMIT`] gives fields that fit no instruction.
pub const fn functs(function: u16) -> (u8, u8) {
    let funct7 = if function < FUNCTION_LIMIT { (function >> 3) as u8 } else { u8::MAX };
    ((function & 7) as u8, funct7)
}

impl Instruction {
    /// A flex25 command with its immediate of 15 bits; `None` if that is larger.
    pub const fn flex25(function: u16, immediate: u16) -> Option<Instruction> {
        if immediate >= 1 << 15 {
            return None;
        }
        let (rs2, rs1) = ((immediate >> 10) as u8, (immediate >> 5 & 31) as u8);
        Some(Instruction::Flex { function, rs1, rs2, immediate: (immediate & 31) as u8 })
    }

    /// The 15 bits of a flex25 command: `rs2:rs1:rd`. `None` for what is no [`Instruction::Flex`] of fields that fit.
    pub const fn immediate25(self) -> Option<u16> {
        match self {
            Instruction::Flex { rs1, rs2, immediate, .. } if rs1 < 32 && rs2 < 32 && immediate < 32 => {
                Some((rs2 as u16) << 10 | (rs1 as u16) << 5 | immediate as u16)
            }
            _ => None,
        }
    }

    /// The instruction word. `None` if a number is out of its range.
    pub const fn encode(self, profile: Profile) -> Option<u32> {
        match self {
            Instruction::R { function, rd, rs1, rs2 } => {
                let (funct3, funct7) = functs(function);
                Fields { funct7, rs2, rs1, funct3, rd }.word(profile.r)
            }
            Instruction::I { function, rd, rs1, immediate } => {
                if function >= SMALL_LIMIT || immediate < -2048 || immediate > 2047 {
                    return None;
                }
                match (Fields { funct7: 0, rs2: 0, rs1, funct3: function as u8, rd }).word(profile.i) {
                    Some(word) => Some(word | (immediate as u32) << 20),
                    None => None,
                }
            }
            Instruction::Flex { function, rs1, rs2, immediate } => {
                let (funct3, funct7) = functs(function);
                Fields { funct7, rs2, rs1, funct3, rd: immediate }.word(profile.flex)
            }
            Instruction::Xcmd { command, rd, rs1, rs2 } => {
                Fields { funct7: 0, rs2, rs1, funct3: command, rd }.word(profile.xcmd)
            }
            Instruction::Xext { fallback, rd, rs1, rs2 } => {
                Fields { funct7: XEXT, rs2, rs1, funct3: fallback as u8, rd }.word(profile.xcmd)
            }
            Instruction::Csr(access) => access.encode(),
        }
    }

    /// Reads an instruction word. `None` if it is none of these: another instruction, or a reserved encoding on the
    /// opcode of overloadable opcodes.
    pub const fn decode(word: u32, profile: Profile) -> Option<Instruction> {
        let fields = Fields::of(word);
        let function = fields.function();
        let Fields { funct7, rs2, rs1, funct3, rd } = fields;
        let opcode = (word & 0x7F) as u8;
        Some(if opcode == profile.r {
            Instruction::R { function, rd, rs1, rs2 }
        } else if opcode == profile.i {
            Instruction::I { function: funct3 as u16, rd, rs1, immediate: (word as i32 >> 20) as i16 }
        } else if opcode == profile.flex {
            Instruction::Flex { function, rs1, rs2, immediate: rd }
        } else if opcode == profile.xcmd {
            match (funct7, funct3) {
                (0, command) => Instruction::Xcmd { command, rd, rs1, rs2 },
                (XEXT, 0) => Instruction::Xext { fallback: Fallback::Trap, rd, rs1, rs2 },
                (XEXT, 1) => Instruction::Xext { fallback: Fallback::Zero, rd, rs1, rs2 },
                (XEXT, 2) => Instruction::Xext { fallback: Fallback::MinusOne, rd, rs1, rs2 },
                _ => return None,
            }
        } else {
            match CsrAccess::decode(word) {
                Some(access) => Instruction::Csr(access),
                None => return None,
            }
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
#[path = "tests.rs"]
mod tests;
