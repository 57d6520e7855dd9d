//! Types and other things that are said once for each XLEN, as one text where they agree.

use lapis_cx::contract::Section;
use lapis_cx::contract::core::Type;

/// A type with `word` or `sword` for what is as wide as a register.
fn in_words(section: &Section, of: &Type) -> String {
    let (scalar, _) = of.flattened();
    let word = match scalar {
        Type::U(n) if *n == section.xlen => "word",
        Type::S(n) if *n == section.xlen => "sword",
        _ => return of.text(section),
    };
    // The lengths of an array stand behind the type of its elements.
    let (all, scalar) = (of.text(section), scalar.text(section));
    format!("{word}{}", all.strip_prefix(&scalar).unwrap_or_default())
}

/// What is said at each XLEN.
pub type Said<T> = Vec<(u32, T)>;

/// One text for all: what is said, or with each XLEN what is said there.
pub fn one_text(said: &Said<String>) -> String {
    let groups = grouped(said);
    match groups.as_slice() {
        [(_, only)] => (*only).clone(),
        groups => {
            let each: Vec<_> = groups.iter().map(|(xlens, what)| format!("{what} at {}", at(xlens))).collect();
            each.join(", ")
        }
    }
}

/// A type at each XLEN as one text: `word` where it is a register wide at all of several.
pub fn one_type<'c>(of: impl Iterator<Item = (&'c Section, &'c Type)> + Clone) -> String {
    let said: Said<String> = of.clone().map(|(section, of)| (section.xlen, of.text(section))).collect();
    if grouped(&said).len() > 1 {
        let words: Said<String> = of.map(|(section, of)| (section.xlen, in_words(section, of))).collect();
        if grouped(&words).len() == 1 {
            return one_text(&words);
        }
    }
    one_text(&said)
}

/// What is the same stands together, with its XLENs.
pub fn grouped<T: PartialEq>(said: &[(u32, T)]) -> Vec<(Vec<u32>, &T)> {
    let mut groups: Vec<(Vec<u32>, &T)> = Vec::new();
    for (xlen, what) in said {
        match groups.iter_mut().find(|(_, known)| *known == what) {
            Some((xlens, _)) => xlens.push(*xlen),
            None => groups.push((vec![*xlen], what)),
        }
    }
    groups
}

/// XLENs in words.
pub fn at(xlens: &[u32]) -> String {
    let numbers: Vec<_> = xlens.iter().map(u32::to_string).collect();
    format!("XLEN {}", numbers.join(" and "))
}
