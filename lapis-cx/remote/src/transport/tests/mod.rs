//! Tests of channels whose peer is a thread of the test: one that corrupts what is shared, and one that is slow.
mod corrupt_peer;
mod slow_peer;

pub(crate) use corrupt_peer::Random;
