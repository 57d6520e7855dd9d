//! `cxc emit` and `cxc build --emit`.

use serde_json::Value;

use crate::pipeline::{good, spec};
use crate::support::Folder;

#[test]
fn stages_are_outputs_like_others() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc"));
    let run = folder.cxc("build inc.cxspec --backend c --out-dir out --emit core,ast --emit contract --emit ast");
    assert_eq!((run.code, run.stderr.as_str()), (0, "built inc.cxspec: 5 files, 5 written\n"));
    let folder_of = "out/emit/org.example.t";
    assert_eq!(folder.list(folder_of), ["inc.ast.json", "inc.contract.json", "inc.core.json"]);
    for stage in ["ast", "contract", "core"] {
        let emitted = folder.cxc(&format!("emit {stage} inc.cxspec"));
        assert_eq!((emitted.code, emitted.stderr.as_str()), (0, ""));
        assert_eq!(emitted.stdout, folder.read(&format!("{folder_of}/inc.{stage}.json")));
    }
    folder.write("out/emit/mine.json", "{}");
    assert_eq!(
        folder.cxc("build inc.cxspec --backend c --out-dir out --emit core").stderr,
        "built inc.cxspec: 3 files, 2 deleted\n"
    );
    assert_eq!(folder.list("out/emit"), ["mine.json", "org.example.t/inc.core.json"]);
    assert_eq!(folder.cxc("build inc.cxspec --out-dir out --backend c").code, 0);
    assert_eq!(folder.list("out/emit"), ["mine.json"]);
}

#[test]
fn specs_of_one_name_do_not_meet() {
    let folder = Folder::new();
    folder.write("a/x.cxspec", good("one"));
    folder.write("b/x.cxspec", good("two").replace("5f1d", "6f1d").replace("org.example.t", "org.example.u"));
    assert_eq!(folder.cxc("build . --out-dir out --backend c --emit contract").code, 0);
    assert_eq!(folder.list("out/emit"), ["org.example.t/x.contract.json", "org.example.u/x.contract.json"]);
}

#[test]
fn mistakes_leave_what_was_reached() {
    let folder = Folder::new();
    folder.write("bad.cxspec", spec("inc", "return y;"));
    for stage in ["contract", "core"] {
        let run = folder.cxc(&format!("emit {stage} bad.cxspec"));
        assert!(run.code == 1 && run.stdout.is_empty() && run.stderr.contains("CX0101"), "{run:?}");
    }
    folder.write("broken.cxspec", "cxspec 1;\npackage a.b;\ninterface {{{");
    let run = folder.cxc("emit ast broken.cxspec");
    assert!(run.code == 1 && run.stderr.contains("error[CX"), "{run:?}");
    assert_eq!(serde_json::from_str::<Value>(&run.stdout).unwrap()["root"]["kind"], "file");
    folder.write("binary.cxspec", b"cxspec 1;\xff");
    let run = folder.cxc("emit ast binary.cxspec");
    assert!(run.code == 1 && run.stdout.is_empty() && run.stderr.contains("CX0902"), "{run:?}");
    assert_eq!(folder.cxc("emit ast none.cxspec").code, 2);
    assert_eq!(folder.cxc("build bad.cxspec --out-dir out --backend c --emit ast -q").code, 1);
    assert!(!folder.path("out/emit").exists());
}

#[test]
fn a_contract_that_is_not_frozen_yet_is_emitted() {
    let folder = Folder::new();
    folder.write("inc.cxspec", good("inc").replace("draft ", ""));
    let run = folder.cxc("emit contract inc.cxspec");
    assert!(run.code == 1 && run.stderr.contains("CX0502"), "{run:?}");
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["contract"]["items"][0]["name"], "Inc");
}

#[test]
fn examples_and_laws_are_no_matter_of_a_stage() {
    let folder = Folder::new();
    folder.write("inc.cxspec", spec("inc", "return x +% 2;"));
    assert_eq!(folder.cxc("check inc.cxspec").code, 1);
    assert_eq!(folder.cxc("emit core inc.cxspec").code, 0);
}

#[test]
fn the_deepest_trees_are_printed() {
    let folder = Folder::new();
    let deep = format!("return {}x{};", "(".repeat(90), ")".repeat(90));
    folder.write("deep.cxspec", spec("inc", &deep));
    let run = folder.cxc("emit ast deep.cxspec");
    assert_eq!((run.code, run.stdout.matches("\"paren\"").count()), (0, 90));
}
