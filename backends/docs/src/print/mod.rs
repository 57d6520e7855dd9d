//! Documents in a format.

pub mod asciidoc;
pub mod html;
pub mod markdown;

/// Text as it may stand in HTML, SVG and their attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// The way from one page to another: `a/b` to `a/c` is `c`, to `d` is `../d`.
pub fn relative(from: &str, to: &str) -> String {
    let (from, to): (Vec<_>, Vec<_>) = (from.split('/').collect(), to.split('/').collect());
    let folders = from.len().saturating_sub(1).min(to.len().saturating_sub(1));
    let shared = from.iter().zip(&to).take(folders).take_while(|(a, b)| a == b).count();
    let up = from.len().saturating_sub(1 + shared);
    let mut parts = vec![".."; up];
    parts.extend(to.get(shared..).unwrap_or_default());
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn ways_go_up_and_down() {
        for (from, to, way) in [
            ("index", "a/b", "a/b"),
            ("a/b", "index", "../index"),
            ("a/b", "a/c", "c"),
            ("a/b", "a/b", "b"),
            ("a/b/c", "a/d/e", "../d/e"),
            ("a.b/c", "a/c", "../a/c"),
        ] {
            assert_eq!(relative(from, to), way, "{from} to {to}");
        }
    }
}
