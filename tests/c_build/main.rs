//! C build systems: the runtime is installed, and each example is built outside of the repository. What changes is made
//! again, and nothing else is, by what the build system says and by the times of files.

#![allow(clippy::unwrap_used, clippy::panic)]

mod install;
mod new;
mod project;
mod shapes;

use std::fs;
use std::path::Path;
use std::process::Command;

use lapis_cx_tests::repository;
use project::{Project, Tool, command};

const MAKE: Tool = Tool {
    example: "make",
    configure: None,
    build: |src, _| with(command("make"), &["-j2"], src),
    idle: Some("Nothing to be done"),
    generates: "cxc build",
    header: "gen/include/mixer.h",
};

const CMAKE_MAKE: Tool = Tool {
    example: "cmake",
    configure: Some(|src, build| cmake("Unix Makefiles", src, build)),
    build: cmake_build,
    idle: None,
    generates: "with cxc",
    header: "mixer_cx.cxc/include/mixer.h",
};

const CMAKE_NINJA: Tool =
    Tool { configure: Some(|src, build| cmake("Ninja", src, build)), idle: Some("no work to do"), ..CMAKE_MAKE };

const MESON: Tool = Tool {
    example: "meson",
    configure: Some(|src, build| {
        let mut meson = command("meson");
        meson.arg("setup").arg(build).arg(src);
        meson
    }),
    build: |_, build| with(command("ninja"), &[], build),
    idle: Some("no work to do"),
    generates: "Generating mixer",
    header: "mixer.h",
};

fn with(mut command: Command, arguments: &[&str], folder: &Path) -> Command {
    command.args(arguments).current_dir(folder);
    command
}

fn cmake(generator: &str, src: &Path, build: &Path) -> Command {
    let mut cmake = command("cmake");
    cmake.args(["-G", generator, "-S"]).arg(src).arg("-B").arg(build);
    cmake
}

fn cmake_build(_: &Path, build: &Path) -> Command {
    let mut cmake = command("cmake");
    cmake.arg("--build").arg(build).args(["--parallel", "2"]);
    cmake
}

#[test]
fn make_makes_again_what_changed() {
    let project = exact(&MAKE);
    // Here people list the interfaces.
    project.edit("Makefile", |text| text.replace("interfaces := mixer", "interfaces := mixer second"));
    gains_an_interface(&project);
    loses_an_output(&project, &MAKE);
}

#[test]
fn cmake_with_make_makes_again_what_changed() {
    let project = exact(&CMAKE_MAKE);
    gains_an_interface(&project);
    let clean = with(command("cmake"), &["--build", ".", "--target", "clean"], &project.folder()).status().unwrap();
    assert!(clean.success() && !project.folder().join(CMAKE_MAKE.header).exists());
    project.makes(&["main", "mixer_fallback"]);
}

#[test]
fn cmake_with_ninja_makes_again_what_changed() {
    let project = exact(&CMAKE_NINJA);
    gains_an_interface(&project);
    loses_an_output(&project, &CMAKE_NINJA);
}

#[test]
fn meson_makes_again_what_changed() {
    let project = exact(&MESON);
    gains_an_interface(&project);
    loses_an_output(&project, &MESON);
}

/// What a build system owes to a spec: changes are seen, also those of imports, and only they are.
fn exact(tool: &'static Tool) -> Project {
    let project = Project::new(tool);
    let (spec, import) = ("specs/mixer.cxspec", "lib/audio.cxspec");
    project.edit("lib/unused.cxspec", |_| "cxspec 1;\npackage org.example.unused;\n".to_owned());
    project.makes(&["main", "mixer_fallback"]);
    assert_eq!(project.printed(), "mix 32767\nclipped 1\n");
    let tests = ["check", "test"].map(|name| project.folder().join(name)).into_iter().find(|path| path.is_file());
    assert!(Command::new(tests.unwrap()).status().unwrap().success());

    for touched in [spec, import] {
        project.touch(&project.src().join(touched));
        project.makes(&[]);
    }
    project.edit("lib/unused.cxspec", |_| "no spec at all".to_owned());
    project.edit("README", |_| "new".to_owned());
    project.is_done();

    project.edit(spec, |text| text.replace("clipped +% 1", "clipped +% 2").replace("clips() == 1", "clips() == 2"));
    project.makes(&["main", "mixer_fallback"]);
    assert_eq!(project.printed(), "mix 32767\nclipped 2\n");
    project.edit(import, |text| text.replace("LOUDEST: s16 = 32767", "LOUDEST: s16 = 32766"));
    project.makes(&["main", "mixer_fallback"]);
    assert_eq!(project.printed(), "mix 32766\nclipped 2\n");

    // A finding stops the build each time, until it is mended.
    let good = fs::read_to_string(project.src().join(spec)).unwrap();
    project.edit(spec, |text| text.replace("return clipped;", "return cliped;"));
    project.fails_with("CX0101");
    project.fails_with("CX0101");
    project.edit(spec, |_| good);
    project.makes(&[]);

    let gone = fs::read_to_string(project.src().join(import)).unwrap();
    fs::remove_file(project.src().join(import)).unwrap();
    project.fails_with("CX0103");
    project.edit(import, |_| gone);
    project.makes(&[]);
    project
}

/// A second interface in the spec is two more files. The program uses it at once.
fn gains_an_interface(project: &Project) {
    project.edit("specs/mixer.cxspec", |text| {
        let (head, mixer) = text.split_once("/// Mixes").unwrap();
        let second = mixer.replace("Mixer", "Second").replace("short mixer", "short second").replace("+% 2", "+% 3");
        format!("{head}/// Mixes{mixer}\n/// Mixes{}", second.split("    example").next().unwrap().to_owned() + "}\n")
    });
    project.edit("main.c", |text| {
        let text = text.replace("#include \"mixer.h\"", "#include \"mixer.h\"\n#include \"second.h\"");
        text.replace("    return 0;\n}", "    return cx_soft_register(&second_soft_cxu);\n}")
    });
    project.makes(&["main", "second_fallback"]);
    assert_eq!(project.printed(), "mix 32766\nclipped 2\n");
}

/// An output that somebody deleted is made again.
fn loses_an_output(project: &Project, tool: &Tool) {
    fs::remove_file(project.folder().join(tool.header)).unwrap();
    project.makes(&["mixer_fallback"]);
}

/// Each example is a folder that can be copied, so what they share is there three times.
#[test]
fn the_examples_differ_in_the_build_alone() {
    let examples = repository().join("examples");
    for file in ["main.c", "test.c", "specs/mixer.cxspec", "lib/audio.cxspec"] {
        let read = |example: &str| fs::read_to_string(examples.join(example).join(file)).unwrap();
        assert!(read("make") == read("cmake") && read("make") == read("meson"), "{file}");
    }
}
