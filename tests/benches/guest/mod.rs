//! The guest library of `tests/calls`, as benchmarks call it: printed, compiled and loaded.

use std::ffi::{CStr, CString, c_int, c_void};
use std::hint::black_box;
use std::path::Path;

use lapis_cx_tests::remoted;

macro_rules! functions {
    ($($name:ident $symbol:literal: $type:ty),* $(,)?) => {
        /// The functions of the guest library.
        #[derive(Clone, Copy)]
        pub struct Calls {
            $(pub $name: $type,)*
        }

        impl Calls {
            pub fn load(library: &Path) -> Calls {
                let path = CString::new(library.to_str().unwrap()).unwrap();
                // SAFETY: a library that is loaded for good.
                let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
                assert!(!library.is_null(), "{path:?}");
                let symbol = |name: &CStr| {
                    // SAFETY: the library is loaded.
                    let at = unsafe { libc::dlsym(library, name.as_ptr()) };
                    assert!(!at.is_null(), "{name:?}");
                    at
                };
                Calls {
                    // SAFETY: the functions have these types in calls.h.
                    $($name: unsafe { std::mem::transmute::<*mut c_void, $type>(symbol($symbol)) },)*
                }
            }
        }
    };
}

functions! {
    number c"calls_number": extern "C" fn(u64) -> u64,
    note c"calls_note": extern "C" fn(u64, u64),
    note_in_order c"calls_note_in_order": extern "C" fn(u64, u64),
    noted c"calls_noted": extern "C" fn() -> u64,
    take c"calls_take": unsafe extern "C" fn(*const u8, usize) -> c_int,
    work c"calls_work": extern "C" fn(u64) -> u64,
    page c"calls_page": unsafe extern "C" fn(*const u8, *mut u8, usize) -> c_int,
    open c"calls_open": extern "C" fn() -> *mut c_void,
    close c"calls_close": unsafe extern "C" fn(*mut c_void),
    box_take c"calls_box_take": unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int,
}

impl Calls {
    pub fn take(self, bytes: &[u8]) {
        // SAFETY: the function reads so many bytes.
        assert!(unsafe { (self.take)(bytes.as_ptr(), bytes.len()) } >= 0);
    }

    pub fn page(self, from: &[u8], to: &mut [u8]) {
        // SAFETY: the function reads and writes so many bytes.
        assert_eq!(unsafe { (self.page)(from.as_ptr(), to.as_mut_ptr(), from.len().min(to.len())) }, 0);
    }

    /// A million calls that nobody waits for, and one that waits for them.
    pub fn notes(self, note: extern "C" fn(u64, u64)) {
        (0..NOTES).for_each(|n| note(n, 1));
        black_box((self.noted)());
    }
}

/// So many calls are [`Calls::notes`].
pub const NOTES: u64 = 1_000_000;

/// Makes both sides, and a first call: the worker runs then, wherever it likes. The folder is there as long as the library is used.
pub fn start() -> (remoted::Library, Calls) {
    let library = remoted::Library::make("calls", "calls", "-O2", &[]);
    // SAFETY: no other thread runs yet.
    unsafe { std::env::set_var("CX_REMOTE_LIBRARY", &library.real) };
    let calls = Calls::load(&library.remoting.join("libcalls.so.1"));
    (calls.number)(0);
    (library, calls)
}
