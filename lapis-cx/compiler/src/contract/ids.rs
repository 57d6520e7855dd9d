//! Ids: positions in tables, each of a type of its own.

/// Declares types of ids; the documentation of each names its table.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, crate::json::Serialize, crate::json::Deserialize,
            crate::json::JsonSchema,
        )]
        #[serde(transparent)]
        pub struct $name(pub u32);
        impl $name {
            /// The position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )* };
}
pub(crate) use ids;
