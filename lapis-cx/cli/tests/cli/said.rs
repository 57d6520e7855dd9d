//! What the command says it did, and what it says when files are not what it expects.

use std::fs;

use crate::pipeline::{good, spec};
use crate::support::{Folder, Run};

fn said(run: &Run) -> (i32, &str, &str) {
    (run.code, &run.stdout, &run.stderr)
}

#[test]
fn success_is_said_in_one_line() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    let line = |arguments: &str, line: &str| {
        assert_eq!(said(&folder.cxc(arguments)), (0, "", format!("{line}\n").as_str()));
        for silent in ["-q", "--quiet", "--message-format json"] {
            assert_eq!(said(&folder.cxc(&format!("{arguments} {silent}"))), (0, "", ""));
        }
    };
    line("check inc.cxspec", "checked inc.cxspec: 1 interface, 1 example, 0 laws");
    let draft = "`Inc` is a draft; remove `draft` once its meaning is final";
    line("freeze inc.cxspec", &format!("nothing to freeze in inc.cxspec: {draft}"));
    let build = "build inc.cxspec --backend c --out-dir out";
    assert_eq!(said(&folder.cxc(build)).2, "built inc.cxspec: 2 files, 2 written\n");
    line(build, "built inc.cxspec: 2 files, nothing changed");
    folder.write("inc.cxspec", good("other"));
    assert_eq!(said(&folder.cxc(build)).2, "built inc.cxspec: 2 files, 2 written, 2 deleted\n");

    folder.write("inc.cxspec", good("inc").replace("draft ", ""));
    assert_eq!(said(&folder.cxc("freeze inc.cxspec")).2, "froze inc.cxspec: `Inc` is frozen now\n");
    line("freeze inc.cxspec", "nothing to freeze in inc.cxspec: `Inc` is frozen already");
    line("freeze inc.cxspec --check", "nothing to freeze in inc.cxspec: `Inc` is frozen already");
    let mut frozen = folder.read("inc.cxspec");
    let digests = frozen.find("cx1:sha256:").unwrap() + "cx1:sha256:".len() + 64;
    let end = digests + frozen[digests..].find('"').unwrap();
    frozen.replace_range(digests..end, "");
    folder.write("inc.cxspec", &frozen);
    assert_eq!(said(&folder.cxc("freeze inc.cxspec")).2, "froze inc.cxspec: the line of `Inc` is complete again\n");

    let auto = good("inc").replace("draft ", "").replace("\"5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa\"", "auto");
    folder.write("inc.cxspec", auto);
    let without = "`Inc` has no literal UUID; write `uuid \"…\";` with what `uuidgen` prints";
    line("freeze inc.cxspec", &format!("nothing to freeze in inc.cxspec: {without}"));
    folder.write("blend.cxspec", XINTF_ONLY);
    let without = "`Blend` has no UUID, and a contract is frozen to one; an xintf id does not name a contract";
    line("freeze blend.cxspec", &format!("nothing to freeze in blend.cxspec: {without}"));
    folder.write("base.cxspec", XINTF_ONLY.replace("interface", "abstract interface").replace("xintf 0x12345;", ""));
    let without = "`Blend` is abstract; those that take it over are frozen";
    line("freeze base.cxspec", &format!("nothing to freeze in base.cxspec: {without}"));
}

const XINTF_ONLY: &str = "cxspec 1;\npackage org.example.t;\ninterface Blend {\n    xintf 0x12345;\n    command pick = 0 : xcmd (a: \
                          u8) -> u8 { return a; }\n}\n";

#[test]
fn quiet_leaves_out_notes_but_not_warnings() {
    let folder = Folder::new();
    assert_eq!(folder.cxc("new Api --kind library").code, 0);
    let build = "build api.cxspec --out-dir out";
    let run = folder.cxc(build);
    assert!(run.code == 0 && run.stderr.contains("CX0913"), "{run:?}");
    assert_eq!(said(&folder.cxc(&format!("{build} -q"))), (0, "", ""));
    // Programs get everything.
    assert_eq!(folder.cxc(&format!("{build} -q --message-format json")).codes(), ["CX0913"]);
    let generic = "fn f<N>(a: u<N>) -> u<N> { return a.trunc(2 * N); }\n\ndraft interface Inc";
    folder.write("inc.cxspec", good("inc").replace("draft interface Inc", generic));
    let run = folder.cxc("check inc.cxspec -q");
    assert!(run.code == 0 && run.stderr.contains("warning[CX"), "{run:?}");
}

/// The start of a session: what `new` writes is checked together, and is the same for the same name.
#[test]
fn what_new_starts_stands_beside_what_it_started_before() {
    let folder = Folder::new();
    for arguments in ["Foo", "Bar", "Foo --package org.other.foo --out-dir other", "Foo --out-dir again/deep"] {
        let run = folder.cxc(&format!("new {arguments}"));
        assert_eq!(run.code, 0, "{run:?}");
    }
    assert_eq!(folder.cxc("check foo.cxspec bar.cxspec").code, 0);
    assert_eq!(folder.read("foo.cxspec"), folder.read("again/deep/foo.cxspec"));
    let uuid = |path: &str| {
        let text = folder.read(path);
        text.lines().find(|line| line.trim().starts_with("uuid")).unwrap().to_owned()
    };
    assert_ne!(uuid("foo.cxspec"), uuid("other/foo.cxspec"));
    assert_ne!(uuid("foo.cxspec"), uuid("bar.cxspec"));
    // A folder cannot be made where a file is.
    let run = folder.cxc("new Foo --out-dir foo.cxspec/in");
    assert!(run.code == 2 && run.stderr.contains("`foo.cxspec/in`"), "{run:?}");
    // `new --project` makes its folder too.
    assert_eq!(folder.cxc("new Foo --project make --out-dir made").code, 0);
    assert!(folder.read("made/foo/specs/foo.cxspec").contains(uuid("foo.cxspec").trim()));
}

#[test]
fn what_failed_is_not_said_to_be_done() {
    let folder = Folder::new();
    folder.write("inc.cxspec", spec("inc", "return x +% 2;"));
    for arguments in ["check inc.cxspec", "build inc.cxspec --out-dir out", "freeze inc.cxspec"] {
        let run = folder.cxc(arguments);
        assert!(run.code == 1 && !run.stderr.contains(" inc.cxspec: ") && run.stderr.contains("1 error"), "{run:?}");
        assert_eq!(folder.cxc(&format!("{arguments} -q")).stderr, run.stderr);
    }
}

#[test]
fn edited_outputs_need_force() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    let build = "build inc.cxspec --out-dir out --message-format json";
    assert_eq!(folder.cxc(build).code, 0);
    let header = folder.read("out/include/inc.h");
    folder.write("out/include/inc.h", "edited");
    let run = folder.cxc(build);
    assert_eq!((run.code, run.codes()), (1, vec!["CX0915".into()]));
    assert_eq!(folder.read("out/include/inc.h"), "edited");
    assert_eq!(folder.cxc(&format!("{build} --force")).code, 0);
    assert_eq!(folder.read("out/include/inc.h"), header);
}

#[test]
fn one_short_name_for_two_interfaces_is_one_finding() {
    let folder = Folder::new();
    let one = good("inc");
    let (head, interface) = one.split_at(one.find("draft").unwrap());
    let two = interface.replace("Inc", "Other").replace("5f1d", "6f1d").replace("x +% 1", "1 +% x");
    folder.write("inc.cxspec", format!("{head}{interface}{two}"));
    let run = folder.cxc("build inc.cxspec --out-dir out --backend c --message-format json");
    assert_eq!((run.code, run.codes()), (1, vec!["CX0905".into()]));
    let message = run.findings()[0]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("`Inc`") && message.contains("`Other`") && message.contains("include/inc.h"), "{message}");
}

#[test]
fn the_other_spec_of_a_file_has_a_clean_path() {
    let folder = Folder::new();
    folder.write("rn/a.cxspec", good("inc"));
    folder.write("rn/b.cxspec", good("inc").replace("5f1d", "6f1d"));
    assert_eq!(folder.cxc("build rn/a.cxspec --out-dir gen").code, 0);
    let run = folder.cxc("build rn/b.cxspec --out-dir gen --message-format json");
    let first = &run.findings()[0];
    assert_eq!(first["code"], "CX0909");
    assert!(first["message"].as_str().unwrap().contains("written by `rn/a.cxspec`"), "{first}");
    assert!(first["help"].as_str().unwrap().contains("another `short` name"), "{first}");
}

#[test]
fn files_and_folders_in_the_wrong_place_are_named() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    folder.write("file", "");
    let message = |arguments: &str| {
        let run = folder.cxc(&format!("{arguments} --message-format json"));
        assert_eq!(run.code, 2, "{run:?}");
        run.findings().iter().map(|f| format!("{} {}", f["message"], f["help"])).collect::<String>()
    };
    assert!(message("freeze .").contains("name one `.cxspec` file"));
    assert!(message("freeze .").contains("it is a folder"));
    assert!(message("check inc.cxspec -I file").contains("`file`: it is not a folder"));
    assert!(message("check inc.cxspec -I none").contains("`none`: no such folder"));
    assert!(message("build inc.cxspec --out-dir file").contains("`file`: it is not a folder"));
}

#[test]
fn a_spec_has_a_greatest_size() {
    let folder = Folder::new();
    let file = fs::File::create(folder.path("large.cxspec")).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let run = folder.cxc("check large.cxspec");
    assert!(run.code == 2 && run.stderr.contains("larger than 64 MiB"), "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_the_output_is_no_success() {
    let folder = Folder::new();
    for arguments in ["explain", "explain CX0901", "check none.cxspec --message-format json"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let status = folder.command(arguments).stdout(full).status().unwrap();
        assert_eq!(status.code(), Some(2), "{arguments}");
    }
}

#[test]
fn many_findings_are_shown_in_part_to_people_and_whole_to_programs() {
    let folder = Folder::new();
    let imports: String = (0..2000).map(|i| format!("use org.example.p{i}:X;\n")).collect();
    folder.write("many.cxspec", format!("cxspec 1;\npackage org.example.t;\n{imports}"));
    let people = folder.cxc("check many.cxspec");
    assert_eq!(people.stderr.matches("error[CX").count(), 50);
    let end = "\n… and 1950 more\n\n2000 errors; `--error-limit 0` shows all\n";
    assert!(people.stderr.ends_with(end), "{}", people.stderr);
    for (limit, shown) in [("3", 3), ("0", 2000), ("5000", 2000)] {
        let people = folder.cxc(&format!("check many.cxspec --error-limit {limit}"));
        assert_eq!((people.code, people.stderr.matches("error[CX").count()), (1, shown), "{limit}");
        assert_eq!(people.stderr.ends_with("\n\n2000 errors\n"), shown == 2000, "{limit}");
    }
    assert_eq!(folder.cxc("check many.cxspec --message-format json --error-limit 3").findings().len(), 2000);
    assert_eq!(folder.cxc("check many.cxspec --error-limit few").code, 2);
    assert_eq!(folder.cxc("check many.cxspec --message-format json").findings().len(), 2000);
}

#[test]
fn positions_in_a_file_that_is_no_text_are_those_of_its_bytes() {
    let folder = Folder::new();
    folder.write("bad.cxspec", b"cxspec 1;\n\xff\xfe;");
    let run = folder.cxc("check bad.cxspec --message-format json");
    let label = &run.findings()[0]["labels"][0];
    let place = |end: &str| ["byte", "line", "column"].map(|member| label[end][member].as_u64().unwrap());
    assert_eq!((place("start"), place("end")), ([10, 2, 1], [11, 2, 2]));
}

/// A library without a file name cannot be in another process. The backend runs only if it is named, so this is probably a mistake.
#[test]
fn library_without_soname_is_a_warning_of_the_backend_remoting() {
    let folder = Folder::new();
    folder.write("l.cxspec", "cxspec 1;\npackage a.b;\nlibrary L { func f() -> int { fails -1; } }\n");
    let run = folder.cxc("build l.cxspec --backend remoting --out-dir out");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stderr.contains("it has no `c soname`") && run.stderr.contains("1 warning"), "{run:?}");
    assert!(!folder.cxc("build l.cxspec --out-dir out").stderr.contains("warning"));
}
