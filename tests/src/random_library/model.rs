//! A small C library with its specification and a program that calls it, as data.
//!
//! Parameters, members and elements are [`Place`]s. A place is named by an id that is unique in its scope: the parameters
//! of one function or callback, or the members of one struct.

/// A library, and the calls that its program makes.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// Structs; a struct holds only those before it, or points to itself.
    pub structs: Vec<Struct>,
    /// Function types.
    pub callbacks: Vec<Callback>,
    /// How many kinds of handles there are.
    pub handles: Vec<Handle>,
    /// What the library keeps between calls.
    pub slots: Vec<Slot>,
    /// Functions of the API.
    pub functions: Vec<Function>,
    /// Calls of the program, in order; those of `nested` only are made by callbacks.
    pub steps: Vec<Step>,
    /// Whether the userdata of a callback may be null.
    pub null_user: bool,
    /// Whether asynchronous calls have buffers whose contents arrive with later calls.
    pub late_outputs: bool,
    /// Whether the library looks at how buffers are aligned: to a cache line, as the program has them.
    pub aligned: bool,
    /// Whether two arguments of a call may share memory.
    pub aliases: bool,
    /// Whether a slot may get memory that it, or that of another object, keeps already.
    pub keeps_again: bool,
}

/// A kind of handle.
#[derive(Clone, Debug)]
pub struct Handle {
    /// The handle with which objects of this kind end.
    pub parent: Option<usize>,
    /// Members of the struct behind it that the program reads and writes.
    pub public: Vec<Place>,
}

/// A struct of C.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Its members.
    pub members: Vec<Place>,
}

impl Struct {
    /// Whether it ends with an array.
    pub fn has_tail(&self) -> bool {
        self.members.iter().any(|place| matches!(place.ty, Type::Tail(..)))
    }
}

/// A function type.
#[derive(Clone, Debug)]
pub struct Callback {
    /// Its parameters; the last one is the userdata unless it has `slots`.
    pub params: Vec<Place>,
    /// Whether it returns an `int`.
    pub result: bool,
    /// Ends after its first call.
    pub once: bool,
    /// The library does not wait for it.
    pub asynchronous: bool,
    /// The size of its pool, for callbacks without userdata.
    pub slots: Option<u32>,
    /// The errno of the program comes to the library.
    pub errno: bool,
}

impl Callback {
    /// Whether a call tells its userdata.
    pub fn has_user(&self) -> bool {
        self.slots.is_none()
    }
}

/// What the library keeps between calls.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The kind of handle that has one each; none is a global variable.
    pub owner: Option<usize>,
    /// What is kept.
    pub kept: Kept,
    /// For how long.
    pub lifetime: Lifetime,
}

/// What a slot keeps.
#[derive(Clone, Debug)]
pub enum Kept {
    /// A buffer of this type, with its number of elements.
    Buffer(Buffer),
    /// A callback and its userdata.
    Callback(usize),
}

/// How long the library uses what it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// Until the call returns.
    Call,
    /// For ever.
    Static,
    /// Until a function takes it.
    Manual,
    /// As long as the handle that owns the slot.
    Owner,
    /// Until a scope of that handle ends.
    Scope,
}

/// A number of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Scalar {
    Int,
    Uint,
    Size,
    Long,
    Char,
    Bool,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S64,
    Float,
    Double,
}

/// All scalars.
pub const SCALARS: [Scalar; 15] = [
    Scalar::Int,
    Scalar::Uint,
    Scalar::Size,
    Scalar::Long,
    Scalar::Char,
    Scalar::Bool,
    Scalar::U8,
    Scalar::U16,
    Scalar::U32,
    Scalar::U64,
    Scalar::S8,
    Scalar::S16,
    Scalar::S64,
    Scalar::Float,
    Scalar::Double,
];

impl Scalar {
    /// Its name in C.
    pub fn c(self) -> &'static str {
        match self {
            Scalar::Int => "int",
            Scalar::Uint => "unsigned",
            Scalar::Size => "size_t",
            Scalar::Long => "long",
            Scalar::Char => "char",
            Scalar::Bool => "bool",
            Scalar::U8 => "uint8_t",
            Scalar::U16 => "uint16_t",
            Scalar::U32 => "uint32_t",
            Scalar::U64 => "uint64_t",
            Scalar::S8 => "int8_t",
            Scalar::S16 => "int16_t",
            Scalar::S64 => "int64_t",
            Scalar::Float => "float",
            Scalar::Double => "double",
        }
    }

    /// Its name in a specification.
    pub fn spec(self) -> &'static str {
        match self {
            Scalar::Uint => "uint",
            Scalar::Size => "size",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::S8 => "s8",
            Scalar::S16 => "s16",
            Scalar::S64 => "s64",
            other => other.c(),
        }
    }

    /// Whether it has a fraction.
    pub fn is_real(self) -> bool {
        matches!(self, Scalar::Float | Scalar::Double)
    }
}

/// A parameter, a member or an element.
#[derive(Clone, Debug)]
pub struct Place {
    /// Names it in its scope.
    pub id: u32,
    /// What it is.
    pub ty: Type,
    /// Whether it may be null.
    pub optional: bool,
    /// Whether the specification states here how long a kept place lives.
    pub stated: bool,
}

impl Place {
    /// Whether it comes back and is a buffer of numbers, whose contents an asynchronous call may deliver later.
    pub fn is_late_output(&self) -> bool {
        match &self.ty {
            Type::Buffer(Buffer {
                direction,
                element,
                extent: Extent::Fixed(_) | Extent::Count(_),
                valid: None,
                ..
            }) => direction.comes() && matches!(element.ty, Type::Scalar(scalar) if scalar != Scalar::Bool),
            _ => false,
        }
    }
}

/// What a place is.
#[derive(Clone, Debug)]
pub enum Type {
    /// A number, which sizes and choices may read.
    Scalar(Scalar),
    /// A string that is only read.
    Text,
    /// A pointer to elements.
    Buffer(Buffer),
    /// An inline array.
    Array(Scalar, u32),
    /// The array that ends a struct: a member says how many numbers.
    Tail(u32, Scalar),
    /// A union: a number says which member is live, and otherwise the last one is.
    Union(u32, Vec<(i64, Place)>),
    /// A struct by value.
    Struct(usize),
    /// An object.
    Handle(usize, Gives),
    /// A function of the program.
    Callback(usize),
    /// The userdata of some callbacks of the scope.
    User(Vec<u32>),
    /// A pointer of which a number says what it is.
    Choice(u32, Vec<(i64, Type)>),
    /// A pointer to what a slot keeps, which the call takes.
    Taken(usize),
    /// A block of numbers that the library frees; a parameter says how many.
    Passed(Scalar, u32),
}

/// What becomes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// It is used.
    Use,
    /// The receiver gains it.
    New,
    /// The call takes it.
    Own,
}

/// In which direction contents go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Direction {
    In,
    Out,
    InOut,
    Local,
}

impl Direction {
    /// Its word in a specification.
    pub fn word(self) -> &'static str {
        match self {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::InOut => "inout",
            Direction::Local => "local",
        }
    }

    /// Whether the receiver sees contents.
    pub fn goes(self) -> bool {
        matches!(self, Direction::In | Direction::InOut)
    }

    /// Whether the receiver writes contents.
    pub fn comes(self) -> bool {
        matches!(self, Direction::Out | Direction::InOut)
    }
}

/// A pointer to elements.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Where contents go.
    pub direction: Direction,
    /// What an element is. Its id is not used.
    pub element: Box<Place>,
    /// How many there are.
    pub extent: Extent,
    /// How many of them the receiver wrote.
    pub valid: Option<Valid>,
    /// Written even if the call fails.
    pub always: bool,
    /// Declared as `void *`.
    pub untyped: bool,
}

/// How many elements a buffer has. Numbers name places of the scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// So many.
    Fixed(u32),
    /// As a number says.
    Count(u32),
    /// That times this.
    Times(u32, u32),
    /// That and this.
    Plus(u32, u32),
    /// The smaller of two.
    Min(u32, u32),
    /// The larger of two.
    Max(u32, u32),
    /// That many bytes.
    Bytes(u32),
    /// What a pointer points to.
    First(u32),
    /// What it points to at entry.
    Old(u32),
    /// Until the first zero, which is included.
    Zero,
    /// The same, of at most so many.
    CountOrZero(u32),
    /// `strlen(self) + 1`.
    Length,
    /// That, if a number is below zero; otherwise the number.
    LengthIfNegative(u32),
    /// The index of the pointer in its buffer, and this.
    Index(u32),
    /// As many as a metadata member of a handle says.
    Meta(u32),
}

impl Extent {
    /// The places that it reads.
    pub fn reads(&self) -> Vec<u32> {
        match *self {
            Extent::Count(a)
            | Extent::Times(a, _)
            | Extent::Plus(a, _)
            | Extent::Bytes(a)
            | Extent::First(a)
            | Extent::Old(a)
            | Extent::CountOrZero(a)
            | Extent::LengthIfNegative(a)
            | Extent::Meta(a) => vec![a],
            Extent::Min(a, b) | Extent::Max(a, b) => vec![a, b],
            Extent::Fixed(_) | Extent::Zero | Extent::Length | Extent::Index(_) => Vec::new(),
        }
    }
}

/// How many elements of an out buffer carry contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Valid {
    /// As the result says.
    Result,
    /// As a pointer's contents say at exit.
    First(u32),
    /// The same, but not more than there is room for.
    MinFirst(u32),
}

/// A function of the API.
#[derive(Clone, Debug)]
pub struct Function {
    /// Names it.
    pub id: u32,
    /// Its parameters.
    pub params: Vec<Place>,
    /// What it returns.
    pub result: Returns,
    /// Whether the caller waits.
    pub timing: Timing,
    /// The number that makes it fail if it is 13.
    pub fails: Option<u32>,
    /// Its errno comes back.
    pub errno: bool,
    /// What it does beside reading its parameters and writing them.
    pub effects: Vec<Effect>,
}

/// What a function returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Nothing.
    Void,
    /// A number of what it saw, not below zero.
    Status,
    /// A number of any type.
    Number(Scalar),
    /// An object.
    New(usize),
    /// A string for ever.
    Text,
    /// Elements of the library's own, for ever.
    Elements(Scalar, u32),
    /// The same; the library changes them in each call, and the program may pass and change them too.
    Shared(Scalar, u32),
    /// A struct by value.
    Struct(usize),
    /// A pointer to an element of a parameter.
    Within(u32),
    /// A block that the program frees: its elements, and the parameter that says how many.
    Block(Scalar, u32),
    /// A callback: that of a parameter, or the one that a slot kept before.
    Callback(usize, Option<u32>),
}

impl Returns {
    /// Whether it names a parameter.
    pub fn reads(&self, id: u32) -> bool {
        match self {
            Returns::Within(of) | Returns::Block(_, of) => *of == id,
            Returns::Callback(_, of) => *of == Some(id),
            _ => false,
        }
    }
}

/// Whether the caller waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// It waits.
    Sync,
    /// It does not, and gets 0.
    Async,
    /// It waits if a number is not zero.
    If(u32),
}

/// What the library does in a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Keeps a parameter in a slot, of the object that another one is.
    Keep {
        /// The parameter.
        place: u32,
        /// The slot.
        slot: usize,
        /// The object's parameter.
        of: Option<u32>,
    },
    /// Reads the contents of a slot.
    Show {
        /// The slot.
        slot: usize,
        /// The object's parameter.
        of: Option<u32>,
    },
    /// Forgets what a slot keeps.
    Drop {
        /// The slot.
        slot: usize,
        /// The object's parameter.
        of: Option<u32>,
    },
    /// Calls the callback of a parameter, or of a slot.
    Call {
        /// Where the callback is.
        from: From,
        /// How often.
        times: u32,
        /// On which thread.
        thread: Thread,
    },
    /// Sets the number that is attached to an object, or to the one that is returned.
    Set {
        /// The number's parameter.
        value: u32,
        /// The object's parameter.
        of: Option<u32>,
    },
    /// Ends the object of a parameter.
    Close(u32),
}

/// On which thread the library calls a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thread {
    /// The one that called the library.
    Caller,
    /// Another one, while the call waits for it.
    Joined,
    /// Another one, after the call perhaps.
    Late,
    /// One each, all at once, while the call waits for them.
    Many,
}

/// Where a callback is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// In a parameter, with the parameter of its userdata.
    Params(u32, Option<u32>),
    /// In members of the struct that a parameter points to.
    Members(u32, u32, u32),
    /// In a slot, of the object that a parameter is.
    Slot(usize, Option<u32>),
}

/// A call of the program.
#[derive(Clone, Debug)]
pub struct Step {
    /// Names it.
    pub id: u32,
    /// The id of the function.
    pub function: u32,
    /// Chooses the arguments.
    pub seed: u64,
    /// Arguments are present and small.
    pub plain: bool,
    /// Variables of the program that handle parameters are, or become.
    pub objects: Vec<(u32, u32)>,
    /// The variable that the result becomes.
    pub result: Option<u32>,
    /// The step that its callbacks make.
    pub nested: Option<u32>,
    /// Made by a callback only.
    pub inner: bool,
    /// Made at the same time as the one before, on another thread.
    pub parallel: bool,
}

impl Function {
    /// Whether buffers of it get their contents with a later call, and nothing else comes later.
    pub fn has_late_output(&self) -> bool {
        self.timing == Timing::Async && self.effects.is_empty() && self.params.iter().any(Place::is_late_output)
    }

    /// Whether other threads may call functions at the same time: it changes nothing that another call sees.
    pub fn is_quiet(&self) -> bool {
        let is_quiet = |effect: &Effect| match effect {
            Effect::Show { .. } => true,
            Effect::Call { from, thread, .. } => !matches!(from, From::Slot(..)) && *thread != Thread::Late,
            _ => false,
        };
        let makes = |place: &Place| match &place.ty {
            Type::Buffer(buffer) => matches!(buffer.element.ty, Type::Handle(_, Gives::New)),
            _ => false,
        };
        self.timing == Timing::Sync
            && self.effects.iter().all(is_quiet)
            && !matches!(self.result, Returns::New(_) | Returns::Shared(..))
            && !self.params.iter().any(makes)
    }
}

impl Library {
    /// The function of an id.
    pub fn function(&self, id: u32) -> Option<&Function> {
        self.functions.iter().find(|function| function.id == id)
    }
}

/// A place of a scope.
pub fn find(scope: &[Place], id: u32) -> Option<&Place> {
    scope.iter().find(|place| place.id == id)
}

/// Whether a size, a choice or a userdata of a scope reads a place of it.
pub fn is_read(scope: &[Place], id: u32) -> bool {
    scope.iter().any(|place| type_reads(&place.ty, id))
}

fn type_reads(ty: &Type, id: u32) -> bool {
    match ty {
        Type::Buffer(buffer) => {
            let valid = match buffer.valid {
                Some(Valid::First(of) | Valid::MinFirst(of)) => of == id,
                _ => false,
            };
            valid || buffer.extent.reads().contains(&id) || type_reads(&buffer.element.ty, id)
        }
        Type::Choice(on, cases) => *on == id || cases.iter().any(|(_, ty)| type_reads(ty, id)),
        Type::Union(on, _) | Type::Tail(on, _) | Type::Passed(_, on) => *on == id,
        Type::User(of) => of.contains(&id),
        _ => false,
    }
}

/// Whether a number that is attached to an object is the size of a parameter.
pub fn has_meta_size(ty: &Type) -> bool {
    matches!(ty, Type::Buffer(Buffer { extent: Extent::Meta(_), .. }))
}

/// Whether an exit expression of a scope reads a place: the worker always has memory for it.
pub fn is_read_at_exit(scope: &[Place], id: u32) -> bool {
    scope.iter().any(|place| match &place.ty {
        Type::Buffer(Buffer { valid: Some(Valid::First(of) | Valid::MinFirst(of)), .. }) => *of == id,
        _ => false,
    })
}

impl Library {
    /// Whether callbacks or calls may come in another order than they were made in.
    pub fn is_concurrent(&self) -> bool {
        let late = |effect: &Effect| matches!(effect, Effect::Call { thread: Thread::Late | Thread::Many, .. });
        self.callbacks.iter().any(|callback| callback.asynchronous)
            || self.functions.iter().any(|f| f.timing != Timing::Sync || f.effects.iter().any(late))
    }
}
