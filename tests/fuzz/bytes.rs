//! Any bytes as a file: the compiler answers.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    lapis_cx_tests::survive::bytes(data);
});
