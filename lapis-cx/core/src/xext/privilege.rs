//! Privilege levels, and sets of them.

use core::fmt;

/// A privilege level, one bit each (overloadable opcodes, `enum privilege`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Privilege {
    /// `user`
    User = 0b0001,
    /// `super`
    Super = 0b0010,
    /// `hyper`
    Hyper = 0b0100,
    /// `mach`
    Mach = 0b1000,
}

impl Privilege {
    /// All levels, lowest privilege first.
    pub const ALL: [Privilege; 4] = [Privilege::User, Privilege::Super, Privilege::Hyper, Privilege::Mach];

    /// The document's word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Privilege::User => "user",
            Privilege::Super => "super",
            Privilege::Hyper => "hyper",
            Privilege::Mach => "mach",
        }
    }
}

impl fmt::Display for Privilege {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of privilege levels: the bits of [`Privilege`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Levels(u8);

impl Levels {
    /// No level.
    pub const NONE: Levels = Levels(0);
    /// All four.
    pub const ALL: Levels = Levels(0b1111);

    /// These levels.
    pub const fn of(levels: &[Privilege]) -> Levels {
        let (mut bits, mut rest) = (0, levels);
        while let [first, others @ ..] = rest {
            bits |= *first as u8;
            rest = others;
        }
        Levels(bits)
    }

    /// The bits; those above the fourth are no levels and never set.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether a level is among these.
    pub const fn has(self, level: Privilege) -> bool {
        self.0 & level as u8 != 0
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those of either.
    pub const fn or(self, other: Levels) -> Levels {
        Levels(self.0 | other.0)
    }

    /// Those of both.
    pub const fn and(self, other: Levels) -> Levels {
        Levels(self.0 & other.0)
    }

    /// Those that are not among the others.
    pub const fn without(self, other: Levels) -> Levels {
        Levels(self.0 & !other.0)
    }

    /// The one with the highest privilege.
    pub const fn highest(self) -> Option<Privilege> {
        match self.0 {
            8.. => Some(Privilege::Mach),
            4.. => Some(Privilege::Hyper),
            2.. => Some(Privilege::Super),
            1 => Some(Privilege::User),
            0 => None,
        }
    }

    /// The lowest one above a level: where a trap goes.
    pub const fn above(self, level: Privilege) -> Option<Privilege> {
        match self.0 & !(level as u8 | (level as u8 - 1)) {
            0 => None,
            bits if bits & Privilege::Super as u8 != 0 => Some(Privilege::Super),
            bits if bits & Privilege::Hyper as u8 != 0 => Some(Privilege::Hyper),
            _ => Some(Privilege::Mach),
        }
    }
}

impl FromIterator<Privilege> for Levels {
    fn from_iter<I: IntoIterator<Item = Privilege>>(levels: I) -> Levels {
        levels.into_iter().fold(Levels::NONE, |all, level| all.or(Levels::of(&[level])))
    }
}

impl fmt::Debug for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(Privilege::ALL.iter().filter(|level| self.has(**level))).finish()
    }
}

impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut levels = Privilege::ALL.iter().filter(|level| self.has(**level));
        match levels.next() {
            None => f.write_str("no level"),
            Some(first) => {
                first.fmt(f)?;
                levels.try_for_each(|level| write!(f, ", {level}"))
            }
        }
    }
}
