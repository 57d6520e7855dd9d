//! Writing `contract` lines into the text of a file, and changing nothing else of it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::contract::Contract;
use crate::contract::frozen::Frozen;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::contract::CHANGED;
use crate::syntax::{Kind, Node, Tree};

/// The string of the `contract` line of each interface that can have one, by name.
pub fn lines(contract: &Contract) -> BTreeMap<String, String> {
    let concrete = contract.interfaces().filter(|interface| !interface.is_abstract);
    concrete.map(|interface| (interface.name.clone(), Frozen::new(interface).to_string())).collect()
}

/// The text of the file with its `contract` lines: one is added after a literal `uuid`, unless the interface is a
/// draft; one that holds the same hash gets the digests of today; all other bytes stay. Freezing twice is freezing
/// once.
///
/// # Errors
///
/// One finding for each line that holds another hash: such a line is never overwritten.
pub fn freeze(tree: &Tree, lines: &BTreeMap<String, String>) -> Result<String, Vec<Diagnostic>> {
    let mut edits = Vec::new();
    let mut refused = Vec::new();
    for interface in tree.root().children_of(Kind::interface) {
        let name = interface.name().text();
        let Some(line) = lines.get(name) else { continue };
        match interface.child(Kind::contract_clause) {
            Some(clause) => match replace(clause, line) {
                Ok(edit) => edits.extend(edit),
                Err(()) => refused.push(
                    Diagnostic::error(
                        &CHANGED,
                        format!("`{name}` is frozen with another contract, and stays so"),
                        clause.span(),
                        format!("now {}", hash(line)),
                    )
                    .help("give the interface a new UUID, delete this line, and freeze again; or undo the change"),
                ),
            },
            None => edits.extend(insert(tree.text(), interface, line)),
        }
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    let mut text = String::with_capacity(tree.text().len() + 256);
    let mut done = 0;
    for (range, new) in edits {
        text.push_str(tree.text().get(done..range.start).unwrap_or_default());
        text.push_str(&new);
        done = range.end;
    }
    text.push_str(tree.text().get(done..).unwrap_or_default());
    Ok(text)
}

type Edit = (Range<usize>, String);

/// What stands before the digests of the parts.
fn hash(line: &str) -> &str {
    line.split(';').next().unwrap_or(line)
}

/// The edit that brings a line up to date, if it needs one; an error if it holds another hash.
fn replace(clause: Node<'_>, line: &str) -> Result<Option<Edit>, ()> {
    let string = clause.child(Kind::string).ok_or(())?;
    let old = string.text().trim_matches('"');
    if hash(old) != hash(line) {
        return Err(());
    }
    let Range { start, end } = string.span().start as usize..string.span().end as usize;
    Ok((old != line).then(|| (start..end, format!("\"{line}\""))))
}

/// The edit that adds a line after a literal `uuid`. It gets a line of its own if the clause has one.
fn insert(text: &str, interface: Node<'_>, line: &str) -> Option<Edit> {
    let clause = interface.child(Kind::uuid_clause)?;
    let is_draft = interface.children_of(Kind::modifier).any(|modifier| modifier.has(Kind::kw_draft));
    if is_draft || !clause.has(Kind::string) {
        return None;
    }
    let (start, end) = (clause.span().start as usize, clause.span().end as usize);
    let before = text.get(..start)?;
    let indent = before.get(before.rfind('\n').map_or(0, |at| at + 1)..)?;
    let rest = text.get(end..)?.split_inclusive('\n').next().unwrap_or_default();
    let comment = rest.trim();
    let is_alone = comment.is_empty() || comment.starts_with("//") && !comment.starts_with("///");
    if !is_alone || !rest.ends_with('\n') || !indent.trim().is_empty() {
        return Some((end..end, format!(" contract \"{line}\";")));
    }
    let line_end = if rest.ends_with("\r\n") { "\r\n" } else { "\n" };
    let at = end + rest.len();
    Some((at..at, format!("{indent}contract \"{line}\";{line_end}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::diagnostic::catalogue::syntax::HEADER;
    use crate::source::SourceMap;
    use crate::syntax;

    const HASH: &str = "cx1:sha256:0123";
    const LINE: &str = "cx1:sha256:0123;xlen=32";

    fn freeze(text: &str) -> Result<String, Vec<Diagnostic>> {
        let mut sources = SourceMap::new();
        let file = sources.add("t.cxspec", text);
        let (tree, found) = syntax::parse(&sources, file);
        // These texts leave the header out: freezing looks at interfaces only.
        assert!(found.iter().all(|d| d.code == HEADER.code), "{text}\n{found:?}");
        super::freeze(&tree, &["A", "B"].map(|name| (name.to_owned(), LINE.to_owned())).into())
    }

    /// Checks the outcome, and that freezing again changes nothing.
    fn check(before: &str, after: &str) {
        let frozen = freeze(before).unwrap();
        assert_eq!(frozen, after.replace("$", &format!("contract \"{LINE}\";")));
        assert_eq!(freeze(&frozen).unwrap(), frozen);
    }

    #[test]
    fn a_line_is_added_after_the_uuid_and_nothing_else_changes() {
        check(
            "cxspec 1;\npackage a.b;\n\n  interface A {\n\txlen 32;\n\tuuid   \"u\";  // why\n    // contract \"x\";\n  }\n",
            "cxspec 1;\npackage a.b;\n\n  interface A {\n\txlen 32;\n\tuuid   \"u\";  // why\n\t$\n    // contract \"x\";\n  }\n",
        );
    }

    #[test]
    fn line_ends_and_missing_lines_are_respected() {
        check("interface A {\r\n  uuid \"u\";\r\n}\r\n", "interface A {\r\n  uuid \"u\";\r\n  $\r\n}\r\n");
        check("interface A { uuid \"u\"; }", "interface A { uuid \"u\"; $ }");
        check("interface A {\n  uuid \"u\"; xlen 32;\n}", "interface A {\n  uuid \"u\"; $ xlen 32;\n}");
        check("interface A { uuid \"u\";\n}", "interface A { uuid \"u\"; $\n}");
    }

    #[test]
    fn documentation_keeps_its_declaration() {
        let text = "interface A {\n  uuid \"u\"; /// doc\n  const X = 1;\n}\n";
        check(text, "interface A {\n  uuid \"u\"; $ /// doc\n  const X = 1;\n}\n");
    }

    #[test]
    fn only_literal_uuids_of_finished_interfaces_are_frozen() {
        for text in [
            "draft interface A {\n  uuid \"u\";\n}\n",
            "interface A {\n  uuid auto;\n}\n",
            "interface A {\n  xlen 32;\n}\n",
            "interface Unknown {\n  uuid \"u\";\n}\n",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn a_line_of_the_same_hash_is_completed() {
        for uuid in ["uuid \"u\"", "uuid auto"] {
            let text = |line: &str| format!("interface A {{\n  contract  \"{line}\" ; // c\n  {uuid};\n}}\n");
            assert_eq!(freeze(&text(HASH)).unwrap(), text(LINE));
            assert_eq!(freeze(&text(&format!("{HASH};cmd0=00"))).unwrap(), text(LINE));
            assert_eq!(freeze(&text(LINE)).unwrap(), text(LINE));
        }
    }

    #[test]
    fn several_interfaces_are_frozen_in_one_go() {
        check(
            "interface A {\n  uuid \"u\";\n}\ninterface B {\n  uuid \"v\";\n}\n",
            "interface A {\n  uuid \"u\";\n  $\n}\ninterface B {\n  uuid \"v\";\n  $\n}\n",
        );
    }

    #[test]
    fn another_hash_is_never_overwritten() {
        for other in ["cx1:sha256:0124;xlen=32", "cx1:sha256:01", "", "x"] {
            let text =
                format!("interface A {{\n  uuid \"u\";\n  contract \"{other}\";\n}}\ninterface B {{ uuid \"v\"; }}\n");
            let found = freeze(&text).unwrap_err();
            assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), [Code(501)]);
            assert!(found[0].help.as_ref().unwrap().contains("new UUID"));
        }
    }
}
