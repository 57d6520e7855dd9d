//! The program: it prints what the one in C does, whoever serves.

use crate::desk::{Client, Colour, Counter, Error, Failed, Field, Point, Reach, Row};

/// What C gets, of a call that was made or not.
fn said<T>(result: Result<T, Failed<T>>) -> T {
    result.unwrap_or_else(|failed| failed.declared)
}

pub fn run() {
    let desk = Client::new(&Reach::Environment).unwrap();
    println!("add {}", said(desk.add(2, 3)));
    println!("mixed {:.2}", said(desk.mixed(-5, 1 << 40, true, 0.25, Colour::GREEN)));
    let mut values = [5, -1, 7, 3];
    println!("sum {} {}", said(desk.sum(&values, 4)), said(desk.sum(&[], 0)));
    let mut filled = [0; 6];
    print!("fill {}", said(desk.fill(&mut filled, 2, 3, 40)));
    filled.iter().for_each(|value| print!(" {value}"));
    let mut reals = [1.5, 2.5];
    print!("\nscale {}", said(desk.scale(&mut reals, 2, 4.0)));
    println!(" {:.1} {:.1}", reals[0], reals[1]);
    let (bytes, mut copied) = ([1, 2, 3], [9; 3]);
    print!("copy {}", said(desk.copy(Some(&bytes), Some(&mut copied), 3)));
    let halves = (said(desk.copy(None, Some(&mut copied.clone()), 3)), said(desk.copy(Some(&bytes), None, 3)));
    println!(" {} {} {} {} {}", copied[0], copied[1], copied[2], halves.0, halves.1);
    let mut text = [0; 16];
    let length = said(desk.greet(c"you", &mut text, 16));
    let greeting = std::ffi::CStr::from_bytes_until_nul(&text).unwrap().to_str().unwrap().to_owned();
    println!("greet {length} {greeting} {}", said(desk.greet(c"somebody who is long", &mut text, 16)));
    println!("length {} {}", said(desk.length(Some(c"four"))), said(desk.length(None)));
    let mut field = Field { low: Point { x: 1, y: 2 }, high: Point { x: 3, y: 4 }, tag: 5 };
    let grown = said(desk.grow(&mut field, 10));
    let corner = said(desk.corner(field));
    let Field { low, high, tag } = field;
    println!("grow {grown} {} {} {} {} {tag}, corner {} {}", low.x, low.y, high.x, high.y, corner.x, corner.y);
    let (mut out, from) = (0, 21);
    let all = said(desk.maybe(Some(&mut out), Some(&from)));
    let first = out;
    let half = said(desk.maybe(Some(&mut out), None));
    println!(
        "maybe {all} {first} {half} {out} {} {}",
        said(desk.maybe(None, Some(&from))),
        said(desk.maybe(None, None))
    );
    println!("first4 {}", said(desk.first4(&[1, 2, 3, 4])));
    let counter = said(desk.open(10));
    let mut twins = [Counter::NULL; 2];
    let (counted, made) = (said(desk.count(counter, 5)), said(desk.twins(&mut twins, 30)));
    let [one, two] = twins.map(|twin| said(desk.count(twin, 0)));
    println!("counter {counted} {made} {one} {two} {}", i32::from(said(desk.open(-1)).is_null()));
    let mut sum = 0;
    let mut adds = |value| {
        sum += value;
        value * 2
    };
    let each = said(desk.each(&values, 4, &mut adds));
    let nested = said(desk.each(&values, 2, &mut |value| said(desk.add(value, 100))));
    println!("each {each} {sum} {nested}");
    let mut adds = |value| {
        sum += value;
        value * 2
    };
    let perhaps = said(desk.perhaps(Some(&mut adds), 1));
    println!("perhaps {perhaps} {} {sum}", said(desk.perhaps(None, 1)));
    let mut compares = |a: &i32, b: &i32| i32::from(a > b) - i32::from(a < b);
    let mut backwards = |a: &i32, b: &i32| i32::from(a < b) - i32::from(a > b);
    for i in 0..6 {
        said(desk.sort(&mut values, 4, if i % 2 == 0 { &mut compares } else { &mut backwards }));
    }
    print!("sort {} {} {} {}", values[0], values[1], values[2], values[3]);
    said(desk.sort(&mut values, 4, &mut compares));
    println!(", {} {} {} {}", values[0], values[1], values[2], values[3]);
    // SAFETY: the function and the number are there for longer than the counter.
    let watched = said(unsafe { desk.watch(counter, Some(kept), (&raw mut sum).cast()) });
    let woken = said(desk.wake(counter, 6));
    println!("watch {watched} {woken} {sum}");
    (0..10).for_each(|_| assert_eq!(said(desk.later(counter, 1)), 0));
    println!("later {}", said(desk.count(counter, 0)));
    let (one, two) = ([1, 2, 3], [10]);
    let none = std::ptr::null();
    let mut rows = [Row { n: 3, cells: one.as_ptr() }, Row { n: 0, cells: none }, Row { n: 1, cells: two.as_ptr() }];
    // SAFETY: so many rows, each with so many cells.
    println!("total {}", said(unsafe { desk.total(rows.as_mut_ptr().cast(), 3) }));
    let failed = said(desk.check(13));
    let errno = std::io::Error::last_os_error().raw_os_error().unwrap();
    println!("check {failed} {errno} {}", said(desk.check(0)));
    println!("bounded {} {}", said(desk.bounded(9)), said(desk.bounded(10)));
    let value = said(desk.close(counter));
    let (dead, forged) = (said(desk.count(counter, 1)), said(desk.count(Counter(0x123_4567), 1)));
    println!("close {value}, dead {dead}, forged {forged}, null {}", said(desk.count(Counter::NULL, 1)));
    short_slices_are_refused(&desk);
    let worker = said(desk.process());
    assert!(worker > 1, "signals to others do harm");
    // SAFETY: numbers; the worker is this program's own.
    unsafe { libc::kill(worker, libc::SIGKILL) };
    let dead = desk.add(1, 1);
    assert!(matches!(dead, Err(Failed { declared: -99, error: Error::Channel(_) })), "{dead:?}");
    println!("killed {} {}", said(dead), said(desk.check(0)));
}

/// What C cannot say.
fn short_slices_are_refused(desk: &Client) {
    let short = desk.sum(&[1, 2], 3);
    assert!(matches!(short, Err(Failed { declared: -99, error: Error::Argument("values") })), "{short:?}");
    assert_eq!(said(desk.sum(&[1, 2, 3], 2)), 3, "a slice may be longer");
    assert!(desk.fill(&mut [0; 5], 2, 3, 0).is_err() && desk.fill(&mut [0; 5], u32::MAX, u32::MAX, 0).is_err());
    assert!(desk.copy(Some(&[1]), Some(&mut [0; 3]), 3).is_err());
}

unsafe extern "C" fn kept(value: i32, user: *mut std::ffi::c_void) -> i32 {
    // SAFETY: what `watch` was given.
    unsafe { *user.cast::<i32>() += value };
    value * 2
}
