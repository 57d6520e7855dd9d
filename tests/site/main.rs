//! The documentation of the shipped specs and of the language, as a reader meets it: in a browser, wide and narrow, light
//! and dark, with and without scripts, by mouse and by keyboard.

#![allow(clippy::unwrap_used, clippy::panic)]

mod browser;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use browser::Browser;
use lapis_cx::driver::{Effort, NoVerdicts, Outcome, compile};
use lapis_cx_backend_docs::{Format, Guide, Input, Spec, print};
use lapis_cx_tests::spec;
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::{Value, json};

/// The shipped specs, and the pages that explain the language.
fn files(format: Format) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut names = spec::shipped();
    names.push("std".to_owned());
    let outcomes: Vec<(String, Outcome)> = names
        .into_iter()
        .map(|name| {
            let root = spec::read(&spec::folder().join(format!("{name}.cxspec")));
            let outcome = compile(root, &mut spec::importable(), &mut NoVerdicts, Effort::Build, &[]);
            assert!(!outcome.has_errors(), "{name}");
            (format!("specs/{name}.cxspec"), outcome)
        })
        .collect();
    let mut pages: Vec<PathBuf> =
        fs::read_dir(root.join("grammars/reference")).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    let pages: Vec<(String, String)> = pages
        .into_iter()
        .chain([root.join("specs/README.md")])
        .map(|path| (path.strip_prefix(&root).unwrap().display().to_string(), fs::read_to_string(&path).unwrap()))
        .collect();
    let input = Input {
        title: "Lapis-CX",
        specs: outcomes
            .iter()
            .map(|(name, outcome)| Spec { name, contract: spec::contract(outcome), sources: &outcome.sources })
            .collect(),
        guides: pages.iter().map(|(path, text)| Guide { path, text }).collect(),
        backends: lapis_cx_backends::all(),
    };
    let files = print(&input, format).unwrap();
    let count = files.len();
    let files: BTreeMap<_, _> = files.into_iter().map(|file| (file.path, file.text)).collect();
    assert_eq!(files.len(), count, "no path comes twice");
    files
}

fn write(files: &BTreeMap<String, String>, folder: &Path) {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The address of a page on disk.
fn address(folder: &Path, page: &str) -> String {
    format!("file://{}/{page}", folder.display())
}

#[test]
fn a_reader_finds_everything() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    let files = files(Format::Html);
    write(&files, &site);
    let mut browser = Browser::start(&folder.path().join("profile"));
    every_page_is_sound(&mut browser, &files, &site);
    search_leads_to_what_is_sought(&mut browser, &site);
    code_is_copied(&mut browser, &site);
    the_language_is_chosen_once(&mut browser, &site);
    keys_reach_the_text(&mut browser, &site);
    colours_can_be_read(&mut browser, &site);
    without_scripts_all_is_there(&mut browser, &site);
}

/// What a page says of itself: its anchors, where its links lead, and how wide it is.
const LOOK: &str = "({
    ids: [...document.querySelectorAll('[id]')].map(e => e.id),
    links: [...document.querySelectorAll('a[href]')].map(e => e.href),
    width: document.documentElement.scrollWidth, window: innerWidth,
    title: document.title, heads: document.querySelectorAll('h1').length,
    empty: [...document.querySelectorAll('a, th, button')].filter(e => !e.textContent.trim() && !e.ariaLabel).length,
})";

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect()
}

/// No error, nothing from elsewhere, no link that leads nowhere, nothing wider than the window.
fn every_page_is_sound(browser: &mut Browser, files: &BTreeMap<String, String>, site: &Path) {
    let pages: Vec<&String> = files.keys().filter(|path| path.ends_with(".html")).collect();
    assert!(pages.len() > 30);
    let prefix = address(site, "");
    let mut anchors: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut links: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for page in &pages {
        browser.resize(1400, 1000);
        let here = address(site, page);
        browser.open(&here);
        for (event, params) in browser.events() {
            match event.as_str() {
                "Runtime.exceptionThrown" | "Log.entryAdded" | "Runtime.consoleAPICalled" => panic!("{page}: {params}"),
                "Network.requestWillBeSent" => {
                    let url = params["request"]["url"].as_str().unwrap();
                    assert!(url.starts_with(&prefix), "{page} asks for {url}");
                }
                _ => {}
            }
        }
        for width in [1400, 390] {
            browser.resize(width, 1000);
            let look = browser.evaluate(LOOK);
            assert_eq!(look["heads"], 1, "{page}");
            assert_eq!(look["empty"], 0, "{page} has links or titles without text");
            assert!(
                look["width"].as_u64() <= look["window"].as_u64(),
                "{page} is wider than {width}: {}",
                look["width"]
            );
            let ids = strings(&look["ids"]);
            let unique: BTreeSet<String> = ids.iter().cloned().collect();
            assert_eq!(unique.len(), ids.len(), "{page} has an anchor twice");
            anchors.insert(here.clone(), unique);
            links.insert(here.clone(), strings(&look["links"]));
        }
    }
    for (page, links) in &links {
        for link in links.iter().filter(|link| !link.starts_with("https://")) {
            let (to, anchor) = link.split_once('#').unwrap_or((link, ""));
            let known = anchors.get(to).unwrap_or_else(|| panic!("{page} leads to {link}, which is not there"));
            assert!(anchor.is_empty() || known.contains(anchor), "{page} leads to {link}, which has no such anchor");
        }
    }
}

/// The texts of the results of a search, as soon as there are some.
fn results(browser: &mut Browser) -> Vec<String> {
    let shown = browser.evaluate(
        "new Promise(resolve => { const look = () => {
            const list = document.getElementById('results');
            list.hidden || !list.children.length ? requestAnimationFrame(look) : resolve([...list.children].map(e => e.textContent));
        }; look(); })",
    );
    strings(&shown)
}

fn search_leads_to_what_is_sought(browser: &mut Browser, site: &Path) {
    browser.resize(1400, 1000);
    browser.open(&address(site, "org.example.board/DemoBoard.html"));
    browser.press("/");
    assert_eq!(browser.evaluate("document.activeElement.type"), "search");
    "mulacc".chars().for_each(|c| browser.press(&c.to_string()));
    let found = results(browser);
    assert!(found[0].starts_with("MulAccinterface") || found[0].starts_with("mulacccommand"), "{found:?}");
    let at = found.iter().position(|text| text.starts_with("mulacccommand")).unwrap();
    (0..at).for_each(|_| browser.press("ArrowDown"));
    browser.forget();
    browser.press("Enter");
    browser.wait("Page.loadEventFired");
    let here = browser.evaluate("location.href").as_str().unwrap().to_owned();
    assert_eq!(here, address(site, "org.example.dsp/MulAcc.html#command-mulacc"));
    assert_eq!(browser.evaluate("document.querySelector(':target h3 code').textContent"), "mulacc");

    // What nothing is called says so, and Escape closes.
    browser.press("/");
    "qqqq".chars().for_each(|c| browser.press(&c.to_string()));
    let none = browser.evaluate(
        "new Promise(resolve => { const look = () => document.querySelector('.none') ? resolve(true) : requestAnimationFrame(look); look(); })",
    );
    assert_eq!(none, true);
    browser.press("Escape");
    assert_eq!(browser.evaluate("document.getElementById('results').hidden"), true);
    assert_eq!(browser.evaluate("cxSearch.length > 500"), true, "commands, functions and sections are in the index");
}

fn code_is_copied(browser: &mut Browser, site: &Path) {
    browser.open(&address(site, "org.example.dsp/MulAcc.html"));
    // A page from a disk has no clipboard of its own to look into.
    browser.evaluate("navigator.clipboard.writeText = async words => { window.copied = words; }");
    let clicked = browser.evaluate(
        "(async () => { const button = document.querySelector('#use .code button'); button.click();
            await new Promise(requestAnimationFrame); return [button.textContent, copied]; })()",
    );
    let clicked = strings(&clicked);
    assert_eq!(clicked[0], "Copied");
    assert!(clicked[1].starts_with("#include") && clicked[1].contains("mulacc_mul(3, 4)"), "{}", clicked[1]);
}

/// The languages that are seen on a page, one for each choice.
const CHOSEN: &str = "[...document.querySelectorAll('.choice')].map(choice =>
    [...choice.querySelectorAll('.code')].filter(e => e.offsetParent).map(e => e.previousElementSibling.textContent).join())";

fn the_language_is_chosen_once(browser: &mut Browser, site: &Path) {
    browser.open(&address(site, "org.example.dsp/MulAcc.html"));
    let before = strings(&browser.evaluate(CHOSEN));
    assert!(before.len() > 3 && before.iter().all(|language| language == "C"), "{before:?}");
    browser.evaluate("[...document.querySelectorAll('.choice label')].find(e => e.textContent === 'Rust').click()");
    let after = strings(&browser.evaluate(CHOSEN));
    assert!(after.iter().all(|language| language == "Rust"), "{after:?}");
    browser.open(&address(site, "org.example.tile/Tile.html"));
    let elsewhere = strings(&browser.evaluate(CHOSEN));
    assert!(elsewhere.iter().filter(|language| *language == "Rust").count() > 3, "{elsewhere:?}");
    browser.evaluate("localStorage.clear()");
}

fn keys_reach_the_text(browser: &mut Browser, site: &Path) {
    browser.open(&address(site, "org.example.dsp/MulAcc.html"));
    browser.press("Tab");
    assert_eq!(browser.evaluate("document.activeElement.textContent"), "Skip to the text");
    assert_eq!(browser.evaluate("document.activeElement.getBoundingClientRect().left >= 0"), true);
    browser.press("Enter");
    assert_eq!(browser.evaluate("document.activeElement.id"), "main");
    // What is scrolled can be reached, and the first of it is the code of the program or its choice.
    browser.press("Tab");
    assert_eq!(browser.evaluate("document.querySelector('main').contains(document.activeElement)"), true);
}

/// The contrast of texts against what is behind them, by the formula of WCAG 2, the lowest with its text.
const CONTRAST: &str = "(() => {
    const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number).map(v => v / 255)
        .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
    const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
        if (c !== 'rgba(0, 0, 0, 0)') return c; } return 'rgb(255, 255, 255)'; };
    let worst = [21, ''];
    for (const e of document.querySelectorAll('body *')) {
        if (!e.offsetParent || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
        const style = getComputedStyle(e);
        if (style.opacity === '0') continue;
        const [a, b] = [light(style.color), light(behind(e))].sort((a, b) => b - a);
        const contrast = (a + .05) / (b + .05);
        if (contrast < worst[0]) worst = [contrast, e.textContent.slice(0, 40) + ' ' + style.color + ' on ' + behind(e)];
    }
    return worst; })()";

fn colours_can_be_read(browser: &mut Browser, site: &Path) {
    let mut papers = BTreeSet::new();
    for scheme in ["light", "dark"] {
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        browser.call("Emulation.setEmulatedMedia", media);
        for page in
            ["index.html", "org.example.tile/Tile.html", "net.zlib/Zlib.html", "org.example.board/DemoBoard.html"]
        {
            browser.open(&address(site, page));
            let worst = browser.evaluate(CONTRAST);
            assert!(worst[0].as_f64().unwrap() >= 4.5, "{page}, {scheme}: {worst}");
            papers.insert(browser.evaluate("getComputedStyle(document.body).backgroundColor").to_string());
        }
    }
    assert_eq!(papers.len(), 2);
}

fn without_scripts_all_is_there(browser: &mut Browser, site: &Path) {
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.open(&address(site, "org.example.dsp/MulAcc.html"));
    let seen = browser.call("DOMSnapshot.captureSnapshot", json!({"computedStyles": ["display"]}));
    assert!(seen["strings"].to_string().contains("mulacc_mul(3, 4)"));
    assert!(!seen["strings"].to_string().contains("\"Copy\""), "a button that would do nothing");
    // Choosing another language is done by radio buttons.
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": false}));
    browser.open(&address(site, "names.html"));
    let listed = browser.evaluate("document.querySelectorAll('main li a').length");
    assert!(listed.as_u64().unwrap() > 400, "{listed}");
}

#[test]
fn markdown_has_the_same_pages_and_no_broken_link() {
    let files = files(Format::Markdown);
    let pages = files.iter().filter(|(path, _)| path.ends_with(".md"));
    for (page, text) in pages.clone() {
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        let links = Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
            _ => None,
        });
        for link in links.filter(|link| !link.starts_with("https://")) {
            let (to, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
            for part in to.split('/') {
                if part == ".." {
                    parts.pop();
                } else {
                    parts.push(part);
                }
            }
            let to = if to.is_empty() { page.clone() } else { parts.join("/") };
            let there = files.get(&to).unwrap_or_else(|| panic!("{page} leads to {link}"));
            assert!(anchor.is_empty() || there.contains(&format!("<a id=\"{anchor}\">")), "{page} leads to {link}");
        }
    }
    assert!(pages.count() > 30);
    let drawing = &files["org.example.dsp/MulAcc.figures/1.svg"];
    assert!(drawing.starts_with("<svg") && drawing.contains("custom-0"), "{drawing}");
}

#[test]
fn asciidoctor_has_nothing_to_say() {
    let folder = tempfile::tempdir().unwrap();
    let files = files(Format::AsciiDoc);
    write(&files, folder.path());
    // It resolves links to anchors of other pages only if these are there.
    let mut asciidoctor = Command::new("asciidoctor");
    asciidoctor.args(["--warnings", "--failure-level=WARN", "--destination-dir", "html"]);
    let output = asciidoctor.args(files.keys()).current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
    assert!(files.len() > 30);
}

/// Markdown, and what a reader must see of it.
const SEEN: [(&str, &str); 14] = [
    ("See `((a + b) * (c + d))` here", "See ((a + b) * (c + d)) here"),
    ("(((x))) and f(a, ...) (C) x--y -> => \"q\" 'r'", "(((x))) and f(a, ...) (C) x--y -> => \"q\" 'r'"),
    (",===", ",==="),
    ("NOTE: not a note", "NOTE: not a note"),
    ("term:: not a term", "term:: not a term"),
    ("a. not a list", "a. not a list"),
    ("\\- not a bullet", "- not a bullet"),
    ("1\\. not a number", "1. not a number"),
    ("{empty} {doctitle} \\{x} +a+ ^b^ ~c~ #d#", "{empty} {doctitle} {x} +a+ ^b^ ~c~ #d#"),
    ("```\ninclude::/etc/hostname[]\nifdef::x[]\nkept\n```", "include::/etc/hostname[] ifdef::x[] kept"),
    ("```\n....\n----\n```", ".... ----"),
    ("> outer\n>\n> > inner\n>\n> after", "outer inner after"),
    ("[shown](https://a.example/?x=[y]&z=1_2_3)", "shown"),
    ("x`y`z, **s**t", "xyz, st"),
];

/// What is seen of HTML: without tags, each run of blanks as one.
fn seen(html: &str) -> String {
    let text: String = html
        .split('<')
        .map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text))
        .collect::<Vec<_>>()
        .join("\u{1}");
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#8201;", ""), ("&#8203;", "")];
    let mut text = entities.iter().fold(text, |text, (from, to)| text.replace(from, to));
    // What Asciidoctor leaves in numbers.
    for code in 33..127u8 {
        text = text.replace(&format!("&#{code};"), &char::from(code).to_string());
    }
    let text = text.replace("&amp;", "&").replace('\u{1}', "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn prose_is_seen_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    for (markdown, expected) in SEEN {
        let guides = || vec![Guide { path: "prose.md", text: markdown }];
        let printed = |format| {
            let input = Input { title: "T", specs: Vec::new(), guides: guides(), backends: &[] };
            print(&input, format).unwrap().into_iter().find(|file| file.path.starts_with("guide/prose")).unwrap().text
        };
        let html = printed(Format::Html);
        let main = html.split("</header>\n").nth(2).unwrap().split("</main>").next().unwrap();
        assert_eq!(seen(main), expected, "HTML of {markdown:?}");

        fs::write(folder.path().join("prose.adoc"), printed(Format::AsciiDoc)).unwrap();
        let mut asciidoctor = Command::new("asciidoctor");
        asciidoctor.args(["--embedded", "--failure-level=WARN", "--out-file=-", "prose.adoc"]);
        let output = asciidoctor.current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{markdown:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(seen(&String::from_utf8_lossy(&output.stdout)), expected, "AsciiDoc of {markdown:?}");

        // Markdown is read back by the same reader, so it becomes the same page.
        let again = printed(Format::Markdown);
        let body = again.split_once("\n\n").unwrap().1;
        let input = Input {
            title: "T",
            specs: Vec::new(),
            guides: vec![Guide { path: "prose.md", text: body }],
            backends: &[],
        };
        let files = print(&input, Format::Html).unwrap();
        let html = &files.iter().find(|file| file.path.starts_with("guide/prose")).unwrap().text;
        let main = html.split("</header>\n").nth(2).unwrap().split("</main>").next().unwrap();
        assert_eq!(seen(main), expected, "Markdown of {markdown:?}:\n{again}");
    }
}

#[test]
fn asciidoc_has_the_encodings_that_instructions_have() {
    use lapis_cx_core::encoding::{Instruction, Profile};
    let files = files(Format::AsciiDoc);
    let page = &files["org.example.dsp/MulAcc.adoc"];
    let blocks: Vec<&str> =
        page.split("[wavedrom, ,svg]\n....\n").skip(1).map(|rest| rest.split("\n....").next().unwrap()).collect();
    // Eight instructions, two maps of state, and the status word.
    assert!(blocks.len() >= 10, "{page}");
    // Of the first one: what is fixed is the word of the instruction.
    let mut word = 0u32;
    let mut at = 0;
    for field in blocks[0].lines().filter(|line| line.starts_with("  {bits:")) {
        let bits: u32 = field.split("bits: ").nth(1).unwrap().split([',', '}']).next().unwrap().parse().unwrap();
        if let Some(name) = field.split("name: \"").nth(1).and_then(|rest| rest.split('"').next())
            && let Ok(value) = u32::from_str_radix(name, 2)
        {
            word |= value << at;
        }
        at += bits;
    }
    assert_eq!(at, 32);
    let mul = Instruction::R { function: 0, rd: 0, rs1: 0, rs2: 0 }.encode(Profile::DEFAULT).unwrap();
    assert_eq!(word, mul);
}
