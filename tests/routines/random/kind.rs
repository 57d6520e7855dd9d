//! Types of numbers, as a library, its bodies, C and Rust spell them.

/// A type of numbers.
#[derive(Debug, PartialEq)]
pub struct Kind {
    /// In a body, and in a command.
    pub body: &'static str,
    /// How many bits, as a body writes it.
    pub bits: &'static str,
    pub is_signed: bool,
    /// As a parameter of a library's function, in the library, C and Rust; locals alone have none.
    pub api: [&'static str; 3],
}

const fn kind(body: &'static str, bits: &'static str, is_signed: bool, api: [&'static str; 3]) -> Kind {
    Kind { body, bits, is_signed, api }
}

/// All; those that buffers are made of come first, then those of parameters and results, then those of locals.
pub static KINDS: [Kind; 19] = [
    kind("u32", "32", false, ["u32", "uint32_t", "u32"]),
    kind("bool", "1", false, ["bool", "bool", "bool"]),
    kind("u8", "8", false, ["u8", "uint8_t", "u8"]),
    kind("u16", "16", false, ["u16", "uint16_t", "u16"]),
    kind("u64", "64", false, ["u64", "uint64_t", "u64"]),
    kind("s8", "8", true, ["s8", "int8_t", "i8"]),
    kind("s16", "16", true, ["s16", "int16_t", "i16"]),
    kind("s32", "32", true, ["s32", "int32_t", "i32"]),
    kind("s64", "64", true, ["s64", "int64_t", "i64"]),
    kind("word", "XLEN", false, ["size", "size_t", "usize"]),
    kind("s<XLEN>", "XLEN", true, ["intptr", "intptr_t", "isize"]),
    kind("s32", "32", true, ["int", "int", "i32"]),
    kind("u16", "16", false, ["ushort", "unsigned short", "u16"]),
    kind("u5", "5", false, [""; 3]),
    kind("s7", "7", true, [""; 3]),
    kind("s13", "13", true, [""; 3]),
    kind("u40", "40", false, [""; 3]),
    kind("u70", "70", false, [""; 3]),
    kind("s90", "90", true, [""; 3]),
];

/// So many are elements of buffers, and parameters and results.
pub const OF_BUFFERS: usize = 9;
pub const OF_PARAMETERS: usize = 13;

/// The kind of a command's operand or result.
pub fn of(body: &str) -> &'static Kind {
    KINDS.iter().find(|kind| kind.body == body).unwrap()
}

impl Kind {
    pub fn is_bool(&self) -> bool {
        self.body == "bool"
    }

    /// A constant from -8 to 31.
    pub fn constant(&self, value: i32) -> String {
        match (self.bits, self.is_signed) {
            ("XLEN", true) => format!("s8({value}).ext(XLEN)"),
            _ => format!("{}({value})", self.body),
        }
    }

    /// A value of this kind as one of another kind.
    pub fn converted(&self, text: String, to: &Kind) -> String {
        if self.body == to.body {
            return text;
        }
        match (self.is_bool(), to.is_bool()) {
            (_, true) => format!("(({text})[0] == 1)"),
            (true, false) => {
                format!("(({text}) ? {} : {})", to.constant(if to.is_signed { -1 } else { 1 }), to.constant(0))
            }
            (false, false) => {
                let wide = if self.bits == to.bits { text } else { format!("({text}).wrap({})", to.bits) };
                match (self.is_signed, to.is_signed) {
                    (true, false) => format!("({wide}).unsigned()"),
                    (false, true) => format!("({wide}).signed()"),
                    _ => wide,
                }
            }
        }
    }
}
