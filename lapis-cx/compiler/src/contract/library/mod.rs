//! An annotated C API, resolved: what each function takes and gives, who owns it, and when.
//!
//! The *caller* is the process that calls the API, the *worker* the one that holds the real library; in a callback the
//! roles swap. *Entry* is before the call is sent, *exit* after the real call returned. Names are resolved to ids, named
//! types are expanded where they are used, and `defaults` have reached the functions: a backend reads [`Function`] and
//! asks nobody else. How values are laid out in a message is not decided here.

pub mod clause;
pub mod construct;
pub mod ctype;
pub mod expr;
pub mod place;
pub mod text;

use self::clause::{Clause, ImplBody, Use};
use self::construct::ConstructUse;
use self::expr::Expr;
use self::place::Place;
use super::{FnId, Interface, Section};
use crate::json::{Deserialize, JsonSchema, Serialize};
use crate::source::Span;

/// A library of the root file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Library {
    /// Its package, dotted.
    pub package: String,
    /// Its name in the package.
    pub name: String,
    /// Documentation, Markdown.
    pub docs: String,
    /// The version of the API that `version "…"` names.
    pub version: Option<String>,
    /// The interfaces after `for`, which the API is about.
    pub interfaces: Vec<InterfaceName>,
    /// The interfaces that bodies use, those of other files too, in order of first use.
    pub used: Vec<Interface>,
    /// Facts about its C side: `c key "…"`.
    pub binding: Binding,
    /// The `enum`s, `const`s and functions that the library uses, once per XLEN, ascending. Enums of the library come
    /// first, so that an [`EnumId`](super::EnumId) means the same in each.
    pub sections: Vec<Section>,
    /// Functions of the language that expressions call, with their instance in each section.
    pub fns: Vec<FnUse>,
    /// Structs and unions.
    pub structs: Vec<Struct>,
    /// Named types; their uses are expanded.
    pub types: Vec<NamedType>,
    /// Handles.
    pub handles: Vec<Handle>,
    /// Values attached to handles, structs or named pointers.
    pub metadata: Vec<Metadata>,
    /// Resources that calls take and give back.
    pub resources: Vec<Resource>,
    /// Types of functions that the worker calls in the caller.
    pub callbacks: Vec<Function>,
    /// The functions of the API.
    pub functions: Vec<Function>,
    /// Text of other languages that both sides include, in source order.
    pub utilities: Vec<Code>,
    /// Text that runs at events of a process or a message.
    pub hooks: Vec<Hook>,
    /// Uses of constructs that not every backend carries out, as far as single declarations show them.
    #[serde(skip)]
    pub constructs: Vec<ConstructUse>,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

impl Library {
    /// Returns the part of an element that is compared with the end of its buffer (`until`): of a struct the first member, of an array the first
    /// element.
    pub fn compared<'a>(&'a self, element: &'a place::Place) -> &'a place::Place {
        let mut place = element;
        // A struct does not begin with itself, but nothing here relies on that.
        for _ in 0..=self.structs.len() {
            let inner = match &place.ty {
                place::Type::Struct { id, .. } | place::Type::Live { id, .. } => {
                    self.structs.get(id.index()).and_then(|def| def.members.first()).map(|first| &first.place)
                }
                place::Type::Array { element, .. } => Some(&**element),
                _ => None,
            };
            match inner {
                Some(inner) => place = inner,
                None => break,
            }
        }
        place
    }

    /// What a declaration is called in C: its spelling, or `c prefix` and its name.
    pub fn name_in_c(&self, spelling: Option<&str>, name: &str) -> String {
        match spelling {
            Some(spelling) => spelling.to_owned(),
            None => format!("{}{name}", self.binding.prefix.as_deref().unwrap_or_default()),
        }
    }
}

ids! {
    /// Position in [`Library::structs`].
    StructId
    /// Position in [`Library::types`].
    TypeId
    /// Position in [`Library::handles`].
    HandleId
    /// Position in [`Library::metadata`].
    MetadataId
    /// Position in [`Library::resources`].
    ResourceId
    /// Position in [`Library::callbacks`].
    CallbackId
    /// Position in [`Library::functions`].
    FunctionId
    /// Position in [`Library::fns`].
    FnUseId
}

/// The name of an interface, which another file may define.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterfaceName {
    /// Its package, dotted.
    pub package: String,
    /// Its name in the package.
    pub name: String,
}

/// Facts about the C side of a library. A list is empty, and a text `None`, where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Binding {
    /// `c prefix`: stands before the C name of each declaration that has no spelling of its own.
    pub prefix: Option<String>,
    /// Where the prefix stands.
    #[serde(skip)]
    pub prefix_span: Option<Span>,
    /// `c header`: what a program includes, as in `zlib.h`.
    pub headers: Vec<String>,
    /// `c soname`: the shared library that the worker loads, and whose name the caller's side takes.
    pub soname: Option<String>,
    /// `c cflags`: flags with which C that includes the headers is compiled.
    pub cflags: Vec<String>,
    /// `c libs`: flags with which the worker is linked.
    pub libs: Vec<String>,
    /// `c export`: words before each exported function, such as `ZEXPORT`.
    pub export: Option<String>,
    /// `c identifier`: an identifier that keeps several APIs over one connection apart; the library's name otherwise.
    pub identifier: Option<String>,
    /// `c number`: the number of the API where several share one connection.
    pub number: Option<u32>,
    /// `c sources(guest)`: C files of the caller's side.
    pub guest_sources: Vec<String>,
    /// `c sources(worker)`: C files of the worker's side.
    pub worker_sources: Vec<String>,
    /// Where each source of either side stands.
    #[serde(skip)]
    pub source_spans: Vec<(String, Span)>,
}

impl Binding {
    /// Whether a library of others has all the functions, and a header for them.
    pub fn is_real(&self) -> bool {
        self.soname.is_some() || !self.libs.is_empty()
    }

    /// The headers that declare what functions are made of: those of the real library; else those behind the first one, which
    /// is the one that is generated.
    pub fn declaring_headers(&self) -> &[String] {
        self.headers.get(usize::from(!self.is_real())..).unwrap_or_default()
    }

    /// The header that is generated, where the source names it.
    pub fn own_header(&self) -> Option<&str> {
        self.headers.first().filter(|_| !self.is_real()).map(String::as_str)
    }
}

/// A function of the language that expressions of the library call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FnUse {
    /// Its name.
    pub name: String,
    /// Its instance in each of [`Library::sections`].
    pub instances: Vec<FnId>,
}

/// A C struct or union.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Struct {
    /// Its name.
    pub name: String,
    /// Its spelling in C, if one is given.
    pub c: Option<String>,
    /// Documentation.
    pub docs: String,
    /// Whether the members lie over each other; which one is live, the use says.
    pub is_union: bool,
    /// `struct A as B`: the same C struct as B. Its members are those of B, some of them annotated differently.
    pub view_of: Option<StructId>,
    /// The members in the order of B, if it is a view, else in source order.
    pub members: Vec<Member>,
    /// Names of the place of use that members refer to; each use gives a value for each ([`place::Type::Struct`]).
    pub outer: Vec<String>,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// A member of a struct, a union or of metadata.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its spelling in C, if one is given.
    pub c: Option<String>,
    /// Documentation.
    pub docs: String,
    /// Its type.
    pub place: Place,
    /// Its initial value, where the side that did not make the object makes a stand-in.
    pub initial: Option<Expr>,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// A named type. Uses hold what it stands for, with its parameters replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NamedType {
    /// Its name.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// Names of its parameters.
    pub params: Vec<String>,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// An identifier of an object; caller and worker hold different values for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Handle {
    /// Its name.
    pub name: String,
    /// Its spelling in C, if one is given.
    pub c: Option<String>,
    /// Documentation.
    pub docs: String,
    /// `as S`: on the side that did not make the object, the handle points to memory of this struct.
    pub memory: Option<StructId>,
    /// `with P`: it dies with its P.
    pub parent: Option<HandleId>,
    /// What `defaults handle` and its own body say of it.
    pub clauses: Vec<Clause>,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// What metadata is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// Each handle of a kind.
    Handle(HandleId),
    /// The address of each struct of a kind.
    Struct(StructId),
    /// Each pointer of a named type.
    Type(TypeId),
}

/// Values attached to each handle or pointer, one copy on each side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Metadata {
    /// To what.
    pub owner: Owner,
    /// Documentation.
    pub docs: String,
    /// The values. A member of type [`place::Type::Lifetime`] is a scope, not a value.
    pub members: Vec<Member>,
    /// Where the owner's name stands.
    #[serde(skip)]
    pub span: Span,
}

/// How a resource is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResourceKind {
    /// So much per time; a call that takes too much is delayed.
    Rate,
    /// So much at once; a call that takes too much is refused.
    Store,
}

/// A resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resource {
    /// Its name.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// How it is held.
    pub kind: ResourceKind,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// A function of the API, or the type of a callback.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its spelling in C, if one is given: the function's name, or the name of the callback's type.
    pub c: Option<String>,
    /// Documentation.
    pub docs: String,
    /// The groups around it, outermost first.
    pub groups: Vec<String>,
    /// The parameters.
    pub params: Vec<Param>,
    /// What `...` stands for.
    pub rest: Option<Rest>,
    /// The result; [`place::Type::Void`] if there is none.
    pub result: Place,
    /// Arguments that travel beside those of C, in source order.
    pub implicits: Vec<Implicit>,
    /// What holds of it. Clauses of `defaults` come first, outermost ones before inner ones, without those that an inner
    /// statement of their family replaces.
    pub clauses: Vec<Clause>,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// Its type.
    pub place: Place,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

impl Function {
    /// Its body in the language of the spec, if it has one: each `with`, and the body at each XLEN of the library.
    pub fn body(&self) -> Option<(&[Use], &[ImplBody])> {
        self.clauses.iter().find_map(|clause| match clause {
            Clause::Impl { uses, bodies } => Some((uses.as_slice(), bodies.as_slice())),
            _ => None,
        })
    }

    /// Whether it has a body in the language of the spec.
    pub fn has_body(&self) -> bool {
        self.body().is_some()
    }

    /// Calls `see` with every place of the function, and where it stands.
    pub fn each_place(&self, see: &mut impl FnMut(&Place, Span)) {
        for param in &self.params {
            see(&param.place, param.span);
        }
        for implicit in &self.implicits {
            see(&implicit.place, implicit.span);
        }
        see(&self.result, self.span);
        if let Some(Rest::Typed(place)) = &self.rest {
            see(place, self.span);
        }
        each_refined(&self.clauses, self.span, see);
    }

    /// Whether it is of the CX calling convention (CX API, section "CX calling conventions").
    pub fn follows_cx(&self) -> bool {
        self.clauses.contains(&Clause::CxCall)
    }
}

fn each_refined(clauses: &[Clause], span: Span, see: &mut impl FnMut(&Place, Span)) {
    for clause in clauses {
        match clause {
            Clause::Refine { to, .. } => see(to, span),
            Clause::When { then, otherwise, .. } => {
                each_refined(then, span, see);
                each_refined(otherwise, span, see);
            }
            _ => {}
        }
    }
}

/// The variable arguments of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rest {
    /// Only the function's `replace` reads them.
    Local,
    /// They depend on another argument: a [`place::Type::Match`] of [`place::Type::Tuple`]s.
    Typed(Place),
}

/// An argument that travels beside those of C.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Implicit {
    /// Its name.
    pub name: String,
    /// Its type. With `out` it is computed on the worker at exit, else in the caller at entry.
    pub place: Place,
    /// What it is.
    pub value: Expr,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// Text of another language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Code {
    /// The language; `c` is the only one today.
    pub language: String,
    /// The text between the quotes.
    pub text: String,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// When the text of a hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The caller's side is loaded.
    GuestInit,
    /// The caller's side is unloaded.
    GuestFini,
    /// The worker begins.
    WorkerInit,
    /// The worker ends.
    WorkerFini,
    /// In the child after a `fork`.
    ForkChild,
    /// A call is sent.
    Send,
    /// An answer is sent.
    Reply,
    /// The worker has unpacked the arguments of a call.
    Arguments,
}

/// Before or after what is done at an event or in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// Before it.
    Before,
    /// After it.
    After,
}

/// Text that runs at an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hook {
    /// Which.
    pub event: Event,
    /// Before or after what the runtime itself does then; `None` for events that are one moment.
    pub moment: Option<Moment>,
    /// The text.
    pub code: Code,
}
