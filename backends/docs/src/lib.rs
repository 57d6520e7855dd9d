//! Prints documentation: a static site, Markdown, or AsciiDoc.
//!
//! The data flows one way: contracts and pages of prose → [`document::Page`]s → text of a format. A page is the same in all
//! formats. Nothing in the output is loaded from elsewhere.

pub mod document;
pub mod figure;
mod notation;
mod page;
mod print;
mod prose;
mod site;
mod sources;

use lapis_cx::backend::{Backend, EmitError, File};
use lapis_cx::contract::Contract;
use lapis_cx::source::SourceMap;

/// The name that errors have.
const NAME: &str = "docs";

/// What is documented.
pub struct Input<'a> {
    /// The title of the whole.
    pub title: &'a str,
    /// The specs, in the order in which they are listed.
    pub specs: Vec<Spec<'a>>,
    /// Pages of prose, in the order in which they are listed.
    pub guides: Vec<Guide<'a>>,
    /// Who says how a program uses an interface.
    pub backends: &'a [&'a dyn Backend],
}

/// A compiled spec.
pub struct Spec<'a> {
    /// The file as people know it.
    pub name: &'a str,
    /// What it means.
    pub contract: &'a Contract,
    /// Its text, and that of what it imports.
    pub sources: &'a SourceMap,
}

/// A page of prose.
pub struct Guide<'a> {
    /// Where it was, with `/` between the parts: links between pages go by it.
    pub path: &'a str,
    /// Its Markdown.
    pub text: &'a str,
}

/// What documentation can be printed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A static site.
    Html,
    /// Markdown, with drawings as SVG files.
    Markdown,
    /// AsciiDoc, with WaveDrom blocks.
    AsciiDoc,
}

/// Prints everything, the first page as `index` with the ending of the format.
///
/// # Errors
///
/// A template fails, which is a defect.
pub fn print(input: &Input<'_>, format: Format) -> Result<Vec<File>, EmitError> {
    let pages = page::all(input);
    match format {
        Format::Html => site::print(input.title, &pages),
        Format::Markdown => Ok(pages.iter().flat_map(markdown).collect()),
        Format::AsciiDoc => Ok(pages.iter().map(asciidoc).collect()),
    }
}

fn markdown(page: &document::Page) -> Vec<File> {
    let (text, figures) = print::markdown::page(page);
    let figures = figures.into_iter().map(|(path, text)| File { path, text });
    std::iter::once(File { path: format!("{}.md", page.path), text }).chain(figures).collect()
}

fn asciidoc(page: &document::Page) -> File {
    File { path: format!("{}.adoc", page.path), text: print::asciidoc::page(page) }
}
