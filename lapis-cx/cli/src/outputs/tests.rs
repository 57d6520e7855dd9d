use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use lapis_cx::diagnostic::catalogue::driver;

use super::*;

/// A project with an output folder `out` and specs beside it.
struct Project {
    dir: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Project { dir: tempfile::tempdir().unwrap() };
        project.put("a.cxspec", "");
        project.put("b.cxspec", "");
        project
    }

    fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn build(&self, spec: &str, files: &[(&str, &str)]) -> Result<Report, Vec<Diagnostic>> {
        write(&self.path("out"), &self.path(spec), &outputs(files), Edited::Refuse)
    }

    /// Builds and returns what was written and deleted.
    fn changes(&self, spec: &str, files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
        let report = self.build(spec, files).unwrap();
        assert_eq!(report.warnings, []);
        (report.written, report.deleted)
    }

    fn refusal(&self, spec: &str, files: &[(&str, &str)]) -> Diagnostic {
        let before = self.tree();
        let mut findings = self.build(spec, files).unwrap_err();
        assert_eq!(self.tree(), before, "a refused build changes nothing");
        assert_eq!(findings.len(), 1);
        findings.remove(0)
    }

    /// Everything below `out`: files with their text, folders with `None`.
    fn tree(&self) -> BTreeMap<String, Option<String>> {
        let out = self.path("out");
        let mut tree = BTreeMap::new();
        let mut folders = vec![out.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(&out).unwrap().to_str().unwrap().to_owned();
                if fs::symlink_metadata(&path).unwrap().is_dir() {
                    folders.push(path);
                    tree.insert(name, None);
                } else {
                    tree.insert(name, Some(fs::read_to_string(path).unwrap_or_default()));
                }
            }
        }
        tree
    }

    /// As [`Project::tree`], without what is in `.cxc`.
    fn products(&self) -> Vec<String> {
        self.tree().into_keys().filter(|name| !name.starts_with(".cxc")).collect()
    }
}

fn outputs(files: &[(&str, &str)]) -> Vec<File> {
    files.iter().map(|(path, text)| File { path: path.to_string(), text: text.to_string() }).collect()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

#[test]
fn equal_contents_are_not_written() {
    let project = Project::new();
    let files = [("x.h", "x"), ("c/y.h", "y")];
    assert_eq!(project.changes("a.cxspec", &files).0, names(&["x.h", "c/y.h"]));
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1000);
    for path in ["out/x.h", "out/c/y.h"] {
        fs::File::options().write(true).open(project.path(path)).unwrap().set_modified(old).unwrap();
    }
    let before = project.tree();
    assert_eq!(project.changes("a.cxspec", &files), (vec![], vec![]));
    assert_eq!(project.changes("a.cxspec", &[("x.h", "x"), ("c/y.h", "new")]).0, names(&["c/y.h"]));
    let modified = |path| fs::metadata(project.path(path)).unwrap().modified().unwrap();
    assert_eq!(modified("out/x.h"), old);
    assert_ne!(modified("out/c/y.h"), old);
    assert_eq!(project.changes("a.cxspec", &files).0, names(&["c/y.h"]));
    assert_eq!(project.tree(), before);
}

#[test]
fn stale_files_and_empty_folders_go() {
    let project = Project::new();
    project.changes("a.cxspec", &[("x.h", "x"), ("c/d/y.h", "y"), ("c/z.h", "z")]);
    assert_eq!(project.changes("a.cxspec", &[("c/z.h", "z")]).1, names(&["c/d/y.h", "x.h"]));
    assert_eq!(project.products(), ["c", "c/z.h"]);
    assert_eq!(project.changes("a.cxspec", &[]).1, names(&["c/z.h"]));
    assert_eq!(project.products(), [""; 0]);
    let manifests = project.tree().into_keys().filter(|name| name.ends_with(".manifest")).count();
    assert_eq!(manifests, 0);
}

#[test]
fn folders_of_others_stay() {
    let project = Project::new();
    fs::create_dir_all(project.path("out/theirs")).unwrap();
    project.changes("a.cxspec", &[("theirs/x.h", "x"), ("ours/y.h", "y")]);
    project.put("out/ours/note.txt", "mine");
    project.changes("a.cxspec", &[]);
    assert_eq!(project.products(), ["ours", "ours/note.txt", "theirs"]);
    fs::remove_file(project.path("out/ours/note.txt")).unwrap();
    project.changes("a.cxspec", &[]);
    assert_eq!(project.products(), ["theirs"]);
}

#[test]
fn foreign_files_are_never_replaced() {
    let project = Project::new();
    project.put("out/x.h", "by hand");
    let refusal = project.refusal("a.cxspec", &[("y.h", "y"), ("x.h", "x")]);
    assert_eq!(refusal.code, driver::OUTPUT_EXISTS.code);
    assert!(refusal.message.contains("out/x.h"), "{}", refusal.message);
    assert!(!crate::could_not_run(&refusal));
    // The same contents are no conflict, and count as ours from then on.
    assert_eq!(project.changes("a.cxspec", &[("x.h", "by hand")]).0, [""; 0]);
    assert_eq!(project.changes("a.cxspec", &[("x.h", "x")]).0, names(&["x.h"]));
}

#[test]
fn stale_files_that_were_edited_stay() {
    let project = Project::new();
    project.changes("a.cxspec", &[("x.h", "x"), ("y.h", "y")]);
    project.put("out/x.h", "edited");
    let report = project.build("a.cxspec", &[]).unwrap();
    assert_eq!((report.deleted, report.warnings.len()), (names(&["y.h"]), 1));
    assert_eq!(report.warnings[0].code, driver::STALE_EDITED.code);
    assert_eq!(project.products(), ["x.h"]);
    // Now it is not ours any more.
    assert_eq!(project.build("a.cxspec", &[]).unwrap(), Report::default());
    assert_eq!(project.refusal("a.cxspec", &[("x.h", "x")]).code, driver::OUTPUT_EXISTS.code);
}

#[test]
fn outputs_that_were_deleted_come_back() {
    let project = Project::new();
    let files = [("x.h", "x"), ("y.h", "y")];
    project.changes("a.cxspec", &files);
    fs::remove_file(project.path("out/y.h")).unwrap();
    assert_eq!(project.changes("a.cxspec", &files).0, names(&["y.h"]));
}

#[test]
fn edited_outputs_are_overwritten_only_by_force() {
    let project = Project::new();
    project.changes("a.cxspec", &[("x.h", "x"), ("y.h", "y")]);
    project.put("out/x.h", "edited");
    for text in ["x", "new"] {
        let refusal = project.refusal("a.cxspec", &[("x.h", text), ("y.h", "new")]);
        assert_eq!(refusal.code, driver::OUTPUT_EDITED.code);
        assert!(refusal.message.contains("out/x.h") && !crate::could_not_run(&refusal), "{}", refusal.message);
    }
    // An edit that gives what is wanted is no conflict.
    assert_eq!(project.changes("a.cxspec", &[("x.h", "edited"), ("y.h", "y")]), (vec![], vec![]));
    project.put("out/x.h", "edited again");
    let files = outputs(&[("x.h", "new"), ("y.h", "y")]);
    let report = write(&project.path("out"), &project.path("a.cxspec"), &files, Edited::Overwrite).unwrap();
    assert_eq!(report.written, names(&["x.h"]));
    // Force is not for files of others.
    project.put("out/z.h", "by hand");
    let files = outputs(&[("z.h", "z")]);
    let refusal = write(&project.path("out"), &project.path("a.cxspec"), &files, Edited::Overwrite).unwrap_err();
    assert_eq!(refusal[0].code, driver::OUTPUT_EXISTS.code);
}

#[test]
fn in_a_folder_of_its_own_a_build_takes_over_what_others_left() {
    let project = Project::new();
    project.changes("a.cxspec", &[("x.h", "a"), ("a.h", "a")]);
    project.put("out/x.h", "edited");
    let [a, b] = ["a.cxspec", "b.cxspec"].map(|name| project.path(name));
    let own = |spec: &PathBuf, text, roots: &[PathBuf]| {
        write_own(&project.path("out"), spec, &outputs(&[("x.h", text)]), roots)
    };
    // Whoever edits it there meant it to last.
    assert_eq!(own(&b, "b", std::slice::from_ref(&b)).unwrap_err()[0].code, driver::OUTPUT_EXISTS.code);
    project.put("out/x.h", "a");
    assert_eq!(own(&b, "b", std::slice::from_ref(&b)).unwrap().written, ["x.h"]);
    assert_eq!(project.products(), ["a.h", "x.h"]);
    // But not what this build wrote for another spec.
    assert_eq!(own(&a, "a", &[b, a.clone()]).unwrap_err()[0].code, driver::OUTPUT_OWNED.code);
}

#[test]
fn two_specs_do_not_fight() {
    let project = Project::new();
    project.changes("a.cxspec", &[("shared.h", "s"), ("a.h", "a")]);
    project.changes("b.cxspec", &[("shared.h", "s"), ("b.h", "b")]);
    for spec in ["a.cxspec", "b.cxspec"] {
        let refusal = project.refusal(spec, &[("shared.h", "other")]);
        assert_eq!(refusal.code, driver::OUTPUT_OWNED.code);
        assert!(refusal.message.contains(if spec == "a.cxspec" { "b.cxspec" } else { "a.cxspec" }));
    }
    // Whether it lies there or not makes no difference.
    fs::remove_file(project.path("out/shared.h")).unwrap();
    assert_eq!(project.refusal("b.cxspec", &[("shared.h", "other")]).code, driver::OUTPUT_OWNED.code);
    project.changes("b.cxspec", &[("shared.h", "s"), ("b.h", "b")]);
    // Who no longer wants it leaves it to the other.
    assert_eq!(project.changes("a.cxspec", &[("a.h", "a")]).1, [""; 0]);
    assert_eq!(project.changes("b.cxspec", &[("b.h", "b")]).1, names(&["shared.h"]));
    assert_eq!(project.products(), ["a.h", "b.h"]);
}

#[test]
fn the_order_of_builds_makes_no_difference() {
    let [one, two] = [Project::new(), Project::new()];
    let builds = [("a.cxspec", [("a.h", "a"), ("c/s.h", "s")]), ("b.cxspec", [("c/s.h", "s"), ("b.h", "b")])];
    builds.iter().for_each(|(spec, files)| drop(one.changes(spec, files)));
    builds.iter().rev().for_each(|(spec, files)| drop(two.changes(spec, &[files[1], files[0]])));
    assert_eq!(one.tree(), two.tree());
}

#[test]
fn a_renamed_spec_takes_its_outputs_over() {
    let project = Project::new();
    project.changes("a.cxspec", &[("x.h", "x"), ("y.h", "y")]);
    fs::rename(project.path("a.cxspec"), project.path("renamed.cxspec")).unwrap();
    assert_eq!(project.changes("renamed.cxspec", &[("x.h", "new")]).0, names(&["x.h"]));
    // But not what was edited since.
    project.put("out/y.h", "edited");
    assert_eq!(project.refusal("renamed.cxspec", &[("x.h", "new"), ("y.h", "z")]).code, driver::OUTPUT_EXISTS.code);
}

#[test]
fn the_spelling_of_a_path_makes_no_difference() {
    let project = Project::new();
    project.changes("a.cxspec", &[("x.h", "x")]);
    fs::create_dir(project.path("sub")).unwrap();
    for (out, spec) in [("sub/../out/.", "./a.cxspec"), ("out", "sub/../a.cxspec")] {
        let report = write(&project.path(out), &project.path(spec), &outputs(&[("x.h", "x")]), Edited::Refuse).unwrap();
        assert_eq!(report, Report::default());
    }
    assert_eq!(project.changes("sub/../a.cxspec", &[("y.h", "y")]).1, names(&["x.h"]));
}

#[test]
fn a_project_can_be_moved() {
    let project = Project::new();
    project.put("p/a.cxspec", "");
    let build = |at: &str, text| {
        write(
            &project.path(at).join("out"),
            &project.path(at).join("a.cxspec"),
            &outputs(&[("x.h", text)]),
            Edited::Refuse,
        )
    };
    build("p", "x").unwrap();
    fs::rename(project.path("p"), project.path("q")).unwrap();
    assert_eq!(build("q", "x").unwrap(), Report::default());
    assert_eq!(build("q", "new").unwrap().written, names(&["x.h"]));
}

#[cfg(unix)]
#[test]
fn a_private_folder_that_is_a_link_is_refused() {
    let project = Project::new();
    fs::create_dir_all(project.path("out")).unwrap();
    fs::create_dir_all(project.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", project.path("out/.cxc")).unwrap();
    assert_eq!(project.refusal("a.cxspec", &[("x.h", "x")]).code, driver::CANNOT_WRITE.code);
    assert_eq!(fs::read_dir(project.path("elsewhere")).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let project = Project::new();
    project.put("elsewhere/x.h", "theirs");
    fs::create_dir(project.path("out")).unwrap();
    symlink("../elsewhere", project.path("out/c")).unwrap();
    symlink("../elsewhere/x.h", project.path("out/x.h")).unwrap();
    symlink("nowhere", project.path("out/y.h")).unwrap();
    for path in ["c/new.h", "c/x.h", "x.h", "y.h"] {
        assert_eq!(project.refusal("a.cxspec", &[(path, "theirs")]).code, driver::OUTPUT_PATH.code, "{path}");
    }
    // A folder that became a link: what lies behind it is not ours.
    project.changes("a.cxspec", &[("d/x.h", "theirs")]);
    fs::remove_dir_all(project.path("out/d")).unwrap();
    symlink("../elsewhere", project.path("out/d")).unwrap();
    assert_eq!(project.build("a.cxspec", &[]).unwrap().warnings.len(), 1);
    assert_eq!(fs::read_to_string(project.path("elsewhere/x.h")).unwrap(), "theirs");
    // The output folder itself may be a link.
    symlink("out", project.path("link")).unwrap();
    project.changes("a.cxspec", &[("z.h", "z")]);
    let report =
        write(&project.path("link"), &project.path("a.cxspec"), &outputs(&[("z.h", "z")]), Edited::Refuse).unwrap();
    assert_eq!(report, Report::default());
}

#[test]
fn files_and_folders_in_the_way_are_refused() {
    let project = Project::new();
    project.put("out/c", "a file");
    fs::create_dir(project.path("out/d")).unwrap();
    assert_eq!(project.refusal("a.cxspec", &[("c/x.h", "x")]).code, driver::OUTPUT_PATH.code);
    assert_eq!(project.refusal("a.cxspec", &[("d", "x")]).code, driver::OUTPUT_PATH.code);
    assert_eq!(project.refusal("a.cxspec", &[("../x.h", "x")]).code, driver::OUTPUT_PATH.code);
}

#[test]
fn a_build_that_dies_anywhere_is_finished_by_the_next() {
    let before = [("keep.h", "k"), ("change.h", "old"), ("old/gone.h", "g"), ("gone.h", "g")];
    let after = [("keep.h", "k"), ("change.h", "new"), ("new/deep/fresh.h", "f")];
    let third = [("keep.h", "k"), ("other.h", "o")];
    for next in [&before[..], &after, &third] {
        for steps_done in 0.. {
            let project = Project::new();
            project.changes("a.cxspec", &before);
            let out = fs::canonicalize(project.path("out")).unwrap();
            project.put("out/.cxc/.cxc-new-1-1", "half a fi");
            let plan =
                Plan::make(&out, &out, "../a.cxspec", &outputs(&after), Edited::Refuse, &Rivals::Existing).unwrap();
            if steps_done > plan.steps.len() {
                break;
            }
            plan.steps[..steps_done].iter().for_each(|step| step.run(&out, &out).unwrap());
            for (path, text) in project.tree() {
                let whole =
                    |files: &[(&str, &str)]| files.iter().any(|(p, t)| *p == path && Some(*t) == text.as_deref());
                assert!(text.is_none() || path.starts_with(".cxc") || whole(&before) || whole(&after), "{path}");
            }
            project.changes("a.cxspec", next);
            let clean = Project::new();
            clean.changes("a.cxspec", &before);
            clean.changes("a.cxspec", next);
            let without_lock = |project: &Project| {
                let mut tree = project.tree();
                tree.remove(".cxc/lock");
                tree
            };
            assert_eq!(without_lock(&project), without_lock(&clean), "after {steps_done} steps");
        }
    }
}

#[test]
fn builds_at_the_same_time_keep_all_manifests() {
    let project = Project::new();
    let specs: Vec<String> = (0..8).map(|i| format!("s{i}.cxspec")).collect();
    specs.iter().for_each(|spec| project.put(spec, ""));
    std::thread::scope(|scope| {
        for spec in &specs {
            let project = &project;
            scope.spawn(move || {
                for round in 0..5 {
                    let own = format!("{spec}.{round}.h");
                    project.changes(spec, &[("shared/s.h", "s"), (&own, "x")]);
                }
            });
        }
    });
    let manifests = project.tree().into_keys().filter(|name| name.ends_with(".manifest")).count();
    assert_eq!(manifests, specs.len());
    assert_eq!(project.products().len(), specs.len() + 2);
    specs.iter().for_each(|spec| drop(project.changes(spec, &[])));
    assert_eq!(project.products(), [""; 0]);
}

#[test]
fn builds_of_one_spec_at_the_same_time_refuse_nothing() {
    let project = Project::new();
    std::thread::scope(|scope| {
        for text in ["one", "two"] {
            let project = &project;
            scope.spawn(move || {
                for _ in 0..200 {
                    project.changes("a.cxspec", &[("x.h", text), ("y.h", text), ("z.h", text)]);
                    let files = outputs(&[("x.h", text)]);
                    preview(&project.path("out"), &project.path("a.cxspec"), &files, Edited::Refuse).unwrap();
                }
            });
        }
    });
    let texts: Vec<_> = project.products().iter().map(|name| project.tree()[name].clone()).collect();
    assert!(texts.len() == 3 && texts.iter().all(|text| *text == texts[0]), "one build as a whole: {texts:?}");
}

#[test]
fn what_stands_against_writing_counts_behind_the_lock() {
    let project = Project::new();
    project.changes("a.cxspec", &[("x.h", "old")]);
    let (out, files) = (project.path("out"), outputs(&[("x.h", "new")]));
    let (base, key) = locate(&out, Owner::Spec(&project.path("a.cxspec"))).unwrap();
    let calls = std::cell::Cell::new(0);
    let settled = settle(&base, &out, || {
        calls.set(calls.get() + 1);
        if calls.get() == 1 {
            // Another build between the reading of the manifest and of the file.
            let mut old = fs::read_dir(base.join(PRIVATE)).unwrap().map(|entry| entry.unwrap().path());
            let manifest = old.find(|path| path.extension().is_some_and(|e| e == "manifest")).unwrap();
            let before = fs::read(&manifest).unwrap();
            project.changes("a.cxspec", &[("x.h", "other")]);
            let after = fs::read(&manifest).unwrap();
            fs::write(&manifest, before).unwrap();
            let plan = Plan::make(&base, &out, &key, &files, Edited::Refuse, &Rivals::Existing);
            fs::write(&manifest, after).unwrap();
            assert_eq!(plan.as_ref().err().unwrap()[0].code, driver::OUTPUT_EDITED.code);
            return plan;
        }
        assert!(fs::File::open(base.join(PRIVATE).join("lock")).unwrap().try_lock().is_err(), "the lock is held");
        Plan::make(&base, &out, &key, &files, Edited::Refuse, &Rivals::Existing)
    });
    let (plan, lock) = settled.unwrap();
    assert_eq!((plan.report.written, lock.is_some(), calls.get()), (names(&["x.h"]), true, 2));
}

#[test]
fn a_damaged_manifest_is_reported_and_nothing_is_touched() {
    let project = Project::new();
    project.changes("a.cxspec", &[("x.h", "x")]);
    let name = format!("out/.cxc/{}", manifest::Manifest::file_name("../a.cxspec"));
    let good = fs::read_to_string(project.path(&name)).unwrap();
    let edited = [("manifest 1", "manifest 2"), ("x.h", "../a.cxspec"), ("file ", "fiel "), ("root ../a", "root ../b")];
    let edited = edited.map(|(from, to)| {
        assert!(good.contains(from), "{good}");
        good.replace(from, to)
    });
    // Cut anywhere, also after a line.
    let cut = (0..good.len()).map(|end| good[..end].to_owned());
    for bad in edited.into_iter().chain(cut) {
        project.put(&name, &bad);
        assert_eq!(project.refusal("a.cxspec", &[]).code, driver::MANIFEST_DAMAGED.code, "{bad}");
    }
    // Another root only loses the knowledge of whose the file is.
    assert_eq!(project.refusal("b.cxspec", &[("x.h", "new")]).code, driver::OUTPUT_EXISTS.code);
}

#[test]
fn a_folder_that_cannot_be_made_is_reported() {
    let project = Project::new();
    project.put("file", "");
    let findings =
        write(&project.path("file/out"), &project.path("a.cxspec"), &outputs(&[("x.h", "x")]), Edited::Refuse)
            .unwrap_err();
    assert_eq!(findings[0].code, driver::CANNOT_WRITE.code);
    assert!(crate::could_not_run(&findings[0]) && findings[0].message.contains("file/out"));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new();
    project.changes("a.cxspec", &[("x.h", "x")]);
    let set = |mode| {
        ["out", "out/.cxc"].map(|p| fs::set_permissions(project.path(p), PermissionsExt::from_mode(mode)).unwrap())
    };
    set(0o555);
    let is_root = fs::write(project.path("out/probe"), "").is_ok();
    if !is_root {
        assert_eq!(project.refusal("a.cxspec", &[("x.h", "new")]).code, driver::CANNOT_WRITE.code);
    }
    // What changes nothing needs no permission.
    assert_eq!(project.changes("a.cxspec", &[("x.h", "x")]), (vec![], vec![]));
    set(0o755);
}

#[cfg(unix)]
#[test]
fn replaced_files_keep_their_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new();
    project.changes("a.cxspec", &[("x.sh", "x")]);
    fs::set_permissions(project.path("out/x.sh"), PermissionsExt::from_mode(0o751)).unwrap();
    project.changes("a.cxspec", &[("x.sh", "new")]);
    assert_eq!(fs::metadata(project.path("out/x.sh")).unwrap().permissions().mode() & 0o777, 0o751);
}

#[test]
fn no_files_need_no_folder() {
    let project = Project::new();
    assert_eq!(project.build("a.cxspec", &[]).unwrap(), Report::default());
    assert!(!project.path("out").exists());
}
