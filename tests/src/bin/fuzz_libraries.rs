//! Builds random libraries and runs their programs with the library in the same process and in another one; `HELP` has the
//! options. What differs is made smaller and kept.

#![allow(clippy::panic)] // without a folder nothing can be tried

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use lapis_cx_tests::random_library::generate::{self, FEATURES, Options};
use lapis_cx_tests::random_library::model::Library;
use lapis_cx_tests::random_library::run::{self, Outcome, Toolchain};
use lapis_cx_tests::random_library::shrink::shrink;

/// Smaller libraries that are tried for each one that differs.
const TRIES: usize = 300;

const HELP: &str = "\
Usage: cargo run -p lapis-cx-tests --bin fuzz_libraries -- [OPTION]...
Build `lapis-cx-remote` and `cxc` before.

  --seed N            the first seed; default 1
  --count N           libraries to try; default 20
  --functions N       functions of a library; default 30
  --steps N           calls of its program; default 90
  --without A,B       leave out features; --features lists them
  --only A,B          leave out all other features
  --keep FOLDER       where libraries that differ are kept; default found
  --no-shrink         keep them as they are
  --print             write the libraries to the folder, and run nothing
  --cxc FILE --prefix FOLDER
                      use an installed compiler and engine
  --features          print the names of the features
  --help              print this text";

struct Arguments(Vec<String>);

impl Arguments {
    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|a| a == name)
    }

    fn text(&self, name: &str) -> Option<&str> {
        let at = self.0.iter().position(|a| a == name)?;
        self.0.get(at + 1).map(String::as_str)
    }

    fn number(&self, name: &str, default: u64) -> u64 {
        self.text(name).and_then(|text| text.parse().ok()).unwrap_or(default)
    }

    fn features(&self, name: &str) -> Option<Vec<String>> {
        self.text(name).map(|text| text.split(',').map(str::to_owned).collect())
    }
}

fn options(arguments: &Arguments) -> Options {
    let mut options = Options {
        functions: arguments.number("--functions", 30) as usize,
        steps: arguments.number("--steps", 90) as usize,
        ..Options::default()
    };
    options.without.extend(arguments.features("--without").unwrap_or_default());
    if let Some(only) = arguments.features("--only") {
        options.without.extend(FEATURES.iter().map(|f| (*f).to_owned()).filter(|f| !only.contains(f)));
    }
    options
}

fn main() -> ExitCode {
    let arguments = Arguments(std::env::args().skip(1).collect());
    if arguments.has("--help") || arguments.has("-h") {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    if arguments.has("--features") {
        println!("{}", FEATURES.join("\n"));
        return ExitCode::SUCCESS;
    }
    let options = options(&arguments);
    let keep = std::path::absolute(arguments.text("--keep").unwrap_or("found")).unwrap_or_else(|e| panic!("{e}"));
    let toolchain = match (arguments.text("--cxc"), arguments.text("--prefix")) {
        (Some(cxc), Some(prefix)) => Toolchain::Installed { cxc: cxc.into(), prefix: prefix.into() },
        _ => Toolchain::Own,
    };
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let first = arguments.number("--seed", 1);
    for seed in first..first.saturating_add(arguments.number("--count", 20)) {
        let library = generate::library(seed, &options);
        if arguments.has("--print") {
            let folder = keep.join(format!("seed{seed}"));
            run::write(&library, &folder).unwrap_or_else(|e| eprintln!("{}: {e}", folder.display()));
            continue;
        }
        let outcome = judge(&toolchain, &library, None);
        *counts.entry(outcome.kind()).or_default() += 1;
        println!("seed {seed}: {}", shown(&outcome));
        if outcome == Outcome::Same || arguments.has("--no-shrink") {
            if outcome != Outcome::Same {
                judge(&toolchain, &library, Some(&keep.join(format!("seed{seed}"))));
            }
            continue;
        }
        let small = shrink(&library, TRIES, |smaller| alike(&outcome, &judge(&toolchain, smaller, None)));
        let folder = keep.join(format!("seed{seed}"));
        let outcome = judge(&toolchain, &small, Some(&folder));
        println!("    {}: {}", folder.display(), shown(&outcome));
    }
    println!("{counts:?}");
    let bad = counts.keys().any(|kind| *kind != "same");
    ExitCode::from(u8::from(bad))
}

fn judge(toolchain: &Toolchain, library: &Library, folder: Option<&Path>) -> Outcome {
    if let Some(folder) = folder {
        let _ = std::fs::remove_dir_all(folder);
        return toolchain.judge(library, folder);
    }
    let folder = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
    toolchain.judge(library, folder.path())
}

/// Whether two outcomes are of one kind; of rejections and logs, with the same first line but for numbers.
fn alike(one: &Outcome, other: &Outcome) -> bool {
    one.kind() == other.kind() && essence(one) == essence(other)
}

fn essence(outcome: &Outcome) -> String {
    let text = match outcome {
        Outcome::Rejected(text) | Outcome::Build(text) | Outcome::Native(text) => text,
        Outcome::Differs(difference) => &difference.log,
        Outcome::Same => "",
    };
    let line = text.lines().find(|line| line.contains('×') || line.contains("error") || line.contains("cx_remote"));
    let line = line.unwrap_or_default();
    let line = line.split_once(": ").map_or(line, |(_, rest)| rest);
    line.chars().filter(|c| !c.is_ascii_digit()).collect()
}

fn shown(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Same => "same".to_owned(),
        Outcome::Rejected(text) => format!("REJECTED {}", text.lines().take(6).collect::<Vec<_>>().join(" ")),
        Outcome::Build(text) => format!("BUILD {}", text.lines().take(3).collect::<Vec<_>>().join(" ")),
        Outcome::Native(text) => format!("NATIVE {}", text.lines().take(3).collect::<Vec<_>>().join(" ")),
        Outcome::Differs(d) => {
            let cut = |text: &str| text.chars().take(300).collect::<String>();
            let log = d.log.lines().take(2).collect::<Vec<_>>().join(" ");
            let ends =
                if d.ends.0 == d.ends.1 { String::new() } else { format!("    ended {} and {}\n", d.ends.0, d.ends.1) };
            format!("DIFFERS {log}\n{ends}    native {}\n    remote {}", cut(&d.lines.0), cut(&d.lines.1))
        }
    }
}
