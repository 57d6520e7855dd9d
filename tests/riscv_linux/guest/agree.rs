//! A program that a test has made: it issues vectors.
include!(env!("CX_AGREE_PROGRAM"));
