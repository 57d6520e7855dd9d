//! Folders as roots, and what several roots must not share.

use crate::pipeline::good;
use crate::support::Folder;

#[test]
fn a_folder_stands_for_all_specs_below_in_order() {
    let folder = Folder::new();
    for (name, uuid) in [("b", "1"), ("a/z", "2"), ("a/deep/x", "3"), (".hidden/h", "4"), ("a/.git/g", "5")] {
        let text = good(&name.replace(['/', '.'], "")).replace("5f1d", &format!("{uuid}f1d"));
        folder.write(&format!("{name}.cxspec"), text.replace("org.example.t", &format!("org.example.t{uuid}")));
    }
    folder.write("a/note.txt", "");
    let said = |arguments: &str| folder.cxc(arguments).stderr;
    let line = |name: &str| format!("checked {name}.cxspec: 1 interface, 1 example, 0 laws\n");
    assert_eq!(said("check ."), ["a/deep/x", "a/z", "b"].map(line).concat());
    assert_eq!(said("check a ./b.cxspec a/z.cxspec"), [line("a/deep/x"), line("a/z"), line("./b")].concat());
    assert_eq!(folder.cxc("build . --out-dir out -q").code, 0);
    assert_eq!(folder.list("out/include"), ["adeepx.h", "az.h", "b.h"]);
}

#[cfg(unix)]
#[test]
fn links_that_lead_back_do_no_harm() {
    let folder = Folder::new();
    folder.write("a/x.cxspec", good("x"));
    std::os::unix::fs::symlink("..", folder.path("a/up")).unwrap();
    std::os::unix::fs::symlink("x.cxspec", folder.path("a/y.cxspec")).unwrap();
    assert_eq!(folder.cxc("check .").stderr, "checked a/x.cxspec: 1 interface, 1 example, 0 laws\n");
}

#[test]
fn a_folder_without_specs_is_a_mistake() {
    let folder = Folder::new();
    folder.write("empty/note.txt", "");
    let run = folder.cxc("check empty --message-format json");
    assert_eq!((run.code, run.codes()), (2, vec!["CX0901".into()]));
}

#[test]
fn identities_are_unique_over_all_roots() {
    let folder = Folder::new();
    folder.write("a.cxspec", good("one"));
    folder.write("b.cxspec", good("two").replace("org.example.t", "org.example.u"));
    let run = folder.cxc("build . --out-dir out --message-format json");
    assert_eq!((run.code, run.codes()), (1, vec!["CX0914".into()]));
    let first = &run.findings()[0];
    assert_eq!((&first["labels"][0]["file"], &first["labels"][1]["file"]), (&"b.cxspec".into(), &"a.cxspec".into()));
    assert_eq!(folder.list("out/include"), ["one.h"]);

    folder.write("b.cxspec", good("two").replace("5f1d", "6f1d"));
    let run = folder.cxc("check a.cxspec b.cxspec --message-format json");
    assert_eq!((run.code, run.codes()), (1, vec!["CX0102".into()]));
}

/// What `build` of both would refuse, `check` refuses too, and each says it once.
#[test]
fn files_are_written_by_one_root_only() {
    let folder = Folder::new();
    folder.write("a.cxspec", good("same"));
    let other = good("same").replace("org.example.t", "org.example.u").replace("5f1d", "6f1d");
    folder.write("b.cxspec", other);
    for arguments in ["check .", "build . --out-dir out", "build . --out-dir out --backend rust"] {
        let run = folder.cxc(&format!("{arguments} --message-format json"));
        assert_eq!((run.code, run.codes()), (1, vec!["CX0905".into()]), "{arguments}");
        let labels = &run.findings()[0]["labels"];
        assert_eq!((&labels[0]["file"], &labels[1]["file"]), (&"b.cxspec".into(), &"a.cxspec".into()));
    }
    assert_eq!(folder.cxc("doc . --out-dir doc").code, 0);
    // Each by itself may be built.
    assert_eq!(folder.cxc("build b.cxspec --out-dir other").code, 0);
}

/// The folder of the spec, then those of `-I` in their order. What two of them define is an error, not a choice.
#[test]
fn folders_are_searched_in_order() {
    let folder = Folder::new();
    folder.write("specs/inc.cxspec", good("inc").replace("\n\ndraft", "\nuse org.example.base:C;\n\ndraft"));
    let base = "cxspec 1;\npackage org.example.base;\nconst C: u8 = 1;\n";
    for path in ["one/base.cxspec", "two/base.cxspec"] {
        folder.write(path, base);
    }
    let first_and_second = |arguments: &str| {
        let run = folder.cxc(&format!("check specs/inc.cxspec {arguments} --message-format json"));
        assert_eq!((run.code, run.codes()), (1, vec!["CX0102".into()]), "{arguments}");
        let labels = run.findings()[0]["labels"].clone();
        [1, 0].map(|place: usize| labels[place]["file"].as_str().unwrap().to_owned())
    };
    assert_eq!(first_and_second("-I one -I two"), ["one/base.cxspec", "two/base.cxspec"]);
    assert_eq!(first_and_second("-I two -I one"), ["two/base.cxspec", "one/base.cxspec"]);
    folder.write("specs/base.cxspec", base);
    assert_eq!(first_and_second("-I one"), ["specs/base.cxspec", "one/base.cxspec"]);
    assert_eq!(folder.cxc("check specs/inc.cxspec -I specs").code, 0);
}
