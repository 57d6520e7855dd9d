//! CXUs of ckernels: what they own is destroyed once, and not while a command runs.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::{CkernelCxu, withdraw};

const UUID: Uuid = Uuid { high: 22, low: 1 };

/// Counts what is destroyed.
struct Owned(Arc<AtomicUsize>);

impl Drop for Owned {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A stateless CXU that answers with `answer`, and owns one thing.
fn cxu(answer: usize, destroyed: &Arc<AtomicUsize>) -> CkernelCxu {
    let owned = Owned(Arc::clone(destroyed));
    let answers = move |_: &mut [usize], _| {
        // loom looks whether what is used here is there.
        assert_eq!(owned.0.load(Ordering::Relaxed), 0);
        Reply { value: answer, response: Response::Ok }
    };
    CkernelCxu::new(UUID, c"owner").command(ADD, answers).unwrap()
}

fn issue(cx: &Cx) -> Result<usize, Response> {
    cx.select().issue(ADD, 0, 0).map_err(|error| error.0.response)
}

/// Three threads, which are interrupted three times at most: of more there are a million orders.
#[test]
fn what_a_withdrawn_cxu_owns_is_destroyed_once_when_no_command_runs() {
    let mut bounded = loom::model::Builder::new();
    bounded.preemption_bound = Some(bounded.preemption_bound.unwrap_or(3));
    bounded.check(|| {
        let destroyed = Arc::new(AtomicUsize::new(0));
        cxu(5, &destroyed).register().unwrap();
        let users = [(); 2].map(|()| {
            spawn(|| {
                let cx = open(UUID, EXCLUSIVE).ok()?;
                Some(issue(&cx))
            })
        });
        withdraw(UUID).unwrap();
        for user in users {
            let answer = user.join().unwrap();
            assert!(matches!(answer, None | Some(Ok(5) | Err(Response::Cxu))), "{answer:?}");
        }
        assert_eq!(destroyed.load(Ordering::Relaxed), 1);
        assert!(open(UUID, EXCLUSIVE).is_err());
    });
}

#[test]
fn no_command_begins_after_a_withdrawal() {
    model(|| {
        let destroyed = Arc::new(AtomicUsize::new(0));
        cxu(5, &destroyed).register().unwrap();
        let cx = open(UUID, EXCLUSIVE).unwrap();
        let withdrawer = spawn(|| withdraw(UUID).unwrap());
        let answers = [issue(&cx), issue(&cx)];
        let may_be = [[Ok(5); 2], [Ok(5), Err(Response::Cxu)], [Err(Response::Cxu); 2]];
        assert!(may_be.contains(&answers), "{answers:?}");
        withdrawer.join().unwrap();
        assert_eq!(destroyed.load(Ordering::Relaxed), 1);
        assert_eq!(issue(&cx), Err(Response::Cxu));
    });
}

#[test]
fn one_of_two_withdraws() {
    model(|| {
        let destroyed = Arc::new(AtomicUsize::new(0));
        cxu(5, &destroyed).register().unwrap();
        let other = spawn(|| withdraw(UUID));
        let mut both = [withdraw(UUID), other.join().unwrap()];
        both.sort_by_key(Result::is_err);
        assert_eq!(both, [Ok(()), Err(Error::NoDevice)]);
        assert_eq!(destroyed.load(Ordering::Relaxed), 1);
    });
}

/// Of two that register at once one is there, and the other's ckernels are destroyed; after a withdrawal the place is free.
#[test]
fn one_of_two_registers() {
    model(|| {
        let destroyed = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
        let theirs = Arc::clone(&destroyed[1]);
        let other = spawn(move || cxu(2, &theirs).register());
        let mine = cxu(1, &destroyed[0]).register();
        let theirs = other.join().unwrap();
        let there = issue(&open(UUID, EXCLUSIVE).unwrap()).unwrap();
        let lost = if there == 1 { [Ok(()), Err(Error::Busy)] } else { [Err(Error::Busy), Ok(())] };
        assert_eq!([mine, theirs], lost);
        assert_eq!(
            destroyed.each_ref().map(|count| count.load(Ordering::Relaxed)),
            [mine, theirs].map(|r| usize::from(r.is_err()))
        );
        withdraw(UUID).unwrap();
        assert!(destroyed.iter().all(|count| count.load(Ordering::Relaxed) == 1));
        assert_eq!(cxu(3, &Arc::new(AtomicUsize::new(0))).register(), Ok(()));
        withdraw(UUID).unwrap();
    });
}

/// A CXU is replaced by another one of the same UUID, while it is opened.
#[test]
fn an_open_finds_the_old_cxu_or_the_new_one_or_none() {
    model(|| {
        let destroyed = Arc::new(AtomicUsize::new(0));
        cxu(1, &destroyed).register().unwrap();
        let other = spawn(|| {
            withdraw(UUID).unwrap();
            cxu(2, &Arc::new(AtomicUsize::new(0))).register().unwrap();
        });
        match open(UUID, EXCLUSIVE) {
            Ok(cx) => {
                let answer = issue(&cx);
                assert!(matches!(answer, Ok(1 | 2) | Err(Response::Cxu)), "{answer:?}");
                assert!(answer != Ok(2) || destroyed.load(Ordering::Relaxed) == 1);
            }
            Err(error) => assert_eq!(error, Error::NoDevice),
        }
        other.join().unwrap();
        assert_eq!(destroyed.load(Ordering::Relaxed), 1);
        assert_eq!(issue(&open(UUID, EXCLUSIVE).unwrap()), Ok(2));
        withdraw(UUID).unwrap();
    });
}
