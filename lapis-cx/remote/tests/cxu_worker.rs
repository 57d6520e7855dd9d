//! Tests of the program `cx-cxu-worker`: loading libraries, and the messages of errors.
#![cfg(not(loom))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::PathBuf;
use std::process::{Command, Stdio};

use lapis_cx_remote::cxu::{Error, Reach, Remote};

const WORKER: &str = env!("CARGO_BIN_EXE_cx-cxu-worker");

/// A library with two valid CXUs without state, a duplicate, and one for another ABI version.
const SOURCE: &str = r#"
#include "cx_abi.h"
static uint32_t add(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd)
{
    *rd = state == 0 ? rs1 + rs2 : 0;
    return function == 0 ? CX_RESPONSE_OK : CX_RESPONSE_FUNC;
}
#define CXU(name, version, low) const struct cx_soft_cxu name = {version, (uint32_t)sizeof(struct cx_soft_cxu), {1, low}, {7}, CX_XLEN, \
    CX_SHARING_STATELESS, 0, 0, 0, 1, #name, 0, add, 0, 0, 0, 0}
CXU(adder_soft_cxu, CX_ABI_VERSION, 1);
CXU(other, CX_ABI_VERSION, 2);
CXU(again, CX_ABI_VERSION, 1);
CXU(old, CX_ABI_VERSION - 1, 3);
"#;

/// Builds the library in a separate folder for each test.
fn library(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("cxu_worker_{test}"));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, library) = (folder.join("adder.c"), folder.join("libadder.so.1"));
    std::fs::write(&source, SOURCE).unwrap();
    let headers = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/include");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-I", headers, "-o"]);
    assert!(gcc.arg(&library).arg(&source).status().unwrap().success());
    library
}

fn private(words: &[String]) -> Result<Remote, Error> {
    Remote::connect(&Reach::Private(WORKER.into(), words.iter().map(Into::into).collect()))
}

#[test]
fn worker_serves_loaded_cxus() {
    let library = library("serves").display().to_string();
    let words = ["--load", &library, "--load", &format!("{library}:other")].map(str::to_owned);
    let remote = private(&words).unwrap();
    let names: Vec<_> = remote.listed().iter().map(|one| one.name.to_str().unwrap()).collect();
    assert_eq!(names, ["adder_soft_cxu", "other"]);
    for index in 0..2 {
        let cxu = remote.descriptor(index).unwrap();
        let (mut rd, issue) = (0, cxu.issue.unwrap());
        // SAFETY: the CXU has no state, and `rd` is a local.
        let answered = unsafe { [0, 1].map(|function| issue(std::ptr::null_mut(), function, 3, 4, &raw mut rd)) };
        assert_eq!((answered, rd), ([0, 4], 7));
    }
}

#[test]
fn worker_invalid_arguments_are_reported() {
    let library = library("says").display().to_string();
    let of = |symbol: &str| format!("{library}:{symbol}");
    let (old, nothing, again) = (of("old"), of("nothing"), of("again"));
    for (words, part) in [
        (&[][..], "usage: --load LIBRARY[:SYMBOL] for each CXU; then --listen PATH"),
        (&["--load"], "--load needs LIBRARY"),
        (&["--load", "/none.so"], "/none.so: cannot open shared object file"),
        (&["--load", &nothing], "the library exports no `nothing`; name the descriptor"),
        (&["--load", &old], "made for another CX ABI version"),
        (
            &["--load", &library, "--load", &again],
            "two CXUs have the UUID 00000000-0000-0001-0000-000000000001 at XLEN 64",
        ),
        (&["--load", &library, "--nonsense"], "usage: --listen PATH"),
        // Standard input is not a socket.
        (&["--load", &library], "Socket operation on non-socket"),
    ] {
        let output = Command::new(WORKER).args(words).stdin(Stdio::null()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && error.contains(part), "{words:?}: {error}");
    }
    // The program that starts the worker gets the reason.
    let words = ["--load", "/none.so"].map(str::to_owned);
    assert!(matches!(private(&words), Err(Error::NoWorker(why)) if why.contains("cx-cxu-worker does not start: ")));
}
