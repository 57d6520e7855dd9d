//! Memory for images where there is no heap.

use core::cell::Cell;
use core::ffi::c_void;
use core::fmt;
use core::mem;

use super::Image;

/// Pieces of memory that are lent and come back.
pub struct Pool<'m, const N: usize> {
    free: [Cell<Option<&'m mut [u64]>>; N],
}

/// A piece that is lent. It comes back when this is dropped.
pub struct Lent<'p, 'm> {
    words: &'m mut [u64],
    home: &'p Cell<Option<&'m mut [u64]>>,
}

impl<'m, const N: usize> Pool<'m, N> {
    /// Of these pieces, which are looked at in this order.
    pub fn new(pieces: [&'m mut [u64]; N]) -> Self {
        Pool { free: pieces.map(|piece| Cell::new(Some(piece))) }
    }

    /// Lends the first piece that is there and has so many words.
    pub fn lend(&self, words: usize) -> Option<Lent<'_, 'm>> {
        self.free.iter().find_map(|home| match home.take() {
            Some(piece) if piece.len() >= words => Some(Lent { words: piece, home }),
            other => {
                home.set(other);
                None
            }
        })
    }
}

impl<const N: usize> fmt::Debug for Pool<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("pieces", &N).finish_non_exhaustive()
    }
}

impl fmt::Debug for Lent<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lent").field("words", &self.words).finish_non_exhaustive()
    }
}

impl Drop for Lent<'_, '_> {
    fn drop(&mut self) {
        self.home.set(Some(mem::take(&mut self.words)));
    }
}

impl AsRef<[u64]> for Lent<'_, '_> {
    fn as_ref(&self) -> &[u64] {
        self.words
    }
}

impl AsMut<[u64]> for Lent<'_, '_> {
    fn as_mut(&mut self) -> &mut [u64] {
        self.words
    }
}

// SAFETY: a slice is where it is.
unsafe impl Image for Lent<'_, '_> {
    fn address(&mut self) -> *mut c_void {
        self.words.as_mut_ptr().cast()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back() {
        let (mut short, mut long) = ([1; 1], [2; 3]);
        let pool = Pool::new([&mut short[..], &mut long[..]]);
        assert!(pool.lend(4).is_none());
        let mut two = pool.lend(2).unwrap();
        two.as_mut()[2] = 7;
        assert!(pool.lend(2).is_none());
        let one = pool.lend(0).unwrap();
        assert_eq!((one.as_ref(), two.as_ref()), (&[1][..], &[2, 2, 7][..]));
        assert!(pool.lend(0).is_none());
        let before = two.address();
        drop(two);
        assert_eq!(pool.lend(1).unwrap().address(), before);
    }
}
