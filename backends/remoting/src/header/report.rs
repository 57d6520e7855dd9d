//! Errors of the C compiler as diagnostics of the specification.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use lapis_cx::contract::library::ctype;
use lapis_cx::diagnostic::catalogue::driver as codes;
use lapis_cx::diagnostic::{Diagnostic, Severity};

use super::facts::ZERO;
use super::members::Undescribed;
use super::{Callback, Check, Fact, Part, Probe, REGION};

/// An error of the compiler with its notes.
#[derive(Default)]
pub(super) struct Finding<'o> {
    /// The check whose declaration the compiler rejects.
    pub(super) check: Option<usize>,
    /// The text of the error.
    pub(super) message: &'o str,
    /// The lines of the error, verbatim.
    lines: Vec<&'o str>,
    /// The types of the two declarations in conflict: the specification's and the header's.
    types: [Option<&'o str>; 2],
    /// The header's type, with the names that the header uses.
    shown: Option<&'o str>,
}

impl Probe {
    /// Turns the compiler's messages into diagnostics, in the order of the checks. Expects the English messages of gcc or clang.
    pub fn diagnostics(&self, output: &str) -> Vec<Diagnostic> {
        let mut found: Vec<(usize, Diagnostic)> = Vec::new();
        let findings = findings(output);
        let exists = |at: usize| match self.checks.get(at)?.fact {
            Fact::Exists { is_type, is_prefixed, .. } => Some((is_type, is_prefixed)),
            _ => None,
        };
        let missing: HashSet<usize> =
            findings.iter().filter_map(|finding| finding.check).filter(|at| exists(*at).is_some()).collect();
        let is_type_missing = missing.iter().any(|at| exists(*at).is_some_and(|(is_type, _)| is_type));
        // gcc takes an unknown type as `int`, and then finds a conflict.
        let unreadable: HashSet<usize> =
            findings.iter().filter(|finding| !finding.is_conflict()).filter_map(|finding| finding.check).collect();
        let prefixed: Vec<usize> =
            (0..self.checks.len()).filter(|at| exists(*at).is_some_and(|(_, is_prefixed)| is_prefixed)).collect();
        let is_prefix_wrong =
            self.prefix.is_some() && prefixed.len() > 1 && prefixed.iter().all(|at| missing.contains(at));
        if let Some((prefix, span)) = self.prefix.as_ref().filter(|_| is_prefix_wrong) {
            let message = format!(
                "the headers declare none of {} functions and types that begin with `{prefix}`",
                prefixed.len()
            );
            let diagnostic = Diagnostic::error(&codes::HEADER_DIFFERS, message, *span, "the prefix of their names");
            found.push((0, diagnostic.help("correct the prefix; if another header declares them, add `c header`")));
        }
        let mut gaps: HashMap<&String, i64> = HashMap::new();
        let mut undescribed = self.undescribed(output);
        let spellings = self.spellings(&findings);
        for finding in findings {
            let Some(at) = finding.check else {
                // Errors about no declaration, such as an unknown option of the compiler.
                let message = format!("the C compiler failed: {}", finding.message);
                let diagnostic = Diagnostic::without_place(&codes::HEADER_UNUSABLE, message);
                found.push((0, diagnostic.note(finding.lines.join("\n"))));
                continue;
            };
            let Some(check) = self.checks.get(at) else { continue };
            // A missing type or a wrong prefix is reported once, and not for each function and member.
            let is_of_missing = check.needs.is_some_and(|needed| missing.contains(&needed))
                || is_type_missing && matches!(check.fact, Fact::Signature { .. }) && unreadable.contains(&at)
                || is_prefix_wrong && exists(at).is_some_and(|(_, is_prefixed)| is_prefixed);
            if is_of_missing {
                continue;
            }
            // The first error of a check causes the others, and a thing that does not exist has no size.
            let is_known = found.iter().any(|(_, one)| one.span() == Some(check.span) && one.is_error());
            if let Fact::Offset { what, of } = &check.fact {
                let gap = finding.gap();
                // The members behind a gap have other offsets, too.
                let bytes = gap - gaps.insert(of, gap).unwrap_or_default();
                if bytes > 0 {
                    let members = undescribed.remove(&check.span);
                    let diagnostic = Undescribed::with_size(members, what, bytes, check.span);
                    found.extend(Some((at, diagnostic)).filter(|_| !is_known));
                }
                continue;
            }
            if matches!(check.fact, Fact::Value { case: Some(case), .. } if !spellings.has(case)) {
                continue;
            }
            let diagnostic = check.diagnostic(&finding, &self.callbacks);
            found.extend(diagnostic.filter(|one| !is_known || one.span() != Some(check.span)).map(|one| (at, one)));
        }
        let rest = undescribed.into_iter();
        found.extend(rest.map(|(span, members)| (members.check, members.diagnostic(span, 0))));
        found.extend(spellings.missing());
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, diagnostic)| diagnostic).collect()
    }
}

impl Finding<'_> {
    /// Whether two declarations have different types.
    pub(super) fn is_conflict(&self) -> bool {
        self.types[0].is_some() || self.message.contains("conflicting types")
    }

    /// How much longer the header's array is than the specification's.
    fn gap(&self) -> i64 {
        let [ours, theirs] = self.types.map(|ty| ty.and_then(|ty| length(ty).parse::<i64>().ok()));
        theirs.zip(ours).map_or(0, |(theirs, ours)| theirs - ours)
    }
}

impl Check {
    /// Reports the part in which the types of a function differ.
    fn other_type(&self, (name, parts): (&str, &[Part]), finding: &Finding<'_>, callbacks: &[Callback]) -> Diagnostic {
        let [ours, theirs] = finding.types.map(|ty| ty.map(types_of).unwrap_or_default());
        let at = first_difference(&ours, &theirs, parts);
        let what = at.and_then(|at| theirs.get(at)).copied();
        let part = at.and_then(|at| parts.get(at));
        let shown = at.and_then(|at| types_of(finding.shown?).get(at).copied());
        let direction =
            part.filter(|part| part.is_buffer).and(at).and_then(|at| Some((*ours.get(at)?, *theirs.get(at)?)));
        let direction = direction.and_then(|(ours, theirs)| direction_help(ours, theirs, shown.unwrap_or(theirs)));
        let callback = part.filter(|part| part.is_callback).and(what);
        let callback = callback.map(|theirs| callback_help([shown.unwrap_or(theirs), theirs], callbacks));
        let known = shown.into_iter().chain(what).find_map(ctype::help);
        let of_enum = part.and_then(|part| part.of_enum.as_ref());
        let help = match (of_enum, direction.or(callback).or(known), what) {
            (Some(of), None, Some(theirs)) => {
                let is_unsigned = at.and_then(|at| ours.get(at)) == Some(&"unsigned int");
                let other = if is_unsigned { "s32" } else { "u32" };
                format!(
                    "in C an enum is unsigned unless it has negative values: write `{other}` as the base of `{of}`, \
                     or the C type before it: `\"{theirs}\" as {of}`"
                )
            }
            (_, Some(help), _) => help,
            (_, None, Some(theirs)) => {
                format!("write the C type before a type of at least as many bytes: `\"{theirs}\" as …`")
            }
            _ => "describe the function with the header's types".to_owned(),
        };
        let message = format!("`{name}` has another type in the header");
        let label = what.map_or_else(String::new, |theirs| format!("`{theirs}` in the header"));
        let span = part.map_or(self.span, |part| part.span);
        Diagnostic::error(&codes::HEADER_DIFFERS, message, span, label).note(finding.lines.join("\n")).help(help)
    }

    fn diagnostic(&self, finding: &Finding<'_>, callbacks: &[Callback]) -> Option<Diagnostic> {
        let entry = &codes::HEADER_DIFFERS;
        let is_conflict = finding.is_conflict();
        let compiler = finding.lines.join("\n");
        let [ours, theirs] = finding.types.map(|ty| ty.map_or("other", length));
        let error = |message: String, label: String| Diagnostic::error(entry, message, self.span, label);
        Some(match &self.fact {
            Fact::Header(name) => {
                Diagnostic::error(&codes::HEADER_UNUSABLE, format!("the C compiler rejects the header `{name}`"), self.span, "described here")
                    .note(compiler)
                    .help("install the header, or give the compiler its folder: `--c-flag -IFOLDER`")
            }
            Fact::Exists { what, .. } if !finding.message.contains("bit-field") => error(format!("the headers do not declare {what}"), "described here".to_owned())
                .note(compiler)
                .help("correct the name or write the C name as `= \"NAME\"`; if another header declares it, add `c header`"),
            Fact::Signature { name, parts } if is_conflict => self.other_type((name, parts), finding, callbacks),
            Fact::Size(what) if is_conflict => {
                error(format!("{what} has another size in the header"), format!("{ours} bytes here, {theirs} in the header"))
                    .help("write the type that the header has")
            }
            Fact::Kind { what, ours } if is_conflict => {
                error(format!("{what} is another kind of number in the header"), format!("`{ours}` here")).help(
                    "signed and unsigned integers, floating-point numbers and pointers differ: write the type that the header has",
                )
            }
            Fact::Array { element, len } if is_conflict && theirs.parse::<u64>().is_ok() => error(
                format!("the member is an array of {theirs} elements in the header"),
                format!("an array of `{len}` elements here"),
            )
            .help(format!(
                "write `{element}[{theirs}]`, or `{element}[{theirs}] @valid({len})` if only `{len}` elements have contents"
            )),
            Fact::Array { len, .. } if !finding.message.contains("bit-field") => error(
                "the member is not an array in the header".to_owned(),
                format!("an array of `{len}` elements here"),
            )
            .note(compiler)
            .help("write the type that the header has"),
            Fact::Value { name, ours, case } => {
                if !is_conflict {
                    return None;
                }
                let theirs = theirs_of(theirs);
                let label = format!("{ours} here, {theirs} in the header");
                let mut diagnostic = error(format!("`{name}` has another value in the header"), label);
                // Such a name is only derived from that of the case.
                if case.is_some_and(|case| case.spelling > 0) {
                    diagnostic.severity = Severity::Warning;
                }
                diagnostic.help("write the value that the header has")
            }
            Fact::Offset { .. } | Fact::Members { .. } => return None,
            _ if finding.message.contains("bit-field") => {
                error("the member is a bit-field in the header".to_owned(), "described here".to_owned()).help(
                    "bit-fields have no address, so they are not sent: leave the member out, or let functions pass its value",
                )
            }
            _ => error("the C compiler rejects this description".to_owned(), finding.message.to_owned()).note(compiler),
        })
    }
}

/// The help for a pointer that differs from the header's in `const` only: the direction may be wrong. `shown` is the header's type.
fn direction_help(ours: &str, theirs: &str, shown: &str) -> Option<String> {
    let plain = |ty: &str| without_blanks(&ty.replace("const ", ""));
    let consts = |ty: &str| ty.matches("const").count();
    let is_same = theirs.ends_with('*') && plain(ours) == plain(theirs);
    match consts(ours).cmp(&consts(theirs)) {
        Ordering::Greater if is_same => Some(format!(
            "write `out` or `inout` if the callee writes there; the C type before the type, `\"{shown}\" as …`, only if it does not"
        )),
        Ordering::Less if is_same => Some(format!(
            "write `in` if the callee only reads there; the C type before the type, `\"{shown}\" as …`, only if it writes"
        )),
        _ => None,
    }
}

/// The help for a callback of another type than the header's, which is given with the header's names and without typedefs.
fn callback_help(theirs: [&str; 2], callbacks: &[Callback]) -> String {
    let types = theirs.map(without_blanks);
    let has_type = |callback: &&Callback| types.iter().any(|ty| callback.types.contains(ty));
    match callbacks.iter().find(has_type) {
        Some(callback) => format!("write `{}`, the callback with the header's type", callback.name),
        None => format!(
            "declare a callback with the header's type `{}` and write it here: the library calls it with the header's arguments",
            theirs[0]
        ),
    }
}

/// A type of C without blanks.
pub(super) fn without_blanks(ty: &str) -> String {
    ty.split_whitespace().collect()
}

/// The value that an array of the probe represents.
fn theirs_of(length: &str) -> String {
    match length.parse::<i64>() {
        Ok(2) | Err(_) => "another one".to_owned(),
        Ok(length) => (length - ZERO).to_string(),
    }
}

/// The length of an array type, such as 4 of `char[4]`.
fn length(ty: &str) -> &str {
    ty.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("other", |(length, _)| length)
}

/// The position of the type that differs. Types that are enums may only have different names, so they come last.
fn first_difference(ours: &[&str], theirs: &[&str], parts: &[Part]) -> Option<usize> {
    let differ = || (0..theirs.len().min(ours.len())).filter(|at| ours.get(*at) != theirs.get(*at));
    let is_enum = |at: &usize| parts.get(*at).is_some_and(|part| part.of_enum.is_some());
    differ().find(|at| !is_enum(at)).or_else(|| differ().next())
}

/// The result and the parameters of a function type, or of a pointer to one; empty for other types.
fn types_of(ty: &str) -> Vec<&str> {
    split(ty).unwrap_or_default()
}

fn split(ty: &str) -> Option<Vec<&str>> {
    let inner = ty.strip_suffix(')')?;
    let (mut depth, mut open) = (0i32, None);
    for (at, c) in inner.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' if depth == 0 => {
                open = Some(at);
                break;
            }
            '(' => depth -= 1,
            _ => {}
        }
    }
    let (result, list) = (inner.get(..open?)?, inner.get(open? + 1..)?);
    let (mut types, mut depth, mut start) = (vec![result.trim().trim_end_matches("(*)")], 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                types.extend(list.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    types.extend(list.get(start..));
    Some(types.into_iter().map(str::trim).collect())
}

/// The errors in the compiler's output, each with the notes that follow it.
fn findings(output: &str) -> Vec<Finding<'_>> {
    let mut all: Vec<Finding<'_>> = Vec::new();
    // The region that includes the file of the next error.
    let mut including = None;
    let mut is_warning = false;
    for line in output.lines() {
        let includer = line.trim_start().trim_start_matches("In file included ").strip_prefix("from ");
        including = includer.and_then(region).or(including);
        let at = |mark: &str| line.split_once(mark).filter(|(place, _)| is_place(place));
        let is_error = at(": error: ").or_else(|| at(": fatal error: "));
        // Notes belong to the error or warning before them.
        is_warning = is_error.is_none() && (is_warning || at(": warning: ").is_some());
        let (place, message) = match (is_error, at(": note: ")) {
            (Some((place, message)), _) => {
                let check = region(place).or(including);
                all.push(Finding { message, check, ..Finding::default() });
                (place, message)
            }
            (None, Some((place, message))) if !is_warning => (place, message),
            _ => continue,
        };
        let Some(finding) = all.last_mut() else { continue };
        finding.lines.push(line);
        finding.check = finding.check.or_else(|| region(place));
        let quoted = |before: &str| type_after(message, before);
        finding.types[0] = finding.types[0].or_else(|| quoted("; have '"));
        let previous = quoted("with type '");
        if previous.is_some() {
            finding.types[1] = finding.types[1].or(previous);
            finding.shown = finding.shown.or_else(|| quoted_after(message, "with type '").map(|(shown, _)| shown));
        }
        // clang prints both types of variables in one line.
        if let Some((ours, rest)) =
            message.split_once("with a different type: '").and_then(|(_, rest)| rest.split_once('\''))
        {
            finding.types = [Some(ours), type_after(rest, "vs '")];
        }
    }
    all
}

/// Returns whether `text` is a source location, such as `p.h:3:5`, or the name of a program. Compilers also print lines of headers.
fn is_place(text: &str) -> bool {
    let column = text.rsplit(':').next().unwrap_or_default();
    if text.is_empty() || text.starts_with(' ') {
        return false;
    }
    !text.contains(' ') || !column.is_empty() && column.bytes().all(|byte| byte.is_ascii_digit())
}

/// The quoted type behind `before`; without typedefs if the compiler prints it: gcc as `{aka '…'}`, clang as `(aka '…')`.
fn type_after<'o>(message: &'o str, before: &str) -> Option<&'o str> {
    let (shown, rest) = quoted_after(message, before)?;
    let aka = rest.strip_prefix(" {aka '").or_else(|| rest.strip_prefix(" (aka '"));
    let aka = aka.and_then(|rest| rest.split_once('\''));
    Some(aka.map_or(shown, |(resolved, _)| resolved))
}

/// The text in quotes behind `before`, and what follows it.
pub(super) fn quoted_after<'o>(message: &'o str, before: &str) -> Option<(&'o str, &'o str)> {
    let (_, rest) = message.split_once(before)?;
    rest.split_once('\'')
}

/// The check in `cxspec.17:1:5`.
pub(super) fn region(place: &str) -> Option<usize> {
    place.strip_prefix(REGION)?.split(':').next()?.parse().ok()
}
