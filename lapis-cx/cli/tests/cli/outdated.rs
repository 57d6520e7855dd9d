//! `cxc build --check` and `--depfile`: what build systems ask for.

use std::fs;
use std::process::Command;

use crate::pipeline::good;
use crate::support::Folder;

/// Every file below the folder with its contents.
fn everything(folder: &Folder) -> Vec<(String, String)> {
    let own = fs::read_dir(folder.path("out/.cxc")).into_iter().flatten();
    let own = own.map(|entry| format!("out/.cxc/{}", entry.unwrap().file_name().to_str().unwrap()));
    let names: Vec<_> = folder.list(".").into_iter().chain(own).collect();
    names.into_iter().map(|name| (name.clone(), folder.read(&name))).collect()
}

#[test]
fn checking_a_build_lists_what_it_would_change_and_writes_nothing() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    let build = "build inc.cxspec --out-dir out --backend c";
    let check = |what: &str, code: i32, files: &[&str]| {
        let before = everything(&folder);
        let run = folder.cxc(&format!("{build} --check --message-format json"));
        let said: Vec<_> = run.findings().iter().map(|f| f["message"].as_str().unwrap().to_owned()).collect();
        assert_eq!((run.code, said.len()), (code, files.len()), "{what}: {run:?}");
        assert!(said.iter().zip(files).all(|(said, file)| said.contains(&format!("`{file}`"))), "{what}: {said:?}");
        assert_eq!(everything(&folder), before, "{what}");
    };
    let files = ["out/include/inc.h", "out/src/inc_fallback.c"];
    check("nothing is there", 1, &files);
    assert!(!folder.path("out").exists());
    assert_eq!(folder.cxc(build).code, 0);
    check("all is well", 0, &[]);
    let line = folder.cxc(&format!("{build} --check")).stderr;
    assert_eq!(line, "checked inc.cxspec: 2 files, all as they should be\n");

    fs::remove_file(folder.path(files[1])).unwrap();
    check("one is gone", 1, &files[1..]);
    folder.write("inc.cxspec", good("other"));
    let all = ["out/include/other.h", "out/src/other_fallback.c", files[0]];
    check("another name", 1, &all);
    folder.write("inc.cxspec", good("inc"));
    folder.write(files[0], "edited");
    let run = folder.cxc(&format!("{build} --check --message-format json"));
    assert_eq!((run.code, run.codes()), (1, vec!["CX0915".into()]));
}

#[test]
fn a_depfile_holds_all_that_was_read() {
    let folder = Folder::new();
    let base = "cxspec 1;\npackage org.example.base;\nfn f(x: word) -> word { return x +% 1; }\n";
    folder.write("lib dir/base.cxspec", base);
    folder.write("lib dir/unused.cxspec", base.replace("example.base", "example.unused"));
    let heir = good("inc").replace("\n\ndraft", "\nuse org.example.base:f;\nuse cx.std:IStateContext;\n\ndraft");
    folder.write("inc.cxspec", heir.replace("x +% 1", "f(x)"));
    let build = |folder: &Folder| {
        let mut command = folder.command("build inc.cxspec --out-dir out --backend c --depfile inc.d -I");
        command.arg("lib dir").output().unwrap()
    };
    let output = build(&folder);
    assert!(output.status.success(), "{output:?}");
    let want = "out/include/inc.h out/src/inc_fallback.c: inc.cxspec lib\\ dir/base.cxspec\nlib\\ dir/base.cxspec:\n";
    assert_eq!(folder.read("inc.d"), want);
    assert_eq!(
        folder.list("."),
        [
            "inc.cxspec",
            "inc.d",
            "lib dir/base.cxspec",
            "lib dir/unused.cxspec",
            "out/include/inc.h",
            "out/src/inc_fallback.c"
        ]
    );

    // With errors it stays as it is, and no other file is ever taken for one.
    folder.write("inc.cxspec", "x");
    assert_eq!(build(&folder).status.code(), Some(1));
    assert_eq!(folder.read("inc.d"), want);
    folder.write("inc.cxspec", good("inc"));
    folder.write("inc.d", "int main(void) { return 0; }\n");
    assert_eq!(build(&folder).status.code(), Some(1));
    assert_eq!(folder.read("inc.d"), "int main(void) { return 0; }\n");
    assert_eq!(folder.cxc("build inc.cxspec --out-dir out --backend c --depfile no/such/x.d").code, 2);
}

/// What make makes of it: a change of an import, and of nothing else, builds anew.
#[test]
fn make_reads_the_depfile() {
    let folder = Folder::new();
    folder.write("odd #1 $x/base.cxspec", "cxspec 1;\npackage org.example.base;\nconst C: u8 = 1;\n");
    folder.write("inc.cxspec", good("inc").replace("\n\ndraft", "\nuse org.example.base:C;\n\ndraft"));
    let cxc = env!("CARGO_BIN_EXE_cxc");
    let rule = format!(
        "out/include/inc.h: inc.cxspec\n\t{cxc} build $< --out-dir out --backend c --depfile inc.d -q -I 'odd #1 $$x' && touch $@\n-include inc.d\n"
    );
    folder.write("Makefile", rule);
    let make = || {
        let output =
            Command::new("make").current_dir(folder.path(".")).output().expect("make: `tests/run` installs it");
        assert!(output.status.success(), "{output:?}");
        !String::from_utf8_lossy(&output.stdout).contains("up to date")
    };
    assert!(make());
    assert!(!make());
    let header = fs::metadata(folder.path("out/include/inc.h")).unwrap().modified().unwrap();
    let later = header + std::time::Duration::from_secs(100);
    let import = fs::File::options().write(true).open(folder.path("odd #1 $x/base.cxspec")).unwrap();
    import.set_modified(later).unwrap();
    assert!(make());
    import.set_modified(header - std::time::Duration::from_secs(100)).unwrap();
    assert!(!make());
}

#[test]
fn what_a_killed_freeze_left_is_swept() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc").replace("draft ", ""));
    folder.write(".cxc-new-1-0", "half a sp");
    let held = fs::File::create(folder.path(".cxc-new-2-0")).unwrap();
    held.lock().unwrap();
    assert_eq!(folder.cxc("freeze inc.cxspec").code, 0);
    // The second one belongs to somebody at work.
    assert_eq!(folder.list("."), [".cxc-new-2-0", "inc.cxspec"]);
}

/// A verdict is about one interface, and what did hold holds.
#[test]
fn verdicts_of_a_failing_build_do_no_harm() {
    let folder = Folder::new();
    let (good, bad) = (good("inc"), crate::pipeline::spec("bad", "return x +% 2;"));
    let bad = bad.split_once("draft").unwrap().1.replace("Inc", "Bad").replace("5f1d", "6f1d");
    folder.write("two.cxspec", format!("{good}\ndraft{bad}"));
    let build = "build two.cxspec --out-dir out --backend c --message-format json";
    for _ in 0..2 {
        let run = folder.cxc(build);
        assert_eq!((run.code, run.codes()), (1, vec!["CX0601".into()]));
        assert_eq!(folder.list("out"), [""; 0]);
    }
    assert_eq!(folder.read("out/.cxc/verdicts").lines().count(), 2);
    folder.write("two.cxspec", good.replace("inc(1) == 2", "inc(1) == 3"));
    assert_eq!(folder.cxc(build).code, 1);
}
