//! Runs the grammar on one item after the other, and within interfaces and libraries on one member after the other.
//!
//! This is what the rule `file` says as a whole of what follows a byte order mark. But pest keeps 80 bytes for each rule that
//! it has matched until all of the text is read, so the tokens of a large file would go through memory, where those of a
//! member stay in the cache. A rule sees nothing of what stands before it, and all of what follows, so the pieces are the same.

use lapis_cx_grammar::{Grammar, Rule};
use pest::Parser;
use pest::iterators::Pairs;

use super::build::Builder;

/// Gives all of `text`, whose comments are blanks, to `builder`.
///
/// # Errors
/// The byte from which no rule goes on. The rules of pieces take any text, so that is a fault of the grammar.
pub(super) fn read(text: &str, builder: &mut Builder<'_>) -> Result<(), usize> {
    let mut reader = Reader { text, at: 0, builder };
    reader.builder.start(Rule::file, 0);
    reader.move_to(if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 });
    while !reader.rest().is_empty() {
        if !reader.list()? {
            reader.take(Rule::file_step)?;
        }
    }
    reader.builder.end(Rule::file, text.len() as u32);
    Ok(())
}

const BYTE_ORDER_MARK: char = '\u{feff}';

struct Reader<'t, 'b, 'f> {
    text: &'t str,
    /// Up to here it is read; no blank follows.
    at: usize,
    builder: &'b mut Builder<'f>,
}

impl<'t> Reader<'t, '_, '_> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes on at a byte, behind the blanks that stand there.
    fn move_to(&mut self, at: usize) {
        self.at = self.text.len() - behind_blanks(self.text.get(at..).unwrap_or_default()).len();
    }

    /// Reads a rule, and says what its last node is.
    fn take(&mut self, rule: Rule) -> Result<Rule, usize> {
        let pairs = self.parse(rule, self.rest())?;
        self.add(&pairs)
    }

    fn parse(&self, rule: Rule, text: &'t str) -> Result<Pairs<'t, Rule>, usize> {
        Grammar::parse(rule, text).map_err(|_| self.at)
    }

    /// Goes on behind what a rule has read.
    fn add(&mut self, pairs: &Pairs<'_, Rule>) -> Result<Rule, usize> {
        let last = pairs.clone().next_back().ok_or(self.at)?;
        self.builder.add(pairs, self.at);
        self.move_to(self.at + last.as_span().end());
        Ok(last.as_rule())
    }

    /// Reads an interface or library, if one begins here.
    fn list(&mut self) -> Result<bool, usize> {
        let docs = behind_docs(self.rest());
        let rest = self.rest().get(docs..).unwrap_or_default();
        if !["interface", "draft", "abstract", "library"].iter().any(|word| rest.starts_with(word)) {
            return Ok(false);
        }
        let start = self.parse(Rule::list_start, rest)?;
        let keyword = start.clone().map(|pair| pair.as_rule()).find(|rule| *rule != Rule::modifier);
        let (node, piece) = match keyword {
            Some(Rule::kw_interface) => (Rule::interface, Rule::interface_piece),
            Some(Rule::kw_library) => (Rule::library, Rule::part_piece),
            _ => return Ok(false),
        };
        if docs > 0 {
            self.take(Rule::docs)?;
        }
        self.builder.start(node, self.at as u32);
        self.add(&start)?;
        while !matches!(self.take(piece)?, Rule::rbrace | Rule::unclosed) {}
        self.builder.end(node, self.at as u32);
        Ok(true)
    }
}

/// The first byte behind the documentation at the beginning of `text`, and behind the blanks there.
fn behind_docs(text: &str) -> usize {
    let mut rest = text;
    while rest.starts_with("///") {
        rest = behind_blanks(rest.get(rest.find('\n').unwrap_or(rest.len())..).unwrap_or_default());
    }
    text.len() - rest.len()
}

/// What follows the blanks at the beginning of `text`, which are those of `WHITESPACE`.
fn behind_blanks(text: &str) -> &str {
    text.trim_start_matches(|c| matches!(c, '\t'..=' '))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::lexical;
    use super::*;
    use crate::source::FileId;

    /// A text as one piece and as pieces.
    fn both(text: &str) {
        let file = FileId::default();
        let lexical = lexical::scan(text, file);
        if lexical.fatal {
            return;
        }
        let blanked = lexical.blanked(text);
        let mut whole = Builder::new(text, file, &[]);
        let marked = text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len();
        assert!(marked <= BYTE_ORDER_MARK.len_utf8(), "more than one is a mistake");
        whole.add(&Grammar::parse(Rule::file, &blanked[marked..]).unwrap(), marked);
        let mut pieces = Builder::new(text, file, &[]);
        read(&blanked, &mut pieces).unwrap();
        let (whole, pieces) = (whole.finish(), pieces.finish());
        assert_eq!(whole.node_count(), pieces.node_count(), "{text}");
        let nodes = |tree: &super::super::Tree| {
            let nodes = tree.root().descendants(|_| true).map(|node| (node.kind(), node.span(), node.is_broken()));
            format!("{:?}", nodes.collect::<Vec<_>>())
        };
        assert_eq!(nodes(&whole), nodes(&pieces), "{text}");
    }

    /// The specs below a folder of the repository.
    fn specs(folder: &str) -> Vec<String> {
        let folder = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
        let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let specs = paths.filter(|path| path.extension().is_some_and(|e| e == "cxspec"));
        let texts: Vec<String> = specs.filter_map(|path| std::fs::read_to_string(path).ok()).collect();
        assert!(!texts.is_empty());
        texts
    }

    /// Every shipped spec, and each of them up to one of its signs, without it, and with it twice.
    #[test]
    fn pieces_are_the_whole() {
        for text in specs("../../specs") {
            both(&text);
            both(&format!("\u{feff}  {text}"));
            let signs = text.char_indices().filter(|(_, c)| !c.is_alphanumeric() && !c.is_whitespace());
            // Some dozens of places in each file.
            let places: Vec<usize> = signs.map(|(at, _)| at).step_by(text.len() / 100 + 1).collect();
            for at in places {
                let (before, after) = text.split_at(at);
                let mut rest = after.chars();
                let sign = rest.next().unwrap();
                both(&format!("{before}{}", rest.as_str()));
                both(&format!("{before}{sign}{after}"));
                both(before);
            }
        }
    }

    /// What has mistakes of every kind.
    #[test]
    fn pieces_of_broken_text_are_the_whole() {
        for text in specs("tests/cases/bad").iter().chain(&specs("tests/cases/ok")) {
            both(text);
        }
    }

    #[test]
    fn texts_without_items_are_read() {
        for text in [
            "",
            " ",
            "\u{feff}",
            "}",
            "interface",
            "library X",
            "/// A.\n",
            "/// A.\ninterface",
            "interface X {",
            "draft",
        ] {
            both(text);
        }
    }
}
