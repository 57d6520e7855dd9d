//! The fallbacks of the shipped specs give what published standards say: CRC-32C (RFC 3720), AES (FIPS 197), SHA-2
//! (FIPS 180-4) and SHA-3 (FIPS 202). C programs build the whole algorithms from the commands.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use lapis_cx_tests::cc::{COMPILERS, Language};
use lapis_cx_tests::{cc, spec};

/// What `known/NAME.c` prints at an XLEN, with the fallback of `specs/NAME.cxspec`.
fn printed(name: &str, xlen: u32, folder: &Path, compiler: cc::Compiler) -> Vec<String> {
    let mut command = compiler.command(Language::C11);
    command.arg("-O1").args(compiler.sanitize()).args(cc::WARNINGS).arg(format!("-DCX_XLEN={xlen}"));
    command.arg("-I").arg(folder.join("include"));
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("known/{name}.c"));
    let sources = [program, folder.join(format!("src/{name}_fallback.c"))];
    let built = cc::program(command, &sources, &folder.join(format!("{name}_{xlen}_{compiler:?}")));
    let output = cc::run(&mut Command::new(built));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The program prints `both` at each XLEN, and after it at 64 bits `only64`.
fn check(name: &str, both: &[&str], only64: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    spec::write(&spec::build(name), folder.path());
    for compiler in COMPILERS {
        assert_eq!(printed(name, 32, folder.path(), compiler), both, "{compiler:?}, XLEN 32");
        assert_eq!(printed(name, 64, folder.path(), compiler), [both, only64].concat(), "{compiler:?}, XLEN 64");
    }
}

#[test]
fn crc32c_of_rfc_3720() {
    check("crc32c", &["8a9136aa", "62a8ab43", "46dd794e", "113fdb5c", "d9963a56"], &[]);
}

#[test]
fn aes_and_sha2_of_the_standards() {
    check(
        "crypto",
        &[
            // FIPS 197, appendix C.1
            "69c4e0d86a7b0430d8cdb78070b4c55a",
            // SHA-256: "abc", nothing, two blocks
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ],
        &[
            // SHA-512: "abc", two blocks of SHA-256
            concat!(
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a",
                "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
            concat!(
                "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335",
                "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"
            ),
        ],
    );
}

#[test]
fn sha3_of_fips_202() {
    check(
        "keccak",
        &[
            // SHA3-256: nothing, "abc", 200 bytes of a3
            "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a",
            "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
            "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787",
        ],
        &[],
    );
}
