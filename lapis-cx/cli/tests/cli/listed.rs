//! `cxc build --list-outputs`, `--flat` and `--stamp`: what build systems need beside a depfile.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use crate::pipeline::good;
use crate::support::Folder;

#[test]
fn outputs_are_listed_and_none_is_written() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    folder.write("other.cxspec", good("other").replace("org.example", "org.other").replace("5f1d3a0e", "5f1d3a0f"));
    for (arguments, want) in [
        ("inc.cxspec --backend c", "o/include/inc.h\no/src/inc_fallback.c\n"),
        ("inc.cxspec --backend c --flat", "o/inc.h\no/inc_fallback.c\n"),
        ("inc.cxspec --backend rust --emit ast --flat", "o/inc.rs\no/inc.ast.json\n"),
        ("inc.cxspec other.cxspec --backend asm", "o/asm/inc.h\no/asm/other.h\n"),
    ] {
        let run = folder.cxc(&format!("build --out-dir o --list-outputs {arguments}"));
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, want, ""), "{arguments}");
        assert_eq!(folder.list("."), ["inc.cxspec", "other.cxspec"]);
        // It is what a build writes, each time.
        folder.cxc(&format!("build --out-dir o {arguments}"));
        let mut listed: Vec<_> = want.lines().map(|line| line.trim_start_matches("o/").to_owned()).collect();
        listed.sort();
        assert_eq!(folder.list("o"), listed);
        fs::remove_dir_all(folder.path("o")).unwrap();
    }
    // Folders as they were named; but for the one where we are, which build systems do not name.
    for (out_dir, path) in [
        (".", "inc.rs"),
        ("./o", "o/inc.rs"),
        ("../lapis-cx-not-there", "../lapis-cx-not-there/inc.rs"),
        ("/x y", "/x y/inc.rs"),
    ] {
        let mut command = folder.command("build inc.cxspec --backend rust --flat --list-outputs --out-dir");
        let output = command.arg(out_dir).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{path}\n"));
    }
}

#[test]
fn a_list_needs_names_and_not_examples() {
    let folder = Folder::new();
    let list = "build a.cxspec --out-dir o --backend c --list-outputs";
    folder
        .write("a.cxspec", good("a").trim_end().trim_end_matches('}').to_owned() + "    law no(x: word): x == 1;\n}\n");
    let check = folder.cxc("build a.cxspec --out-dir o");
    assert!(check.code == 1 && check.stderr.contains("law"), "{check:?}");
    assert_eq!(folder.cxc(list).stdout, "o/include/a.h\no/src/a_fallback.c\n");
    folder.write("a.cxspec", good("a").replace("x +% 1", "y"));
    for roots in ["", "b.cxspec"] {
        folder.write("b.cxspec", good("b"));
        let run = folder.cxc(&format!("{list} {roots}"));
        assert!(run.code == 1 && run.stdout.is_empty() && run.stderr.contains("CX0101"), "{run:?}");
    }
    fs::remove_file(folder.path("b.cxspec")).unwrap();
    folder.write("a.cxspec", good("a"));
    for other in ["--check", "--depfile x.d", "--stamp x", "--message-format json"] {
        assert_eq!(folder.cxc(&format!("{list} {other}")).code, 2, "{other}");
    }
    // C and assembly have a header of one name.
    for flat in ["build a.cxspec --out-dir o --flat", "build a.cxspec --out-dir o --flat --list-outputs"] {
        let run = folder.cxc(flat);
        assert!(run.code == 1 && run.stdout.is_empty() && run.stderr.contains("leave out `--flat`"), "{run:?}");
    }
    assert_eq!(folder.list("."), ["a.cxspec"]);
}

#[test]
fn a_stamp_is_new_after_each_good_build() {
    let folder = Folder::new();
    let build = "build a.cxspec --out-dir o --backend c --depfile a.d --stamp a.stamp";
    let modified = |path: &str| fs::metadata(folder.path(path)).unwrap().modified().unwrap();
    let age = |path: &str, seconds: u64| {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        File::options().append(true).open(folder.path(path)).unwrap().set_modified(time).unwrap();
        time
    };
    folder.write("a.cxspec", good("a"));
    assert_eq!(folder.cxc(build).code, 0);
    assert_eq!(folder.read("a.d"), "a.stamp: a.cxspec\n");

    // Nothing changed: the outputs keep their times, the stamp does not.
    let (header, stamp) = (age("o/include/a.h", 1000), age("a.stamp", 2000));
    assert_eq!(folder.cxc(build).code, 0);
    assert_eq!(modified("o/include/a.h"), header);
    assert!(modified("a.stamp") > stamp + Duration::from_secs(1_000_000));

    // A finding leaves it as it was.
    let stamp = age("a.stamp", 2000);
    folder.write("a.cxspec", good("a").replace("x +% 1", "y"));
    assert_eq!(folder.cxc(build).code, 1);
    assert_eq!(modified("a.stamp"), stamp);

    // A spec without outputs has a stamp too, and no other file is taken for one.
    let library = "cxspec 1;\npackage org.example.a;\nlibrary A { version \"1\"; c prefix \"a_\"; c header \"a.h\"; func f() \
                   -> void; }\n";
    folder.write("a.cxspec", library);
    let run = folder.cxc(build);
    assert!(run.code == 0 && modified("a.stamp") > stamp, "{run:?}");
    assert_eq!(folder.read("a.d"), "a.stamp: a.cxspec\n");
    folder.write("main.c", "int main(void) { return 0; }\n");
    let run = folder.cxc("build a.cxspec --out-dir o --stamp main.c");
    assert!(run.code == 1 && run.stderr.contains("is no stamp"), "{run:?}");
    assert_eq!(folder.read("main.c"), "int main(void) { return 0; }\n");
    assert_eq!(folder.cxc("build a.cxspec --out-dir o --stamp no/such/stamp").code, 2);
    assert_eq!(folder.cxc("build a.cxspec --out-dir o --stamp x --check").code, 2);
}
