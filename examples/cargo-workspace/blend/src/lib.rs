//! The mean of two values of a channel.

/// The interface, its guard and its fallback.
pub mod blend {
    lapis_cx_core::include_spec!("blend");
}
