//! Tokens become text: where blanks, comments and line ends go.

use super::super::dice::Dice;
use super::Layout;

pub(super) enum Token {
    Text(String),
    Doc(String),
    Break,
}

pub(super) fn join(tokens: &[Token], layout: Layout) -> String {
    let mut out = String::new();
    let mut depth = 0usize;
    let mut fresh = true;
    let mut dice = Dice::seeded(match layout {
        Layout::Wild(seed) => seed,
        _ => 0,
    });
    for token in tokens {
        match token {
            Token::Doc(text) => {
                if !out.is_empty() && !out.ends_with('\n') {
                    out.push('\n');
                }
                out.push_str(text);
                out.push('\n');
                fresh = true;
            }
            Token::Break if layout == Layout::Plain => {
                out.push('\n');
                fresh = true;
            }
            Token::Break => {}
            Token::Text(text) => {
                depth = depth.saturating_sub(usize::from(text == "}"));
                match layout {
                    Layout::Plain if fresh => out.push_str(&"    ".repeat(depth)),
                    Layout::Plain => {
                        if !(text == ";" || text == ",") {
                            out.push(' ');
                        }
                    }
                    Layout::Tight => {
                        if touches(&out, text) {
                            out.push(' ');
                        }
                    }
                    Layout::Wild(_) => trivia(&mut out, &mut dice),
                }
                out.push_str(text);
                depth += usize::from(text == "{");
                fresh = false;
            }
        }
    }
    out.push('\n');
    out
}

/// Whether two tokens would be read as one.
fn touches(before: &str, next: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_sign = |c: char| "+-*/%&|^<>=!~.:@?".contains(c);
    let (Some(a), Some(b)) = (before.chars().next_back(), next.chars().next()) else { return false };
    is_word(a) && is_word(b) || is_sign(a) && is_sign(b)
}

fn trivia(out: &mut String, dice: &mut Dice) {
    out.push_str(match dice.below(12) {
        0 => "\n",
        1 => "\t \n\n",
        2 => " // a comment } ; \" /* ///\n",
        3 => " //\n",
        4 => "\r\n",
        5 => " //// four\n  ",
        _ => " ",
    });
}
