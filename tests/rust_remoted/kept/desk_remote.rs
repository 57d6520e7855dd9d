// desk_remote.rs
// Generated from org.example.desk:Desk by cxc; do not edit.
//
// A typed client, and a trait for a service.
//
// Left out, as Rust cannot do it:
//   odd: text of C around the call (`before`, `after`)

::lapis_cx_remote::check_remote_abi!("remoting/desk_remote.rs", 1, "0.1.0");

#[allow(unused_imports)]
pub use remote::*;

#[allow(dead_code, unused_imports, clippy::all)]
mod remote {
    use core::ffi::{CStr, c_void};
    use core::mem::{offset_of, size_of};
    use core::option::Option::{self, None, Some};
    use core::result::Result::{self, Ok};
    use lapis_cx_remote::abi1 as cxr;
    pub use lapis_cx_remote::abi1::{Error, Failed, Reach};

    /// A colour.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(transparent)]
    pub struct Colour(pub u32);

    impl Colour {
        /// `red`
        pub const RED: Colour = Colour(1);
        /// `green`
        pub const GREEN: Colour = Colour(2);
    }

    /// A counter.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(transparent)]
    pub struct Counter(pub usize);

    impl Counter {
        /// No object.
        pub const NULL: Counter = Counter(0);

        /// Whether it is no object.
        pub const fn is_null(self) -> bool {
            self.0 == 0
        }
    }

    /// A place.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(C)]
    pub struct Point {
        /// `x`
        pub x: i32,
        /// `y`
        pub y: i32,
    }

    /// Two places.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(C)]
    pub struct Field {
        /// `low`
        pub low: Point,
        /// `high`
        pub high: Point,
        /// `tag`
        pub tag: u8,
    }

    /// A row of cells.
    #[derive(Clone, Copy, Debug)]
    #[repr(C)]
    pub struct Row {
        /// `n`
        pub n: u32,
        /// `cells`
        pub cells: *const i32,
    }

    /// A function of the program, of the type `Visit`.
    #[derive(Clone, Copy, Debug)]
    pub struct Visit {
        slot: u32,
        user: *mut c_void,
    }

    // SAFETY: the fields are a number and a tag, which only the engine uses.
    unsafe impl Send for Visit {}

    // SAFETY: as above.
    unsafe impl Sync for Visit {}

    impl Visit {
        /// Calls it: the program runs it, and its result comes back.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn call(&self, value: i32) -> Result<i32, Failed<i32>> {
            let mut call = CallbackVisit::new();
            call.a0 = value;
            call.a1 = self.user;
            let checked = Ok(());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                WORKER.callback(checked, 0, self.slot, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }
    }

    // A C function that calls a function of the program.
    unsafe extern "C" fn trampoline_0<const SLOT: u32>(
        a0: i32,
        a1: *mut ::core::ffi::c_void,
    ) -> i32
    {
        let mut call = CallbackVisit::new();
        call.a0 = a0;
        call.a1 = a1;
        // SAFETY: the arguments are those of this callback; the caller guarantees their memory.
        let _ = unsafe {
            WORKER.callback(Ok(()), 0, SLOT, &mut call)
        };
        call.result
    }

    fn slots_0() -> [cxr::Trampoline; 17] {
        [
            trampoline_0::<0> as *const (),
            trampoline_0::<1> as *const (),
            trampoline_0::<2> as *const (),
            trampoline_0::<3> as *const (),
            trampoline_0::<4> as *const (),
            trampoline_0::<5> as *const (),
            trampoline_0::<6> as *const (),
            trampoline_0::<7> as *const (),
            trampoline_0::<8> as *const (),
            trampoline_0::<9> as *const (),
            trampoline_0::<10> as *const (),
            trampoline_0::<11> as *const (),
            trampoline_0::<12> as *const (),
            trampoline_0::<13> as *const (),
            trampoline_0::<14> as *const (),
            trampoline_0::<15> as *const (),
            trampoline_0::<16> as *const (),
        ]
    }

    unsafe extern "C-unwind" fn invoke_0(function: *mut c_void, arguments: *mut c_void) {
        cxr::guarded(|| {
            // SAFETY: the engine passes the argument struct of this callback.
            let call = unsafe {
                &mut *arguments.cast::<CallbackVisit>()
            };
            if cxr::is_closure(function) {
                return cxr::with_closure(function, 0, |closure| {
                    // SAFETY: the closure is registered for this callback, and is not running.
                    let closure = unsafe {
                        &mut *closure.cast::<&mut dyn FnMut(i32) -> i32>()
                    };
                    call.result = closure(call.a0);
                    Some(())
                });
            }
            // SAFETY: the program passed a function of this type and guarantees that it can be called.
            let function = unsafe {
                core::mem::transmute::<*mut c_void, ::core::option::Option<unsafe extern "C" fn(i32, *mut ::core::ffi::c_void) -> i32>>(
                    function,
                )
            }?;
            // SAFETY: as above.
            call.result = unsafe {
                function(call.a0, call.a1)
            };
            Some(())
        });
    }

    /// A function of the program, of the type `Compare`.
    #[derive(Clone, Copy, Debug)]
    pub struct Compare {
        slot: u32,
        user: *mut c_void,
    }

    // SAFETY: the fields are a number and a tag, which only the engine uses.
    unsafe impl Send for Compare {}

    // SAFETY: as above.
    unsafe impl Sync for Compare {}

    impl Compare {
        /// Calls it: the program runs it, and its result comes back.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn call(&self, a: &i32, b: &i32) -> Result<i32, Failed<i32>> {
            let mut call = CallbackCompare::new();
            let checked = Ok(());
            call.a0 = cxr::expose(core::ptr::from_ref(a));
            call.a1 = cxr::expose(core::ptr::from_ref(b));
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                WORKER.callback(checked, 1, self.slot, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }
    }

    // A C function that calls a function of the program.
    unsafe extern "C" fn trampoline_1<const SLOT: u32>(
        a0: *mut ::core::ffi::c_void,
        a1: *mut ::core::ffi::c_void,
    ) -> i32
    {
        let mut call = CallbackCompare::new();
        call.a0 = a0;
        call.a1 = a1;
        // SAFETY: the arguments are those of this callback; the caller guarantees their memory.
        let _ = unsafe {
            WORKER.callback(Ok(()), 1, SLOT, &mut call)
        };
        call.result
    }

    fn slots_1() -> [cxr::Trampoline; 2] {
        [
            trampoline_1::<0> as *const (),
            trampoline_1::<1> as *const (),
        ]
    }

    unsafe extern "C-unwind" fn invoke_1(function: *mut c_void, arguments: *mut c_void) {
        cxr::guarded(|| {
            // SAFETY: the engine passes the argument struct of this callback.
            let call = unsafe {
                &mut *arguments.cast::<CallbackCompare>()
            };
            if cxr::is_closure(function) {
                return cxr::with_closure(function, 1, |closure| {
                    // SAFETY: the engine passes this number of elements, valid during this call.
                    let a = unsafe {
                        cxr::slice::<i32>(call.a0, Some(1))
                    }?.first()?;
                    // SAFETY: the engine passes this number of elements, valid during this call.
                    let b = unsafe {
                        cxr::slice::<i32>(call.a1, Some(1))
                    }?.first()?;
                    // SAFETY: the closure is registered for this callback, and is not running.
                    let closure = unsafe {
                        &mut *closure.cast::<&mut dyn FnMut(&i32, &i32) -> i32>()
                    };
                    call.result = closure(a, b);
                    Some(())
                });
            }
            // SAFETY: the program passed a function of this type and guarantees that it can be called.
            let function = unsafe {
                core::mem::transmute::<*mut c_void, ::core::option::Option<unsafe extern "C" fn(*mut ::core::ffi::c_void, *mut ::core::ffi::c_void) -> i32>>(
                    function,
                )
            }?;
            // SAFETY: as above.
            call.result = unsafe {
                function(call.a0, call.a1)
            };
            Some(())
        });
    }

    /// What a service in Rust and a library in C can both do.
    #[derive(Debug)]
    pub struct Client(cxr::Client);

    impl Client {
        /// Connects to a worker.
        ///
        /// # Errors
        ///
        /// There is none, or it was made from another specification.
        pub fn new(reach: &Reach) -> Result<Client, Error> {
            cxr::Client::new(&LIBRARY, &[invoke_0, invoke_1], "desk_worker", reach).map(Client)
        }

        /// Calls `mixed`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn mixed(
            &self,
            small: i8,
            wide: u64,
            flag: bool,
            real: f64,
            colour: Colour,
        ) -> Result<f64, Failed<f64>> {
            let mut call = CallMixed::new();
            call.a0 = small;
            call.a1 = wide;
            call.a2 = u8::from(flag);
            call.a3 = real;
            call.a4 = colour.0;
            let checked = Ok(());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 0, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `corner`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn corner(&self, field: Field) -> Result<Point, Failed<Point>> {
            let mut call = CallCorner::new();
            call.a0 = field;
            let checked = Ok(());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 1, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `open`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn open(&self, start: i32) -> Result<Counter, Failed<Counter>> {
            let mut call = CallOpen::new();
            call.a0 = start;
            let checked = Ok(());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 2, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// A sum.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn add(&self, a: i32, b: i32) -> Result<i32, Failed<i32>> {
            let mut call = CallAdd::new();
            call.a0 = a;
            call.a1 = b;
            let checked = Ok(());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 3, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `sum`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn sum(&self, values: &[i32], n: u32) -> Result<i64, Failed<i64>> {
            let mut call = CallSum::new();
            call.a1 = n;
            let checked = cxr::fits("values", values.len(), Some(n as i128));
            if checked.is_ok() {
                call.a0 = cxr::expose(values.as_ptr());
            }
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 4, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `fill`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn fill(
            &self,
            to: &mut [i32],
            rows: u32,
            columns: u32,
            first: i32,
        ) -> Result<i32, Failed<i32>> {
            let mut call = CallFill::new();
            call.a1 = rows;
            call.a2 = columns;
            call.a3 = first;
            let checked = cxr::fits(
                "to",
                to.len(),
                (|| Some((rows as i128).checked_mul(columns as i128)?))(),
            );
            if checked.is_ok() {
                call.a0 = cxr::expose(to.as_mut_ptr());
            }
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 5, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `scale`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn scale(&self, values: &mut [f64], n: usize, by: f64) -> Result<i32, Failed<i32>> {
            let mut call = CallScale::new();
            call.a1 = n;
            call.a2 = by;
            let checked = cxr::fits("values", values.len(), Some(n as i128));
            if checked.is_ok() {
                call.a0 = cxr::expose(values.as_mut_ptr());
            }
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 6, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `copy`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn copy(
            &self,
            from: Option<&[u8]>,
            to: Option<&mut [u8]>,
            n: usize,
        ) -> Result<i32, Failed<i32>> {
            let mut call = CallCopy::new();
            call.a2 = n;
            let checked = Ok(())
                .and_then(|()| {
                    from.as_ref().map_or(Ok(()), |slice| {
                        cxr::fits("from", slice.len(), Some(n as i128))
                    })
                })
                .and_then(|()| {
                    to.as_ref().map_or(Ok(()), |slice| {
                        cxr::fits("to", slice.len(), Some(n as i128))
                    })
                });
            if checked.is_ok() {
                call.a0 = from.map_or(core::ptr::null_mut(), |value| cxr::expose(value.as_ptr()));
                call.a1 = to.map_or(core::ptr::null_mut(), |value| cxr::expose(value.as_mut_ptr()));
            }
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 7, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `greet`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn greet(&self, name: &CStr, to: &mut [u8], room: usize) -> Result<i32, Failed<i32>> {
            let mut call = CallGreet::new();
            call.a2 = room;
            let checked = cxr::fits("to", to.len(), Some(room as i128));
            if checked.is_ok() {
                call.a0 = cxr::expose(name.as_ptr());
                call.a1 = cxr::expose(to.as_mut_ptr());
            }
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 8, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `length`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn length(&self, text: Option<&CStr>) -> Result<i32, Failed<i32>> {
            let mut call = CallLength::new();
            let checked = Ok(());
            call.a0 = text.map_or(core::ptr::null_mut(), |text| cxr::expose(text.as_ptr()));
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 9, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `grow`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn grow(&self, field: &mut Field, by: i32) -> Result<i32, Failed<i32>> {
            let mut call = CallGrow::new();
            call.a1 = by;
            let checked = Ok(());
            call.a0 = cxr::expose(core::ptr::from_mut(field));
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 10, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `maybe`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn maybe(&self, to: Option<&mut i32>, from: Option<&i32>) -> Result<i32, Failed<i32>> {
            let mut call = CallMaybe::new();
            let checked = Ok(());
            call.a0 =
                to.map_or(core::ptr::null_mut(), |value| cxr::expose(core::ptr::from_mut(value)));
            call.a1 =
                from.map_or(core::ptr::null_mut(), |value| cxr::expose(core::ptr::from_ref(value)));
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 11, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `first4`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn first4(&self, values: &[i32; 4]) -> Result<i32, Failed<i32>> {
            let mut call = CallFirst4::new();
            let checked = Ok(());
            call.a0 = cxr::expose(values.as_ptr());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 12, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `count`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn count(&self, counter: Counter, by: i32) -> Result<i32, Failed<i32>> {
            let mut call = CallCount::new();
            call.a0 = counter;
            call.a1 = by;
            let checked = Ok(());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 13, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `close`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn close(&self, counter: Counter) -> Result<i32, Failed<i32>> {
            let mut call = CallClose::new();
            call.a0 = counter;
            let checked = Ok(());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 14, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `twins`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn twins(&self, made_2: &mut [Counter; 2], start: i32) -> Result<i32, Failed<i32>> {
            let mut call = CallTwins::new();
            call.a1 = start;
            let checked = Ok(());
            call.a0 = cxr::expose(made_2.as_mut_ptr());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 15, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `each`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn each(
            &self,
            values: &[i32],
            n: u32,
            visit: &mut dyn FnMut(i32) -> i32,
        ) -> Result<i32, Failed<i32>> {
            let mut call = CallEach::new();
            call.a1 = n;
            let checked = cxr::fits("values", values.len(), Some(n as i128));
            call.a0 = cxr::expose(values.as_ptr());
            let mut visit = visit;
            // SAFETY: this function does not use the closure until the call is over.
            let closure = unsafe {
                cxr::register_closure(0, (&raw mut visit).cast())
            };
            call.a2 = closure.function();
            call.a3 = call.a2;
            if checked.is_err() {
                call = CallEach::new();
                call.a1 = n;
            }
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 16, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `perhaps`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn perhaps(
            &self,
            visit: Option<&mut dyn FnMut(i32) -> i32>,
            value: i32,
        ) -> Result<i32, Failed<i32>> {
            let mut call = CallPerhaps::new();
            call.a2 = value;
            let checked = Ok(());
            let mut visit = visit;
            // SAFETY: this function does not use the closure until the call is over.
            let closure = visit.as_mut().map(|one| unsafe {
                cxr::register_closure(0, core::ptr::from_mut(one).cast())
            });
            call.a0 = closure
                .as_ref()
                .map_or(core::ptr::null_mut(), cxr::ClosureGuard::function);
            call.a1 = call.a0;
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 17, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `sort`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn sort(
            &self,
            values: &mut [i32],
            n: usize,
            compare: &mut dyn FnMut(&i32, &i32) -> i32,
        ) -> Result<i32, Failed<i32>> {
            let mut call = CallSort::new();
            call.a1 = n;
            let checked = cxr::fits("values", values.len(), Some(n as i128));
            call.a0 = cxr::expose(values.as_mut_ptr());
            let mut compare = compare;
            // SAFETY: this function does not use the closure until the call is over.
            let closure = unsafe {
                cxr::register_closure(1, (&raw mut compare).cast())
            };
            call.a2 = closure.function();
            if checked.is_err() {
                call = CallSort::new();
                call.a1 = n;
            }
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 18, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `watch`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        ///
        /// # Safety
        ///
        /// Pointers are as the specification says:
        ///
        /// ```text
        /// visit: Visit @lifetime(counter)
        /// sync
        /// ```
        pub unsafe fn watch(
            &self,
            counter: Counter,
            visit:
                ::core::option::Option<unsafe extern "C" fn(i32, *mut ::core::ffi::c_void) -> i32>,
            user: *mut c_void,
        ) -> Result<i32, Failed<i32>> {
            let mut call = CallWatch::new();
            call.a0 = counter;
            call.a2 = user;
            let checked = Ok(());
            call.a1 = visit.map_or(core::ptr::null_mut(), |function| {
                cxr::expose(function as *const c_void)
            });
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 19, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `wake`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn wake(&self, counter: Counter, value: i32) -> Result<i32, Failed<i32>> {
            let mut call = CallWake::new();
            call.a0 = counter;
            call.a1 = value;
            let checked = Ok(());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 20, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `later`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn later(&self, counter: Counter, by: i32) -> Result<i32, Failed<i32>> {
            let mut call = CallLater::new();
            call.a0 = counter;
            call.a1 = by;
            let checked = Ok(());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 21, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `total`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        ///
        /// # Safety
        ///
        /// Pointers are as the specification says:
        ///
        /// ```text
        /// rows: in [Row; n]
        /// sync
        /// ```
        pub unsafe fn total(
            &self,
            rows: *mut ::core::ffi::c_void,
            n: u32,
        ) -> Result<i32, Failed<i32>> {
            let mut call = CallTotal::new();
            call.a0 = rows;
            call.a1 = n;
            let checked = Ok(());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 22, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `check`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn check(&self, code: i32) -> Result<i32, Failed<i32>> {
            let mut call = CallCheck::new();
            call.a0 = code;
            let checked = Ok(());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 23, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `bounded`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn bounded(&self, n: i32) -> Result<i32, Failed<i32>> {
            let mut call = CallBounded::new();
            call.a0 = n;
            let checked = Ok(());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 24, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }

        /// Calls `process`.
        ///
        /// # Errors
        ///
        /// The call was not made.
        pub fn process(&self) -> Result<i32, Failed<i32>> {
            let mut call = CallProcess::new();
            let checked = Ok(());
            // SAFETY: the arguments are those of this function; their memory was checked, or the caller guarantees it.
            let made = unsafe {
                self.0.call(checked, 25, &mut call)
            };
            cxr::Client::result_of(made, call.result)
        }
    }

    /// What a service in Rust and a library in C can both do.
    ///
    /// A method for each function, which threads of several clients call at once. If one panics, the call of its caller fails.
    ///
    /// # Safety
    ///
    /// Pointers that these methods return, or leave behind pointers, are to memory as the specification says, for as long as it says: `total`. A block that it gives away is one of `malloc`.
    pub unsafe trait Desk: Send + Sync + 'static {
        /// `mixed`
        fn mixed(&self, small: i8, wide: u64, flag: bool, real: f64, colour: Colour) -> f64;

        /// `corner`
        fn corner(&self, field: Field) -> Point;

        /// `open`
        fn open(&self, start: i32) -> Counter;

        /// A sum.
        fn add(&self, a: i32, b: i32) -> i32;

        /// `sum`
        fn sum(&self, values: &[i32], n: u32) -> i64;

        /// `fill`
        fn fill(&self, to: &mut [i32], rows: u32, columns: u32, first: i32) -> i32;

        /// `scale`
        fn scale(&self, values: &mut [f64], n: usize, by: f64) -> i32;

        /// `copy`
        fn copy(&self, from: Option<&[u8]>, to: Option<&mut [u8]>, n: usize) -> i32;

        /// `greet`
        fn greet(&self, name: &CStr, to: &mut [u8], room: usize) -> i32;

        /// `length`
        fn length(&self, text: Option<&CStr>) -> i32;

        /// `grow`
        fn grow(&self, field: &mut Field, by: i32) -> i32;

        /// `maybe`
        fn maybe(&self, to: Option<&mut i32>, from: Option<&i32>) -> i32;

        /// `first4`
        fn first4(&self, values: &[i32; 4]) -> i32;

        /// `count`
        fn count(&self, counter: Counter, by: i32) -> i32;

        /// `close`
        fn close(&self, counter: Counter) -> i32;

        /// `twins`
        fn twins(&self, made_2: &mut [Counter; 2], start: i32) -> i32;

        /// `each`
        fn each(&self, values: &[i32], n: u32, visit: Visit) -> i32;

        /// `perhaps`
        fn perhaps(&self, visit: Option<Visit>, value: i32) -> i32;

        /// `sort`
        fn sort(&self, values: &mut [i32], n: usize, compare: Compare) -> i32;

        /// `watch`
        ///
        /// Pointers are as the specification says:
        ///
        /// ```text
        /// visit: Visit @lifetime(counter)
        /// sync
        /// ```
        fn watch(&self, counter: Counter, visit: Visit) -> i32;

        /// `wake`
        fn wake(&self, counter: Counter, value: i32) -> i32;

        /// `later`
        fn later(&self, counter: Counter, by: i32) -> i32;

        /// `total`
        ///
        /// Pointers are as the specification says:
        ///
        /// ```text
        /// rows: in [Row; n]
        /// sync
        /// ```
        fn total(&self, rows: *mut ::core::ffi::c_void, n: u32) -> i32;

        /// `check`
        fn check(&self, code: i32) -> i32;

        /// `bounded`
        fn bounded(&self, n: i32) -> i32;

        /// `process`
        fn process(&self) -> i32;
    }

    /// Serves: what the main function of a worker calls, with `std::env::args()`. Without arguments behind the name of the program it serves the client that started it, with `--listen PATH` all of this user that connect there. A process has one service of this library.
    pub fn serve(
        service: impl Desk,
        arguments: impl IntoIterator<Item = std::string::String>,
    ) -> std::process::ExitCode {
        // `serve` rejects a second service, with a message.
        let _ = SERVICE.set(std::boxed::Box::new(service));
        WORKER.serve(
            &LIBRARY,
            &[
                Some(thunk_0 as cxr::Thunk),
                Some(thunk_1 as cxr::Thunk),
                Some(thunk_2 as cxr::Thunk),
                Some(thunk_3 as cxr::Thunk),
                Some(thunk_4 as cxr::Thunk),
                Some(thunk_5 as cxr::Thunk),
                Some(thunk_6 as cxr::Thunk),
                Some(thunk_7 as cxr::Thunk),
                Some(thunk_8 as cxr::Thunk),
                Some(thunk_9 as cxr::Thunk),
                Some(thunk_10 as cxr::Thunk),
                Some(thunk_11 as cxr::Thunk),
                Some(thunk_12 as cxr::Thunk),
                Some(thunk_13 as cxr::Thunk),
                Some(thunk_14 as cxr::Thunk),
                Some(thunk_15 as cxr::Thunk),
                Some(thunk_16 as cxr::Thunk),
                Some(thunk_17 as cxr::Thunk),
                Some(thunk_18 as cxr::Thunk),
                Some(thunk_19 as cxr::Thunk),
                Some(thunk_20 as cxr::Thunk),
                Some(thunk_21 as cxr::Thunk),
                Some(thunk_22 as cxr::Thunk),
                Some(thunk_23 as cxr::Thunk),
                Some(thunk_24 as cxr::Thunk),
                Some(thunk_25 as cxr::Thunk),
                None,
            ],
            &[&slots_0(), &slots_1()],
            arguments,
        )
    }

    static SERVICE: std::sync::OnceLock<std::boxed::Box<dyn Desk>> = std::sync::OnceLock::new();
    static WORKER: cxr::Service = cxr::Service::new();

    unsafe extern "C" fn thunk_0(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallMixed>()
            };
            call.result = Desk::mixed(
                service,
                call.a0,
                call.a1,
                call.a2 != 0,
                call.a3,
                Colour(call.a4),
            );
            Some(())
        });
    }

    unsafe extern "C" fn thunk_1(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallCorner>()
            };
            call.result = Desk::corner(service, call.a0);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_2(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallOpen>()
            };
            call.result = Desk::open(service, call.a0);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_3(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallAdd>()
            };
            call.result = Desk::add(service, call.a0, call.a1);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_4(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallSum>()
            };
            let count_a0 = cxr::length(Some(call.a1 as i128));
            // SAFETY: the engine passes this number of elements, valid during this call.
            let values = unsafe {
                cxr::slice::<i32>(call.a0, count_a0)
            }?;
            call.result = Desk::sum(service, values, call.a1);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_5(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallFill>()
            };
            let count_a0 =
                cxr::length((|| Some((call.a1 as i128).checked_mul(call.a2 as i128)?))());
            // SAFETY: the engine passes this number of elements, valid during this call.
            let to = unsafe {
                cxr::slice_mut::<i32>(call.a0, count_a0)
            }?;
            call.result = Desk::fill(service, to, call.a1, call.a2, call.a3);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_6(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallScale>()
            };
            let count_a0 = cxr::length(Some(call.a1 as i128));
            // SAFETY: the engine passes this number of elements, valid during this call.
            let values = unsafe {
                cxr::slice_mut::<f64>(call.a0, count_a0)
            }?;
            call.result = Desk::scale(service, values, call.a1, call.a2);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_7(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallCopy>()
            };
            let count_a0 = cxr::length(Some(call.a2 as i128));
            let count_a1 = cxr::length(Some(call.a2 as i128));
            cxr::are_disjoint(&[
                cxr::range::<u8>(call.a0, count_a0, false),
                cxr::range::<u8>(call.a1, count_a1, true),
            ])?;
            let from = if call.a0.is_null() {
                None
            } else {
                // SAFETY: the engine passes this number of elements, valid during this call.
                let from = unsafe {
                    cxr::slice::<u8>(call.a0, count_a0)
                }?;
                Some(from)
            };
            let to = if call.a1.is_null() {
                None
            } else {
                // SAFETY: the engine passes this number of elements, valid during this call.
                let to = unsafe {
                    cxr::slice_mut::<u8>(call.a1, count_a1)
                }?;
                Some(to)
            };
            call.result = Desk::copy(service, from, to, call.a2);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_8(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallGreet>()
            };
            let count_a1 = cxr::length(Some(call.a2 as i128));
            // SAFETY: the engine passes a terminated text, valid during this call.
            let name = unsafe {
                cxr::string(call.a0)
            }?;
            // SAFETY: the engine passes this number of elements, valid during this call.
            let to = unsafe {
                cxr::slice_mut::<u8>(call.a1, count_a1)
            }?;
            call.result = Desk::greet(service, name, to, call.a2);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_9(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallLength>()
            };
            // SAFETY: the engine passes a terminated text, valid during this call.
            let text = unsafe {
                cxr::string(call.a0)
            };
            call.result = Desk::length(service, text);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_10(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallGrow>()
            };
            // SAFETY: the engine passes this number of elements, valid during this call.
            let field = unsafe {
                cxr::slice_mut::<Field>(call.a0, Some(1))
            }?.first_mut()?;
            call.result = Desk::grow(service, field, call.a1);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_11(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallMaybe>()
            };
            cxr::are_disjoint(&[
                cxr::range::<i32>(call.a0, Some(1), true),
                cxr::range::<i32>(call.a1, Some(1), false),
            ])?;
            let to = if call.a0.is_null() {
                None
            } else {
                // SAFETY: the engine passes this number of elements, valid during this call.
                let to = unsafe {
                    cxr::slice_mut::<i32>(call.a0, Some(1))
                }?.first_mut()?;
                Some(to)
            };
            let from = if call.a1.is_null() {
                None
            } else {
                // SAFETY: the engine passes this number of elements, valid during this call.
                let from = unsafe {
                    cxr::slice::<i32>(call.a1, Some(1))
                }?.first()?;
                Some(from)
            };
            call.result = Desk::maybe(service, to, from);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_12(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallFirst4>()
            };
            // SAFETY: the engine passes this number of elements, valid during this call.
            let values = unsafe {
                cxr::slice::<i32>(call.a0, Some(4))
            }?.try_into()
                .ok()?;
            call.result = Desk::first4(service, values);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_13(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallCount>()
            };
            call.result = Desk::count(service, call.a0, call.a1);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_14(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallClose>()
            };
            call.result = Desk::close(service, call.a0);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_15(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallTwins>()
            };
            // SAFETY: the engine passes this number of elements, valid during this call.
            let made_2 = unsafe {
                cxr::slice_mut::<Counter>(call.a0, Some(2))
            }?.try_into()
                .ok()?;
            call.result = Desk::twins(service, made_2, call.a1);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_16(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallEach>()
            };
            let count_a0 = cxr::length(Some(call.a1 as i128));
            // SAFETY: the engine passes this number of elements, valid during this call.
            let values = unsafe {
                cxr::slice::<i32>(call.a0, count_a0)
            }?;
            let visit = Visit {
                slot: cxr::slot(call.a2, &slots_0())?,
                user: call.a3,
            };
            call.result = Desk::each(service, values, call.a1, visit);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_17(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallPerhaps>()
            };
            let visit = if call.a0.is_null() {
                None
            } else {
                Some(Visit {
                    slot: cxr::slot(call.a0, &slots_0())?,
                    user: call.a1,
                })
            };
            call.result = Desk::perhaps(service, visit, call.a2);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_18(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallSort>()
            };
            let count_a0 = cxr::length(Some(call.a1 as i128));
            // SAFETY: the engine passes this number of elements, valid during this call.
            let values = unsafe {
                cxr::slice_mut::<i32>(call.a0, count_a0)
            }?;
            let compare = Compare {
                slot: cxr::slot(call.a2, &slots_1())?,
                user: core::ptr::null_mut(),
            };
            call.result = Desk::sort(service, values, call.a1, compare);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_19(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallWatch>()
            };
            let visit = Visit {
                slot: cxr::slot(call.a1, &slots_0())?,
                user: call.a2,
            };
            call.result = Desk::watch(service, call.a0, visit);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_20(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallWake>()
            };
            call.result = Desk::wake(service, call.a0, call.a1);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_21(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallLater>()
            };
            call.result = Desk::later(service, call.a0, call.a1);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_22(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallTotal>()
            };
            call.result = Desk::total(service, call.a0, call.a1);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_23(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallCheck>()
            };
            call.result = Desk::check(service, call.a0);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_24(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallBounded>()
            };
            call.result = Desk::bounded(service, call.a0);
            Some(())
        });
    }

    unsafe extern "C" fn thunk_25(arguments: *mut c_void) {
        cxr::guarded(|| {
            let service = &**SERVICE.get()?;
            // SAFETY: the engine passes the argument struct of this function.
            let call = unsafe {
                &mut *arguments.cast::<CallProcess>()
            };
            call.result = Desk::process(service);
            Some(())
        });
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallMixed {
        a0: i8,
        a1: u64,
        a2: u8,
        a3: f64,
        a4: u32,
        result: f64,
    }

    impl CallMixed {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallCorner {
        a0: Field,
        result: Point,
    }

    impl CallCorner {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallOpen {
        a0: i32,
        result: Counter,
    }

    impl CallOpen {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallAdd {
        a0: i32,
        a1: i32,
        result: i32,
    }

    impl CallAdd {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallSum {
        a0: *mut ::core::ffi::c_void,
        a1: u32,
        result: i64,
    }

    impl CallSum {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallFill {
        a0: *mut ::core::ffi::c_void,
        a1: u32,
        a2: u32,
        a3: i32,
        result: i32,
    }

    impl CallFill {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallScale {
        a0: *mut ::core::ffi::c_void,
        a1: usize,
        a2: f64,
        result: i32,
    }

    impl CallScale {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallCopy {
        a0: *mut ::core::ffi::c_void,
        a1: *mut ::core::ffi::c_void,
        a2: usize,
        result: i32,
    }

    impl CallCopy {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallGreet {
        a0: *mut ::core::ffi::c_void,
        a1: *mut ::core::ffi::c_void,
        a2: usize,
        result: i32,
    }

    impl CallGreet {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallLength {
        a0: *mut ::core::ffi::c_void,
        result: i32,
    }

    impl CallLength {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallGrow {
        a0: *mut ::core::ffi::c_void,
        a1: i32,
        result: i32,
    }

    impl CallGrow {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallMaybe {
        a0: *mut ::core::ffi::c_void,
        a1: *mut ::core::ffi::c_void,
        result: i32,
    }

    impl CallMaybe {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallFirst4 {
        a0: *mut ::core::ffi::c_void,
        result: i32,
    }

    impl CallFirst4 {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallCount {
        a0: Counter,
        a1: i32,
        result: i32,
    }

    impl CallCount {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallClose {
        a0: Counter,
        result: i32,
    }

    impl CallClose {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallTwins {
        a0: *mut ::core::ffi::c_void,
        a1: i32,
        result: i32,
    }

    impl CallTwins {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallEach {
        a0: *mut ::core::ffi::c_void,
        a1: u32,
        a2: *mut ::core::ffi::c_void,
        a3: *mut ::core::ffi::c_void,
        result: i32,
    }

    impl CallEach {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallPerhaps {
        a0: *mut ::core::ffi::c_void,
        a1: *mut ::core::ffi::c_void,
        a2: i32,
        result: i32,
    }

    impl CallPerhaps {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallSort {
        a0: *mut ::core::ffi::c_void,
        a1: usize,
        a2: *mut ::core::ffi::c_void,
        result: i32,
    }

    impl CallSort {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallWatch {
        a0: Counter,
        a1: *mut ::core::ffi::c_void,
        a2: *mut ::core::ffi::c_void,
        result: i32,
    }

    impl CallWatch {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallWake {
        a0: Counter,
        a1: i32,
        result: i32,
    }

    impl CallWake {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallLater {
        a0: Counter,
        a1: i32,
        result: i32,
    }

    impl CallLater {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallTotal {
        a0: *mut ::core::ffi::c_void,
        a1: u32,
        result: i32,
    }

    impl CallTotal {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallCheck {
        a0: i32,
        result: i32,
    }

    impl CallCheck {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallBounded {
        a0: i32,
        result: i32,
    }

    impl CallBounded {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallProcess {
        result: i32,
    }

    impl CallProcess {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallOdd {
        a0: i32,
        result: i32,
    }

    impl CallOdd {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallbackVisit {
        a0: i32,
        a1: *mut ::core::ffi::c_void,
        result: i32,
    }

    impl CallbackVisit {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct CallbackCompare {
        a0: *mut ::core::ffi::c_void,
        a1: *mut ::core::ffi::c_void,
        result: i32,
    }

    impl CallbackCompare {
        fn new() -> Self {
            // SAFETY: the members are numbers and pointers, for which zero is valid.
            unsafe {
                core::mem::zeroed()
            }
        }
    }

    #[rustfmt::skip]
    static WORDS: [u32; 2896] = [
        105928771, 1, 0, 0, 35, 27, 2, 0, 107, size_of::<Counter>() as u32, 0, 0, 0, 0, 0, 7, size_of::<CallMixed>() as u32,
        0, 6, 1, 0, offset_of!(CallMixed, a0) as u32, 0, 1, 1, size_of::<i8>() as u32, 1, 1, 2,
        offset_of!(CallMixed, a1) as u32, 0, 1, 0, size_of::<u64>() as u32, 8, 1, 3, offset_of!(CallMixed, a2) as u32, 0, 1,
        0, size_of::<u8>() as u32, 1, 1, 4, offset_of!(CallMixed, a3) as u32, 0, 1, 5, size_of::<f64>() as u32, 8, 1, 5,
        offset_of!(CallMixed, a4) as u32, 0, 1, 0, size_of::<u32>() as u32, 4, 6, 6, offset_of!(CallMixed, result) as u32,
        0, 1, 5, size_of::<f64>() as u32, 8, 11, size_of::<Field>() as u32, 0, 3, 1, 8, offset_of!(Field, tag) as u32, 0, 1,
        0, size_of::<u8>() as u32, 1, 1, 9, offset_of!(Field, low) as u32, 0, 4, 2, 1, 10, offset_of!(Field, high) as u32,
        0, 4, 2, 14, size_of::<Point>() as u32, 0, 2, 1, 12, offset_of!(Point, x) as u32, 0, 1, 1, size_of::<i32>() as u32,
        4, 1, 13, offset_of!(Point, y) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 14, size_of::<Point>() as u32, 0, 2, 2,
        12, offset_of!(Point, x) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 2, 13, offset_of!(Point, y) as u32, 0, 1, 1,
        size_of::<i32>() as u32, 4, 16, size_of::<CallCorner>() as u32, 0, 2, 1, 15, offset_of!(CallCorner, a0) as u32, 0,
        4, 1, 6, 6, offset_of!(CallCorner, result) as u32, 0, 4, 3, 18, size_of::<CallOpen>() as u32, 0, 2, 1, 17,
        offset_of!(CallOpen, a0) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 6, 6, offset_of!(CallOpen, result) as u32, 0,
        3, 5, 0, size_of::<Counter>() as u32, 0, 21, size_of::<CallAdd>() as u32, 0, 3, 1, 19,
        offset_of!(CallAdd, a0) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1, 20, offset_of!(CallAdd, a1) as u32, 0, 1, 1,
        size_of::<i32>() as u32, 4, 6, 6, offset_of!(CallAdd, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 24,
        size_of::<CallSum>() as u32, 0, 3, 1, 22, offset_of!(CallSum, a1) as u32, 0, 1, 0, size_of::<u32>() as u32, 4, 6, 6,
        offset_of!(CallSum, result) as u32, 0, 1, 1, size_of::<i64>() as u32, 8, 1, 23, offset_of!(CallSum, a0) as u32, 0,
        6, 129, 0, size_of::<i32>() as u32, 0, 0, 0, 0, 1, 22, 3, 2, 12, offset_of!(CallSum, a1) as u32, 13, 0,
        size_of::<u32>() as u32, 0, 0, 1, 1, 0, 0, 1, 1, size_of::<i32>() as u32, 4, 30, size_of::<CallFill>() as u32, 0, 5,
        1, 25, offset_of!(CallFill, a1) as u32, 0, 1, 0, size_of::<u32>() as u32, 4, 1, 26, offset_of!(CallFill, a2) as u32,
        0, 1, 0, size_of::<u32>() as u32, 4, 1, 27, offset_of!(CallFill, a3) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 6,
        6, offset_of!(CallFill, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1, 28, offset_of!(CallFill, a0) as u32,
        0, 6, 2, 0, size_of::<i32>() as u32, 0, 0, 0, 0, 1, 29, 7, 2, 12, offset_of!(CallFill, a1) as u32, 13, 0,
        size_of::<u32>() as u32, 2, 12, offset_of!(CallFill, a2) as u32, 13, 0, size_of::<u32>() as u32, 31, 2, 0, 0, 2, 1,
        0, 0, 1, 1, size_of::<i32>() as u32, 4, 32, size_of::<CallScale>() as u32, 0, 4, 1, 22,
        offset_of!(CallScale, a1) as u32, 0, 1, 0, size_of::<usize>() as u32, 8, 1, 31, offset_of!(CallScale, a2) as u32, 0,
        1, 5, size_of::<f64>() as u32, 8, 6, 6, offset_of!(CallScale, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4,
        1, 23, offset_of!(CallScale, a0) as u32, 0, 6, 3, 0, size_of::<f64>() as u32, 0, 0, 0, 0, 1, 22, 3, 2, 12,
        offset_of!(CallScale, a1) as u32, 13, 0, size_of::<usize>() as u32, 0, 0, 3, 1, 0, 0, 1, 5, size_of::<f64>() as u32,
        8, 34, size_of::<CallCopy>() as u32, 0, 4, 1, 22, offset_of!(CallCopy, a2) as u32, 0, 1, 0,
        size_of::<usize>() as u32, 8, 6, 6, offset_of!(CallCopy, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1, 33,
        offset_of!(CallCopy, a0) as u32, 0, 6, 133, 0, size_of::<u8>() as u32, 0, 0, 0, 0, 1, 22, 3, 2, 12,
        offset_of!(CallCopy, a2) as u32, 13, 0, size_of::<usize>() as u32, 0, 0, 1, 1, 0, 0, 1, 0, size_of::<u8>() as u32,
        1, 1, 28, offset_of!(CallCopy, a1) as u32, 0, 6, 6, 0, size_of::<u8>() as u32, 0, 0, 0, 0, 1, 22, 3, 2, 12,
        offset_of!(CallCopy, a2) as u32, 13, 0, size_of::<usize>() as u32, 0, 0, 2, 1, 0, 0, 1, 0, size_of::<u8>() as u32,
        1, 38, size_of::<CallGreet>() as u32, 0, 4, 1, 35, offset_of!(CallGreet, a2) as u32, 0, 1, 0,
        size_of::<usize>() as u32, 8, 6, 6, offset_of!(CallGreet, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1,
        36, offset_of!(CallGreet, a0) as u32, 0, 6, 129, 0, size_of::<u8>() as u32, 0, 0, 0, 0, 0, 1, 2,
        size_of::<u8>() as u32, 37, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2, size_of::<u8>() as u32, 1, 1, 28,
        offset_of!(CallGreet, a1) as u32, 0, 6, 2, 0, size_of::<u8>() as u32, 0, 0, 0, 0, 1, 35, 3, 2, 12,
        offset_of!(CallGreet, a2) as u32, 13, 0, size_of::<usize>() as u32, 0, 0, 2, 1, 0, 0, 1, 2, size_of::<u8>() as u32,
        1, 40, size_of::<CallLength>() as u32, 0, 2, 6, 6, offset_of!(CallLength, result) as u32, 0, 1, 1,
        size_of::<i32>() as u32, 4, 1, 39, offset_of!(CallLength, a0) as u32, 0, 6, 133, 0, size_of::<u8>() as u32, 0, 0, 0,
        0, 0, 1, 2, size_of::<u8>() as u32, 37, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2, size_of::<u8>() as u32, 1, 11,
        size_of::<Field>() as u32, 0, 3, 3, 8, offset_of!(Field, tag) as u32, 0, 1, 0, size_of::<u8>() as u32, 1, 3, 9,
        offset_of!(Field, low) as u32, 0, 4, 14, 3, 10, offset_of!(Field, high) as u32, 0, 4, 14, 14,
        size_of::<Point>() as u32, 0, 2, 3, 12, offset_of!(Point, x) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 3, 13,
        offset_of!(Point, y) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 42, size_of::<CallGrow>() as u32, 0, 3, 1, 31,
        offset_of!(CallGrow, a1) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 6, 6, offset_of!(CallGrow, result) as u32, 0,
        1, 1, size_of::<i32>() as u32, 4, 1, 15, offset_of!(CallGrow, a0) as u32, 0, 6, 3, 0, size_of::<Field>() as u32, 0,
        0, 0, 0, 1, 41, 1, 0, 2, 0, 0, 3, 1, 0, 0, 4, 13, 43, size_of::<CallMaybe>() as u32, 0, 3, 6, 6,
        offset_of!(CallMaybe, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1, 28, offset_of!(CallMaybe, a0) as u32,
        0, 6, 6, 0, size_of::<i32>() as u32, 0, 0, 0, 0, 1, 41, 1, 0, 2, 0, 0, 2, 1, 0, 0, 1, 1, size_of::<i32>() as u32, 4,
        1, 33, offset_of!(CallMaybe, a1) as u32, 0, 6, 133, 0, size_of::<i32>() as u32, 0, 0, 0, 0, 1, 41, 1, 0, 2, 0, 0, 1,
        1, 0, 0, 1, 1, size_of::<i32>() as u32, 4, 45, size_of::<CallFirst4>() as u32, 0, 2, 6, 6,
        offset_of!(CallFirst4, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1, 23,
        offset_of!(CallFirst4, a0) as u32, 0, 6, 129, 0, size_of::<i32>() as u32, 0, 0, 0, 0, 1, 44, 1, 0, 8, 0, 0, 1, 1, 0,
        0, 1, 1, size_of::<i32>() as u32, 4, 47, size_of::<CallCount>() as u32, 0, 3, 1, 46,
        offset_of!(CallCount, a0) as u32, 0, 3, 0, 0, size_of::<Counter>() as u32, 0, 1, 31,
        offset_of!(CallCount, a1) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 6, 6, offset_of!(CallCount, result) as u32,
        0, 1, 1, size_of::<i32>() as u32, 4, 48, size_of::<CallClose>() as u32, 0, 2, 1, 46,
        offset_of!(CallClose, a0) as u32, 0, 3, 2, 0, size_of::<Counter>() as u32, 0, 6, 6,
        offset_of!(CallClose, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 51, size_of::<CallTwins>() as u32, 0, 3,
        1, 17, offset_of!(CallTwins, a1) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 6, 6,
        offset_of!(CallTwins, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1, 49, offset_of!(CallTwins, a0) as u32,
        0, 6, 2, 0, size_of::<Counter>() as u32, 0, 0, 0, 0, 1, 50, 1, 0, 4, 0, 0, 2, 1, 0, 0, 3, 1, 0,
        size_of::<Counter>() as u32, 0, 54, size_of::<CallEach>() as u32, 0, 5, 1, 22, offset_of!(CallEach, a1) as u32, 0,
        1, 0, size_of::<u32>() as u32, 4, 6, 6, offset_of!(CallEach, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1,
        23, offset_of!(CallEach, a0) as u32, 0, 6, 129, 0, size_of::<i32>() as u32, 0, 0, 0, 0, 1, 22, 3, 2, 12,
        offset_of!(CallEach, a1) as u32, 13, 0, size_of::<u32>() as u32, 0, 0, 1, 1, 0, 0, 1, 1, size_of::<i32>() as u32, 4,
        1, 52, offset_of!(CallEach, a2) as u32, 0, 7, 0, 0, 0, 1, 53, offset_of!(CallEach, a3) as u32, 0, 8, 1, 1, 0, 52, 3,
        2, 12, offset_of!(CallEach, a2) as u32, 14, size_of::<usize>() as u32, 0, 56, size_of::<CallPerhaps>() as u32, 0, 4,
        1, 55, offset_of!(CallPerhaps, a2) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 6, 6,
        offset_of!(CallPerhaps, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1, 52,
        offset_of!(CallPerhaps, a0) as u32, 0, 7, 0, 1, 0, 1, 53, offset_of!(CallPerhaps, a1) as u32, 0, 8, 1, 1, 0, 52, 3,
        2, 12, offset_of!(CallPerhaps, a0) as u32, 14, size_of::<usize>() as u32, 0, 58, size_of::<CallSort>() as u32, 0, 4,
        1, 22, offset_of!(CallSort, a1) as u32, 0, 1, 0, size_of::<usize>() as u32, 8, 6, 6,
        offset_of!(CallSort, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1, 23, offset_of!(CallSort, a0) as u32, 0,
        6, 3, 0, size_of::<i32>() as u32, 0, 0, 0, 0, 1, 22, 3, 2, 12, offset_of!(CallSort, a1) as u32, 13, 0,
        size_of::<usize>() as u32, 0, 0, 3, 1, 0, 0, 1, 1, size_of::<i32>() as u32, 4, 1, 57,
        offset_of!(CallSort, a2) as u32, 0, 7, 1, 0, 0, 59, size_of::<CallWatch>() as u32, 0, 4, 1, 46,
        offset_of!(CallWatch, a0) as u32, 0, 3, 0, 0, size_of::<Counter>() as u32, 0, 6, 6,
        offset_of!(CallWatch, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1, 52, offset_of!(CallWatch, a1) as u32,
        0, 7, 0, 0, 3, 0, 46, 3, 2, 12, offset_of!(CallWatch, a0) as u32, 14, size_of::<Counter>() as u32, 1, 53,
        offset_of!(CallWatch, a2) as u32, 0, 8, 1, 1, 0, 52, 3, 2, 12, offset_of!(CallWatch, a1) as u32, 14,
        size_of::<usize>() as u32, 3, 0, 46, 3, 2, 12, offset_of!(CallWatch, a0) as u32, 14, size_of::<Counter>() as u32,
        60, size_of::<CallWake>() as u32, 0, 3, 1, 46, offset_of!(CallWake, a0) as u32, 0, 3, 0, 0,
        size_of::<Counter>() as u32, 0, 1, 55, offset_of!(CallWake, a1) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 6, 6,
        offset_of!(CallWake, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 61, size_of::<CallLater>() as u32, 0, 3,
        1, 46, offset_of!(CallLater, a0) as u32, 0, 3, 0, 0, size_of::<Counter>() as u32, 0, 1, 31,
        offset_of!(CallLater, a1) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 6, 6, offset_of!(CallLater, result) as u32,
        0, 1, 1, size_of::<i32>() as u32, 4, 63, size_of::<Row>() as u32, 0, 2, 1, 22, offset_of!(Row, n) as u32, 0, 1, 0,
        size_of::<u32>() as u32, 4, 1, 62, offset_of!(Row, cells) as u32, 0, 6, 129, 0, size_of::<i32>() as u32, 0, 0, 0, 0,
        1, 22, 3, 3, 12, offset_of!(Row, n) as u32, 13, 0, size_of::<u32>() as u32, 0, 0, 1, 1, 0, 0, 1, 1,
        size_of::<i32>() as u32, 4, 64, size_of::<CallTotal>() as u32, 0, 3, 1, 22, offset_of!(CallTotal, a1) as u32, 0, 1,
        0, size_of::<u32>() as u32, 4, 6, 6, offset_of!(CallTotal, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1,
        25, offset_of!(CallTotal, a0) as u32, 0, 6, 129, 0, size_of::<Row>() as u32, 0, 0, 0, 0, 1, 22, 3, 2, 12,
        offset_of!(CallTotal, a1) as u32, 13, 0, size_of::<u32>() as u32, 0, 0, 1, 1, 0, 0, 4, 27, 66,
        size_of::<CallCheck>() as u32, 0, 2, 1, 65, offset_of!(CallCheck, a0) as u32, 0, 1, 1, size_of::<i32>() as u32, 4,
        6, 6, offset_of!(CallCheck, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 67,
        size_of::<CallBounded>() as u32, 0, 2, 1, 22, offset_of!(CallBounded, a0) as u32, 0, 1, 1, size_of::<i32>() as u32,
        4, 6, 6, offset_of!(CallBounded, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 68,
        size_of::<CallProcess>() as u32, 0, 1, 6, 6, offset_of!(CallProcess, result) as u32, 0, 1, 1,
        size_of::<i32>() as u32, 4, 69, size_of::<CallOdd>() as u32, 0, 2, 1, 22, offset_of!(CallOdd, a0) as u32, 0, 1, 1,
        size_of::<i32>() as u32, 4, 6, 6, offset_of!(CallOdd, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 70,
        size_of::<CallbackVisit>() as u32, 0, 3, 1, 55, offset_of!(CallbackVisit, a0) as u32, 0, 1, 1,
        size_of::<i32>() as u32, 4, 6, 6, offset_of!(CallbackVisit, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1,
        53, offset_of!(CallbackVisit, a1) as u32, 0, 8, 0, 0, 71, size_of::<CallbackCompare>() as u32, 0, 3, 6, 6,
        offset_of!(CallbackCompare, result) as u32, 0, 1, 1, size_of::<i32>() as u32, 4, 1, 19,
        offset_of!(CallbackCompare, a0) as u32, 0, 6, 129, 0, size_of::<i32>() as u32, 0, 0, 0, 0, 1, 41, 1, 0, 2, 0, 0, 1,
        1, 0, 0, 1, 1, size_of::<i32>() as u32, 4, 1, 20, offset_of!(CallbackCompare, a1) as u32, 0, 6, 129, 0,
        size_of::<i32>() as u32, 0, 0, 0, 0, 1, 41, 1, 0, 2, 0, 0, 1, 1, 0, 0, 1, 1, size_of::<i32>() as u32, 4, 72, 1, 0,
        7, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 73, 1, 0, 2, 0, 0, 0, 0, 0, 0, 74, 1, 0, 16, 4, 0, 0, 1, 0,
        0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 73, 1, 0, 2, 0, 0, 0, 0, 0, 0, 75, 1, 0, 18, 5, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1,
        0, 1, 0, 0, 0, 1, 0, 76, 5, 2, 12, offset_of!(CallOpen, result) as u32, 14, size_of::<Counter>() as u32, 0, 0, 31,
        13, 0, 1, 0, 1, 0, 6, 2, 2, 12, offset_of!(CallOpen, result) as u32, size_of::<Counter>() as u32, 77, 1, 0, 0, 0, 0,
        0, 0, 78, 1, 0, 21, 6, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 73, 1, 0, 2, 0, 1, 0, 1, 0, 6, 2, 2, 12,
        offset_of!(CallAdd, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 80, 1, 0, 24, 7, 0,
        0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallSum, result) as u32, 13, 1,
        size_of::<i64>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12, offset_of!(CallSum, result) as u32,
        size_of::<i64>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 82, 1, 0, 30, 8, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0,
        0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallFill, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1,
        0, 1, 0, 6, 2, 2, 12, offset_of!(CallFill, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0,
        0, 83, 1, 0, 32, 9, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12,
        offset_of!(CallScale, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12,
        offset_of!(CallScale, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 84, 1, 0, 34, 10,
        0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallCopy, result) as u32, 13, 1,
        size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12, offset_of!(CallCopy, result) as u32,
        size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 85, 1, 0, 38, 11, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0,
        0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallGreet, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1,
        0, 1, 0, 6, 2, 2, 12, offset_of!(CallGreet, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0,
        0, 86, 1, 0, 40, 12, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12,
        offset_of!(CallLength, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12,
        offset_of!(CallLength, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 87, 1, 0, 42, 15,
        0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallGrow, result) as u32, 13, 1,
        size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12, offset_of!(CallGrow, result) as u32,
        size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 88, 1, 0, 43, 16, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0,
        0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallMaybe, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1,
        0, 1, 0, 6, 2, 2, 12, offset_of!(CallMaybe, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0,
        0, 89, 1, 0, 45, 17, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12,
        offset_of!(CallFirst4, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12,
        offset_of!(CallFirst4, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 90, 1, 0, 47, 18,
        0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallCount, result) as u32, 13, 1,
        size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12, offset_of!(CallCount, result) as u32,
        size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 91, 1, 0, 48, 19, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0,
        0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallClose, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1,
        0, 1, 0, 6, 2, 2, 12, offset_of!(CallClose, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0,
        0, 92, 1, 0, 51, 20, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12,
        offset_of!(CallTwins, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12,
        offset_of!(CallTwins, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 93, 1, 0, 54, 21,
        0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallEach, result) as u32, 13, 1,
        size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12, offset_of!(CallEach, result) as u32,
        size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 94, 1, 0, 56, 22, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0,
        0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallPerhaps, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0,
        1, 0, 1, 0, 6, 2, 2, 12, offset_of!(CallPerhaps, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0,
        0, 0, 0, 95, 1, 0, 58, 23, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12,
        offset_of!(CallSort, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12,
        offset_of!(CallSort, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 96, 1, 0, 59, 24, 0,
        0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallWatch, result) as u32, 13, 1,
        size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12, offset_of!(CallWatch, result) as u32,
        size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 97, 1, 0, 60, 25, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0,
        0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallWake, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1,
        0, 1, 0, 6, 2, 2, 12, offset_of!(CallWake, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0,
        0, 98, 1, 0, 61, 26, 0, 0, 1, 0, 1, 1, 0, 6, 2, 2, 12, offset_of!(CallLater, result) as u32,
        size_of::<i32>() as u32, 37, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12,
        offset_of!(CallLater, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12,
        offset_of!(CallLater, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 99, 1, 0, 64, 28,
        0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallTotal, result) as u32, 13, 1,
        size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12, offset_of!(CallTotal, result) as u32,
        size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 100, 1, 0, 66, 29, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0,
        0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallCheck, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1,
        0, 1, 0, 6, 2, 2, 12, offset_of!(CallCheck, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 1, 0, 1,
        0, 0, 0, 101, 1, 0, 67, 30, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12,
        offset_of!(CallBounded, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 1, 0, 102, 5, 2, 12,
        offset_of!(CallBounded, a0) as u32, 13, 1, size_of::<i32>() as u32, 0, 20, 31, 14, 1, 0, 6, 2, 2, 12,
        offset_of!(CallBounded, result) as u32, size_of::<i32>() as u32, 103, 1, 0, 4294967282, 1, 0, 1, 0, 6, 2, 2, 12,
        offset_of!(CallBounded, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 104, 1, 0, 68,
        31, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallProcess, result) as u32, 13, 1,
        size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0, 1, 0, 6, 2, 2, 12, offset_of!(CallProcess, result) as u32,
        size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 0, 105, 1, 0, 69, 32, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0,
        0, 0, 1, 0, 81, 5, 2, 12, offset_of!(CallOdd, result) as u32, 13, 1, size_of::<i32>() as u32, 0, 0, 31, 17, 0, 1, 0,
        1, 0, 6, 2, 2, 12, offset_of!(CallOdd, result) as u32, size_of::<i32>() as u32, 79, 1, 0, 4294967098, 0, 0, 0, 1, 0,
        1, 0, 0, 70, 33, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 6, 2, 2, 12, offset_of!(CallbackVisit, result) as u32,
        size_of::<i32>() as u32, 106, 1, 0, 4294967196, 0, 0, 0, 0, 0, 71, 34, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];

    #[rustfmt::skip]
    static TEXTS: [&str; 108] = [
        "small", "", "wide", "flag", "real", "colour", "ret", "mixed", "tag", "low", "high", "Field", "x", "y", "Point",
        "field", "corner", "start", "open", "a", "b", "add", "n", "values", "sum", "rows", "columns", "first", "to",
        "rows * columns", "fill", "by", "scale", "from", "copy", "room", "name", "0", "greet", "text", "length", "1",
        "grow", "maybe", "4", "first4", "counter", "count", "close", "made", "2", "twins", "visit", "user", "each", "value",
        "perhaps", "compare", "sort", "watch", "wake", "later", "cells", "Row", "total", "code", "check", "bounded",
        "process", "odd", "Visit", "Compare", "desk_mixed", "true", "desk_corner", "desk_open", "ret != null", "null",
        "desk_add", "-99", "desk_sum", "ret >= 0", "desk_fill", "desk_scale", "desk_copy", "desk_greet", "desk_length",
        "desk_grow", "desk_maybe", "desk_first4", "desk_count", "desk_close", "desk_twins", "desk_each", "desk_perhaps",
        "desk_sort", "desk_watch", "desk_wake", "desk_later", "desk_total", "desk_check", "desk_bounded", "n < 10", "-7",
        "desk_process", "desk_odd", "-50", "Counter",
    ];

    static LIBRARY: cxr::Library = cxr::Library {
        name: "org.example.desk:Desk",
        soname: "libdesk.so.1",
        contract: [
            187, 242, 226, 23, 121, 158, 23, 140, 155, 67, 50, 200, 19, 191, 189, 99, 212, 181, 147,
            90, 117, 236, 11, 223, 34, 98, 196, 152, 166, 115, 184, 61,
        ],
        words: &WORDS,
        texts: &TEXTS,
        natives: 1,
        functions: 27,
        callbacks: 2,
    };
}
