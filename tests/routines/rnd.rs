//! Runs functions of a random library on a machine, and prints what they give, as `random.c` does.

#[path = "rust/al.rs"]
mod al;
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
#[path = "rust/rnd.rs"]
mod rnd;

use al::Al as _;
use ce::Ce as _;
use cr::Cr as _;
use cu::Cu as _;
use lapis_cx_runtime::{
    Cx, OpenFlags, PlatformCxu, Runtime, Selector, Status, ThisThread, emulate_absent, load_platform, open,
    register_rust, status,
};

type Library = rnd::Random<ThisThread>;
type Function = fn(&Library, &mut Called<'_>, &[u32], Option<&mut [u32]>, u32, u32) -> u32;

struct Row {
    run: Function,
    /// It is of the CX calling convention.
    follows_cx: bool,
    /// Nothing that it calls destroys shared state.
    preserves: bool,
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
    fn legacy(&mut self, x: u32) -> u32 {
        assert_eq!(selected(), Selector::BUILTIN);
        for (at, cx) in self.shared.iter().enumerate().filter(|(at, _)| *at != CALLEE_SAVE) {
            if let Some(cx) = cx {
                let _selected = cx.select();
                self.noise = self.noise.wrapping_mul(1_103_515_245).wrapping_add(12345);
                set(at, self.noise, self.noise >> 7);
            }
        }
        x.wrapping_mul(3).wrapping_add(1)
    }

    fn aware(&mut self, x: u32) -> u32 {
        x ^ 0x55
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
    let all = [pu::UUID, ex::UUID, cr::UUID, ce::UUID, al::UUID, cu::UUID];
    let few = all.map(|uuid| PlatformCxu { uuid, contexts: u32::from(uuid != pu::UUID) });
    match machine.as_str() {
        "soft" => {}
        "few" => load_platform(&few).unwrap(),
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
        for round in 0..30_u32 {
            let a = [round, round * 77, u32::MAX - round];
            let mut out = [round, 1, 2, 3, 4, 5, 6, 7];
            let (n, mark) = (round % 9, round * 1000);
            for (at, cx) in shared.iter().enumerate() {
                if let Some(cx) = cx {
                    let _selected = cx.select();
                    set(at, mark, mark + 9);
                }
            }
            // Code of the CX calling convention may be called with any selection.
            let around = shared[0].as_ref().filter(|_| row.follows_cx && mark % 2 == 0).map(Cx::select);
            let before = selected();
            // A buffer that is not there has no elements, and neither has one of length 0.
            let given = (round % 5 != 4).then_some(&mut out[..]);
            let result = (row.run)(&library, &mut called, &a, given, round.wrapping_mul(0x0123_4567), n);
            sum = sum.wrapping_mul(31).wrapping_add(result);
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
            for (at, value) in (0..).zip(out) {
                sum = sum.wrapping_mul(31).wrapping_add(value);
                assert!(at < n || value == if at == 0 { round } else { at });
            }
        }
        println!("{sum:08X}");
    }
    assert_eq!(status(), Status::NONE);
}
