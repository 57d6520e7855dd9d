//! Documentation comments.

use std::borrow::Cow;
use std::fmt::Display;

use proc_macro2::{TokenStream, TokenTree};
use quote::{TokenStreamExt, quote};

use crate::tokens::part;

/// The lines of documentation: of `first` if there is none.
///
/// The text is Markdown of people who did not think of rustdoc: nothing in it may become a test. So blocks in fences are
/// plain text, and no line is indented so far that it is code. No line has a carriage return, or a blank at its end.
pub fn lines(text: &str, first: impl Display, mut put: impl FnMut(&str)) {
    let text = match text.trim() {
        "" => Cow::Owned(first.to_string()),
        text => Cow::Borrowed(text),
    };
    let mut open: Option<&str> = None;
    for line in text.lines() {
        let line = line.trim_end();
        let line = if line.contains('\r') { Cow::Owned(line.replace('\r', " ")) } else { Cow::Borrowed(line) };
        let start = line.trim_start();
        let fence = ["```", "~~~"].into_iter().find(|fence| start.starts_with(fence));
        match (open, fence) {
            (None, Some(fence)) => {
                open = Some(fence);
                put(&format!("{fence}text"));
            }
            (Some(begun), Some(fence)) if begun == fence => {
                open = None;
                put(fence);
            }
            (None, None) if start.len() < line.len() => {
                put(&format!("{}{start}", " ".repeat((line.len() - start.len()).min(3))));
            }
            _ => put(&line),
        }
    }
    if let Some(fence) = open {
        put(fence);
    }
}

/// Documentation of what is in an item, as attributes. That of items is printed as it is, by
/// [`Writer::docs`](crate::print::Writer::docs).
pub fn docs(text: &str, first: impl Display) -> TokenTree {
    let mut out = TokenStream::new();
    lines(text, first, |line| {
        let line = if line.is_empty() { String::new() } else { format!(" {line}") };
        out.append_all(quote!(#[doc = #line]));
    });
    part(out)
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::docs;
    use crate::print::Writer;

    const TEXT: &str = "Text.\n\n        code();\n```\nf();\n```\n~~~rust\ng();";
    const PRINTED: &str =
        "/// Text.\n///\n///    code();\n/// ```text\n/// f();\n/// ```\n/// ~~~text\n/// g();\n/// ~~~\nstruct S;\n";

    #[test]
    fn nothing_becomes_a_test() {
        let docs = docs(TEXT, "");
        let mut out = Writer::verified();
        out.items(quote!(#docs struct S;));
        assert_eq!(out.finish().unwrap(), PRINTED);
        out.docs(TEXT, "");
        out.items(quote!(
            struct S;
        ));
        assert_eq!(out.finish().unwrap(), PRINTED);
    }
}
