//! Runs the library of `issued.cxspec` with some of its CXs, and counts the commands that it issues.

#[path = "rust/bits.rs"]
mod bits;
#[path = "rust/bits2.rs"]
mod bits2;
#[path = "rust/isd.rs"]
mod isd;
#[path = "rust/sum.rs"]
mod sum;

use std::cell::Cell;

use lapis_cx_runtime::{
    CsrOp, Error, Issue, NoRuntime, Reply, Runtime, Selector, Sharing, Status, ThisThread, Uuid, register_rust, status,
};

/// The runtime, with its commands counted.
#[derive(Clone, Copy)]
struct Counted<'c>(&'c Cell<u32>);

impl Issue for Counted<'_> {
    const INSTRUCTIONS: bool = false;
    fn issue(&self, function: u32, rs1: usize, rs2: usize) -> Reply {
        self.0.set(self.0.get() + 1);
        ThisThread.issue(function, rs1, rs2)
    }
    fn csr(&self, op: CsrOp, address: u32, value: usize) -> Reply {
        ThisThread.csr(op, address, value)
    }
}

impl<'c> Runtime for Counted<'c> {
    type Current = Counted<'c>;
    fn current(&self) -> Counted<'c> {
        *self
    }
    fn open(&self, uuid: Uuid, sharing: Sharing) -> Result<Selector, Error> {
        ThisThread.open(uuid, sharing)
    }
    fn close(&self, selector: Selector) {
        ThisThread.close(selector);
    }
    fn is_open(&self, selector: Selector) -> bool {
        ThisThread.is_open(selector)
    }
    fn select(&self, selector: Selector) -> Selector {
        ThisThread.select(selector)
    }
    fn save(&self, image: &mut [u8]) -> Result<(), Error> {
        ThisThread.save(image)
    }
    fn restore(&self, image: &[u8]) -> Result<(), Error> {
        ThisThread.restore(image)
    }
}

/// What `called` is to give, and what it got.
struct Called {
    gives: u32,
    got: Option<(u32, u32, usize)>,
}

impl isd::Calls for Called {
    fn called(&mut self, out: &mut [i16], at: u32, n: u32) -> u32 {
        self.got = Some((at, n, out.len()));
        out.reverse();
        self.gives
    }
}

struct Dice(u32);

impl Dice {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12345);
        self.0.rotate_left(13)
    }
}

/// Which CXs there are.
#[derive(Clone, Copy, PartialEq)]
enum Machine {
    Both,
    Second,
    None,
}

fn check<R: Runtime>(library: &isd::Issued<R>, issued: &Cell<u32>, machine: Machine, dice: &mut Dice) {
    let has = |count: u32| if machine == Machine::None { 0 } else { count };
    let taken = || issued.replace(0);
    let (a, b) = (dice.next(), dice.next());
    let wanted = match machine {
        Machine::Both => (a.wrapping_mul(3) ^ b).wrapping_add(b.count_ones()),
        Machine::Second => (a ^ b).wrapping_add(b & 1),
        Machine::None => a.wrapping_sub(b),
    };
    assert_eq!(library.either(a, b), wanted);
    assert_eq!(taken(), has(2));

    let bytes: Vec<u8> = (0..dice.next() % 20).map(|_| dice.next() as u8).collect();
    let mix = |r: u32, x: u8| (r.wrapping_mul(3) ^ u32::from(x)).wrapping_add(2 * b.count_ones());
    let n = bytes.len();
    assert_eq!(library.once(&bytes, b, n), bytes.iter().fold(0, |r, x| mix(r, *x)));
    assert_eq!(taken(), if machine == Machine::Both { n as u32 + 1 } else { 0 });
    // Of two more there is nothing.
    assert_eq!(library.once(&bytes, b, n + 2), bytes.iter().chain(&[0, 0]).fold(0, |r, x| mix(r, *x)));
    taken();

    let values: Vec<i16> = (0..dice.next() % 8).map(|_| (dice.next() as i16) % 3 * 9999).collect();
    let mut out = vec![77; values.len()];
    let mut wanted = out.clone();
    let (mut total, mut rounds, mut result) = (0_i32, 0, -1);
    for (value, place) in values.iter().zip(&mut wanted) {
        if *value == 0 {
            result = total;
            break;
        }
        total = total.wrapping_add(i32::from(*value).max(0));
        *place = total as i16;
        rounds += 1;
    }
    assert_eq!(library.until(&values, &mut out, values.len() as u32), result);
    assert_eq!(out, wanted);
    // The state begins reset, by one command.
    assert_eq!(taken(), has(1 + rounds));
    if let Some(less) = out.len().checked_sub(2) {
        // What does not fit is dropped.
        let mut short = vec![77; less];
        assert_eq!(library.until(&values, &mut short, values.len() as u32), result);
        assert_eq!(short, wanted[..less]);
        taken();
    }

    let mut wanted = values.clone();
    let mut out = values.clone();
    let gives = dice.next();
    let flags = [true, true, dice.next() % 2 == 0, true];
    let flags = if dice.next() % 3 == 0 { None } else { Some(&flags[..]) };
    let mut last = [9];
    let given = if dice.next() % 3 == 0 { None } else { Some(&mut last[..]) };
    let has_last = given.is_some();
    let mut called = Called { gives, got: None };
    let n = out.len() as u32;
    assert_eq!(library.lent(&mut called, &mut out, given, flags, n), gives as usize);
    let first = wanted.first_mut().map_or(0, |first| {
        *first = first.wrapping_add(1);
        *first
    });
    wanted.reverse();
    assert_eq!((out, called.got), (wanted, Some((u32::from(first as u16), n, n as usize))));
    let written = match gives % 4 {
        0 => gives,
        3 => 9,
        at if flags.is_some_and(|flags| flags[at as usize]) => 70000,
        _ => 5,
    };
    assert_eq!(last[0], if has_last { written } else { 9 });
    assert_eq!(taken(), 0);
}

fn main() {
    let machine = match std::env::args().nth(1).unwrap().as_str() {
        "both" => Machine::Both,
        "second" => Machine::Second,
        _ => Machine::None,
    };
    if machine == Machine::Both {
        register_rust::<bits::SoftCxu>().unwrap();
    }
    if machine != Machine::None {
        register_rust::<bits2::SoftCxu>().unwrap();
        register_rust::<sum::SoftCxu>().unwrap();
    }
    let (issued, mut dice) = (Cell::new(0), Dice(1));
    let library = isd::Issued::new(Counted(&issued));
    let without = isd::Issued::new(NoRuntime);
    for _ in 0..300 {
        check(&library, &issued, machine, &mut dice);
        check(&without, &issued, Machine::None, &mut dice);
        let before = ThisThread.select(Selector::BUILTIN);
        assert_eq!(before, Selector::BUILTIN);
    }
    assert_eq!(status(), Status::NONE);
    println!("{}", dice.0);
}
