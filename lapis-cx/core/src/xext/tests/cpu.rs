use core::cell::Cell;

use super::*;
use crate::Xcmd;
use crate::encoding::{Fallback, Instruction, Profile};

const FROBATE: u64 = 0xABCDE;
const ROCKNROLL: u64 = 0x12345;
const JAZZ: u64 = 0xBEB0B;

const ROUTES: [DeviceRow; 5] = [
    DeviceRow::new(32, &[USER, SUPER, HYPER], 0, 0),
    DeviceRow::new(32, &[MACH], 0, 64),
    DeviceRow::new(33, &[USER, SUPER, HYPER], 0, 1),
    DeviceRow::new(34, &[SUPER, HYPER, MACH], 1, 0),
    DeviceRow::new(35, &[SUPER, HYPER], 1, 1),
];
const LUNS: [LunRow; 5] = [
    LunRow::new(ROCKNROLL, 0, &[USER, SUPER, HYPER], 33),
    LunRow::new(FROBATE, 0, &[USER], 32),
    LunRow::new(FROBATE, 0, &[SUPER, HYPER, MACH], 34),
    LunRow::new(FROBATE, 1, &[SUPER, HYPER, MACH], 32),
    LunRow::new(JAZZ, 0, &[SUPER, HYPER], 35),
];
/// The document's example, without its mistakes.
const BOARD: Platform<'static, 32> =
    Platform { name: "board", levels: Levels::ALL, xcmds: 8, devices: 2, luns: &LUNS, routes: &ROUTES };

/// Runs a test on the example, at a level.
fn on_board(level: Privilege, test: impl FnOnce(&Cpu<'_, 32>)) {
    let (first, second) = (tell(1), tell(2));
    let devices: [&dyn Device; 2] = [&first, &second];
    let cpu = Cpu::new(&BOARD, &devices).unwrap();
    cpu.set_level(level).unwrap();
    test(&cpu);
}

fn on_each_level(test: impl Fn(&Cpu<'_, 32>)) {
    Privilege::ALL.into_iter().for_each(|level| on_board(level, &test));
}

// Sentences: overloadable-opcodes 2, 13, 29, 31, 65.
#[test]
fn a_known_interface_gives_its_lun_and_the_data() {
    on_board(USER, |cpu| {
        for fallback in Fallback::ALL {
            let cookie = cpu.xext(fallback, id::<32>(FROBATE, 0), 0xF1234);
            assert_eq!(cookie.bits(), 0xF123_4020);
        }
    });
}

// Sentences: overloadable-opcodes 30.
#[test]
fn the_top_twelve_bits_of_rs2_are_discarded() {
    on_board(USER, |cpu| {
        let cookie = cpu.xext(Fallback::Trap, id::<32>(FROBATE, 0), 0xABC5_4321);
        assert_eq!((cookie.lun(), cookie.data()), (32, 0x5_4321));
    });
}

// Sentences: overloadable-opcodes 3, 32, 65-66.
#[test]
fn an_unknown_interface_gives_the_number_of_the_fallback_alone() {
    on_each_level(|cpu| {
        for rs1 in [id::<32>(0xABCDF, 0), id::<32>(3, 0), id::<32>(FROBATE, 2), id::<32>(FROBATE, 4095)] {
            let given = Fallback::ALL.map(|fallback| cpu.xext(fallback, rs1, usize::MAX).bits());
            assert_eq!(given, [0, 1, 2]);
        }
    });
}

// Sentences: overloadable-opcodes 15, 28, 62-63, 75-76.
#[test]
fn what_is_found_depends_on_the_level() {
    let found = |level, uuid, dev| {
        let lun = Cell::new(0);
        on_board(level, |cpu| lun.set(cpu.xext(Fallback::Trap, id::<32>(uuid, dev), 0).lun()));
        lun.get()
    };
    assert_eq!(Privilege::ALL.map(|level| found(level, FROBATE, 0)), [32, 34, 34, 34]);
    assert_eq!(Privilege::ALL.map(|level| found(level, FROBATE, 1)), [0, 32, 32, 32]);
    assert_eq!(Privilege::ALL.map(|level| found(level, ROCKNROLL, 0)), [33, 33, 33, 0]);
    assert_eq!(Privilege::ALL.map(|level| found(level, JAZZ, 0)), [0, 35, 35, 0]);
}

// Sentences: overloadable-opcodes 7, 10-11, 67-68, 82.
#[test]
fn a_command_goes_to_the_subdevice_behind_the_lun_at_the_level() {
    let sent = |level, lun: u16, command| {
        let value = Cell::new(None);
        on_board(level, |cpu| value.set(cpu.xcmd(command, usize::from(lun), 7).ok()));
        value.get()
    };
    for command in 0..8 {
        assert_eq!(sent(USER, 32, command), Some(told(1, 0, command, 7)));
        assert_eq!(sent(MACH, 32, command), Some(told(1, 64, command, 7)));
        assert_eq!(sent(SUPER, 33, command), Some(told(1, 1, command, 7)));
        assert_eq!(sent(SUPER, 34, command), Some(told(2, 0, command, 7)));
        assert_eq!(sent(HYPER, 35, command), Some(told(2, 1, command, 7)));
        assert_eq!(sent(USER, 34, command), None);
    }
}

// Sentences: overloadable-opcodes 10, 25-26, 52, 68.
#[test]
fn a_device_gets_both_registers_and_gives_the_result() {
    let device = |port: Port, rs1: Cookie, rs2: usize| {
        assert_eq!((port.subdevice(), port.command(), rs1.bits()), (0, 5, 0xABCD_E020));
        Ok(rs1.data() + rs2)
    };
    let devices: [&dyn Device; 2] = [&device, &device];
    let cpu = Cpu::new(&BOARD, &devices).unwrap();
    cpu.set_level(USER).unwrap();
    assert_eq!(cpu.xcmd(5, 0xABCD_E020, 2), Ok(0xA_BCE0));
}

// Sentences: overloadable-opcodes 25-26.
#[test]
fn a_result_is_cut_to_the_register() {
    let device = |_: Port, _: Cookie, rs2: usize| {
        // rs2 is cut as well: there are no more bits in a register.
        assert_eq!(rs2, 0xFFFF_FFFF);
        Ok(usize::MAX)
    };
    let devices: [&dyn Device; 2] = [&device, &device];
    let cpu = Cpu::new(&BOARD, &devices).unwrap();
    assert_eq!(cpu.xcmd(0, 32, usize::MAX), Ok(0xFFFF_FFFF));
}

// Sentences: overloadable-opcodes 16, 39, 42, 45-46, 69.
#[test]
fn lun_1_gives_0_and_lun_2_gives_minus_1_at_all_levels() {
    on_each_level(|cpu| {
        for command in 0..8 {
            for data in [0, 0x5_4321 << 12] {
                assert_eq!(cpu.xcmd(command, data | 1, 77), Ok(0));
                assert_eq!(cpu.xcmd(command, data | 2, 77), Ok(0xFFFF_FFFF));
            }
        }
    });
}

// Sentences: overloadable-opcodes 42-43, 45-46, 77.
#[test]
fn ids_0_1_and_2_are_the_fallbacks_at_all_levels() {
    on_each_level(|cpu| {
        for fallback in Fallback::ALL {
            let found = [0, 1, 2].map(|uuid| cpu.xext(fallback, id::<32>(uuid, 0), 5).bits());
            assert_eq!(found, [0x5000, 0x5001, 0x5002]);
            // There is one of each.
            let further = [0, 1, 2].map(|uuid| cpu.xext(fallback, id::<32>(uuid, 1), 5).bits());
            assert_eq!(further, [usize::from(fallback.lun()); 3]);
        }
    });
}

// Sentences: overloadable-opcodes 15, 39, 43-44, 67, 78.
#[test]
fn lun_0_traps_to_the_next_level_and_from_machine_level_to_the_debugger() {
    let above = [Some(SUPER), Some(HYPER), Some(MACH), None];
    for (level, to) in Privilege::ALL.into_iter().zip(above) {
        on_board(level, |cpu| {
            for command in 0..8 {
                let trap =
                    Trap { cause: Cause::Fallback, from: level, to, command, rs1: Cookie::from_bits(0x3000), rs2: 4 };
                assert_eq!(cpu.xcmd(command, 0x3000, 4), Err(trap));
            }
        });
    }
}

#[test]
fn a_trap_skips_levels_that_the_platform_has_not() {
    let small = Platform { levels: Levels::of(&[USER, MACH]), luns: &[], routes: &[], devices: 0, ..BOARD };
    let cpu = Cpu::new(&small, &[]).unwrap();
    assert_eq!(cpu.xcmd(0, 0, 0).unwrap_err().to, None);
    cpu.set_level(USER).unwrap();
    assert_eq!(cpu.xcmd(0, 0, 0).unwrap_err().to, Some(MACH));
    assert_eq!(cpu.set_level(HYPER), Err(NoSuchLevel(HYPER)));
    assert_eq!(cpu.level(), USER);
}

// Sentences: overloadable-opcodes 64, 67.
#[test]
fn a_lun_that_leads_nowhere_traps_whatever_it_is() {
    on_board(USER, |cpu| {
        for lun in (3..32).chain([34, 35, 36, 4095]) {
            let trap = cpu.xcmd(0, lun | 0xABCD_E000, 0).unwrap_err();
            assert_eq!((trap.cause, trap.to), (Cause::Lun(LunKind::of(lun as u16)), Some(SUPER)));
        }
    });
}

#[test]
fn the_number_of_an_error_is_no_device() {
    on_each_level(|cpu| {
        for number in 8..=30 {
            let cookie = Cookie::from_error(number).unwrap();
            let trap = cpu.xcmd(0, cookie.bits(), 0).unwrap_err();
            assert_eq!(trap.cause, Cause::Lun(LunKind::Error(number)));
        }
    });
    on_board(USER, |cpu| {
        let text = cpu.xcmd(3, 9, 0).unwrap_err().to_string();
        assert_eq!(text, "xcmd3 at the level user: 9 is the number of an error and no device; it traps to super");
    });
}

// Sentences: overloadable-opcodes 69, 72.
#[test]
fn what_a_device_lacks_is_a_configuration_error() {
    let device = |port: Port, _: Cookie, _: usize| match port.command() {
        0 => Ok(1),
        1 => Err(Refused::Trap),
        _ => Err(Refused::Configuration),
    };
    let devices: [&dyn Device; 2] = [&device, &device];
    let cpu = Cpu::new(&BOARD, &devices).unwrap();
    cpu.set_level(USER).unwrap();
    assert_eq!(cpu.xcmd(0, 32, 0), Ok(1));
    let cause = |command| cpu.xcmd(command, 32, 0).map_err(|trap| (trap.cause, trap.to));
    assert_eq!(cause(1), Err((Cause::Command, Some(SUPER))));
    assert_eq!(cause(2), Err((Cause::Configuration, Some(SUPER))));
    // The fallback device has two subdevices and no others.
    let port = |subdevice| Port::new(subdevice, 0).unwrap();
    assert_eq!(FallbackDevice.xcmd(port(0), Cookie::from_bits(0), 0), Err(Refused::Configuration));
    assert_eq!(FallbackDevice.xcmd(port(3), Cookie::from_bits(0), 0), Err(Refused::Configuration));
}

// Sentences: overloadable-opcodes 4, 22.
#[test]
fn a_platform_with_fewer_xcmds_has_no_others() {
    let two = Platform { xcmds: 2, luns: &[], routes: &[], devices: 0, ..BOARD };
    let cpu = Cpu::new(&two, &[]).unwrap();
    assert_eq!([0, 1].map(|command| cpu.xcmd(command, 1, 0)), [Ok(0), Ok(0)]);
    for command in [2, 7, 8, 255] {
        assert_eq!(cpu.xcmd(command, 1, 0).unwrap_err().cause, Cause::Instruction);
    }
}

// Sentences: overloadable-opcodes 14, 62.
#[test]
fn a_processor_starts_at_its_highest_level_and_only_with_its_devices() {
    let device = tell(1);
    let one: [&dyn Device; 1] = [&device];
    assert_eq!(Cpu::new(&BOARD, &one).unwrap_err(), LoadError::Devices { given: 1, named: 2 });
    let wrong = Platform { xcmds: 9, ..BOARD };
    assert_eq!(Cpu::new(&wrong, &one).unwrap_err(), LoadError::Table(TableError::Xcmds(9)));
    let user = Platform { levels: Levels::of(&[USER, SUPER]), luns: &[], routes: &[], devices: 0, ..BOARD };
    assert_eq!(Cpu::new(&user, &[]).unwrap().level(), SUPER);
    on_board(MACH, |cpu| assert_eq!((cpu.level(), cpu.levels()), (MACH, Levels::ALL)));
}

#[test]
fn a_handler_runs_at_the_level_above_and_may_do_the_command_there() {
    on_board(USER, |cpu| {
        // Lun 34 is not there for users: the supervisor does it for them.
        let seen = Cell::new(None);
        let user = cpu.on_trap(|cpu, trap| {
            seen.set(Some((cpu.level(), trap.from)));
            cpu.xcmd(trap.command, trap.rs1.bits(), trap.rs2).unwrap()
        });
        assert_eq!(user.xcmd(3, 34, 9), told(2, 0, 3, 9));
        assert_eq!((seen.get(), cpu.level()), (Some((SUPER, USER)), USER));
    });
}

#[test]
fn a_trap_climbs_until_a_level_does_the_command() {
    on_board(USER, |cpu| {
        let path = Cell::new(0usize);
        fn handler(path: &Cell<usize>, cpu: &Cpu<'_, 32>, trap: Trap) -> usize {
            path.set(path.get() << 4 | cpu.level() as usize);
            match trap.to {
                Some(_) => cpu.on_trap(|cpu, trap| handler(path, cpu, trap)).xcmd(
                    trap.command.into(),
                    trap.rs1.bits(),
                    trap.rs2,
                ),
                None => 0xDEB06,
            }
        }
        assert_eq!(cpu.on_trap(|cpu, trap| handler(&path, cpu, trap)).xcmd(0, 0, 0), 0xDEB06);
        // Supervisor, hypervisor, machine, and the debugger at machine level.
        assert_eq!((path.get(), cpu.level()), (0x2488, USER));
    });
}

// Sentences: overloadable-opcodes 4.
#[test]
fn instructions_are_executed_as_they_are_decoded() {
    on_board(USER, |cpu| {
        let run = |word, rs1, rs2| cpu.execute(Instruction::decode(word, Profile::DEFAULT).unwrap(), rs1, rs2);
        let xext = |fallback| Instruction::Xext { fallback, rd: 5, rs1: 6, rs2: 7 }.encode(Profile::DEFAULT).unwrap();
        assert_eq!(run(xext(Fallback::Trap), id::<32>(FROBATE, 0), 1), Some(Ok(0x1020)));
        assert_eq!(run(xext(Fallback::MinusOne), id::<32>(JAZZ, 0), 1), Some(Ok(2)));
        for command in 0..8 {
            let word = Instruction::Xcmd { command, rd: 5, rs1: 6, rs2: 7 }.encode(Profile::DEFAULT).unwrap();
            assert_eq!(run(word, 33, 4), Some(Ok(told(1, 1, command, 4))));
        }
        let other = Instruction::R { function: 0, rd: 0, rs1: 0, rs2: 0 };
        assert_eq!(cpu.execute(other, 0, 0), None);
    });
}

// Sentences: overloadable-opcodes 17-18.
#[test]
fn a_lookup_keeps_nothing_and_initialises_nothing() {
    let calls = Cell::new(0);
    let device = |_: Port, _: Cookie, _: usize| {
        calls.set(calls.get() + 1);
        Ok(0)
    };
    let devices: [&dyn Device; 2] = [&device, &device];
    let cpu = Cpu::new(&BOARD, &devices).unwrap();
    let first = cpu.xext(Fallback::Trap, id::<32>(FROBATE, 0), 1);
    for dev in 0..4096 {
        cpu.xext(Fallback::Zero, id::<32>(FROBATE, dev), 0);
    }
    assert_eq!((cpu.xext(Fallback::Trap, id::<32>(FROBATE, 0), 1), calls.get()), (first, 0));
}

/// A device with contexts that commands open and close: 0 init, 1 deinit, 2 add, 3 the sum. A cookie has the number of the
/// context as its data.
struct Sums([Cell<Option<usize>>; 2]);

impl Sums {
    const FULL: u8 = 11;
    const CLOSED: u8 = 12;
}

impl Device for Sums {
    fn xcmd(&self, port: Port, rs1: Cookie, rs2: usize) -> Result<usize, Refused> {
        let error = |number| Cookie::from_error(number).map(Cookie::bits).ok_or(Refused::Configuration);
        if port.command() == 0 {
            let Some(free) = self.0.iter().position(|sum| sum.get().is_none()) else { return error(Sums::FULL) };
            self.0[free].set(Some(rs2));
            return Ok(rs1.with(free).bits());
        }
        let Some((place, sum)) = self.0.get(rs1.data()).and_then(|place| Some((place, place.get()?))) else {
            return error(Sums::CLOSED);
        };
        match port.command() {
            1 => place.set(None),
            2 => place.set(Some(sum + rs2)),
            3 => {}
            _ => return Err(Refused::Configuration),
        }
        Ok(sum)
    }
}

// Sentences: overloadable-opcodes 8, 19-20.
#[test]
fn a_device_is_initialised_by_a_command_that_hands_out_a_cookie() {
    let (sums, other) = (Sums([const { Cell::new(None) }; 2]), tell(2));
    let devices: [&dyn Device; 2] = [&sums, &other];
    let cpu = Cpu::new(&BOARD, &devices).unwrap();
    cpu.set_level(USER).unwrap();
    let xcmd = |command, cookie: Cookie, rs2| cpu.xcmd(command, cookie.bits(), rs2).unwrap();
    let device = cpu.xext(Fallback::Trap, id::<32>(FROBATE, 0), 0);
    let [a, b] = [100, 200].map(|start| Cookie::from_bits(xcmd(0, device, start)));
    assert_eq!((a.lun(), b.lun(), a.data(), b.data()), (32, 32, 0, 1));
    let none = Cookie::from_bits(xcmd(0, device, 0));
    assert!(none.has_failed() && none.error() == Some(Sums::FULL));
    xcmd(2, a, 5);
    xcmd(2, b, 7);
    assert_eq!((xcmd(3, a, 0), xcmd(1, b, 0), xcmd(3, b, 0)), (105, 207, usize::from(Sums::CLOSED)));
    assert!(!Cookie::from_bits(xcmd(0, device, 1)).has_failed());
}

// Sentences: overloadable-opcodes 21-22.
#[test]
fn a_device_answers_any_number_of_interfaces_of_eight_commands() {
    let routes: Vec<_> = (0..4064).map(|i| DeviceRow::new(32 + i, &[USER], 0, i)).collect();
    let luns: Vec<_> = (0..4064).map(|i| LunRow::new(u64::from(i) + 3, 0, &[USER], 32 + i)).collect();
    let platform = Platform::<32> {
        name: "wide",
        levels: Levels::of(&[USER]),
        xcmds: 8,
        devices: 1,
        luns: &luns,
        routes: &routes,
    };
    let device = tell(1);
    let devices: [&dyn Device; 1] = [&device];
    let cpu = Cpu::new(&platform, &devices).unwrap();
    for i in 0..4064 {
        let cookie = cpu.xext(Fallback::Trap, id::<32>(u64::from(i) + 3, 0), 0);
        for command in 0..8 {
            assert_eq!(cpu.xcmd(command, cookie.bits(), 5), Ok(told(1, i, command, 5)));
        }
    }
}

/// `lui`, one of the lookups, and an `xcmd` as the document writes them: what the last one gives.
fn sequence(
    cpu: &Cpu<'_, 32>,
    fallback: Fallback,
    id20: usize,
    rs1: usize,
    command: u8,
    rs2: usize,
) -> Result<usize, Trap> {
    let word = |instruction: Instruction| {
        Instruction::decode(instruction.encode(Profile::DEFAULT).unwrap(), Profile::DEFAULT).unwrap()
    };
    let (rd, lui) = (10, id20 << 12);
    let xext = word(Instruction::Xext { fallback, rd, rs1: rd, rs2: 11 });
    let rd_value = cpu.execute(xext, lui, rs1).unwrap()?;
    cpu.execute(word(Instruction::Xcmd { command, rd, rs1: rd, rs2: 12 }), rd_value, rs2).unwrap()
}

// Sentences: overloadable-opcodes 33, 37-38.
#[test]
fn lui_xext_and_xcmd_are_one_command() {
    let sum = |_: Port, rs1: Cookie, rs2: usize| Ok(rs1.data() + rs2);
    let devices: [&dyn Device; 2] = [&sum, &sum];
    let cpu = Cpu::new(&BOARD, &devices).unwrap();
    cpu.set_level(USER).unwrap();
    for fallback in Fallback::ALL {
        assert_eq!(sequence(&cpu, fallback, FROBATE as usize, 0x1_2345, 0, 7), Ok(0x1_234C));
        // The upper twelve bits of rs1 are lost.
        assert_eq!(sequence(&cpu, fallback, FROBATE as usize, 0xFFF1_2345, 0, 7), Ok(0x1_234C));
    }
    let jazz = |fallback| sequence(&cpu, fallback, JAZZ as usize, 5, 0, 7);
    let trap = jazz(Fallback::Trap).unwrap_err();
    assert_eq!((trap.cause, trap.to), (Cause::Fallback, Some(SUPER)));
    assert_eq!((jazz(Fallback::Zero), jazz(Fallback::MinusOne)), (Ok(0), Ok(0xFFFF_FFFF)));
}

// Sentences: overloadable-opcodes 34.
#[test]
fn a_lookup_and_its_command_are_two_steps() {
    on_board(USER, |cpu| {
        let cookie = cpu.xext(Fallback::Trap, id::<32>(FROBATE, 0), 0).bits();
        // Whatever happens between them: the command is sent by the level at which it is issued.
        cpu.set_level(MACH).unwrap();
        assert_eq!(cpu.xcmd(0, cookie, 1), Ok(told(1, 64, 0, 1)));
        cpu.set_level(USER).unwrap();
        assert_eq!(cpu.xcmd(0, cookie, 1), Ok(told(1, 0, 0, 1)));
    });
}

// Sentences: overloadable-opcodes 23, 36.
#[test]
fn one_lookup_serves_many_commands() {
    on_board(USER, |cpu| {
        let t1 = cpu.xext(Fallback::Trap, id::<32>(ROCKNROLL, 0), 0).bits();
        let a5 = cpu.xcmd(0, t1, 3).unwrap();
        let t2 = cpu.xcmd(1, t1, a5).unwrap();
        assert_eq!((a5, t2), (told(1, 1, 0, 3), told(1, 1, 1, a5)));
        assert_eq!(cpu.xcmd(0, t1, t2), Ok(told(1, 1, 0, t2)));
    });
}

#[test]
fn a_handler_that_unwinds_leaves_the_level_as_it_was() {
    on_board(USER, |cpu| {
        let hart = cpu.on_trap(|_, _| panic!("a handler"));
        let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| hart.xcmd(0, 0, 0)));
        assert!(unwound.is_err());
        assert_eq!(cpu.level(), USER);
    });
}
