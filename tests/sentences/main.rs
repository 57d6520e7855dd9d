//! Which test shows which sentence of a document.
//!
//! `NAME.txt` beside this file has the sentences of a document: `12. what it says`, or `13- what it says (why nothing can
//! show it)`. A test names those that it shows in a comment right above it: `// Sentences: NAME 12, 14-16.` From both
//! comes `NAME.table`, which `BLESS=1` writes. A sentence without a test fails here, and so does a name that means nothing.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The sentences of a document by number, and whether a test must show each.
type Sentences = BTreeMap<u32, (String, bool)>;

/// Reads the sentences of a document; what is wrong with it goes to `faults`.
fn sentences(name: &str, text: &str, faults: &mut Vec<String>) -> Sentences {
    let mut all = Sentences::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = line.split_at(digits);
        let must = rest.starts_with(". ");
        let Some(said) = rest.strip_prefix(". ").or_else(|| rest.strip_prefix("- ")) else {
            faults.push(format!("{name}: neither `1. …` nor `1- …`: {line}"));
            continue;
        };
        let has_reason = said.ends_with(')') && said.contains(" (");
        if !must && !has_reason {
            faults.push(format!("{name} {number}: no reason why no test can show it"));
        }
        let next = all.len() as u32 + 1;
        if number != next.to_string() {
            faults.push(format!("{name}: {number} stands where {next} is due"));
        }
        all.insert(next, (said.to_owned(), must));
    }
    all
}

/// Numbers and ranges of them, as in `1, 3-5`.
fn numbers(list: &str) -> Option<Vec<u32>> {
    let mut all = Vec::new();
    for part in list.trim().trim_end_matches('.').split(", ") {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        (first <= last && last - first < 1000).then(|| all.extend(first..=last))?;
    }
    Some(all)
}

/// The name of the test that begins here: behind its attributes and comments, with `#[test]` among them.
fn test_below(lines: &[&str]) -> Option<String> {
    let mut is_test = false;
    for line in lines.iter().map(|line| line.trim_start()) {
        if let Some(head) = line.strip_prefix("fn ") {
            let end = head.find(['(', '<'])?;
            return is_test.then(|| head[..end].to_owned());
        }
        is_test |= line == "#[test]";
        if !line.starts_with("#[") && !line.starts_with("//") {
            return None;
        }
    }
    None
}

/// The mark of a comment that names sentences.
const MARK: &str = "// Sentences: ";

/// What shows each sentence of each document.
type Shown = BTreeMap<String, BTreeMap<u32, BTreeSet<String>>>;

/// Reads the comments of a source file.
fn marks(path: &str, text: &str, shown: &mut Shown, faults: &mut Vec<String>) {
    let lines: Vec<&str> = text.lines().collect();
    for (i, line) in lines.iter().enumerate() {
        let Some(mark) = line.trim_start().strip_prefix(MARK) else { continue };
        let place = format!("{path}:{}", i + 1);
        let Some((document, list)) = mark.split_once(' ') else {
            faults.push(format!("{place}: no numbers"));
            continue;
        };
        let Some(numbers) = numbers(list) else {
            faults.push(format!("{place}: `{list}` are no numbers, as in `1, 3-5.`"));
            continue;
        };
        let Some(test) = test_below(&lines[i + 1..]) else {
            faults.push(format!("{place}: no test below"));
            continue;
        };
        let document = shown.entry(document.to_owned()).or_default();
        for number in numbers {
            document.entry(number).or_default().insert(format!("{path}: {test}"));
        }
    }
}

/// The table of a document: each sentence with its tests.
fn table(
    name: &str,
    sentences: &Sentences,
    shown: &BTreeMap<u32, BTreeSet<String>>,
    faults: &mut Vec<String>,
) -> String {
    for number in shown.keys().filter(|number| !sentences.contains_key(number)) {
        faults.push(format!("{name}: a test names sentence {number}, which there is not"));
    }
    let mut out = String::new();
    for (number, (said, must)) in sentences {
        let tests = shown.get(number);
        match (must, tests) {
            (true, None) => faults.push(format!("{name} {number}: no test shows it: {said}")),
            (false, Some(_)) => faults.push(format!("{name} {number}: a test shows it, so it is no `{number}-`")),
            _ => {}
        }
        out += &format!("{number} {said}\n");
        tests.into_iter().flatten().for_each(|test| out += &format!("    {test}\n"));
    }
    out
}

/// All files below a folder whose names end so, without what builds leave behind.
fn files(folder: &Path, end: &str, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && name != "sentences" && !name.starts_with('.') {
            files(&path, end, into);
        } else if name.ends_with(end) {
            into.push(path);
        }
    }
}

#[test]
fn each_sentence_has_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (mut shown, mut faults, mut sources) = (Shown::new(), Vec::new(), Vec::new());
    ["lapis-cx", "backends", "tests"].iter().for_each(|folder| files(&root.join(folder), ".rs", &mut sources));
    for path in &sources {
        let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        marks(&name, &fs::read_to_string(path).unwrap(), &mut shown, &mut faults);
    }
    let mut documents = Vec::new();
    files(&root.join("tests/sentences"), ".txt", &mut documents);
    assert!(!documents.is_empty());
    for path in documents {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let sentences = sentences(&name, &fs::read_to_string(&path).unwrap(), &mut faults);
        let table = table(&name, &sentences, &shown.remove(&name).unwrap_or_default(), &mut faults);
        let path = path.with_extension("table");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &table).unwrap();
        }
        if fs::read_to_string(&path).unwrap_or_default() != table {
            faults.push(format!("{name}.table is not what the tests say; look at it, then run with BLESS=1"));
        }
    }
    faults.extend(shown.keys().map(|name| format!("a test names the document `{name}`, which there is not")));
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// What is found wrong with a document and a source.
fn wrong(document: &str, source: &str) -> Vec<String> {
    let (mut shown, mut faults) = (Shown::new(), Vec::new());
    marks("a.rs", source, &mut shown, &mut faults);
    let sentences = sentences("doc", document, &mut faults);
    table("doc", &sentences, &shown.remove("doc").unwrap_or_default(), &mut faults);
    faults
}

#[test]
fn what_is_missing_is_found() {
    let document = "# A document\n1. One.\n2- Two. (a joke)\n3. Three.\n";
    let mark = |list: &str| format!("    {MARK}doc {list}\n    /// What it does.\n    #[test]\n    fn shows() {{}}\n");
    assert_eq!(wrong(document, &mark("1, 3.")), [""; 0]);
    assert_eq!(wrong(document, &mark("1.")), ["doc 3: no test shows it: Three."]);
    assert_eq!(wrong(document, &mark("1-3.")), ["doc 2: a test shows it, so it is no `2-`"]);
    assert_eq!(wrong(document, &mark("1, 3-4.")), ["doc: a test names sentence 4, which there is not"]);
    assert_eq!(
        wrong(document, &mark("1, 3").replace("#[test]", "#[inline]")).first().unwrap(),
        "a.rs:1: no test below"
    );
    assert_eq!(wrong(document, &mark("1, x")).first().unwrap(), "a.rs:1: `1, x` are no numbers, as in `1, 3-5.`");
    assert_eq!(wrong("1. One.\n3. Three.\n", &mark("1, 2")), ["doc: 3 stands where 2 is due"]);
    assert_eq!(wrong("1. One.\n2- Two.\n", &mark("1")), ["doc 2: no reason why no test can show it"]);
    assert_eq!(wrong("1. One.\nTwo.\n", &mark("1")), ["doc: neither `1. …` nor `1- …`: Two."]);
}
