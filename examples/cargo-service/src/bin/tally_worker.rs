//! The service. Objects are its own; what it gives away of them is numbers.

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use cargo_service::tally::{Seen, Sum, Tally, serve};

#[derive(Default)]
struct Service {
    sums: Mutex<HashMap<Sum, Vec<u32>>>,
}

impl Service {
    fn with<T>(&self, what: impl FnOnce(&mut HashMap<Sum, Vec<u32>>) -> T) -> T {
        what(&mut self.sums.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Tally for Service {
    fn open(&self) -> Sum {
        self.with(|sums| {
            let sum = (1..).map(Sum).find(|sum| !sums.contains_key(sum)).unwrap_or(Sum::NULL);
            sums.insert(sum, Vec::new());
            sum
        })
    }

    fn add(&self, sum: Sum, numbers: &[u32], _: usize) -> i64 {
        self.with(|sums| {
            let Some(all) = sums.get_mut(&sum) else { return -1 };
            all.extend(numbers);
            all.iter().copied().map(i64::from).sum()
        })
    }

    fn each(&self, sum: Sum, seen: Seen) -> i32 {
        let all = self.with(|sums| sums.get(&sum).cloned()).unwrap_or_default();
        // A program that is gone sees nothing.
        let shown = all.iter().take_while(|number| seen.call(i64::from(**number)).is_ok());
        shown.count() as i32
    }

    fn close(&self, sum: Sum) -> i32 {
        self.with(|sums| if sums.remove(&sum).is_some() { 0 } else { -1 })
    }
}

fn main() -> ExitCode {
    serve(Service::default(), std::env::args())
}
