//! The layers of the crate depend on each other in one direction only.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

/// Layers from the lowest to the highest. A layer is the files and folders of `src` that it lists; code of a layer may name its own layer and
/// lower ones. A file of `src` that no layer lists belongs to the highest layer.
const LAYERS: [(&str, &[&str]); 2] = [("transport", &["transport"]), ("call", &[])];

/// The rank of the layer that `path`, relative to `src`, belongs to.
fn rank(path: &str) -> usize {
    let listed = |(_, paths): &(&str, &[&str])| {
        paths.iter().any(|one| {
            path.strip_prefix(one).is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || rest == ".rs")
        })
    };
    LAYERS.iter().position(listed).unwrap_or(LAYERS.len() - 1)
}

/// Paths below `crate::` that `text` names in code: `crate::a::{b, c::d}` gives `a/b` and `a/c/d`.
fn crate_paths(text: &str) -> Vec<String> {
    let code: String =
        text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code)).collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        // Not the end of another name, such as `my_crate::`.
        if !code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_') {
            expand(&code[at + "crate::".len()..], "", &mut found);
        }
    }
    found
}

/// Appends the paths that begin at the start of `text`, and returns what follows them.
fn expand<'a>(text: &'a str, prefix: &str, found: &mut Vec<String>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = expand(rest, prefix, found).trim_start();
            if let Some(next) = rest.strip_prefix(',') {
                rest = next.trim_start();
            }
            if let Some(after) = rest.strip_prefix('}') {
                return after;
            }
            if rest.is_empty() || rest.starts_with(|first: char| !first.is_alphanumeric() && !"_{*".contains(first)) {
                return rest;
            }
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '*').unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    let path = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") };
    if let Some(next) = rest.strip_prefix("::") {
        return expand(next, &path, found);
    }
    if let Some((_, after)) = rest.strip_prefix(" as ").and_then(|alias| {
        alias.split_once(|c: char| !c.is_alphanumeric() && c != '_').map(|(name, _)| (name, &alias[name.len()..]))
    }) {
        rest = after;
    }
    found.push(path);
    rest
}

fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// What each name at the top of the crate stands for, where `lib.rs` re-exports it: a path below `src`.
fn re_exports(root: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let code = root.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join(" ");
    for statement in code.split(';') {
        let Some((_, path)) = statement.split_once("use ") else { continue };
        let mut paths = Vec::new();
        expand(path, "", &mut paths);
        let aliases = statement.split(',').filter_map(|one| {
            let (name, alias) = one.split_once(" as ")?;
            let name = name.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?;
            Some((alias.trim_matches(|c: char| !c.is_alphanumeric() && c != '_').to_owned(), name.to_owned()))
        });
        let aliases: Vec<_> = aliases.collect();
        for path in paths {
            let name = path.rsplit('/').next().unwrap_or_default();
            let alias = aliases.iter().find(|(_, of)| of == name).map_or(name, |(alias, _)| alias);
            found.push((alias.to_owned(), path.clone()));
        }
    }
    found
}

/// Each `crate::` path of a layer that names a higher layer.
fn violations() -> Vec<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let exported = re_exports(&fs::read_to_string(source.join("lib.rs")).unwrap());
    let mut files = Vec::new();
    sources(&source, &mut files);
    let mut violations = Vec::new();
    for file in files {
        let name = file.strip_prefix(&source).unwrap().to_str().unwrap().to_owned();
        if name == "lib.rs" {
            continue;
        }
        let own = rank(&name);
        for path in crate_paths(&fs::read_to_string(&file).unwrap()) {
            let first = path.split('/').next().unwrap_or_default();
            let target = exported.iter().find(|(alias, _)| alias == first).map_or(path.as_str(), |(_, path)| path);
            if rank(target) > own {
                violations.push(format!(
                    "{name} (layer {}) uses crate::{} (layer {})",
                    LAYERS[own].0,
                    path.replace('/', "::"),
                    LAYERS[rank(target)].0
                ));
            }
        }
    }
    violations
}

#[test]
fn layers_depend_only_on_lower_layers() {
    let violations = violations();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn layer_check_finds_nested_renamed_and_inline_paths() {
    let text = "use crate::{a::{b, c::d as e}, f};\nfn g() { crate::h::i(); } // crate::j\nmy_crate::k();";
    assert_eq!(crate_paths(text), ["a/b", "a/c/d", "f", "h/i"]);
    assert_eq!(re_exports("pub use x::{y as z, w};"), [("z".into(), "x/y".into()), ("w".into(), "x/w".into())]);
    assert!(rank("transport/wait.rs") < rank("engine/guest.rs"));
}
