//! The client in Rust. It prints the same as the program in C.

use crate::desk::{Client, Colour, Counter, Error, Failed, Field, Point, Reach, Row};

/// Returns the value that C would get.
fn value_of<T>(result: Result<T, Failed<T>>) -> T {
    result.unwrap_or_else(|failed| failed.declared)
}

pub fn run() {
    let desk = Client::new(&Reach::Environment).unwrap();
    println!("add {}", value_of(desk.add(2, 3)));
    println!("mixed {:.2}", value_of(desk.mixed(-5, 1 << 40, true, 0.25, Colour::GREEN)));
    let mut values = [5, -1, 7, 3];
    println!("sum {} {}", value_of(desk.sum(&values, 4)), value_of(desk.sum(&[], 0)));
    let mut filled = [0; 6];
    print!("fill {}", value_of(desk.fill(&mut filled, 2, 3, 40)));
    filled.iter().for_each(|value| print!(" {value}"));
    let mut reals = [1.5, 2.5];
    print!("\nscale {}", value_of(desk.scale(&mut reals, 2, 4.0)));
    println!(" {:.1} {:.1}", reals[0], reals[1]);
    let (bytes, mut copied) = ([1, 2, 3], [9; 3]);
    print!("copy {}", value_of(desk.copy(Some(&bytes), Some(&mut copied), 3)));
    let halves = (value_of(desk.copy(None, Some(&mut copied.clone()), 3)), value_of(desk.copy(Some(&bytes), None, 3)));
    println!(" {} {} {} {} {}", copied[0], copied[1], copied[2], halves.0, halves.1);
    let mut text = [0; 16];
    let length = value_of(desk.greet(c"you", &mut text, 16));
    let greeting = std::ffi::CStr::from_bytes_until_nul(&text).unwrap().to_str().unwrap().to_owned();
    println!("greet {length} {greeting} {}", value_of(desk.greet(c"somebody who is long", &mut text, 16)));
    println!("length {} {}", value_of(desk.length(Some(c"four"))), value_of(desk.length(None)));
    let mut field = Field { low: Point { x: 1, y: 2 }, high: Point { x: 3, y: 4 }, tag: 5 };
    let grown = value_of(desk.grow(&mut field, 10));
    let corner = value_of(desk.corner(field));
    let Field { low, high, tag } = field;
    println!("grow {grown} {} {} {} {} {tag}, corner {} {}", low.x, low.y, high.x, high.y, corner.x, corner.y);
    let (mut out, from) = (0, 21);
    let all = value_of(desk.maybe(Some(&mut out), Some(&from)));
    let first = out;
    let half = value_of(desk.maybe(Some(&mut out), None));
    println!(
        "maybe {all} {first} {half} {out} {} {}",
        value_of(desk.maybe(None, Some(&from))),
        value_of(desk.maybe(None, None))
    );
    println!("first4 {}", value_of(desk.first4(&[1, 2, 3, 4])));
    let counter = value_of(desk.open(10));
    let mut twins = [Counter::NULL; 2];
    let (counted, made) = (value_of(desk.count(counter, 5)), value_of(desk.twins(&mut twins, 30)));
    let [one, two] = twins.map(|twin| value_of(desk.count(twin, 0)));
    println!("counter {counted} {made} {one} {two} {}", i32::from(value_of(desk.open(-1)).is_null()));
    let mut sum = 0;
    let mut adds = |value| {
        sum += value;
        value * 2
    };
    let each = value_of(desk.each(&values, 4, &mut adds));
    let nested = value_of(desk.each(&values, 2, &mut |value| value_of(desk.add(value, 100))));
    println!("each {each} {sum} {nested}");
    let mut adds = |value| {
        sum += value;
        value * 2
    };
    let perhaps = value_of(desk.perhaps(Some(&mut adds), 1));
    println!("perhaps {perhaps} {} {sum}", value_of(desk.perhaps(None, 1)));
    let mut compares = |a: &i32, b: &i32| i32::from(a > b) - i32::from(a < b);
    let mut backwards = |a: &i32, b: &i32| i32::from(a < b) - i32::from(a > b);
    for i in 0..6 {
        value_of(desk.sort(&mut values, 4, if i % 2 == 0 { &mut compares } else { &mut backwards }));
    }
    print!("sort {} {} {} {}", values[0], values[1], values[2], values[3]);
    value_of(desk.sort(&mut values, 4, &mut compares));
    println!(", {} {} {} {}", values[0], values[1], values[2], values[3]);
    // SAFETY: the function and the number outlive the counter.
    let watched = value_of(unsafe { desk.watch(counter, Some(kept), (&raw mut sum).cast()) });
    let woken = value_of(desk.wake(counter, 6));
    println!("watch {watched} {woken} {sum}");
    (0..10).for_each(|_| assert_eq!(value_of(desk.later(counter, 1)), 0));
    println!("later {}", value_of(desk.count(counter, 0)));
    let (one, two) = ([1, 2, 3], [10]);
    let none = std::ptr::null();
    let mut rows = [Row { n: 3, cells: one.as_ptr() }, Row { n: 0, cells: none }, Row { n: 1, cells: two.as_ptr() }];
    // SAFETY: the array has the number of rows and cells that the arguments state.
    println!("total {}", value_of(unsafe { desk.total(rows.as_mut_ptr().cast(), 3) }));
    let failed = value_of(desk.check(13));
    let errno = std::io::Error::last_os_error().raw_os_error().unwrap();
    println!("check {failed} {errno} {}", value_of(desk.check(0)));
    println!("bounded {} {}", value_of(desk.bounded(9)), value_of(desk.bounded(10)));
    let value = value_of(desk.close(counter));
    let (dead, forged) = (value_of(desk.count(counter, 1)), value_of(desk.count(Counter(0x123_4567), 1)));
    println!("close {value}, dead {dead}, forged {forged}, null {}", value_of(desk.count(Counter::NULL, 1)));
    short_slices_are_refused(&desk);
    let worker = value_of(desk.process());
    assert!(worker > 1, "signals to others do harm");
    // SAFETY: `kill` takes no pointers; the worker belongs to this program.
    unsafe { libc::kill(worker, libc::SIGKILL) };
    let dead = desk.add(1, 1);
    assert!(matches!(dead, Err(Failed { declared: -99, error: Error::Channel(_) })), "{dead:?}");
    println!("killed {} {}", value_of(dead), value_of(desk.check(0)));
}

/// Checks errors that C cannot express.
fn short_slices_are_refused(desk: &Client) {
    let short = desk.sum(&[1, 2], 3);
    assert!(matches!(short, Err(Failed { declared: -99, error: Error::Argument("values") })), "{short:?}");
    assert_eq!(value_of(desk.sum(&[1, 2, 3], 2)), 3, "a slice may be longer");
    assert!(desk.fill(&mut [0; 5], 2, 3, 0).is_err() && desk.fill(&mut [0; 5], u32::MAX, u32::MAX, 0).is_err());
    assert!(desk.copy(Some(&[1]), Some(&mut [0; 3]), 3).is_err());
}

unsafe extern "C" fn kept(value: i32, user: *mut std::ffi::c_void) -> i32 {
    // SAFETY: `watch` passed a pointer to this type.
    unsafe { *user.cast::<i32>() += value };
    value * 2
}
