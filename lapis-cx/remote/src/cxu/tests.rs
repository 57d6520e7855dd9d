//! Tests of valid and invalid records between guest and worker.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::ffi::{CString, c_void};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use lapis_cx_core::{ABI_VERSION, Response, Sharing, SoftCxu, Uuid};

use super::command_channel::{CommandChannel, CommandError};
use super::live_states::{LiveStates, Record, SIZE};
use super::wire::{self, Listed, record, reply};
use super::worker::Worker;
use super::{Error, Reach, Remote};
use crate::{Channel, Connection, Geometry, Listener, Reader, Spin, Wake, Writer, socket_pair};

const RINGS: Geometry = Geometry { ring: 65536, channels: 16, in_place: 0 };
const CANARY: u64 = 0x5EED_CAFE_F00D_BEEF;

/// The number of times that a state was invalid or in use when a command got it.
pub(super) static WRONG: AtomicUsize = AtomicUsize::new(0);

/// A state that contains a sum between two canaries.
#[repr(C)]
struct Counted {
    before: u64,
    users: u64,
    sum: u64,
    after: u64,
}

/// Checks a state and runs `work` with its sum.
unsafe fn with<R>(state: *mut c_void, work: impl FnOnce(&mut u64) -> R) -> R {
    // SAFETY: the worker passes a locked state of the CXU below; `users` detects a second user.
    let state = unsafe { &mut *state.cast::<Counted>() };
    let is_good = state.before == CANARY && state.after == CANARY && state.users == 0;
    WRONG.fetch_add(usize::from(!is_good), Ordering::Relaxed);
    state.users += 1;
    std::hint::black_box(&mut state.users);
    let done = work(&mut state.sum);
    state.users -= 1;
    done
}

unsafe extern "C" fn init(state: *mut c_void) {
    // SAFETY: the worker passes zeroed memory of the size in the descriptor.
    unsafe { state.cast::<Counted>().write(Counted { before: CANARY, users: 0, sum: 0, after: CANARY }) };
}

unsafe extern "C" fn issue(state: *mut c_void, function: u32, rs1: usize, rs2: usize, rd: *mut usize) -> u32 {
    if function > 1 {
        return Response::Func.code();
    }
    // SAFETY: the worker passes what `cx_abi.h` requires for this descriptor.
    unsafe {
        rd.write(with(state, |sum| {
            *sum = sum.wrapping_mul(31).wrapping_add((rs1 ^ rs2) as u64);
            *sum as usize
        }));
    }
    0
}

unsafe extern "C" fn csr(state: *mut c_void, _op: u32, address: u32, value: usize, old: *mut usize) -> u32 {
    if address != 0x800 {
        return Response::Func.code();
    }
    // SAFETY: the worker passes what `cx_abi.h` requires for this descriptor.
    unsafe { old.write(with(state, |sum| std::mem::replace(sum, value as u64) as usize)) };
    0
}

unsafe extern "C" fn save(state: *const c_void, image: *mut c_void) {
    // SAFETY: the worker passes what `cx_abi.h` requires for this descriptor.
    unsafe { image.cast::<[u64; 2]>().write([4 | 3, with(state.cast_mut(), |sum| *sum)]) };
}

unsafe extern "C" fn restore(state: *mut c_void, image: *const c_void) {
    // SAFETY: the worker passes what `cx_abi.h` requires for this descriptor.
    unsafe { with(state, |sum| *sum = image.cast::<[u64; 2]>().read()[1]) };
}

unsafe extern "C" fn add(state: *mut c_void, _function: u32, rs1: usize, rs2: usize, rd: *mut usize) -> u32 {
    WRONG.fetch_add(usize::from(!state.is_null()), Ordering::Relaxed);
    // SAFETY: the worker passes what `cx_abi.h` requires for this descriptor.
    unsafe { rd.write(rs1.wrapping_add(rs2)) };
    0
}

unsafe extern "C" fn flex(function: u32, fields: u32, rs2: *mut usize) -> u32 {
    // SAFETY: the worker passes what `cx_abi.h` requires for this descriptor.
    unsafe { rs2.write(rs2.read() + fields as usize) };
    function + 1
}

const PLAIN: SoftCxu = SoftCxu {
    abi_version: ABI_VERSION,
    struct_size: size_of::<SoftCxu>() as u32,
    uuid: Uuid { high: 1, low: 1 },
    contract: [1; 32],
    xlen: 64,
    sharing: Sharing::Stateless as u32,
    flags: 0,
    state_words: 0,
    state_size: 0,
    state_align: 1,
    name: c"plain".as_ptr(),
    init: None,
    issue: Some(add),
    save: None,
    restore: None,
    csr: None,
    flex: Some(flex),
};

const SUM: SoftCxu = SoftCxu {
    uuid: Uuid { high: 1, low: 2 },
    sharing: Sharing::Exclusive as u32,
    state_words: 1,
    state_size: size_of::<Counted>(),
    state_align: align_of::<Counted>(),
    name: c"sum".as_ptr(),
    init: Some(init),
    issue: Some(issue),
    save: Some(save),
    restore: Some(restore),
    csr: Some(csr),
    flex: None,
    ..PLAIN
};

pub(super) const PLAIN_AT: u32 = 0;
pub(super) const SUM_AT: u32 = 1;
/// Another CXU with the functions of `SUM`.
pub(super) const OTHER_AT: u32 = 2;

static CXUS: [SoftCxu; 3] = [PLAIN, SUM, SoftCxu { uuid: Uuid { high: 1, low: 3 }, ..SUM }];

pub(super) fn worker(most: usize) -> Arc<Worker> {
    Arc::new(Worker::new(&CXUS.each_ref(), most).unwrap())
}

/// Connects a guest to a worker in this process. The thread ends with the connection.
pub(super) fn guest(worker: &Arc<Worker>) -> (Connection, JoinHandle<()>) {
    guest_within(worker, None)
}

/// Same as [`guest`]; the worker waits for the rest of a record for at most `most`.
pub(super) fn guest_within(worker: &Arc<Worker>, most: Option<Duration>) -> (Connection, JoinHandle<()>) {
    let [mine, other] = socket_pair().unwrap();
    let worker = Arc::clone(worker);
    let serves = spawn(move || {
        let connection = Connection::worker(other, &wire::library(), RINGS, Spin::Never, |_| Ok(())).unwrap();
        connection.set_timeout(most, None);
        worker.serve(&connection);
    });
    (Connection::guest(mine, &wire::library(), RINGS, Spin::Never).unwrap(), serves)
}

fn ask<R>(
    commands: &CommandChannel,
    kind: u32,
    put: impl FnOnce(&mut Writer<'_>),
    take: impl FnOnce(&mut Reader<'_>) -> Result<R, crate::Error>,
) -> Result<R, CommandError> {
    commands.ask(kind, put, take)
}

pub(super) fn begin(commands: &CommandChannel, cxu: u32, old: u64) -> Result<u64, CommandError> {
    let put = |to: &mut Writer<'_>| {
        to.put_u32(cxu);
        to.put_u64(old);
    };
    ask(commands, record::INIT, put, |from| from.get_u64())
}

pub(super) fn sum(commands: &CommandChannel, cxu: u32, state: u64, value: u64) -> Result<(u32, u64), CommandError> {
    let put = |to: &mut Writer<'_>| [u64::from(cxu), state, value, 0].iter().for_each(|number| to.put_u64(*number));
    ask(commands, record::ISSUE, put, |from| Ok((from.get_u32()?, from.get_u64()?)))
}

fn image(commands: &CommandChannel, cxu: u32, state: u64) -> Result<[u64; 2], CommandError> {
    let put = |to: &mut Writer<'_>| {
        to.put_u32(cxu);
        to.put_u64(state);
    };
    ask(commands, record::SAVE, put, |from| Ok([from.get_u64()?, from.get_u64()?]))
}

fn load(commands: &CommandChannel, cxu: u32, state: u64, words: &[u64]) -> Result<(), CommandError> {
    let put = |to: &mut Writer<'_>| {
        to.put_u32(cxu);
        to.put_u64(state);
        words.iter().for_each(|word| to.put_u64(*word));
    };
    ask(commands, record::RESTORE, put, |_| Ok(()))
}

fn end(commands: &CommandChannel, states: &[u64]) {
    let put = |to: &mut Writer<'_>| {
        to.put_u32(states.len() as u32);
        states.iter().for_each(|state| to.put_u64(*state));
    };
    commands.send(record::END, put).unwrap();
}

#[test]
fn state_id_is_valid_for_one_guest_and_one_cxu_until_it_ends() {
    let worker = worker(1 << 20);
    let (connection, serves) = guest(&worker);
    let (other_connection, other_serves) = guest(&worker);
    let [commands, second] = [(); 2].map(|()| CommandChannel::new(connection.open().unwrap()));
    let other = CommandChannel::new(other_connection.open().unwrap());
    let states = [(); 5].map(|()| begin(&commands, SUM_AT, 0).unwrap());
    // A state can be used on any thread of its guest.
    assert_eq!(sum(&commands, SUM_AT, states[4], 5), Ok((0, 5)));
    assert_eq!(sum(&second, SUM_AT, states[4], 5), Ok((0, 160)));
    // Other guests cannot use the state, nor ids that do not exist.
    for state in [states[4], 0, u64::MAX, states[4] + 1, states[4] + (1 << 32)] {
        assert_eq!(sum(&other, SUM_AT, state, 5), Err(CommandError::Refused));
    }
    assert_eq!(sum(&commands, OTHER_AT, states[4], 5), Err(CommandError::Refused));
    assert_eq!(sum(&commands, 3, states[4], 5), Err(CommandError::Refused));
    assert_eq!(image(&commands, OTHER_AT, states[4]), Err(CommandError::Refused));
    // The same CXU gets the same state with its reset values; another CXU gets another state.
    assert_eq!(begin(&commands, SUM_AT, states[4]), Ok(states[4]));
    assert_eq!(image(&second, SUM_AT, states[4]), Ok([7, 0]));
    let moved = begin(&commands, OTHER_AT, states[4]).unwrap();
    assert_eq!(sum(&second, SUM_AT, states[4], 1), Err(CommandError::Refused));
    assert_eq!(sum(&commands, OTHER_AT, moved, 1), Ok((0, 1)));
    // An ended state is invalid, also on the channel that used it last.
    assert_eq!(sum(&second, SUM_AT, states[3], 1), Ok((0, 1)));
    end(&commands, &[states[3], states[3], 17]);
    assert_eq!(sum(&commands, SUM_AT, states[3], 1), Err(CommandError::Refused));
    assert_eq!(sum(&second, SUM_AT, states[3], 1), Err(CommandError::Refused));
    let again = begin(&commands, SUM_AT, 0).unwrap();
    assert!(again != states[3] && again as u32 == states[3] as u32);
    drop((commands, second, other, connection, other_connection));
    serves.join().unwrap();
    other_serves.join().unwrap();
}

#[test]
fn request_of_wrong_length_is_refused() {
    let (connection, serves) = guest(&worker(1 << 20));
    let commands = CommandChannel::new(connection.open().unwrap());
    let state = begin(&commands, SUM_AT, 0).unwrap();
    assert_eq!(sum(&commands, SUM_AT, state, 77), Ok((0, 77)));
    for words in [&[][..], &[7], &[7, 1, 2], &[7; 8000]] {
        assert_eq!(load(&commands, SUM_AT, state, words), Err(CommandError::Refused));
    }
    assert_eq!(image(&commands, SUM_AT, state), Ok([7, 77]));
    assert_eq!(load(&commands, SUM_AT, state, &[7, 78]), Ok(()));
    assert_eq!(image(&commands, SUM_AT, state), Ok([7, 78]));
    // Requests without contents; LIST and END are valid without.
    for kind in (0..12).filter(|kind| ![record::LIST, record::END].contains(kind)) {
        assert_eq!(ask(&commands, kind, |_| (), |_| Ok(())), Err(CommandError::Refused), "{kind}");
    }
    // A CXU without state has no states to create or save.
    assert_eq!(begin(&commands, PLAIN_AT, 0), Err(CommandError::Refused));
    assert_eq!(image(&commands, PLAIN_AT, 0), Err(CommandError::Refused));
    assert_eq!(sum(&commands, PLAIN_AT, state, 5), Ok((0, 5)));
    // CSRs and operations that do not exist.
    let access = |cxu: u32, address: u32, op: u32| {
        let put = move |to: &mut Writer<'_>| {
            to.put_u64(u64::from(cxu) | u64::from(address) << 32);
            to.put_u64(state);
            to.put_u32(op);
            to.put_u64(5);
        };
        ask(&commands, record::CSR, put, |from| Ok((from.get_u32()?, from.get_u64()?)))
    };
    assert_eq!(access(SUM_AT, 0x800, 1), Ok((0, 78)));
    let none = Ok((Response::Func.code(), 0));
    assert_eq!([access(SUM_AT, 0x801, 1), access(SUM_AT, 0x800, 4), access(PLAIN_AT, 0x800, 1)], [none; 3]);
    assert_eq!(image(&commands, SUM_AT, state), Ok([7, 5]));
    drop((commands, connection));
    serves.join().unwrap();
}

#[test]
fn init_beyond_memory_limit_is_refused() {
    let (connection, serves) = guest(&worker(1000));
    let commands = CommandChannel::new(connection.open().unwrap());
    let mut states = Vec::new();
    while let Ok(state) = begin(&commands, SUM_AT, 0) {
        states.push(state);
    }
    assert_eq!(states.len(), 1000 / (128 + size_of::<Counted>()));
    for _ in 0..100 {
        end(&commands, &[states.pop().unwrap()]);
        states.push(begin(&commands, SUM_AT, 0).unwrap());
        assert_eq!(begin(&commands, SUM_AT, 0), Err(CommandError::Refused));
    }
    drop((commands, connection));
    serves.join().unwrap();
}

#[test]
fn live_states_overwritten_or_unmapped_records_end() {
    let mut live = LiveStates::default();
    // SAFETY: the kernel chooses the address of the new mapping.
    let pages = unsafe {
        let (rights, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        libc::mmap(std::ptr::null_mut(), 8192, rights, flags, -1, 0)
    };
    let at = pages.expose_provenance();
    let put = |live: &mut LiveStates, address: usize, state: u64| {
        let record = Record { state, address, guest: 1, forks: 0 };
        // SAFETY: all addresses are within the two pages.
        unsafe { std::ptr::with_exposed_provenance_mut::<Record>(address).write(record) };
        live.add(record);
    };
    assert_eq!(live.begin(at), (None, vec![]));
    put(&mut live, at, 1);
    assert_eq!(live.begin(at + SIZE), (None, vec![]));
    put(&mut live, at + SIZE, 2);
    // A state at the same address, and one that overlaps two others.
    assert_eq!(live.begin(at), (Some(1), vec![]));
    put(&mut live, at, 3);
    assert_eq!(live.begin(at + 8), (None, vec![3, 2]));
    put(&mut live, at + 8, 4);
    put(&mut live, at + 4096, 5);
    put(&mut live, at + 4096 + SIZE, 6);
    assert!(live.remove_ended().is_empty());
    // SAFETY: the pages belong to this test, which clears one record and then unmaps the second page.
    unsafe {
        std::ptr::with_exposed_provenance_mut::<u64>(at + 8).write(0);
        assert_eq!(live.remove_ended(), [4]);
        assert_eq!(libc::munmap(pages.byte_add(4096), 4096), 0);
        assert_eq!(live.remove_ended(), [5, 6]);
        assert_eq!(libc::munmap(pages, 4096), 0);
    }
    assert!(live.remove_ended().is_empty());
}

#[test]
fn reach_parses_private_and_unix() {
    let private = |file: &str, words: &[&str]| Reach::Private(file.into(), words.iter().map(Into::into).collect());
    for (text, reach) in [
        ("unix:/a b/c", Reach::Unix("/a b/c".into())),
        ("private:/a", private("/a", &[])),
        ("private: ./a  --load x.so", private("./a", &["--load", "x.so"])),
    ] {
        assert_eq!(text.parse(), Ok(reach));
    }
    for text in ["", "unix:", "private:", "private: ", "/a", "tcp:1"] {
        assert_eq!(text.parse::<Reach>(), Err(Error::Reach(text.to_owned())));
    }
}

/// Starts a worker that runs `says` on each channel, for a number of guests.
fn faulty_worker(
    name: &str,
    guests: usize,
    says: impl Fn(&mut Channel) -> bool + Send + 'static,
) -> (Reach, JoinHandle<()>) {
    let folder: PathBuf = std::env::temp_dir().join(format!("lapis-cx-{}-{name}", std::process::id()));
    let path = folder.join("socket");
    let listener = Listener::bind(&path).unwrap();
    let reach = Reach::Unix(path);
    let thread = spawn(move || {
        for _ in 0..guests {
            let socket = listener.accept().unwrap();
            let made = Connection::worker(socket, &wire::library(), RINGS, Spin::Never, |_| Ok(())).unwrap();
            while let Ok(mut channel) = made.accept() {
                while says(&mut channel) {}
            }
        }
        drop(listener);
        std::fs::remove_dir(folder).unwrap();
    });
    (reach, thread)
}

fn listed() -> Listed {
    let name = CString::new("faulty").unwrap();
    let (uuid, contract) = (Uuid { high: 9, low: 9 }, [9; 32]);
    let sharing = Sharing::Exclusive as u32;
    Listed { uuid, contract, xlen: 64, sharing, flags: 0, state_words: 2, name, has_csrs: true, has_flex: true }
}

#[test]
fn list_with_invalid_entries_is_rejected() {
    let defects: [fn(&mut Listed); 5] = [
        |one| one.xlen = 65,
        |one| one.sharing = 0,
        |one| one.sharing = 99,
        |one| one.flags = 4,
        |one| one.state_words = 0,
    ];
    let (reach, thread) = faulty_worker("lists", 3, move |channel| {
        let Ok(from) = channel.receiver.next() else { return false };
        drop(from);
        let mut to = channel.sender.record(reply::DONE);
        to.put_u32(5);
        for defect in defects {
            let mut one = listed();
            defect(&mut one);
            one.put(&mut to);
        }
        to.commit(Wake::Now).is_ok()
    });
    let remote = Remote::connect(&reach).unwrap();
    for index in 0..5 {
        assert!(matches!(remote.descriptor(index), Err(Error::Answer(_))), "{index}");
    }
    assert!(matches!(remote.descriptor(5), Err(Error::Absent(..))));
    drop(remote);
    // The other two guests only connect and end.
    for _ in 0..2 {
        drop(Remote::connect(&reach).unwrap());
    }
    thread.join().unwrap();
    let faults: [fn(&mut Writer<'_>); 4] = [
        |to| to.put_u32(u32::MAX),
        |to| to.put_u32(1),
        |to| {
            to.put_u32(1);
            to.put(&[255; 200]);
        },
        |to| {
            to.put_u32(0);
            to.put_u8(0);
        },
    ];
    for (n, fault) in faults.into_iter().enumerate() {
        let (reach, thread) = faulty_worker(&format!("faults{n}"), 1, move |channel| {
            if channel.receiver.next().is_err() {
                return false;
            }
            let mut to = channel.sender.record(reply::DONE);
            fault(&mut to);
            to.commit(Wake::Now).is_ok()
        });
        assert!(matches!(Remote::connect(&reach), Err(Error::Answer(_))), "{n}");
        thread.join().unwrap();
    }
}

#[test]
fn reply_of_wrong_length_ends_connection() {
    // The worker lists one CXU, creates states, and then replies to a command with too many bytes.
    let (reach, thread) = faulty_worker("answers", 1, |channel| {
        let Ok(from) = channel.receiver.next() else { return false };
        let kind = from.kind();
        drop(from);
        let mut to = channel.sender.record(reply::DONE);
        match kind {
            record::LIST => {
                to.put_u32(1);
                listed().put(&mut to);
            }
            record::INIT => to.put_u64(5),
            _ => to.put(&[3; 40]),
        }
        to.commit(Wake::Now).is_ok()
    });
    let remote = Remote::connect(&reach).unwrap();
    assert_eq!(
        remote.find(Uuid { high: 9, low: 9 }, 32, None).err(),
        Some(Error::Absent(Uuid { high: 9, low: 9 }, 32))
    );
    let cxu = remote.find(Uuid { high: 9, low: 9 }, 64, Some(&[9; 32])).unwrap();
    let (init, issue, save) = (cxu.init.unwrap(), cxu.issue.unwrap(), cxu.save.unwrap());
    let mut state = [0u64; SIZE / 8];
    let (mut rd, mut words) = (1, [7u64; 3]);
    // SAFETY: `state` has the size and alignment of the descriptor.
    unsafe {
        let state: *mut c_void = (&raw mut state).cast();
        init(state);
        assert_eq!(issue(state, 0, 1, 2, &raw mut rd), Response::Cxu.code());
        assert_eq!(rd, 0);
        assert_eq!(issue(state, 0, 1, 2, &raw mut rd), Response::Cxu.code());
        save(state, (&raw mut words).cast());
    }
    assert_eq!(words, [0; 3]);
    thread.join().unwrap();
}
