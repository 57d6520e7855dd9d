//! Bytes as choices: a well-typed spec, or a spec with some tokens changed.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    lapis_cx_tests::survive::choices(data);
});
