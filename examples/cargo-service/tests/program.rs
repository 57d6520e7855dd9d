//! The program with its worker, as cargo builds both.

use std::process::Command;

#[test]
fn the_program_calls_its_service() {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-service")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "6\n42\n[1, 2, 3, 36]\n`add`: the other side refused the call\n");
    assert!(output.status.success());
}
