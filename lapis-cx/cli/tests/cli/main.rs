//! The real `cxc`, as people run it.

#![allow(clippy::unwrap_used, clippy::panic)]

mod boundary;
mod c_side;
mod command;
mod diff;
mod doc;
mod emit;
mod fmt;
mod formats;
mod listed;
mod outdated;
mod pipeline;
mod plan;
mod produced;
mod progress;
mod roots;
mod said;
mod schemas;
mod support;
mod watch;
