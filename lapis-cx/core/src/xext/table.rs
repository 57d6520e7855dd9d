//! The two tables of a processor, and what must hold of them.

use core::fmt;

use super::register::LunKind;
use super::{LIMIT, Levels, Privilege, mask};
use crate::encoding::LUN_BITS;

/// One thing that `xext` finds (overloadable opcodes, `uuid_device_priv2lun`), at some levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LunRow {
    /// The id of the interface: 20 bits on RV32, 52 bits on RV64.
    pub uuid: u64,
    /// The sequence number; 0 is the default implementation.
    pub dev: u16,
    /// The levels at which this is found.
    pub levels: Levels,
    /// What is found.
    pub lun: u16,
}

/// One place that an `xcmd` goes to (overloadable opcodes, `lun_priv2device_subdevice`), from some levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeviceRow {
    /// The lun that the command names.
    pub lun: u16,
    /// The levels at which it is issued.
    pub levels: Levels,
    /// The position of the device among those of the processor.
    pub device: u16,
    /// What of the device.
    pub subdevice: u16,
}

impl LunRow {
    /// A row for these levels.
    pub const fn new(uuid: u64, dev: u16, levels: &[Privilege], lun: u16) -> LunRow {
        LunRow { uuid, dev, levels: Levels::of(levels), lun }
    }
}

impl DeviceRow {
    /// A row for these levels.
    pub const fn new(lun: u16, levels: &[Privilege], device: u16, subdevice: u16) -> DeviceRow {
        DeviceRow { lun, levels: Levels::of(levels), device, subdevice }
    }
}

/// A processor as `cxc` prints it from a `platform` item. The interfaces of luns 0 to 2 stand in no table: each has them.
#[derive(Clone, Copy, Debug)]
pub struct Platform<'t, const XLEN: u32> {
    /// For messages.
    pub name: &'t str,
    /// The levels that it has, at least one.
    pub levels: Levels,
    /// How many `xcmd` instructions it has, 1 to 8.
    pub xcmds: u8,
    /// How many devices the rows name.
    pub devices: u16,
    /// `cpu__lun_map`, ascending by id and sequence number.
    pub luns: &'t [LunRow],
    /// `cpu__device_subdevice_map`, ascending by lun.
    pub routes: &'t [DeviceRow],
}

/// What is wrong with a platform; rows are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TableError {
    /// It has no privilege level.
    NoLevels,
    /// The number of `xcmd` instructions is not 1 to 8.
    Xcmds(u8),
    /// A row of [`Platform::luns`].
    Luns(usize, RowFault),
    /// A row of [`Platform::routes`].
    Routes(usize, RowFault),
}

/// What is wrong with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RowFault {
    /// The id has more bits than registers have above the sequence number.
    WideId,
    /// The id is 0, 1 or 2, which every processor answers already.
    StandardId,
    /// The sequence number, the lun or the subdevice has more than twelve bits.
    TwelveBits,
    /// The lun is a fallback, reserved, or the number of an error.
    NotADevice(LunKind),
    /// The row holds at no level.
    NoLevels,
    /// The platform has none of these.
    UnknownLevels(Levels),
    /// The row before this one comes behind it.
    Order,
    /// The earlier row says something else for the same key at these levels.
    Twice {
        /// The earlier row.
        row: usize,
        /// The levels of both.
        levels: Levels,
    },
    /// At these levels the sequence number before this one is not there.
    Gap(Levels),
    /// At these levels the lun leads to no device.
    Unrouted(Levels),
    /// There is no device at this position.
    NoDevice,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::NoLevels => f.write_str("the platform has no privilege level"),
            TableError::Xcmds(n) => write!(f, "a platform has 1 to 8 xcmd instructions, not {n}"),
            TableError::Luns(row, fault) => write!(f, "row {row} of the luns that are found: {fault}"),
            TableError::Routes(row, fault) => write!(f, "row {row} of the devices behind luns: {fault}"),
        }
    }
}

impl fmt::Display for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowFault::WideId => f.write_str("the id is wider than a register without twelve bits"),
            RowFault::StandardId => f.write_str("ids 0 to 2 are those of the fallbacks, which are there without a row"),
            RowFault::TwelveBits => f.write_str("luns, subdevices and sequence numbers have twelve bits"),
            RowFault::NotADevice(LunKind::Error(n)) => write!(f, "{n} is the number of an error; devices begin at 32"),
            RowFault::NotADevice(LunKind::Fallback(_)) => {
                f.write_str("luns 0 to 2 are the fallbacks; devices begin at 32")
            }
            RowFault::NotADevice(_) => f.write_str("the lun is reserved; devices begin at 32"),
            RowFault::NoLevels => f.write_str("it holds at no level"),
            RowFault::UnknownLevels(levels) => write!(f, "the platform has not the level {levels}"),
            RowFault::Order => f.write_str("rows ascend, and the one before this one comes behind it"),
            RowFault::Twice { row, levels } => write!(f, "row {row} has the same key at the level {levels}"),
            RowFault::Gap(levels) => {
                write!(f, "sequence numbers have no gaps, and the one before is not there at the level {levels}")
            }
            RowFault::Unrouted(levels) => write!(f, "the lun leads to no device at the level {levels}"),
            RowFault::NoDevice => f.write_str("there is no device at this position"),
        }
    }
}

impl core::error::Error for TableError {}

impl<const XLEN: u32> Platform<'_, XLEN> {
    /// The lun of a device (overloadable opcodes, `cpu__lookup_lun`), the three of every processor among them. `None` for what is
    /// not known at this level.
    pub fn lookup_lun(&self, uuid: u64, dev: u16, level: Privilege) -> Option<u16> {
        let find = |rows: &[LunRow]| {
            let from = rows.partition_point(|row| (row.uuid, row.dev) < (uuid, dev));
            let same = rows.iter().skip(from).take_while(|row| (row.uuid, row.dev) == (uuid, dev));
            same.filter(|row| row.levels.has(level)).map(|row| row.lun).next()
        };
        find(&super::STANDARD_LUNS).or_else(|| find(self.luns))
    }

    /// Where an `xcmd` to a lun of a device goes (overloadable opcodes, `cpu__lookup_device_subdevice`). `None` for a
    /// pair that is not known, and for the fallbacks.
    pub fn lookup_device(&self, lun: u16, level: Privilege) -> Option<DeviceRow> {
        let from = self.routes.partition_point(|row| row.lun < lun);
        let same = self.routes.iter().skip(from).take_while(|row| row.lun == lun);
        same.filter(|row| row.levels.has(level)).copied().next()
    }

    /// Checks that the tables are a processor: each key leads to one place at each level, and no number is one that has
    /// another meaning. Lookups rely on it. It is `const`, so that printed tables are checked when they are compiled.
    ///
    /// # Errors
    /// The first [`TableError`], which names the row.
    pub const fn check(&self) -> Result<(), TableError> {
        if self.levels.is_empty() {
            return Err(TableError::NoLevels);
        }
        if self.xcmds == 0 || self.xcmds > 8 {
            return Err(TableError::Xcmds(self.xcmds));
        }
        let mut i = 0;
        while i < self.routes.len() {
            if let Err(fault) = self.check_route(i) {
                return Err(TableError::Routes(i, fault));
            }
            i += 1;
        }
        i = 0;
        while i < self.luns.len() {
            if let Err(fault) = self.check_lun(i) {
                return Err(TableError::Luns(i, fault));
            }
            i += 1;
        }
        Ok(())
    }

    const fn check_route(&self, i: usize) -> Result<(), RowFault> {
        let row = self.routes[i];
        if row.lun >= LIMIT || row.subdevice >= LIMIT {
            return Err(RowFault::TwelveBits);
        }
        if let Err(fault) = self.common(row.lun, row.levels) {
            return Err(fault);
        }
        if row.device >= self.devices {
            return Err(RowFault::NoDevice);
        }
        if i > 0 && self.routes[i - 1].lun > row.lun {
            return Err(RowFault::Order);
        }
        let mut j = i;
        while j > 0 && self.routes[j - 1].lun == row.lun {
            j -= 1;
            let levels = self.routes[j].levels.and(row.levels);
            if !levels.is_empty() {
                return Err(RowFault::Twice { row: j, levels });
            }
        }
        Ok(())
    }

    const fn check_lun(&self, i: usize) -> Result<(), RowFault> {
        let row = self.luns[i];
        if row.uuid > (mask::<XLEN>() >> LUN_BITS) as u64 {
            return Err(RowFault::WideId);
        }
        if row.uuid <= 2 {
            return Err(RowFault::StandardId);
        }
        if row.lun >= LIMIT || row.dev >= LIMIT {
            return Err(RowFault::TwelveBits);
        }
        if let Err(fault) = self.common(row.lun, row.levels) {
            return Err(fault);
        }
        if i > 0 {
            let before = self.luns[i - 1];
            if before.uuid > row.uuid || (before.uuid == row.uuid && before.dev > row.dev) {
                return Err(RowFault::Order);
            }
        }
        // Each row has at least one level, and none twice for a key, so few rows are looked at.
        let (mut j, mut below) = (i, Levels::NONE);
        while j > 0 && self.luns[j - 1].uuid == row.uuid && self.luns[j - 1].dev + 1 >= row.dev {
            j -= 1;
            let other = self.luns[j];
            if other.dev != row.dev {
                below = below.or(other.levels);
                continue;
            }
            let levels = other.levels.and(row.levels);
            if !levels.is_empty() {
                return Err(RowFault::Twice { row: j, levels });
            }
        }
        let gap = row.levels.without(below);
        if row.dev > 0 && !gap.is_empty() {
            return Err(RowFault::Gap(gap));
        }
        let unrouted = row.levels.without(self.routed(row.lun));
        if !unrouted.is_empty() {
            return Err(RowFault::Unrouted(unrouted));
        }
        Ok(())
    }

    const fn common(&self, lun: u16, levels: Levels) -> Result<(), RowFault> {
        match LunKind::of(lun) {
            LunKind::Device => {}
            kind => return Err(RowFault::NotADevice(kind)),
        }
        if levels.is_empty() {
            return Err(RowFault::NoLevels);
        }
        let unknown = levels.without(self.levels);
        if !unknown.is_empty() {
            return Err(RowFault::UnknownLevels(unknown));
        }
        Ok(())
    }

    /// The levels at which a lun leads somewhere. The routes ascend, which was checked before.
    const fn routed(&self, lun: u16) -> Levels {
        let (mut low, mut high) = (0, self.routes.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.routes[middle].lun < lun {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut levels = Levels::NONE;
        while low < self.routes.len() && self.routes[low].lun == lun {
            levels = levels.or(self.routes[low].levels);
            low += 1;
        }
        levels
    }
}
