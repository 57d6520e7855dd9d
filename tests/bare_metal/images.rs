//! `FirmwareRuntime` saves and loads images, and refuses what is none.

use lapis_cx_core::encoding::Profile;
use lapis_cx_core::machine::{Contract, Cxu, Emulated, Hart, MachineHart, Pool, StateContext, Thread, Unit};
use lapis_cx_core::trap::{Firmware, FirmwareRuntime, Frame};
use lapis_cx_core::{CsrOp, Error, Reply, Response, Runtime, Sharing, Slot, Uuid};

/// A state of a word behind its status word, which names that number.
struct Cell([usize; 2]);

const UUID: Uuid = Uuid { high: 7, low: 7 };
/// The status word: clean, one word.
const STATUS: usize = 2 | 1 << 2;

impl Cxu for Cell {
    fn contract(&self) -> Contract {
        let (xlen, sharing) = (usize::BITS, Sharing::Exclusive);
        Contract { uuid: UUID, xlen, sharing, state_words: 1, has_state_context: true }
    }
    fn contexts(&self) -> usize {
        1
    }
    /// The commands of IStateContext.
    fn issue(&mut self, _: u8, function: u32, rs1: usize, rs2: usize) -> Reply {
        let Cell([status, word]) = self;
        let value = match function {
            1023 => *status,
            1022 => core::mem::replace(status, rs1 & 3 | STATUS & !3),
            1021 => *word,
            1020 => core::mem::replace(word, rs2),
            _ => return Reply { value: 0, response: Response::Func },
        };
        Reply { value, response: Response::Ok }
    }
    fn csr(&mut self, _: u8, _: CsrOp, _: u32, _: usize) -> Reply {
        Reply { value: 0, response: Response::Func }
    }
}

/// Nothing here traps.
fn other(frame: &mut Frame) {
    panic!("trap {:#x} at {:#x}", frame.mcause, frame.mepc)
}

pub fn check() -> Result<(), Error> {
    let mut contexts = [StateContext::FREE];
    let units = [Unit::new(Cell([STATUS, 40]), &mut contexts[..])?];
    let mut words = [[0; 4]; 2];
    let pool = Pool::new(words.each_mut().map(|words| &mut words[..]));
    let thread = Thread::new([const { Slot::VACANT }; 2])?;
    let machine = MachineHart::new(Hart::new(0, units), thread, None, Emulated);
    let firmware: Firmware<_> = Firmware::new(machine, Profile::DEFAULT, other);
    let runtime = FirmwareRuntime::new(&firmware, |words| pool.lend(words));
    let selector = runtime.open(UUID, Sharing::Exclusive)?;
    // The instruction would trap, and this firmware is not installed.
    let _ = firmware.access(|machine| machine.supervise(|_, thread| thread.select(selector)));

    const WORD: usize = size_of::<usize>();
    let image = |words: [usize; 2]| {
        let mut bytes = [0; 2 * WORD];
        let parts = words.iter().flat_map(|word| word.to_ne_bytes());
        bytes.iter_mut().zip(parts).for_each(|(to, from)| *to = from);
        bytes
    };
    runtime.restore(&image([STATUS, 42]))?;
    let mut saved = [0; 2 * WORD];
    assert_eq!(runtime.save(&mut saved[..WORD]), Err(Error::Invalid));
    runtime.save(&mut saved)?;
    assert_eq!(saved[WORD..], image([0, 42])[WORD..]);
    // The memory of the pool holds the last image still.
    for length in 0..saved.len() {
        assert_eq!(runtime.restore(&saved[..length]), Err(Error::Invalid), "{length}");
    }
    assert_eq!(runtime.restore(&image([STATUS + 4, 43])), Err(Error::Invalid));
    runtime.save(&mut saved)?;
    assert_eq!(saved[WORD..], image([0, 42])[WORD..]);
    Ok(())
}
