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

#[rustfmt::skip] // as the backend prints it
#[path = "../../backends/rust/tests/golden/open.rs"]
mod op;

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

/// What the commands of `op` do that its specification leaves open.
struct Sums;

impl op::Bodies for Sums {
    fn add(st: &mut op::State, state: u64, value: u8) -> Result<u64, op::Raised<u64>> {
        if value == 31 {
            return Err(op::Raised { error: op::Error::Full, value: Some(9) });
        }
        st.last += state + u64::from(value);
        Ok(st.last)
    }
    fn quiet(_: &mut op::State, _: u8, _: i8, _: u8) -> Result<(), op::Error> {
        Err(op::Error::Custom(77))
    }
    fn odd(_: &mut op::State, _: u64, error: i8) -> Result<i8, op::Raised<i8>> {
        Ok(-error)
    }
    fn pick(_: &mut op::State, _: op::B, _: bool) -> Result<op::G, op::Raised<op::G>> {
        Err(op::Error::Op.into())
    }
    fn is(_: &mut op::State, a: op::B) -> Result<bool, op::Raised<bool>> {
        Ok(a == op::B::SOME)
    }
    fn all(_: &mut op::State, _: u16) -> Result<(), op::Error> {
        Ok(())
    }
    fn ping(_: &mut op::State) -> Result<(), op::Error> {
        panic!("a body may fail")
    }
}

#[test]
fn the_bodies_of_open_commands_are_registered_with_the_rest() {
    use op::Open;
    register_rust::<op::SoftCxu<Sums>>().unwrap();
    register_rust::<op::SoftCxu<Sums>>().unwrap();
    let cx = open(op::UUID, OpenFlags::EXCLUSIVE).unwrap();
    let mut selected = op::Selected::new(cx.select());
    let mut soft = op::Soft::<Sums>::default();
    fn issues(cx: &mut impl Open) {
        assert_eq!(cx.read_status(), 0x9, "initial, two words");
        assert_eq!((cx.try_odd(0, -16), cx.odd_i::<-3>(0)), (Ok(-16), 3), "16 has no place in five bits");
        assert_eq!((cx.add(1, 2), cx.before(), cx.seen_read().last()), (4, 4, 4));
        assert_eq!(cx.read_status(), 0xB, "a body that ends well leaves the context dirty");
        assert_eq!((cx.add(0, 31), cx.try_add(0, 31)), (9, Err(op::Error::Full)));
        assert_eq!(cx.read_status() >> 24, 3);
        assert_eq!(cx.try_quiet::<4>(0, 0), Err(op::Error::Custom(77)));
        assert_eq!((cx.pick(op::B::NONE, true), cx.try_pick(op::B::NONE, true)), (op::G(0), Err(op::Error::Op)));
        assert_eq!((cx.is::<5>(), cx.is::<4>()), (true, false));
        cx.write_status(0);
        assert_eq!((cx.try_add(1, 1), cx.add(1, 1)), (Err(op::Error::Off), 0));
    }
    issues(&mut selected);
    issues(&mut soft);
    assert_eq!(op::Soft::state(&soft.clone()).last, 1);
    // A body that panics is a CXU that does not answer.
    selected.write_status(1);
    assert_eq!(selected.try_ping(), Err(op::Error::Cxu));
    clear_status(Status::ALL);
    // Other bodies are another CXU, which does not take the place of the first.
    struct Others;
    impl op::Bodies for Others {
        fn add(_: &mut op::State, _: u64, _: u8) -> Result<u64, op::Raised<u64>> {
            Ok(0)
        }
        fn quiet(_: &mut op::State, _: u8, _: i8, _: u8) -> Result<(), op::Error> {
            Ok(())
        }
        fn odd(_: &mut op::State, _: u64, _: i8) -> Result<i8, op::Raised<i8>> {
            Ok(0)
        }
        fn pick(_: &mut op::State, _: op::B, _: bool) -> Result<op::G, op::Raised<op::G>> {
            Ok(op::G(0))
        }
        fn is(_: &mut op::State, _: op::B) -> Result<bool, op::Raised<bool>> {
            Ok(true)
        }
        fn all(_: &mut op::State, _: u16) -> Result<(), op::Error> {
            Ok(())
        }
        fn ping(_: &mut op::State) -> Result<(), op::Error> {
            Ok(())
        }
    }
    assert!(register_rust::<op::SoftCxu<Others>>().is_err());
}

#[test]
fn the_other_xlen_has_a_module_of_its_own() {
    use mulacc::xlen32::{MulAcc, Soft};
    let mut soft = Soft::default();
    assert_eq!(soft.mul(u32::MAX, 2), u32::MAX - 1);
}
