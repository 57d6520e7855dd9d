//! A Unix socket, by hand: the least that any RPC over one does. Each message is a call of the system on both sides.

use std::hint::black_box;
use std::io::{BufReader, Read, Write};
use std::os::unix::net::UnixStream;

use crate::Rival;

/// What is asked for: two words, what and a number or a size, and as many bytes.
const NUMBER: u64 = 0;
const PAGE: u64 = 1;
const TAKE: u64 = 2;
const NOTE: u64 = 3;
/// How many notes have come?
const NOTED: u64 = 4;

fn message(what: u64, value: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&what.to_ne_bytes());
    bytes[8..].copy_from_slice(&value.to_ne_bytes());
    bytes
}

/// Answers until the other side is gone.
pub fn serve(mut socket: UnixStream) {
    let mut from = BufReader::with_capacity(64 << 10, socket.try_clone().unwrap());
    let (mut asked, mut bytes, mut noted) = ([0; 16], vec![0; 1 << 20], 0u64);
    while from.read_exact(&mut asked).is_ok() {
        let [what, value] = [0, 8].map(|at| u64::from_ne_bytes(asked[at..at + 8].try_into().unwrap()));
        let bytes = if matches!(what, PAGE | TAKE) { &mut bytes[..value as usize] } else { &mut [] };
        from.read_exact(bytes).unwrap();
        match what {
            NUMBER => socket.write_all(&(value + 1).to_ne_bytes()).unwrap(),
            PAGE => socket.write_all(bytes).unwrap(),
            TAKE => socket.write_all(&u64::from(bytes[0]).to_ne_bytes()).unwrap(),
            NOTE => noted += black_box(value).min(1),
            _ => socket.write_all(&std::mem::take(&mut noted).to_ne_bytes()).unwrap(),
        }
    }
}

/// The program's side.
pub struct Client(pub UnixStream);

impl Client {
    fn answer(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.0.read_exact(&mut bytes).unwrap();
        u64::from_ne_bytes(bytes)
    }
}

impl Rival for Client {
    fn number(&mut self, value: u64) -> u64 {
        self.0.write_all(&message(NUMBER, value)).unwrap();
        self.answer()
    }

    fn page(&mut self, from: &[u8], to: &mut [u8]) {
        self.0.write_all(&[&message(PAGE, from.len() as u64), from].concat()).unwrap();
        self.0.read_exact(to).unwrap();
    }

    fn take(&mut self, bytes: &[u8]) {
        self.0.write_all(&message(TAKE, bytes.len() as u64)).unwrap();
        self.0.write_all(bytes).unwrap();
        self.answer();
    }

    fn notes(&mut self, count: u64) {
        (0..count).for_each(|_| self.0.write_all(&message(NOTE, 1)).unwrap());
        self.0.write_all(&message(NOTED, 0)).unwrap();
        assert_eq!(self.answer(), count);
    }
}
