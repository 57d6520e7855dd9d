//! What runs on firmware runs here too: on the fallback, which gives the same bits.

use cargo_no_std::{bk, distance};

#[test]
fn bits_that_differ_are_counted() {
    assert_eq!(distance(&bk::Soft, &[0, 0xF0F0, 7], &[0, 0x0F0F, 6]), 17);
}
