//! `cxc explain`: prints the catalogue of diagnostics.

use std::fmt::Write;
use std::io;
use std::process::ExitCode;

use clap::Args;
use lapis_cx::diagnostic::Entry;
use lapis_cx::diagnostic::catalogue::{all, find};
use lapis_cx::diagnostic::wrap::wrap;

use crate::report::{print, width};

/// Options of `cxc explain`.
#[derive(Args)]
pub struct Options {
    /// The code, as CX0123 or 123; without it, all codes are listed
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

/// Runs it.
pub fn run(options: &Options) -> ExitCode {
    let Some(code) = &options.code else {
        let list: String = all().map(|entry| format!("{}  {}\n", entry.code, entry.title)).collect();
        return exit(print(&mut io::stdout(), &list));
    };
    let Some(entry) = find(code) else {
        print(&mut io::stderr(), &format!("there is no code `{code}`; `cxc explain` lists all\n"));
        return ExitCode::from(2);
    };
    exit(print(&mut io::stdout(), &page(entry, width())))
}

fn exit(printed: bool) -> ExitCode {
    if printed { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

/// An entry as text for `width` columns.
fn page(entry: &Entry, width: usize) -> String {
    let mut page = wrap(entry.title, &format!("{}: ", entry.code), "        ", width);
    for (head, text) in [("Why", entry.cause), ("What to do", entry.remedy)] {
        let _ = write!(page, "\n{head}\n{}", wrap(text, "  ", "  ", width));
    }
    for (head, text) in [("Wrong", entry.bad), ("Right", entry.good)] {
        if !text.is_empty() {
            let lines = text.trim_matches('\n').lines();
            let code: String = lines.map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect();
            let _ = write!(page, "\n{head}\n\n{code}");
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use lapis_cx::diagnostic::Code;

    use super::*;

    #[test]
    fn a_page_has_all_parts() {
        let entry = Entry {
            code: Code(7),
            title: "something is wrong with it",
            cause: "one two three four five six seven eight nine ten",
            remedy: "Mend it.",
            bad: "cxspec 1;\n\n  x\n",
            good: "cxspec 1;\n",
        };
        let want = "\
CX0007: something is wrong with it

Why
  one two three four five six seven
  eight nine ten

What to do
  Mend it.

Wrong

    cxspec 1;

      x

Right

    cxspec 1;
";
        assert_eq!(page(&entry, 40), want);
        assert!(!page(&Entry { bad: "", good: "", ..entry }, 40).contains("Wrong"));
    }
}
