//! Random platforms, as specs: the processor of what is compiled does what the spec says, read literally by a second reader
//! of the same facts.

use std::fmt::Write as _;

use lapis_cx::backend::platforms;
use lapis_cx_core::Cookie;
use lapis_cx_core::encoding::Fallback;
use lapis_cx_core::xext::{Cpu, Device, Platform, Port, Privilege, UuidDevice};
use lapis_cx_tests::spec;

use super::Dice;

const LEVELS: [(&str, Privilege); 4] =
    [("u", Privilege::User), ("s", Privilege::Super), ("h", Privilege::Hyper), ("m", Privilege::Mach)];

/// What was decided: lists of facts, each with its key in front.
#[derive(Default)]
struct Facts {
    /// Id of 20 bits, sequence number, level; the lun.
    found: Vec<((u64, u16, Privilege), u16)>,
    /// Lun, level; device and unit.
    routes: Vec<((u16, Privilege), (usize, u16))>,
}

/// Numbers that differ, from `low` on.
fn distinct(dice: &mut Dice, count: usize, low: u64) -> Vec<u16> {
    let mut all: Vec<u16> = Vec::new();
    while all.len() < count {
        let number = match dice.below(4) {
            0 => 4095,
            1 => low,
            _ => low + dice.below(4096 - low),
        } as u16;
        if !all.contains(&number) {
            all.push(number);
        }
    }
    all
}

/// A spec with a platform, and the facts of it.
fn platform(dice: &mut Dice, xlen: u32) -> (String, Facts, Vec<(&'static str, Privilege)>) {
    let mut levels: Vec<_> = LEVELS.into_iter().filter(|_| dice.below(4) > 0).collect();
    if levels.is_empty() {
        levels.push(LEVELS[0]);
    }
    let mut ids: Vec<u64> = Vec::new();
    while ids.len() < 3 {
        let id = dice.one(&[3, 0x12345, 0x7_FFFF, 0x8_0000, 0xABCDE, 0xF_FFFF]);
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let mut text = "cxspec 1;\npackage a.b;\n".to_owned();
    for (i, id) in ids.iter().enumerate() {
        let _ = writeln!(
            text,
            "interface I{i} {{ xintf {id:#x}; command c = 0 : xcmd (a: u8, b: word) -> word {{ return b; }} }}"
        );
    }
    let names: Vec<&str> = levels.iter().map(|(name, _)| *name).collect();
    let _ = writeln!(text, "platform P {{\n    xlen {xlen};\n    levels {};", names.join(", "));
    // Each device has a unit of each interface.
    let devices = 1 + dice.below(3) as usize;
    let units: Vec<Vec<u16>> = (0..devices).map(|_| distinct(dice, ids.len(), 0)).collect();
    for (d, units) in units.iter().enumerate() {
        let of = |(i, unit): (usize, &u16)| format!(" unit {unit} = I{i};");
        let _ = writeln!(text, "    device d{d} {{{} }}", units.iter().enumerate().map(of).collect::<String>());
    }
    let mut facts = Facts::default();
    let luns = distinct(dice, 6, 32);
    for (l, lun) in luns.iter().enumerate() {
        let i = l % ids.len();
        let _ = write!(text, "    lun {lun} = I{i} {{");
        // One level at least.
        let sure = dice.below(levels.len() as u64) as usize;
        for (at, (name, level)) in levels.iter().enumerate() {
            if at == sure || dice.below(2) == 0 {
                let device = dice.below(devices as u64) as usize;
                let _ = write!(text, " {name} -> d{device}.{};", units[device][i]);
                facts.routes.push(((*lun, *level), (device, units[device][i])));
            }
        }
        text.push_str(" }\n");
    }
    for (i, id) in ids.iter().enumerate() {
        let mut rows = String::new();
        for (name, level) in &levels {
            let mut sequence = 0;
            for (l, lun) in luns.iter().enumerate() {
                let leads = facts.routes.iter().any(|(key, _)| *key == (*lun, *level));
                if l % ids.len() == i && leads && dice.below(4) > 0 {
                    let _ = write!(rows, " {sequence} at {name} -> lun {lun};");
                    facts.found.push(((*id, sequence, *level), *lun));
                    sequence += 1;
                }
            }
        }
        if !rows.is_empty() {
            let _ = writeln!(text, "    discover I{i} {{{rows} }}");
        }
    }
    text.push_str("}\n");
    (text, facts, levels)
}

/// Holds the processor of a spec against the facts.
fn hold<const XLEN: u32>(dice: &mut Dice) {
    let (text, facts, levels) = platform(dice, XLEN);
    let outcome = spec::build_text("random", text.clone());
    let item = platforms(spec::contract(&outcome)).next().unwrap();
    let luns: Vec<_> = item.lun_rows().into_iter().map(|(row, _)| row).collect();
    let routes: Vec<_> = item.device_rows().into_iter().map(|(row, _)| row).collect();
    let tables = Platform::<XLEN> {
        name: "P",
        levels: item.privileges(),
        xcmds: item.xcmds as u8,
        devices: item.devices.len() as u16,
        luns: &luns,
        routes: &routes,
    };
    let tell = |device: usize| move |port: Port, _: Cookie, _: usize| Ok(device << 16 | usize::from(port.bits()));
    let tellers = [0, 1, 2].map(tell);
    let devices = tellers.each_ref().map(|device| device as &dyn Device);
    let cpu = Cpu::new(&tables, &devices).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for (_, level) in &levels {
        cpu.set_level(*level).unwrap();
        for id in [3, 4, 0x12345, 0x7_FFFF, 0x8_0000, 0xABCDE, 0xF_FFFF] {
            for dev in (0..4).chain([4095]) {
                // As `lui` makes it of 20 bits.
                let wide = XLEN == 64 && id >> 19 == 1;
                let uuid = if wide { id | 0xFFFF_FFFF << 20 } else { id };
                let rs1 = UuidDevice { uuid, dev }.register::<XLEN>().unwrap();
                let want = facts.found.iter().find(|(key, _)| *key == (id, dev, *level)).map_or(1, |(_, lun)| *lun);
                assert_eq!(cpu.xext(Fallback::Zero, rs1, 0).lun(), want, "{id:#x} {dev} {level}\n{text}");
            }
        }
        for lun in 32..4096 {
            let route = facts.routes.iter().find(|(key, _)| *key == (lun, *level));
            let want = route.map(|(_, (device, unit))| device << 16 | 5 << 12 | usize::from(*unit));
            assert_eq!(cpu.xcmd(5, usize::from(lun), 0).ok(), want, "lun {lun} {level}\n{text}");
        }
    }
}

// Sentences: overloadable-opcodes 13-15, 63-64.
#[test]
fn random_platforms_do_what_they_say() {
    let mut dice = Dice(5);
    for _ in 0..150 {
        hold::<32>(&mut dice);
        hold::<64>(&mut dice);
    }
}
