//! The real `cxc`, as people run it.

#![allow(clippy::unwrap_used, clippy::panic)]

mod command;
mod diff;
mod emit;
mod formats;
mod pipeline;
mod roots;
mod said;
mod schemas;
mod support;
