//! The line that shows how far long work is: on a terminal, and nowhere else.

use std::process::Command;

use crate::pipeline::good;
use crate::support::Folder;

fn two_specs() -> Folder {
    let folder = Folder::new();
    folder.write("a.cxspec", good("a"));
    folder.write("b.cxspec", good("b").replace("5f1d3a0e", "6f1d3a0e").replace("Inc", "Dec"));
    folder
}

const SAID: &str =
    "checked a.cxspec: 1 interface, 1 example, 0 laws\nchecked b.cxspec: 1 interface, 1 example, 0 laws\n";

#[test]
fn without_a_terminal_there_is_none() {
    assert_eq!(two_specs().cxc("check .").stderr, SAID);
}

/// `script` gives the command a terminal and prints what is written there.
#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_it_is_drawn_and_gone() {
    let folder = two_specs();
    let terminal = |arguments: &str, term: &str| {
        let mut command = Command::new("script");
        command.args(["-qec", &format!("{} {arguments}", env!("CARGO_BIN_EXE_cxc")), "/dev/null"]);
        command.current_dir(folder.path("")).env_clear().env("TERM", term).env("LC_ALL", "C.UTF-8");
        let output = command.env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
    };
    let shown = terminal("check .", "xterm");
    assert!(shown.contains("/2 "), "{shown:?}");
    // What remains of each line is what was written last on it, after it was cleared.
    let remains = |line: &str| line.rsplit(['\r', '\u{1b}']).next().unwrap().trim_start_matches("[2K").to_owned();
    let lines: Vec<String> = shown.lines().map(remains).collect();
    assert_eq!(lines.iter().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect::<String>(), SAID);
    assert_eq!(terminal("check . -q", "xterm"), "");
    assert_eq!(terminal("check .", "dumb"), SAID);
}
