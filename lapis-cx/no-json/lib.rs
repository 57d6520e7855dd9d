//! Derives by the names of those of serde and schemars that derive nothing and take the same attributes.
//!
//! `lapis-cx` has them without its feature `json`, so that a build script compiles neither crate, nor what they derive for
//! each type of the contract; and its types say what they derive in one way.

use proc_macro::TokenStream;

/// In place of `serde::Serialize`.
#[proc_macro_derive(Serialize, attributes(serde))]
pub fn serialize(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// In place of `serde::Deserialize`.
#[proc_macro_derive(Deserialize, attributes(serde))]
pub fn deserialize(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// In place of `schemars::JsonSchema`.
#[proc_macro_derive(JsonSchema, attributes(schemars))]
pub fn json_schema(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
