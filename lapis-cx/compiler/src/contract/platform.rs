//! Platforms: which hardware answers which id.
//!
//! Two sides of one machine. Overloadable opcodes (overloadable-opcodes, "Description of the extension as C functions"):
//! `xext` maps (xintf id, sequence number, level) to a logical unit, as [`Discover`] says; `xcmd` maps (lun, level) to a
//! unit of a device, as [`Lun`] says. Composable extensions: a [`Cxu`] answers one interface under a CXU id, in a number
//! of state contexts (CX-ISA, `mcx_selector`).
//!
//! Everything is resolved and consistent: each unit implements the interface of the luns that lead to it, each lun is
//! discovered under its own interface, and nothing is mapped twice. Tables are in the order of the source.

use std::collections::BTreeMap;

use lapis_cx_core::xext::{DeviceRow, Levels, LunRow, Privilege};

use super::Xintf;
use crate::json::{Deserialize, JsonSchema, Serialize};
use crate::source::Span;

/// Luns that every platform answers without saying so, with the xintf id and the name of their interface, at all levels
/// (overloadable-opcodes, "The following standard xintfs shall be implemented by the CPU"). `Trap` is what an unknown
/// id leads to.
pub const FALLBACKS: [(u32, &str); 3] =
    [(0, "org.RiscV.Fallback:Trap"), (1, "org.RiscV.Fallback:ReturnZero"), (2, "org.RiscV.Fallback:ReturnMinusOne")];

/// The first lun that a platform may give to a device: 3 to 7 are reserved for further fallbacks, 8 to 30 are error
/// numbers, 31 is reserved.
pub const FIRST_LUN: u32 = 32;
/// A lun has twelve bits, and so have a unit and a sequence number.
pub const MAX_LUN: u32 = 0xFFF;
/// The greatest number of a unit of a device.
pub const MAX_UNIT: u32 = 0xFFF;
/// The greatest sequence number of a discovery: it is in bits 11:0 of rs1 of `xext`.
pub const MAX_SEQUENCE: u32 = 0xFFF;
/// The greatest number of `xcmd` instructions: their number is a funct3.
pub const MAX_XCMDS: u32 = 8;
/// The greatest CXU id: `mcx_selector.cxu_id` is bits 7:0.
pub const MAX_CXU: u32 = 0xFF;
/// The greatest number of state contexts of a CXU: `mcx_selector.state_id` is bits 23:16.
pub const MAX_CONTEXTS: u32 = 0x100;
/// The highest feature level of the CXU logic interface.
pub const MAX_CXU_LEVEL: u32 = 3;

pub use lapis_cx_core::xext::{device_port, unit_and_xcmd};

/// A machine: which ids it answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Platform {
    /// Its package, dotted.
    pub package: String,
    /// Its name in the package.
    pub name: String,
    /// Documentation, Markdown.
    pub docs: String,
    /// Width of its registers in bits: 32 or 64.
    pub xlen: u32,
    /// How many harts it has, at least 1.
    pub harts: u32,
    /// How many `xcmd` instructions it has, 1 to 8.
    pub xcmds: u32,
    /// Its privilege levels; empty if it has no luns.
    pub levels: Vec<Level>,
    /// The interfaces that the tables name, in order of first appearance.
    pub interfaces: Vec<Reference>,
    /// Devices behind overloadable opcodes.
    pub devices: Vec<Device>,
    /// Logical units, without the [`FALLBACKS`].
    pub luns: Vec<Lun>,
    /// What `xext` finds, without the [`FALLBACKS`].
    pub discovers: Vec<Discover>,
    /// Composable extension units.
    pub cxus: Vec<Cxu>,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// A privilege level (overloadable-opcodes, `enum privilege`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// User.
    U,
    /// Supervisor.
    S,
    /// Hypervisor.
    H,
    /// Machine.
    M,
}

impl Level {
    /// All levels, lowest privilege first.
    pub const ALL: [Level; 4] = [Level::U, Level::S, Level::H, Level::M];

    /// As the source writes it.
    pub fn name(self) -> &'static str {
        match self {
            Level::U => "u",
            Level::S => "s",
            Level::H => "h",
            Level::M => "m",
        }
    }

    /// As processors have it.
    pub fn privilege(self) -> Privilege {
        match self {
            Level::U => Privilege::User,
            Level::S => Privilege::Super,
            Level::H => Privilege::Hyper,
            Level::M => Privilege::Mach,
        }
    }
}

/// An interface of this or another package: what hardware must know of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reference {
    /// Its package, dotted.
    pub package: String,
    /// Its name in the package.
    pub name: String,
    /// The overloadable-opcode id; always there for interfaces of units and luns.
    pub xintf: Option<Xintf>,
    /// The UUID; always there for interfaces of CXUs.
    pub uuid: Option<uuid::Uuid>,
    /// The contract hash that the hardware must meet, 64 hex digits.
    pub contract: String,
    /// As [`Interface::short`](super::Interface::short).
    pub short: Option<String>,
    /// As [`Interface::long_name`](super::Interface::long_name).
    pub long_name: Option<String>,
    /// Whether it has state at the platform's XLEN.
    pub has_state: bool,
    /// Words of state at the platform's XLEN, the status word not counted; 0 without state.
    pub state_words: u64,
    /// The commands that an overloadable opcode issues at the platform's XLEN, by id.
    pub xcmds: Vec<Issued>,
}

/// A command that an overloadable opcode issues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Issued {
    /// Its id, 0 to 7.
    pub id: u16,
    /// Its name.
    pub name: String,
}

impl Reference {
    /// The contract hash as bytes.
    pub fn hash_bytes(&self) -> Option<[u8; 32]> {
        super::hash_bytes(&self.contract)
    }
}

ids! {
    /// Position in [`Platform::interfaces`].
    ReferenceId
    /// Position in [`Platform::devices`].
    DeviceId
}

/// A device: any number of units, each an implementation of one interface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Device {
    /// Its name.
    pub name: String,
    /// Documentation.
    pub docs: String,
    /// Its units, at least one.
    pub units: Vec<Unit>,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
}

/// A unit of a device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Unit {
    /// Its number, 0 to 4095.
    pub number: u32,
    /// What it implements.
    pub interface: ReferenceId,
    /// Documentation.
    pub docs: String,
    /// Where the number stands.
    #[serde(skip)]
    pub span: Span,
}

/// A logical unit: at each of its levels a unit of a device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Lun {
    /// Its number, 32 to 4095.
    pub number: u32,
    /// What the units implement.
    pub interface: ReferenceId,
    /// Documentation.
    pub docs: String,
    /// Where it leads, each level at most once. At all others an `xcmd` traps.
    pub routes: Vec<Route>,
    /// Where the number stands.
    #[serde(skip)]
    pub span: Span,
}

/// Where a lun leads at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Route {
    /// The level at which the `xcmd` is issued.
    pub level: Level,
    /// The device.
    pub device: DeviceId,
    /// The number of its unit.
    pub unit: u32,
}

/// What `xext` finds for one interface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Discover {
    /// The interface.
    pub interface: ReferenceId,
    /// Documentation.
    pub docs: String,
    /// At each level the sequence numbers are 0, 1, … without gaps; 0 is the default implementation.
    pub entries: Vec<Entry>,
}

/// A lun under a sequence number at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// The sequence number.
    pub sequence: u32,
    /// The level at which `xext` is issued.
    pub level: Level,
    /// The number of the lun, which leads somewhere at this level.
    pub lun: u32,
}

/// A composable extension unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cxu {
    /// Its id, 0 to 255, as in `mcx_selector.cxu_id`.
    pub id: u32,
    /// What it implements.
    pub interface: ReferenceId,
    /// Documentation.
    pub docs: String,
    /// Feature level of the CXU logic interface: 0 combinational and stateless, 1 fixed latency, 2 variable latency,
    /// 3 reordering.
    pub level: u32,
    /// Fewest and most cycles from a request to its response.
    pub latency: Option<(u32, u32)>,
    /// State contexts: 0 exactly for stateless interfaces, at most 256.
    pub contexts: u32,
    /// Ids of the commands that it leaves to software, ascending: it answers status 4 (`func`) to them.
    pub omits: Vec<u16>,
    /// Where the id stands.
    #[serde(skip)]
    pub span: Span,
}

impl Platform {
    /// An interface by its id; always there for ids of this platform.
    pub fn interface(&self, id: ReferenceId) -> Option<&Reference> {
        self.interfaces.get(id.index())
    }

    /// Whether it has overloadable opcodes.
    pub fn has_xcmds(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Whether programs have tables of it: of the processor with its overloadable opcodes, or of the CXUs of a hart.
    pub fn has_tables(&self) -> bool {
        self.has_xcmds() || !self.cxus.is_empty()
    }

    /// The id that `xext` finds an interface by: on RV32 it sees 20 bits, on RV64 52. `None` if it has none.
    pub fn id_of(&self, reference: &Reference) -> Option<u64> {
        let Xintf { id20, id52 } = reference.xintf?;
        Some(if self.xlen == 64 { id52 } else { u64::from(id20) })
    }

    /// The privilege levels as a set.
    pub fn privileges(&self) -> Levels {
        self.levels.iter().map(|level| level.privilege()).collect()
    }

    /// What `xext` finds, as processors look it up: ascending, a row for all levels at which a sequence number finds the same.
    pub fn lun_rows(&self) -> Vec<(LunRow, &Reference)> {
        let mut rows: BTreeMap<(u64, u16, u16), (Levels, &Reference)> = BTreeMap::new();
        for discover in &self.discovers {
            let Some(reference) = self.interface(discover.interface) else { continue };
            let Some(uuid) = self.id_of(reference) else { continue };
            for entry in &discover.entries {
                let row = rows.entry((uuid, entry.sequence as u16, entry.lun as u16));
                let (levels, _) = row.or_insert((Levels::NONE, reference));
                *levels = levels.or(Levels::of(&[entry.level.privilege()]));
            }
        }
        let row = |((uuid, dev, lun), (levels, reference))| (LunRow { uuid, dev, levels, lun }, reference);
        rows.into_iter().map(row).collect()
    }

    /// Where an `xcmd` goes, as processors look it up: ascending, a row for all levels from which a lun leads to one unit.
    pub fn device_rows(&self) -> Vec<(DeviceRow, &Reference)> {
        let mut rows: BTreeMap<(u16, u16, u16), (Levels, &Reference)> = BTreeMap::new();
        for lun in &self.luns {
            let Some(reference) = self.interface(lun.interface) else { continue };
            for route in &lun.routes {
                let row = rows.entry((lun.number as u16, route.device.0 as u16, route.unit as u16));
                let (levels, _) = row.or_insert((Levels::NONE, reference));
                *levels = levels.or(Levels::of(&[route.level.privilege()]));
            }
        }
        let row =
            |((lun, device, subdevice), (levels, reference))| (DeviceRow { lun, levels, device, subdevice }, reference);
        rows.into_iter().map(row).collect()
    }
}
