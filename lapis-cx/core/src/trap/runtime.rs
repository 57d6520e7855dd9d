//! The CX API of a firmware: what generated functions of libraries use.

use super::Firmware;
use crate::machine::{Contexts, Cxu, Hart, HartCsrs, Image, MachineHart, Slots, Thread, Unit};
use crate::{Error, Issue, OnHart, Reply, Response, Runtime, Selector, Sharing, Uuid};

/// Commands are instructions, which go to whatever is selected.
#[derive(Clone, Copy, Debug, Default)]
pub struct Instructions;

impl Issue for Instructions {
    const INSTRUCTIONS: bool = true;

    /// An instruction names its function, so one that is known only now has none.
    fn issue(&self, _function: u32, _rs1: usize, _rs2: usize) -> Reply {
        Reply { value: 0, response: Response::Func }
    }
}

/// The CXs of the hart of a [`Firmware`], as in `Dot::new(runtime)`. `images` gives memory for a state of so many `u64`: for each
/// open, and while one is saved or loaded.
#[derive(Debug)]
pub struct FirmwareRuntime<'f, M, P> {
    firmware: &'f Firmware<M>,
    images: P,
}

impl<'f, M, P> FirmwareRuntime<'f, M, P> {
    /// On this firmware, whose traps this hart has.
    pub const fn new(firmware: &'f Firmware<M>, images: P) -> Self {
        FirmwareRuntime { firmware, images }
    }
}

impl<M, P: Copy> Copy for FirmwareRuntime<'_, M, P> {}
impl<M, P: Clone> Clone for FirmwareRuntime<'_, M, P> {
    fn clone(&self) -> Self {
        FirmwareRuntime { firmware: self.firmware, images: self.images.clone() }
    }
}

impl<C, S, U, I, T, R, P> FirmwareRuntime<'_, MachineHart<'_, C, S, U, I, T, R>, P>
where
    C: Cxu,
    S: Contexts,
    U: AsMut<[Unit<C, S>]>,
    I: Image,
    T: Slots<I>,
    R: HartCsrs,
    P: Fn(usize) -> Option<I>,
{
    fn supervise<A>(
        &self,
        work: impl FnOnce(&mut Hart<C, S, U>, &mut Thread<I, T>) -> Result<A, Error>,
    ) -> Result<A, Error> {
        self.firmware.access(|machine| machine.supervise(work)).unwrap_or(Err(Error::Busy))
    }

    /// Memory for as many words as these bytes take.
    fn image(&self, bytes: &[u8]) -> Result<I, Error> {
        (self.images)(bytes.len().div_ceil(size_of::<u64>())).ok_or(Error::NoMemory)
    }
}

impl<C, S, U, I, T, R, P> Runtime for FirmwareRuntime<'_, MachineHart<'_, C, S, U, I, T, R>, P>
where
    C: Cxu,
    S: Contexts,
    U: AsMut<[Unit<C, S>]>,
    I: Image,
    T: Slots<I>,
    R: HartCsrs,
    P: Fn(usize) -> Option<I>,
{
    type Current = Instructions;

    #[inline]
    fn current(&self) -> Instructions {
        Instructions
    }

    fn open(&self, uuid: Uuid, sharing: Sharing) -> Result<Selector, Error> {
        self.supervise(|hart, thread| hart.open(thread, uuid, sharing == Sharing::Exclusive, &self.images))
    }

    fn close(&self, selector: Selector) {
        // It fails if the selector is not open any more, and there is nothing to do then.
        let _ = self.supervise(|hart, thread| hart.close(thread, selector));
    }

    fn is_open(&self, selector: Selector) -> bool {
        self.firmware.access(|machine| machine.thread().is_open(selector)).unwrap_or(false)
    }

    #[inline]
    fn select(&self, selector: Selector) -> Selector {
        OnHart::swap(selector)
    }

    fn save(&self, image: &mut [u8]) -> Result<(), Error> {
        let mut words = self.image(image)?;
        let bytes = self.supervise(|hart, thread| hart.save(thread, words.as_mut()))?;
        if bytes > image.len() {
            return Err(Error::Invalid);
        }
        let saved = words.as_ref().iter().flat_map(|word| word.to_ne_bytes());
        image.iter_mut().zip(saved).take(bytes).for_each(|(to, from)| *to = from);
        Ok(())
    }

    fn restore(&self, image: &[u8]) -> Result<(), Error> {
        let mut words = self.image(image)?;
        for (to, from) in words.as_mut().iter_mut().zip(image.chunks(size_of::<u64>())) {
            let mut bytes = [0; size_of::<u64>()];
            bytes.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
            *to = u64::from_ne_bytes(bytes);
        }
        self.supervise(|hart, thread| hart.restore(thread, words.as_ref(), image.len()))
    }
}
