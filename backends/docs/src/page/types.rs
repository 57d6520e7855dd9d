//! Types and other things that are said once for each XLEN, as one text where they agree.

use lapis_cx::contract::Section;
use lapis_cx::contract::core::Type;

/// A type as the source writes it.
pub fn ty(section: &Section, of: &Type) -> String {
    written(section, of, false)
}

/// A type; `word` for what is as wide as a register, if that is asked for.
fn written(section: &Section, of: &Type, words: bool) -> String {
    match of {
        Type::Bool => "bool".into(),
        Type::U(n) if words && *n == section.xlen => "word".into(),
        Type::S(n) if words && *n == section.xlen => "sword".into(),
        Type::U(n) => format!("u{n}"),
        Type::S(n) => format!("s{n}"),
        Type::Enum { id, width } => {
            section.enums.get(id.index()).map_or_else(|| format!("u{width}"), |def| def.name.clone())
        }
        Type::Array { .. } => {
            // `s8[4][256]` is four arrays of 256: the outer length comes first.
            let (mut lengths, mut inner) = (String::new(), of);
            while let Type::Array { len, elem } = inner {
                lengths += &format!("[{len}]");
                inner = elem;
            }
            written(section, inner, words) + &lengths
        }
    }
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
    let said: Said<String> = of.clone().map(|(section, of)| (section.xlen, ty(section, of))).collect();
    if grouped(&said).len() > 1 {
        let words: Said<String> = of.map(|(section, of)| (section.xlen, written(section, of, true))).collect();
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
