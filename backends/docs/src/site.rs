//! The static site: pages of HTML from a template, a style sheet, a script, and what the script searches.

use lapis_cx::backend::{EmitError, File};
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};

use crate::NAME;
use crate::document::{Kind, Page};
use crate::print::{html, relative};

const PAGE: &str = "page.html";
const STYLE: &str = concat!(include_str!("../assets/style.css"), include_str!("../assets/figure.css"));
const SCRIPT: &str = include_str!("../assets/site.js");
const MARK: &str = include_str!("../assets/mark.svg");

/// The whole site.
pub fn print(title: &str, pages: &[Page]) -> Result<Vec<File>, EmitError> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_auto_escape_callback(|_| AutoEscape::Html);
    templates.add_template(PAGE, include_str!("../templates/page.html.j2")).map_err(failed)?;
    let mut files = Vec::new();
    for page in pages {
        let text = one_page(&templates, title, pages, page).map_err(failed)?;
        files.push(File { path: format!("{}.html", page.path), text });
    }
    let asset = |name: &str, text: String| File { path: format!("assets/{name}"), text };
    files.push(asset("style.css", STYLE.to_owned()));
    files.push(asset("site.js", SCRIPT.to_owned()));
    files.push(asset("mark.svg", MARK.to_owned()));
    files.push(asset("search.js", index(pages)));
    Ok(files)
}

fn failed(error: minijinja::Error) -> EmitError {
    EmitError { backend: NAME, message: format!("{error:#}") }
}

fn one_page(templates: &Environment<'_>, title: &str, pages: &[Page], page: &Page) -> Result<String, minijinja::Error> {
    let way = |to: &str| relative(&page.path, to);
    let mut groups: Vec<(&str, Vec<Value>)> = Vec::new();
    for other in pages {
        let group = match other.kind {
            Kind::Home | Kind::Index => continue,
            Kind::Guide => "Guides",
            // Items stand under their package.
            _ => other.path.rsplit_once('/').map_or("", |(package, _)| package),
        };
        let link = context! {
            title => other.title.as_str(),
            address => format!("{}.html", way(&other.path)),
            is_here => other.path == page.path,
        };
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, links)) => links.push(link),
            None => groups.push((group, vec![link])),
        }
    }
    let groups: Vec<_> = groups.into_iter().map(|(title, pages)| context! { title, pages }).collect();
    let is_home = page.kind == Kind::Home;
    let text = templates.get_template(PAGE)?.render(context! {
        site => title,
        title => page.title.as_str(),
        over => page.over.as_str(),
        summary => page.summary.as_str(),
        is_home,
        root => way("index").trim_end_matches("index"),
        groups,
        outline => Value::from_safe_string(html::outline(page)),
        body => Value::from_safe_string(html::body(page)),
    })?;
    Ok(text.trim_end().to_owned() + "\n")
}

/// What the script searches, as a script: pages that are opened from a disk may not read files.
fn index(pages: &[Page]) -> String {
    let mut rows: Vec<String> = Vec::new();
    let mut row = |name: &str, kind: &str, of: &str, to: &str, about: &str| {
        // Texts always have a form in JSON. `</script` cannot end the script: it is a file of its own.
        rows.push(serde_json::to_string(&[name, kind, of, to, about]).unwrap_or_default());
    };
    for page in pages.iter().filter(|page| !matches!(page.kind, Kind::Home | Kind::Index)) {
        let to = format!("{}.html", page.path);
        row(&page.title, page.kind.name(), &page.over, &to, &page.summary);
        for entry in &page.entries {
            row(&entry.name, entry.kind, &page.title, &format!("{to}#{}", entry.anchor), &entry.summary);
        }
    }
    format!("window.cxSearch = [\n{}\n];\n", rows.join(",\n"))
}
