//! Small functions, printed once each where they are used: sign extension, and loops over limbs for the operations on
//! values wider than 64 bits.
//!
//! Sign extension is a function because gcc looks through a cast and warns of what it finds (`-Wconversion`).

use std::collections::BTreeSet;

/// A function of the backend's own. The order is the order in which they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Helper {
    /// From a word.
    FromWord,
    /// To another number of limbs.
    Resize,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `~`
    Not,
    /// Left shift.
    Shl,
    /// Right shift.
    Shr,
    /// `<`
    Less,
    /// `==`
    Equal,
    /// Remainder.
    Rem,
    /// Quotient.
    Div,
    /// Clears high bits.
    Mask,
    /// Copies a bit upwards.
    SignExtend,
    /// 32 bits from a position.
    Word32,
    /// 64 bits from a position.
    Word64,
    /// The value if it fits 32 bits.
    Clamp,
    /// From 8 bits to a word of 32, and so on.
    Sext8To32,
    /// From 8 bits to a word of 64.
    Sext8To64,
    /// From 16 bits to a word of 32.
    Sext16To32,
    /// From 16 bits to a word of 64.
    Sext16To64,
    /// From 32 bits to a word of 64.
    Sext32To64,
}

impl Helper {
    /// Its name behind that of the interface.
    pub fn name(self) -> &'static str {
        match self {
            Helper::FromWord => "wide_from_word",
            Helper::Resize => "wide_resize",
            Helper::Add => "wide_add",
            Helper::Sub => "wide_sub",
            Helper::Mul => "wide_mul",
            Helper::And => "wide_and",
            Helper::Or => "wide_or",
            Helper::Xor => "wide_xor",
            Helper::Not => "wide_not",
            Helper::Shl => "wide_shl",
            Helper::Shr => "wide_shr",
            Helper::Less => "wide_less",
            Helper::Equal => "wide_equal",
            Helper::Rem => "wide_rem",
            Helper::Div => "wide_div",
            Helper::Mask => "wide_mask",
            Helper::SignExtend => "wide_sign_extend",
            Helper::Word32 => "wide_word32",
            Helper::Word64 => "wide_word64",
            Helper::Clamp => "wide_clamp",
            Helper::Sext8To32 => "sext8_32",
            Helper::Sext8To64 => "sext8_64",
            Helper::Sext16To32 => "sext16_32",
            Helper::Sext16To64 => "sext16_64",
            Helper::Sext32To64 => "sext32_64",
        }
    }

    /// Every helper.
    pub const ALL: [Helper; 25] = [
        Helper::FromWord,
        Helper::Resize,
        Helper::Add,
        Helper::Sub,
        Helper::Mul,
        Helper::And,
        Helper::Or,
        Helper::Xor,
        Helper::Not,
        Helper::Shl,
        Helper::Shr,
        Helper::Less,
        Helper::Equal,
        Helper::Rem,
        Helper::Div,
        Helper::Mask,
        Helper::SignExtend,
        Helper::Word32,
        Helper::Word64,
        Helper::Clamp,
        Helper::Sext8To32,
        Helper::Sext8To64,
        Helper::Sext16To32,
        Helper::Sext16To64,
        Helper::Sext32To64,
    ];

    /// The helpers that it calls.
    fn needs(self) -> &'static [Helper] {
        match self {
            Helper::Rem => &[Helper::Less, Helper::Sub],
            Helper::Div => &[Helper::Less, Helper::Sub],
            _ => &[],
        }
    }

    /// Its C text; `@wide_add` stands for the name of a helper.
    fn text(self) -> &'static str {
        match self {
            Helper::FromWord => {
                "static void @wide_from_word(uint32_t *r, uint64_t v, uint32_t n)\n{\n    for (uint32_t i = 0; i < n; i++) {\n        r[i] = (uint32_t)v;\n        v >>= 32;\n    }\n}\n"
            }
            Helper::Resize => {
                "static void @wide_resize(uint32_t *r, uint32_t n, const uint32_t *a, uint32_t m)\n{\n    for (uint32_t i = 0; i < n; i++) {\n        r[i] = i < m ? a[i] : 0u;\n    }\n}\n"
            }
            Helper::Add => {
                "static void @wide_add(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n)\n{\n    uint64_t carry = 0;\n    for (uint32_t i = 0; i < n; i++) {\n        carry += (uint64_t)a[i] + b[i];\n        r[i] = (uint32_t)carry;\n        carry >>= 32;\n    }\n}\n"
            }
            Helper::Sub => {
                "static void @wide_sub(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n)\n{\n    uint32_t borrow = 0;\n    for (uint32_t i = 0; i < n; i++) {\n        uint64_t d = (uint64_t)a[i] - b[i] - borrow;\n        r[i] = (uint32_t)d;\n        borrow = (uint32_t)(d >> 63);\n    }\n}\n"
            }
            Helper::Mul => {
                "static void @wide_mul(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n)\n{\n    for (uint32_t i = 0; i < n; i++) {\n        r[i] = 0;\n    }\n    for (uint32_t i = 0; i < n; i++) {\n        uint64_t carry = 0;\n        for (uint32_t j = 0; i + j < n; j++) {\n            carry += (uint64_t)a[i] * b[j] + r[i + j];\n            r[i + j] = (uint32_t)carry;\n            carry >>= 32;\n        }\n    }\n}\n"
            }
            Helper::And => {
                "static void @wide_and(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n)\n{\n    for (uint32_t i = 0; i < n; i++) {\n        r[i] = a[i] & b[i];\n    }\n}\n"
            }
            Helper::Or => {
                "static void @wide_or(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n)\n{\n    for (uint32_t i = 0; i < n; i++) {\n        r[i] = a[i] | b[i];\n    }\n}\n"
            }
            Helper::Xor => {
                "static void @wide_xor(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n)\n{\n    for (uint32_t i = 0; i < n; i++) {\n        r[i] = a[i] ^ b[i];\n    }\n}\n"
            }
            Helper::Not => {
                "static void @wide_not(uint32_t *r, const uint32_t *a, uint32_t n)\n{\n    for (uint32_t i = 0; i < n; i++) {\n        r[i] = ~a[i];\n    }\n}\n"
            }
            Helper::Shl => {
                "static void @wide_shl(uint32_t *r, const uint32_t *a, uint32_t by, uint32_t n)\n{\n    uint32_t limbs = by / 32u;\n    uint32_t bits = by % 32u;\n    for (uint32_t i = 0; i < n; i++) {\n        uint64_t high = i >= limbs ? a[i - limbs] : 0u;\n        uint64_t low = i > limbs ? a[i - limbs - 1u] : 0u;\n        r[i] = (uint32_t)((high << 32 | low) >> (32u - bits));\n    }\n}\n"
            }
            Helper::Shr => {
                "static void @wide_shr(uint32_t *r, const uint32_t *a, uint32_t by, uint32_t n)\n{\n    uint32_t limbs = by / 32u;\n    uint32_t bits = by % 32u;\n    for (uint32_t i = 0; i < n; i++) {\n        uint64_t low = n - i > limbs ? a[i + limbs] : 0u;\n        uint64_t high = n - i - 1u > limbs ? a[i + limbs + 1u] : 0u;\n        r[i] = (uint32_t)((high << 32 | low) >> bits);\n    }\n}\n"
            }
            Helper::Less => {
                "static bool @wide_less(const uint32_t *a, const uint32_t *b, uint32_t n)\n{\n    for (uint32_t i = n; i > 0; i--) {\n        if (a[i - 1u] != b[i - 1u]) {\n            return a[i - 1u] < b[i - 1u];\n        }\n    }\n    return false;\n}\n"
            }
            Helper::Equal => {
                "static bool @wide_equal(const uint32_t *a, const uint32_t *b, uint32_t n)\n{\n    for (uint32_t i = 0; i < n; i++) {\n        if (a[i] != b[i]) {\n            return false;\n        }\n    }\n    return true;\n}\n"
            }
            Helper::Rem => {
                "/* Bit by bit. A zero divisor leaves the dividend. */\nstatic void @wide_rem(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n)\n{\n    for (uint32_t i = 0; i < n; i++) {\n        r[i] = 0;\n    }\n    for (uint32_t bit = 32u * n; bit > 0; bit--) {\n        uint32_t carry = a[(bit - 1u) / 32u] >> ((bit - 1u) % 32u) & 1u;\n        for (uint32_t i = 0; i < n; i++) {\n            uint32_t top = r[i] >> 31;\n            r[i] = r[i] << 1 | carry;\n            carry = top;\n        }\n        if (carry != 0 || !@wide_less(r, b, n)) {\n            @wide_sub(r, r, b, n);\n        }\n    }\n}\n"
            }
            Helper::Div => {
                "/* Bit by bit. A zero divisor gives all ones. */\nstatic void @wide_div(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n)\n{\n    uint32_t rest[@limbs] = {0};\n    for (uint32_t bit = 32u * n; bit > 0; bit--) {\n        uint32_t carry = a[(bit - 1u) / 32u] >> ((bit - 1u) % 32u) & 1u;\n        for (uint32_t i = 0; i < n; i++) {\n            uint32_t top = rest[i] >> 31;\n            rest[i] = rest[i] << 1 | carry;\n            carry = top;\n        }\n        bool fits = carry != 0 || !@wide_less(rest, b, n);\n        if (fits) {\n            @wide_sub(rest, rest, b, n);\n        }\n        if ((bit - 1u) % 32u == 31u) {\n            r[(bit - 1u) / 32u] = 0;\n        }\n        r[(bit - 1u) / 32u] |= (uint32_t)fits << ((bit - 1u) % 32u);\n    }\n}\n"
            }
            Helper::Mask => {
                "static void @wide_mask(uint32_t *r, uint32_t width, uint32_t n)\n{\n    for (uint32_t i = width / 32u; i < n; i++) {\n        r[i] &= i == width / 32u ? (1u << width % 32u) - 1u : 0u;\n    }\n}\n"
            }
            Helper::SignExtend => {
                "static void @wide_sign_extend(uint32_t *r, uint32_t width, uint32_t n)\n{\n    uint32_t sign = 0u - (r[(width - 1u) / 32u] >> ((width - 1u) % 32u) & 1u);\n    for (uint32_t i = width / 32u; i < n; i++) {\n        uint32_t low = i == width / 32u ? (1u << width % 32u) - 1u : 0u;\n        r[i] = (r[i] & low) | (sign & ~low);\n    }\n}\n"
            }
            Helper::Word32 => {
                "static uint32_t @wide_word32(const uint32_t *a, uint32_t n, uint32_t at)\n{\n    uint32_t i = at / 32u;\n    uint64_t low = i < n ? a[i] : 0u;\n    uint64_t high = n > 1u && i < n - 1u ? a[i + 1u] : 0u;\n    return (uint32_t)((high << 32 | low) >> at % 32u);\n}\n"
            }
            Helper::Word64 => {
                "static uint64_t @wide_word64(const uint32_t *a, uint32_t n, uint32_t at)\n{\n    uint64_t v = 0;\n    for (uint32_t k = 0; k < 3u; k++) {\n        uint32_t i = at / 32u + k;\n        uint64_t limb = i < n ? a[i] : 0u;\n        uint32_t bits = at % 32u;\n        v |= k == 0 ? limb >> bits : k == 1u ? limb << (32u - bits) : bits != 0 ? limb << (64u - bits) : 0u;\n    }\n    return v;\n}\n"
            }
            Helper::Sext8To32 => {
                "static inline uint32_t @sext8_32(uint32_t x)\n{\n    return (uint32_t)(int8_t)x;\n}\n"
            }
            Helper::Sext8To64 => {
                "static inline uint64_t @sext8_64(uint64_t x)\n{\n    return (uint64_t)(int8_t)x;\n}\n"
            }
            Helper::Sext16To32 => {
                "static inline uint32_t @sext16_32(uint32_t x)\n{\n    return (uint32_t)(int16_t)x;\n}\n"
            }
            Helper::Sext16To64 => {
                "static inline uint64_t @sext16_64(uint64_t x)\n{\n    return (uint64_t)(int16_t)x;\n}\n"
            }
            Helper::Sext32To64 => {
                "static inline uint64_t @sext32_64(uint64_t x)\n{\n    return (uint64_t)(int32_t)x;\n}\n"
            }
            Helper::Clamp => {
                "static uint32_t @wide_clamp(const uint32_t *a, uint32_t n)\n{\n    for (uint32_t i = 1; i < n; i++) {\n        if (a[i] != 0) {\n            return 0xFFFFFFFFu;\n        }\n    }\n    return a[0];\n}\n"
            }
        }
    }
}

/// The text of these helpers and of those they call, in a fixed order. `limbs` bounds the limbs of a division.
pub fn texts<'n>(used: &BTreeSet<Helper>, limbs: u32, name: impl Fn(Helper) -> &'n str) -> String {
    let mut all = used.clone();
    all.extend(used.iter().flat_map(|helper| helper.needs()));
    let mut text = String::new();
    for helper in all {
        let mut body = helper.text().replace("@limbs", &limbs.max(1).to_string());
        for other in [helper].iter().chain(helper.needs()) {
            body = body.replace(&format!("@{}(", other.name()), &format!("{}(", name(*other)));
        }
        text.push_str(&body);
        text.push('\n');
    }
    text
}
