//! The CX API.
