//! Strings of a specification in the files of build systems, as one word each: whatever they contain has no meaning there.

/// Quotes a word for a POSIX shell.
pub fn shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-+=:,./@%^".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Quotes a word for the value of a variable of make that recipes pass to the shell.
pub fn make(word: &str) -> String {
    let (mut out, mut backslashes) = (String::new(), 0);
    for c in shell(word).chars() {
        match c {
            '$' => out.push('$'),
            // A `#` starts a comment unless a backslash precedes it, and make removes half of the backslashes there.
            '#' => out.push_str(&"\\".repeat(backslashes + 1)),
            _ => {}
        }
        out.push(c);
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
    }
    out
}

/// Quotes an argument of a CMake command in which CMake also evaluates generator expressions.
pub fn cmake(word: &str) -> String {
    let mut out = String::from("\"");
    for c in word.chars() {
        match c {
            '\\' | '"' | ';' => out.extend(['\\', c]),
            // The expression for a `$` that begins no variable and no other expression.
            '$' => out.push_str("$<1:$>"),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Quotes a string of Meson.
pub fn meson(word: &str) -> String {
    let mut out = String::from("'");
    for c in word.chars() {
        if matches!(c, '\\' | '\'') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::{cmake, make, meson, shell};

    #[test]
    fn plain_words_stay_as_they_are() {
        assert_eq!([shell("-DX=1"), make("-lz"), cmake("-lz"), meson("-lz")], ["-DX=1", "-lz", "\"-lz\"", "'-lz'"]);
    }

    #[test]
    fn special_characters_are_quoted() {
        assert_eq!(shell("a b'c"), r"'a b'\''c'");
        assert_eq!(shell(""), "''");
        assert_eq!(make(r"$(x)#\#"), r"'$$(x)\#\\\#'");
        assert_eq!(cmake(r#"$<x>;"\"#), r#""$<1:$><x>\;\"\\""#);
        assert_eq!(meson(r"a'b\"), r"'a\'b\\'");
    }
}
