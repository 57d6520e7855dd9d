//! Documentation comments.

use std::fmt::Write;

/// Prints documentation as `///` lines: `first` if there is none.
///
/// The text is Markdown of people who did not think of rustdoc: nothing in it may become a test. So blocks in fences are
/// plain text, and no line is indented so far that it is code.
pub fn docs(out: &mut String, text: &str, first: &str) {
    let text = text.trim();
    let text = if text.is_empty() { first } else { text };
    let mut open: Option<&str> = None;
    for line in text.lines() {
        let line = line.trim_end().replace('\r', " ");
        let start = line.trim_start();
        let fence = ["```", "~~~"].into_iter().find(|fence| start.starts_with(fence));
        let line = match (open, fence) {
            (None, Some(fence)) => {
                open = Some(fence);
                format!("{fence}text")
            }
            (Some(begun), Some(fence)) if begun == fence => {
                open = None;
                fence.to_owned()
            }
            (Some(_), _) => line,
            (None, None) => format!("{}{start}", " ".repeat((line.len() - start.len()).min(3))),
        };
        let _ = writeln!(out, "{}", format!("/// {line}").trim_end());
    }
    if let Some(fence) = open {
        let _ = writeln!(out, "/// {fence}");
    }
}

/// The same lines, further in.
pub fn indent(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for line in text.lines() {
        if !line.is_empty() {
            out.push_str("    ");
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::docs;

    #[test]
    fn nothing_becomes_a_test() {
        let mut out = String::new();
        docs(&mut out, "Text.\n\n        code();\n```\nf();\n```\n~~~rust\ng();", "");
        assert_eq!(
            out,
            "/// Text.\n///\n///    code();\n/// ```text\n/// f();\n/// ```\n/// ~~~text\n/// g();\n/// ~~~\n"
        );
    }
}
