//! Types of C whose size every target has in common: those of the language and of its standard headers.

use super::place::Scalar;
use super::text;

/// The bytes of an address. Libraries run in another process on machines of 64 bits only.
pub const ADDRESS_BYTES: u32 = 8;

/// Words that do not change the size of a type.
const QUALIFIERS: &[&str] = &["const", "volatile", "restrict", "register"];

/// Returns the scalar that is a type of C, given by its text; `None` for pointers, and for names that other headers declare.
pub fn scalar(text: &str) -> Option<Scalar> {
    let mut words: Vec<&str> = text.split_whitespace().filter(|word| !QUALIFIERS.contains(word)).collect();
    if words.len() > 1 {
        // `long unsigned int` is `unsigned long`.
        words.retain(|word| !matches!(*word, "int"));
        words.sort_unstable();
    }
    Some(match words.as_slice() {
        ["bool" | "_Bool"] => Scalar::Bool,
        ["char"] => Scalar::Char,
        ["char", "signed"] | ["int8_t"] => Scalar::Signed(8),
        ["char", "unsigned"] | ["uint8_t"] => Scalar::Unsigned(8),
        ["short"] | ["short", "signed"] => Scalar::Short,
        ["short", "unsigned"] => Scalar::UShort,
        ["int" | "signed"] => Scalar::Int,
        ["unsigned"] => Scalar::UInt,
        ["long"] | ["long", "signed"] => Scalar::Long,
        ["long", "unsigned"] => Scalar::ULong,
        ["long", "long"] | ["long", "long", "signed"] | ["int64_t"] => Scalar::Signed(64),
        ["long", "long", "unsigned"] | ["uint64_t"] => Scalar::Unsigned(64),
        ["int16_t"] => Scalar::Signed(16),
        ["uint16_t"] => Scalar::Unsigned(16),
        ["int32_t"] => Scalar::Signed(32),
        ["uint32_t"] => Scalar::Unsigned(32),
        ["size_t"] => Scalar::Size,
        ["ssize_t" | "ptrdiff_t" | "intptr_t"] => Scalar::IntPtr,
        ["uintptr_t"] => Scalar::UIntPtr,
        ["float"] => Scalar::Float,
        ["double"] => Scalar::Double,
        _ => return None,
    })
}

/// Returns the type of the language for a type of C, given by its text: `size` for `size_t`. `None` if the text does not tell.
pub fn written(text: &str) -> Option<String> {
    let words: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.replace(" *", "*").as_str() {
        "char*" | "const char*" | "char const*" => Some("cstr".to_owned()),
        words => scalar(text).map(|scalar| match scalar {
            // `int64_t` is `long`, which is another type.
            Scalar::Signed(64) | Scalar::Unsigned(64) if words.matches("long").count() == 2 => {
                format!("\"{words}\" as {}", text::scalar(scalar))
            }
            scalar => text::scalar(scalar),
        }),
    }
}

/// Returns a help text with the type of the language for a type of C. `None` if the text does not tell.
pub fn help(text: &str) -> Option<String> {
    let words: String = text.split_whitespace().filter(|word| *word != "const").collect();
    if words == "void*" {
        return Some(format!(
            "write `\"{text}\" as in [u8; n]` for memory that the callee reads (`out` or `inout` if it writes there), `as userdata` for the \
             user's pointer of a callback, and `as ptr` only for an address that neither side reads"
        ));
    }
    written(text).map(|written| format!("write `{written}`"))
}

/// Returns the bytes of a type of C, given by its text; `None` if they are not known.
pub fn bytes(text: &str) -> Option<u32> {
    if text.contains('*') { Some(ADDRESS_BYTES) } else { scalar(text).map(Scalar::wire_bytes) }
}

/// Returns the type that a type of C points to, given by its text, if it is a scalar; `None` for pointers to pointers, `void` and names
/// that other headers declare.
pub fn pointee(text: &str) -> Option<&str> {
    let (to, rest) = text.rsplit_once('*')?;
    let is_one = rest.split_whitespace().all(|word| QUALIFIERS.contains(&word)) && scalar(to).is_some();
    is_one.then(|| to.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_c_have_one_scalar_in_every_spelling() {
        for text in
            ["unsigned long", "long unsigned int", "unsigned  long int", "const unsigned long", "int long unsigned"]
        {
            assert_eq!(scalar(text), Some(Scalar::ULong), "{text}");
        }
        assert_eq!(scalar("unsigned int"), Some(Scalar::UInt));
        assert_eq!(scalar("signed int"), Some(Scalar::Int));
        assert_eq!(scalar("long long int"), Some(Scalar::Signed(64)));
        for text in ["struct s", "z_off_t", "", "long double", "char *", "int unsigned x"] {
            assert_eq!(scalar(text), None, "{text}");
        }
        for (text, expected) in [
            ("size_t", "size"),
            ("unsigned char", "u8"),
            ("const char *", "cstr"),
            ("char const*", "cstr"),
            ("uint64_t", "u64"),
            ("unsigned long long", "\"unsigned long long\" as u64"),
        ] {
            assert_eq!(written(text).as_deref(), Some(expected));
        }
        assert_eq!(["struct s *", "my_t", "void *"].map(written), [None, None, None]);
        for (text, expected) in [
            ("const uint32_t *", Some("const uint32_t")),
            ("unsigned long*restrict", Some("unsigned long")),
            ("void *", None),
            ("int **", None),
            ("int (*)(int)", None),
            ("my_t *", None),
            ("int", None),
        ] {
            assert_eq!(pointee(text), expected, "{text}");
        }
        assert_eq!(help("size_t").as_deref(), Some("write `size`"));
        assert!(["void *", "const void*", "void const *"].iter().all(|text| help(text).is_some()));
        assert_eq!((bytes("char *"), bytes("size_t"), bytes("z_off_t")), (Some(8), Some(8), None));
    }
}
