//! A plan, its tables and its blocks.

use alloc::vec::Vec;

use crate::codec::{Counts, Decode, Decoding, Encode, Facts, Reader, Result, Side, put_flags, read, record};
use crate::{Call, Code, Value};

record! {
    /// A type of handles.
    Handle<S> [
        /// A side that did not create such an object has stand-in memory for it.
        has_memory,
    ] {
        /// Its name: a text.
        name: u32 = text,
        /// The size of a handle.
        bytes: S::Bytes = pointer_size,
        /// The type of handles whose objects live at least as long.
        parent: Option<u32> = maybe_handle,
        /// The size of the struct that a handle points to, or 0.
        memory: S::Bytes = size,
        /// Members of that struct with a constant as initial value.
        initial: Vec<Initial<S>>,
        /// Members that a function of C initializes.
        computed: Vec<Computed<S>>,
        /// The block of the members that are copied.
        members: Option<u32> = maybe_block,
        /// Facts that the side derives.
        facts: Facts<S::Handle>;
        initial.iter().all(|one| one.offset + one.bytes <= memory)
            && computed.iter().all(|one| one.offset + one.bytes <= memory) => "a member outside of its struct"
    }

    /// The initial value of a member of the struct that a handle points to.
    Initial<S> {
        /// Where the member is.
        offset: S::Bytes = size,
        /// Its size.
        bytes: S::Bytes = scalar_size,
        /// The value.
        value: i128,
    }

    /// A member whose initial value is the result of a function of C, which gets the address of the struct.
    Computed<S> {
        /// Where the member is.
        offset: S::Bytes = size,
        /// Its size.
        bytes: S::Bytes = scalar_size,
        /// The function.
        native: u32 = native,
    }

    /// Numbers that are attached to handles or pointers.
    Metadata {
        /// The name of the type that has them: a text.
        owner: u32 = text,
        /// What is attached. An array has a member for each element.
        members: Vec<MetadataMember>,
    }

    /// A member of metadata.
    MetadataMember [
        /// It is a scope for lifetimes, not a number.
        is_scope,
    ] {
        /// Its name: a text.
        name: u32 = text,
    }

    /// Something of which calls use some.
    Resource [
        /// It is a store that is given back, not a rate.
        is_store,
    ] {
        /// Its name: a text.
        name: u32 = text,
    }

    /// The layout of a struct or of the arguments of a call.
    Block<S> {
        /// Its name: a text.
        name: u32 = text,
        /// Its size.
        bytes: S::Bytes = size,
        /// Expressions that are evaluated at entry for use at exit ([`Op::Old`](crate::Op::Old)).
        snapshots: Vec<Code<S>>,
        /// The values that are sent, in order: what a size or choice reads comes before the value that has it.
        values: Vec<Value<S>>,
        /// Facts that the side derives.
        facts: Facts<S::Block>,
    }

    /// A function of the library.
    Function<S> {
        /// Its name in C: a text.
        name: u32 = text,
        /// How it is called. `None` if the caller's side has all that is needed.
        call: Option<Call<S>>,
    }
}

/// How the functions and callbacks of a library are marshalled.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan<S: Side> {
    /// The types of handles.
    pub handles: Vec<Handle<S>>,
    /// Numbers that are attached to handles or pointers.
    pub metadata: Vec<Metadata>,
    /// What calls use.
    pub resources: Vec<Resource>,
    /// Structs, and arguments of calls.
    pub blocks: Vec<Block<S>>,
    /// The functions.
    pub functions: Vec<Function<S>>,
    /// The callbacks. The worker calls, the guest is called.
    pub callbacks: Vec<Call<S>>,
}

/// The first word of a plan, and its version: "CXP" and 6.
const MAGIC: u32 = 0x0650_5843;

impl<S: Side> Plan<S> {
    /// Returns the words of the plan.
    pub fn encode(&self) -> Vec<S::Word> {
        let Plan { handles, metadata, resources, blocks, functions, callbacks } = self;
        let counts = [metadata.len(), resources.len(), blocks.len(), functions.len(), callbacks.len()];
        let mut out = Vec::new();
        out.push(MAGIC.into());
        Encode::<S>::encode(&handles.len(), &mut out);
        counts.iter().for_each(|count| Encode::<S>::encode(count, &mut out));
        handles.iter().for_each(|one| one.encode(&mut out));
        metadata.iter().for_each(|one| Encode::<S>::encode(one, &mut out));
        resources.iter().for_each(|one| Encode::<S>::encode(one, &mut out));
        blocks.iter().for_each(|one| one.encode(&mut out));
        functions.iter().for_each(|one| one.encode(&mut out));
        callbacks.iter().for_each(|one| one.encode(&mut out));
        out
    }
}

impl<S: Decoding> Plan<S> {
    /// Decodes a plan. `texts` and `natives` are the numbers of texts and of C functions that the library has for it.
    ///
    /// # Errors
    ///
    /// Fails if the words are not a plan of this version.
    pub fn decode(words: &[u32], texts: usize, natives: usize) -> Result<Plan<S>> {
        let mut from = Reader::new(words, texts, natives);
        let is_plan = from.word()? == MAGIC;
        from.check(is_plan, "not a plan, or one of another version")?;
        let plan = Plan::read(&mut from)?;
        from.check(from.is_at_end(), "words behind the end of the plan")?;
        Ok(plan)
    }

    /// Reads what follows the first word.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Plan<S>> {
        let mut counts = [0; 6];
        for count in &mut counts {
            *count = from.count()?;
        }
        let [handles, metadata, resources, blocks, functions, callbacks] = counts;
        let Counts { texts, natives, .. } = from.counts;
        let members = Vec::new();
        from.counts = Counts { texts, natives, handles, metadata: members, resources, blocks, functions, callbacks };
        let handles = list(handles, || Decode::<S>::decode(from))?;
        let metadata = list(metadata, || <Metadata as Decode<S>>::decode(from))?;
        from.counts.metadata = metadata.iter().map(|one| one.members.len() as u32).collect();
        Ok(Plan {
            handles,
            metadata,
            resources: list(resources, || Decode::<S>::decode(from))?,
            blocks: list(blocks, || Decode::<S>::decode(from))?,
            functions: list(functions, || Decode::<S>::decode(from))?,
            callbacks: list(callbacks, || Decode::<S>::decode(from))?,
        })
    }
}

/// A member of metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The metadata.
    pub of: u32,
    /// The position of the member.
    pub member: u32,
}

impl<S: Side> Encode<S> for Slot {
    fn encode(&self, out: &mut Vec<S::Word>) {
        out.extend([self.of.into(), self.member.into()]);
    }
}

impl<S: Decoding> Decode<S> for Slot {
    fn decode(from: &mut Reader<'_>) -> Result<Slot> {
        from.slot()
    }
}

/// Reads a list. It reserves memory for a short one only, because `count` may be wrong.
pub(crate) fn list<T>(count: u32, mut read: impl FnMut() -> Result<T>) -> Result<Vec<T>> {
    let mut list = Vec::with_capacity(count.min(32) as usize);
    for _ in 0..count {
        list.push(read()?);
    }
    Ok(list)
}
