//! Files that are not what a spec should be: each gets a clean answer, whatever the format.

use std::fmt::Write;
use std::io::pipe;

use crate::pipeline::good;
use crate::support::Folder;

/// Checks one file and gives exit code and codes; in every format nothing panics and the exit code is the same.
fn check(bytes: &[u8]) -> (i32, Vec<String>) {
    let folder = Folder::new();
    folder.write("x.cxspec", bytes);
    let run = folder.cxc("check x.cxspec --message-format json");
    for format in ["human", "sarif", "github"] {
        let other = folder.cxc(&format!("check x.cxspec --message-format {format}"));
        assert_eq!(other.code, run.code, "{format}");
        assert!(!other.stderr.contains("panicked"), "{}", other.stderr);
    }
    (run.code, run.codes())
}

#[test]
fn odd_texts_get_one_clear_finding() {
    let good = good("inc");
    let one = |code: &str| (1, vec![code.to_owned()]);
    let clean = (0, Vec::new());
    assert_eq!(check(b""), one("CX0006"));
    assert_eq!(check(format!("\u{feff}{good}").as_bytes()), clean);
    assert_eq!(check(good.replace('\n', "\r\n").as_bytes()), clean);
    assert_eq!(check(good.replace('\n', "\r").as_bytes()), one("CX0005"));
    assert_eq!(check(format!("{good}\0").as_bytes()), one("CX0005"));
    assert_eq!(check(&[good.as_bytes(), b"// \xe9\n"].concat()), one("CX0902"));
    let utf16: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(check(&[b"\xff\xfe".as_slice(), &utf16].concat()), one("CX0902"));
    let deep =
        |open: &str, close: &str| good.replace("x +% 1", &format!("{}1{}", open.repeat(20_000), close.repeat(20_000)));
    assert_eq!(check(deep("(", ")").as_bytes()), one("CX0004"));
    assert_eq!(check(deep("x ? 1 : ", "").as_bytes()), one("CX0004"));
    assert_eq!(check(format!("{good}{}", "// a line\n".repeat(100_000)).as_bytes()), clean);
}

#[test]
fn a_large_spec_with_many_mistakes_is_answered() {
    let mut text = "cxspec 1;\npackage org.example.t;\n".to_owned();
    (0..3000).for_each(|i| writeln!(text, "fn f{i}(x: u8) -> u8 {{ return y{i}; }}").unwrap());
    let (code, codes) = check(text.as_bytes());
    assert_eq!((code, codes.len()), (1, 3000));
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_read_could_not_run() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    // Opens, and cannot be read, for every user.
    for path in ["/proc/self/mem", "inc.cxspec/x.cxspec", "none.cxspec", "/dev/null/x"] {
        for command in ["check", "freeze", "emit ast", "emit core", "diff inc.cxspec", "build --out-dir out"] {
            let run = folder.cxc(&format!("{command} {path}"));
            assert!(run.code == 2 && run.stderr.contains("CX0901"), "{command} {path}: {run:?}");
        }
    }
    assert_eq!(folder.list("."), ["inc.cxspec"]);
}

#[test]
fn readers_that_go_away_are_no_fault() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    let commands = [
        "emit ast inc.cxspec",
        "diff inc.cxspec inc.cxspec",
        "schema contract",
        "completions bash",
        "check inc.cxspec --message-format sarif",
    ];
    for arguments in commands {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let output = folder.command(arguments).stdout(writer).output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()), "{arguments}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    for arguments in ["emit ast inc.cxspec", "diff inc.cxspec inc.cxspec", "schema ast", "completions fish"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let status = folder.command(arguments).stdout(full).status().unwrap();
        assert_eq!(status.code(), Some(2), "{arguments}");
    }
}
