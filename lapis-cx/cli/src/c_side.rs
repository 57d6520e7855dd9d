//! `cxc check --header` and `--needed-by`: compares libraries with their C headers, and with programs that use them.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use clap::Args;
use cxc_io::{cannot_read, finding};
use lapis_cx::contract::Contract;
use lapis_cx::contract::library::Library;
use lapis_cx::diagnostic::catalogue::driver as codes;
use lapis_cx::diagnostic::{Diagnostic, Severity};
use lapis_cx_backend_remoting::header::Probe;
use lapis_cx_backend_remoting::needs::{self, Symbols};

/// Options about the C side of libraries.
#[derive(Args, Clone, Default)]
pub struct CSide {
    /// Compare libraries with their C headers, by the C compiler that CC names (`cc`). Headers may also be in the folder of SPEC
    #[arg(long)]
    pub header: bool,
    /// Report the functions that FILE needs and a library does not describe: a program, a shared library or a C header (.h)
    #[arg(long, value_name = "FILE")]
    pub needed_by: Vec<PathBuf>,
    /// The real library, for --needed-by, if the C compiler does not find it by its soname
    #[arg(long, value_name = "LIBRARY")]
    pub real: Option<PathBuf>,
    /// Pass an option to the C compiler, such as -IFOLDER
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub c_flag: Vec<String>,
}

/// Compares the libraries of a contract. Their headers may also be in the folder of the spec.
pub fn check(options: &CSide, spec: &Path, contract: &Contract) -> Vec<Diagnostic> {
    let mut options = options.clone();
    let folder = spec.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    options.c_flag.push(format!("-idirafter{}", folder.display()));
    let libraries = contract.libraries().filter(|library| library.binding.is_real());
    libraries.flat_map(|library| check_library(&options, library)).collect()
}

fn check_library(options: &CSide, library: &Library) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if options.header {
        found.extend(compare_headers(options, library));
    }
    for file in &options.needed_by {
        found.extend(match lacking(options, library, file) {
            Ok(names) if names.is_empty() => None,
            Ok(names) => Some(not_described(library, file, &names)),
            Err(diagnostic) => Some(*diagnostic),
        });
    }
    found
}

fn compiler() -> String {
    std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty()).unwrap_or_else(|| "cc".to_owned())
}

/// A command of the user's environment, which may have arguments: `ccache gcc`.
fn command(words: &str) -> Command {
    let mut words = words.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).env("LC_ALL", "C").stdin(Stdio::null());
    command
}

fn output(command: &mut Command) -> Result<Output, Box<Diagnostic>> {
    command.output().map_err(|why| {
        let message = format!("`{}` cannot be started: {why}", command.get_program().display());
        Box::new(
            finding(&codes::HEADER_UNUSABLE, Severity::Error, message)
                .help("install it, or name another in CC or READELF"),
        )
    })
}

fn compare_headers(options: &CSide, library: &Library) -> Vec<Diagnostic> {
    let probe = Probe::new(library);
    let run = |more: &[&str]| {
        let mut cc = command(&compiler());
        cc.args(Probe::flags(library, &options.c_flag)).args(more).args(["-x", "c", "-"]);
        with_input(&mut cc, probe.text())
    };
    // clang stops after 20 errors. gcc has no such limit, and rejects the option.
    let is_cut = |output: &Output| String::from_utf8_lossy(&output.stderr).contains("[-ferror-limit=]");
    let output = run(&[]).and_then(|output| if is_cut(&output) { run(&["-ferror-limit=0"]) } else { Ok(output) });
    match output {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            let found = probe.diagnostics(&text);
            if !output.status.success() && !text.contains("error: ") {
                let message = format!("`{}` failed: {}", compiler(), output.status);
                return vec![finding(&codes::HEADER_UNUSABLE, Severity::Error, message).note(text.trim())];
            }
            found
        }
        Err(why) => {
            let message = format!("`{}` cannot be run: {why}", compiler());
            vec![
                finding(&codes::HEADER_UNUSABLE, Severity::Error, message)
                    .help("install a C compiler, or name one in CC"),
            ]
        }
    }
}

fn with_input(command: &mut Command, text: &str) -> io::Result<Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // A compiler that ends early says why itself.
            let _ = stdin.map(|mut stdin| stdin.write_all(text.as_bytes()));
        });
        child.wait_with_output()
    })
}

/// The functions that a file needs and the library does not describe.
fn lacking(options: &CSide, library: &Library, file: &Path) -> Result<BTreeSet<String>, Box<Diagnostic>> {
    let needed = if file.extension().is_some_and(|end| end == "h") {
        declared(options, library, file)?
    } else {
        let symbols = symbols(file)?;
        let real = real(options, library)?;
        if is_same(file, &real) { symbols.defined } else { &symbols.undefined & &self::symbols(&real)?.defined }
    };
    Ok(&needed - &needs::described(library))
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// The file of the real library.
fn real(options: &CSide, library: &Library) -> Result<PathBuf, Box<Diagnostic>> {
    if let Some(real) = &options.real {
        return Ok(real.clone());
    }
    let soname = library.binding.soname.clone().unwrap_or_default();
    let mut cc = command(&compiler());
    let output = output(cc.arg(format!("-print-file-name={soname}")))?;
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    if path.components().count() > 1 {
        return Ok(path);
    }
    let message = format!("the C compiler does not find the library `{soname}`");
    Err(Box::new(
        Diagnostic::error(&codes::CANNOT_READ, message, library.span, "described here")
            .help("give its path: `--real LIBRARY`"),
    ))
}

fn symbols(file: &Path) -> Result<Symbols, Box<Diagnostic>> {
    fs::File::open(file).map_err(|why| Box::new(cannot_read(file, why)))?;
    let readelf = std::env::var("READELF").unwrap_or_else(|_| "readelf".to_owned());
    let output = output(command(&readelf).args(["-W", "--dyn-syms"]).arg(file))?;
    let symbols = Symbols::read(&String::from_utf8_lossy(&output.stdout));
    if symbols == Symbols::default() {
        let why = "it has no dynamic symbols: it is no ELF file, or linked statically";
        return Err(Box::new(cannot_read(file, why)));
    }
    Ok(symbols)
}

/// The functions that a header declares. gcc lists them.
fn declared(options: &CSide, library: &Library, header: &Path) -> Result<BTreeSet<String>, Box<Diagnostic>> {
    let path = fs::canonicalize(header).map_err(|why| Box::new(cannot_read(header, why)))?;
    let mut cc = command(&compiler());
    cc.args(Probe::flags(library, &options.c_flag));
    cc.args(["-aux-info", "/dev/stdout", "-x", "c", "-include"]);
    let output = output(cc.arg(&path).arg("/dev/null"))?;
    if !output.status.success() {
        let message = format!("`{}` cannot list the functions of {}", compiler(), header.display());
        let text = String::from_utf8_lossy(&output.stderr);
        let diagnostic = finding(&codes::HEADER_UNUSABLE, Severity::Error, message).note(text.trim());
        return Err(Box::new(diagnostic.help("gcc can: set CC=gcc, and pass options with `--c-flag`")));
    }
    Ok(needs::declared(&String::from_utf8_lossy(&output.stdout), &path.display().to_string()))
}

fn not_described(library: &Library, file: &Path, names: &BTreeSet<String>) -> Diagnostic {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (count, list) = (names.len(), names.join(", "));
    let what = if count == 1 { "1 function".to_owned() } else { format!("{count} functions") };
    let message = format!("`{}` lacks {what} that {} needs", library.name, file.display());
    Diagnostic::error(&codes::NOT_DESCRIBED, message, library.span, "does not describe them")
        .note(list)
        .help("describe them: with the library in another process a call of one aborts the program")
}
