//! Tokens of what is given as text: names, numbers.

use std::str::FromStr;

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};

/// Tokens that are put into others. As a group without delimiters they are moved there, one by one they would be copied.
pub fn part(tokens: TokenStream) -> TokenTree {
    Group::new(Delimiter::None, tokens).into()
}

/// A word that is an identifier or a keyword.
pub fn word(text: &str) -> Ident {
    Ident::new(text, Span::call_site())
}

/// A name as `naming` makes it: raw if it begins with `r#`.
pub fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        // No name is empty; a blank would be no token.
        None if name.is_empty() => word("_"),
        None => word(name),
    }
}

/// A number as it is written.
pub fn literal(text: &str) -> TokenTree {
    // What is no literal shows where it stands.
    Literal::from_str(text).unwrap_or_else(|_| Literal::string(text)).into()
}
