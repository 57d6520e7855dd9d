//! The first message of each process. All numbers are little-endian.
//!
//! ```text
//!   0  magic, 8 bytes          24  channels                 (u32)
//!   8  version        (u32)    28  length of the name       (u32)
//!  12  data model     (u8)     32  hash of the contract     (32 bytes)
//!  13  byte order     (u8)     64  name, padded with 0      (64 bytes)
//!  14  transports     (u8): 1 shared memory, 2 sockets; the worker chooses one
//!  15  in-place memory (u8): 0 none, n: 2^n bytes
//!  16  page size      (u32)    20  ring size                (u32)
//! ```

use crate::transport::Transport;
use crate::transport::memory::{Geometry, page_size};

/// The magic of a guest's hello.
const HELLO: &[u8; 8] = b"LAPISCX?";
/// The magic of the hello with which a worker accepts a guest.
const WELCOME: &[u8; 8] = b"LAPISCX!";
/// The magic of the message with which a worker refuses a guest. The reason follows as text.
const REFUSED: &[u8; 8] = b"LAPISCX-";
/// The version of the protocol: of this handshake, of control messages and of records.
const VERSION: u32 = 11;
/// The size of a hello in bytes.
const BYTES: usize = 128;
/// The offset and the largest size of the name in bytes.
const NAME: usize = 64;
/// The longest reason in bytes.
const REASON: usize = 512;

/// Identifies a library. Both sides must name the same library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The name, at most 64 bytes.
    pub name: String,
    /// The SHA-256 hash of the contract.
    pub contract: [u8; 32],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hello {
    pub library: Library,
    pub geometry: Geometry,
    version: u32,
    /// 1: ILP32, 2: LP64.
    data_model: u8,
    /// 1: little-endian, 2: big-endian.
    order: u8,
    page: u32,
    transports: Transports,
}

/// A set of transports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Transports(u8);

impl Transports {
    fn bit(transport: Transport) -> u8 {
        1 << transport as u8
    }

    pub fn new(of: &[Transport]) -> Transports {
        Transports(of.iter().fold(0, |set, &transport| set | Transports::bit(transport)))
    }

    pub fn both(self, other: Transports) -> Transports {
        Transports(self.0 & other.0)
    }

    pub fn has(self, transport: Transport) -> bool {
        self.0 & Transports::bit(transport) != 0
    }

    /// Returns the transport if the set has exactly one.
    pub fn one(self) -> Option<Transport> {
        [Transport::Shared, Transport::Socket].into_iter().find(|&one| self.0 == Transports::bit(one))
    }

    fn words(self) -> &'static str {
        match self.0 {
            0 => "no transport",
            1 => "shared memory",
            2 => "sockets",
            3 => "shared memory or sockets",
            _ => "unknown transports",
        }
    }
}

impl Hello {
    pub fn new(library: &Library, geometry: Geometry, transports: Transports) -> Hello {
        let order = if cfg!(target_endian = "little") { 1 } else { 2 };
        let data_model = if size_of::<usize>() == 8 { 2 } else { 1 };
        let page = page_size() as u32;
        Hello { library: library.clone(), geometry, version: VERSION, data_model, order, page, transports }
    }

    fn write(&self, magic: &[u8; 8]) -> Vec<u8> {
        let name = self.library.name.as_bytes();
        let name = &name[..name.len().min(NAME)];
        let mut to = Vec::with_capacity(BYTES);
        to.extend(magic);
        to.extend(self.version.to_le_bytes());
        let in_place = if self.geometry.in_place == 0 { 0 } else { self.geometry.in_place.ilog2() as u8 };
        to.extend([self.data_model, self.order, self.transports.0, in_place]);
        for number in [self.page, self.geometry.ring, self.geometry.channels, name.len() as u32] {
            to.extend(number.to_le_bytes());
        }
        to.extend(self.library.contract);
        to.extend(name);
        to.resize(BYTES, 0);
        to
    }

    pub fn encode_request(&self) -> Vec<u8> {
        self.write(HELLO)
    }

    pub fn encode_welcome(&self) -> Vec<u8> {
        self.write(WELCOME)
    }

    /// Decodes a hello, or returns why it is invalid.
    fn read(from: &[u8], magic: &[u8; 8]) -> Result<Hello, String> {
        let Some(found) = from.first_chunk::<8>() else {
            return Err("the other process sent fewer than 8 bytes".to_owned());
        };
        if found != magic {
            return Err("the other process uses another protocol, or is no guest or worker".to_owned());
        }
        let number = |at: usize| -> u32 {
            from.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes)
        };
        // The version is checked first, because another version may have another layout.
        if number(8) != VERSION {
            return Err(format!(
                "the other process has version {} of the protocol, this process version {VERSION}",
                number(8)
            ));
        }
        let contract = from.get(32..).and_then(<[u8]>::first_chunk::<32>);
        let name = from.get(NAME..NAME + (number(28) as usize).min(NAME));
        let (Some(contract), Some(name), BYTES) = (contract, name, from.len()) else {
            return Err(format!("the other process sent a greeting of {} bytes, expected {BYTES}", from.len()));
        };
        let name = std::str::from_utf8(name).map_err(|_| "the name of the library is not UTF-8".to_owned())?.to_owned();
        let in_place = match from[15] {
            0 => 0,
            // An invalid size is rejected later, with the rest of the geometry.
            power => 1u32.checked_shl(power.into()).unwrap_or(u32::MAX),
        };
        Ok(Hello {
            library: Library { name, contract: *contract },
            geometry: Geometry { ring: number(20), channels: number(24), in_place },
            version: number(8),
            data_model: from[12],
            order: from[13],
            page: number(16),
            transports: Transports(from[14]),
        })
    }

    /// Returns the transports that both sides can use. Shared memory needs the same page size on both sides.
    pub fn common(&self, other: &Hello) -> Transports {
        let both = self.transports.both(other.transports);
        if self.page == other.page { both } else { both.both(Transports::new(&[Transport::Socket])) }
    }

    pub fn transport(&self) -> Option<Transport> {
        self.transports.one()
    }

    pub fn decode_request(from: &[u8]) -> Result<Hello, String> {
        Hello::read(from, HELLO)
    }

    /// Decodes the answer of a worker.
    pub fn decode_reply(from: &[u8]) -> Result<Hello, String> {
        if let Some(reason) = from.strip_prefix(REFUSED) {
            return Err(String::from_utf8_lossy(reason).chars().filter(|char| !char.is_control()).collect());
        }
        Hello::read(from, WELCOME)
    }

    /// Returns why this worker cannot serve `guest`, or `None` if it can.
    pub fn mismatch(&self, guest: &Hello) -> Option<String> {
        let models = ["an unknown data model", "ILP32", "LP64"];
        let orders = ["in an unknown order", "little-endian", "big-endian"];
        let word = |of: [&'static str; 3], which: u8| of[usize::from(which) % 3];
        let hex = |hash: [u8; 32]| hash[..6].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        if guest.library.name != self.library.name {
            return Some(format!("this worker serves `{}`, not `{}`", self.library.name, guest.library.name));
        }
        if guest.library.contract != self.library.contract {
            let (here, there) = (hex(self.library.contract), hex(guest.library.contract));
            return Some(format!(
                "this worker was built for contract {here}… of `{}`, the guest for {there}…; build both from the same specification",
                self.library.name
            ));
        }
        if guest.data_model != self.data_model {
            let (here, there) = (word(models, self.data_model), word(models, guest.data_model));
            return Some(format!("this worker is {here}, the guest is {there}"));
        }
        if guest.order != self.order {
            let (here, there) = (word(orders, self.order), word(orders, guest.order));
            return Some(format!("this worker is {here}, the guest is {there}"));
        }
        let both = self.transports.both(guest.transports);
        if both.0 == 0 {
            let (here, there) = (self.transports.words(), guest.transports.words());
            return Some(format!("this worker offers {here}, the guest {there}"));
        }
        // The page size only matters to shared memory.
        if guest.page != self.page && !both.has(Transport::Socket) {
            return Some(format!(
                "the page size of this worker is {} bytes, of the guest {} bytes",
                self.page, guest.page
            ));
        }
        None
    }
}

pub(super) fn encode_refusal(reason: &str) -> Vec<u8> {
    let mut to = REFUSED.to_vec();
    to.extend(reason.bytes().take(REASON));
    to
}
