//! `cxc new`: starts a spec that compiles, with comments that say how to go on; or a whole project around it.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, ValueEnum};
use cxc_io::cannot_write;
use lapis_cx::contract::identity::{sha256_hex, uuid_auto};
use lapis_cx::diagnostic::Diagnostic;
use lapis_cx::driver::{Effort, NoImports, NoVerdicts, SourceText, compile, parse};
use lapis_cx::format::format;
use lapis_cx::source::SourceMap;
use lapis_cx::syntax::is_name;

use crate::options::{Cli, Common};
use crate::project::{self, Project};
use crate::report::{Reporter, count};

/// Options of `cxc new`.
#[derive(Args)]
pub struct Options {
    /// The name of the item, such as MulAcc; the file is named after it, in small letters
    #[arg(value_name = "NAME", value_parser = item_name)]
    pub name: String,
    /// What to start with
    #[arg(long, value_enum, default_value_t = Kind::Interface, value_name = "KIND")]
    pub kind: Kind,
    /// The package [default: org.example.NAME, in small letters]
    #[arg(long, value_name = "PACKAGE", value_parser = package_name)]
    pub package: Option<String>,
    /// Start a project: a folder of that name with the spec, a program that calls its commands, and what builds them
    #[arg(long, value_enum, value_name = "BUILD", conflicts_with = "kind")]
    pub project: Option<Project>,
    /// A clone of Lapis-CX, for `--project cargo`: the crates are taken from there, by path
    #[arg(long, value_name = "DIR", requires = "project")]
    pub source: Option<PathBuf>,
    /// The folder to write into; it is made if it is not there
    #[arg(long, default_value = ".", value_name = "DIR", hide_default_value = true)]
    pub out_dir: PathBuf,
    /// How findings are shown
    #[command(flatten)]
    pub common: Common,
}

/// What can be started.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// A composable extension: commands over state, opened by UUID
    Interface,
    /// Commands for overloadable opcodes
    Xcmd,
    /// A machine with a device behind an overloadable opcode
    Platform,
    /// An annotated C API
    Library,
}

impl Kind {
    fn template(self) -> &'static str {
        match self {
            Kind::Interface => include_str!("../templates/interface.cxspec"),
            Kind::Xcmd => include_str!("../templates/xcmd.cxspec"),
            Kind::Platform => include_str!("../templates/platform.cxspec"),
            Kind::Library => include_str!("../templates/library.cxspec"),
        }
    }
}

/// Runs it. What the names make of the template is compiled before it is written.
pub fn run(options: &Options) -> ExitCode {
    let small = small(&options.name);
    if let Err(why) = suits(options, &small) {
        // If it cannot be printed, the exit code says it.
        let _ = Cli::command().error(ErrorKind::ValueValidation, why).print();
        return ExitCode::from(2);
    }
    let mut reporter = Reporter::new(&options.common);
    let package = options.package.clone().unwrap_or_else(|| format!("org.example.{small}"));
    let uuid = draft_uuid(&package, &options.name);
    let names = [
        ("org.example.starter", package.as_str()),
        ("Starter", &options.name),
        ("starter", &small),
        ("@UUID@", uuid.as_str()),
    ];
    let text = laid_out(fill(options.kind.template(), &names));
    let file =
        if options.project.is_some() { format!("{small}/specs/{small}.cxspec") } else { format!("{small}.cxspec") };
    let path = shown(&options.out_dir, &file);

    let root = SourceText { name: path.display().to_string(), bytes: text.clone().into_bytes() };
    let outcome = compile(root, &mut NoImports, &mut NoVerdicts, Effort::Build, lapis_cx_backends::all());
    if outcome.has_errors() {
        reporter.show(outcome.diagnostics, &outcome.sources);
        return reporter.finish();
    }
    let folder = fs::create_dir_all(&options.out_dir).map_err(|error| cannot_write(&options.out_dir, error));
    let done = folder.and_then(|()| match options.project {
        Some(project) => start(project, options, &small, &names, text),
        None => create(&path, &text).map(|()| {
            let name = path.display();
            match options.kind {
                // Nothing is generated from a library alone.
                Kind::Library => format!("wrote {name}; check it with `cxc check {name}`"),
                _ => format!("wrote {name}; build it with `cxc build {name} --out-dir out`"),
            }
        }),
    });
    match done {
        Ok(line) => reporter.say(&line),
        Err(problem) => reporter.show(vec![problem], &SourceMap::new()),
    }
    reporter.finish()
}

/// Whether the arguments go together; or why not.
fn suits(options: &Options, small: &str) -> Result<(), String> {
    if options.project.is_some() && !project::is_free(small) {
        return Err(format!(
            "a project cannot be called `{small}`: cargo, CMake or Meson keep this name for themselves, or it is a keyword"
        ));
    }
    if options.source.is_some() && options.project != Some(Project::Cargo) {
        let why = "`--source` is for `--project cargo`: C finds the runtime where `lapis-cx/runtime/install` put it";
        return Err(why.to_owned());
    }
    Ok(())
}

/// The UUID of a draft: of version 8, from its name, so that the same command writes the same file. Two drafts of one
/// contract differ in it, which `uuid auto` would not give.
fn draft_uuid(package: &str, name: &str) -> String {
    let hash = sha256_hex(format!("cx1:draft:{package}:{name}"));
    uuid_auto(&hash).map(|uuid| uuid.to_string()).unwrap_or_default()
}

/// The text in the style of the language: what names are put in moves what stands beside them.
fn laid_out(text: String) -> String {
    let (tree, ..) = parse(SourceText { name: String::new(), bytes: text.clone().into_bytes() });
    tree.and_then(|tree| format(&tree)).unwrap_or(text)
}

/// A path in the folder that was asked for, as people see it.
fn shown(out_dir: &Path, file: &str) -> PathBuf {
    let path = out_dir.join(file);
    path.strip_prefix(".").unwrap_or(&path).to_path_buf()
}

/// Writes a project around the text of a spec; what was done.
fn start(
    project: Project,
    options: &Options,
    small: &str,
    names: &[(&str, &str)],
    spec: String,
) -> Result<String, Diagnostic> {
    let folder = shown(&options.out_dir, small);
    let source = options.source.as_deref();
    let (mut runtime, mut build) = (String::new(), String::new());
    if project == Project::Cargo {
        runtime = project::dependency("lapis-cx/runtime", source, &folder)?;
        build = project::dependency("lapis-cx/build", source, &folder)?;
    }
    let series = env!("CARGO_PKG_VERSION").rsplit_once('.').map_or("", |(series, _)| series);
    let own = [("@RUNTIME@", runtime.as_str()), ("@BUILD@", &build), ("@SERIES@", series)];
    let names: Vec<_> = names.iter().chain(&own).copied().collect();
    let mut files =
        vec![(format!("specs/{small}.cxspec"), spec), (".gitignore".to_owned(), project.ignored().to_owned())];
    files.extend(project.files().iter().map(|(path, text)| ((*path).to_owned(), fill(text, &names))));
    project::write(&folder, &files)?;
    let name = folder.display();
    let from = match (project, source) {
        (Project::Cargo, None) => " (it takes its crates from crates.io; `--source CLONE` from a clone of Lapis-CX)",
        _ => "",
    };
    let next = project.next(small);
    Ok(format!("wrote {name}: {}{from}; go on with `cd {name} && {next}`", count(files.len(), "file")))
}

/// The name of the file, and the last part of the package.
fn small(name: &str) -> String {
    name.chars().filter(|c| *c != '_').collect::<String>().to_lowercase()
}

const NAME: &str = "a name begins with a letter, goes on with letters and digits, and has single `_` only between them";

/// The name of an item, from which that of the package can be made.
fn item_name(text: &str) -> Result<String, String> {
    let fits = |text: &str| is_name(text) && is_name(&small(text));
    if fits(text) {
        return Ok(text.to_owned());
    }
    // `my-counter` and `My Counter` are `MyCounter`.
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let joined: String = words
        .filter_map(|word| Some((word.chars().next()?.to_ascii_uppercase(), word.get(1..)?)))
        .map(|(first, rest)| format!("{first}{rest}"))
        .collect();
    let better = Some(joined).filter(|joined| text.is_ascii() && fits(joined));
    Err(better.map_or_else(|| NAME.to_owned(), |better| format!("{NAME}; such as `{better}`")))
}

/// The name of a package.
fn package_name(text: &str) -> Result<String, String> {
    if text == "cx.std" {
        return Err("`cx.std` is the package that comes with the compiler, and every spec may import it".to_owned());
    }
    if text.split('.').all(|part| is_name(part) && !part.contains('_')) {
        return Ok(text.to_owned());
    }
    Err("a package is words with dots between them, as in `org.example.counter`; a word begins with a letter, and goes \
         on with letters and digits"
        .to_owned())
}

/// The template with each of these names in place of the one before it. What was put in is not looked at again.
fn fill(template: &str, names: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(next) = rest.chars().next() {
        match names.iter().find_map(|(name, new)| Some((rest.strip_prefix(name)?, new))) {
            Some((after, new)) => {
                text.push_str(new);
                rest = after;
            }
            None => {
                text.push(next);
                rest = rest.get(next.len_utf8()..).unwrap_or_default();
            }
        }
    }
    text
}

/// Writes a file that does not exist yet.
fn create(path: &Path, text: &str) -> Result<(), Diagnostic> {
    let done = OpenOptions::new().write(true).create_new(true).open(path);
    done.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => cannot_write(path, "the file exists")
            .help("`new` never overwrites a file: choose another name or another `--out-dir`, or remove the file"),
        _ => cannot_write(path, error),
    })
}
