//! The tables of the library language: clauses, attributes, facts of the binding, events and types of C.
//!
//! A clause that needs no syntax of its own is one row here and one arm in [`super::clause`].

use crate::contract::library::clause::Family;
use crate::contract::library::expr::When;
use crate::contract::library::place::Scalar;
use crate::contract::library::{Event, ResourceKind};

/// What a clause may stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A function.
    Function,
    /// A callback.
    Callback,
    /// A handle.
    Handle,
    /// `defaults type T`: all values of a type.
    Type,
}

impl Target {
    /// As in "a clause of a function".
    pub(super) fn word(self) -> &'static str {
        match self {
            Target::Function => "a function",
            Target::Callback => "a callback",
            Target::Handle => "a handle",
            Target::Type => "values of a type",
        }
    }
}

/// What stands in the parentheses of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arguments {
    /// The grammar has a rule for the whole clause.
    OwnSyntax,
    /// Nothing.
    None,
    /// One or more values, `global` or `thread`.
    Keys,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A constant number, at least 1.
    Count,
    /// `resource: amount`, of a resource of this kind.
    Amount(ResourceKind),
    /// One or more scopes of lifetimes.
    Scopes,
    /// So many objects, or more.
    Objects(usize),
    /// Two functions: one that writes a stream, and one that reads it.
    Snapshot,
}

/// A row of the table of clauses.
pub(super) struct Row {
    /// Its word.
    pub(super) name: &'static str,
    /// How it is written.
    pub(super) form: &'static str,
    /// What it may stand on.
    pub(super) on: &'static [Target],
    /// What it takes.
    pub(super) arguments: Arguments,
    /// Its family, if others exclude it.
    pub(super) family: Option<Family>,
    /// When its expressions are evaluated: names that are known later are errors in them.
    pub(super) at: When,
    /// Whether it may stand more than once in one body.
    pub(super) repeatable: bool,
}

const CALLS: &[Target] = &[Target::Function, Target::Callback];
const FUNCTION: &[Target] = &[Target::Function];
const CALLBACK: &[Target] = &[Target::Callback];
const OBJECTS: &[Target] = &[Target::Function, Target::Handle];
const ALL: &[Target] = &[Target::Function, Target::Callback, Target::Handle, Target::Type];

const fn row(name: &'static str, form: &'static str, on: &'static [Target], arguments: Arguments) -> Row {
    Row { name, form, on, arguments, family: None, at: When::Exit, repeatable: false }
}

impl Row {
    const fn family(self, family: Family) -> Row {
        Row { family: Some(family), ..self }
    }
    const fn at_entry(self) -> Row {
        Row { at: When::Entry, ..self }
    }
    const fn repeatable(self) -> Row {
        Row { repeatable: true, ..self }
    }
}

/// Every clause.
pub(super) const CLAUSES: &[Row] = &[
    row("sync", "sync until e;", CALLS, Arguments::OwnSyntax).family(Family::Timing).at_entry(),
    row("async", "async returns o until e;", CALLS, Arguments::OwnSyntax).family(Family::Timing).at_entry(),
    row("flush", "flush returns o;", CALLS, Arguments::OwnSyntax).family(Family::Timing).at_entry(),
    row("ordered", "ordered(value);", CALLS, Arguments::Keys).family(Family::Order).at_entry(),
    row("unordered", "unordered;", CALLS, Arguments::None).family(Family::Order),
    row("monitor", "monitor(value);", CALLS, Arguments::Keys).family(Family::Concurrency).at_entry(),
    row("atomic", "atomic;", CALLS, Arguments::None).family(Family::Concurrency),
    row("thread", "thread(caller);", CALLS, Arguments::Word(&["caller", "any", "main"])),
    row("success", "success ret == 0;", CALLS, Arguments::OwnSyntax).family(Family::Success),
    row("fails", "fails errno = 12, -1;", CALLS, Arguments::OwnSyntax).family(Family::Failure).at_entry(),
    row("requires", "requires n > 0 else -1;", FUNCTION, Arguments::OwnSyntax).at_entry().repeatable(),
    row("errno", "errno;", CALLS, Arguments::None),
    row("implicit", "implicit x: type = value;", CALLS, Arguments::OwnSyntax).repeatable(),
    row("set", "set ret.m = value;", CALLS, Arguments::OwnSyntax).repeatable(),
    row("pass", "pass p = value;", CALLS, Arguments::OwnSyntax).repeatable(),
    row("ends", "ends(handle.scope);", CALLS, Arguments::Scopes).repeatable(),
    row("once", "once;", CALLBACK, Arguments::None),
    row("slots", "slots(16);", CALLBACK, Arguments::Count),
    row("by_name", "by_name;", FUNCTION, Arguments::None),
    row("cx_call", "cx_call;", FUNCTION, Arguments::None),
    row("acquires", "acquires(store: amount);", FUNCTION, Arguments::Amount(ResourceKind::Store)).repeatable(),
    row("releases", "releases(store: amount);", FUNCTION, Arguments::Amount(ResourceKind::Store)).repeatable(),
    row("consumes", "consumes(rate: amount);", FUNCTION, Arguments::Amount(ResourceKind::Rate)).repeatable(),
    row("record", "record(object);", OBJECTS, Arguments::Objects(0)),
    row("depends_on", "depends_on(object);", FUNCTION, Arguments::Objects(1)).repeatable(),
    row("snapshot", "snapshot(extract, restore);", OBJECTS, Arguments::Snapshot),
    row("arg", "arg p[] @valid(n);", ALL, Arguments::OwnSyntax).repeatable(),
    row("when", "when (c) { … } else { … }", CALLS, Arguments::OwnSyntax).at_entry().repeatable(),
    row("before", "before c\"\"\"…\"\"\"", CALLS, Arguments::OwnSyntax),
    row("after", "after c\"\"\"…\"\"\"", CALLS, Arguments::OwnSyntax),
    row("replace", "replace c\"\"\"…\"\"\"", FUNCTION, Arguments::OwnSyntax),
    row("impl", "impl { … }", FUNCTION, Arguments::OwnSyntax),
];

/// The row of a clause.
pub(super) fn clause(name: &str) -> Option<&'static Row> {
    CLAUSES.iter().find(|row| row.name == name)
}

/// What an attribute of a place takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttributeArguments {
    /// A number.
    Number,
    /// A condition at exit.
    Condition,
    /// `call`, `static`, `manual`, or what ends it.
    Lifetime,
    /// One or two functions of the library.
    Functions,
    /// Nothing, `virtual` or `physical`.
    ZeroCopy,
    /// A constant number of bytes, a power of two.
    Alignment,
}

/// Which places an attribute may stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Places {
    /// All.
    All,
    /// Pointers to elements, and inline arrays.
    Buffers,
    /// Pointers to elements.
    PointersToElements,
    /// What is a pointer in C, and handles.
    Pointers,
    /// Handles.
    Handles,
}

impl Places {
    /// In words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Places::All => "every place",
            Places::Buffers => "buffers and inline arrays",
            Places::PointersToElements => "buffers",
            Places::Pointers => "pointers and handles",
            Places::Handles => "handles",
        }
    }
}

/// Every attribute of a place: name, form, places, arguments.
pub(super) const ATTRIBUTES: &[(&str, &str, Places, AttributeArguments)] = &[
    ("valid", "@valid(n)", Places::Buffers, AttributeArguments::Number),
    ("on", "@on(ret == 0)", Places::All, AttributeArguments::Condition),
    ("lifetime", "@lifetime(static)", Places::Pointers, AttributeArguments::Lifetime),
    ("allocator", "@allocator(alloc, free)", Places::Pointers, AttributeArguments::Functions),
    ("room", "@room(n)", Places::Handles, AttributeArguments::Number),
    ("zero_copy", "@zero_copy(physical)", Places::Pointers, AttributeArguments::ZeroCopy),
    ("align", "@align(64)", Places::PointersToElements, AttributeArguments::Alignment),
];

/// What a fact of the binding holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// One text.
    Text,
    /// Text that is the beginning of an identifier, or empty.
    Prefix,
    /// An identifier.
    Identifier,
    /// A number of 32 bits.
    Number,
    /// One or more texts; several clauses add up.
    Texts,
    /// As [`Fact::Texts`], for one side: `guest` or `worker`.
    Sided,
}

/// Every key of `c key "…"`.
pub(super) const FACTS: &[(&str, Fact)] = &[
    ("prefix", Fact::Prefix),
    ("header", Fact::Texts),
    ("soname", Fact::Text),
    ("cflags", Fact::Texts),
    ("libs", Fact::Texts),
    ("export", Fact::Text),
    ("identifier", Fact::Identifier),
    ("number", Fact::Number),
    ("sources", Fact::Sided),
];

/// Every event, and whether `before` and `after` may be said.
pub(super) const EVENTS: &[(&str, Event, bool)] = &[
    ("guest_init", Event::GuestInit, true),
    ("guest_fini", Event::GuestFini, true),
    ("worker_init", Event::WorkerInit, true),
    ("worker_fini", Event::WorkerFini, true),
    ("fork_child", Event::ForkChild, false),
    ("send", Event::Send, true),
    ("reply", Event::Reply, true),
    ("arguments", Event::Arguments, false),
];

/// The scalars of C that have a name of their own.
const SCALARS: &[(&str, Scalar)] = &[
    ("bool", Scalar::Bool),
    ("char", Scalar::Char),
    ("short", Scalar::Short),
    ("ushort", Scalar::UShort),
    ("int", Scalar::Int),
    ("uint", Scalar::UInt),
    ("long", Scalar::Long),
    ("ulong", Scalar::ULong),
    ("size", Scalar::Size),
    ("intptr", Scalar::IntPtr),
    ("uintptr", Scalar::UIntPtr),
    ("u8", Scalar::Unsigned(8)),
    ("u16", Scalar::Unsigned(16)),
    ("u32", Scalar::Unsigned(32)),
    ("u64", Scalar::Unsigned(64)),
    ("s8", Scalar::Signed(8)),
    ("s16", Scalar::Signed(16)),
    ("s32", Scalar::Signed(32)),
    ("s64", Scalar::Signed(64)),
    ("float", Scalar::Float),
    ("double", Scalar::Double),
];

/// The other types that have a name.
pub(super) const OTHER_TYPES: &[&str] =
    &["void", "ptr", "cstr", "file", "stream", "lifetime", "userdata", "within", "function"];

/// The scalar of a name.
pub(super) fn scalar(name: &str) -> Option<Scalar> {
    SCALARS.iter().find(|(n, _)| *n == name).map(|(_, scalar)| *scalar)
}

/// The names of all built-in types.
pub(super) fn type_names<'a>() -> impl Iterator<Item = &'a str> {
    SCALARS.iter().map(|(n, _)| *n).chain(OTHER_TYPES.iter().copied())
}

/// Words that mean something in every expression, and can name nothing else.
pub(super) const RESERVED: &[&str] =
    &["ret", "self", "index", "errno", "elapsed", "null", "is_in", "is_out", "on_worker", "on_guest", "old", "sizeof"];

/// Words that mean something as an argument in some places.
pub(super) const WORDS: &[&str] = &["call", "static", "manual", "virtual", "physical", "any", "global", "thread"];
