//! Every declaration of a library gets its id, before anything that refers to others is looked at.

use crate::contract::EnumId;
use crate::contract::library::{
    CallbackId, Code, FunctionId, HandleId, NamedType, Resource, ResourceId, ResourceKind, StructId, TypeId,
};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{library as codes, names as name_codes};
use crate::source::Span;
use crate::syntax::{Kind, Node};

use super::Lib;
use super::table;
use crate::analyze::checker::{Decl, Home, Symbol as ItemSymbol};
use crate::analyze::identity::unquoted;
use crate::analyze::names;

/// What a name of a library is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol<'t> {
    pub(super) meaning: Meaning<'t>,
    pub(super) span: Span,
}

/// The kinds of declarations.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning<'t> {
    Enum(Option<EnumId>),
    Struct(StructId),
    Handle(HandleId),
    Callback(CallbackId),
    Function(FunctionId),
    Type(TypeId, Node<'t>),
    Resource(ResourceId),
    Const(Decl<'t>),
    Fn(Decl<'t>),
}

impl Meaning<'_> {
    /// With its article.
    pub(super) fn what(&self) -> &'static str {
        match self {
            Meaning::Enum(_) => "an enum",
            Meaning::Struct(_) => "a struct",
            Meaning::Handle(_) => "a handle",
            Meaning::Callback(_) => "a callback",
            Meaning::Function(_) => "a function of the library",
            Meaning::Type(..) => "a type",
            Meaning::Resource(_) => "a resource",
            Meaning::Const(_) => "a constant",
            Meaning::Fn(_) => "a function of the language",
        }
    }
}

/// The declarations with bodies, in the order of their ids.
#[derive(Default)]
pub(super) struct Parts<'t> {
    pub(super) structs: Vec<Node<'t>>,
    pub(super) handles: Vec<Part<'t>>,
    pub(super) callbacks: Vec<Part<'t>>,
    pub(super) functions: Vec<Part<'t>>,
    pub(super) types: Vec<Node<'t>>,
    pub(super) metadata: Vec<Node<'t>>,
}

/// A declaration, and the bodies around it: the library, then groups, outermost first.
#[derive(Clone)]
pub(super) struct Part<'t> {
    pub(super) node: Node<'t>,
    pub(super) around: Vec<Node<'t>>,
}

/// The members of functions and interfaces live in the library's own scope.
pub(super) const HOME: Home = Home { file: 0, member: true };

impl<'t> Lib<'_, 't> {
    /// Declares everything below the library, groups included.
    pub(super) fn declare(&mut self, library: Node<'t>) -> Parts<'t> {
        let mut parts = Parts::default();
        let mut enums = Vec::new();
        self.declare_body(library, &mut vec![library], &mut parts, &mut enums);
        // Enums come first in each section, so that their ids are the same in all.
        for decl in enums {
            let ids: Vec<_> = self.checkers.iter_mut().map(|checker| checker.enum_id(decl)).collect();
            let id = ids.first().copied().flatten().filter(|id| ids.iter().all(|other| *other == Some(*id)));
            if let Some(symbol) = self.symbols.get_mut(decl.node.name().text())
                && symbol.span == decl.node.name().span()
            {
                symbol.meaning = Meaning::Enum(id);
            }
        }
        for (_, decl) in self.all_of(|meaning| match meaning {
            Meaning::Const(decl) => Some(*decl),
            _ => None,
        }) {
            for checker in &mut self.checkers {
                checker.const_value(decl);
            }
        }
        for (_, decl) in self.all_of(|meaning| match meaning {
            Meaning::Fn(decl) => Some(*decl),
            _ => None,
        }) {
            if !decl.node.has(Kind::generics) {
                self.fn_use(decl);
            }
        }
        parts
    }

    /// Declarations of a kind, in the order of the text.
    fn all_of<T>(&self, pick: impl Fn(&Meaning<'t>) -> Option<T>) -> Vec<(Span, T)> {
        let mut all: Vec<_> = self.symbols.values().filter_map(|s| Some((s.span, pick(&s.meaning)?))).collect();
        all.sort_by_key(|(span, _)| span.start);
        all
    }

    fn declare_body(
        &mut self,
        body: Node<'t>,
        around: &mut Vec<Node<'t>>,
        parts: &mut Parts<'t>,
        enums: &mut Vec<Decl<'t>>,
    ) {
        for node in body.children() {
            match node.kind() {
                Kind::group_item => {
                    around.push(node);
                    self.declare_body(node, around, parts, enums);
                    around.pop();
                }
                Kind::bad_part | Kind::stray_clauses => self.broken.extend(declared_in(node)),
                Kind::utility_item => {
                    if let Some(code) = node.child(Kind::code) {
                        self.utilities.push(code.text());
                        let code = self.code(code);
                        self.library.utilities.push(code);
                    }
                }
                Kind::metadata_item => parts.metadata.push(node),
                _ => {
                    let decl = Decl { node, home: HOME };
                    if node.kind() == Kind::enum_item {
                        enums.push(decl);
                    }
                    if let Some(meaning) = self.meaning_of(node, around, parts) {
                        self.declare_name(node, meaning);
                    }
                }
            }
        }
    }

    /// Gives a declaration its id and a place in its table; what it holds comes later.
    fn meaning_of(&mut self, node: Node<'t>, around: &[Node<'t>], parts: &mut Parts<'t>) -> Option<Meaning<'t>> {
        let part = || Part { node, around: around.to_vec() };
        let decl = Decl { node, home: HOME };
        Some(match node.kind() {
            Kind::enum_item => Meaning::Enum(None),
            Kind::const_item => Meaning::Const(decl),
            Kind::fn_item => Meaning::Fn(decl),
            Kind::struct_item => {
                parts.structs.push(node);
                Meaning::Struct(StructId(parts.structs.len() as u32 - 1))
            }
            Kind::handle_item => {
                parts.handles.push(part());
                Meaning::Handle(HandleId(parts.handles.len() as u32 - 1))
            }
            Kind::callback_item => {
                parts.callbacks.push(part());
                Meaning::Callback(CallbackId(parts.callbacks.len() as u32 - 1))
            }
            Kind::func_item => {
                parts.functions.push(part());
                Meaning::Function(FunctionId(parts.functions.len() as u32 - 1))
            }
            Kind::type_item => {
                parts.types.push(node);
                let params = node.child(Kind::type_params);
                self.library.types.push(NamedType {
                    name: node.name().text().to_owned(),
                    docs: node.docs(),
                    params: params
                        .into_iter()
                        .flat_map(|p| p.children_of(Kind::ident))
                        .map(|p| p.text().to_owned())
                        .collect(),
                    span: node.name().span(),
                });
                Meaning::Type(TypeId(parts.types.len() as u32 - 1), node)
            }
            Kind::resource_item => {
                let mut words = node.children_of(Kind::ident);
                let (kind, name) = (words.next()?, words.next()?);
                let kind = match kind.text() {
                    "rate" => ResourceKind::Rate,
                    "store" => ResourceKind::Store,
                    other => {
                        let message = format!("there is no resource of kind `{other}`");
                        self.report(
                            Diagnostic::error(&codes::RESOURCE, message, kind.span(), "expected `rate` or `store`")
                                .help("a rate is used up over time, a store is taken and given back"),
                        );
                        self.broken.insert(name.text());
                        return None;
                    }
                };
                self.library.resources.push(Resource {
                    name: name.text().to_owned(),
                    docs: node.docs(),
                    kind,
                    span: name.span(),
                });
                Meaning::Resource(ResourceId(self.library.resources.len() as u32 - 1))
            }
            _ => return None,
        })
    }

    fn declare_name(&mut self, node: Node<'t>, meaning: Meaning<'t>) {
        let name = match node.kind() {
            Kind::resource_item => node.children_of(Kind::ident).nth(1).unwrap_or(node),
            _ => node.name(),
        };
        if name.is_broken() {
            return;
        }
        let is_type = matches!(
            meaning,
            Meaning::Enum(_) | Meaning::Struct(_) | Meaning::Handle(_) | Meaning::Callback(_) | Meaning::Type(..)
        );
        if table::RESERVED.contains(&name.text()) || is_type && table::type_names().any(|t| t == name.text()) {
            // `callback void F(…)` is no declaration of `void`, and its head was complained about.
            if !node.has(Kind::bad_head) {
                let diagnostic = names::built_in(name);
                self.report(match node.kind() {
                    Kind::func_item | Kind::callback_item | Kind::handle_item | Kind::struct_item => {
                        diagnostic.help(format!(
                            "choose another name, and write the name in C behind it: `c_{0} = \"{0}\"`",
                            name.text()
                        ))
                    }
                    _ => diagnostic,
                });
            }
            self.broken.insert(name.text());
            return;
        }
        let first = self.symbols.get(name.text()).map(|s| (s.span, s.meaning.what()));
        let item = self.world.lookup(0, name.text()).map(|item| (item.node.name().span(), "an item of the file"));
        if let Some((span, what)) = first.or(item) {
            let message = format!("the name `{}` is taken", name.text());
            let diagnostic = Diagnostic::error(&name_codes::DUPLICATE, message, name.span(), "cannot be used again");
            self.report(
                diagnostic
                    .label(span, format!("{what} of this name"))
                    .help("the declarations of a library share one name space; groups only gather them"),
            );
            // Who uses it in the library means this one, rather than an item around it: one mistake is said once.
            if first.is_some() {
                return;
            }
        }
        self.symbols.insert(name.text(), Symbol { meaning, span: name.span() });
        let symbol = match meaning {
            Meaning::Const(decl) => ItemSymbol::Const(decl),
            Meaning::Fn(decl) => ItemSymbol::Fn(decl),
            Meaning::Enum(_) => ItemSymbol::Enum(Decl { node, home: HOME }),
            other => ItemSymbol::Other(other.what()),
        };
        for checker in &mut self.checkers {
            checker.members.insert(name.text(), (symbol, name.span()));
        }
    }

    /// Text of another language; C is the only one that is known.
    pub(super) fn code(&mut self, node: Node<'t>) -> Code {
        let language = node.name();
        if language.text() != "c" {
            let message = format!("the language `{}` is not known", language.text());
            self.report(
                Diagnostic::error(&codes::CODE, message, language.span(), "not known")
                    .help("write C text as `c\"\"\"…\"\"\"`"),
            );
        }
        let text = node.child(Kind::raw_string).map_or("", |raw| raw.text());
        let text = text.strip_prefix("\"\"\"").unwrap_or(text);
        Code {
            language: language.text().to_owned(),
            text: text.strip_suffix("\"\"\"").unwrap_or(text).to_owned(),
            span: node.span(),
        }
    }
}

impl<'t> Lib<'_, 't> {
    /// The spelling in C that a declaration gives: what may stand in it are letters, digits and these marks.
    pub(super) fn spelling(&mut self, node: Node<'t>, marks: &str) -> Option<String> {
        let string = node.child(Kind::spelling).and_then(|s| s.child(Kind::string))?;
        self.spelled(string, marks)
    }

    /// A spelling in C.
    pub(super) fn spelled(&mut self, string: Node<'t>, marks: &str) -> Option<String> {
        let text = unquoted(string);
        let is_right = |c: char| c.is_ascii_alphanumeric() || marks.contains(c);
        if !text.is_empty() && text.chars().all(is_right) {
            return Some(text);
        }
        let message = format!("{} cannot be spelled like this in C", string.text());
        let label = format!("letters, digits and `{}`", marks.trim());
        self.report(Diagnostic::error(&codes::BINDING, message, string.span(), label));
        None
    }
}

/// Marks in the name of a function.
pub(super) const NAME_MARKS: &str = "_";
/// Marks in what names a member of a struct, which may lie in another one.
pub(super) const MEMBER_MARKS: &str = "_.[]";
/// Marks in a type.
pub(super) const TYPE_MARKS: &str = " _*()[],.";

/// The names that parts which could not be read would have declared.
fn declared_in<'t>(bad: Node<'t>) -> Vec<&'t str> {
    const KEYWORDS: [&str; 11] =
        ["func", "callback", "struct", "union", "handle", "type", "rate", "store", "enum", "const", "fn"];
    let words: Vec<_> = bad.leaves().filter(|l| !l.is_trivia()).collect();
    words
        .windows(2)
        .filter_map(|pair| match pair {
            [keyword, name] if KEYWORDS.contains(&keyword.text()) && name.kind() == Kind::ident => Some(name.text()),
            _ => None,
        })
        .collect()
}
