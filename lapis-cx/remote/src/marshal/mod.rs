//! Encodes and decodes the memory of a call as the plan of the library describes.
//!
//! The two sides traverse their own memory in the same order: one side encodes, the other decodes. The *caller* makes the call: the guest,
//! or the worker in a callback. The *callee* works on copies of the caller's memory. The caller encodes the request, and the callee
//! encodes the reply. A decoder checks each received count and size against the value that it computes from the plan itself.

pub(crate) mod access;
mod addresses;
mod buffers;
mod byte_set;
mod choices;
mod claims;
mod copies;
mod decode_buffer;
mod decode_reply;
mod decode_request;
mod effects;
mod element_values;
mod encode_buffer;
mod encode_reply;
mod encode_request;
mod encode_returned;
pub(crate) mod ended_memory;
mod entries;
pub(crate) mod eval;
mod files;
mod frame;
mod intervals;
mod kept_changes;
mod known_pointers;
mod marshaller;
mod members;
pub(crate) mod memory;
pub(crate) mod names;
mod of_call;
pub(crate) mod pages;
mod pointer;
mod region_contents;
pub(crate) mod scopes;
mod scratch;
mod sent_contents;
mod settle;
mod shape;
mod side;
mod sources;
pub(crate) mod tables;
mod tail;
mod traverse;
pub(crate) mod watched_memory;

pub(crate) use decode_request::named;
pub(crate) use encode_reply::Reply;
pub(crate) use encode_request::NO_OBJECT;
pub(crate) use entries::BufferEntry;
pub(crate) use kept_changes::KeptMemory;
pub(crate) use marshaller::{Marshaller, NothingAttached, lock};
pub(crate) use pointer::alignment_of;
pub(crate) use scratch::{Kept, Scratch};
pub(crate) use side::{CallError, CallResult, Limits, NEEDS_REPLY, NO_NAME, NO_SIZE, Side, Substitutes};
