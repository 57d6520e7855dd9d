//! `cxc doc`: formats, pages, what it leaves alone, exit codes. What it says is tested where it is made.

use crate::pipeline::{good, spec};
use crate::support::Folder;

/// Two specs and a page.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.cxspec", good("inc"));
    folder.write(
        "b.cxspec",
        good("up").replace("org.example.t", "org.other").replace("Inc", "Up").replace("5f1d", "6f1d"),
    );
    folder.write("guide/README.md", "# How to go on\n\nSee [more](more.md) and [a](../a.md).\n");
    folder.write("guide/more.md", "# More\n");
    folder
}

#[test]
fn each_format_has_a_first_page_that_leads_on() {
    let folder = folder();
    for (format, first) in [("html", "index.html"), ("markdown", "index.md"), ("asciidoc", "index.adoc")] {
        let run = folder.cxc(&format!("doc a.cxspec b.cxspec --page guide --format {format} --out-dir {format}"));
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.stderr.starts_with(&format!("documented {format}/{first}: ")), "{run:?}");
        let index = folder.read(&format!("{format}/{first}"));
        for name in ["How to go on", "More"] {
            assert!(index.contains(name), "{index}");
        }
    }
    let page = folder.read("html/guide/readme.html");
    assert!(
        page.contains("href=\"more.html\"") && !page.contains("a.md"),
        "a link to what is not there is text: {page}"
    );
}

#[test]
fn a_second_run_changes_nothing_and_a_smaller_one_deletes() {
    let folder = folder();
    let both = "doc a.cxspec b.cxspec --out-dir site";
    assert_eq!(folder.cxc(both).code, 0);
    assert!(folder.cxc(both).stderr.ends_with("nothing changed\n"));
    let gone = folder.list("site").into_iter().filter(|path| path.starts_with("org.other")).count();
    assert_eq!(gone, 1);
    folder.write("site/mine.txt", "mine");
    assert_eq!(folder.cxc("build a.cxspec --out-dir site -q").code, 0);
    assert_eq!(folder.cxc("doc a.cxspec --out-dir site").code, 0);
    let left = folder.list("site");
    assert!(left.iter().all(|path| !path.starts_with("org.other")), "{left:?}");
    assert!(
        ["mine.txt", "include/inc.h", "index.html"].iter().all(|path| left.contains(&path.to_string())),
        "{left:?}"
    );
}

#[test]
fn an_edited_page_is_not_overwritten() {
    let folder = folder();
    assert_eq!(folder.cxc("doc a.cxspec --out-dir site").code, 0);
    folder.write("site/index.html", "mine");
    folder.write("a.cxspec", good("inc").replace("x +% 1", "x +% 2").replace("inc(1) == 2", "inc(1) == 3"));
    let run = folder.cxc("doc a.cxspec --out-dir site --title Other");
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("CX0915") && folder.read("site/index.html") == "mine", "{run:?}");
    assert_eq!(folder.cxc("doc a.cxspec --out-dir site --title Other --force").code, 0);
    assert!(folder.read("site/index.html").contains("<h1>Other</h1>"));
}

#[test]
fn what_has_errors_is_not_documented() {
    let folder = folder();
    folder.write("bad.cxspec", spec("inc", "return y;"));
    let run = folder.cxc("doc bad.cxspec --out-dir site");
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("CX0101") && !folder.path("site/index.html").exists());
    for missing in ["doc none.cxspec", "doc a.cxspec --page none.md", "doc a.cxspec -I none"] {
        let run = folder.cxc(&format!("{missing} --out-dir site"));
        assert_eq!(run.code, 2, "{run:?}");
    }
    folder.write("clash.cxspec", good("inc"));
    assert_eq!(folder.cxc("doc a.cxspec clash.cxspec --out-dir site").code, 1);
}

#[test]
fn the_title_is_the_name_of_what_is_documented() {
    let folder = folder();
    folder.cxc("doc a.cxspec --out-dir one");
    let one = folder.read("one/index.html");
    folder.cxc("doc a.cxspec b.cxspec --out-dir two");
    let two = folder.read("two/index.html");
    assert!(two.contains("<title>Custom instructions</title>"), "{two}");
    assert!(one.contains("<title>") && !one.contains("Custom instructions"), "{one}");
}
