//! The layers of the crate depend on each other in one direction only, and no file depends on itself through others.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Layers from the lowest to the highest. A layer is the files and folders of `src` that it lists; code of a layer may name its own layer and
/// lower ones. A file of `src` that no layer lists belongs to the highest layer.
const LAYERS: [(&str, &[&str]); 6] = [
    ("transport", &["transport"]),
    ("protocol", &["protocol", "plan"]),
    ("marshal", &["marshal"]),
    ("call", &["call"]),
    ("observers", &["shadow"]),
    ("interfaces", &[]),
];

/// Returns the rank of the layer that `path`, relative to `src`, belongs to.
fn rank(path: &str) -> usize {
    let listed = |(_, paths): &(&str, &[&str])| {
        paths.iter().any(|one| path.strip_prefix(one).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    };
    LAYERS.iter().position(listed).unwrap_or(LAYERS.len() - 1)
}

/// Returns the paths that the code of `text` names below `crate::` or, from the module `own`, `super::`. `crate::a::{b, c::d}` gives `a/b`
/// and `a/c/d`.
fn named_paths(own: &str, text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String =
        text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code)).collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            // Skip a match inside another path, such as `my_crate::` or `super::super::`.
            if code[..at].ends_with(|before: char| before.is_alphanumeric() || "_:".contains(before)) {
                continue;
            }
            let (mut rest, mut parent) = (&code[at..], own);
            while let Some(inner) = rest.strip_prefix("super::") {
                (rest, parent) = (inner, parent.rsplit_once('/').map_or("", |(parent, _)| parent));
            }
            let prefix = if start == "crate::" { "" } else { parent };
            expand(rest.strip_prefix("crate::").unwrap_or(rest), prefix, &mut found);
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

/// Returns each name that `lib.rs` re-exports, with its path below `src`.
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

/// Returns the modules of the crate, each with the modules that its code names.
fn modules() -> BTreeMap<String, BTreeSet<String>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let exported = re_exports(&fs::read_to_string(source.join("lib.rs")).unwrap());
    let mut files = Vec::new();
    sources(&source, &mut files);
    let name_of = |file: &Path| {
        let name = file.strip_prefix(&source).unwrap().with_extension("");
        name.to_str().unwrap().trim_end_matches("/mod").to_owned()
    };
    let all: BTreeMap<String, String> = files
        .iter()
        .map(|file| (name_of(file), fs::read_to_string(file).unwrap()))
        .filter(|(name, _)| name != "lib")
        .collect();
    let module_of = |path: &str| {
        let (first, rest) = path.split_once('/').unwrap_or((path, ""));
        let path = match exported.iter().find(|(alias, _)| alias == first) {
            Some((_, target)) => format!("{target}/{rest}"),
            None => path.to_owned(),
        };
        let mut part = path.as_str();
        loop {
            match (all.contains_key(part), part.rsplit_once('/')) {
                (true, _) => return Some(part.to_owned()),
                (false, Some((parent, _))) => part = parent,
                (false, None) => return None,
            }
        }
    };
    let uses = |(name, text): (&String, &String)| {
        let named =
            named_paths(name, text).into_iter().filter_map(|path| module_of(&path)).filter(|other| other != name);
        (name.clone(), named.collect())
    };
    all.iter().map(uses).collect()
}

/// Returns each use of a higher layer by a lower layer.
fn violations(modules: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let pairs = modules.iter().flat_map(|(name, used)| used.iter().map(move |other| (name, other)));
    let upwards = pairs.filter(|(name, other)| rank(other) > rank(name));
    let layer = |name: &str| LAYERS[rank(name)].0;
    upwards
        .map(|(name, other)| format!("{name} (layer {}) uses {other} (layer {})", layer(name), layer(other)))
        .collect()
}

/// Removes modules that use no remaining module, until none is left to remove. The remaining modules are in circles, or use such modules.
fn circles(mut modules: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let left: BTreeSet<String> = modules.keys().cloned().collect();
        modules.values_mut().for_each(|used| used.retain(|other| left.contains(other)));
        let count = modules.len();
        modules.retain(|_, used| !used.is_empty());
        if modules.len() == count {
            return modules;
        }
    }
}

#[test]
fn layers_depend_only_on_lower_layers() {
    let violations = violations(&modules());
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn modules_have_no_import_circles() {
    let circles = circles(modules());
    assert!(circles.is_empty(), "these modules are in circles, or use such modules: {circles:#?}");
}

#[test]
fn layer_check_finds_nested_renamed_relative_and_inline_paths() {
    let text = "use crate::{a::{b, c::d as e}, f};\nfn g() { crate::h::i(); } // crate::j\nmy_crate::k(); super::super::m::n();";
    assert_eq!(named_paths("x/y/z", text), ["a/b", "a/c/d", "f", "h/i", "x/m/n"]);
    assert_eq!(re_exports("pub use x::{y as z, w};"), [("z".into(), "x/y".into()), ("w".into(), "x/w".into())]);
    assert!(rank("transport/wait") < rank("call/guest"));
    let of = |name: &str, used: &[&str]| (name.to_owned(), used.iter().map(|one| (*one).to_owned()).collect());
    let modules = BTreeMap::from([of("call/a", &["call/b"]), of("call/b", &["call/a", "shadow"]), of("shadow", &[])]);
    assert_eq!(violations(&modules), ["call/b (layer call) uses shadow (layer observers)"]);
    assert_eq!(circles(modules).into_keys().collect::<Vec<_>>(), ["call/a", "call/b"]);
}
