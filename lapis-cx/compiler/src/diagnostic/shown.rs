//! What all texts for people have in common: which of many findings they show, and which characters they do not.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::{Diagnostic, Severity};

/// How many findings of one compilation are usually shown.
pub const MOST_SHOWN: usize = 50;

/// The most severe of the findings and of those the first, in their order, at most `most` of them or all for 0; and how many
/// are left out.
pub fn most_severe(diagnostics: &[Diagnostic], most: usize) -> (Vec<&Diagnostic>, usize) {
    let mut chosen: Vec<(usize, &Diagnostic)> = diagnostics.iter().enumerate().collect();
    if most > 0 {
        chosen.sort_by_key(|(_, diagnostic)| Reverse(diagnostic.severity));
        chosen.truncate(most);
        chosen.sort_by_key(|(place, _)| *place);
    }
    let hidden = diagnostics.len() - chosen.len();
    (chosen.into_iter().map(|(_, diagnostic)| diagnostic).collect(), hidden)
}

/// The count of errors and warnings, such as `2 errors, 1 warning`; `None` if there are neither.
pub fn summary(diagnostics: &[Diagnostic]) -> Option<String> {
    let count = |severity, noun: &str| match diagnostics.iter().filter(|d| d.severity == severity).count() {
        0 => None,
        1 => Some(format!("1 {noun}")),
        n => Some(format!("{n} {noun}s")),
    };
    let parts: Vec<_> =
        [count(Severity::Error, "error"), count(Severity::Warning, "warning")].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// [`clean`] for text that is not source: a message, a name.
pub fn words(text: &str) -> String {
    clean(text).replace('\r', "")
}

/// Replaces what a terminal would obey, control characters and changes of writing direction, by something of the same length
/// in bytes, so that offsets stay true. Source text may come from anywhere.
pub fn clean(text: &str) -> Cow<'_, str> {
    let mut chars = text.chars().peekable();
    let mut dirty = false;
    while let Some(c) = chars.next() {
        dirty |= substitute(c, chars.peek().copied()).is_some();
    }
    if !dirty {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        out.push_str(substitute(c, chars.peek().copied()).unwrap_or(c.encode_utf8(&mut [0; 4])));
    }
    Cow::Owned(out)
}

/// What stands for a character that must not be printed.
fn substitute(c: char, next: Option<char>) -> Option<&'static str> {
    match c {
        '\n' | '\t' => None,
        '\r' if next == Some('\n') => None,
        '\0'..='\x1f' | '\x7f' => Some("?"),
        '\u{80}'..='\u{9f}' | '\u{61c}' => Some("·"),
        '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some("\u{fffd}"),
        _ => None,
    }
}
