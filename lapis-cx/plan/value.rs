//! Values: what they are, who has their memory, and how long it lives.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::codec::{Decode, Decoding, Encode, Facts, Reader, Result, Side, choice, put_flags, read, record};
use crate::{Code, Slot};

record! {
    /// A value. An element of an array or a case of a choice has no name, and offset 0.
    Value<S> [
        /// It is sent at entry.
        copy_in,
        /// It is sent at exit, if the call succeeded.
        copy_out,
        /// It is the result of the call.
        is_result,
    ] {
        /// Its name: a text.
        name: u32 = text,
        /// Where it is in its block.
        offset: S::Bytes = size,
        /// A condition that replaces success.
        on: Option<Code<S>>,
        /// What it is.
        kind: Kind<S>,
    }

    /// A number in memory.
    #[derive(Copy)]
    Scalar<S> [
        /// It has a sign.
        is_signed,
        /// It is a `char`. The C implementation determines whether a `char` has a sign.
        is_char,
        /// It is a floating-point number. Expressions do not read it; the end of a buffer may be 0.
        is_float,
    ] {
        /// Its size.
        bytes: S::Bytes = scalar_size,
    }
}

impl<S: Side> Scalar<S> {
    /// Creates the type of an unsigned integer.
    pub const fn unsigned(bytes: S::Bytes) -> Scalar<S> {
        Scalar { is_signed: false, is_char: false, is_float: false, bytes }
    }
}

choice! {
    /// What a value is.
    Kind<S> {
        /// Nothing.
        Nothing = 0,
        /// A number.
        Scalar = 1 {
            /// In memory.
            scalar: Scalar<S>,
            /// Its size in a message.
            wire: S::Bytes = scalar_size;
            scalar.bytes <= wire => "a number that is smaller on the wire"
        },
        /// An address that is not followed.
        Address = 2 {
            /// The region there ends with the call.
            is_own: bool
        },
        /// An identifier of an object.
        Handle = 3(handle: HandleValue<S>),
        /// A struct by value.
        Block = 4(id: u32 = block),
        /// An inline array.
        Array = 5(array: Box<Array<S>>),
        /// A pointer to elements.
        Buffer = 6(buffer: Box<Buffer<S>>),
        /// A function of the caller.
        Callback = 7 {
            /// Its type.
            of: u32 = callback,
            /// It may be null.
            is_optional: bool,
            /// How long it is registered.
            lifetime: Lifetime<S>
        },
        /// The userdata of registrations.
        Userdata = 8 {
            /// The functions that get it. It is empty among the arguments of a callback.
            of: Vec<Tagged<S>>,
            /// How long it is kept.
            lifetime: Lifetime<S>
        },
        /// A pointer into a region.
        Within = 9 {
            /// It may be null.
            is_optional: bool,
            /// The start of the region. `None` means any region.
            region: Option<Code<S>>
        },
        /// A path or descriptor of a file.
        File = 10(file: Box<File<S>>),
        /// The caller's stub of the function that a text names.
        Function = 11(name: Code<S>),
        /// Sequential bytes.
        Stream = 12 {
            /// The callee reads them.
            is_in: bool,
            /// The callee writes them.
            is_out: bool
        },
        /// A choice by a number.
        Match = 13(choice: Box<Match<S>>),
        /// A value that is not sent. The callee gets zero.
        Local = 14 {
            /// The size of the value in bytes, in memory.
            bytes: S::Bytes = size
        },
    }
}

record! {
    /// An identifier of an object.
    HandleValue<S> [
        /// The receiver gains a reference.
        is_new,
        /// The call takes a reference.
        is_own,
        /// It may be null.
        is_optional,
    ] {
        /// The type of the handle.
        of: u32 = handle,
        /// Its size.
        bytes: S::Bytes = pointer_size,
        /// The size of the stand-in memory, if it is larger than the struct.
        capacity: Option<Code<S>>,
    }

    /// An inline array.
    Array<S> [
        /// `valid` can be evaluated at entry.
        is_valid_known,
    ] {
        /// The size of an element.
        stride: S::Bytes = size,
        /// The number of elements.
        count: Code<S>,
        /// The number of elements that have contents.
        valid: Option<Code<S>>,
        /// Each element.
        element: Value<S>,
        /// Facts that the side derives.
        facts: Facts<S::Value>,
    }

    /// A pointer to elements.
    Buffer<S> [
        /// Contents are sent at entry.
        is_in,
        /// Contents are sent at exit.
        is_out,
        /// It may be null.
        is_optional,
        /// Both sides share it.
        is_shared,
        /// It is shared and pinned.
        is_pinned,
        /// The number of elements is read from the contents, as in `[char; strlen(self) + 1]`. The sender evaluates it before it
        /// sends. The receiver takes the number that was sent, receives the contents, and then evaluates the expression and
        /// compares. It appends a zero element, so that a library which looks for the end of a string finds one.
        is_measured,
        /// An expression at exit reads it: the callee gets memory even if the caller passes null.
        has_always_memory,
        /// C declares the elements constant, so the receiver of the pointer does not change them.
        is_constant,
        /// `valid` can be evaluated at entry.
        is_valid_known,
    ] {
        /// The side that owns the memory.
        ownership: Ownership,
        /// The size of an element.
        stride: S::Bytes = size,
        /// The base-2 logarithm of the least alignment of the copy of the other side.
        alignment: u32 = alignment,
        /// How long the copy of the other side lives.
        lifetime: Lifetime<S>,
        /// The function that allocates the memory.
        allocate: Option<u32> = maybe_function,
        /// The function that frees it.
        free: Option<u32> = maybe_function,
        /// The number of elements.
        count: Option<Code<S>>,
        /// What ends the elements.
        until: Option<Until<S>>,
        /// The number of elements that have contents.
        valid: Option<Code<S>>,
        /// Each element.
        element: Value<S>,
        /// Facts that the side derives.
        facts: Facts<S::Value>;
        until.as_ref().is_none_or(|until| until.scalar.bytes <= stride) => "an end that is larger than an element"
    }

    /// The end of a buffer: the number at the start of the last element has this value.
    Until<S> {
        /// What is compared.
        scalar: Scalar<S>,
        /// Its value.
        value: Code<S>,
    }

    /// A function to which a userdata belongs.
    Tagged<S> {
        /// Its type, if it is a callback in the same block.
        callback: Option<u32> = maybe_callback,
        /// The function.
        function: Code<S>,
    }

    /// A path or descriptor of a file.
    File<S> [
        /// It is a descriptor, not a path.
        is_descriptor,
        /// The callee reads the file.
        is_in,
        /// The callee writes the file.
        is_out,
    ] {
        /// The size of the path's address or of the descriptor.
        bytes: S::Bytes = scalar_size,
        /// How long it is open.
        lifetime: Lifetime<S>,
    }

    /// A choice by a number.
    Match<S> {
        /// The number.
        value: Code<S>,
        /// The cases.
        arms: Vec<Arm<S>>,
        /// The value in all other cases.
        default: Option<Value<S>>,
        /// Facts that the side derives.
        facts: Facts<S::Value>,
    }

    /// A case of a choice.
    Arm<S> {
        /// Half-open ranges of the number.
        ranges: Vec<(i128, i128)>,
        /// The value then.
        value: Value<S>,
    }
}

impl<S: Side> Match<S> {
    /// Returns all cases.
    pub fn cases(&self) -> impl Iterator<Item = &Value<S>> {
        self.arms.iter().map(|arm| &arm.value).chain(&self.default)
    }

    /// Returns all cases.
    pub fn cases_mut(&mut self) -> impl Iterator<Item = &mut Value<S>> {
        self.arms.iter_mut().map(|arm| &mut arm.value).chain(&mut self.default)
    }

    /// Returns a case by its position. The position after the last arm selects the default case.
    pub fn case(&self, at: usize) -> Option<&Value<S>> {
        self.arms.get(at).map(|arm| &arm.value).or(self.default.as_ref().filter(|_| at == self.arms.len()))
    }
}

choice! {
    /// How long the copy of the other side lives.
    Lifetime<S> {
        /// To the exit of the call.
        Call = 0,
        /// For ever. It is made once.
        Static = 1,
        /// Until a call takes it.
        Manual = 2,
        /// Until a handle of this type dies.
        Handle = 3(of: u32 = handle, handle: Code<S>),
        /// Until the mirrored struct at an address ends.
        MirroredStruct = 4(address: Code<S>),
        /// Until a scope ends.
        Scope = 5(scope: Slot, owner: Code<S>),
        /// Until a callback was called.
        Callback = 6(function: Code<S>),
        /// Until `once` callbacks were called, which may be after the registering call returned. For a userdata, the functions that are
        /// such callbacks.
        Once = 7(functions: Vec<Code<S>>),
    }

    /// The side that owns the memory of a buffer.
    #[derive(Copy, Eq)]
    Ownership {
        /// The sender. The receiver may use it as long as it lives.
        Borrowed = 0,
        /// The receiver from now on.
        Given = 1,
        /// The callee from now on. The copy on the other side ends.
        Taken = 2,
        /// The caller. The worker has a mirrored struct at an address that stays.
        MirroredStruct = 3,
        /// The mirrored struct ends.
        EndsMirroredStruct = 4,
    }
}
