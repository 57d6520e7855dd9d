//! The C ABI, declared in `cx_remote.h`.

mod shadow;

use std::any::Any;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use lapis_cx_plan::Hook as Event;

use crate::call::Thunk;
use crate::call::forks::{self, AtFork};
use crate::call::guest::{Guest, GuestObserver, Invoke};
use crate::call::links;
use crate::call::start::{self, Reach};
use crate::call::worker::Worker;
use crate::call::{Described, Enter, Hook, RawDescription};
use crate::call::{errno, loaded_files, log, refusals, settings};
use crate::locks::{Mutex, guard, try_lock};
use crate::marshal::eval::Native;
use crate::shadow::Shadow;
use crate::transport::without_signals;

/// `CXR_ABI`.
const ABI: u32 = 1;
/// `CXR_MISSING_ABORTS`.
const MISSING_ABORTS: c_int = 0;

type Function = Option<unsafe extern "C" fn()>;

/// `struct cxr_library`.
#[repr(C)]
pub struct Library {
    abi: u32,
    function_count: u32,
    callback_count: u32,
    name: *const c_char,
    version: *const c_char,
    soname: *const c_char,
    contract: [u8; 32],
    words: *const u32,
    word_count: usize,
    texts: *const *const c_char,
    text_count: usize,
    natives: *const Option<Native>,
    native_count: usize,
    hooks: *const Option<Hook>,
}

/// `struct cxr_guest`.
#[repr(C)]
pub struct CGuest {
    library: *const Library,
    callbacks: *const Option<Invoke>,
    functions: *const Function,
    worker: *const c_char,
    state: *mut c_void,
}

/// `struct cxr_worker`.
#[repr(C)]
pub struct CWorker {
    library: *const Library,
    thunks: *const Option<Thunk>,
    symbols: *const *const c_char,
    reals: *mut Function,
    trampolines: *const *const Function,
    trampoline_counts: *const u32,
    enter: Option<Enter>,
}

/// Returns the `count` elements at `first` as a slice. It is empty if the pointer is null.
///
/// # Safety
///
/// If `first` is not null, it must point to `count` valid elements.
unsafe fn all<'a, T>(first: *const T, count: usize) -> &'a [T] {
    if first.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: the caller upholds the contract of this function.
    unsafe { std::slice::from_raw_parts(first, count) }
}

/// Returns a C string, which is empty for null.
///
/// # Safety
///
/// `from` must be null or a NUL-terminated string, which stays valid and unchanged for `'a`.
unsafe fn c_text<'a>(from: *const c_char) -> &'a CStr {
    // SAFETY: the caller upholds the contract of this function.
    if from.is_null() { c"" } else { unsafe { CStr::from_ptr(from) } }
}

/// Copies a C string. Returns an empty string for null.
///
/// # Safety
///
/// `from` must be null or a NUL-terminated string.
unsafe fn text(from: *const c_char) -> String {
    // SAFETY: the caller upholds the contract of this function.
    unsafe { c_text(from) }.to_string_lossy().into_owned()
}

impl Library {
    /// Reads the description of the library.
    ///
    /// # Safety
    ///
    /// The struct must be filled as `cx_remote.h` states.
    unsafe fn describe(&self) -> Result<Described, String> {
        // SAFETY: all versions of the struct have these members.
        let (name, soname) = unsafe { (text(self.name), text(self.soname)) };
        if self.abi != ABI {
            return Err(format!("{name} was made for version {} of cx_remote.h, and this is {ABI}", self.abi));
        }
        // SAFETY: the caller upholds the contract of this function.
        let (words, texts, natives) = unsafe {
            let texts = all(self.texts, self.text_count).iter().map(|one| c_text(*one).to_owned()).collect();
            (all(self.words, self.word_count), texts, all(self.natives, self.native_count).to_vec())
        };
        // SAFETY: the caller upholds the contract of this function; `hooks` has `CXR_HOOKS` elements.
        let hooks = unsafe { all(self.hooks, Event::COUNT) }.to_vec();
        let counts = (self.function_count as usize, self.callback_count as usize);
        Described::new(RawDescription { name, soname, contract: self.contract, words, texts, natives, hooks, counts })
    }

    fn functions(&self) -> usize {
        self.function_count as usize
    }
}

/// The guests, by the address of their C struct. They are never freed, because a thread may be in a call at any time.
static GUESTS: OnceLock<Mutex<HashMap<usize, Arc<Guest>>>> = OnceLock::new();

/// Keeps other threads from creating guests during a fork.
struct Creation;

impl AtFork for Creation {
    fn hold(self: Arc<Creation>) -> Option<Box<dyn Any>> {
        try_lock(GUESTS.get_or_init(Mutex::default)).map(|guard| Box::new(guard) as Box<dyn Any>)
    }
}

/// Creates the guest of a C struct, or returns the existing one.
///
/// # Safety
///
/// `guest` must be filled as `cx_remote.h` states.
unsafe fn open(guest: *mut CGuest) -> Option<Arc<Guest>> {
    let mut all_guests = guard(GUESTS.get_or_init(Mutex::default));
    if let Some(known) = all_guests.get(&guest.addr()) {
        return Some(Arc::clone(known));
    }
    // SAFETY: the caller upholds the contract of this function.
    let made = unsafe {
        let CGuest { library, callbacks, functions, worker, .. } = &*guest;
        let library = &**library;
        library.describe().map(|described| {
            let invokes = all(*callbacks, library.callback_count as usize).to_vec();
            let stubs = all(*functions, library.functions());
            let plan = described.plan;
            let names = plan.functions.iter().map(|function| plan.text(function.name).to_owned());
            let address = |stub: &Function| stub.map_or(0, |stub| stub as usize);
            let stubs = names.zip(stubs).map(|(name, stub)| (name.into_bytes(), address(stub))).collect();
            described.at(Event::GuestInitBefore);
            let reach = Reach::of_environment(loaded_files::file_of(guest.expose_provenance()), &text(*worker));
            let (reach, native) = match settings::is_shadow().then(|| shadow::load(&reach, described.contract)) {
                Some(Ok(native)) => (reach, Some(native)),
                Some(Err(why)) => (Reach::None(why), None),
                None => (reach, None),
            };
            let shadow = native.map(|(native, worker)| (Arc::new(Shadow::new(native)), worker));
            let observer = shadow.as_ref().map(|(shadow, _)| Arc::clone(shadow) as Arc<dyn GuestObserver>);
            let guest = Guest::new(described, invokes, stubs, reach, observer, settings::limits());
            if let Some((shadow, worker)) = shadow {
                shadow::belongs(worker, &guest, shadow);
            }
            guest.described.at(Event::GuestInitAfter);
            guest
        })
    };
    match made {
        Ok(made) => {
            all_guests.insert(guest.addr(), Arc::clone(&made));
            // SAFETY: the caller upholds the contract of this function; `GUESTS` keeps the guest alive.
            unsafe { (*guest).state = Arc::as_ptr(&made).cast_mut().cast() };
            Some(made)
        }
        Err(why) => {
            log::say(&why);
            None
        }
    }
}

/// Makes a call. `cx_remote.h` documents it.
///
/// # Safety
///
/// The caller must fulfil the contract in `cx_remote.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn cxr_call(guest: *mut CGuest, function: u32, arguments: *mut c_void) {
    // SAFETY: the caller upholds the contract of this function. The pointer is null or set by `open`.
    unsafe {
        let state: *mut *mut c_void = &raw mut (*guest).state;
        let known = std::sync::atomic::AtomicPtr::from_ptr(state).load(std::sync::atomic::Ordering::Acquire);
        if known.is_null() {
            return call_first(guest, function, arguments);
        }
        // `GUESTS` keeps the guest alive.
        if !(*known.cast::<Guest>()).send_one_way(function, arguments.expose_provenance()) {
            ask(known, function, arguments);
        }
    }
}

/// Makes a call that is not one-way.
///
/// # Safety
///
/// Same contract as [`cxr_call`]; `known` must be a guest in `GUESTS`.
#[inline(never)]
unsafe extern "C-unwind" fn ask(guest: *mut c_void, function: u32, arguments: *mut c_void) {
    // SAFETY: the caller upholds the contract of this function.
    unsafe {
        let guest = std::mem::ManuallyDrop::new(Arc::from_raw(guest.cast::<Guest>()));
        if guest.ask(function, arguments.expose_provenance()).is_err() {
            not_made(&guest, function);
        }
    }
}

/// Makes the first call of a guest, and creates the guest.
///
/// # Safety
///
/// Same contract as [`cxr_call`].
#[cold]
#[inline(never)]
unsafe fn call_first(guest: *mut CGuest, function: u32, arguments: *mut c_void) {
    let errno = errno::get();
    // A signal handler that makes a call would wait for the lock that this thread has.
    // SAFETY: the caller upholds the contract of this function.
    let opened = without_signals(|| unsafe { open(guest) });
    errno::set(errno);
    if let Some(guest) = opened {
        // SAFETY: the caller upholds the contract of this function.
        if unsafe { guest.call(function, arguments.expose_provenance()) }.is_err() {
            not_made(&guest, function);
        }
    }
}

/// Notifies the program's hook of a call that was not made. A stub cannot return an error, so its caller gets the failure result.
#[cold]
fn not_made(guest: &Guest, function: u32) {
    let call = guest.described.plan.call(function);
    let name = call.map_or("?", |call| guest.described.plan.text(call.name));
    let errno = errno::get();
    refusals::not_made(&guest.described, name);
    errno::set(errno);
}

/// Handles a call of an undescribed function. `cx_remote.h` documents it.
///
/// # Safety
///
/// The caller must fulfil the contract in `cx_remote.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cxr_missing(guest: *mut CGuest, function: *const c_char, mode: c_int) {
    static LOGGED: Mutex<Vec<String>> = Mutex::new(Vec::new());
    // SAFETY: the caller fulfils the contract in `cx_remote.h`: the structs are filled, and `function` is a string.
    let (function, library, specification) =
        unsafe { (text(function), text((*(*guest).library).soname), text((*(*guest).library).name)) };
    let is_aborted = mode == MISSING_ABORTS;
    let mut logged = guard(&LOGGED);
    if logged.contains(&function) && !is_aborted {
        return;
    }
    let then = if is_aborted {
        "the program is aborted. Add the function to the specification, or build the guest library with `--option \
         remoting.missing=zero` to return 0"
    } else {
        "it returns 0"
    };
    log::say(&format!(
        "{library}: the program called `{function}`, which the specification {specification} does not describe: {then}"
    ));
    logged.push(function);
}

/// Records the file of a guest library when it is loaded. `cx_remote.h` documents it.
///
/// # Safety
///
/// The caller must fulfil the contract in `cx_remote.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cxr_loaded(guest: *mut CGuest) {
    loaded_files::loaded(guest.expose_provenance());
    links::watch_main_thread();
    // It is never freed, as the program may fork at any time.
    let creation: Arc<dyn AtFork> = Arc::new(Creation);
    forks::watch(Arc::downgrade(&creation));
    std::mem::forget(creation);
}

/// Forwards a callback to the guest. `cx_remote.h` documents it.
///
/// # Safety
///
/// The caller must fulfil the contract in `cx_remote.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cxr_callback(worker: *mut CWorker, callback: u32, slot: u32, arguments: *mut c_void) -> c_int {
    let workers = guard(WORKERS.get_or_init(Mutex::default));
    let found = workers.get(&worker.addr()).cloned();
    drop(workers);
    if let Some(worker) = found {
        // SAFETY: the caller upholds the contract of this function.
        let _ = unsafe { worker.callback(callback, slot, arguments.expose_provenance()) };
    }
    c_int::from(Worker::has_left())
}

#[unsafe(no_mangle)]
pub extern "C" fn cxr_is_worker() -> c_int {
    c_int::from(std::env::var_os(start::IS_WORKER).is_some())
}

static WORKERS: OnceLock<Mutex<HashMap<usize, Arc<Worker>>>> = OnceLock::new();

/// Loads a file with its dependencies.
///
/// # Safety
///
/// The file's initialisers must be safe to run now.
unsafe fn open_file(file: &Path, how: c_int) -> Result<*mut c_void, String> {
    let name = CString::new(file.as_os_str().as_encoded_bytes()).map_err(|why| why.to_string())?;
    // SAFETY: the caller upholds the contract of this function.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | how) };
    // SAFETY: `dlerror` returns a NUL-terminated string or null.
    if handle.is_null() { Err(unsafe { text(libc::dlerror()) }) } else { Ok(handle) }
}

/// Loads the real library into a worker. It finds its own functions before those of libc with the same name, as in a program that is linked with it.
///
/// # Safety
///
/// The file's initialisers must be safe to run now.
unsafe fn open_real(file: &Path) -> Result<*mut c_void, String> {
    // Preloaded libraries and sanitizers replace functions of libc for the whole process.
    let has_preloaded = std::env::var_os("LD_PRELOAD").is_some_and(|all| !all.is_empty());
    // SAFETY: the name is NUL-terminated.
    let sanitizer = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__sanitizer_set_death_callback".as_ptr()) };
    if has_preloaded || !sanitizer.is_null() {
        // SAFETY: the caller upholds the contract of this function.
        return unsafe { open_file(file, libc::RTLD_GLOBAL) };
    }
    // SAFETY: the caller upholds the contract of this function. The handles are valid.
    unsafe {
        let handle = open_file(file, libc::RTLD_GLOBAL | libc::RTLD_DEEPBIND)?;
        let (allocator, of_worker) =
            (libc::dlsym(handle, c"malloc".as_ptr()), libc::dlsym(libc::RTLD_DEFAULT, c"malloc".as_ptr()));
        if allocator.is_null() || allocator == of_worker {
            return Ok(handle);
        }
    }
    let file = file.display();
    Err(format!(
        "{file} has another `malloc` than the worker, which exchanges blocks with it: set LD_PRELOAD to the library of that `malloc`"
    ))
}

/// The thunks, by function; the addresses, by function; the trampolines, by callback.
type Functions = (Vec<Option<Thunk>>, Vec<usize>, Vec<Vec<usize>>);

/// Finds the functions of the real library.
///
/// # Safety
///
/// `worker` must be filled as `cx_remote.h` states, and no other thread may use it yet. `handle` must be that of the library.
unsafe fn functions_of(worker: &CWorker, handle: *mut c_void) -> Functions {
    // SAFETY: the caller upholds the contract of this function.
    unsafe {
        let CWorker { library, thunks, symbols, reals, trampolines, trampoline_counts, .. } = worker;
        let (functions, callbacks) = ((**library).functions(), (**library).callback_count as usize);
        let thunks =
            all(*thunks, functions).iter().zip(all(*symbols, functions)).enumerate().map(|(n, (thunk, symbol))| {
                if symbol.is_null() {
                    return (None, 0);
                }
                let found = libc::dlsym(handle, *symbol);
                let function = std::mem::transmute::<*mut c_void, Function>(found);
                reals.add(n).write(function);
                (function.and(*thunk), found.expose_provenance())
            });
        let (thunks, found) = thunks.unzip();
        let trampolines = all(*trampolines, callbacks).iter().zip(all(*trampoline_counts, callbacks));
        let trampolines = trampolines.map(|(list, count)| {
            all(*list, *count as usize).iter().map(|one| one.map_or(0, |one| one as usize)).collect()
        });
        (thunks, found, trampolines.collect())
    }
}

/// Creates a worker from its C struct, and loads the real library.
///
/// # Safety
///
/// `worker` must be filled as `cx_remote.h` states, and no other thread may use it yet.
unsafe fn load(worker: *mut CWorker) -> Result<Arc<Worker>, String> {
    // SAFETY: the caller upholds the contract of this function.
    unsafe {
        let worker = &*worker;
        let described = (*worker.library).describe()?;
        described.at(Event::WorkerInitBefore);
        let file = std::env::var_os("CX_REMOTE_LIBRARY").unwrap_or_else(|| described.soname.clone().into());
        let explained = |why| {
            format!("the worker does not get the real library: {why}; CX_REMOTE_LIBRARY says in which file it is")
        };
        let handle = open_real(Path::new(&file)).map_err(explained)?;
        let (thunks, reals, trampolines) = functions_of(worker, handle);
        Ok(Worker::new(described, (thunks, worker.enter, reals), trampolines, settings::limits()))
    }
}

/// Runs a worker. `cx_remote.h` documents it.
///
/// # Safety
///
/// The caller must fulfil the contract in `cx_remote.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cxr_worker_main(worker: *mut CWorker, argc: c_int, argv: *mut *mut c_char) -> c_int {
    // SAFETY: the caller upholds the contract of this function.
    let arguments: Vec<String> =
        unsafe { all(argv, usize::try_from(argc).unwrap_or(0)).iter().map(|one| text(*one)).collect() };
    start::leave_guest_library(&arguments);
    // SAFETY: no other thread is running that could read the environment.
    unsafe { std::env::set_var(start::IS_WORKER, "1") };
    // SAFETY: the caller upholds the contract of this function.
    let made = match unsafe { load(worker) } {
        Ok(made) => made,
        Err(why) => {
            log::say(&why);
            return 1;
        }
    };
    let workers = WORKERS.get_or_init(Mutex::default);
    guard(workers).insert(worker.addr(), Arc::clone(&made));
    made.described.at(Event::WorkerInitAfter);
    let arguments = arguments.get(1..).unwrap_or_default();
    let served = made.run(settings::most(arguments.is_empty()), arguments);
    made.described.at(Event::WorkerFiniBefore);
    made.described.at(Event::WorkerFiniAfter);
    match served {
        Ok(()) => 0,
        Err(why) => {
            log::say(&why);
            1
        }
    }
}
