//! What the command makes beside outputs: starter specs, completions, manual pages.

use std::fs;

use crate::support::Folder;

#[test]
fn a_new_spec_of_each_kind_compiles_without_a_word() {
    for kind in ["interface", "xcmd", "platform", "library"] {
        let folder = Folder::new();
        let run = folder.cxc(&format!("new Foo_2Bar --kind {kind} --package org.starter.Starter"));
        let next = match kind {
            "library" => "check it with `cxc check foo2bar.cxspec`",
            _ => "build it with `cxc build foo2bar.cxspec --out-dir out`",
        };
        assert_eq!(run.stderr, format!("wrote foo2bar.cxspec; {next}\n"));
        let text = folder.read("foo2bar.cxspec");
        assert!(text.contains("package org.starter.Starter;") && text.contains(" Foo_2Bar"), "{text}");
        assert!(!text.replace("org.starter.Starter", "").to_lowercase().contains("starter"), "{text}");
        for command in ["check foo2bar.cxspec", "build foo2bar.cxspec --out-dir out"] {
            let run = folder.cxc(&format!("{command} --message-format json"));
            // Nothing is printed from a platform or a library yet.
            let is_known = |code: &String| ["platform", "library"].contains(&kind) && code == "CX0913";
            assert!(run.code == 0 && run.codes().iter().all(is_known), "{kind}: {run:?}");
        }
        assert!(kind == "library" || !folder.list("out").is_empty(), "{kind}");
        let again = folder.cxc(&format!("new FOO2BAR --kind {kind}"));
        assert!(again.code == 2 && again.stderr.contains("CX0907"), "{again:?}");
        assert!(again.stderr.contains("never overwrites") && !again.stderr.contains("os error"), "{again:?}");
        assert_eq!(folder.read("foo2bar.cxspec"), text);
    }
}

#[test]
fn names_that_do_not_fit_write_nothing() {
    let folder = Folder::new();
    for arguments in ["9bad", "my-counter", "../x", "é", "True", "X --package a..b", "X --package my_pkg", "Trailing_"]
    {
        let run = folder.cxc(&format!("new {arguments}"));
        let says = if arguments.contains("--package") { "a package is words" } else { "a name begins with a letter" };
        assert!(run.code == 2 && run.stderr.contains(says), "{arguments}: {run:?}");
        assert_eq!(run.stderr.matches("error").count(), 1, "{run:?}");
    }
    let taken = folder.cxc("new X --package cx.std");
    assert!(taken.code == 2 && taken.stderr.contains("comes with the compiler"), "{taken:?}");
    assert!(folder.cxc("new my-counter").stderr.contains("such as `MyCounter`"));
    // What the checker refuses is said by the checker, before anything is written.
    for (arguments, code) in
        [("u8", "CX0102"), ("XLEN --kind library", "CX0102"), ("cx", "CX0411"), ("state", "CX0905")]
    {
        let run = folder.cxc(&format!("new {arguments}"));
        assert!(run.code == 1 && run.stderr.contains(code), "{arguments}: {run:?}");
    }
    assert_eq!(folder.cxc("new u8 --out-dir none").code, 1);
    assert_eq!(folder.cxc("new X --kind thing").code, 2);
    assert_eq!(folder.list("."), [""; 0]);
}

#[test]
fn a_project_is_a_folder_of_its_own() {
    let folder = Folder::new();
    let run = folder.cxc("new Foo_2Bar --project make --package org.other.name");
    assert_eq!(run.stderr, "wrote foo2bar: 5 files; go on with `cd foo2bar && make run`\n");
    let files = [".gitignore", "Makefile", "README.md", "main.c", "specs/foo2bar.cxspec"];
    assert_eq!(folder.list("foo2bar"), files);
    let spec = folder.read("foo2bar/specs/foo2bar.cxspec");
    assert!(spec.contains("package org.other.name;") && spec.contains("interface Foo_2Bar"), "{spec}");
    // The spec is that which `new` writes alone.
    folder.cxc("new Foo_2Bar --package org.other.name");
    assert_eq!(folder.read("foo2bar.cxspec"), spec);

    // Nothing is written into a folder that exists.
    fs::create_dir(folder.path("empty")).unwrap();
    for (name, is) in [("FOO2bar", &files[..]), ("Empty", &[])] {
        let again = folder.cxc(&format!("new {name} --project cmake"));
        assert!(again.code == 2 && again.stderr.contains("never overwrites"), "{again:?}");
        assert_eq!(folder.list(&name.to_lowercase()), is);
    }

    for (arguments, says) in [
        ("Test --project make", "cannot be called `test`"),
        ("Loop --project cargo", "cannot be called `loop`"),
        ("X --project make --kind xcmd", "cannot be used with"),
        ("X --project make --source .", "`--source` is for `--project cargo`"),
        ("X --source .", "--project"),
        ("X --project cargo --source .", "a clone of Lapis-CX"),
        ("X --project bazel", "invalid value"),
        ("X --project make --out-dir foo2bar.cxspec", "cannot write"),
    ] {
        let run = folder.cxc(&format!("new {arguments}"));
        assert!(run.code == 2 && run.stderr.contains(says), "{arguments}: {run:?}");
        assert!(!folder.path("x").exists() && !folder.path("test").exists());
    }
    // What the checker refuses is said before anything is written.
    assert_eq!(folder.cxc("new U8 --project make").code, 0);
    let refused = folder.cxc("new cx --project make");
    assert!(refused.code == 1 && refused.stderr.contains("CX0411") && !folder.path("cx").exists(), "{refused:?}");
}

#[test]
fn a_project_for_cargo_names_crates_by_version_or_by_path() {
    let folder = Folder::new();
    assert_eq!(folder.cxc("new Counter --project cargo").code, 0);
    let manifest = folder.read("counter/Cargo.toml");
    let version = env!("CARGO_PKG_VERSION");
    assert!(manifest.contains(&format!("lapis-cx-build = \"{version}\"")), "{manifest}");
    for manifest in ["runtime", "build"].map(|name| format!("the clone/lapis-cx/{name}/Cargo.toml")) {
        folder.write(&manifest, "");
    }
    fs::create_dir(folder.path("below")).unwrap();
    for (out_dir, path) in [(".", "../the clone"), ("below", "../../the clone")] {
        let mut command = folder.command(&format!("new Other --project cargo --out-dir {out_dir} --source"));
        assert!(command.arg("the clone").status().unwrap().success());
        let manifest = folder.read(&format!("{out_dir}/other/Cargo.toml"));
        for name in ["runtime", "build"] {
            let line = format!("lapis-cx-{name} = {{ path = \"{path}/lapis-cx/{name}\" }}\n");
            assert!(manifest.contains(&line), "{manifest}");
        }
    }
}

#[test]
fn completions_name_every_subcommand() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = folder.cxc(&format!("completions {shell}"));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        for word in ["build", "check", "freeze", "diff", "depfile", "message-format"] {
            assert!(run.stdout.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(folder.cxc("completions tcsh").code, 2);
    // bash itself reads it.
    let script = folder.cxc("completions bash").stdout;
    folder.write("cxc.bash", script);
    let status = std::process::Command::new("bash").arg("-n").arg(folder.path("cxc.bash")).status().unwrap();
    assert!(status.success());
}

#[test]
fn there_is_a_manual_page_for_each_subcommand() {
    let folder = Folder::new();
    let run = folder.cxc("man --out-dir man/man1");
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    let help = folder.cxc("--help").stdout;
    let list = help.split_once("Commands:").unwrap().1.split_once("Options:").unwrap().0;
    let commands: Vec<_> =
        list.lines().filter_map(|line| line.split_whitespace().next()).filter(|c| *c != "help").collect();
    let mut want: Vec<_> = commands.iter().map(|command| format!("cxc-{command}.1")).collect();
    want.push("cxc.1".to_owned());
    want.sort();
    assert_eq!(folder.list("man/man1"), want);
    for page in &want {
        let text = folder.read(&format!("man/man1/{page}"));
        assert!(text.contains(".SH NAME") && text.contains(page.trim_end_matches(".1")), "{text}");
    }
    assert!(folder.read("man/man1/cxc-build.1").contains("depfile"));
    folder.write("file", "");
    assert_eq!(folder.cxc("man --out-dir file").code, 2);
}
