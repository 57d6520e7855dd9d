//! The real `cxc`, as people run it.

#![allow(clippy::unwrap_used, clippy::panic)]

mod command;
mod pipeline;
mod said;
mod support;
