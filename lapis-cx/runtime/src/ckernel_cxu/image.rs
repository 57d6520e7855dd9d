//! States as images: the status word, and the words of state.

use std::ffi::c_void;

/// `cs` of a status word, bits 1:0.
const CS: usize = 3;
const OFF: usize = 0;
const INITIAL: usize = 1;
const CLEAN: usize = 2;
const DIRTY: usize = 3;
/// Where the error code of a status word begins, bits 31:24.
const ERROR: u32 = 24;

/// What images of a CXU look like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Bytes of a word.
    word: usize,
    /// Words of state, the status word not counted.
    words: usize,
}

impl Shape {
    pub fn new(xlen: u32, words: usize) -> Shape {
        Shape { word: (xlen / 8) as usize, words }
    }

    /// Bytes of an image.
    pub fn image_size(self) -> usize {
        self.words.saturating_add(1).saturating_mul(self.word)
    }

    /// Bytes of a state: the image, and behind it the one that the running command began in.
    pub fn state_size(self) -> usize {
        self.image_size().saturating_mul(2).checked_next_multiple_of(8).unwrap_or(usize::MAX)
    }
}

/// An image in memory, aligned for its words.
#[derive(Clone, Copy)]
pub(super) struct Image {
    at: *mut u8,
    shape: Shape,
}

impl Image {
    /// # Safety
    /// As long as this is used, an image of this shape is at the address, aligned as one, and nobody else changes it. It is
    /// good for writes, if it is written.
    pub unsafe fn new(at: *mut c_void, shape: Shape) -> Image {
        Image { at: at.cast(), shape }
    }

    /// The memory behind it, of a state.
    pub fn before(self) -> Image {
        Image { at: self.at.wrapping_add(self.shape.image_size()), shape: self.shape }
    }

    pub fn address(self) -> *mut c_void {
        self.at.cast()
    }

    fn get(self, place: usize) -> usize {
        let at = self.at.wrapping_add(place * self.shape.word);
        // SAFETY: all who ask for a place ask for one of the status word or of a word of state.
        unsafe {
            match self.shape.word {
                4 => at.cast::<u32>().read() as usize,
                _ => at.cast::<u64>().read() as usize,
            }
        }
    }

    fn set(self, place: usize, value: usize) {
        let at = self.at.wrapping_add(place * self.shape.word);
        // SAFETY: as above.
        unsafe {
            match self.shape.word {
                4 => at.cast::<u32>().write(value as u32),
                _ => at.cast::<u64>().write(value as u64),
            }
        }
    }

    pub fn status(self) -> usize {
        self.get(0)
    }

    /// The status word with this `cs` and error code, and the size that the image has.
    fn set_status(self, cs: usize, error: usize) {
        self.set(0, cs & CS | (self.shape.words & 1023) << 2 | (error & 0xFF) << ERROR);
    }

    pub fn is_off(self) -> bool {
        self.status() & CS == OFF
    }

    /// The words of state.
    pub fn words(self) -> impl Iterator<Item = usize> {
        (1..=self.shape.words).map(move |place| self.get(place))
    }

    pub fn set_words(self, words: impl IntoIterator<Item = usize>) {
        (1..=self.shape.words).zip(words).for_each(|(place, word)| self.set(place, word));
    }

    /// The reset state.
    pub fn reset(self, reset: &[usize]) {
        self.set_words(reset.iter().copied());
        self.set_status(INITIAL, 0);
    }

    /// A copy of all of it.
    pub fn copy_to(self, to: Image) {
        // SAFETY: both are images of one shape; they are different memory, or one.
        unsafe { std::ptr::copy(self.at, to.at, self.shape.image_size()) };
    }

    /// The state of an image that was saved. One that is off or initial has the reset words.
    pub fn restore(self, from: Image, reset: &[usize]) {
        let status = from.status();
        if status & CS >= CLEAN {
            self.set_words(from.words());
        } else {
            self.set_words(reset.iter().copied());
        }
        self.set_status(status, status >> ERROR);
    }

    /// What a ckernel left is as it should be: the state has its size; it is dirty if a word changed and the ckernel did not say
    /// what it is; and an error code that was raised is there.
    pub fn settle(self, raised: Option<u32>) {
        let (was, is) = (self.before().status(), self.status());
        let left_alone = was & CS == is & CS;
        let cs = if left_alone && !self.words().eq(self.before().words()) { DIRTY } else { is };
        self.set_status(cs, raised.map_or(is >> ERROR, |code| code as usize));
    }

    /// IStateContext, `write_status`: `initial` resets, `off` too, and an error code can be cleared but not made.
    pub fn write_status(self, status: usize, reset: &[usize]) -> usize {
        let old = self.status();
        if status & CS < CLEAN {
            self.set_words(reset.iter().copied());
        }
        self.set_status(status, if status >> ERROR == 0 { 0 } else { old >> ERROR });
        old
    }

    /// IStateContext, `read_state`.
    pub fn read_state(self, index: usize) -> usize {
        if index < self.shape.words { self.get(index + 1) } else { 0 }
    }

    /// IStateContext, `write_state`.
    pub fn write_state(self, index: usize, value: usize) -> usize {
        if index < self.shape.words {
            self.set(index + 1, value);
        }
        self.set_status(DIRTY, self.status() >> ERROR);
        value
    }
}
