//! `cxc fmt`: what it writes, what it leaves alone, and what it says.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::support::{Folder, Run};

const BEFORE: &str = "cxspec 1;\npackage a;\nconst X=1;\n\n\n\nconst Y = 2 ;";
const AFTER: &str = "cxspec 1;\npackage a;\nconst X = 1;\n\nconst Y = 2;\n";

fn filter(arguments: &str, text: impl AsRef<[u8]>) -> Run {
    let folder = Folder::new();
    let mut child =
        folder.command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_ref()).unwrap();
    Run::new(child.wait_with_output().unwrap())
}

#[test]
fn files_change_in_their_place_and_only_if_they_have_to() {
    let folder = Folder::new();
    folder.write("a.cxspec", BEFORE);
    folder.write("deep/b.cxspec", AFTER);
    folder.write("note.txt", BEFORE);
    let before = fs::metadata(folder.path("deep/b.cxspec")).unwrap().modified().unwrap();
    let run = folder.cxc("fmt .");
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    assert_eq!(run.stderr, "formatted a.cxspec\nformatted 1 of 2 files\n");
    assert_eq!((folder.read("a.cxspec"), folder.read("note.txt")), (AFTER.to_owned(), BEFORE.to_owned()));
    let after = fs::metadata(folder.path("deep/b.cxspec")).unwrap().modified().unwrap();
    assert_eq!(before, after, "a file that is formatted is not written");
    assert_eq!(folder.cxc("fmt .").stderr, "checked 2 files: all as they should be\n");
    assert_eq!(folder.cxc("fmt . -q").stderr, "");
    assert_eq!(folder.list(""), ["a.cxspec", "deep/b.cxspec", "note.txt"]);
}

#[test]
fn a_file_with_mistakes_stays_and_the_others_do_not() {
    let folder = Folder::new();
    folder.write("bad.cxspec", "cxspec 1;\npackage a;\nconst X=;\n");
    folder.write("good.cxspec", BEFORE);
    let run = folder.cxc("fmt bad.cxspec good.cxspec --message-format json");
    assert_eq!((run.code, run.codes()), (1, vec!["CX0001".to_owned()]));
    assert_eq!(folder.read("bad.cxspec"), "cxspec 1;\npackage a;\nconst X=;\n");
    assert_eq!(folder.read("good.cxspec"), AFTER);
    folder.write("bytes.cxspec", b"cxspec 1;\n\xff");
    assert_eq!(folder.cxc("fmt bytes.cxspec").code, 1);
    assert_eq!(fs::read(folder.path("bytes.cxspec")).unwrap(), b"cxspec 1;\n\xff");
    assert_eq!(folder.cxc("fmt none.cxspec good.cxspec").code, 2);
}

#[test]
fn check_writes_nothing_and_shows_what_would_change() {
    let folder = Folder::new();
    folder.write("a.cxspec", BEFORE);
    folder.write("b.cxspec", AFTER);
    let run = folder.cxc("fmt --check a.cxspec b.cxspec");
    assert_eq!((run.code, folder.read("a.cxspec")), (1, BEFORE.to_owned()));
    let difference = "--- a.cxspec\n+++ a.cxspec (formatted)\n@@ -1,7 +1,5 @@\n cxspec 1;\n package a;\n-const X=1;\n\
                      +const X = 1;\n \n-\n-\n-const Y = 2 ;\n\\ No newline at end of file\n+const Y = 2;\n";
    assert_eq!(run.stdout, difference);
    assert!(run.stderr.contains("`a.cxspec` is not formatted") && !run.stderr.contains("b.cxspec"), "{}", run.stderr);
    assert!(run.stderr.contains("checked 2 files: 1 would change\n"), "{}", run.stderr);
    assert_eq!(folder.cxc("fmt --check a.cxspec -q").stdout, "");
    assert_eq!(folder.cxc("fmt --check b.cxspec").code, 0);

    // Programs are told where the first difference is.
    let run = folder.cxc("fmt --check a.cxspec b.cxspec --message-format json");
    assert_eq!((run.code, run.codes()), (1, vec!["CX0930".to_owned()]));
    assert_eq!(run.findings()[0]["labels"][0]["start"]["line"], 3);
    let run = folder.cxc("fmt --check a.cxspec --message-format github");
    assert!(run.stdout.starts_with("::error file=a.cxspec,line=3,"), "{}", run.stdout);
    assert!(folder.cxc("fmt --check a.cxspec --message-format sarif").stdout.contains("CX0930"));
}

#[test]
fn stdin_is_a_filter() {
    let run = filter("fmt -", BEFORE);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, AFTER, ""));
    let crlf = filter("fmt -", BEFORE.replace('\n', "\r\n"));
    assert_eq!(crlf.stdout, AFTER.replace('\n', "\r\n"));
    let bad = filter("fmt - --stdin-name open.cxspec", "cxspec 1;\npackage a;\nconst X=;");
    assert_eq!((bad.code, bad.stdout.as_str()), (1, ""));
    assert!(bad.stderr.contains("open.cxspec:3"), "{}", bad.stderr);
    assert_eq!(filter("fmt - --check", AFTER).code, 0);
    let check = filter("fmt - --check --stdin-name open.cxspec", BEFORE);
    assert!(check.code == 1 && check.stdout.starts_with("--- open.cxspec\n"), "{check:?}");
    assert_eq!(filter("fmt -", b"\xff").code, 1);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    folder.write("real/a.cxspec", BEFORE);
    symlink("real/a.cxspec", folder.path("link.cxspec")).unwrap();
    fs::set_permissions(folder.path("real/a.cxspec"), fs::Permissions::from_mode(0o640)).unwrap();
    // One file, however many ways lead to it.
    assert_eq!(folder.cxc("fmt link.cxspec .").stderr, "formatted link.cxspec\nformatted 1 of 1 file\n");
    assert!(fs::symlink_metadata(folder.path("link.cxspec")).unwrap().is_symlink());
    assert_eq!(folder.read("real/a.cxspec"), AFTER);
    let mode = |path: &str| fs::metadata(folder.path(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("real/a.cxspec"), 0o640);

    // Who may not write a file does not mean to.
    folder.write("real/a.cxspec", BEFORE);
    fs::set_permissions(folder.path("real/a.cxspec"), fs::Permissions::from_mode(0o440)).unwrap();
    let run = folder.cxc("fmt real --message-format json");
    assert_eq!((run.code, run.codes()), (2, vec!["CX0907".to_owned()]));
    assert_eq!((folder.read("real/a.cxspec"), mode("real/a.cxspec")), (BEFORE.to_owned(), 0o440));
    assert_eq!(folder.cxc("fmt real --check").code, 1);
}

#[test]
fn what_new_writes_is_in_the_style_whatever_its_name() {
    let folder = Folder::new();
    for (kind, name) in
        [("interface", "AnInterfaceOfALongName"), ("xcmd", "X"), ("platform", "Board"), ("library", "Lib")]
    {
        assert_eq!(folder.cxc(&format!("new {name} --kind {kind}")).code, 0);
    }
    let run = folder.cxc("fmt --check .");
    assert_eq!(run.code, 0, "{run:?}");
}
