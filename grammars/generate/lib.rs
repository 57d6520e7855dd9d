//! What pest makes of a grammar, as text to keep in a file.
//!
//! It is a macro only because cargo gives macros features of their own: pest's generator asks for more of pest than a parser
//! needs, and in a test all would get that.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::quote;

/// The parser of a grammar for a type `Grammar`, as a string: `parser_text!("cxspec.pest")`. The path starts at the folder of
/// the package.
#[proc_macro]
pub fn parser_text(path: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let path = TokenStream::from(path);
    let mut text = String::new();
    print(pest_generator::derive_parser(quote!(#[grammar = #path] pub struct Grammar;), false), &mut text);
    // What is included is compiled again when it changes.
    quote!({
        const _: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", #path));
        #text
    })
    .into()
}

/// Tokens with few spaces between them, and each public function on a line of its own.
fn print(tokens: TokenStream, text: &mut String) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                print(group.stream(), text);
                text.push_str(close);
            }
            TokenTree::Punct(punct) => {
                text.push(punct.as_char());
                // `> =` is not `>=`; of these, no operator starts.
                if punct.spacing() == Spacing::Alone && !matches!(punct.as_char(), ',' | ';' | '.' | '#') {
                    text.push(' ');
                }
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => {
                let word = token.to_string();
                if word == "pub" {
                    text.push('\n');
                } else if text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"')) {
                    text.push(' ');
                }
                text.push_str(&word);
            }
        }
    }
}
