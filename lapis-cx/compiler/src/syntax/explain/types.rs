//! Types of other languages: what they are here.

/// What to write for a type of C, Rust or Verilog; a type of this language is itself. Several words are one type of C,
/// as `unsigned int`. `None` for words that are no type of numbers.
pub(crate) fn type_here(written: &str) -> Option<String> {
    if let Some(ty) = c_words(written) {
        return Some(ty.to_owned());
    }
    let ty = match written {
        "bool" | "word" | "sword" => written,
        "uint" | "uint32_t" => "u32",
        "int32_t" => "s32",
        "uint8_t" | "byte" => "u8",
        "uint16_t" => "u16",
        "uint64_t" => "u64",
        "int8_t" => "s8",
        "int16_t" => "s16",
        "int64_t" => "s64",
        "usize" | "size_t" | "uintptr_t" => "word",
        "isize" | "ssize_t" | "intptr_t" | "ptrdiff_t" => "sword",
        "bit" | "logic" | "wire" | "reg" => "u1",
        "boolean" | "Bool" | "_Bool" => "bool",
        _ => {
            let (sign, digits) = written.split_at_checked(1)?;
            let is_width = !digits.is_empty() && digits.len() <= 4 && digits.bytes().all(|b| b.is_ascii_digit());
            return match sign {
                _ if !is_width => None,
                "u" | "s" => Some(written.to_owned()),
                "i" => Some(format!("s{digits}")),
                _ => None,
            };
        }
    };
    Some(ty.to_owned())
}

/// `char`, `short`, `int` and `long` with their signs. They are as wide as on most machines with 64 bits.
fn c_words(written: &str) -> Option<&'static str> {
    let (mut unsigned, mut longs, mut base) = (false, 0, "int");
    for word in written.split_ascii_whitespace() {
        match word {
            "unsigned" => unsigned = true,
            "signed" | "int" => {}
            "long" => longs += 1,
            "char" | "short" => base = word,
            _ => return None,
        }
    }
    Some(match (base, longs > 0, unsigned) {
        _ if written.trim().is_empty() => return None,
        ("char", _, true) => "u8",
        ("char", _, false) => "s8",
        ("short", _, true) => "u16",
        ("short", _, false) => "s16",
        (_, true, true) => "u64",
        (_, true, false) => "s64",
        (_, false, true) => "u32",
        (_, false, false) => "s32",
    })
}

/// How a value becomes one of a type of another language, or of this one.
pub(super) fn conversion(written: &str) -> String {
    let ty = type_here(written).unwrap_or_else(|| "u8".to_owned());
    let (width, signed) = match ty.as_str() {
        "bool" => return "write `x != 0`".to_owned(),
        "word" => ("XLEN", false),
        "sword" => ("XLEN", true),
        _ => (ty.get(1..).unwrap_or("8"), ty.starts_with('s')),
    };
    let extend = if signed { "sext" } else { "zext" };
    format!(
        "write `{ty}(x)` where every value fits, else say how: `x.trunc({width})`, `x.sat({width})`, `x.{extend}({width})`"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_other_languages() {
        for (written, here) in [
            ("uint8_t", "u8"),
            ("int32_t", "s32"),
            ("unsigned int", "u32"),
            ("unsigned", "u32"),
            ("long long", "s64"),
            ("unsigned char", "u8"),
            ("size_t", "word"),
            ("i24", "s24"),
            ("usize", "word"),
            ("logic", "u1"),
            ("u7", "u7"),
            ("word", "word"),
        ] {
            assert_eq!(type_here(written).as_deref(), Some(here), "{written}");
        }
        for other in ["", "x", "u", "i", "float", "uu8", "é8", "unsigned x"] {
            assert_eq!(type_here(other), None, "{other}");
        }
        assert!(conversion("usize").contains("x.zext(XLEN)"));
        assert!(conversion("i16").contains("`s16(x)`") && conversion("i16").contains("x.sext(16)"));
    }
}
