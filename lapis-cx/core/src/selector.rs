//! Selector values.

/// One more than the largest index: index 1023 stays invalid, because `cx_sel_invalid` (-1) has it in its low bits.
pub const INDEX_LIMIT: u16 = 1023;

const INDEX_BITS: u32 = 10;
const INDEX_MASK: i32 = (1 << INDEX_BITS) - 1;
/// Generations are counted modulo this: a selector is 31 bits, so that it is never negative.
pub(crate) const GENERATIONS: u32 = 1 << (31 - INDEX_BITS);

/// A CX selector (CX API, `cx_sel_t`): -1 is invalid, 0 is built-in, other values name an entry of a thread's table.
///
/// Bits 9:0 are the index, 1 to 1022. Bits 30:10 are the generation: how often the index has been reused. A hart looks at
/// the index only (CX-ISA, `cx_index`), so one value serves software and the CSR alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Selector(i32);

impl Selector {
    /// Selects nothing.
    pub const INVALID: Selector = Selector(-1);
    /// Selects the processor's own custom instructions.
    pub const BUILTIN: Selector = Selector(0);

    /// Any value of C's `cx_sel_t`; whether it is open is for a [`SelectorTable`](crate::SelectorTable) to say.
    pub const fn from_raw(raw: i32) -> Selector {
        Selector(raw)
    }

    /// The value of C's `cx_sel_t`.
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// What goes to the CSR `cx_index`: 0 to 1023.
    pub const fn cx_index(self) -> u16 {
        (self.0 & INDEX_MASK) as u16
    }

    /// Index and generation, if this can name an entry of a table.
    pub(crate) fn parts(self) -> Option<(u16, u32)> {
        let index = self.cx_index();
        let named = self.0 > 0 && index != 0 && index < INDEX_LIMIT;
        named.then_some((index, (self.0 >> INDEX_BITS) as u32))
    }

    pub(crate) fn from_parts(index: u16, generation: u32) -> Selector {
        let generation = (generation % GENERATIONS) as i32;
        Selector((generation << INDEX_BITS) | (i32::from(index) & INDEX_MASK))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_round_trip_and_stay_positive() {
        for generation in [0, 1, 2, 1000, GENERATIONS - 1] {
            for index in 1..INDEX_LIMIT {
                let selector = Selector::from_parts(index, generation);
                assert!(selector.raw() > 0);
                assert_eq!(selector.cx_index(), index);
                assert_eq!(selector.parts(), Some((index, generation)));
            }
        }
        assert_eq!(Selector::from_parts(1, GENERATIONS).raw(), 1);
    }

    #[test]
    fn values_that_name_no_entry() {
        for raw in [-1, 0, 1023, 1024, 2047, 1 << 20, i32::MAX, i32::MIN, -5] {
            assert_eq!(Selector::from_raw(raw).parts(), None, "{raw}");
        }
        assert_eq!(Selector::INVALID.cx_index(), 1023);
        assert_eq!(Selector::BUILTIN.cx_index(), 0);
    }
}
