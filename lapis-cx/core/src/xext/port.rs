//! What a device sees of an `xcmd`.

use super::LIMIT;

/// The number that a device gets (overloadable opcodes, `device_fn`): the subdevice in bits 11:0, the command above.
/// Subdevices below 4096 and commands below 8 keep apart in it. The document packs it in one place with `k >> 12` and reads it in another
/// with `<< 12`; this is the one place for both sides.
pub const fn device_port(subdevice: u32, command: u32) -> u32 {
    subdevice | command << 12
}

/// The subdevice and the command of a [`device_port`].
pub const fn unit_and_xcmd(port: u32) -> (u32, u32) {
    (port & (LIMIT as u32 - 1), port >> 12)
}

/// Subdevice and command of an `xcmd`: `subdevice_xcmd` of `device_fn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    subdevice: u16,
    command: u8,
}

impl Port {
    /// Of a subdevice below 4096 and a command below 8; `None` else.
    pub const fn new(subdevice: u16, command: u8) -> Option<Port> {
        if subdevice < LIMIT && command < 8 { Some(Port { subdevice, command }) } else { None }
    }

    /// Reads the document's `unsigned short`. `None` if bit 15, which no port has, is set.
    pub const fn from_bits(bits: u16) -> Option<Port> {
        let (subdevice, command) = unit_and_xcmd(bits as u32);
        Port::new(subdevice as u16, command as u8)
    }

    /// The document's `unsigned short`.
    pub const fn bits(self) -> u16 {
        device_port(self.subdevice as u32, self.command as u32) as u16
    }

    /// The subdevice, 0 to 4095.
    pub const fn subdevice(self) -> u16 {
        self.subdevice
    }

    /// The command, 0 to 7.
    pub const fn command(self) -> u8 {
        self.command
    }
}
