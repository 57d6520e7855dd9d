extern crate std;
use super::*;
use crate::{Response, Target};
use std::string::ToString;

unsafe extern "C" fn add(_state: *mut c_void, function: u32, rs1: usize, rs2: usize, rd: *mut usize) -> u32 {
    if function != 0 {
        return Response::Func.code();
    }
    // SAFETY: the caller gives a place for rd.
    unsafe { rd.write(rs1.wrapping_add(rs2)) };
    Response::Ok.code()
}
unsafe extern "C" fn init(_state: *mut c_void) {}
unsafe extern "C" fn save(_state: *const c_void, _image: *mut c_void) {}
unsafe extern "C" fn restore(_state: *mut c_void, _image: *const c_void) {}

const STATELESS: SoftCxu = SoftCxu {
    abi_version: ABI_VERSION,
    struct_size: size_of::<SoftCxu>() as u32,
    uuid: Uuid::from_u128(0x014907b7_9753_8f39_8b68_b8cc31762d17),
    contract: [0; 32],
    xlen: usize::BITS,
    sharing: 0,
    flags: 0,
    state_words: 0,
    state_size: 0,
    state_align: 1,
    name: c"add".as_ptr(),
    init: None,
    issue: Some(add),
    save: None,
    restore: None,
    csr: None,
    flex: None,
};
const STATEFUL: SoftCxu = SoftCxu {
    sharing: 1,
    state_words: 2,
    state_size: 24,
    state_align: 8,
    init: Some(init),
    save: Some(save),
    restore: Some(restore),
    ..STATELESS
};

fn defect(base: SoftCxu, change: impl FnOnce(&mut SoftCxu)) -> Option<Defect> {
    let mut descriptor = base;
    change(&mut descriptor);
    descriptor.check().err()
}

#[test]
fn good_descriptors_pass() {
    assert_eq!(STATELESS.check(), Ok(()));
    assert_eq!(STATEFUL.check(), Ok(()));
    assert_eq!(STATELESS.image_size(), Some(0));
    assert_eq!(STATEFUL.image_size(), Some(3 * size_of::<usize>()));
    assert_eq!(defect(STATEFUL, |d| d.xlen = 32), None);
    assert_eq!(defect(STATEFUL, |d| d.flags = 3), None);
    for sharing in 1..=5 {
        assert_eq!(defect(STATEFUL, |d| d.sharing = sharing), None);
    }
}

#[test]
fn each_defect_is_named() {
    use Defect::*;
    assert_eq!(defect(STATELESS, |d| d.abi_version = 1), Some(Version));
    assert_eq!(defect(STATELESS, |d| d.struct_size += 8), Some(Size));
    assert_eq!(defect(STATELESS, |d| d.struct_size = 0), Some(Size));
    for xlen in [0, 16, 33, 128] {
        assert_eq!(defect(STATELESS, |d| d.xlen = xlen), Some(Xlen));
    }
    assert_eq!(defect(STATELESS, |d| d.sharing = 6), Some(Model));
    assert_eq!(defect(STATELESS, |d| d.flags = 4), Some(Model));
    assert_eq!(defect(STATELESS, |d| d.issue = None), Some(Function));
    assert_eq!(defect(STATEFUL, |d| d.init = None), Some(Function));
    assert_eq!(defect(STATEFUL, |d| d.save = None), Some(Function));
    assert_eq!(defect(STATEFUL, |d| d.restore = None), Some(Function));
    assert_eq!(defect(STATELESS, |d| d.state_size = 8), Some(State));
    assert_eq!(defect(STATELESS, |d| d.state_words = 1), Some(State));
    assert_eq!(defect(STATEFUL, |d| d.state_size = 0), Some(State));
    assert_eq!(defect(STATEFUL, |d| d.state_words = 0), Some(State));
    for align in [0, 3, 12] {
        assert_eq!(defect(STATEFUL, |d| d.state_align = align), Some(State));
    }
    let huge = |d: &mut SoftCxu| d.state_size = usize::MAX;
    assert_eq!(defect(STATEFUL, huge), Some(State));
}

#[test]
fn raw_descriptors() {
    // SAFETY: null, misaligned and short ones are refused before they are read further.
    unsafe {
        assert_eq!(SoftCxu::from_raw(core::ptr::null()).err(), Some(Defect::Address));
        static GOOD: SoftCxu = STATELESS;
        assert!(SoftCxu::from_raw(&raw const GOOD).is_ok());
        let misaligned = (&raw const GOOD).cast::<u8>().wrapping_add(1);
        assert_eq!(SoftCxu::from_raw(misaligned.cast()).err(), Some(Defect::Address));
        static OTHER: [u64; 1] = [u64::MAX];
        assert_eq!(SoftCxu::from_raw(OTHER.as_ptr().cast()).err(), Some(Defect::Version));
    }
    assert_eq!(Error::from(Defect::Address), Error::Fault);
    assert_eq!(Error::from(Defect::Version), Error::Invalid);
}

#[test]
fn commands() {
    static CXU: SoftCxu = STATELESS;
    // SAFETY: it has no state.
    let target = unsafe { Target::new(&CXU, core::ptr::null_mut()) };
    let answer = |target: Target, function| {
        let reply = target.issue(function, 2, 3);
        (reply.value, reply.response)
    };
    assert_eq!(answer(target, 0), (5, Response::Ok));
    assert_eq!(answer(target, 1), (0, Response::Func));
    assert_eq!(answer(Target::INVALID, 0), (0, Response::Cxu));
    assert_eq!(answer(Target::NO_BUILTIN, 0), (0, Response::Func));
}

#[test]
fn who_may_open_how() {
    for code in 0..=5 {
        let sharing = Sharing::from_code(code);
        assert_eq!(sharing.map(|s| s as u32), Some(code));
        assert_eq!(sharing.map(|s| s.allows(true)), Some(code <= 1));
        assert_eq!(sharing.map(|s| s.allows(false)), Some(code != 1));
    }
    assert_eq!(Sharing::from_code(6), None);
}

#[test]
fn uuids_print_as_written() {
    let uuid = STATELESS.uuid;
    assert_eq!(uuid.to_string(), "014907b7-9753-8f39-8b68-b8cc31762d17");
}

#[test]
fn header_has_our_version() {
    let release = env!("CARGO_PKG_VERSION");
    assert!(crate::CX_ABI_H.contains(&std::format!("#define CX_ABI_VERSION {ABI_VERSION}\n")));
    assert!(crate::CX_ABI_H.contains(&std::format!("#define CX_ABI_RELEASE \"{release}\" ")));
    assert!(crate::CX_ABI_H.contains(&std::format!("for CX ABI {ABI_VERSION} (lapis-cx {release}), but")));
    assert!(crate::CX_ABI_H.contains(&std::format!("cx_abi{ABI_VERSION}_issue")));
    assert!(crate::CX_ABI_H.contains(&std::format!("cx_abi{ABI_VERSION}_csr")));
}
