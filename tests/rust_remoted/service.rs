//! The service in Rust. It does the same as the library in C.

use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use lapis_cx_remote::abi1::set_errno;

use crate::desk::{Colour, Compare, Counter, Desk, Field, Point, Row, Visit};

#[derive(Default)]
pub struct Service {
    counters: Mutex<HashMap<usize, (i32, Option<Visit>)>>,
    next: AtomicUsize,
}

impl Service {
    fn make(&self, start: i32) -> Counter {
        let counter = 1 + self.next.fetch_add(1, Ordering::Relaxed);
        self.counters.lock().unwrap().insert(counter, (start, None));
        Counter(counter)
    }
}

// SAFETY: no method returns or stores a pointer.
unsafe impl Desk for Service {
    fn add(&self, a: i32, b: i32) -> i32 {
        a + b
    }

    fn mixed(&self, small: i8, wide: u64, flag: bool, real: f64, colour: Colour) -> f64 {
        f64::from(small) + wide as f64 + if flag { real } else { 0.0 } + f64::from(colour.0)
    }

    fn sum(&self, values: &[i32], _: u32) -> i64 {
        values.iter().map(|value| i64::from(*value)).sum()
    }

    fn fill(&self, to: &mut [i32], _: u32, _: u32, first: i32) -> i32 {
        to.iter_mut().zip(first..).for_each(|(to, value)| *to = value);
        to.len() as i32
    }

    fn scale(&self, values: &mut [f64], _: usize, by: f64) -> i32 {
        values.iter_mut().for_each(|value| *value *= by);
        0
    }

    fn copy(&self, from: Option<&[u8]>, to: Option<&mut [u8]>, _: usize) -> i32 {
        match (from, to) {
            (Some(from), Some(to)) => {
                to.copy_from_slice(from);
                0
            }
            _ => 1,
        }
    }

    fn greet(&self, name: &CStr, to: &mut [u8], _: usize) -> i32 {
        let text = format!("hello {}", name.to_str().unwrap());
        if text.len() >= to.len() {
            return -1;
        }
        to.fill(0);
        to[..text.len()].copy_from_slice(text.as_bytes());
        text.len() as i32
    }

    fn length(&self, text: Option<&CStr>) -> i32 {
        text.map_or(1000, |text| text.count_bytes() as i32)
    }

    fn grow(&self, field: &mut Field, by: i32) -> i32 {
        field.low = Point { x: field.low.x - by, y: field.low.y - by };
        field.high = Point { x: field.high.x + by, y: field.high.y + by };
        field.tag += 1;
        0
    }

    fn corner(&self, field: Field) -> Point {
        Point { x: field.low.x, y: field.high.y }
    }

    fn maybe(&self, to: Option<&mut i32>, from: Option<&i32>) -> i32 {
        let result = i32::from(to.is_some()) + 2 * i32::from(from.is_some());
        if let Some(to) = to {
            *to = from.map_or(7, |from| from * 2);
        }
        result
    }

    fn first4(&self, values: &[i32; 4]) -> i32 {
        values.iter().rev().fold(0, |all, value| all * 10 + value)
    }

    fn open(&self, start: i32) -> Counter {
        if start < 0 { Counter::NULL } else { self.make(start) }
    }

    fn count(&self, counter: Counter, by: i32) -> i32 {
        let mut counters = self.counters.lock().unwrap();
        let counter = counters.get_mut(&counter.0).unwrap();
        counter.0 += by;
        counter.0
    }

    fn close(&self, counter: Counter) -> i32 {
        self.counters.lock().unwrap().remove(&counter.0).unwrap().0
    }

    fn twins(&self, made: &mut [Counter; 2], start: i32) -> i32 {
        *made = [self.make(start), self.make(start + 1)];
        0
    }

    fn each(&self, values: &[i32], _: u32, visit: Visit) -> i32 {
        values.iter().map(|value| visit.call(*value).unwrap_or_else(|failed| failed.declared)).sum()
    }

    fn perhaps(&self, visit: Option<Visit>, value: i32) -> i32 {
        visit.map_or(3, |visit| visit.call(value).unwrap_or_else(|failed| failed.declared))
    }

    fn sort(&self, values: &mut [i32], _: usize, compare: Compare) -> i32 {
        values.sort_by(|a, b| compare.call(a, b).unwrap_or(0).cmp(&0));
        0
    }

    fn watch(&self, counter: Counter, visit: Visit) -> i32 {
        self.counters.lock().unwrap().get_mut(&counter.0).unwrap().1 = Some(visit);
        0
    }

    fn wake(&self, counter: Counter, value: i32) -> i32 {
        let visit = self.counters.lock().unwrap().get(&counter.0).and_then(|counter| counter.1);
        visit.map_or(-1, |visit| visit.call(value).unwrap_or_else(|failed| failed.declared))
    }

    fn later(&self, counter: Counter, by: i32) -> i32 {
        self.count(counter, by);
        0
    }

    fn total(&self, rows: *mut std::ffi::c_void, n: u32) -> i32 {
        // SAFETY: the engine passes this number of rows with their cells.
        let rows = unsafe { std::slice::from_raw_parts(rows.cast::<Row>(), n as usize) };
        let cells = rows.iter().filter(|row| row.n > 0).flat_map(|row| {
            // SAFETY: as above.
            unsafe { std::slice::from_raw_parts(row.cells, row.n as usize) }
        });
        cells.sum()
    }

    fn check(&self, code: i32) -> i32 {
        if code == -1000 {
            panic!("a service that panics");
        }
        if code == 0 {
            return 0;
        }
        set_errno(code);
        -1
    }

    fn bounded(&self, n: i32) -> i32 {
        n
    }

    fn process(&self) -> i32 {
        std::process::id() as i32
    }
}
