//! Threads that a scheduler moves between harts, in every order: each hart is a thread of loom, and takes the threads of the
//! machine out of one lock after the other. What a thread computes is what it would compute alone.

use lapis_cx_core::machine::{Contract, Cxu, Hart, Operation, StateContext, Thread, Unit, Virtual};
use lapis_cx_core::{CsrOp, Error, Reply, Response, Selector, Sharing, Slot, Uuid};
use loom::model;
use loom::sync::{Arc, Mutex};
use loom::thread::spawn;

/// What a hart has: one state context with one word. States move by the commands of IStateContext.
#[derive(Default)]
struct Sum {
    status: usize,
    sum: usize,
}

const ADD: u32 = 0;

const SUM: Contract = Contract {
    uuid: Uuid { high: 31, low: 1 },
    xlen: usize::BITS,
    sharing: Sharing::Exclusive,
    state_words: 1,
    has_state_context: true,
};

impl Cxu for Sum {
    fn contract(&self) -> Contract {
        SUM
    }
    fn contexts(&self) -> usize {
        1
    }
    fn issue(&mut self, _: u8, function: u32, rs1: usize, rs2: usize) -> Reply {
        let value = match function {
            ADD => {
                (self.status, self.sum) = (1 << 2 | 3, self.sum + rs1);
                self.sum
            }
            1020 => {
                (self.status, self.sum) = (1 << 2 | 3, rs2);
                rs2
            }
            1021 => self.sum,
            1022 => {
                if rs1 & 3 < 2 {
                    self.sum = 0;
                }
                std::mem::replace(&mut self.status, 1 << 2 | rs1 & 3)
            }
            _ => self.status,
        };
        Reply { value, response: Response::Ok }
    }
    fn csr(&mut self, _: u8, _: CsrOp, _: u32, _: usize) -> Reply {
        Reply { value: 0, response: Response::Func }
    }
}

type Image = &'static mut [u64];
type H = Hart<Sum, Box<[StateContext]>, Vec<Unit<Sum, Box<[StateContext]>>>>;
type T = Thread<Image, Box<[Slot<Virtual<Image>>]>>;

fn hart(id: u32) -> H {
    Hart::new(id, vec![Unit::new(Sum::default(), vec![StateContext::FREE].into()).unwrap()])
}

/// A thread with its open CX, and the sum that it has reached.
struct Task {
    thread: T,
    cx: Option<Selector>,
    sum: usize,
}

fn task() -> Arc<Mutex<Task>> {
    let slots: Vec<_> = (0..2).map(|_| Slot::VACANT).collect();
    Arc::new(Mutex::new(Task { thread: Thread::new(slots.into()).unwrap(), cx: None, sum: 0 }))
}

/// The task adds on the hart that it runs on. It opens its CX the first time.
fn add(hart: &mut H, task: &mut Task, by: usize) {
    let Task { thread, cx, sum } = task;
    let cx = *cx.get_or_insert_with(|| {
        let image = |words| Some(&mut *Box::leak(vec![0; words].into_boxed_slice()));
        hart.open(thread, SUM.uuid, true, image).unwrap()
    });
    thread.select(cx);
    let reply = hart.issue(thread, Operation::Command { function: ADD, rs1: by, rs2: 0 });
    *sum += by;
    assert_eq!(reply, Reply { value: *sum, response: Response::Ok });
}

/// Runs a task on a hart for a while.
fn run(hart: &mut H, task: &Mutex<Task>, by: usize) {
    let task = &mut *task.lock().unwrap();
    hart.resume(&mut task.thread).unwrap();
    add(hart, task, by);
    hart.suspend(&mut task.thread);
}

#[test]
fn threads_take_their_states_from_hart_to_hart() {
    model(|| {
        let tasks = [task(), task()];
        let theirs = tasks.clone();
        let other = spawn(move || {
            let mut hart = hart(1);
            for (turn, task) in [&theirs[1], &theirs[0], &theirs[1]].into_iter().enumerate() {
                run(&mut hart, task, 100 << turn);
            }
        });
        let mut hart = hart(0);
        for (turn, task) in [&tasks[0], &tasks[1], &tasks[0]].into_iter().enumerate() {
            run(&mut hart, task, 1 << turn);
        }
        other.join().unwrap();
        let sums = tasks.each_ref().map(|task| task.lock().unwrap().sum);
        assert_eq!(sums, [1 + 4 + 200, 2 + 100 + 400]);
        for task in &tasks {
            run(&mut hart, task, 1000);
        }
    });
}

/// A scheduler that does not wait for the hart on which a thread runs is told so, and that hart goes on with it.
#[test]
fn a_thread_that_runs_is_on_one_hart() {
    model(|| {
        let task = task();
        let mut hart = hart(0);
        {
            let task = &mut *task.lock().unwrap();
            hart.resume(&mut task.thread).unwrap();
            add(&mut hart, task, 1);
        }
        let theirs = Arc::clone(&task);
        let other = spawn(move || {
            let mut hart = self::hart(1);
            let task = &mut *theirs.lock().unwrap();
            let resumed = hart.resume(&mut task.thread);
            if resumed.is_ok() {
                add(&mut hart, task, 10);
                hart.suspend(&mut task.thread);
            }
            resumed
        });
        {
            let task = &mut *task.lock().unwrap();
            add(&mut hart, task, 100);
            hart.suspend(&mut task.thread);
        }
        let resumed = other.join().unwrap();
        assert!(matches!(resumed, Ok(()) | Err(Error::Busy)), "{resumed:?}");
        run(&mut hart, &task, 1000);
        assert_eq!(task.lock().unwrap().sum, 1101 + 10 * usize::from(resumed.is_ok()));
    });
}
