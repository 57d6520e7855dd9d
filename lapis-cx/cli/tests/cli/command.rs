//! What the command does around the compiler: arguments, streams, exit codes, the catalogue.

use std::io::pipe;

use crate::pipeline::good;
use crate::support::{Folder, golden};

#[test]
fn help_and_version_are_clean() {
    let folder = Folder::new();
    let version = folder.cxc("--version");
    assert_eq!((version.code, version.stdout.as_str()), (0, concat!("cxc ", env!("CARGO_PKG_VERSION"), "\n")));
    for arguments in ["--help", "build --help", "check -h", "explain --help", "freeze -h"] {
        let help = folder.cxc(arguments);
        assert!(help.code == 0 && help.stdout.contains("Usage: cxc") && help.stderr.is_empty(), "{help:?}");
    }
}

/// `cxc build --help` and the page of the command name each backend and each option, with its default.
#[test]
fn every_option_of_a_backend_is_documented() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let help = Folder::new().cxc("build --help").stdout;
    for backend in lapis_cx_backends::all() {
        let (name, about) = (backend.name(), backend.about());
        assert!(page.contains(&format!("| `{name}` | {about} |\n")), "{name}: {about}");
        assert!(help.contains(&format!("\n  {name}: ")), "{help}");
        for option in backend.options() {
            let row = format!("| `{name}.{}` | `{}` | {} |\n", option.key, option.default, option.about);
            assert!(page.contains(&row), "{row}");
            assert!(help.contains(&format!("{name}.{}={}: ", option.key, option.default)), "{help}");
        }
    }
}

#[test]
fn mistakes_in_the_command_line_exit_with_2() {
    let folder = Folder::new();
    for arguments in [
        "",
        "unknown",
        "build",
        "build a.cxspec",
        "check",
        "freeze",
        "freeze a b",
        "check a --vectors many",
        "check a --vectors 0",
        "check a --color blue",
        "check a --message-format xml",
    ] {
        let run = folder.cxc(arguments);
        assert!(run.code == 2 && run.stdout.is_empty() && !run.stderr.is_empty(), "{arguments}: {run:?}");
    }
}

#[test]
fn a_missing_spec_could_not_run() {
    let folder = Folder::new();
    let run = folder.cxc("build specs/none.cxspec --out-dir out");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    golden("missing-spec.txt", &run.stderr);
    assert!(!folder.path("out").exists());
    for arguments in ["check none.cxspec", "freeze none.cxspec", "check .", "build . --out-dir out"] {
        assert_eq!(folder.cxc(arguments).code, 2, "{arguments}");
    }
}

#[test]
fn one_missing_spec_does_not_hide_the_next() {
    let run = Folder::new().cxc("check a.cxspec b.cxspec ./a.cxspec --message-format json");
    let messages: Vec<_> = run.findings().iter().map(|f| f["message"].as_str().unwrap().to_owned()).collect();
    assert!(messages.iter().any(|m| m.contains("`a.cxspec`")) && messages.iter().any(|m| m.contains("`b.cxspec`")));
}

#[test]
fn json_goes_to_stdout_and_nothing_else_does() {
    let folder = Folder::new();
    let run = folder.cxc("build none.cxspec --out-dir out --message-format json");
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    assert_eq!(run.codes(), ["CX0901"]);
    assert_eq!(run.findings()[0]["severity"], "error");
}

#[test]
fn an_unknown_backend_or_folder_is_refused_before_anything_is_read() {
    let folder = Folder::new();
    let run = folder.cxc("build none.cxspec --out-dir out --backend cobol -I nowhere --message-format json");
    assert_eq!((run.code, run.codes()), (2, vec!["CX0901".into(), "CX0903".into()]));
    assert_eq!(folder.cxc("check none.cxspec -I nowhere --message-format json").findings().len(), 1);
}

#[test]
fn options_reach_their_backend() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    let header = |options: &str| {
        assert_eq!(folder.cxc(&format!("build inc.cxspec --out-dir out {options}")).code, 0, "{options}");
        folder.read("out/asm/inc.h")
    };
    let plain = header("");
    assert!(plain.contains(".insn r 0x0B,"), "{plain}");
    let set = header("--option asm.r-opcode=custom-3 --option asm.xcmd-opcode=0x0B --backend asm");
    assert_eq!(set, plain.replace(".insn r 0x0B,", ".insn r 0x7B,"));
    for (option, why) in [
        ("asm", "is not `backend.key=value`"),
        ("asm.r-opcode", "is not `backend.key=value`"),
        ("asm.r-opcode=5", "are not four different opcodes"),
        ("asm.colour=red", "there is no such option; the options are `r-opcode`"),
        ("c.colour=red", "there is no such option; the options are `ckernels`"),
        ("cobol.r-opcode=5", "`cobol` is no backend of this build"),
    ] {
        let run = folder.cxc(&format!("build inc.cxspec --out-dir out --option {option} --message-format json"));
        assert_eq!((run.code, run.codes()), (2, vec!["CX0940".into()]), "{option}");
        assert!(
            run.findings()[0]["message"].as_str().is_some_and(|m| m.contains(why)),
            "{option}: {:?}",
            run.findings()
        );
    }
    let run =
        folder.cxc("build inc.cxspec --out-dir out --backend c --option asm.r-opcode=custom-3 --message-format json");
    assert_eq!(run.codes(), ["CX0940"]);
}

#[test]
fn colour_is_as_asked() {
    let folder = Folder::new();
    assert!(folder.cxc("check none --color always").stderr.contains("\x1b["));
    for arguments in ["check none", "check none --color never", "check none --color auto"] {
        assert!(!folder.cxc(arguments).stderr.contains('\x1b'));
    }
}

#[test]
fn without_a_unicode_locale_the_text_is_ascii() {
    let output = Folder::new().command("check none").env("LC_ALL", "C").output().unwrap();
    assert!(output.stderr.is_ascii() && !output.stderr.is_empty());
}

#[test]
fn explain_lists_and_shows_the_catalogue() {
    let folder = Folder::new();
    let list = folder.cxc("explain");
    assert_eq!((list.code, list.stderr.as_str()), (0, ""));
    for line in list.stdout.lines() {
        let (code, title) = line.split_once("  ").unwrap();
        let page = folder.cxc(&format!("explain {code}"));
        assert!(page.code == 0 && page.stdout.starts_with(code), "{page:?}");
        let first_words: String = title.chars().take(20).collect();
        assert!(page.stdout.contains(&first_words), "{page:?}");
    }
    golden("explain-0908.txt", &folder.cxc("explain cx908").stdout);
}

#[test]
fn explain_of_an_unknown_code_exits_with_2() {
    for code in ["CX9999", "zebra", "-"] {
        let run = Folder::new().cxc(&format!("explain {code}"));
        assert!(run.code == 2 && run.stdout.is_empty() && run.stderr.contains(code), "{run:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    for arguments in ["explain", "check none --message-format json", "--help"] {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let output = Folder::new().command(arguments).stdout(writer).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code().is_some() && !errors.contains("panicked"), "{errors}");
    }
}
