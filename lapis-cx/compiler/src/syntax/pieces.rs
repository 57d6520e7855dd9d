//! Runs the grammar on one item after the other, and within interfaces and libraries on one member after the other.
//!
//! This is what the rule `file` says as a whole. But pest keeps 80 bytes for each rule that it has matched until all of the
//! text is read, so the tokens of a large file would go through memory, where those of a member stay in the cache. A rule
//! sees nothing of what stands before it, and all of what follows, so the pieces are the same.

use pest::Parser;
use pest::iterators::Pairs;

use super::build::Builder;
use super::grammar::{Grammar, Rule};

/// Gives all of `text`, whose comments are blanks, to `builder`.
///
/// # Errors
/// The byte from which no rule goes on. `file` takes any text, so that is a fault of the grammar.
pub(super) fn read(text: &str, builder: &mut Builder<'_>) -> Result<(), usize> {
    let mut reader = Reader { text, at: 0, builder };
    reader.builder.start(Rule::file, 0);
    reader.move_to(if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 });
    while !reader.rest().is_empty() {
        if !reader.list() && reader.take(Rule::file_step).is_none() {
            return Err(reader.at);
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

    /// Reads a rule, and says what its last node is, if it has any.
    fn take(&mut self, rule: Rule) -> Option<Rule> {
        Grammar::parse(rule, self.rest()).ok().and_then(|pairs| self.add(&pairs))
    }

    /// Goes on behind what a rule has read.
    fn add(&mut self, pairs: &Pairs<'_, Rule>) -> Option<Rule> {
        let last = pairs.clone().next_back()?;
        self.builder.add(pairs, self.at);
        self.move_to(self.at + last.as_span().end());
        Some(last.as_rule())
    }

    /// Reads an interface or library, if one begins here.
    fn list(&mut self) -> bool {
        let docs = behind_docs(self.rest());
        let rest = self.rest().get(docs..).unwrap_or_default();
        if !["interface", "draft", "abstract", "library"].iter().any(|word| rest.starts_with(word)) {
            return false;
        }
        let Ok(start) = Grammar::parse(Rule::list_start, rest) else { return false };
        let keyword = start.clone().map(|pair| pair.as_rule()).find(|rule| *rule != Rule::modifier);
        let (node, piece) = match keyword {
            Some(Rule::kw_interface) => (Rule::interface, Rule::interface_piece),
            Some(Rule::kw_library) => (Rule::library, Rule::part_piece),
            _ => return false,
        };
        if docs > 0 {
            self.take(Rule::docs);
        }
        self.builder.start(node, self.at as u32);
        self.add(&start);
        while self.take(piece).is_some_and(|last| !matches!(last, Rule::rbrace | Rule::unclosed)) {}
        self.builder.end(node, self.at as u32);
        true
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
        whole.add(&Grammar::parse(Rule::file, &blanked).unwrap(), 0);
        let mut pieces = Builder::new(text, file, &[]);
        read(&blanked, &mut pieces).unwrap();
        let (whole, pieces) = (whole.finish(), pieces.finish());
        assert_eq!(whole.node_count(), pieces.node_count(), "{text}");
        let nodes = |tree: &super::super::Tree| format!("{:?}", tree.root().descendants(|_| true).collect::<Vec<_>>());
        assert_eq!(nodes(&whole), nodes(&pieces), "{text}");
    }

    /// Every shipped spec, and each of them without one of its tokens or with one twice.
    #[test]
    fn pieces_are_the_whole() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../specs");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != "cxspec") {
                continue;
            }
            let text = std::fs::read_to_string(path).unwrap();
            both(&text);
            both(&format!("\u{feff}  {text}"));
            let words = text.char_indices().filter(|(_, c)| !c.is_alphanumeric() && !c.is_whitespace());
            // Some dozens of places in each file.
            let places: Vec<usize> = words.map(|(at, _)| at).step_by(text.len() / 100 + 1).collect();
            for at in places {
                let (before, after) = text.split_at(at);
                let mut rest = after.chars();
                let token = rest.next().unwrap();
                both(&format!("{before}{}", rest.as_str()));
                both(&format!("{before}{token}{after}"));
                both(before);
            }
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
