//! The files of a compilation: the root, what is built in, and what imports lead to.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::analyze::world::{imported_packages, package_of};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::driver as codes;
use crate::source::{SourceMap, Span};
use crate::syntax::{self, Tree};

use super::{Imports, SourceText};

/// The packages that every compilation knows, by name, shown file and text.
const BUILT_IN: [(&str, &str, &str); 2] = [
    ("cx.std", "<built in>/std.cxspec", include_str!("../../builtin/std.cxspec")),
    ("org.RiscV.Fallback", "<built in>/fallback.cxspec", include_str!("../../builtin/fallback.cxspec")),
];

/// Parses the root and every file that imports lead to, root first. Syntax errors of an imported file
/// are reported too, as what it lacks would be missed. Beside the trees: the items of the files that were not parsed, with
/// their packages.
pub(super) fn load(
    root: SourceText,
    imports: &mut dyn Imports,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Tree>, BTreeMap<String, String>) {
    let mut trees = vec![parse(root, sources, diagnostics)];
    let own = trees.first().map(package_of).unwrap_or_default();
    let mut wanted: Vec<String> = trees.iter().flat_map(imported_packages).collect();
    let mut have = HashSet::new();
    let mut search_path: Option<HashMap<String, Vec<SourceText>>> = None;
    while let Some(package) = wanted.pop() {
        if !have.insert(package.clone()) {
            continue;
        }
        let mut found = Vec::new();
        if let Some((_, name, text)) = BUILT_IN.iter().find(|(p, ..)| *p == package) {
            // The built-in file itself may be the root.
            if package != own {
                found.push(SourceText { name: (*name).to_owned(), bytes: text.as_bytes().to_vec() });
            }
        } else {
            let files = search_path.get_or_insert_with(|| by_package(imports.files()));
            found.extend(files.remove(&package).unwrap_or_default());
        }
        for file in found {
            let tree = parse(file, sources, diagnostics);
            wanted.extend(imported_packages(&tree));
            trees.push(tree);
        }
    }
    (trees, elsewhere(&have, search_path.as_ref()))
}

/// The items of built-in packages and of files on the search path that no import leads to.
fn elsewhere(have: &HashSet<String>, rest: Option<&HashMap<String, Vec<SourceText>>>) -> BTreeMap<String, String> {
    let mut items = BTreeMap::new();
    let built_in = BUILT_IN.iter().filter(|(package, ..)| !have.contains(*package));
    let built_in = built_in.map(|(package, _, text)| (*package, text.as_bytes()));
    let files = rest.into_iter().flatten().flat_map(|(package, files)| files.iter().map(move |f| (package, &f.bytes)));
    // Of two packages with an item of one name, the first by name is suggested.
    let mut files: Vec<_> = files.map(|(package, bytes)| (package.as_str(), bytes.as_slice())).collect();
    files.sort_unstable();
    for (package, bytes) in built_in.chain(files) {
        for name in item_names(bytes) {
            items.entry(name).or_insert_with(|| package.to_owned());
        }
    }
    items
}

/// The names behind `interface`, `fn` and `const` at the start of a line. It is enough for suggestions.
fn item_names(bytes: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    for line in bytes.split(|&b| b == b'\n') {
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        let mut words = line.split(|&b| !is_word(b)).filter_map(|word| std::str::from_utf8(word).ok());
        let mut first = words.next();
        while matches!(first, Some("abstract" | "draft")) {
            first = words.next();
        }
        if matches!(first, Some("interface" | "fn" | "const"))
            && let Some(name) = words.next().filter(|name| !name.is_empty())
        {
            names.push(name.to_owned());
        }
    }
    names
}

/// The files of each package, in their order. Those without a package clause are nobody's.
fn by_package(files: Vec<SourceText>) -> HashMap<String, Vec<SourceText>> {
    let mut packages: HashMap<String, Vec<SourceText>> = HashMap::new();
    for file in files {
        if let Some(package) = declared_package(&file.bytes) {
            packages.entry(package).or_default().push(file);
        }
    }
    packages
}

/// The package that the head of a file declares. Reads no more than the head.
fn declared_package(bytes: &[u8]) -> Option<String> {
    let mut rest = skip_blank(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    if let Some(edition) = rest.strip_prefix(b"cxspec") {
        let end = edition.iter().position(|&b| b == b';')?;
        rest = skip_blank(edition.get(end + 1..)?);
    }
    let mut rest = rest.strip_prefix(b"package").filter(|rest| skip_blank(rest).len() < rest.len())?;
    let mut package = String::new();
    loop {
        rest = skip_blank(rest);
        let (&byte, after) = rest.split_first()?;
        match byte {
            b';' => return Some(package),
            b'.' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => package.push(char::from(byte)),
            _ => return None,
        }
        rest = after;
    }
}

/// What comes after white space and comments.
fn skip_blank(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes.trim_ascii_start();
    loop {
        let comment = if rest.starts_with(b"//") {
            rest.iter().position(|&b| b == b'\n')
        } else if rest.starts_with(b"/*") {
            rest.windows(2).skip(2).position(|pair| pair == b"*/").map(|at| at + 4)
        } else {
            return rest;
        };
        rest = rest.get(comment.unwrap_or(rest.len())..).unwrap_or_default().trim_ascii_start();
    }
}

pub(super) fn parse(file: SourceText, sources: &mut SourceMap, diagnostics: &mut Vec<Diagnostic>) -> Tree {
    match String::from_utf8(file.bytes) {
        Ok(text) => {
            let id = sources.add(file.name, text);
            let (tree, mut found) = syntax::parse(sources, id);
            diagnostics.append(&mut found);
            tree
        }
        Err(error) => {
            // One `?` for each bad byte, so that positions in the text are those in the file.
            let mut text = String::with_capacity(error.as_bytes().len());
            for chunk in error.as_bytes().utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(chunk.invalid().iter().map(|_| '?'));
            }
            let id = sources.add(file.name, text);
            let start = error.utf8_error().valid_up_to();
            let bad = error.utf8_error().error_len().unwrap_or(error.as_bytes().len() - start);
            let span = Span { file: id, start: start as u32, end: (start + bad) as u32 };
            let label = if bad == 1 { "this byte, shown as `?`" } else { "these bytes, shown as `?`" };
            diagnostics.push(
                Diagnostic::error(&codes::NOT_UTF8, "the file is not UTF-8 text", span, label)
                    .help("save the file as UTF-8"),
            );
            Tree::unread("", id)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_names_the_package() {
        for head in [
            "cxspec 1;\npackage a.b;",
            "\u{feff}cxspec 1; package a.b; rest",
            "// one\n/* two; */ cxspec 1;\n/**/\npackage\n  a . // x\n b ;",
            "package a.b;",
        ] {
            assert_eq!(declared_package(head.as_bytes()).as_deref(), Some("a.b"), "{head}");
        }
        for head in ["", "cxspec 1", "cxspec 1; packagea.b;", "package a.b", "use a:b; package a.b;", "/* package a.b;"]
        {
            assert_eq!(declared_package(head.as_bytes()), None, "{head}");
        }
        assert_eq!(declared_package(b"package a\xff;"), None);
    }

    #[test]
    fn items_begin_lines() {
        let text = b"interface A {\n  fn no() -> u8\nabstract interface B\n// interface C\nconst D: u8\nfn e<N>(x\nfn";
        assert_eq!(item_names(text), ["A", "B", "D", "e"]);
    }

    #[test]
    fn bytes_that_are_no_text_keep_their_places() {
        for (bytes, end) in [(b"a\n\xff\xfe b".as_slice(), 3), (b"a\n\xe2\x82b", 4), (b"a\n\xf0\x9f\x98", 5)] {
            let (mut sources, mut found) = (SourceMap::new(), Vec::new());
            parse(SourceText { name: "t".to_owned(), bytes: bytes.to_vec() }, &mut sources, &mut found);
            let spans: Vec<_> = found.iter().filter_map(Diagnostic::span).map(|s| (s.start, s.end)).collect();
            assert_eq!(spans, [(2, end)]);
            let lengths: Vec<_> = sources.files().map(|(_, file)| file.text().len()).collect();
            assert_eq!(lengths, [bytes.len()]);
        }
    }
}
