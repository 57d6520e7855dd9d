//! What the command does with the compiler behind it.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::support::{Folder, golden};

/// An interface whose body is `body`, with a short name.
pub fn spec(short: &str, body: &str) -> String {
    format!(
        "cxspec 1;\npackage org.example.t;\n\ndraft interface Inc {{\n    uuid \"5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa\";\n    \
         short {short};\n    xlen 32, 64;\n\n    command inc = 0 : R (x: word) -> word {{\n        {body}\n    }}\n\n    \
         example \"one\" {{\n        inc(1) == 2;\n    }}\n}}\n"
    )
}

pub fn good(short: &str) -> String {
    spec(short, "return x +% 1;")
}

#[test]
fn a_clean_build_writes_files_and_is_silent_if_asked() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    let run = folder.cxc("build inc.cxspec --out-dir out/deep --quiet");
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    assert!(folder.list("out/deep").contains(&"include/inc.h".to_owned()), "{:?}", folder.list("out/deep"));
    assert_eq!(folder.cxc("check inc.cxspec").code, 0);
}

#[test]
fn the_second_build_writes_nothing() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    folder.cxc("build inc.cxspec --out-dir out");
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1000);
    let files = || {
        let outputs = folder.list("out").into_iter().map(|name| folder.path(&format!("out/{name}")));
        let own = fs::read_dir(folder.path("out/.cxc")).unwrap().map(|entry| entry.unwrap().path());
        outputs.chain(own)
    };
    assert!(files().count() > 3);
    for path in files() {
        fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
    }
    for spelling in ["inc.cxspec --out-dir out", "./inc.cxspec --out-dir ./out/../out"] {
        assert_eq!(folder.cxc(&format!("build {spelling}")).code, 0);
    }
    for path in files() {
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), old, "{}", path.display());
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let [one, two] = [Folder::new(), Folder::new()];
    for folder in [&one, &two] {
        folder.write("inc.cxspec", good("inc"));
        assert_eq!(folder.cxc("build inc.cxspec --out-dir out").code, 0);
    }
    assert_eq!(one.list("out"), two.list("out"));
    for name in one.list("out") {
        assert_eq!(one.read(&format!("out/{name}")), two.read(&format!("out/{name}")), "{name}");
    }
}

#[test]
fn a_new_short_name_moves_the_outputs() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    folder.cxc("build inc.cxspec --out-dir out");
    folder.write("inc.cxspec", good("other"));
    assert_eq!(folder.cxc("build inc.cxspec --out-dir out").code, 0);
    let names = folder.list("out");
    assert!(names.contains(&"include/other.h".to_owned()) && !names.contains(&"include/inc.h".to_owned()), "{names:?}");
}

#[test]
fn errors_exit_with_1_and_keep_the_old_outputs() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    folder.cxc("build inc.cxspec --out-dir out");
    let before = (folder.list("out"), folder.read("out/include/inc.h"));
    for bad in [spec("inc", "return nothing;"), spec("inc", "return x +% 2;"), spec("inc", "return x +%;")] {
        folder.write("inc.cxspec", bad);
        let run = folder.cxc("build inc.cxspec --out-dir out --message-format json");
        assert_eq!(run.code, 1, "{run:?}");
        assert!(run.findings().iter().any(|f| f["severity"] == "error" && f["labels"][0]["file"] == "inc.cxspec"));
        assert_eq!((folder.list("out"), folder.read("out/include/inc.h")), before);
        assert_eq!(folder.cxc("check inc.cxspec").code, 1);
    }
}

#[test]
fn findings_for_people_show_the_place() {
    let folder = Folder::new();
    folder.write("specs/inc.cxspec", spec("inc", "return nothing;"));
    let run = folder.cxc("check specs/inc.cxspec");
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    golden("unknown-name.txt", &run.stderr);
}

#[test]
fn a_file_that_is_no_text_is_a_finding() {
    let folder = Folder::new();
    folder.write("bad.cxspec", b"cxspec 1;\n\xff\xfe");
    let run = folder.cxc("check bad.cxspec --message-format json");
    assert_eq!((run.code, run.codes()), (1, vec!["CX0902".into()]));
}

#[test]
fn a_foreign_file_is_refused() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    folder.write("out/include/inc.h", "by hand\n");
    let run = folder.cxc("build inc.cxspec --out-dir out --message-format json");
    assert_eq!((run.code, run.codes()), (1, vec!["CX0908".into()]));
    assert_eq!(folder.list("out"), ["include/inc.h"]);
    assert_eq!(folder.read("out/include/inc.h"), "by hand\n");
}

#[test]
fn a_folder_that_cannot_be_written_exits_with_2() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    folder.write("file", "");
    let run = folder.cxc("build inc.cxspec --out-dir file/out --message-format json");
    assert_eq!((run.code, run.codes()), (2, vec!["CX0907".into()]));
}

#[test]
fn imports_come_from_the_own_folder_and_from_dash_i() {
    let folder = Folder::new();
    let base = "cxspec 1;\npackage org.example.base;\nabstract interface Base {\n    xlen 32, 64;\n    \
                command inc = 0 : R (x: word) -> word {\n        return x +% 1;\n    }\n}\n";
    let heir = "cxspec 1;\npackage org.example.t;\nuse org.example.base:Base;\n\ndraft interface Heir : Base {\n    \
                uuid \"5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa\";\n    short heir;\n    xlen 32, 64;\n}\n";
    folder.write("specs/heir.cxspec", heir);
    folder.write("lib/base.cxspec", base);
    assert_eq!(folder.cxc("check specs/heir.cxspec").code, 1);
    folder.write("none/x.txt", "");
    let missing = folder.cxc("check specs/heir.cxspec -I none -I none --message-format json");
    assert_eq!(missing.findings()[0]["note"], "searched in `specs`, `none`");
    assert_eq!(folder.cxc("check specs/heir.cxspec -I lib").code, 0);
    folder.write("specs/base.cxspec", base);
    assert_eq!(folder.cxc("check specs/heir.cxspec").code, 0);
}

#[test]
fn two_specs_share_an_output_folder() {
    let folder = Folder::new();
    folder.write("a.cxspec", good("a"));
    folder.write("b.cxspec", good("b").replace("org.example.t", "org.example.u").replace("5f1d", "6f1d"));
    assert_eq!(folder.cxc("build a.cxspec b.cxspec --out-dir out").code, 0);
    let names = folder.list("out");
    assert_eq!(folder.cxc("build b.cxspec --out-dir out").code, 0);
    assert!(names.contains(&"include/a.h".to_owned()) && names.contains(&"include/b.h".to_owned()));
    assert_eq!(folder.list("out"), names);
}

#[test]
fn freezing_writes_the_line_once() {
    let folder = Folder::new();
    let text = good("inc").replace("draft ", "");
    folder.write("inc.cxspec", &text);
    let check = folder.cxc("freeze inc.cxspec --check --message-format json");
    assert_eq!((check.code, check.codes(), folder.read("inc.cxspec")), (1, vec!["CX0502".into()], text.clone()));
    assert_eq!(folder.cxc("check inc.cxspec").code, 1);

    let run = folder.cxc("freeze inc.cxspec -q");
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    let frozen = folder.read("inc.cxspec");
    let added: Vec<_> = frozen.lines().filter(|line| !text.lines().any(|old| old == *line)).collect();
    assert!(added.len() == 1 && added[0].starts_with("    contract \"cx1:sha256:"), "{added:?}");
    assert_eq!(folder.list("."), ["inc.cxspec"]);
    for arguments in ["check inc.cxspec", "freeze inc.cxspec", "freeze inc.cxspec --check"] {
        assert_eq!(folder.cxc(arguments).code, 0, "{arguments}");
    }
    assert_eq!(folder.read("inc.cxspec"), frozen);
}

#[test]
fn freezing_never_overwrites_another_contract() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc").replace("draft ", ""));
    folder.cxc("freeze inc.cxspec");
    let changed = folder.read("inc.cxspec").replace("return x +% 1;", "return 1 +% x;");
    folder.write("inc.cxspec", &changed);
    let run = folder.cxc("freeze inc.cxspec --message-format json");
    assert_eq!((run.code, run.codes()), (1, vec!["CX0501".into()]));
    assert_eq!(folder.read("inc.cxspec"), changed);
}

#[test]
fn what_does_not_hold_is_not_frozen() {
    let folder = Folder::new();
    let text = spec("inc", "return x +% 2;").replace("draft ", "");
    folder.write("inc.cxspec", &text);
    assert_eq!(folder.cxc("freeze inc.cxspec").code, 1);
    assert_eq!(folder.read("inc.cxspec"), text);
}
