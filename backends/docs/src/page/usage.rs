//! How programs use an interface, in each language that has a way.

use lapis_cx::backend::{Snippet, Usage};

use super::docs;
use super::interface::{Of, part};
use crate::document::{Block, Code, code, text};

/// Whole programs.
pub fn programs(of: &Of<'_>) -> Option<Block> {
    let choice = |usage: &Usage| (usage.language.to_owned(), Code::plain(usage.syntax, usage.program.as_str()));
    let choices: Vec<_> = of.usages.iter().map(choice).collect();
    if choices.is_empty() {
        return None;
    }
    let mut blocks = vec![Block::Choice(choices)];
    for usage in &of.usages {
        let mut said = vec![text(format!("{} needs ", usage.language))];
        for (at, file) in usage.files.iter().enumerate() {
            said.extend((at > 0).then(|| text(" and ")));
            said.push(code(file));
        }
        said.push(text(", which "));
        said.extend([code("cxc build"), text(" writes.")]);
        blocks.push(Block::Text(said));
        blocks.extend(docs(&usage.note));
    }
    part("use", "Use", blocks)
}

/// What issues a command.
pub fn calls(of: &Of<'_>, name: &str) -> Option<Block> {
    snippets(of, name, |usage| &usage.commands)
}

/// What accesses a CSR.
pub fn accesses(of: &Of<'_>, name: &str) -> Option<Block> {
    snippets(of, name, |usage| &usage.csrs)
}

fn snippets(of: &Of<'_>, name: &str, which: impl Fn(&Usage) -> &[Snippet]) -> Option<Block> {
    let choices: Vec<_> = of
        .usages
        .iter()
        .filter_map(|usage| {
            let lines: String = which(usage)
                .iter()
                .filter(|snippet| snippet.name == name)
                .map(|snippet| snippet.code.as_str())
                .collect();
            (!lines.is_empty()).then(|| (usage.language.to_owned(), Code::plain(usage.syntax, lines)))
        })
        .collect();
    (!choices.is_empty()).then_some(Block::Choice(choices))
}
