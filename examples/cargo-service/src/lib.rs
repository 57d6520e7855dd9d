//! What the program and its service both know.

/// The client, and the trait for the service.
pub mod tally {
    include!(concat!(env!("OUT_DIR"), "/remoting/tally_remote.rs"));
}
