//! The files of a compilation: the root, what is built in, and what imports lead to.

use crate::analyze::world::{imported_packages, package_of};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::driver as codes;
use crate::source::{SourceMap, Span};
use crate::syntax::{self, Tree};

use super::{Imports, SourceText};

/// The packages that every compilation knows, by name, shown file and text.
const BUILT_IN: [(&str, &str, &str); 2] = [
    ("cx.std", "<built in>/std.cxspec", include_str!("../../../../specs/std.cxspec")),
    ("org.RiscV.Fallback", "<built in>/fallback.cxspec", include_str!("../../../../specs/fallback.cxspec")),
];

/// Parses the root and every file that imports lead to, root first. Only the root's syntax errors count: those of an
/// imported file are reported too, as what it lacks would be missed.
pub(super) fn load(
    root: SourceText,
    imports: &mut dyn Imports,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Tree> {
    let mut trees = vec![parse(root, sources, diagnostics)];
    let own = trees.first().map(package_of).unwrap_or_default();
    let mut wanted: Vec<String> = trees.iter().flat_map(imported_packages).collect();
    let mut have = vec![];
    let mut search_path: Option<Vec<SourceText>> = None;
    while let Some(package) = wanted.pop() {
        if have.contains(&package) {
            continue;
        }
        have.push(package.clone());
        let mut found = Vec::new();
        if let Some((_, name, text)) = BUILT_IN.iter().find(|(p, ..)| *p == package) {
            // The built-in file itself may be the root.
            if package != own {
                found.push(SourceText { name: (*name).to_owned(), bytes: text.as_bytes().to_vec() });
            }
        } else {
            let files = search_path.get_or_insert_with(|| imports.files());
            found.extend(files.extract_if(.., |file| declares(&file.bytes, &package)));
        }
        for file in found {
            let tree = parse(file, sources, diagnostics);
            wanted.extend(imported_packages(&tree));
            trees.push(tree);
        }
    }
    trees
}

/// Whether the package clause at the head of a file names `package`. Reads no more than the head.
fn declares(bytes: &[u8], package: &str) -> bool {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines() {
        let line = line.trim();
        let Some(rest) = line.strip_prefix("package").filter(|r| r.starts_with(char::is_whitespace)) else {
            if line.is_empty() || line.starts_with("//") || line.starts_with("cxspec") {
                // `cxspec 1; package a.b;` on one line.
                if let Some((_, rest)) = line.split_once("package ").filter(|_| line.starts_with("cxspec")) {
                    return clause_names(rest, package);
                }
                continue;
            }
            return false;
        };
        return clause_names(rest, package);
    }
    false
}

fn clause_names(rest: &str, package: &str) -> bool {
    let dotted: String = rest.split(';').next().unwrap_or_default().split_whitespace().collect();
    dotted == package
}

fn parse(file: SourceText, sources: &mut SourceMap, diagnostics: &mut Vec<Diagnostic>) -> Tree {
    match String::from_utf8(file.bytes) {
        Ok(text) => {
            let id = sources.add(file.name, text);
            let (tree, mut found) = syntax::parse(sources, id);
            diagnostics.append(&mut found);
            tree
        }
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let id = sources.add(file.name, text);
            // The replacement character stands where the first bad byte was.
            let span = Span { file: id, start: valid as u32, end: valid as u32 + 3 };
            diagnostics.push(
                Diagnostic::error(&codes::NOT_UTF8, "the file is not UTF-8 text", span, "this byte")
                    .help("save the file as UTF-8"),
            );
            Tree::unread("", id)
        }
    }
}
