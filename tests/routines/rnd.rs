//! Runs functions of a random library on a machine, and prints what they give, as `random.c` does.

#[path = "rust/al.rs"]
mod al;
#[path = "rust/ba.rs"]
mod ba;
#[path = "rust/bx.rs"]
mod bx;
#[path = "rust/ce.rs"]
mod ce;
#[path = "rust/cr.rs"]
mod cr;
#[path = "rust/cu.rs"]
mod cu;
#[path = "rust/ex.rs"]
mod ex;
#[path = "rust/pu.rs"]
mod pu;
#[path = "rust/qu.rs"]
mod qu;
#[path = "rust/rnd.rs"]
mod rnd;

use al::Al as _;
use ce::Ce as _;
use cr::Cr as _;
use cu::Cu as _;
use lapis_cx_runtime::{
    Cx, OpenFlags, PlatformCxu, Runtime, Selector, Status, ThisThread, clear_status, emulate_absent, load_platform, open,
    register_rust, status,
};

type Library = rnd::Random<ThisThread>;
type Function = fn(&Library, &mut Called<'_>, &mut Call);

/// A call, with numbers that are cut to the types of the function.
#[derive(Default)]
struct Call {
    a: [u64; 3],
    out: [u64; 8],
    b: [u64; 2],
    v: u64,
    w: u64,
    t: bool,
    n: u64,
    is_null: bool,
    result: u64,
}

struct Row {
    run: Function,
    /// It is of the CX calling convention.
    follows_cx: bool,
    /// Nothing that it calls destroys shared state.
    preserves: bool,
    /// Its length may be negative.
    is_signed: bool,
}

include!("table.rs");

/// The shared CXs, by these positions. Their states at once are those of their last user.
const CALLEE_SAVE: usize = 1;
const CUSTOM: usize = 3;

fn set(at: usize, a: u32, b: u32) {
    match at {
        0 => cr::Selected::new(ThisThread).set(a, b),
        CALLEE_SAVE => ce::Selected::new(ThisThread).set(a, b),
        2 => al::Selected::new(ThisThread).set(a, b),
        _ => cu::Selected::new(ThisThread).set(a, b),
    };
}

fn get(at: usize) -> u32 {
    match at {
        0 => cr::Selected::new(ThisThread).get(),
        CALLEE_SAVE => ce::Selected::new(ThisThread).get(),
        2 => al::Selected::new(ThisThread).get(),
        _ => cu::Selected::new(ThisThread).get(),
    }
}

/// What is selected.
fn selected() -> Selector {
    let before = ThisThread.select(Selector::BUILTIN);
    ThisThread.select(before);
    before
}

/// What the functions call.
struct Called<'s> {
    shared: &'s [Option<Cx>],
    noise: u32,
}

#[allow(dead_code)] // a library may call none of them
impl Called<'_> {
    /// Of the default calling convention: it relies on the built-in instructions, and uses shared CXs for itself. One whose
    /// users preserve its state it leaves alone.
    fn destroy(&mut self) {
        assert_eq!(selected(), Selector::BUILTIN);
        for (at, cx) in self.shared.iter().enumerate().filter(|(at, _)| *at != CALLEE_SAVE) {
            if let Some(cx) = cx {
                let _selected = cx.select();
                self.noise = self.noise.wrapping_mul(1_103_515_245).wrapping_add(12345);
                set(at, self.noise, self.noise >> 7);
            }
        }
    }

    fn legacy(&mut self, x: u32) -> u32 {
        self.destroy();
        x.wrapping_mul(3).wrapping_add(1)
    }

    fn narrow(&mut self, x: i8, y: u64) -> i16 {
        self.destroy();
        (i64::from(x) * 5 - (y & 0x7FFF) as i64) as i16
    }

    fn aware(&mut self, x: u32) -> u32 {
        x ^ 0x55
    }

    fn flagged(&mut self, x: bool, y: usize) -> bool {
        x != (y & 1 != 0)
    }
}

fn main() {
    let machine = std::env::args().nth(1).unwrap();
    register_rust::<pu::SoftCxu>().unwrap();
    register_rust::<ex::SoftCxu>().unwrap();
    register_rust::<cr::SoftCxu>().unwrap();
    register_rust::<ce::SoftCxu>().unwrap();
    register_rust::<al::SoftCxu>().unwrap();
    register_rust::<cu::SoftCxu>().unwrap();
    register_rust::<qu::SoftCxu>().unwrap();
    register_rust::<bx::SoftCxu>().unwrap();
    register_rust::<ba::SoftCxu>().unwrap();
    let all = [pu::UUID, ex::UUID, cr::UUID, ce::UUID, al::UUID, cu::UUID, bx::UUID, qu::UUID, ba::UUID];
    // Without IStateContext contexts cannot be shared, so there are enough for those that are used at once.
    let contexts = |uuid| match uuid {
        pu::UUID | qu::UUID => 0,
        bx::UUID => 64,
        _ => 1,
    };
    let few = all.map(|uuid| PlatformCxu { uuid, contexts: contexts(uuid) });
    let each_second = |first: usize| few.iter().skip(first).step_by(2).copied().collect::<Vec<_>>();
    match machine.as_str() {
        "soft" => {}
        "few" => load_platform(&few).unwrap(),
        "odd" => load_platform(&each_second(1)).unwrap(),
        "even" => load_platform(&each_second(0)).unwrap(),
        _ => load_platform(&[]).unwrap(),
    }
    if machine == "emulated" {
        all.iter().for_each(|uuid| emulate_absent(*uuid).unwrap());
    }
    let shared = [cr::UUID, ce::UUID, al::UUID, cu::UUID].map(|uuid| open(uuid, OpenFlags::SHARED).ok());
    let mut called = Called { shared: &shared, noise: 1 };
    let library = Library::new(ThisThread);
    for row in ROWS {
        let mut sum = 0_u32;
        let mut add = |word: u64| {
            for half in [word as u32, (word >> 32) as u32] {
                sum = sum.wrapping_mul(31).wrapping_add(half);
            }
        };
        for round in 0..30_u64 {
            let mark = round as u32 * 1000;
            for (at, cx) in shared.iter().enumerate() {
                if let Some(cx) = cx {
                    let _selected = cx.select();
                    set(at, mark, mark + 9);
                }
            }
            // Code of the CX calling convention may be called with any selection.
            let around = shared[0].as_ref().filter(|_| row.follows_cx && mark % 2 == 0).map(Cx::select);
            let before = selected();
            let mut call = Call {
                a: [round, round * 77, u64::MAX - round * 0x10001],
                b: [round * 3, !round],
                v: round.wrapping_mul(0x8123_4567_0123_4567),
                w: round.wrapping_mul(0x9E37_79B9_7F4A_7C15),
                t: round >> 1 & 1 != 0,
                n: if row.is_signed && round % 9 == 7 { 3_u64.wrapping_neg() } else { round % 9 },
                // A buffer that is not there has no elements, and neither has one of length 0.
                is_null: round % 5 == 4,
                ..Call::default()
            };
            for (k, place) in (0..).zip(&mut call.out) {
                *place = 0x8101_0181_0101_8101_u64.wrapping_mul(k).wrapping_add(round);
            }
            (row.run)(&library, &mut called, &mut call);
            add(call.result);
            call.out.into_iter().chain(call.b).for_each(&mut add);
            assert_eq!(selected(), before);
            drop(around);
            for (at, cx) in shared.iter().enumerate() {
                if row.follows_cx && row.preserves || at == CALLEE_SAVE {
                    if let Some(cx) = cx {
                        let _selected = cx.select();
                        assert_eq!(get(at), mark ^ (mark + 9) ^ if at == CUSTOM { 3 } else { 0 });
                    }
                }
            }
        }
        let status = clear_status(Status::from_bits(0xFF));
        println!("{sum:08X} {:02X}", status.bits());
    }
    assert_eq!(status(), Status::NONE);
}
