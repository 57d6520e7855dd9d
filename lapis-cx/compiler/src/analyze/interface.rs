//! Interfaces: clauses, bases, members, and one section per XLEN.

use std::collections::HashSet;

use crate::contract::{FieldId, Interface, Section, Semantics, Standard};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{interface as codes, names as name_codes};
use crate::source::Span;
use crate::syntax::{Kind, Node};

use super::checker::{Checker, Decl, Home, Symbol};
use super::identity::Clauses;
use super::join_findings;
use super::names;
use super::refines::Refined;
use super::world::{Item, World, package_of};

/// The members of an interface in the order they count: those of its bases first.
#[derive(Default)]
pub(super) struct Members<'t> {
    pub(super) decls: Vec<Decl<'t>>,
    pub(super) state_context: Option<Decl<'t>>,
    /// Constants that bases leave open, or the interface itself if it is abstract.
    open: Vec<Decl<'t>>,
    /// Interfaces that were gathered: one that is reached by two ways is copied once.
    gathered: HashSet<Span>,
    /// Whether a base is missing.
    incomplete: bool,
}

/// The longest line of bases of bases.
const MAX_BASES: usize = 64;

/// Resolves one interface. `None` if not even its sections can be made.
pub(super) fn interface<'t>(world: &World<'t>, item: Item<'t>, found: &mut Vec<Diagnostic>) -> Option<Interface> {
    let node = item.node;
    let clauses = Clauses::read(node, found);
    let before = found.len();
    let mut members = Members::default();
    collect(world, item, &mut Vec::new(), &mut members, found);
    let modifiers: Vec<_> = node.children_of(Kind::modifier).map(|m| m.text()).collect();
    let package = world.file(item.file).package.clone();
    let name = node.name().text().to_owned();
    let mut interface = Interface {
        long_name: clauses.long_name.clone(),
        short: clauses.short.clone(),
        docs: node.docs(),
        is_abstract: modifiers.contains(&"abstract"),
        is_draft: modifiers.contains(&"draft"),
        uuid: None,
        xintf: None,
        hash: String::new(),
        state_context: members.state_context.is_some(),
        sections: Vec::new(),
        span: node.name().span(),
        package,
        name,
    };
    let missing = members.take_open();
    if interface.is_abstract {
        super::identity::none(node, &interface.name, found);
        if !missing.is_empty() || members.wait_for_state() {
            // Nothing in it has a meaning before an heir gives the constants or the state; the heirs check it.
            return Some(interface);
        }
    }
    for open in missing {
        let (name, constant) = (node.name(), open.node.name());
        if node.children().any(|n| n == open.node) {
            found.push(super::constant::without_value(open.node));
            continue;
        }
        found.push(
            Diagnostic::error(
                &name_codes::OPEN_CONSTANT,
                format!("`{}` does not give the constant `{}`", name.text(), constant.text()),
                name.span(),
                "must give it, as it is not abstract",
            )
            .label(constant.span(), "left open here")
            .help(format!("add `const {} = …;`", constant.text())),
        );
    }
    let refined = super::refines::refined(world, node, &members, found);
    let mut by_xlen = Vec::new();
    for xlen in &clauses.xlens {
        let mut here = Vec::new();
        interface.sections.push(section(world, *xlen, node, &members, &refined, &mut here));
        by_xlen.push((*xlen, here));
    }
    found.extend(join_findings(by_xlen));
    let broken = members.incomplete || world.is_any_broken() || found.iter().skip(before).any(Diagnostic::is_error);
    clauses.apply(&mut interface, node, broken, found);
    if !interface.is_abstract {
        super::lints::lints(&interface, found);
    }
    Some(interface)
}

impl<'t> Members<'t> {
    /// Whether something in them needs state, and none is there.
    fn wait_for_state(&self) -> bool {
        let has = |kind| self.decls.iter().any(|decl| decl.node.kind() == kind);
        let needs = has(Kind::error_item) || self.state_context.is_some() && !self.decls.is_empty();
        needs && !has(Kind::state_item)
    }

    /// Moves the open constants that have a value too out of the way, and gives those that have none.
    pub(super) fn take_open(&mut self) -> Vec<Decl<'t>> {
        let is_const = |d: &Decl<'t>| d.node.kind() == Kind::const_item;
        let given: HashSet<&str> = self
            .decls
            .iter()
            .filter(|d| is_const(d) && d.node.expr().is_some())
            .map(|d| d.node.name().text())
            .collect();
        let (open, decls) = std::mem::take(&mut self.decls).into_iter().partition(|d| {
            // A value that could not be read is not left open.
            is_const(d) && d.node.expr().is_none() && !d.node.is_broken()
        });
        (self.open, self.decls) = (open, decls);
        self.open.iter().filter(|d| !given.contains(d.node.name().text())).copied().collect()
    }
}

/// Gathers members, bases first. `path` holds the interfaces on the way here, to find circles.
pub(super) fn collect<'t>(
    world: &World<'t>,
    item: Item<'t>,
    path: &mut Vec<Node<'t>>,
    members: &mut Members<'t>,
    found: &mut Vec<Diagnostic>,
) {
    path.push(item.node);
    let bases = item.node.child(Kind::bases);
    for base in bases.into_iter().flat_map(|b| b.children_of(Kind::path)) {
        let Some(target) = world.lookup_path(item.file, base) else {
            members.incomplete = true;
            if !base.has(Kind::qname) && world.is_broken(item.file, base.name().text()) {
                continue;
            }
            found.push(
                Diagnostic::error(
                    &name_codes::UNKNOWN_NAME,
                    format!("there is no interface `{}`", base.text().split_whitespace().collect::<String>()),
                    base.span(),
                    "not found here",
                )
                .help(match world.package_with(base.name().text()) {
                    _ if base.text().contains(char::is_whitespace) => {
                        "`package:Interface` names one of a package; several bases are listed with commas".to_owned()
                    }
                    Some(package) if !base.has(Kind::qname) => {
                        format!("import it: `use {package}:{};`", base.name().text())
                    }
                    _ => "import it with `use package.name:Interface;`".to_owned(),
                }),
            );
            continue;
        };
        members.incomplete |= target.node.kind() != Kind::interface || target.node.is_broken();
        if target.node.kind() != Kind::interface {
            found.push(Diagnostic::error(
                &codes::BASE,
                format!("`{}` is not an interface", base.text()),
                base.span(),
                "cannot be a base",
            ));
            continue;
        }
        if path.contains(&target.node) {
            found.push(
                Diagnostic::error(
                    &name_codes::CYCLE,
                    format!("`{}` inherits from itself", target.node.name().text()),
                    base.span(),
                    "leads back to it",
                )
                .help("remove one of the bases in the circle"),
            );
            continue;
        }
        if path.len() > MAX_BASES {
            let message = format!("more than {MAX_BASES} bases one above the other");
            found.push(Diagnostic::error(&codes::BASE, message, base.span(), "one too many"));
            continue;
        }
        if !members.gathered.insert(target.node.span()) {
            continue;
        }
        if is_state_context(world, target) {
            members.state_context = Some(Decl { node: target.node, home: Home { file: target.file, member: true } });
        } else {
            collect(world, target, path, members, found);
        }
    }
    for second in item.node.children_of(Kind::state_item).skip(1) {
        let at = second.child(Kind::kw_state).unwrap_or(second).span();
        found.push(
            Diagnostic::error(&codes::STATE, "an interface has one state block", at, "a second one")
                .help("put all fields into one block"),
        );
    }
    let home = Home { file: item.file, member: true };
    if path.len() == 1 && is_state_context(world, item) {
        members.state_context = Some(Decl { node: item.node, home });
    } else {
        members.decls.extend(item.node.children().map(|node| Decl { node, home }));
    }
    path.pop();
}

/// Whether an item is `cx.std:IStateContext`, whose bodies come from the heir's state.
fn is_state_context(world: &World<'_>, item: Item<'_>) -> bool {
    item.node.name().text() == "IStateContext" && package_of(world.file(item.file).tree) == "cx.std"
}

/// The standard function of a command of `IStateContext`.
pub(super) fn standard(name: &str) -> Option<Standard> {
    Some(match name {
        "read_status" => Standard::ReadStatus,
        "write_status" => Standard::WriteStatus,
        "read_state" => Standard::ReadState,
        "write_state" => Standard::WriteState,
        _ => return None,
    })
}

/// An interface at one XLEN.
pub(super) fn section<'t>(
    world: &World<'t>,
    xlen: u32,
    node: Node<'t>,
    members: &Members<'t>,
    refined: &[Refined<'t>],
    found: &mut Vec<Diagnostic>,
) -> Section {
    let mut checker = Checker::new(world, xlen);
    checker.declare_members(members);
    // Constants and enums first: everything else may name them, and only those named would be found otherwise.
    for decl in &members.decls {
        match decl.node.kind() {
            Kind::const_item => {
                checker.const_value(*decl);
            }
            Kind::enum_item => {
                checker.enum_id(*decl);
            }
            _ => {}
        }
    }
    checker.errors(members);
    checker.state(members);
    if members.state_context.is_some() && checker.section.state.is_none() && !members.decls.is_empty() {
        let span = node.child(Kind::bases).unwrap_or(node.name()).span();
        checker.report(
            Diagnostic::error(&codes::STATE, "a state context without state", span, "inherits `IStateContext`")
                .help("add a `state` block, or remove the base"),
        );
    }
    let bodies = checker.commands(members);
    for decl in &members.decls {
        if decl.node.kind() == Kind::fn_item && !decl.node.has(Kind::generics) {
            checker.instance(*decl, Vec::new(), None);
        }
    }
    checker.live(members);
    checker.csrs(members);
    for body in bodies {
        checker.command_body(body);
    }
    for decl in &members.decls {
        match decl.node.kind() {
            Kind::example => checker.example(*decl),
            Kind::law => checker.law(*decl),
            _ => {}
        }
    }
    refined.iter().for_each(|refined| checker.refinement(refined));
    found.append(&mut checker.found);
    super::prune::prune(&mut checker.section);
    checker.section
}

impl<'t> Checker<'_, 't> {
    /// Enters the names of all members but commands, whose names may depend on constants.
    fn declare_members(&mut self, members: &Members<'t>) {
        let mut fields = 0;
        for decl in &members.decls {
            let symbol = match decl.node.kind() {
                Kind::state_item => {
                    for field in decl.node.children_of(Kind::state_field) {
                        self.declare_member(field.name(), Symbol::Field(FieldId(fields)));
                        fields += 1;
                    }
                    for field in decl.node.children_of(Kind::bad_field) {
                        for name in names::declared_in(field) {
                            self.members.entry(name).or_insert((Symbol::Broken, field.span()));
                        }
                    }
                    continue;
                }
                Kind::const_item => Symbol::Const(*decl),
                Kind::fn_item => Symbol::Fn(*decl),
                Kind::enum_item => Symbol::Enum(*decl),
                Kind::law => Symbol::Other("a law"),
                Kind::csr_item => Symbol::Csr,
                Kind::bad_member => {
                    for name in names::declared_in(decl.node) {
                        self.members.entry(name).or_insert((Symbol::Broken, decl.node.span()));
                    }
                    continue;
                }
                _ => continue,
            };
            let name = decl.node.name();
            if names::is_built_in(name.text(), matches!(symbol, Symbol::Enum(_) | Symbol::Fn(_))) {
                self.report(names::built_in(name));
            }
            self.declare_member(name, symbol);
        }
        for open in &members.open {
            let name = open.node.name();
            self.open.insert(name.text(), *open);
            // One that nobody gives was complained about.
            self.members.entry(name.text()).or_insert((Symbol::Broken, name.span()));
        }
    }

    /// Enters a member; interface members share one name space.
    pub(super) fn declare_member(&mut self, at: Node<'t>, symbol: Symbol<'t>) {
        let text = at.text();
        if let Some((_, span)) = self.family_names.get(text) {
            let found = Diagnostic::error(
                &name_codes::DUPLICATE,
                format!("the name `{text}` is taken"),
                at.span(),
                "cannot be used again",
            )
            .label(*span, "this family has a member of this name")
            .help("a member is named by its family and its index");
            self.report(found);
            return;
        }
        if let Some((first, span)) = self.members.get(text) {
            let found = Diagnostic::error(
                &name_codes::DUPLICATE,
                format!("the name `{text}` is taken"),
                at.span(),
                "cannot be used again",
            )
            .label(*span, format!("{} of this name", first.what()))
            .help("members of an interface, inherited ones included, share one name space");
            self.report(found);
            return;
        }
        if let Some((what, span)) = self.hidden_item(at, text) {
            let found = Diagnostic::error(
                &name_codes::DUPLICATE,
                format!("the name `{text}` is taken"),
                at.span(),
                "would hide it",
            )
            .label(span, format!("{what} of this name"))
            .help("rename one: a member of an interface hides nothing of its file");
            self.report(found);
        }
        self.members.insert(text, (symbol, at.span()));
    }

    /// A constant or function that `name`, declared at `at`, would hide in its file.
    pub(super) fn hidden_item(&self, at: Node<'t>, name: &str) -> Option<(&'static str, Span)> {
        let item = self.world.lookup_beside(at, name)?;
        let what = match item.node.kind() {
            Kind::const_item => "a constant",
            Kind::fn_item => "a function",
            _ => return None,
        };
        Some((what, item.node.name().span()))
    }

    fn errors(&mut self, members: &Members<'t>) {
        let mut errors: Vec<(crate::contract::ErrorDef, Node<'t>)> = Vec::new();
        for decl in members.decls.iter().filter(|d| d.node.kind() == Kind::error_item) {
            let (node, name) = (decl.node, decl.node.name());
            if ["ok", "cxu", "state", "off", "func", "op", "custom"].contains(&name.text()) {
                self.report(
                    Diagnostic::error(
                        &codes::ERROR_CODE,
                        format!("`{}` names a response of every CXU", name.text()),
                        name.span(),
                        "cannot be declared",
                    )
                    .help("choose another name; `raise op` needs no declaration"),
                );
                self.declare_member(name, Symbol::Broken);
                continue;
            }
            let Some(code_node) = node.child(Kind::int) else { continue };
            let code = super::literal::literal(code_node).ok().and_then(|t| t.int()).and_then(|v| v.to_u32());
            let Some(code) = code.filter(|c| (1..=255).contains(c)) else {
                self.error(&codes::ERROR_CODE, code_node, "an error code is 1 to 255", "out of range");
                self.declare_member(name, Symbol::Broken);
                continue;
            };
            if let Some((first, _)) = errors.iter().find(|(e, _)| u32::from(e.code) == code) {
                let found = Diagnostic::error(
                    &codes::ERROR_CODE,
                    format!("error code {code} is used twice"),
                    code_node.span(),
                    "used again here",
                )
                .label(first.span, format!("`{}` has it", first.name))
                .help("give each error its own code");
                self.report(found);
                self.declare_member(name, Symbol::Broken);
                continue;
            }
            let message = node.child(Kind::string).map(|s| s.text().trim_matches('"').to_owned());
            let def = crate::contract::ErrorDef {
                name: name.text().to_owned(),
                code: code as u8,
                message,
                docs: node.docs(),
                span: name.span(),
            };
            errors.push((def, name));
        }
        errors.sort_by_key(|(e, _)| e.code);
        let has_state = members.decls.iter().any(|d| d.node.kind() == Kind::state_item);
        if let (Some((first, _)), false) = (errors.first(), has_state) {
            self.report(
                Diagnostic::error(&codes::LATENT_ERROR, "a declared error needs state", first.span, "declared here")
                    .note("its code is kept in the status word of a state context")
                    .help("add a `state` block, or raise `op`, which needs no declaration"),
            );
        }
        for (i, (def, name)) in errors.into_iter().enumerate() {
            self.declare_member(name, Symbol::Error(crate::contract::ErrorId(i as u32)));
            self.section.errors.push(def);
        }
    }

    /// What a command of `IStateContext` does.
    pub(super) fn standard_semantics(&self, name: &str) -> Semantics {
        standard(name).map_or(Semantics::Opaque, Semantics::Standard)
    }
}
