//! What the types of the contract and of the lowered core derive: JSON and its schema, or nothing.

#[cfg(not(feature = "json"))]
pub(crate) use lapis_cx_no_json::{Deserialize, JsonSchema, Serialize};
#[cfg(feature = "json")]
pub(crate) use {
    schemars::JsonSchema,
    serde::{Deserialize, Serialize},
};
