//! Tests of channels whose peer is a thread of the test: a corrupt peer and a slow peer.
mod corrupt_peer;
mod slow_peer;

pub(crate) use corrupt_peer::Random;
