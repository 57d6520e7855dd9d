//! Random C libraries with their specifications and programs. What a program prints and what the library was told must be
//! the same with the library in the program's process and in another one.
//!
//! [`generate::library`] makes a [`model::Library`] of a seed, [`spec`], [`library_c`] and [`program_c`] print it,
//! [`run::Toolchain`] builds and runs it both ways, and [`shrink::shrink`] makes one that differs smaller.

mod emit;
pub mod generate;
pub mod library_c;
mod make;
pub mod model;
mod names;
mod places;
pub mod program_c;
pub mod run;
pub mod shrink;
pub mod spec;
