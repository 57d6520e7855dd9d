//! A model of the protocol (`PROTOCOL.md`), explored in every order of steps: two threads of a program, a thread of the library, calls
//! nested in synchronous and asynchronous callbacks, tickets, and the death of the worker. Each test that puts an old rule back shows
//! that the model finds the fault which that rule had.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::collections::{HashSet, VecDeque};

/// The rules that differ between the current protocol and earlier ones.
#[derive(Clone, Copy)]
struct Rules {
    /// Whether a reply goes to the request that it names. Otherwise it goes to the innermost request.
    replies_have_ids: bool,
    /// Whether calls in an asynchronous callback of the library's thread use a separate channel.
    has_own_channel: bool,
    /// Whether an asynchronous call that cannot be sent returns its ticket.
    gives_back: bool,
    /// Whether a call that ends an object waits until earlier calls are over. Otherwise it waits until they have started.
    waits_for_ends: bool,
    /// Whether the guest tells the worker that the program left a call during a callback.
    tells_left: bool,
}

const RULES: Rules =
    Rules { replies_have_ids: true, has_own_channel: true, gives_back: true, waits_for_ends: true, tells_left: true };

/// The channels: one of each thread of the program, one that the library's thread opens, and one that its peer opens.
const THREADS: usize = 2;
const OPENED_BY_LIBRARY: usize = 2;
const OWN: usize = 3;
const CHANNELS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Function {
    Plain,
    CallsBack {
        is_async: bool,
    },
    /// The library's thread calls back, and the function waits for a synchronous callback.
    ThreadCallsBack {
        is_async: bool,
    },
    Async,
    /// Ends the object that asynchronous calls use.
    Ends,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Message {
    Call { id: u8, function: Function, token: u8, ticket: u8, is_nested: bool },
    Return { id: u8, token: u8 },
    Callback { id: u8, within: u8 },
    Answer { id: u8, is_left: bool },
    Skipped { ticket: u8 },
}

/// A stack frame of a thread of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Outer {
    Call { channel: usize, id: u8, token: u8 },
    Callback { channel: usize, id: u8, has_called: bool },
}

/// A stack frame of a thread of the worker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Inner {
    Runs { id: u8, function: Function, token: u8, ticket: u8, has_called: bool },
    Waits { id: u8 },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Channel {
    to_worker: VecDeque<Message>,
    to_guest: VecDeque<Message>,
    aside: VecDeque<(u8, Message)>,
    worker: Vec<Inner>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Progress {
    next: u8,
    /// Tickets that were used before their turn.
    early: Vec<u8>,
}

impl Progress {
    fn pass(&mut self, ticket: u8) {
        if ticket < self.next || self.early.contains(&ticket) {
            return;
        }
        self.early.push(ticket);
        while let Some(at) = self.early.iter().position(|one| *one == self.next) {
            self.early.remove(at);
            self.next += 1;
        }
        self.early.sort_unstable();
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    channels: [Channel; CHANNELS],
    /// The threads of the program, and the thread that serves the library's thread.
    guest: [Vec<Outer>; THREADS + 1],
    outer_calls: [u8; THREADS],
    nested_calls: u8,
    tokens: u8,
    next_ticket: u8,
    started: Progress,
    over: Progress,
    /// The callbacks that the library's thread will make, and the channel whose call waits for the callback.
    job: Option<(bool, usize)>,
    is_dead: bool,
    may_die: bool,
}

type Step = Result<State, String>;

impl State {
    fn new(outer_calls: [u8; THREADS], nested_calls: u8, may_die: bool) -> State {
        State {
            channels: std::array::from_fn(|_| Channel::default()),
            guest: std::array::from_fn(|_| Vec::new()),
            outer_calls,
            nested_calls,
            tokens: 0,
            next_ticket: 0,
            started: Progress::default(),
            over: Progress::default(),
            job: None,
            is_dead: false,
            may_die,
        }
    }

    /// Returns whether every thread of the program is done and no record is in transit.
    fn is_over(&self) -> bool {
        let is_idle = |one: &Channel| one.to_worker.is_empty() && one.to_guest.is_empty() && one.worker.is_empty();
        let is_done = self.outer_calls == [0; THREADS] && self.guest.iter().all(Vec::is_empty);
        is_done && (self.is_dead || self.channels.iter().all(is_idle) && self.job.is_none())
    }

    fn depth(&self, thread: usize, channel: usize) -> u8 {
        let waits = |one: &&Outer| matches!(one, Outer::Call { channel: of, .. } if *of == channel);
        self.guest[thread].iter().filter(waits).count() as u8
    }

    /// Adds the steps in which the program makes a call.
    fn call(&self, thread: usize, function: Function, rules: Rules, steps: &mut Vec<Step>) {
        let mut next = self.clone();
        let innermost = self.guest[thread].last();
        let (channel, is_nested) = match innermost {
            None => (thread, false),
            // No thread reads the library's channel after an asynchronous callback.
            Some(Outer::Callback { channel: OPENED_BY_LIBRARY, id: 0, .. }) if rules.has_own_channel => (OWN, true),
            Some(Outer::Callback { channel, .. }) | Some(Outer::Call { channel, .. }) => (*channel, false),
        };
        match next.guest[thread].last_mut() {
            Some(Outer::Callback { has_called, .. }) => {
                (*has_called, next.nested_calls) = (true, self.nested_calls - 1)
            }
            _ => next.outer_calls[thread] -= 1,
        }
        next.tokens += 1;
        let (token, ticket) = (next.tokens, next.next_ticket);
        if function == Function::Async {
            next.next_ticket += 1;
            // Encoding may show that the call cannot be sent.
            let mut refused = next.clone();
            if rules.gives_back {
                refused.channels[channel].to_worker.push_back(Message::Skipped { ticket });
            }
            steps.push(Ok(refused));
        }
        let id = if function == Function::Async { 0 } else { self.depth(thread, channel) + 1 };
        next.channels[channel].to_worker.push_back(Message::Call { id, function, token, ticket, is_nested });
        if id != 0 {
            next.guest[thread].push(Outer::Call { channel, id, token });
        }
        steps.push(Ok(next));
    }

    /// Adds the next steps of a thread of the program.
    fn guest_steps(&self, thread: usize, rules: Rules, steps: &mut Vec<Step>) {
        let functions = [
            Function::Plain,
            Function::CallsBack { is_async: false },
            Function::CallsBack { is_async: true },
            Function::ThreadCallsBack { is_async: false },
            Function::ThreadCallsBack { is_async: true },
            Function::Async,
            Function::Ends,
        ];
        match self.guest[thread].last() {
            None if thread == THREADS => self.receive(thread, OPENED_BY_LIBRARY, 0, rules, steps),
            None if self.outer_calls[thread] > 0 => {
                functions.iter().for_each(|one| self.call(thread, *one, rules, steps))
            }
            None => {}
            Some(Outer::Call { .. }) if self.is_dead => {
                // All waiting calls fail.
                let mut next = self.clone();
                next.guest[thread].pop();
                steps.push(Ok(next));
            }
            Some(Outer::Call { channel, id, .. }) => self.receive(thread, *channel, *id, rules, steps),
            Some(Outer::Callback { channel, id, has_called }) => {
                if !has_called && self.nested_calls > 0 {
                    // The library has one thread, which may be the thread that calls back here.
                    let nested = functions.iter().filter(|one| !matches!(one, Function::ThreadCallsBack { .. }));
                    nested.for_each(|one| self.call(thread, *one, rules, steps));
                }
                let mut next = self.clone();
                next.guest[thread].pop();
                let mut left = next.clone();
                if *id != 0 {
                    next.channels[*channel].to_worker.push_back(Message::Answer { id: *id, is_left: false });
                }
                steps.push(Ok(next));
                // The program leaves the callback and the call around it.
                if *id != 0 && left.guest[thread].pop().is_some() {
                    if rules.tells_left {
                        left.channels[*channel].to_worker.push_back(Message::Answer { id: *id, is_left: true });
                    }
                    steps.push(Ok(left));
                }
            }
        }
    }

    /// Adds the steps in which the innermost request `id` of a thread takes a record or sets it aside.
    fn receive(&self, thread: usize, channel: usize, id: u8, rules: Rules, steps: &mut Vec<Step>) {
        let mut next = self.clone();
        let of = &mut next.channels[channel];
        let set_aside = of.aside.iter().position(|(request, _)| *request == id);
        let message = match set_aside {
            Some(at) => of.aside.remove(at).map(|(_, message)| message),
            None => of.to_guest.pop_front(),
        };
        let Some(message) = message else { return };
        let request = match message {
            Message::Return { id, .. } => id,
            Message::Callback { within, .. } => within,
            ref other => return steps.push(Err(format!("{other:?} came to the guest"))),
        };
        if rules.replies_have_ids && request != id {
            if request == 0 || request > id {
                return steps.push(Err(format!("{message:?} is for no request that waits")));
            }
            of.aside.push_back((request, message));
            return steps.push(Ok(next));
        }
        match message {
            Message::Return { token, .. } => match next.guest[thread].pop() {
                Some(Outer::Call { token: expected, .. }) if expected == token => steps.push(Ok(next)),
                other => steps.push(Err(format!("{other:?} took the reply of {token}"))),
            },
            Message::Callback { id, .. } => {
                next.guest[thread].push(Outer::Callback { channel, id, has_called: false });
                steps.push(Ok(next));
            }
            _ => {}
        }
    }

    /// Adds the next steps of the worker's thread of a channel.
    fn worker_steps(&self, channel: usize, rules: Rules, steps: &mut Vec<Step>) {
        let mut next = self.clone();
        match self.channels[channel].worker.last().cloned() {
            Some(Inner::Runs { id, function, token, ticket, has_called }) => {
                let waiting =
                    self.channels[channel].worker.iter().filter(|one| matches!(one, Inner::Waits { .. })).count();
                match function {
                    Function::CallsBack { is_async } if !has_called => {
                        let callback = if is_async { 0 } else { waiting as u8 + 1 };
                        let of = &mut next.channels[channel];
                        if let Some(Inner::Runs { has_called, .. }) = of.worker.last_mut() {
                            *has_called = true;
                        }
                        of.to_guest.push_back(Message::Callback { id: callback, within: id });
                        if callback != 0 {
                            of.worker.push(Inner::Waits { id: callback });
                        }
                    }
                    Function::ThreadCallsBack { is_async } if !has_called => {
                        // The library has one such thread.
                        if self.job.is_some() || !self.channels[OPENED_BY_LIBRARY].worker.is_empty() {
                            return;
                        }
                        next.job = Some((is_async, channel));
                        if let Some(Inner::Runs { has_called, .. }) = next.channels[channel].worker.last_mut() {
                            *has_called = true;
                        }
                    }
                    // The function joins that thread.
                    Function::ThreadCallsBack { .. } if self.job.is_some_and(|(_, of)| of == channel) => return,
                    _ => {
                        next.channels[channel].worker.pop();
                        if id == 0 {
                            next.over.pass(ticket);
                        } else {
                            next.channels[channel].to_guest.push_back(Message::Return { id, token });
                        }
                    }
                }
                steps.push(Ok(next));
            }
            top => {
                if channel == OPENED_BY_LIBRARY && top.is_none() {
                    return self.library_steps(steps);
                }
                let is_nested_here = top.is_some();
                match next.channels[channel].to_worker.pop_front() {
                    None => {}
                    Some(Message::Call { id, function, token, ticket, is_nested }) => {
                        let waits_for_ends = function == Function::Ends && rules.waits_for_ends;
                        let progress = if waits_for_ends { &self.over } else { &self.started };
                        let waits = !is_nested && !is_nested_here;
                        if waits && ticket > progress.next {
                            return;
                        }
                        if waits && function == Function::Ends && self.runs_before(ticket) {
                            return steps.push(Err(format!("{token} ends an object that an earlier call uses")));
                        }
                        if id == 0 {
                            next.started.pass(ticket);
                        }
                        let runs = Inner::Runs { id, function, token, ticket, has_called: false };
                        next.channels[channel].worker.push(runs);
                        steps.push(Ok(next));
                    }
                    Some(Message::Answer { id, is_left }) if top == Some(Inner::Waits { id }) => {
                        next.channels[channel].worker.pop();
                        if is_left {
                            // The function of the library does not return, and its call has no reply.
                            next.channels[channel].worker.pop();
                        }
                        if channel == OPENED_BY_LIBRARY && next.channels[channel].worker.is_empty() {
                            next.job = None;
                        }
                        steps.push(Ok(next));
                    }
                    Some(Message::Skipped { ticket }) => {
                        next.started.pass(ticket);
                        next.over.pass(ticket);
                        steps.push(Ok(next));
                    }
                    Some(other) => steps.push(Err(format!("{other:?} came to the worker, in {top:?}"))),
                }
            }
        }
    }

    /// Returns whether an asynchronous call with a lower ticket runs.
    fn runs_before(&self, ticket: u8) -> bool {
        let is_before = |one: &Inner| matches!(one, Inner::Runs { function: Function::Async, ticket: earlier, .. } if *earlier < ticket);
        self.channels.iter().flat_map(|channel| &channel.worker).any(is_before)
    }

    /// Adds the step in which the library's thread makes its callback.
    fn library_steps(&self, steps: &mut Vec<Step>) {
        let Some((is_async, _)) = self.job else { return };
        let mut next = self.clone();
        let of = &mut next.channels[OPENED_BY_LIBRARY];
        of.to_guest.push_back(Message::Callback { id: u8::from(!is_async), within: 0 });
        if is_async {
            next.job = None;
        } else {
            of.worker.push(Inner::Waits { id: 1 });
        }
        steps.push(Ok(next));
    }

    fn steps(&self, rules: Rules) -> Vec<Step> {
        let mut steps = Vec::new();
        (0..=THREADS).for_each(|thread| self.guest_steps(thread, rules, &mut steps));
        if !self.is_dead {
            (0..CHANNELS).for_each(|channel| self.worker_steps(channel, rules, &mut steps));
            if self.may_die {
                // Records that it sent before need not be read any more.
                steps.push(Ok(State {
                    is_dead: true,
                    job: None,
                    channels: std::array::from_fn(|_| Channel::default()),
                    ..self.clone()
                }));
            }
        }
        steps
    }
}

/// Explores all states. Returns their number, or the first fault and the state in which it was found.
fn explore(first: State, rules: Rules) -> Result<usize, String> {
    let mut seen = HashSet::from([first.clone()]);
    let mut open = VecDeque::from([first]);
    while let Some(state) = open.pop_front() {
        let steps = state.steps(rules);
        if steps.is_empty() && !state.is_over() {
            return Err(format!("hangs: {state:?}"));
        }
        for step in steps {
            let next = step.map_err(|fault| format!("{fault} after {state:?}"))?;
            if seen.insert(next.clone()) {
                open.push_back(next);
            }
        }
    }
    Ok(seen.len())
}

#[test]
fn every_order_of_steps_ends_and_each_request_gets_its_reply() {
    // The numbers of outer calls of both threads, and of calls nested in callbacks.
    for (outer, nested) in [([1, 0], 3), ([2, 0], 2), ([1, 1], 1)] {
        let states = explore(State::new(outer, nested, false), RULES);
        assert!(states.as_ref().is_ok_and(|states| *states > 100), "{outer:?} {nested}: {states:?}");
    }
}

#[test]
fn death_of_the_worker_ends_every_wait() {
    let states = explore(State::new([1, 1], 1, true), RULES);
    assert!(states.is_ok(), "{states:?}");
}

#[test]
fn replies_that_are_matched_by_order_are_mixed_up() {
    let found = explore(State::new([1, 0], 1, false), Rules { replies_have_ids: false, ..RULES });
    assert!(found.as_ref().is_err_and(|fault| fault.contains("took the reply of")), "{found:?}");
}

#[test]
fn calls_over_a_channel_that_nobody_reads_hang() {
    let found = explore(State::new([1, 0], 1, false), Rules { has_own_channel: false, ..RULES });
    assert!(found.as_ref().is_err_and(|fault| fault.starts_with("hangs")), "{found:?}");
}

#[test]
fn tickets_that_are_not_given_back_hang_later_calls() {
    let found = explore(State::new([2, 0], 0, false), Rules { gives_back: false, ..RULES });
    assert!(found.as_ref().is_err_and(|fault| fault.starts_with("hangs")), "{found:?}");
}

#[test]
fn calls_that_the_program_leaves_run_for_ever_if_the_worker_is_not_told() {
    let found = explore(State::new([1, 0], 0, false), Rules { tells_left: false, ..RULES });
    assert!(found.as_ref().is_err_and(|fault| fault.starts_with("hangs")), "{found:?}");
}

#[test]
fn objects_end_while_earlier_calls_use_them_if_only_starts_are_ordered() {
    let found = explore(State::new([1, 1], 0, false), Rules { waits_for_ends: false, ..RULES });
    assert!(found.as_ref().is_err_and(|fault| fault.contains("ends an object")), "{found:?}");
}
