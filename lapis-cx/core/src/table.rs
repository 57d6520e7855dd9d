//! A thread's or hart's table of open selectors.

use core::marker::PhantomData;

use crate::selector::{GENERATIONS, INDEX_LIMIT};
use crate::{Error, Selector};

/// Room for one selector.
#[derive(Debug)]
pub struct Slot<T> {
    value: Option<T>,
    generation: u32,
    /// The next free index, while this one is free; 0 ends the list.
    next: u16,
}

impl<T> Slot<T> {
    /// An empty slot, to build storage from.
    pub const VACANT: Slot<T> = Slot { value: None, generation: 0, next: 0 };
}

/// Maps open selectors to values of the owner's choice. It needs no heap: the caller gives the storage, an array,
/// a boxed slice or a `&mut` slice of 1 to 1022 slots.
///
/// Indices start at 1 and are reused first-in first-out, so a closed index rests as long as the table allows. Each reuse
/// has the next generation. A selector value comes back only after its index was opened 2^21 times in between; until
/// then the table knows it as stale.
#[derive(Debug)]
pub struct SelectorTable<T, S> {
    slots: S,
    first_free: u16,
    last_free: u16,
    open: u16,
    values: PhantomData<T>,
}

impl<T, S: AsRef<[Slot<T>]> + AsMut<[Slot<T>]>> SelectorTable<T, S> {
    /// An empty table over `storage`, whose contents are dropped.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `storage` has no slot, or more than 1022.
    pub fn new(mut storage: S) -> Result<Self, Error> {
        let slots = storage.as_mut();
        let count = u16::try_from(slots.len()).map_err(|_| Error::Invalid)?;
        if count == 0 || count >= INDEX_LIMIT {
            return Err(Error::Invalid);
        }
        for (slot, next) in slots.iter_mut().zip(2..) {
            *slot = Slot { next: if next > count { 0 } else { next }, ..Slot::VACANT };
        }
        Ok(SelectorTable { slots: storage, first_free: 1, last_free: count, open: 0, values: PhantomData })
    }

    /// How many selectors are open.
    pub fn len(&self) -> usize {
        usize::from(self.open)
    }

    /// Whether no selector is open.
    pub fn is_empty(&self) -> bool {
        self.open == 0
    }

    /// Opens the index that has been free for the longest time.
    ///
    /// # Errors
    /// [`Error::TableFull`]; `value` is dropped then.
    pub fn insert(&mut self, value: T) -> Result<Selector, Error> {
        let index = self.first_free;
        let slot = slot_mut(self.slots.as_mut(), index).ok_or(Error::TableFull)?;
        slot.value = Some(value);
        self.first_free = slot.next;
        if self.first_free == 0 {
            self.last_free = 0;
        }
        self.open += 1;
        Ok(Selector::from_parts(index, slot.generation))
    }

    /// The value of an open selector; `None` for a built-in, invalid or stale one.
    pub fn get(&self, selector: Selector) -> Option<&T> {
        let (index, generation) = selector.parts()?;
        let slot = self.slots.as_ref().get(usize::from(index) - 1)?;
        slot.value.as_ref().filter(|_| slot.generation == generation)
    }

    /// As [`get`](Self::get), to change the value.
    pub fn get_mut(&mut self, selector: Selector) -> Option<&mut T> {
        let (index, generation) = selector.parts()?;
        let slot = slot_mut(self.slots.as_mut(), index)?;
        slot.value.as_mut().filter(|_| slot.generation == generation)
    }

    /// Closes a selector, which is stale from here on.
    ///
    /// # Errors
    /// [`Error::BadSelector`] if it is not open.
    pub fn remove(&mut self, selector: Selector) -> Result<T, Error> {
        let (index, generation) = selector.parts().ok_or(Error::BadSelector)?;
        let slots = self.slots.as_mut();
        let slot = slot_mut(slots, index).filter(|slot| slot.generation == generation).ok_or(Error::BadSelector)?;
        let value = slot.value.take().ok_or(Error::BadSelector)?;
        slot.generation = (generation + 1) % GENERATIONS;
        slot.next = 0;
        match slot_mut(slots, self.last_free) {
            Some(last) => last.next = index,
            None => self.first_free = index,
        }
        self.last_free = index;
        self.open -= 1;
        Ok(value)
    }

    /// The selector that is open at an index, of whatever generation.
    pub fn at(&self, index: u16) -> Option<Selector> {
        let slot = self.slots.as_ref().get(usize::from(index).checked_sub(1)?)?;
        slot.value.as_ref().map(|_| Selector::from_parts(index, slot.generation))
    }

    /// What is open at each index, from 1 on.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = Option<Selector>> {
        (0..self.slots.as_ref().len()).map(|place| self.at(place as u16 + 1))
    }

    /// The open selectors with their values, by index.
    pub fn iter(&self) -> impl Iterator<Item = (Selector, &T)> {
        let numbered = self.slots.as_ref().iter().zip(1..);
        numbered.filter_map(|(slot, index)| {
            let value = slot.value.as_ref()?;
            Some((Selector::from_parts(index, slot.generation), value))
        })
    }
}

fn slot_mut<T>(slots: &mut [Slot<T>], index: u16) -> Option<&mut Slot<T>> {
    slots.get_mut(usize::from(index).checked_sub(1)?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    extern crate std;
    use super::*;
    use std::collections::VecDeque;
    use std::vec::Vec;

    type Table<const N: usize> = SelectorTable<u32, [Slot<u32>; N]>;

    fn table<const N: usize>() -> Table<N> {
        SelectorTable::new([const { Slot::VACANT }; N]).unwrap()
    }

    #[test]
    fn storage_of_every_kind() {
        assert!(SelectorTable::<u32, _>::new([]).is_err());
        assert!(SelectorTable::<u32, _>::new([const { Slot::VACANT }; 1023]).is_err());
        let mut slots = [const { Slot::VACANT }; 2];
        let mut borrowed = SelectorTable::new(&mut slots[..]).unwrap();
        assert_eq!(borrowed.insert(5u32).unwrap().raw(), 1);
        let mut boxed: SelectorTable<u32, _> =
            SelectorTable::new(Vec::from([Slot::VACANT]).into_boxed_slice()).unwrap();
        assert_eq!(boxed.insert(6).unwrap().raw(), 1);
    }

    #[test]
    fn exhaustion_at_1022() {
        let mut table = table::<1022>();
        let all: Vec<Selector> = (0..1022).map(|n| table.insert(n).unwrap()).collect();
        assert_eq!(all.first().unwrap().raw(), 1);
        assert_eq!(all.last().unwrap().raw(), 1022);
        assert_eq!(table.insert(9), Err(Error::TableFull));
        assert_eq!(table.len(), 1022);
        assert_eq!(table.remove(all[500]), Ok(500));
        let again = table.insert(7).unwrap();
        assert_eq!((again.cx_index(), again == all[500]), (501, false));
        assert_eq!(table.insert(9), Err(Error::TableFull));
    }

    #[test]
    fn not_open_is_refused() {
        let mut table = table::<4>();
        let selector = table.insert(1).unwrap();
        for raw in [-1, 0, 1023, 1024, 2, 4, 5, 1025, i32::MAX, i32::MIN] {
            let other = Selector::from_raw(raw);
            assert_eq!(table.get(other), None);
            assert_eq!(table.get_mut(other), None);
            assert_eq!(table.remove(other), Err(Error::BadSelector));
        }
        assert_eq!(table.remove(selector), Ok(1));
        assert_eq!(table.remove(selector), Err(Error::BadSelector));
        assert!(table.is_empty());
    }

    #[test]
    fn generations_wrap_and_stay_positive() {
        let mut table = table::<1>();
        let first = table.insert(0).unwrap();
        table.remove(first).unwrap();
        for reuse in 1..GENERATIONS {
            let selector = table.insert(reuse).unwrap();
            assert!(selector.raw() > 0 && selector != first);
            table.remove(selector).unwrap();
        }
        assert_eq!(table.insert(0).unwrap(), first);
    }

    /// Random opens and closes against a model: a queue of free indices and a list of all selectors ever seen.
    #[test]
    fn random_steps_agree_with_a_model() {
        let mut seed = 0x9E37_79B9_7F4A_7C15u64;
        let mut random = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 33) as usize
        };
        for _ in 0..40 {
            let mut table = table::<5>();
            let mut free: VecDeque<u16> = (1..=5).collect();
            let mut open: Vec<(Selector, u32)> = Vec::new();
            let mut stale: Vec<Selector> = Vec::new();
            for step in 0..500u32 {
                if random() % 2 == 0 {
                    match (table.insert(step), free.pop_front()) {
                        (Ok(selector), Some(index)) => {
                            assert_eq!(selector.cx_index(), index);
                            assert!(!stale.contains(&selector));
                            open.push((selector, step));
                        }
                        (result, None) => assert_eq!(result, Err(Error::TableFull)),
                        other => assert!(other.0.is_ok(), "{other:?}"),
                    }
                } else if !open.is_empty() {
                    let (selector, value) = open.swap_remove(random() % open.len());
                    assert_eq!(table.remove(selector), Ok(value));
                    free.push_back(selector.cx_index());
                    stale.push(selector);
                }
                assert_eq!(table.len(), open.len());
                assert!(open.iter().all(|(s, v)| table.get(*s) == Some(v)));
                assert!(stale.iter().all(|s| table.get(*s).is_none()));
                let mut listed: Vec<_> = table.iter().map(|(s, v)| (s, *v)).collect();
                let mut wanted = open.clone();
                listed.sort_unstable();
                wanted.sort_unstable();
                assert_eq!(listed, wanted);
            }
        }
    }
}
