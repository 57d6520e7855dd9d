//! `cxc watch`: each change is answered by a round, which ends with a line. A test waits for that line, and gives up only where
//! it would wait for ever.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::pipeline::{good, spec};
use crate::support::Folder;

/// Long after any round is over.
const FOR_EVER: Duration = Duration::from_secs(100);

struct Watching {
    child: Child,
    /// What it says on stderr, line by line.
    lines: Receiver<String>,
}

impl Watching {
    fn new(folder: &Folder, arguments: &str) -> Watching {
        let mut command = folder.command(&format!("watch {arguments}"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || stderr.lines().try_for_each(|line| sender.send(line.unwrap() + "\n")));
        Watching { child, lines }
    }

    /// What the next round says.
    fn round(&mut self) -> String {
        let mut said = String::new();
        while !said.ends_with("; waiting for changes\n") {
            said += &self.lines.recv_timeout(FOR_EVER).unwrap_or_else(|_| panic!("no round: {said}"));
        }
        said
    }

    /// What the next round says that has a text in it. One change may be seen in parts.
    fn round_with(&mut self, text: &str) -> String {
        loop {
            let said = self.round();
            if said.contains(text) {
                return said;
            }
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const CLEAN: &str = "checked 1 spec: no findings; waiting for changes\n";

#[test]
fn each_change_is_checked() {
    let folder = Folder::new();
    folder.write("a.cxspec", good("a"));
    let mut watching = Watching::new(&folder, "a.cxspec");
    assert_eq!(watching.round(), format!("checked a.cxspec: 1 interface, 1 example, 0 laws\n{CLEAN}"));

    folder.write("a.cxspec", spec("a", "return x +% 2;"));
    let said = watching.round_with("error[CX0601]");
    assert!(said.ends_with("checked 1 spec: 1 error; waiting for changes\n"), "{said}");

    // As editors save: a new file takes the place of the old one.
    folder.write("a.cxspec~", good("a"));
    fs::rename(folder.path("a.cxspec~"), folder.path("a.cxspec")).unwrap();
    watching.round_with("no findings");

    fs::remove_file(folder.path("a.cxspec")).unwrap();
    watching.round_with("cannot read `a.cxspec`");
    folder.write("a.cxspec", good("a"));
    watching.round_with("no findings");

    // The same contents are no change: the next round is about the change after them.
    folder.write("a.cxspec", good("a"));
    folder.write("note.txt", "nothing");
    folder.write("a.cxspec", "cxspec 1;");
    watching.round_with("error[CX0006]");
}

#[test]
fn imports_and_new_files_are_seen() {
    let folder = Folder::new();
    let constant = |name: &str| format!("cxspec 1;\npackage lib;\nconst {name} = 1;\n");
    folder.write("lib/lib.cxspec", constant("A"));
    folder.write("all/a.cxspec", "cxspec 1;\npackage a;\nuse lib:A;\nconst X: u8 = A;\n");
    let mut watching = Watching::new(&folder, "all -I lib -q");
    assert_eq!(watching.round(), CLEAN);

    folder.write("lib/lib.cxspec", constant("B"));
    watching.round_with("1 error");
    folder.write("lib/lib.cxspec", constant("A"));
    watching.round_with("no findings");

    folder.write("all/deep/b.cxspec", "cxspec 1;\npackage b;\nconst X = ;\n");
    watching.round_with("checked 2 specs: 1 error");
    folder.write("all/deep/b.cxspec", "cxspec 1;\npackage b;\nconst X = 1;\n");
    watching.round_with("checked 2 specs: no findings");

    // A folder that goes and comes back.
    fs::remove_dir_all(folder.path("lib")).unwrap();
    watching.round_with("no such folder");
    folder.write("lib/lib.cxspec", constant("A"));
    watching.round_with("no findings");
    folder.write("lib/lib.cxspec", constant("B"));
    watching.round_with("1 error");
}

#[cfg(unix)]
#[test]
fn what_a_link_points_to_is_seen() {
    let folder = Folder::new();
    folder.write("real/a.cxspec", good("a"));
    fs::create_dir(folder.path("links")).unwrap();
    std::os::unix::fs::symlink("../real/a.cxspec", folder.path("links/a.cxspec")).unwrap();
    let mut watching = Watching::new(&folder, "links/a.cxspec");
    watching.round_with("no findings");
    folder.write("real/a.cxspec", spec("a", "return x;"));
    watching.round_with("1 error");
}

#[test]
fn builds_are_as_those_of_build() {
    let folder = Folder::new();
    folder.write("a.cxspec", good("a"));
    // The outputs lie in a folder that is watched, and are no change.
    let mut watching = Watching::new(&folder, ". --out-dir out --backend c");
    let said = watching.round();
    assert_eq!(said, "built a.cxspec: 2 files, 2 written\nbuilt 1 spec: no findings; waiting for changes\n");
    let header = folder.read("out/include/a.h");

    folder.write("a.cxspec", spec("a", "return x;"));
    assert!(!watching.round_with("1 error").contains("files,"));
    assert_eq!(folder.read("out/include/a.h"), header);
    folder.write("a.cxspec", good("b"));
    watching.round_with("2 written, 2 deleted");
    assert_eq!(folder.list("out"), ["include/b.h", "src/b_fallback.c"]);

    for arguments in ["watch", "watch a.cxspec --backend c", "watch a.cxspec --out-dir out --vectors 3"] {
        assert_eq!(folder.cxc(arguments).code, 2, "{arguments}");
    }
}

#[cfg(unix)]
#[test]
fn programs_get_findings_only_and_an_interrupt_ends_it() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;
    let folder = Folder::new();
    folder.write("a.cxspec", "cxspec 1;");
    let mut watching = Watching::new(&folder, "a.cxspec --message-format json");
    assert_eq!(watching.round(), "checked 1 spec: 1 error; waiting for changes\n");
    let kill = Command::new("kill").args(["-INT", &watching.child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(watching.child.wait().unwrap().signal(), Some(2));
    assert_eq!(watching.lines.iter().collect::<String>(), "");
    let mut rest = String::new();
    watching.child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
    assert!(rest.lines().count() == 1 && rest.starts_with("{\"code\":\"CX0006\""), "{rest}");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_folder_is_watched_where_it_leads() {
    let folder = Folder::new();
    folder.write("real/a.cxspec", good("a"));
    std::os::unix::fs::symlink(folder.path("real"), folder.path("link")).unwrap();
    let mut watching = Watching::new(&folder, "link");
    watching.round_with("no findings");
    folder.write("real/a.cxspec", "cxspec 1;");
    watching.round_with("error[CX0006]");
}
