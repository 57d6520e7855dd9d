//! Words of 64 bits as decimal strings, as [`Int`](crate::int::Int) is: many readers of JSON keep 53 bits of a number.

use serde::Serializer;

use super::ir::Stmt;

pub(super) fn word<S: Serializer>(word: &u64, s: S) -> Result<S::Ok, S::Error> {
    s.collect_str(word)
}

pub(super) fn words<S: Serializer>(words: &[u64], s: S) -> Result<S::Ok, S::Error> {
    s.collect_seq(words.iter().map(u64::to_string))
}

pub(super) fn arms<S: Serializer>(arms: &[(Vec<u64>, Vec<Stmt>)], s: S) -> Result<S::Ok, S::Error> {
    let strings = |words: &[u64]| words.iter().map(u64::to_string).collect::<Vec<_>>();
    s.collect_seq(arms.iter().map(|(words, body)| (strings(words), body)))
}
