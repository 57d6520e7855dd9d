//! The analysis of one interface (or of a package's own functions) at one XLEN.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::contract::core::{Local, LocalId, Type};
use crate::contract::library::FunctionId;
use crate::contract::library::place::Place;
use crate::contract::{CommandId, ConstId, EnumId, ErrorId, FieldId, FnId, Interface, Section};
use crate::diagnostic::catalogue::{names as codes, syntax, types};
use crate::diagnostic::{Code, Diagnostic, Entry};
use crate::int::Int;
use crate::source::Span;
use crate::syntax::{Kind, Node};

use super::foreign::ForeignFunction;
use super::names;
use super::typed::{self, Ty};
use super::world::World;

/// How deeply expressions, blocks, calls and constants may nest together. At worst this takes 1.25 MB
/// of stack in a build without optimisation; a thread has 2 MB.
const MAX_NESTING: u32 = 256;

/// A declaration and where the names inside it are looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decl<'t> {
    pub(super) node: Node<'t>,
    pub(super) home: Home,
}

/// Where names are looked up: in the interface first, if the text stands in one, then in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Home {
    pub(super) file: usize,
    pub(super) member: bool,
}

/// What a name means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol<'t> {
    Const(Decl<'t>),
    Fn(Decl<'t>),
    Enum(Decl<'t>),
    Field(FieldId),
    Command(CommandId),
    /// In [`Section::csrs`] by its name, unless it was wrong.
    Csr,
    Error(ErrorId),
    /// A command of the other XLEN only.
    Elsewhere(u32),
    /// A law or another thing that has a name but no use in a body; in words.
    Other(&'static str),
    /// Its declaration was wrong, and that was said; whatever is done with it is right.
    Broken,
}

/// A constant being or having been evaluated.
pub(super) enum ConstState {
    Running,
    /// `None` if it was wrong.
    Done(Option<Constant>),
}

/// An evaluated constant.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    /// Its type as written or found.
    pub(super) ty: Ty,
    /// Its value, if it is a scalar.
    pub(super) value: Option<Int>,
    /// Its place in the section, if it is an array.
    pub(super) table: Option<ConstId>,
}

/// A function instance by the place of its declaration and the values of its generics.
pub(super) type FnKey = (Span, Vec<u32>);

/// See the module.
pub(super) struct Checker<'w, 't> {
    pub(super) world: &'w World<'t>,
    pub(super) xlen: u32,
    pub(super) section: Section,
    /// Members of the interface, inherited ones included.
    pub(super) members: HashMap<&'t str, (Symbol<'t>, Span)>,
    /// Members of command families, whose names stand nowhere in the source.
    pub(super) family_names: HashMap<String, (Symbol<'t>, Span)>,
    /// Families whose range is wrong: any member may be meant to exist.
    pub(super) broken_families: HashSet<&'t str>,
    pub(super) consts: HashMap<Span, ConstState>,
    pub(super) fns: HashMap<FnKey, Option<FnId>>,
    /// Per function instance: how many calls are below it, one in another.
    pub(super) call_heights: Vec<u32>,
    /// Functions being checked, outermost first, each with its calls below as far as known.
    pub(super) running: Vec<(FnKey, u32)>,
    pub(super) enums: HashMap<Span, Option<EnumId>>,
    /// Constants that an abstract base leaves open, by name; an heir gives their values.
    pub(super) open: HashMap<&'t str, Decl<'t>>,
    /// Interfaces that bodies use, by the place where they are named; `None` if there is no such interface.
    pub(super) interfaces: HashMap<Span, Option<Rc<Interface>>>,
    /// The functions of the library at hand, which its bodies may call.
    pub(super) foreign: Rc<HashMap<&'t str, ForeignFunction>>,
    /// How deeply expressions, blocks and what they need are nested at this point.
    depth: u32,
    pub(super) found: Vec<Diagnostic>,
    /// What was found before: members of a family and instances of a function find the same again and again.
    seen: HashSet<(Code, Option<Span>)>,
    /// How many findings there were, those seen before counted.
    pub(super) complaints: u32,
}

/// What kind of body is being checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// No statements: a constant, a width, a bound.
    Const,
    Fn,
    Command,
    /// A field of a CSR: an expression that may read state.
    Csr,
    Example,
    Law,
    /// The body of a library's function.
    Impl,
}

/// A local and what the checker knows of it beyond its type.
#[derive(Clone, Debug)]
pub(super) struct LocalInfo {
    pub(super) ty: Ty,
    pub(super) mutable: bool,
    /// What to call it in a message.
    pub(super) what: &'static str,
    pub(super) span: Span,
}

/// The body being checked: its locals and what is allowed in it.
pub(super) struct Frame<'t> {
    pub(super) kind: BodyKind,
    pub(super) home: Home,
    pub(super) result: Option<Type>,
    pub(super) locals: Vec<Local>,
    pub(super) infos: Vec<LocalInfo>,
    /// Visible locals, innermost scope last; `None` marks a local that could not be declared.
    pub(super) scopes: Vec<HashMap<&'t str, NameInBody>>,
    pub(super) generics: HashMap<&'t str, Generic>,
    /// A `match` lacks arms, and that was said: nobody knows whether it would have ended the body.
    pub(super) uncertain: bool,
    /// The `with`s of the body so far.
    pub(super) contexts: Vec<Context>,
    /// The functions of the library that were called, and where.
    pub(super) calls: Vec<(FunctionId, Span)>,
    /// In how many ways the `with`s around can go.
    pub(super) ways: usize,
    /// In the body of a library's function its parameters, which it may pass on.
    pub(super) passed: Vec<Place>,
}

/// A `with` of a body.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    /// The interfaces that are tried, at the XLEN at hand. Empty if one of them is not known.
    pub(super) interfaces: Vec<Rc<Interface>>,
    /// The commands that were issued.
    pub(super) commands: Vec<String>,
    pub(super) has_else: bool,
}

/// A generic of a function or the index of a command family, in one instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Generic {
    pub(super) value: u32,
    span: Span,
    what: &'static str,
}

/// What a name inside a body stands for.
#[derive(Clone, Debug)]
pub(super) enum NameInBody {
    Local(LocalId),
    /// `let n = 5;`: an unsized constant is no local.
    Alias(Int, Span),
    /// `with Interface as m`: position in [`Frame::contexts`].
    Context(usize, Span),
    /// A parameter of a library's function that a body can pass on only: its position, and why.
    Passed(u32, &'static str),
    /// Its declaration was wrong, and that was said.
    Broken,
}

impl<'t> Frame<'t> {
    pub(super) fn new(kind: BodyKind, home: Home) -> Frame<'t> {
        Frame {
            kind,
            home,
            result: None,
            locals: Vec::new(),
            infos: Vec::new(),
            scopes: vec![HashMap::new()],
            generics: HashMap::new(),
            uncertain: false,
            contexts: Vec::new(),
            calls: Vec::new(),
            ways: 1,
            passed: Vec::new(),
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<&NameInBody> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Gives a generic of a signature a value; of two values the larger counts.
    pub(super) fn raise_generic(&mut self, name: Node<'t>, value: u32) {
        let new = Generic { value, span: name.span(), what: "a generic" };
        let bound = self.generics.entry(name.text()).or_insert(new);
        bound.value = bound.value.max(value);
    }

    pub(super) fn bind(&mut self, name: &'t str, meaning: NameInBody) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, meaning);
        }
    }
}

impl<'w, 't> Checker<'w, 't> {
    pub(super) fn new(world: &'w World<'t>, xlen: u32) -> Self {
        Checker {
            world,
            xlen,
            section: Section { xlen, ..Section::default() },
            members: HashMap::new(),
            family_names: HashMap::new(),
            broken_families: HashSet::new(),
            consts: HashMap::new(),
            fns: HashMap::new(),
            call_heights: Vec::new(),
            running: Vec::new(),
            enums: HashMap::new(),
            open: HashMap::new(),
            interfaces: HashMap::new(),
            foreign: Rc::default(),
            depth: 0,
            found: Vec::new(),
            seen: HashSet::new(),
            complaints: 0,
        }
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.complaints += 1;
        if self.seen.insert((diagnostic.code, diagnostic.span())) {
            self.found.push(diagnostic);
        }
    }

    pub(super) fn error(&mut self, entry: &'static Entry, node: Node<'_>, message: impl Into<String>, label: &str) {
        self.report(Diagnostic::error(entry, message, node.span(), label));
    }

    /// Goes some levels deeper; false, and a complaint, if that is too deep for the stack. The caller comes back up with
    /// [`Self::leave`].
    pub(super) fn enter(&mut self, node: Node<'t>, levels: u32) -> bool {
        if self.depth + levels > MAX_NESTING {
            self.report(
                Diagnostic::error(&syntax::TOO_DEEP, "this is nested too deeply", node.span(), "too many levels")
                    .note("what a body needs of functions and constants counts too")
                    .help("name parts with `let`, and declare constants before their use"),
            );
            return false;
        }
        if !self.world.take_check() {
            if self.world.may_complain_of_time() {
                self.report(
                    Diagnostic::error(
                        &types::TOO_LARGE,
                        "the file takes too long to check",
                        node.span(),
                        "gave up here",
                    )
                    .note("the body of a family is checked for each member, a generic function for each width")
                    .help("move what members share into a `fn`"),
                );
            }
            return false;
        }
        self.depth += levels;
        true
    }

    pub(super) fn leave(&mut self, levels: u32) {
        self.depth -= levels;
    }

    /// A type in the words of the source.
    pub(super) fn name_of(&self, ty: &Type) -> String {
        typed::describe(ty, &|id| match self.section.enums.get(id as usize) {
            Some(e) => e.name.clone(),
            None => "enum".to_owned(),
        })
    }

    /// A type as a person should write it here: what is as wide as a register is called so, as another XLEN would
    /// make it another width.
    pub(super) fn written(&self, ty: &Type) -> String {
        match ty {
            Type::U(n) if *n == self.xlen => "word".to_owned(),
            Type::S(n) if *n == self.xlen => "sword".to_owned(),
            _ => self.name_of(ty),
        }
    }

    /// What a name means outside of locals: a member, then an item of the file or an import.
    pub(super) fn symbol(&self, home: Home, name: &str) -> Option<Symbol<'t>> {
        if home.member
            && let Some((symbol, _)) = self.members.get(name)
        {
            return Some(*symbol);
        }
        if home.member
            && let Some((symbol, _)) = self.family_names.get(name)
        {
            return Some(*symbol);
        }
        let Some(item) = self.world.lookup(home.file, name) else {
            let family = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let broken = self.world.is_broken(home.file, name)
                || home.member && family.len() < name.len() && self.broken_families.contains(family);
            return broken.then_some(Symbol::Broken);
        };
        let decl = Decl { node: item.node, home: Home { file: item.file, member: false } };
        Some(match item.node.kind() {
            Kind::const_item => Symbol::Const(decl),
            Kind::fn_item => Symbol::Fn(decl),
            Kind::interface => Symbol::Other("an interface"),
            Kind::library => Symbol::Other("a library"),
            Kind::platform => Symbol::Other("a platform"),
            _ => Symbol::Other("a law"),
        })
    }

    /// Declares a local; its name must be new in every name space a body sees.
    pub(super) fn declare(
        &mut self,
        frame: &mut Frame<'t>,
        name: Node<'t>,
        ty: Ty,
        info: (&'static str, bool),
    ) -> LocalId {
        let (what, mutable) = info;
        let core = match &ty {
            Ty::Sized(ty) => ty.clone(),
            Ty::Unsized { lo, hi } => Type::smallest(lo, hi),
            Ty::Error => Type::Bool,
        };
        let id = LocalId(frame.locals.len() as u32);
        let broken = ty == Ty::Error;
        frame.locals.push(Local { name: name.text().to_owned(), ty: core });
        frame.infos.push(LocalInfo { ty, mutable, what, span: name.span() });
        self.bind(frame, name, if broken { NameInBody::Broken } else { NameInBody::Local(id) });
        id
    }

    /// Gives a name a meaning in the body, after checking that it is free.
    pub(super) fn bind(&mut self, frame: &mut Frame<'t>, name: Node<'t>, meaning: NameInBody) {
        let text = name.text();
        if text == "XLEN" {
            self.report(names::built_in(name));
        }
        let earlier = match frame.find(text) {
            Some(NameInBody::Local(id)) => frame.infos.get(id.index()).map(|i| (i.span, i.what)),
            Some(NameInBody::Alias(_, span)) => Some((*span, "a `let`")),
            Some(NameInBody::Context(_, span)) => Some((*span, "a context")),
            Some(NameInBody::Broken | NameInBody::Passed(..)) => None,
            None => match frame.generics.get(text) {
                Some(generic) => Some((generic.span, generic.what)),
                None => self.taken(frame.home, text),
            },
        };
        if let Some((span, what)) = earlier {
            self.report(
                Diagnostic::error(
                    &codes::DUPLICATE,
                    format!("the name `{text}` is taken"),
                    name.span(),
                    "cannot be used again",
                )
                .label(span, format!("{what} of this name"))
                .help("choose another name: a local never hides anything"),
            );
        }
        frame.bind(text, meaning);
    }

    /// Gives a generic or a family index its value, after checking that its name is free.
    pub(super) fn bind_generic(&mut self, frame: &mut Frame<'t>, name: Node<'t>, value: u32, what: &'static str) {
        self.bind(frame, name, NameInBody::Broken);
        // It is looked up among the generics: as a number, not as a local.
        if let Some(scope) = frame.scopes.last_mut() {
            scope.remove(name.text());
        }
        frame.generics.insert(name.text(), Generic { value, span: name.span(), what });
    }

    fn taken(&self, home: Home, name: &str) -> Option<(Span, &'static str)> {
        if home.member
            && let Some((symbol, span)) = self.members.get(name)
        {
            return Some((*span, symbol.what()));
        }
        if home.member
            && let Some((_, span)) = self.family_names.get(name)
        {
            return Some((*span, "a family with a member"));
        }
        let item = self.world.lookup(home.file, name)?;
        Some((item.node.name().span(), "an item"))
    }

    /// "there is no `x`", with the nearest name that there is.
    pub(super) fn unknown(&mut self, frame: &Frame<'t>, name: Node<'t>, what: &str) {
        let mut candidates: Vec<&str> = Vec::new();
        // Many unknown names are one mistake, such as a missing import; looking for what each means would take long.
        if self.world.may_suggest() {
            candidates.extend(frame.scopes.iter().flat_map(|s| s.keys().copied()));
            candidates.extend(frame.generics.keys());
            if frame.home.member {
                candidates.extend(self.members.keys());
                candidates.extend(self.family_names.keys().map(String::as_str));
            }
            candidates.extend(self.world.names(frame.home.file));
            candidates.push("XLEN");
            candidates.sort_unstable();
        }
        let mut found = Diagnostic::error(
            &codes::UNKNOWN_NAME,
            format!("there is no {what} `{}`", name.text()),
            name.span(),
            "not found here",
        );
        if frame.home.member && super::interface::standard(name.text()).is_some() {
            let text = name.text();
            found = found.help(format!(
                "`interface … : IStateContext` has `{text}`, with `use cx.std:IStateContext;` above; it needs state"
            ));
        } else if let Some(help) = self.family_help(name.text()) {
            found = found.help(help);
        } else if let Some(help) = names::foreign_name(name.text()) {
            found = found.help(help);
        } else if let Some(help) = self.case_help(frame, name.text()).filter(|_| what != "function") {
            found = found.help(help);
        } else if let Some(near) = names::nearest(name.text(), candidates.into_iter()) {
            found = found.help(format!("did you mean `{near}`?"));
        } else if let Some(package) = self.world.package_with(name.text()) {
            found = found.help(format!("import it: `use {package}:{};`", name.text()));
        } else if what == "function" {
            let help = "declare it with `fn name(a: u8) -> u8 { … }`, or import it: `use package.name:function;`";
            found = found.help(help);
        }
        self.report(found);
    }

    /// What to write where a case stands without its enum, if one enum alone has it.
    fn case_help(&self, frame: &Frame<'t>, case: &str) -> Option<String> {
        let mut enums = self.section.enums.iter().filter(|e| e.cases.iter().any(|c| c.name == case));
        let only = enums.next().filter(|_| frame.home.member)?;
        enums.next().is_none().then(|| format!("write `{}.{case}`", only.name))
    }

    /// What to write where the name of a whole family stands.
    fn family_help(&self, name: &str) -> Option<String> {
        let members =
            |command: &&crate::contract::Command| command.family.as_ref().is_some_and(|(base, _)| base == name);
        let mut members = self.section.commands.iter().filter(members).map(|command| command.name.as_str());
        let first = members.next()?;
        let last = members.next_back().unwrap_or(first);
        Some(format!("`{name}` is a family: its members are called `{first}` to `{last}`"))
    }
}

impl Symbol<'_> {
    pub(super) fn what(&self) -> &'static str {
        match self {
            Symbol::Const(_) => "a constant",
            Symbol::Fn(_) => "a function",
            Symbol::Enum(_) => "an enum",
            Symbol::Field(_) => "a state field",
            Symbol::Command(_) => "a command",
            Symbol::Csr => "a CSR",
            Symbol::Error(_) => "an error",
            Symbol::Elsewhere(32) => "a command at XLEN 32 only",
            Symbol::Elsewhere(_) => "a command at XLEN 64 only",
            Symbol::Other(what) => what,
            Symbol::Broken => "a declaration",
        }
    }
}
