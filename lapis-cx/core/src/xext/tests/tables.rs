use super::*;

const ROUTES: [DeviceRow; 4] = [
    DeviceRow { lun: 32, levels: Levels::of(&[USER, SUPER, HYPER]), device: 0, subdevice: 0 },
    DeviceRow { lun: 32, levels: Levels::of(&[MACH]), device: 0, subdevice: 64 },
    DeviceRow { lun: 33, levels: Levels::of(&[USER]), device: 0, subdevice: 1 },
    DeviceRow { lun: 4095, levels: Levels::ALL, device: 1, subdevice: 4095 },
];
const LUNS: [LunRow; 4] = [
    LunRow { uuid: 0x12345, dev: 0, levels: Levels::of(&[USER]), lun: 33 },
    LunRow { uuid: 0xABCDE, dev: 0, levels: Levels::of(&[USER]), lun: 32 },
    LunRow { uuid: 0xABCDE, dev: 0, levels: Levels::of(&[SUPER, MACH]), lun: 4095 },
    LunRow { uuid: 0xABCDE, dev: 1, levels: Levels::of(&[SUPER, MACH]), lun: 32 },
];
const GOOD: Platform<'static, 32> =
    Platform { name: "good", levels: Levels::ALL, xcmds: 8, devices: 2, luns: &LUNS, routes: &ROUTES };
// It can be checked where it is compiled.
const _: () = assert!(GOOD.check().is_ok());

fn with_luns(change: impl Fn(&mut [LunRow; 4])) -> Result<(), TableError> {
    let mut luns = LUNS;
    change(&mut luns);
    Platform { luns: &luns, ..GOOD }.check()
}

fn with_routes(change: impl Fn(&mut [DeviceRow; 4])) -> Result<(), TableError> {
    let mut routes = ROUTES;
    change(&mut routes);
    Platform { routes: &routes, ..GOOD }.check()
}

fn lun_fault(row: usize, fault: RowFault) -> Result<(), TableError> {
    Err(TableError::Luns(row, fault))
}

fn route_fault(row: usize, fault: RowFault) -> Result<(), TableError> {
    Err(TableError::Routes(row, fault))
}

// Sentences: overloadable-opcodes 7, 64.
#[test]
fn one_lun_at_one_level_leads_to_one_device() {
    // The document's own table sends (33, super) to two devices.
    let want = RowFault::Twice { row: 0, levels: Levels::of(&[SUPER, HYPER]) };
    assert_eq!(with_routes(|r| r[1].levels = Levels::of(&[SUPER, HYPER, MACH])), route_fault(1, want));
    // Rows with one lun at other levels are no contradiction, however many there are.
    let each: Vec<_> = Privilege::ALL.iter().map(|level| DeviceRow::new(32, &[*level], 0, *level as u16)).collect();
    assert_eq!(Platform { routes: &each, luns: &[], ..GOOD }.check(), Ok(()));
}

// Sentences: overloadable-opcodes 54, 63.
#[test]
fn one_id_and_sequence_number_at_one_level_finds_one_lun() {
    let want = RowFault::Twice { row: 1, levels: Levels::of(&[USER]) };
    assert_eq!(with_luns(|l| l[2].levels = Levels::of(&[USER, MACH])), lun_fault(2, want));
    // Also with the same lun: that is one row.
    assert_eq!(with_luns(|l| l[2] = l[1]), lun_fault(2, want));
}

// Sentences: overloadable-opcodes 74, 79-81.
#[test]
fn only_luns_from_32_on_are_devices() {
    for lun in 0..32 {
        let want = RowFault::NotADevice(LunKind::of(lun));
        assert_eq!(with_routes(|r| r[0].lun = lun), route_fault(0, want));
        assert_eq!(with_luns(|l| l[0].lun = lun), lun_fault(0, want));
    }
    let text = TableError::Routes(2, RowFault::NotADevice(LunKind::Error(9))).to_string();
    assert_eq!(text, "row 2 of the devices behind luns: 9 is the number of an error; devices begin at 32");
}

#[test]
fn ids_of_the_fallbacks_have_no_rows() {
    for uuid in 0..3 {
        assert_eq!(with_luns(|l| l[0].uuid = uuid), lun_fault(0, RowFault::StandardId));
    }
}

#[test]
fn numbers_fit_their_registers() {
    assert_eq!(with_luns(|l| l[3].uuid = 1 << 20), lun_fault(3, RowFault::WideId));
    assert_eq!(with_luns(|l| l[3].dev = 4096), lun_fault(3, RowFault::TwelveBits));
    assert_eq!(with_luns(|l| l[3].lun = 4096), lun_fault(3, RowFault::TwelveBits));
    assert_eq!(with_routes(|r| r[3].lun = 4096), route_fault(3, RowFault::TwelveBits));
    assert_eq!(with_routes(|r| r[3].subdevice = 4096), route_fault(3, RowFault::TwelveBits));
    assert_eq!(with_routes(|r| r[3].device = 2), route_fault(3, RowFault::NoDevice));
}

#[cfg(target_pointer_width = "64")]
#[test]
fn ids_have_52_bits_where_registers_have_64() {
    let row = |uuid| [LunRow::new(uuid, 0, &[USER], 33)];
    let check = |luns: &[LunRow]| {
        Platform::<64> { name: "", levels: Levels::ALL, xcmds: 8, devices: 2, luns, routes: &ROUTES }.check()
    };
    assert_eq!(check(&row((1 << 52) - 1)), Ok(()));
    assert_eq!(check(&row(1 << 52)), lun_fault(0, RowFault::WideId));
}

#[test]
fn levels_are_those_of_the_platform() {
    assert_eq!(with_luns(|l| l[0].levels = Levels::NONE), lun_fault(0, RowFault::NoLevels));
    assert_eq!(with_routes(|r| r[2].levels = Levels::NONE), route_fault(2, RowFault::NoLevels));
    let narrow = Platform { levels: Levels::of(&[USER, SUPER, MACH]), ..GOOD };
    assert_eq!(narrow.check(), route_fault(0, RowFault::UnknownLevels(Levels::of(&[HYPER]))));
    assert_eq!(Platform { levels: Levels::NONE, luns: &[], routes: &[], ..GOOD }.check(), Err(TableError::NoLevels));
}

// Sentences: overloadable-opcodes 4.
#[test]
fn there_are_1_to_8_xcmds() {
    for xcmds in [0, 9, 255] {
        assert_eq!(Platform { xcmds, ..GOOD }.check(), Err(TableError::Xcmds(xcmds)));
    }
    assert!((1..=8).all(|xcmds| Platform { xcmds, ..GOOD }.check().is_ok()));
}

#[test]
fn rows_ascend() {
    assert_eq!(with_luns(|l| l.swap(0, 3)), lun_fault(0, RowFault::Gap(Levels::of(&[SUPER, MACH]))));
    assert_eq!(with_luns(|l| l.swap(0, 1)), lun_fault(1, RowFault::Order));
    assert_eq!(with_luns(|l| l.swap(2, 3)), lun_fault(2, RowFault::Gap(Levels::of(&[SUPER, MACH]))));
    assert_eq!(with_routes(|r| r.swap(2, 3)), route_fault(3, RowFault::Order));
}

#[test]
fn sequence_numbers_have_no_gaps_at_a_level() {
    assert_eq!(with_luns(|l| l[3].dev = 2), lun_fault(3, RowFault::Gap(Levels::of(&[SUPER, MACH]))));
    let want = lun_fault(3, RowFault::Gap(Levels::of(&[HYPER])));
    assert_eq!(with_luns(|l| l[3].levels = Levels::of(&[SUPER, HYPER])), want);
    // Two rows of the number before, which together have all levels of this one.
    assert_eq!(with_luns(|l| l[3].levels = Levels::of(&[USER, SUPER, MACH])), Ok(()));
}

#[test]
fn what_is_found_leads_somewhere() {
    let want = lun_fault(0, RowFault::Unrouted(Levels::of(&[MACH])));
    assert_eq!(with_luns(|l| l[0].levels = Levels::of(&[USER, MACH])), want);
    assert_eq!(with_luns(|l| l[0].lun = 34), lun_fault(0, RowFault::Unrouted(Levels::of(&[USER]))));
}

// Sentences: overloadable-opcodes 63-64.
#[test]
fn lookups_find_each_row_at_its_levels_and_nothing_else() {
    for level in Privilege::ALL {
        for uuid in [0x12344, 0x12345, 0x12346, 0xABCDD, 0xABCDE, 0xABCDF] {
            for dev in 0..4 {
                let row = LUNS.iter().find(|r| (r.uuid, r.dev) == (uuid, dev) && r.levels.has(level));
                assert_eq!(GOOD.lookup_lun(uuid, dev, level), row.map(|r| r.lun));
            }
        }
        for lun in 0..4096 {
            let row = ROUTES.iter().find(|r| r.lun == lun && r.levels.has(level));
            assert_eq!(GOOD.lookup_device(lun, level), row.copied());
        }
    }
}
