//! Documentation comments.

use proc_macro2::TokenStream;
use quote::{TokenStreamExt, quote};

/// Documentation as attributes, a line each: `first` if there is none.
///
/// The text is Markdown of people who did not think of rustdoc: nothing in it may become a test. So blocks in fences are
/// plain text, and no line is indented so far that it is code.
pub fn docs(text: &str, first: &str) -> TokenStream {
    let text = text.trim();
    let text = if text.is_empty() { first } else { text };
    let mut out = TokenStream::new();
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
        one(&mut out, &line);
    }
    if let Some(fence) = open {
        one(&mut out, fence);
    }
    out
}

/// A line, with a blank before it unless it is empty.
fn one(out: &mut TokenStream, line: &str) {
    let line = if line.is_empty() { String::new() } else { format!(" {line}") };
    out.append_all(quote!(#[doc = #line]));
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::docs;
    use crate::print::Writer;

    #[test]
    fn nothing_becomes_a_test() {
        let docs = docs("Text.\n\n        code();\n```\nf();\n```\n~~~rust\ng();", "");
        let mut out = Writer::default();
        out.items(quote!(#docs struct S;));
        assert_eq!(
            out.finish().unwrap(),
            "/// Text.\n///\n///    code();\n/// ```text\n/// f();\n/// ```\n/// ~~~text\n/// g();\n/// ~~~\nstruct S;\n"
        );
    }
}
