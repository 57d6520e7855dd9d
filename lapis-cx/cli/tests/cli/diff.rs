//! `cxc diff`: sides, exit codes, formats. What each change breaks is tested with the compiler.

use serde_json::Value;

use crate::pipeline::{good, spec};
use crate::support::{Folder, golden};

fn rules(document: &Value) -> Vec<&str> {
    document["changes"].as_array().unwrap().iter().map(|change| change["rule"].as_str().unwrap()).collect()
}

/// A base, and versions of it.
pub fn versions() -> Folder {
    let folder = Folder::new();
    folder.write("old.cxspec", good("inc"));
    folder.write("same.cxspec", good("inc").replace("    short", "    // why\n    short"));
    folder.write("more.cxspec", good("inc").replace("    example", "    command two = 1 : R () { }\n    example"));
    folder.write("other.cxspec", spec("up", "return x +% 2;").replace("inc = 0", "inc = 7"));
    folder.write("bad.cxspec", spec("inc", "return y;"));
    let fixed = good("inc").replace("draft ", "");
    folder.write("frozen.cxspec", &fixed);
    assert_eq!(folder.cxc("freeze frozen.cxspec").code, 0);
    folder.write("thawed.cxspec", folder.read("frozen.cxspec").replace("x +% 1", "x +% 2"));
    folder
}

#[test]
fn the_exit_code_says_whether_anything_breaks() {
    let folder = versions();
    for (new, code) in [("old", 0), ("same", 0), ("more", 0), ("other", 1), ("bad", 2), ("none", 2)] {
        let run = folder.cxc(&format!("diff old.cxspec {new}.cxspec"));
        assert_eq!(run.code, code, "{new}: {run:?}");
        assert_eq!(run.stdout.is_empty(), code == 2, "{new}: {run:?}");
    }
    assert!(folder.cxc("diff old.cxspec bad.cxspec").stderr.contains("CX0101"));
    assert_eq!(folder.cxc("diff old.cxspec same.cxspec").stdout, "no change\n");
    assert_eq!(folder.cxc("diff old.cxspec old.cxspec -I none").code, 2);
}

#[test]
fn people_read_what_breaks_whom_and_where() {
    let folder = versions();
    golden("diff-other.txt", &folder.cxc("diff old.cxspec other.cxspec").stdout);
    let run = folder.cxc("diff frozen.cxspec thawed.cxspec");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    golden("diff-frozen.txt", &run.stdout);
}

#[test]
fn programs_read_the_same() {
    let folder = versions();
    let run = folder.cxc("diff old.cxspec other.cxspec --format json");
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &document["breaking"]), (1, &Value::Bool(true)));
    assert_eq!(rules(&document), ["body-changed", "command-id-changed", "short-changed"]);
    let change = &document["changes"][1];
    assert_eq!(change["xlens"], serde_json::json!([32, 64]));
    assert_eq!(change["new"], serde_json::json!({ "file": "other.cxspec", "line": 9, "column": 13 }));
}

#[test]
fn folders_are_compared_as_a_whole() {
    let folder = Folder::new();
    let other = |uuid: &str| good("other").replace("5f1d", uuid).replace("org.example.t", "org.example.u");
    folder.write("v1/a.cxspec", good("inc"));
    folder.write("v1/b.cxspec", other("6f1d"));
    // Files may be split and moved: only items count.
    folder.write("v2/sub/c.cxspec", good("inc"));
    folder.write("v2/d.cxspec", other("6f1d"));
    assert_eq!(folder.cxc("diff v1 v2").stdout, "no change\n");
    folder.write("v2/d.cxspec", other("7f1d").replace("Inc", "New").replace("x +% 1", "1 +% x"));
    let document: Value = serde_json::from_str(&folder.cxc("diff v1 v2 --format json").stdout).unwrap();
    assert_eq!(rules(&document), ["interface-added", "interface-removed"]);
    folder.write("v2/e.cxspec", other("7f1d").replace("Inc", "New"));
    let run = folder.cxc("diff v1 v2");
    assert!(run.code == 2 && run.stderr.contains("CX0102"), "{run:?}");
}
