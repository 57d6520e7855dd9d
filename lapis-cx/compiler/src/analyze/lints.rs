//! What compiles, but hardly as it was meant: forms that nobody can issue, and errors that an xcmd cannot report.

use crate::contract::{Command, Form, Interface, Semantics};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::interface as codes;

/// Looks at the commands of an interface, each once.
pub(super) fn lints(interface: &Interface, found: &mut Vec<Diagnostic>) {
    let mut commands: Vec<&Command> = Vec::new();
    for command in interface.sections.iter().flat_map(|s| &s.commands) {
        // A family is declared once, and so is a command of two XLENs.
        if !commands.iter().any(|c| c.span == command.span) {
            commands.push(command);
        }
    }
    let has_identity = interface.uuid.is_some() || interface.xintf.is_some();
    for command in commands.iter().filter(|c| !matches!(c.semantics, Semantics::Standard(_))) {
        let is_xcmd = |form: &&Form| **form == Form::Xcmd;
        if command.forms.iter().any(|form| is_xcmd(&form)) {
            if has_identity && interface.xintf.is_none() {
                found.push(
                    Diagnostic::warning(
                        &codes::NO_WAY_TO_ISSUE,
                        format!("`{}` has the form xcmd, but `{}` has no xintf id", command.name, interface.name),
                        command.span,
                        "no lookup finds a device for it",
                    )
                    .help("add `xintf auto;`, or a registered id"),
                );
            }
            if raises(command) {
                found.push(
                    Diagnostic::warning(
                        &codes::XCMD_RAISES,
                        format!("`{}` raises, but an xcmd returns its value only", command.name),
                        command.span,
                        "the error is lost in the form xcmd",
                    )
                    .note("the value is the one behind `->`, or 0")
                    .help("give callers a value that says so, or leave out the form xcmd"),
                );
            }
        }
        if let Some(form) = command.forms.iter().find(|form| !is_xcmd(form))
            && has_identity
            && interface.uuid.is_none()
        {
            found.push(
                Diagnostic::warning(
                    &codes::NO_WAY_TO_ISSUE,
                    format!("`{}` has the form {}, but `{}` has no UUID", command.name, form.name(), interface.name),
                    command.span,
                    "no library can open and select the CX",
                )
                .help("add `uuid auto;`, or mint one with `uuidgen`; or keep only the form xcmd"),
            );
        }
    }
}

fn raises(command: &Command) -> bool {
    matches!(&command.semantics, Semantics::Body(body) if body.stmts.iter().any(crate::contract::core::Stmt::raises))
}
