//! Findings of examples and laws, told once for all XLENs at which they are the same.

use crate::diagnostic::Diagnostic;

/// Diagnostics and the XLENs at which they were found. Their messages do not name an XLEN.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<(Diagnostic, Vec<u32>)>);

impl Findings {
    /// Adds a finding at one XLEN, or that XLEN to the same finding if it is there already.
    pub fn add(&mut self, xlen: u32, diagnostic: Diagnostic) {
        match self.0.iter_mut().find(|(known, _)| *known == diagnostic) {
            Some((_, xlens)) => xlens.push(xlen),
            None => self.0.push((diagnostic, vec![xlen])),
        }
    }

    /// The diagnostics with their XLENs.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let named = self.0.into_iter().map(|(mut diagnostic, xlens)| {
            let xlens: Vec<String> = xlens.iter().map(u32::to_string).collect();
            diagnostic.message.push_str(&format!(" at XLEN {}", xlens.join(" and ")));
            diagnostic
        });
        named.collect()
    }
}
