//! Calls and void records whose instructions valgrind counts. One thread has both ends, so nobody ever waits: the number is the same
//! on each run. Count two numbers of rounds; what one round takes is the difference.
//!
//! ```text
//! cargo build --release -p lapis-cx-remote --example instructions
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/examples/instructions call 100000
//! ```
#![cfg(not(loom))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::hint::black_box;

use lapis_cx_remote::{Channel, Spin, Wake};

fn send(to: &mut Channel, value: u64, wake: Wake) {
    let mut writer = to.sender.record(1);
    writer.put_u64(value);
    writer.put_u64(value);
    writer.commit(wake).unwrap();
}

fn receive(from: &mut Channel) {
    let mut reader = from.receiver.next().unwrap();
    black_box((reader.kind(), reader.get_u64().unwrap(), reader.get_u64().unwrap()));
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (what, rounds) = (arguments.next().unwrap(), arguments.next().unwrap().parse::<u64>().unwrap());
    let [(mut a, _), (mut b, _)] = Channel::pair(65536, Spin::Never).unwrap();
    match what.as_str() {
        "call" => (0..rounds).for_each(|n| {
            send(&mut a, n, Wake::Now);
            receive(&mut b);
            send(&mut b, n, Wake::Now);
            receive(&mut a);
        }),
        "void" => (0..rounds).for_each(|n| {
            send(&mut a, n, Wake::Later);
            receive(&mut b);
        }),
        "poll" => (0..rounds).for_each(|_| assert!(b.receiver.try_next().unwrap().is_none())),
        _ => panic!("call, void or poll"),
    }
}
