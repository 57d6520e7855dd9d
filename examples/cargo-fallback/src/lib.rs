//! CRC-32C of bytes. The steps are those of `specs/crc32c.cxspec`, in software: `cargo test` runs them.

mod crc32c {
    lapis_cx_core::include_spec!("crc32c");
}

use crc32c::{Crc32C, Soft};

/// The CRC-32C of `bytes`, as iSCSI and ext4 have it.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u32 {
    // The fallback of an interface without state holds nothing.
    let crc = Soft;
    let (words, rest) = bytes.as_chunks::<4>();
    let sum = words.iter().fold(!0, |sum, word| crc.crc_w(sum, u32::from_le_bytes(*word)));
    !rest.iter().fold(sum, |sum, byte| crc.crc_b(sum, *byte))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_check_value_of_the_algorithm() {
        assert_eq!(super::checksum(b"123456789"), 0xE306_9283);
        assert_eq!(super::checksum(b""), 0);
    }
}
