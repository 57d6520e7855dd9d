//! What formatting owes to any file, and texts in layouts that nobody would choose.

use lapis_cx::format::format;
use lapis_cx::source::SourceMap;
use lapis_cx::syntax::{Kind, Tree, parse};

use crate::random_spec::dice::Dice;

/// Formats a file, and checks that nothing but blanks changed, that the result stays as it is, and that it is tidy. `None`
/// for a file with mistakes.
///
/// # Panics
///
/// If one of these does not hold.
pub fn formatted(text: &str) -> Option<String> {
    let tree = tree(text)?;
    let once = format(&tree).unwrap_or_else(|| panic!("a file without mistakes is not formatted:\n{text}"));
    let again = self::tree(&once).unwrap_or_else(|| panic!("formatted to what cannot be read:\n{text}\n====\n{once}"));
    assert_eq!(leaves(&tree), leaves(&again), "tokens or comments differ:\n{text}\n====\n{once}");
    let twice = format(&again).unwrap_or_default();
    assert!(once == twice, "formatting again changes:\n{once}\n====\n{twice}\n==== of\n{text}");
    for blank in again.root().leaves().filter(|leaf| leaf.kind() == Kind::WHITESPACE) {
        let blank = blank.text().replace("\r\n", "\n");
        let is_tidy = !blank.contains("\n\n\n") && !blank.contains(" \n") && !blank.contains('\t');
        assert!(is_tidy, "{blank:?} in\n{once}");
    }
    assert!(once.ends_with('\n') && !once.ends_with("\n\n") && !once.starts_with(['\n', ' ']), "{once}");
    Some(once)
}

/// The tree of a text without mistakes.
fn tree(text: &str) -> Option<Tree> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.cxspec", text);
    let (tree, findings) = parse(&sources, file);
    (findings.is_empty() && !tree.root().is_broken()).then_some(tree)
}

/// Kind and text of each token and comment.
fn leaves(tree: &Tree) -> Vec<(Kind, &str)> {
    let leaves = tree.root().leaves().filter(|leaf| leaf.kind() != Kind::WHITESPACE);
    // Blanks at the end of a comment are no part of what it says.
    let text =
        |kind: Kind, text| if matches!(kind, Kind::doc | Kind::comment) { str::trim_ascii_end(text) } else { text };
    leaves.map(|leaf| (leaf.kind(), text(leaf.kind(), leaf.text()))).collect()
}

/// How the gaps between the tokens of a text are filled.
#[derive(Clone, Copy, Debug)]
pub enum Gaps {
    /// With nothing where the tokens stay apart, else with a space.
    Tight,
    /// Each token has a line of its own.
    Lines,
    /// Any of blanks, line ends and comments; one gap in so many is another than it was.
    Wild(u64),
}

/// A text in another layout, comments left as they are.
///
/// # Panics
///
/// If there are mistakes in the text, or in what became of it.
pub fn relaid(text: &str, gaps: Gaps, dice: &mut Dice) -> String {
    let before = tree(text).unwrap_or_else(|| panic!("there are mistakes in\n{text}"));
    let mut out = String::with_capacity(text.len());
    let mut blank = String::new();
    let mut comments = 0;
    for leaf in before.root().leaves() {
        match leaf.kind() {
            Kind::WHITESPACE => {
                blank.push_str(leaf.text());
                continue;
            }
            Kind::comment => {
                // Behind a token on its line, or on a line of its own.
                let line = if blank.contains('\n') { "\n" } else { "  " };
                out.push_str(if out.is_empty() || out.ends_with('\n') { "" } else { line });
                out.push_str(leaf.text());
                out.push('\n');
            }
            kind => {
                let gap = match gaps {
                    Gaps::Tight => String::new(),
                    Gaps::Lines => "\n".to_owned(),
                    Gaps::Wild(one_in) if dice.one_in(one_in) => wild(dice, &mut comments),
                    Gaps::Wild(_) => blank.clone(),
                };
                if gap.trim_start_matches([' ', '\t']).is_empty() && kind == Kind::doc && !out.ends_with('\n') {
                    out.push('\n');
                } else if gap.is_empty() && touches(&out, leaf.text()) {
                    out.push(' ');
                }
                out.push_str(&gap);
                out.push_str(leaf.text());
                if kind == Kind::doc {
                    out.push('\n');
                }
            }
        }
        blank.clear();
    }
    out.push_str(&blank);
    let after = tree(&out).unwrap_or_else(|| panic!("{gaps:?} made mistakes:\n{out}"));
    let tokens = |tree: &Tree| -> Vec<String> {
        let leaves = tree.root().leaves().filter(|leaf| !leaf.is_trivia());
        leaves.map(|leaf| leaf.text().trim_ascii_end().to_owned()).collect()
    };
    assert_eq!(tokens(&before), tokens(&after), "{gaps:?}");
    out
}

fn wild(dice: &mut Dice, comments: &mut u32) -> String {
    let mut gap = String::new();
    for _ in 0..dice.between(1, 4) {
        match dice.below(8) {
            0 | 1 => gap.push('\n'),
            2 => gap.push_str("\n\n\n"),
            3 => gap.push('\t'),
            4 => gap.push_str("                 "),
            5 => {
                *comments += 1;
                gap += &format!(" // {comments}  \n");
            }
            6 => {
                *comments += 1;
                gap += &format!("\n//// {comments}\n");
            }
            _ => gap.push(' '),
        }
    }
    gap
}

/// Whether two tokens would become others without a blank between them.
fn touches(left: &str, right: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_sign = |c: char| "=<>+-*/%&|^!~.:?\"@".contains(c);
    match (left.chars().next_back(), right.chars().next()) {
        (Some(a), Some(b)) => is_word(a) && is_word(b) || is_sign(a) && is_sign(b),
        _ => false,
    }
}
