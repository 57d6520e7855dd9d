//! The page of an interface: identity, commands, state, and how it is called.

use lapis_cx::backend::Usage;
use lapis_cx::contract::identity::uuid_auto;
use lapis_cx::contract::{Interface, Section as At, Sharing};
use lapis_cx::source::Span;

use super::types::at;
use super::{Site, command, docs, example, full_name, named, section, state, usage};
use crate::Spec;
use crate::document::{Block, Entry, Inline, Kind, Page, Target, code, text};
use crate::notation::{self, Names, Used};
use crate::prose;
use crate::sources::Declarations;

/// What the parts of the page share.
pub struct Of<'a> {
    pub site: &'a Site<'a>,
    pub interface: &'a Interface,
    /// The path of the page.
    pub path: String,
    pub bodies: Bodies<'a>,
    /// How programs use it, in each language that has a way.
    pub usages: Vec<Usage>,
}

/// Declarations with bodies, of an interface or of a package.
pub struct Bodies<'a> {
    /// At each XLEN.
    pub sections: &'a [At],
    pub declarations: &'a Declarations<'a>,
    /// What names in bodies mean.
    pub names: Names,
    /// Which operators bodies use.
    pub used: Used,
    pub entries: Vec<Entry>,
}

impl<'a> Bodies<'a> {
    /// None is shown yet.
    pub fn new(sections: &'a [At], declarations: &'a Declarations<'a>, names: Names) -> Self {
        Bodies { sections, declarations, names, used: Used::default(), entries: Vec::new() }
    }

    /// Remembers what can be found here.
    pub fn entry(&mut self, kind: &'static str, name: &str, anchor: &str, about: &str) {
        let summary = prose::summary(about);
        self.entries.push(Entry { name: name.to_owned(), kind, anchor: anchor.to_owned(), summary });
    }

    /// The text of a declaration, of which the contract has this span.
    pub fn declaration(&mut self, span: Span) -> Option<Block> {
        let node = self.declarations.at(span)?;
        Some(Block::Code(notation::declaration(node, &self.names, &mut self.used)))
    }
}

impl Of<'_> {
    /// Remembers what can be found here.
    pub fn entry(&mut self, kind: &'static str, name: &str, anchor: &str, about: &str) {
        self.bodies.entry(kind, name, anchor, about);
    }

    /// The sections of the interface, the widest first: what is shown once is shown of it.
    pub fn widest(&self) -> Option<&At> {
        self.interface.sections.last()
    }
}

/// The anchor of something with a name.
pub fn anchor(kind: &str, name: &str) -> String {
    format!("{kind}-{name}")
}

/// The page.
pub fn page(
    site: &Site<'_>,
    spec: &Spec<'_>,
    declarations: &Declarations<'_>,
    interface: &Interface,
    path: String,
) -> Page {
    let names = names(interface, &path);
    let usages = site.backends.iter().filter_map(|backend| backend.usage(interface)).collect();
    let bodies = Bodies::new(&interface.sections, declarations, names);
    let mut of = Of { site, interface, path, bodies, usages };
    let over = match interface {
        Interface { is_abstract: true, .. } => "abstract interface",
        Interface { uuid: Some(_), xintf: Some(_), .. } => "composable extension, and overloadable opcodes",
        Interface { xintf: Some(_), .. } => "overloadable opcodes",
        Interface { is_draft: true, .. } => "composable extension, draft",
        _ => "composable extension",
    };
    let mut blocks = docs(&interface.docs);
    let derived = interface.uuid.is_some() && interface.uuid == uuid_auto(&interface.hash);
    if interface.is_draft {
        blocks.push(Block::Note(vec![Block::Text(vec![text(if derived || interface.uuid.is_none() {
            "This is a draft: its contract may still change."
        } else {
            "This is a draft: under the same UUID its contract may still change."
        })])]));
    }
    blocks.push(Block::Facts(identity(&of, spec)));
    blocks.extend(usage::programs(&of));
    blocks.extend(command::commands(&mut of));
    blocks.extend(state::state(&mut of));
    blocks.extend(state::csrs(&mut of));
    blocks.extend(named::errors(&mut of));
    blocks.extend(named::enums(&mut of));
    blocks.extend(named::consts(&mut of.bodies));
    blocks.extend(named::functions(&mut of.bodies));
    blocks.extend(example::examples(&mut of));
    let intro = "These hold for all values, from reset: they are tried on edge cases and many random values.";
    blocks.extend(example::laws(&mut of.bodies, intro));
    blocks.extend(of.bodies.used.section());
    Page {
        path: of.path,
        kind: Kind::Interface,
        title: interface.name.clone(),
        over: format!("{} · {over}", interface.package),
        summary: prose::summary(&interface.docs),
        blocks,
        entries: of.bodies.entries,
    }
}

/// What the names of declarations lead to.
fn names(interface: &Interface, path: &str) -> Names {
    let mut names = Names::new();
    let mut add = |name: &str, anchor: String| {
        names.entry(name.to_owned()).or_insert_with(|| Target::anchor(path, anchor));
    };
    for section in &interface.sections {
        section.commands.iter().map(command_anchor).for_each(|name| add(name, anchor("command", name)));
        section.csrs.iter().for_each(|csr| add(&csr.name, anchor("csr", &csr.name)));
        section.enums.iter().for_each(|def| add(&def.name, anchor("enum", &def.name)));
        section.fns.iter().for_each(|function| add(&function.name, anchor("fn", &function.name)));
        // These stand in tables, which have one anchor.
        section.state.iter().flat_map(|state| &state.fields).for_each(|field| add(&field.name, "state".into()));
        section.errors.iter().for_each(|error| add(&error.name, "errors".into()));
        section.consts.iter().for_each(|constant| add(&constant.name, "constants".into()));
    }
    // A member of a family leads to the family.
    for command in interface.sections.iter().flat_map(|section| &section.commands) {
        let target = Target::anchor(path, anchor("command", command_anchor(command)));
        names.entry(command.name.clone()).or_insert(target);
    }
    names
}

/// What the anchor of a command is made of: its family's name, or its own.
pub fn command_anchor(command: &lapis_cx::contract::Command) -> &str {
    command.family.as_ref().map_or(command.name.as_str(), |(family, _)| family.as_str())
}

/// What the interface is called by people and machines.
fn identity(of: &Of<'_>, spec: &Spec<'_>) -> Vec<(String, Vec<Inline>)> {
    let interface = of.interface;
    let mut facts: Vec<(String, Vec<Inline>)> = vec![("Name".into(), vec![code(full_name(spec.contract, interface))])];
    if let Some(short) = &interface.short {
        facts.push(("Short name".into(), vec![code(short)]));
    }
    if let Some(long) = &interface.long_name {
        facts.push(("Long name".into(), vec![code(long)]));
    }
    if let Some(uuid) = interface.uuid {
        let mut said = vec![code(uuid.to_string())];
        if Some(uuid) == uuid_auto(&interface.hash) {
            said.push(text(", derived from the contract"));
        }
        facts.push(("UUID".into(), said));
    }
    if let Some(xintf) = interface.xintf {
        let ids = [
            code(format!("{:#07x}", xintf.id20)),
            text(", "),
            code(format!("{:#015x}", xintf.id52)),
            text(" of 52 bits"),
        ];
        facts.push(("xintf id".into(), ids.into()));
    }
    if !interface.is_abstract {
        facts.push(("Contract".into(), vec![code(format!("cx1:sha256:{}", interface.hash))]));
    }
    let xlens: Vec<_> = interface.sections.iter().map(|section| section.xlen).collect();
    facts.push(("Registers".into(), vec![text(at(&xlens))]));
    let state = of.widest().and_then(|section| section.state.as_ref());
    let sharing = match state {
        None => vec![text("none")],
        Some(state) => vec![text(sharing(state.sharing).0)],
    };
    facts.push(("State".into(), sharing));
    if interface.state_context {
        facts.push(("Inherits".into(), vec![of.site.link("cx.std", "IStateContext")]));
    }
    facts.push(("Source".into(), vec![code(spec.name)]));
    facts
}

/// How state is shared, in a word and in a sentence (CX API, "CX state isolation models").
pub fn sharing(sharing: Sharing) -> (&'static str, &'static str) {
    match sharing {
        Sharing::Exclusive => ("exclusive", "Each open has a state of its own."),
        Sharing::CallerSave => (
            "shared, caller saves",
            "All opens on a thread share one state. Who calls a library saves what it still needs.",
        ),
        Sharing::CalleeSave => (
            "shared, callee saves",
            "All opens on a thread share one state. A library that is called saves what it changes, and restores it.",
        ),
        Sharing::AlwaysInit => {
            ("shared, always initialised", "All opens on a thread share one state. Each use starts by initialising it.")
        }
        Sharing::Custom => (
            "shared, in its own way",
            "All opens on a thread share one state. The functions below say which words of it are live, and so saved and \
             restored.",
        ),
    }
}

/// A part of the page, if it says anything.
pub fn part(id: &str, title: &str, blocks: Vec<Block>) -> Option<Block> {
    (!blocks.is_empty()).then(|| section(2, id, title, blocks))
}
