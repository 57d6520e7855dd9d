//! What the README tells a newcomer to type, from an empty folder on.

use std::fs;

use crate::{blocks, repository};

/// The most commands from nothing to a program that calls a command.
const MOST: usize = 5;

/// The commands that start a project for this build system and run it, where `cxc` is installed: the clone that they name is
/// the [`repository`].
///
/// # Panics
///
/// If the README has no such commands, has too many, or begins them otherwise than with a clone and an install of `cxc`.
pub fn commands(project: &str) -> Vec<String> {
    let repository = repository();
    let readme = repository.join("README.md");
    let text = fs::read_to_string(&readme).unwrap_or_else(|e| panic!("{}: {e}", readme.display()));
    let wanted = format!("--project {project}");
    let Some(block) = blocks(&text, "sh").into_iter().find(|block| block.contains(&wanted)) else {
        panic!("no {wanted}")
    };
    let lines: Vec<&str> = block.lines().map(|line| line.split(" #").next().unwrap_or_default().trim()).collect();
    assert!(lines.len() <= MOST, "{} commands: {block}", lines.len());
    let [clone, install, rest @ ..] = lines.as_slice() else { panic!("{block}") };
    assert_eq!(*clone, "git clone \"$LAPIS_CX\" lapis-cx");
    assert_eq!(*install, "cargo install --locked --path lapis-cx/lapis-cx/cli");
    let here = repository.display().to_string();
    let in_place = |line: &&str| {
        let words = line.split(' ').map(|word| match word.strip_prefix("lapis-cx/") {
            Some(path) => format!("'{here}/{path}'"),
            None if word == "lapis-cx" => format!("'{here}'"),
            None => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    rest.iter().map(in_place).collect()
}
