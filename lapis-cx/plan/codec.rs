//! Encoding and decoding. The macros `record` and `choice` declare a type together with both directions, so an encoder and a decoder
//! cannot disagree.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// What the types of a plan are made of on one side: the compiler, or the engine.
pub trait Side: Sized {
    /// A number of bytes in C: a size, or an offset. The compiler has an expression of C, the engine a number.
    type Bytes: Encode<Self> + Clone + fmt::Debug + PartialEq;
    /// A word of a plan.
    type Word: From<u32>;
    /// What the side derives from an expression.
    type Code: Clone + fmt::Debug + PartialEq + Default;
    /// What the side derives from an array, a buffer or a choice.
    type Value: Clone + fmt::Debug + PartialEq + Default;
    /// What the side derives from a block.
    type Block: Clone + fmt::Debug + PartialEq + Default;
    /// What the side derives from a call.
    type Call: Clone + fmt::Debug + PartialEq + Default;
    /// What the side derives from a type of handles.
    type Handle: Clone + fmt::Debug + PartialEq + Default;
}

/// A side that decodes plans.
pub trait Decoding: Side<Bytes = usize> {
    /// Derives facts from the operations of an expression.
    fn code(ops: &[crate::Op<Self>]) -> Self::Code;
}

/// A side on which sizes are numbers and nothing is derived: plans as the words have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain;

impl Side for Plain {
    type Bytes = usize;
    type Word = u32;
    type Code = ();
    type Value = ();
    type Block = ();
    type Call = ();
    type Handle = ();
}

impl Decoding for Plain {
    fn code(_: &[crate::Op<Self>]) {}
}

/// Facts that a side derives from a part of a plan. They are not part of the words.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Facts<T>(pub T);

impl<T> Deref for Facts<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Facts<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// A part of a plan that can be written as words.
pub trait Encode<S: Side> {
    /// Appends the words.
    fn encode(&self, out: &mut Vec<S::Word>);
}

/// A part of a plan that can be read from words.
pub trait Decode<S: Decoding>: Sized {
    /// Reads the part, which is valid in itself.
    ///
    /// # Errors
    ///
    /// Fails if the words are not such a part.
    fn decode(from: &mut Reader<'_>) -> Result<Self>;
}

/// The error for words that are not a valid plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The position of the last word that was read: the offending one, or the end of the part that is not valid.
    pub at: usize,
    /// The reason.
    pub why: &'static str,
}

impl fmt::Display for Invalid {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "word {} of the plan: {}", self.at, self.why)
    }
}

impl core::error::Error for Invalid {}

/// The result of decoding.
pub type Result<T> = core::result::Result<T, Invalid>;

/// How deep boxes and lists may nest. A value in a buffer is one level deeper, a value in a case of a choice is two levels deeper.
pub const DEEPEST: u32 = 128;

/// The largest size or offset in bytes.
pub const LARGEST: u32 = 1 << 30;

/// The most elements of an inline array in a struct behind a handle.
pub const MOST_MEMBER_ELEMENTS: u32 = 1 << 20;

/// How many there are of what words name by position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub texts: u32,
    pub natives: u32,
    pub handles: u32,
    /// The number of members of each.
    pub metadata: Vec<u32>,
    pub resources: u32,
    pub blocks: u32,
    pub functions: u32,
    pub callbacks: u32,
}

/// Reads words, and checks that each one is in its range.
#[derive(Clone)]
pub struct Reader<'a> {
    words: &'a [u32],
    at: usize,
    depth: u32,
    pub(crate) counts: Counts,
    /// The state of a generator that supplies words in place of `words`.
    #[cfg(test)]
    pub(crate) random: Option<u64>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(words: &'a [u32], texts: usize, natives: usize) -> Reader<'a> {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let counts = Counts { texts: count(texts), natives: count(natives), ..Counts::default() };
        Reader {
            words,
            at: 0,
            depth: 0,
            counts,
            #[cfg(test)]
            random: None,
        }
    }

    pub(crate) fn fail<T>(&self, why: &'static str) -> Result<T> {
        Err(Invalid { at: self.at.saturating_sub(1), why })
    }

    pub(crate) fn check(&self, is_valid: bool, why: &'static str) -> Result<()> {
        if is_valid { Ok(()) } else { self.fail(why) }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.words.len()
    }

    /// Reads any word.
    pub(crate) fn word(&mut self) -> Result<u32> {
        #[cfg(test)]
        if let Some(seed) = &mut self.random {
            return Ok(crate::tests::next(seed));
        }
        let Some(word) = self.words.get(self.at) else { return self.fail("the plan ends too soon") };
        self.at += 1;
        Ok(*word)
    }

    /// Reads a word that is less than `limit`.
    pub(crate) fn below(&mut self, limit: u32, why: &'static str) -> Result<u32> {
        #[cfg(test)]
        if let (Some(seed), 1..) = (&mut self.random, limit) {
            return Ok(crate::tests::next(seed) % limit);
        }
        let word = self.word()?;
        if word < limit { Ok(word) } else { self.fail(why) }
    }

    /// Reads a count of entries, of which each has at least one word.
    pub(crate) fn count(&mut self) -> Result<u32> {
        #[cfg(test)]
        if let Some(seed) = &mut self.random {
            return Ok(crate::tests::next(seed) % 16 / (2 + self.depth));
        }
        let left = self.words.len() - self.at;
        self.below(u32::try_from(left).unwrap_or(u32::MAX), "more entries than words")
    }

    /// Reads something one level deeper.
    pub(crate) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.check(self.depth < DEEPEST, "values that are nested too deeply")?;
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reads something whose parts must fit each other. A generator tries again until they do.
    pub(crate) fn whole<T>(&mut self, read: impl Fn(&mut Self) -> Result<T>) -> Result<T> {
        #[cfg(test)]
        if self.random.is_some() {
            for _ in 0..20 {
                if let Ok(whole) = read(self) {
                    return Ok(whole);
                }
            }
        }
        read(self)
    }

    /// Reads `N` flags from one word, the first one from its lowest bit.
    pub(crate) fn flags<const N: usize>(&mut self) -> Result<[bool; N]> {
        let word = self.below(1 << N, "unknown flags")?;
        Ok(core::array::from_fn(|bit| word >> bit & 1 != 0))
    }

    /// Reads a size or an offset.
    pub(crate) fn size(&mut self) -> Result<usize> {
        self.below(LARGEST + 1, "a size above 1 GiB").map(|size| size as usize)
    }

    /// Reads the size of a number.
    pub(crate) fn scalar_size(&mut self) -> Result<usize> {
        self.one_of(&[1, 2, 4, 8, 16], "a scalar size other than 1, 2, 4, 8 or 16 bytes")
    }

    /// Reads the size of a pointer or handle.
    pub(crate) fn pointer_size(&mut self) -> Result<usize> {
        self.one_of(&[4, 8], "a pointer or handle that has neither 4 nor 8 bytes")
    }

    /// Reads the logarithm of an alignment, to the base 2.
    pub(crate) fn alignment(&mut self) -> Result<u32> {
        let all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
        Ok(self.one_of(&all, "an alignment above 4096 bytes")? as u32)
    }

    fn one_of(&mut self, sizes: &[usize], why: &'static str) -> Result<usize> {
        #[cfg(test)]
        if let Some(seed) = &mut self.random {
            return Ok(sizes[crate::tests::next(seed) as usize % sizes.len()]);
        }
        let size = self.word()? as usize;
        self.check(sizes.contains(&size), why)?;
        Ok(size)
    }

    /// Reads the position of a member of metadata.
    pub(crate) fn slot(&mut self) -> Result<crate::Slot> {
        let of = self.below(self.counts.metadata.len() as u32, "a metadata index out of range")?;
        let members = self.counts.metadata.get(of as usize).copied().unwrap_or(0);
        Ok(crate::Slot { of, member: self.below(members, "a member index out of range")? })
    }
}

/// Readers of positions, and of optional positions.
macro_rules! positions {
    ($($one:ident $(/ $maybe:ident)?: $count:ident, $why:literal;)*) => {
        impl Reader<'_> {$(
            pub(crate) fn $one(&mut self) -> Result<u32> {
                self.below(self.counts.$count, $why)
            }

            $(pub(crate) fn $maybe(&mut self) -> Result<Option<u32>> {
                if self.flags()? == [true] { self.$one().map(Some) } else { Ok(None) }
            })?
        )*}
    };
}

positions! {
    text: texts, "a text index out of range";
    native: natives, "a C function index out of range";
    handle / maybe_handle: handles, "a handle index out of range";
    resource: resources, "a resource index out of range";
    block / maybe_block: blocks, "a block index out of range";
    function / maybe_function: functions, "a function index out of range";
    callback / maybe_callback: callbacks, "a callback index out of range";
}

impl<S: Side> Encode<S> for u32 {
    fn encode(&self, out: &mut Vec<S::Word>) {
        out.push((*self).into());
    }
}

impl<S: Side> Encode<S> for usize {
    fn encode(&self, out: &mut Vec<S::Word>) {
        out.push(u32::try_from(*self).unwrap_or(u32::MAX).into());
    }
}

impl<S: Side> Encode<S> for bool {
    fn encode(&self, out: &mut Vec<S::Word>) {
        out.push(u32::from(*self).into());
    }
}

impl<S: Decoding> Decode<S> for bool {
    fn decode(from: &mut Reader<'_>) -> Result<bool> {
        from.flags().map(|[flag]| flag)
    }
}

/// A number of 31 bits is one word, its lowest bit 0. Any other one is the word 1 and four words, the lowest first.
impl<S: Side> Encode<S> for i128 {
    fn encode(&self, out: &mut Vec<S::Word>) {
        match i32::try_from(*self).ok().filter(|small| small << 1 >> 1 == *small) {
            Some(small) => out.push((small << 1).cast_unsigned().into()),
            None => {
                out.push(1.into());
                out.extend((0..4).map(|word| S::Word::from((*self >> (32 * word)) as u32)));
            }
        }
    }
}

impl<S: Decoding> Decode<S> for i128 {
    fn decode(from: &mut Reader<'_>) -> Result<i128> {
        let first = from.word()?;
        if first & 1 == 0 {
            return Ok(i128::from(first.cast_signed() >> 1));
        }
        let mut bits = 0;
        for word in 0..4 {
            bits |= u128::from(from.word()?) << (32 * word);
        }
        Ok(bits.cast_signed())
    }
}

impl<S: Side, T: Encode<S>> Encode<S> for Option<T> {
    fn encode(&self, out: &mut Vec<S::Word>) {
        Encode::<S>::encode(&self.is_some(), out);
        self.iter().for_each(|one| one.encode(out));
    }
}

impl<S: Decoding, T: Decode<S>> Decode<S> for Option<T> {
    fn decode(from: &mut Reader<'_>) -> Result<Option<T>> {
        if from.flags()? == [true] { T::decode(from).map(Some) } else { Ok(None) }
    }
}

impl<S: Side, T: Encode<S>> Encode<S> for Vec<T> {
    fn encode(&self, out: &mut Vec<S::Word>) {
        Encode::<S>::encode(&self.len(), out);
        self.iter().for_each(|one| one.encode(out));
    }
}

impl<S: Decoding, T: Decode<S>> Decode<S> for Vec<T> {
    fn decode(from: &mut Reader<'_>) -> Result<Vec<T>> {
        let count = from.count()?;
        from.deeper(|from| crate::plan::list(count, || T::decode(from)))
    }
}

impl<S: Side, T: Encode<S>> Encode<S> for Box<T> {
    fn encode(&self, out: &mut Vec<S::Word>) {
        (**self).encode(out);
    }
}

impl<S: Decoding, T: Decode<S>> Decode<S> for Box<T> {
    fn decode(from: &mut Reader<'_>) -> Result<Box<T>> {
        from.deeper(|from| T::decode(from).map(Box::new))
    }
}

impl<S: Side, A: Encode<S>, B: Encode<S>> Encode<S> for (A, B) {
    fn encode(&self, out: &mut Vec<S::Word>) {
        self.0.encode(out);
        self.1.encode(out);
    }
}

impl<S: Decoding, A: Decode<S>, B: Decode<S>> Decode<S> for (A, B) {
    fn decode(from: &mut Reader<'_>) -> Result<(A, B)> {
        Ok((A::decode(from)?, B::decode(from)?))
    }
}

impl<S: Side, T> Encode<S> for Facts<T> {
    fn encode(&self, _: &mut Vec<S::Word>) {}
}

impl<S: Decoding, T: Default> Decode<S> for Facts<T> {
    fn decode(_: &mut Reader<'_>) -> Result<Facts<T>> {
        Ok(Facts(T::default()))
    }
}

/// Appends flags as one word, the first one as its lowest bit.
pub(crate) fn put_flags<S: Side>(out: &mut Vec<S::Word>, flags: &[bool]) {
    let bits = flags.iter().rev().fold(0, |bits, flag| bits << 1 | u32::from(*flag));
    out.push(bits.into());
}

/// Reads a field: by its type, or by the method of [`Reader`] that its declaration names.
macro_rules! read {
    ($from:ident, $ty:ty) => {
        <$ty as $crate::codec::Decode<S>>::decode($from)?
    };
    ($from:ident, $ty:ty, $read:ident) => {
        $from.$read()?
    };
}

/// Declares structs. The flags in brackets are one word, and the fields follow in the order of the declaration. `field: u32 = handle` is read by
/// [`Reader::handle`]. A condition about the fields may follow them.
macro_rules! record {
    ($(
        $(#[$about:meta])*
        $name:ident $(<$s:ident>)? $([ $($(#[$flag_doc:meta])* $flag:ident,)+ ])? {
            $($(#[$doc:meta])* $field:ident: $ty:ty $(= $read:ident)?),+ $(,)?
            $(; $valid:expr => $why:literal)?
        }
    )*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name $(<$s: Side>)? {
            $($($(#[$flag_doc])* pub $flag: bool,)+)?
            $($(#[$doc])* pub $field: $ty,)+
        }

        impl<S: Side> Encode<S> for $name $(<$s>)? {
            fn encode(&self, out: &mut Vec<S::Word>) {
                $(put_flags::<S>(out, &[$(self.$flag),+]);)?
                $(Encode::<S>::encode(&self.$field, out);)+
            }
        }

        impl<S: Decoding> Decode<S> for $name $(<$s>)? {
            fn decode(from: &mut Reader<'_>) -> Result<Self> {
                from.whole(|from| {
                    $(let [$($flag),+] = from.flags()?;)?
                    $(let $field: $ty = read!(from, $ty $(, $read)?);)+
                    $(from.check($valid, $why)?;)?
                    Ok($name { $($($flag,)+)? $($field,)+ })
                })
            }
        }
    )*};
}

/// Declares enums. The number of the variant is one word, and its fields follow as those of a [`record`].
macro_rules! choice {
    ($(
        $(#[$about:meta])*
        $name:ident $(<$s:ident>)? {$(
            $(#[$doc:meta])*
            $variant:ident = $number:literal
                $({
                    $($(#[$field_doc:meta])* $field:ident: $ty:ty $(= $read:ident)?),+
                    $(; $valid:expr => $why:literal)?
                })?
                $(( $($part:ident: $part_ty:ty $(= $part_read:ident)?),+ ))?,
        )*}
    )*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name $(<$s: Side>)? {$(
            $(#[$doc])*
            $variant $({ $($(#[$field_doc])* $field: $ty),+ })? $(( $($part_ty),+ ))?,
        )*}

        impl<S: Side> Encode<S> for $name $(<$s>)? {
            fn encode(&self, out: &mut Vec<S::Word>) {
                match self {$(
                    $name::$variant $({ $($field),+ })? $(( $($part),+ ))? => {
                        out.push(S::Word::from($number));
                        $($(Encode::<S>::encode($field, out);)+)?
                        $($(Encode::<S>::encode($part, out);)+)?
                    }
                )*}
            }
        }

        impl<S: Decoding> Decode<S> for $name $(<$s>)? {
            fn decode(from: &mut Reader<'_>) -> Result<Self> {
                from.whole(|from| Ok(match from.below([$($number),*].len() as u32, "an unknown enumeration value")? {
                    $($number => {
                        $(
                            $(let $field: $ty = read!(from, $ty $(, $read)?);)+
                            $(from.check($valid, $why)?;)?
                        )?
                        $($(let $part: $part_ty = read!(from, $part_ty $(, $part_read)?);)+)?
                        $name::$variant $({ $($field),+ })? $(( $($part),+ ))?
                    })*
                    _ => return from.fail("an unknown enumeration value"),
                }))
            }
        }
    )*};
}

pub(crate) use {choice, read, record};
