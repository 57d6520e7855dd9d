//! Random platforms and random programs against the document, taken literally: association lists that are searched from the
//! front.

use proptest::prelude::*;

use super::*;
use crate::encoding::Fallback;

type Key = (u64, u16, Privilege);

/// A processor as the document describes it.
#[derive(Clone, Debug)]
struct Model {
    levels: Vec<Privilege>,
    xcmds: u8,
    /// `cpu__lun_map`
    lun_map: Vec<(Key, u16)>,
    /// `cpu__device_subdevice_map`
    device_map: Vec<((u16, Privilege), (u16, u16))>,
}

/// What an `xcmd` does.
#[derive(Debug, PartialEq)]
enum Outcome {
    Value(usize),
    TrapTo(Option<Privilege>),
}

impl Model {
    fn xext(&self, level: Privilege, unknown: usize, rs1: usize, rs2: usize) -> usize {
        let (uuid, dev) = ((rs1 % (1 << 32)) / 4096, rs1 % 4096);
        let standard = (uuid < 3 && dev == 0).then_some(uuid);
        let key = (uuid as u64, dev as u16, level);
        let found = self.lun_map.iter().find(|(k, _)| *k == key).map(|(_, lun)| usize::from(*lun));
        match standard.or(found) {
            Some(lun) => lun + rs2 % (1 << 20) * 4096,
            None => unknown,
        }
    }

    fn xcmd(&self, level: Privilege, command: u8, rs1: usize, rs2: usize) -> Outcome {
        let lun = (rs1 % 4096) as u16;
        let trap = Outcome::TrapTo(Privilege::ALL.into_iter().find(|l| *l > level && self.levels.contains(l)));
        if command >= self.xcmds {
            return trap;
        }
        match lun {
            1 => return Outcome::Value(0),
            2 => return Outcome::Value(0xFFFF_FFFF),
            _ => {}
        }
        match self.device_map.iter().find(|(k, _)| *k == (lun, level)) {
            Some((_, (device, subdevice))) => Outcome::Value(told(usize::from(*device), *subdevice, command, rs2)),
            None => trap,
        }
    }

    /// The tables, with rows of one key and place put together.
    fn tables(&self) -> (Vec<LunRow>, Vec<DeviceRow>) {
        let mut luns: Vec<LunRow> = Vec::new();
        for ((uuid, dev, level), lun) in &self.lun_map {
            match luns.iter_mut().find(|r| (r.uuid, r.dev, r.lun) == (*uuid, *dev, *lun)) {
                Some(row) => row.levels = row.levels.or(Levels::of(&[*level])),
                None => luns.push(LunRow::new(*uuid, *dev, &[*level], *lun)),
            }
        }
        luns.sort_by_key(|r| (r.uuid, r.dev));
        let mut routes: Vec<DeviceRow> = Vec::new();
        for ((lun, level), (device, subdevice)) in &self.device_map {
            match routes.iter_mut().find(|r| (r.lun, r.device, r.subdevice) == (*lun, *device, *subdevice)) {
                Some(row) => row.levels = row.levels.or(Levels::of(&[*level])),
                None => routes.push(DeviceRow::new(*lun, &[*level], *device, *subdevice)),
            }
        }
        routes.sort_by_key(|r| r.lun);
        (luns, routes)
    }
}

const IDS: [u64; 6] = [3, 0x12345, 0x7_FFFF, 0x8_0000, 0xABCDE, 0xF_FFFF];
const LUNS: [u16; 6] = [32, 33, 40, 255, 2048, 4095];

fn model() -> impl Strategy<Value = Model> {
    let levels = (1..16u8)
        .prop_map(|bits| -> Vec<_> { Privilege::ALL.into_iter().filter(|level| bits & *level as u8 != 0).collect() });
    // For each lun and level a device or none; then for each id and level the luns that are found, in order.
    let routes = proptest::collection::vec(proptest::option::of((0..4u16, 0..4096u16)), LUNS.len() * 4);
    let found = proptest::collection::vec(proptest::collection::vec(0..LUNS.len(), 0..4), IDS.len() * 4);
    (levels, 1..=8u8, routes, found).prop_map(|(levels, xcmds, routes, found)| {
        let mut model = Model { levels, xcmds, lun_map: Vec::new(), device_map: Vec::new() };
        for (l, level) in model.levels.iter().enumerate() {
            for (lun, number) in LUNS.iter().enumerate() {
                if let Some(device) = routes[lun * 4 + l] {
                    model.device_map.push(((*number, *level), device));
                }
            }
            for (i, uuid) in IDS.iter().enumerate() {
                let leads = |lun: &u16| routes[LUNS.iter().position(|l| l == lun).unwrap() * 4 + l].is_some();
                let luns = found[i * 4 + l].iter().map(|lun| LUNS[*lun]).filter(leads);
                model.lun_map.extend(luns.enumerate().map(|(dev, lun)| ((*uuid, dev as u16, *level), lun)));
            }
        }
        model
    })
}

#[derive(Clone, Debug)]
enum Step {
    Level(usize),
    Xext {
        fallback: usize,
        uuid: u64,
        dev: u16,
        rs2: usize,
    },
    Xcmd {
        command: u8,
        lun: u16,
        data: usize,
        rs2: usize,
    },
    /// A command to what the last lookup gave.
    Again {
        command: u8,
        rs2: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let uuid = prop_oneof![4 => proptest::sample::select(&IDS[..]), 1 => 0..3u64, 1 => 0..1u64 << 20];
    let lun = prop_oneof![4 => proptest::sample::select(&LUNS[..]), 1 => 0..32u16, 1 => 0..4096u16];
    let dev = prop_oneof![4 => 0..4u16, 1 => 0..4096u16];
    prop_oneof![
        (0..4usize).prop_map(Step::Level),
        (0..3usize, uuid, dev, any::<usize>()).prop_map(|(fallback, uuid, dev, rs2)| Step::Xext {
            fallback,
            uuid,
            dev,
            rs2
        }),
        (0..10u8, lun, any::<usize>(), any::<usize>()).prop_map(|(command, lun, data, rs2)| Step::Xcmd {
            command,
            lun,
            data,
            rs2
        }),
        (0..8u8, any::<usize>()).prop_map(|(command, rs2)| Step::Again { command, rs2 }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    // Sentences: overloadable-opcodes 63-68.
    #[test]
    fn a_processor_does_what_the_document_says(model in model(), steps in proptest::collection::vec(step(), 1..60)) {
        let (luns, routes) = model.tables();
        let levels = model.levels.iter().copied().collect();
        let platform = Platform::<32> { name: "random", levels, xcmds: model.xcmds, devices: 4, luns: &luns, routes: &routes };
        let tellers = [0, 1, 2, 3].map(tell);
        let devices = tellers.each_ref().map(|device| device as &dyn Device);
        let cpu = Cpu::new(&platform, &devices).unwrap();
        let mut level = *model.levels.last().unwrap();
        let mut cookie = 0;
        for step in steps {
            prop_assert_eq!(cpu.level(), level);
            let (command, rs1, rs2) = match step {
                Step::Level(to) => {
                    let to = Privilege::ALL[to];
                    if cpu.set_level(to).is_ok() {
                        level = to;
                    }
                    prop_assert_eq!(cpu.level() == to, model.levels.contains(&to));
                    continue;
                }
                Step::Xext { fallback, uuid, dev, rs2 } => {
                    let rs1 = id::<32>(uuid, dev);
                    cookie = cpu.xext(Fallback::ALL[fallback], rs1, rs2).bits();
                    prop_assert_eq!(cookie, model.xext(level, fallback, rs1, rs2));
                    continue;
                }
                Step::Xcmd { command, lun, data, rs2 } => (command, data << 12 | usize::from(lun), rs2),
                Step::Again { command, rs2 } => (command, cookie, rs2),
            };
            let got = match cpu.xcmd(command, rs1, rs2) {
                Ok(value) => Outcome::Value(value),
                Err(trap) => Outcome::TrapTo(trap.to),
            };
            prop_assert_eq!(got, model.xcmd(level, command, rs1, rs2));
        }
    }
}
