//! Generated Rust on a host: the fallback is registered as a software CXU, and the guard issues commands to it through
//! the runtime. The modules are the kept texts of the backend, which its tests hold equal to what it prints.

#![allow(clippy::unwrap_used, clippy::panic)]

#[rustfmt::skip] // as the backend prints it
#[path = "../../backends/rust/tests/golden/crc32c.rs"]
mod crc32c;
#[rustfmt::skip] // as the backend prints it
#[path = "../../backends/rust/tests/golden/mulacc.rs"]
mod mulacc;
#[rustfmt::skip] // as the backend prints it
#[path = "../../backends/rust/tests/golden/names.rs"]
mod names;

use lapis_cx_runtime::{CsrOp, OpenFlags, Response, Status, clear_status, open, register_rust, status};

use crc32c::Crc32C;
use mulacc::MulAcc;
use names::Result_;

/// A library that knows the trait and nothing else.
fn dot<M: MulAcc>(m: &mut M, a: &[u64], b: &[u64]) -> u64 {
    m.mul(0, 0);
    a.iter().zip(b).fold(0, |_, (a, b)| m.mulacc(*a, *b))
}

#[test]
fn a_library_takes_the_guard_and_the_fallback_alike() {
    register_rust::<mulacc::SoftCxu>().unwrap();
    let cx = open(mulacc::UUID, OpenFlags::EXCLUSIVE).unwrap();
    let mut selected = mulacc::Selected::new(cx.select());
    let mut soft = mulacc::Soft::default();
    let (a, b) = ([3, 5, u64::MAX], [4, 6, 2]);
    assert_eq!(dot(&mut selected, &a, &b), 40);
    assert_eq!(dot(&mut soft, &a, &b), 40);
    assert_eq!(selected.read_state(0), 40);
    assert_eq!(mulacc::Soft::save(&soft), [selected.read_status(), 40]);
}

#[test]
fn the_guard_gives_the_selection_back() {
    register_rust::<mulacc::SoftCxu>().unwrap();
    let (one, two) =
        (open(mulacc::UUID, OpenFlags::EXCLUSIVE).unwrap(), open(mulacc::UUID, OpenFlags::EXCLUSIVE).unwrap());
    let mut outer = mulacc::Selected::new(one.select());
    outer.mul(2, 3);
    {
        let mut inner = mulacc::Selected::new(two.select());
        inner.mul(5, 5);
        // A guard is its CX, whichever is selected.
        assert_eq!(outer.mulacc(0, 0), 6);
        assert_eq!(inner.mulacc(0, 0), 25);
    }
    assert_eq!(outer.mulacc(1, 1), 7);
}

#[test]
fn a_state_goes_from_one_to_the_other() {
    register_rust::<mulacc::SoftCxu>().unwrap();
    let cx = open(mulacc::UUID, OpenFlags::EXCLUSIVE).unwrap();
    let mut soft = mulacc::Soft::default();
    soft.mul(6, 7);
    let image: Vec<u8> = mulacc::Soft::save(&soft).iter().flat_map(|w| w.to_ne_bytes()).collect();
    let guard = cx.select();
    guard.restore(&image).unwrap();
    let mut selected = mulacc::Selected::new(guard);
    assert_eq!(selected.mulacc(0, 0), 42);
    // Off: commands give 0 and leave it alone, and the flag says so.
    selected.write_status(0);
    clear_status(Status::ALL);
    assert_eq!((selected.mulacc(1, 1), status()), (0, Status::OFF));
    clear_status(Status::ALL);
}

#[test]
fn a_cx_without_state_opens_either_way() {
    register_rust::<crc32c::SoftCxu>().unwrap();
    for flags in [OpenFlags::SHARED, OpenFlags::EXCLUSIVE] {
        let cx = open(crc32c::UUID, flags).unwrap();
        let selected = crc32c::Selected::new(cx.select());
        let crc = b"123456789".iter().fold(!0, |c, x| selected.crc_b(c, *x));
        assert_eq!(!crc, 0xE306_9283);
    }
}

#[test]
fn errors_have_names_and_leave_the_state_alone() {
    register_rust::<names::SoftCxu>().unwrap();
    let cx = open(names::UUID, OpenFlags::EXCLUSIVE).unwrap();
    let mut selected = names::Selected::new(cx.select());
    let mut soft = names::Soft::default();
    fn raises(cx: &mut impl Result_) {
        assert_eq!(cx.try_rockn_roll(3), Err(names::Error::Try));
        assert_eq!(names::Error::Try.to_string(), "it failed: {}");
        assert_eq!(cx.read_status() & 3, 1, "nothing was written");
        assert_eq!(cx.r#gen(1, 2), 4);
        assert_eq!(cx.clone_(1, -1), 0);
        assert_eq!(cx.try_into_(), Err(names::Error::NotReady));
        assert!(cx.into_(), "the value comes with the error too");
        // An immediate is a constant; it travels beside two registers.
        cx.third::<31>(1, 2);
        assert_eq!(cx.read_state(0), 34);
        cx.all::<0x7FFF>();
        assert_eq!(cx.read_state(0), 0x7FFF);
        assert_eq!(cx.crate_::<1>(1), names::Option_::SOME_THING);
    }
    raises(&mut selected);
    raises(&mut soft);
    clear_status(Status::ALL);
}

#[test]
fn csrs_are_those_of_the_selected_cx() {
    register_rust::<names::SoftCxu>().unwrap();
    let cx = open(names::UUID, OpenFlags::EXCLUSIVE).unwrap();
    let other = open(names::UUID, OpenFlags::EXCLUSIVE).unwrap();
    let mut selected = names::Selected::new(cx.select());
    // Its accesses go to its CX, also while another one is selected.
    let _inner = other.select();
    fn accesses(cx: &mut impl Result_) {
        use names::Option_;
        use names::csr::{Fn_, Info, X};
        let reset = cx.fn_read();
        assert_eq!((reset.self_(), reset.r#type(), reset.fmt(), reset.on()), (-2, Option_::TYPE, Option_::NONE, true));
        cx.fn_write(reset.with_self(3).with_fmt(Option_::SOME_THING).with_on(false));
        assert_eq!(cx.read_state(7), 3);
        // A pattern without a name is refused by that field alone.
        assert_eq!(cx.fn_swap(cx.fn_read().with_fmt(Option_(7)).with_self(-1)).fmt(), Option_::SOME_THING);
        assert_eq!((cx.fn_read().fmt(), cx.fn_read().self_()), (Option_::SOME_THING, -1));
        assert!(!cx.fn_set(Fn_::ON_MASK).on());
        assert!(cx.fn_clear(Fn_::ON_MASK).on());
        cx.x_write_i::<12>();
        assert_eq!((cx.x_set_i::<3>(), cx.x_clear_i::<8>(), cx.x_read()), (X(12), X(15), X(7)));
        assert_eq!((cx.info_read().n(), cx.info_read().deep(), Info::ADDRESS), (-3, 1, 0xCC0));
        // Off: no access is answered, and none leaves a trace.
        cx.write_status(0);
        cx.x_write(X(1));
        assert_eq!(cx.x_read(), X(0));
        cx.write_status(1);
        assert_eq!((cx.x_read(), cx.fn_read()), (X(3), reset));
    }
    clear_status(Status::ALL);
    accesses(&mut selected);
    assert_eq!(status(), Status::OFF);
    accesses(&mut names::Soft::default());
    // A CSR that is not there, or is read only.
    let guard = cx.select();
    for (op, address) in [(CsrOp::Read, 0x805), (CsrOp::Set, 0xCC0)] {
        assert_eq!(guard.csr(op, address, 0).map_err(|e| e.0.response), Err(Response::Func));
    }
    clear_status(Status::ALL);
}

#[test]
fn the_other_xlen_has_a_module_of_its_own() {
    use mulacc::xlen32::{MulAcc, Soft};
    let mut soft = Soft::default();
    assert_eq!(soft.mul(u32::MAX, 2), u32::MAX - 1);
}
