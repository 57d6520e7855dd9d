//! Whether what is live survives a save and a restore (`shared(custom, save: f, restore: g)`).

use super::eval::EvalError;
use super::finding::Findings;
use super::machine::{Context, Machine};
use super::vectors::contexts;
use crate::contract::layout::status;
use crate::contract::{Interface, Live, Section};
use crate::diagnostic::{Diagnostic, catalogue};
use crate::source::Span;

/// Random states that are tried, beside edges of all fields.
const RANDOM: usize = 64;

/// The seed of the random states: the same trials in every run.
const SEED: u64 = 0x006C_6976_6577_6F72;

/// Saves and restores many states of an interface.
pub fn check(interface: &Interface) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    for section in &interface.sections {
        if let Some(live) = &section.live
            && let Some(diagnostic) = check_section(section, live)
        {
            findings.add(section.xlen, diagnostic);
        }
    }
    findings.into_diagnostics()
}

fn check_section(section: &Section, live: &Live) -> Option<Diagnostic> {
    let function = section.fns.get(live.save.function.index());
    let span = function.map_or(Span::default(), |f| f.span);
    let mut machine = Machine::new(section);
    for context in contexts(section, RANDOM, SEED) {
        let context = Context { cs: status::DIRTY, ..context };
        match lost(&mut machine, live, context) {
            Ok(None) => {}
            Ok(Some((index, why))) => {
                let field = machine.field_of(index).map_or("", |f| f.name.as_str());
                let message = format!("state word {index}, of `{field}`, {why}");
                let found = Diagnostic::error(&catalogue::oracle::LIVE_LOST, message, span, "says what is live");
                return Some(found.help("`restore` sees the fields as restored so far, by ascending index"));
            }
            Err(error) => {
                let message = format!("what is live of the state cannot be found: {error}");
                return Some(Diagnostic::error(&catalogue::oracle::NOT_RUN, message, span, "this function"));
            }
        }
    }
    None
}

/// The first word of a state that a save and a restore change, and how.
fn lost(machine: &mut Machine<'_>, live: &Live, context: Context) -> Result<Option<(u64, &'static str)>, EvalError> {
    machine.context = context;
    let before = machine.words();
    let count = before.len() as u64;
    let live_before: Result<Vec<bool>, _> = (0..count).map(|i| machine.is_live(&live.save, i)).collect();
    let image = machine.save()?;
    machine.restore(&image)?;
    let after = machine.words();
    for (index, ((old, new), was_live)) in (0..).zip(before.iter().zip(&after).zip(live_before?)) {
        if was_live && old != new {
            return Ok(Some((index, "is live, and lost when it is restored")));
        }
        if was_live != machine.is_live(&live.save, index)? {
            return Ok(Some((
                index,
                if was_live { "is live, and not after a restore" } else { "is live only after a restore" },
            )));
        }
    }
    Ok(None)
}
