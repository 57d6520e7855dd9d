//! The same work on many things, on all cores.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::driver::BACKEND_DEFECT;

/// How many threads are worth their start: one for a small job, else one for each core.
pub(super) fn workers(is_small: bool) -> usize {
    if is_small { 1 } else { thread::available_parallelism().map_or(1, NonZero::get) }
}

/// What `run` gives for each item, in the order of the items; `None` where it panicked. This thread works too, and does
/// all that is left where no other can be started, so that the result is the same on any machine.
pub(super) fn map<T: Sync, R: Send>(items: &[T], workers: usize, run: impl Fn(&T) -> R + Sync) -> Vec<Option<R>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return done };
            done.push((at, catch_unwind(AssertUnwindSafe(|| run(item))).ok()));
        }
    };
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..workers.min(items.len())).map_while(start).collect();
        let own = work();
        let others = others.into_iter().flat_map(|other| other.join().unwrap_or_default());
        for (at, result) in own.into_iter().chain(others) {
            if let Some(place) = results.get_mut(at) {
                *place = result;
            }
        }
    });
    results
}

/// What is said of work that panicked.
pub(super) fn panicked(work: &str) -> Diagnostic {
    Diagnostic::without_place(&BACKEND_DEFECT, format!("{work} panicked"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_on_any_number_of_threads() {
        let items: Vec<u32> = (0..1000).collect();
        for workers in [0, 1, 2, 7, 2000] {
            let squares = map(&items, workers, |n| n * n);
            assert!(squares.into_iter().eq(items.iter().map(|n| Some(n * n))), "{workers}");
        }
        assert!(map(&[0u8; 0], 4, |n| *n).is_empty());
    }

    #[test]
    #[allow(clippy::panic)]
    fn a_panic_is_the_result_of_its_item_alone() {
        for workers in [1, 4] {
            let found = map(&[1, 2, 3], workers, |n| if *n == 2 { panic!("as the test wants") } else { *n });
            assert_eq!(found, [Some(1), None, Some(3)]);
        }
    }
}
