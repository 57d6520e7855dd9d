//! Wrapping of prose.

/// Fills `text` into lines of at most `width` characters. The first line starts with `first`, every other one with
/// `rest`. Line feeds of the text stay, and so do the spaces at the start of its lines; a word longer than the line
/// is not broken. Ends with a line feed.
pub fn wrap(text: &str, first: &str, rest: &str, width: usize) -> String {
    let mut out = String::new();
    for (i, line) in text.trim_end().lines().enumerate() {
        let indent: String = line.chars().take_while(|c| *c == ' ').collect();
        let mut row = format!("{}{indent}", if i == 0 { first } else { rest });
        let mut row_is_empty = true;
        for word in line.split_whitespace() {
            if !row_is_empty && row.chars().count() + 1 + word.chars().count() > width {
                out.push_str(row.trim_end());
                out.push('\n');
                row = format!("{rest}{indent}");
                row_is_empty = true;
            }
            if !row_is_empty {
                row.push(' ');
            }
            row.push_str(word);
            row_is_empty = false;
        }
        out.push_str(row.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn fills_lines_and_keeps_breaks_and_indents() {
        assert_eq!(wrap("one two three", "> ", "  ", 9), "> one two\n  three\n");
        assert_eq!(wrap("a\n  b c\n\nd\n", "", "", 80), "a\n  b c\n\nd\n");
        assert_eq!(wrap("unbreakable", "", "", 4), "unbreakable\n");
    }
}
