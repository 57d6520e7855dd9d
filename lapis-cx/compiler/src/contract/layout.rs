//! Where state lies in words of XLEN bits, and the status word.
//!
//! Each field starts a new word. Inside a field the elements are packed without gaps, element 0 (row 0) lowest, signed
//! values by their pattern; the last word is padded with zeros. Padding reads 0, and writes to it are dropped.
//! (Language rules, "State, status word, CSRs".)

use super::Section;
use super::core::{Type, Value};
use crate::int::Int;

/// The status word: `cs[1:0]`, `state_size[11:2]`, `error[31:24]`.
pub mod status {
    /// Lowest bit of `cs`.
    pub const CS_SHIFT: u32 = 0;
    /// Width of `cs` in bits.
    pub const CS_BITS: u32 = 2;
    /// Lowest bit of `state_size`.
    pub const SIZE_SHIFT: u32 = 2;
    /// Width of `state_size` in bits.
    pub const SIZE_BITS: u32 = 10;
    /// The most words that `state_size` can say.
    pub const MAX_SIZE: u64 = (1 << SIZE_BITS) - 1;
    /// Lowest bit of `error`.
    pub const ERROR_SHIFT: u32 = 24;
    /// Width of `error` in bits.
    pub const ERROR_BITS: u32 = 8;

    /// `cs`: the context is off.
    pub const OFF: u8 = 0;
    /// `cs`: the fields have their reset values.
    pub const INITIAL: u8 = 1;
    /// `cs`: the fields are as they were saved.
    pub const CLEAN: u8 = 2;
    /// `cs`: the fields may have changed since.
    pub const DIRTY: u8 = 3;

    /// Builds a status word; `size` is in words of XLEN bits.
    pub fn word(cs: u8, size: u64, error: u8) -> u32 {
        u32::from(cs & DIRTY) | ((size & MAX_SIZE) as u32) << SIZE_SHIFT | u32::from(error) << ERROR_SHIFT
    }
}

/// The words of a section's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bits of a word: 32 or 64.
    pub xlen: u32,
    /// The fields in source order.
    pub fields: Vec<FieldLayout>,
    /// All words: the `state_size` of the status word.
    pub words: u64,
}

/// The words of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldLayout {
    /// The field's type.
    pub ty: Type,
    /// The index of its first word.
    pub first: u64,
    /// How many words it takes.
    pub words: u64,
    /// Width of an element in bits.
    pub element_bits: u32,
    /// How many elements it has; 1 for a scalar.
    pub elements: u64,
}

impl FieldLayout {
    /// Width of the field in bits, padding not counted.
    pub fn bits(&self) -> u64 {
        self.elements.saturating_mul(u64::from(self.element_bits))
    }
}

impl Layout {
    /// Lays out the state of a section; no words if it has none.
    pub fn new(section: &Section) -> Layout {
        let xlen = section.xlen.clamp(1, 64);
        let mut layout = Layout { xlen, fields: Vec::new(), words: 0 };
        for field in section.state.iter().flat_map(|state| &state.fields) {
            let (scalar, elements) = field.ty.flattened();
            let words = field.ty.bits().div_ceil(u64::from(xlen));
            let element_bits = scalar.width();
            let first = layout.words;
            layout.fields.push(FieldLayout { ty: field.ty.clone(), first, words, element_bits, elements });
            layout.words = layout.words.saturating_add(words);
        }
        layout
    }

    /// The place in [`Layout::fields`] of the field that holds a word, and the word's index in that field.
    pub fn locate(&self, word: u64) -> Option<(usize, u64)> {
        let place = self.fields.partition_point(|f| f.first.saturating_add(f.words) <= word);
        let field = self.fields.get(place)?;
        Some((place, word - field.first))
    }

    /// The word at an index; 0 outside. `values` are the fields' values in order.
    pub fn read(&self, values: &[Value], word: u64) -> u64 {
        let Some((place, word)) = self.locate(word) else {
            return 0;
        };
        let (Some(field), Some(value)) = (self.fields.get(place), values.get(place)) else {
            return 0;
        };
        let mut read = Int::ZERO;
        for part in self.parts(field, word) {
            let element =
                element(&field.ty, value, part.element).map_or(Int::ZERO, |v| v.wrap(field.element_bits, false));
            let bits = element.shr(part.element_bit).wrap(part.width, false);
            read = read.or(&bits.shl(part.word_bit));
        }
        read.to_u64().unwrap_or(0)
    }

    /// Writes the word at an index; a write outside is dropped, and so are the bits of padding.
    pub fn write(&self, values: &mut [Value], word: u64, v: u64) {
        let Some((place, word)) = self.locate(word) else {
            return;
        };
        let (Some(field), Some(value)) = (self.fields.get(place), values.get_mut(place)) else {
            return;
        };
        let v = Int::from(v);
        let (scalar, _) = field.ty.flattened();
        for part in self.parts(field, word) {
            if let Some(slot) = element_mut(&field.ty, value, part.element) {
                let bits = v.shr(part.word_bit).wrap(part.width, false);
                let hole = Int::ones(part.width).shl(part.element_bit);
                let old = slot.wrap(field.element_bits, false);
                let kept = &old - &old.and(&hole);
                *slot = scalar.reduce(&(&kept + &bits.shl(part.element_bit)));
            }
        }
    }

    /// All words of the fields' values.
    pub fn pack(&self, values: &[Value]) -> Vec<u64> {
        (0..self.words).map(|word| self.read(values, word)).collect()
    }

    /// The fields' values from all words; missing words are 0.
    pub fn unpack(&self, words: &[u64]) -> Vec<Value> {
        let mut values: Vec<Value> = self.fields.iter().map(|f| Value::zero(&f.ty)).collect();
        for (i, word) in words.iter().enumerate() {
            self.write(&mut values, i as u64, *word);
        }
        values
    }

    /// The pieces of elements that lie in a word of a field, the lowest bits first; `word` counts from the field's first.
    pub fn parts(&self, field: &FieldLayout, word: u64) -> impl Iterator<Item = Part> + use<> {
        let element_bits = u64::from(field.element_bits.max(1));
        let start = word.saturating_mul(u64::from(self.xlen));
        let end = start.saturating_add(u64::from(self.xlen)).min(field.bits());
        let mut at = start;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let element_bit = at % element_bits;
            let width = (element_bits - element_bit).min(end - at);
            let part = Part {
                element: at / element_bits,
                element_bit: element_bit as u32,
                word_bit: (at - start) as u32,
                width: width as u32,
            };
            at += width;
            Some(part)
        })
    }
}

/// Bits of one element that lie in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The element's flat index in its field, row by row.
    pub element: u64,
    /// The lowest bit in the element.
    pub element_bit: u32,
    /// The lowest bit in the word.
    pub word_bit: u32,
    /// How many bits.
    pub width: u32,
}

/// The scalar with a flat index, row by row.
fn element<'v>(ty: &Type, value: &'v Value, flat: u64) -> Option<&'v Int> {
    match (ty, value) {
        (Type::Array { elem, .. }, Value::Array(items)) => {
            let inner = elem.flattened().1.max(1);
            element(elem, items.get((flat / inner) as usize)?, flat % inner)
        }
        (_, Value::Int(v)) => Some(v),
        _ => None,
    }
}

fn element_mut<'v>(ty: &Type, value: &'v mut Value, flat: u64) -> Option<&'v mut Int> {
    match (ty, value) {
        (Type::Array { elem, .. }, Value::Array(items)) => {
            let inner = elem.flattened().1.max(1);
            element_mut(elem, items.get_mut((flat / inner) as usize)?, flat % inner)
        }
        (_, Value::Int(v)) => Some(v),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::contract::testing::{exclusive, ints, s, state_field, u};
    use crate::oracle::vectors::Random;

    fn section(xlen: u32, fields: Vec<(Type, Value)>) -> Section {
        let fields = fields.into_iter().map(|(ty, reset)| state_field("f", ty, reset)).collect();
        Section { xlen, state: Some(exclusive(fields)), ..Section::default() }
    }

    fn documents_example(xlen: u32) -> (Layout, Vec<Value>) {
        let fields = vec![
            (Type::Bool, Value::Int(Int::ONE)),
            (Type::array(u(5), 5), ints([1, 2, 3, 4, 31])),
            (Type::array(s(33), 3), ints([-1, 2, -4])),
        ];
        let values = fields.iter().map(|(_, v)| v.clone()).collect();
        (Layout::new(&section(xlen, fields)), values)
    }

    #[test]
    fn the_documents_example() {
        let (layout, values) = documents_example(32);
        assert_eq!(layout.pack(&values), [1, 0x01F2_0C41, 0xFFFF_FFFF, 5, 0xFFFF_FFF0, 7]);
        let (layout, values) = documents_example(64);
        assert_eq!(layout.pack(&values), [1, 0x01F2_0C41, 0x0000_0005_FFFF_FFFF, 0x0000_0007_FFFF_FFF0]);
        assert_eq!(layout.words, 4);
        let places: Vec<_> = layout.fields.iter().map(|f| (f.first, f.words, f.element_bits, f.elements)).collect();
        assert_eq!(places, [(0, 1, 1, 1), (1, 1, 5, 5), (2, 2, 33, 3)]);
    }

    #[test]
    fn padding_reads_zero_and_drops_writes_as_do_words_outside() {
        for xlen in [32, 64] {
            let (layout, values) = documents_example(xlen);
            let mut all_ones = values.clone();
            for word in 0..layout.words + 3 {
                layout.write(&mut all_ones, word, u64::MAX);
            }
            assert_eq!(all_ones, [Value::Int(Int::ONE), ints([31; 5]), ints([-1; 3])]);
            assert_eq!(layout.read(&all_ones, 1), 0x01FF_FFFF);
            assert_eq!(layout.read(&all_ones, layout.words), 0);
            assert_eq!(layout.read(&all_ones, u64::MAX), 0);
        }
    }

    #[test]
    fn values_survive_packing_and_words_unpacking() {
        let mut random = Random::new(7);
        let types = [
            Type::Bool,
            u(1),
            s(1),
            u(31),
            s(33),
            u(200),
            s(1024),
            Type::array(u(3), 50),
            Type::array(Type::array(s(8), 16), 4),
            Type::array(Type::array(s(127), 3), 2),
        ];
        for xlen in [32, 64] {
            for _ in 0..30 {
                let fields: Vec<_> = (0..4)
                    .map(|_| {
                        let ty = random.pick(&types).unwrap().clone();
                        let value = random.value(&ty);
                        (ty, value)
                    })
                    .collect();
                let values: Vec<Value> = fields.iter().map(|(_, v)| v.clone()).collect();
                let layout = Layout::new(&section(xlen, fields));
                let words = layout.pack(&values);
                assert_eq!(words.len() as u64, layout.words);
                assert_eq!(layout.unpack(&words), values);
                // Any words, once unpacked, pack to themselves but for padding.
                let noise: Vec<u64> = words.iter().map(|_| random.next() & (u64::MAX >> (64 - xlen))).collect();
                let unpacked = layout.unpack(&noise);
                assert_eq!(layout.unpack(&layout.pack(&unpacked)), unpacked);
            }
        }
    }

    #[test]
    fn a_status_word() {
        assert_eq!(status::word(status::DIRTY, 769, 0xFF), 0xFF00_0C07);
        assert_eq!(status::word(status::INITIAL, 1, 0), 5);
    }
}
