//! The CX machine without an operating system.
#![no_std]
