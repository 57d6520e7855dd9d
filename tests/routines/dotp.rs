//! The four dot products on a machine. Each computes what plain Rust does, whatever the functions that they call do to the
//! selection, to shared state, by calling them again, or by a panic; and how often the runtime is called is as in the CX
//! API's listings.

#[path = "rust/dotp.rs"]
mod dotp;
#[path = "rust/mac.rs"]
mod mac;
#[path = "rust/smac.rs"]
mod smac;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lapis_cx_runtime::{
    Error, Issue, OpenFlags, Runtime, Selector, Sharing, ThisThread, Uuid, emulate_absent, load_platform, open,
    register_rust, status,
};
use smac::SharedMac as _;

/// The runtime, counted.
#[derive(Debug, Default)]
struct Counted {
    opens: Cell<u32>,
    closes: Cell<u32>,
    selects: Cell<u32>,
    saves: Cell<u32>,
    restores: Cell<u32>,
}

fn add(counter: &Cell<u32>) {
    counter.set(counter.get() + 1);
}

impl Runtime for Counted {
    type Current = ThisThread;
    fn current(&self) -> ThisThread {
        ThisThread
    }
    fn open(&self, uuid: Uuid, sharing: Sharing) -> Result<Selector, Error> {
        let opened = ThisThread.open(uuid, sharing);
        if opened.is_ok() {
            add(&self.opens);
        }
        opened
    }
    fn close(&self, selector: Selector) {
        add(&self.closes);
        ThisThread.close(selector);
    }
    fn is_open(&self, selector: Selector) -> bool {
        ThisThread.is_open(selector)
    }
    fn select(&self, selector: Selector) -> Selector {
        add(&self.selects);
        ThisThread.select(selector)
    }
    fn save(&self, image: &mut [u8]) -> Result<(), Error> {
        add(&self.saves);
        ThisThread.save(image)
    }
    fn restore(&self, image: &[u8]) -> Result<(), Error> {
        add(&self.restores);
        ThisThread.restore(image)
    }
}

impl Counted {
    /// Selects, saves and restores since the last time.
    fn taken(&self) -> [u32; 3] {
        [&self.selects, &self.saves, &self.restores].map(|counter| counter.replace(0))
    }
}

/// What is selected.
fn selected() -> Selector {
    let before = ThisThread.select(Selector::BUILTIN);
    ThisThread.select(before);
    before
}

const SIZE: usize = 9;

#[derive(Clone, Copy, Debug)]
struct Data {
    a: [i32; SIZE],
    b: [i32; SIZE],
}

fn changed(x: i32) -> i32 {
    x.wrapping_mul(3).wrapping_add(1)
}

impl Data {
    fn expected(&self) -> i32 {
        self.a.iter().zip(&self.b).fold(0, |sum: i32, (a, b)| sum.wrapping_add(changed(*a).wrapping_mul(*b)))
    }
}

/// The functions that the library calls.
struct Called<'d> {
    library: &'d dotp::Dotp<&'d Counted>,
    data: Data,
    /// Whether a function that is called calls again.
    deep: bool,
    /// Whether a legacy function uses the shared CX for itself.
    destructive: bool,
    /// At which call it panics.
    panics: Option<u32>,
    calls: u32,
}

impl Called<'_> {
    fn count(&mut self) {
        self.calls += 1;
        if self.panics == Some(self.calls) {
            // Anything may be selected then.
            if self.calls % 2 == 0 {
                ThisThread.select(Selector::BUILTIN);
            }
            panic!("the function that is called");
        }
    }
}

impl dotp::Calls for Called<'_> {
    fn legacy(&mut self, x: i32) -> i32 {
        self.count();
        assert_eq!(selected(), Selector::BUILTIN);
        // It issues what it takes for built-in: this processor has none.
        assert_eq!(ThisThread.issue(0, 1, 2).response, lapis_cx_runtime::Response::Func);
        lapis_cx_runtime::clear_status(status());
        if self.destructive {
            if let Ok(cx) = open(smac::UUID, OpenFlags::SHARED) {
                smac::Selected::new(cx.select()).mac(x as _, 77);
            }
        }
        if self.deep {
            self.deep = false;
            let Data { a, b } = self.data;
            let wanted = self.data.expected();
            let library = self.library;
            assert_eq!(library.exclusive_legacy(self, &a, &b, SIZE as u32), wanted);
            assert_eq!(library.shared_legacy(self, &a, &b, SIZE as u32), wanted);
            assert_eq!(library.shared_cx(self, &a, &b, SIZE as u32), wanted);
            self.deep = true;
        }
        changed(x)
    }

    fn aware(&mut self, x: i32) -> i32 {
        let before = selected();
        self.count();
        if self.deep {
            self.deep = false;
            let Data { a, b } = self.data;
            let wanted = self.data.expected();
            let library = self.library;
            assert_eq!(library.exclusive_cx(self, &a, &b, SIZE as u32), wanted);
            assert_eq!(library.shared_cx(self, &a, &b, SIZE as u32), wanted);
            assert_eq!(selected(), before);
            self.deep = true;
        }
        changed(x)
    }
}

type Function<'d> = fn(&dotp::Dotp<&'d Counted>, &mut Called<'d>, &[i32], &[i32], u32) -> i32;

/// The functions, whether they are of the CX calling convention, and what they select, save and restore.
fn functions<'d>() -> [(Function<'d>, bool, [u32; 3]); 4] {
    let n = SIZE as u32;
    [
        (dotp::Dotp::exclusive_legacy, false, [2 + 2 * n, 0, 0]),
        (dotp::Dotp::shared_legacy, false, [2 + 2 * n, n, n]),
        (dotp::Dotp::exclusive_cx, true, [2, 0, 0]),
        (dotp::Dotp::shared_cx, true, [2, 1, 1]),
    ]
}

fn main() {
    let machine = std::env::args().nth(1).unwrap();
    let has_cx = machine != "absent";
    register_rust::<mac::SoftCxu>().unwrap();
    register_rust::<smac::SoftCxu>().unwrap();
    let few = [mac::UUID, smac::UUID].map(|uuid| lapis_cx_runtime::PlatformCxu { uuid, contexts: 1 });
    match machine.as_str() {
        "soft" => {}
        "few" => load_platform(&few).unwrap(),
        _ => load_platform(&[]).unwrap(),
    }
    if machine == "emulated" {
        [mac::UUID, smac::UUID].iter().for_each(|uuid| emulate_absent(*uuid).unwrap());
    }
    std::panic::set_hook(Box::new(|_| {}));
    let counted = Counted::default();
    let mine = open(smac::UUID, OpenFlags::SHARED).ok();
    assert_eq!(mine.is_some(), has_cx);
    println!("{}", run(&counted, has_cx, mine.as_ref()));
    assert_eq!(status(), lapis_cx_runtime::Status::NONE);
}

/// Leaves a state in the shared CX, which is the caller's.
fn leave_state() {
    let mut mine = smac::Selected::new(ThisThread);
    mine.reset();
    mine.mac(6, 7);
}

fn run(counted: &Counted, has_cx: bool, mine: Option<&lapis_cx_runtime::Cx>) -> String {
    let mut said = String::new();
    let mut library = dotp::Dotp::new(counted);
    let mut seed = 1_u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
        seed as i32
    };
    for round in 0..40 {
        let data = Data { a: [0; SIZE].map(|_| next()), b: [0; SIZE].map(|_| next() >> (round % 20)) };
        let wanted = data.expected();
        let deep = round % 4 == 3;
        for (function, follows_cx, counts) in functions() {
            // Code of the CX calling convention may have a CX selected whose state is in use.
            let before = mine.filter(|_| follows_cx).map(lapis_cx_runtime::Cx::select);
            if before.is_some() {
                leave_state();
            }
            let here = selected();
            counted.taken();
            let mut called =
                Called { library: &library, data, deep, destructive: round % 2 == 1, panics: None, calls: 0 };
            assert_eq!(function(&library, &mut called, &data.a, &data.b, SIZE as u32), wanted);
            assert!(deep || called.calls == SIZE as u32);
            if !deep {
                assert_eq!(counted.taken(), if has_cx { counts } else { [0; 3] });
            }
            assert_eq!(selected(), here);
            // What is called panics, at each of its calls.
            for at in 1..=SIZE as u32 {
                called = Called { panics: Some(at), calls: 0, deep: false, ..called };
                let panicked = catch_unwind(AssertUnwindSafe(|| {
                    function(&library, &mut called, &data.a, &data.b, SIZE as u32)
                }));
                assert!(panicked.is_err());
                assert_eq!(selected(), here);
            }
            if before.is_some() {
                assert_eq!(smac::Selected::new(ThisThread).mac(0, 0), 42);
            }
            drop(before);
            assert_eq!(selected(), Selector::BUILTIN);
            // No elements; fewer than it says, of which the others are 0; more than it says.
            let mut called = Called { panics: None, calls: 0, deep: false, ..called };
            assert_eq!(function(&library, &mut called, &data.a, &data.b, 0), 0);
            let short = Data { b: std::array::from_fn(|i| if i < 4 { data.b[i] } else { 0 }), ..data };
            assert_eq!(function(&library, &mut called, &data.a, &data.b[..4], SIZE as u32), short.expected());
            assert_eq!(function(&library, &mut called, &data.a, &data.b, 4), short.expected());
            // What is read of the other one is 0 too.
            let empty = Data { a: [0; SIZE], ..data };
            assert_eq!(function(&library, &mut called, &[], &data.b, SIZE as u32), empty.expected());
        }
        if round % 8 == 5 {
            // What was opened is closed.
            drop(library);
            assert_eq!(counted.opens.get(), counted.closes.get());
            library = dotp::Dotp::new(counted);
        }
        said += &format!("{wanted} ");
    }
    drop(library);
    assert_eq!(counted.opens.get(), counted.closes.get());
    assert_eq!(counted.opens.get() > 0, has_cx);
    said
}
