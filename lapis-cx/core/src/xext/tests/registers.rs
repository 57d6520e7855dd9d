use proptest::prelude::*;

use super::*;
use crate::encoding::Fallback;

#[cfg(target_pointer_width = "64")]
const RV64: u32 = 64;
#[cfg(target_pointer_width = "32")]
const RV64: u32 = 32;

fn ids_and_sequence_numbers_keep_apart<const XLEN: u32>() {
    let ids = if XLEN == 64 { 1u64 << 52 } else { 1 << 20 };
    for uuid in [0, 1, 2, 0x12345, 0x8_0000, 0xABCDE, 0xF_FFFF, ids / 2, ids - 1] {
        for dev in 0..4096 {
            let register = UuidDevice { uuid, dev }.register::<XLEN>().unwrap();
            assert_eq!(register & 0xFFF, usize::from(dev));
            assert_eq!((register >> 12) as u64, uuid);
            assert_eq!(UuidDevice::from_register::<XLEN>(register), UuidDevice { uuid, dev });
        }
    }
    assert_eq!(UuidDevice { uuid: ids, dev: 0 }.register::<XLEN>(), None);
    assert_eq!(UuidDevice { uuid: 0, dev: 4096 }.register::<XLEN>(), None);
}

// Sentences: overloadable-opcodes 27-28, 57.
#[test]
fn an_id_stands_above_a_sequence_number_of_twelve_bits() {
    ids_and_sequence_numbers_keep_apart::<32>();
    ids_and_sequence_numbers_keep_apart::<RV64>();
}

// Sentences: overloadable-opcodes 1, 27, 54, 56.
#[test]
fn a_register_of_32_bits_has_20_bits_of_id_and_one_of_64_has_52() {
    assert_eq!(UuidDevice::from_register::<32>(usize::MAX), UuidDevice { uuid: (1 << 20) - 1, dev: 4095 });
    assert_eq!(UuidDevice::from_register::<RV64>(usize::MAX), UuidDevice { uuid: u64::MAX >> (76 - RV64), dev: 4095 });
}

fn luns_and_data_keep_apart<const XLEN: u32>() {
    for lun in 0..4096 {
        for data in [0, 1, 0x800, 0xF_FFFF, usize::MAX >> (usize::BITS - XLEN + 12), usize::MAX] {
            let cookie = Cookie::new::<XLEN>(lun, data).unwrap();
            assert_eq!((cookie.lun(), cookie.data()), (lun, data & usize::MAX >> (usize::BITS - XLEN + 12)));
            assert_eq!(Cookie::from_bits(cookie.bits()), cookie);
        }
    }
    assert_eq!(Cookie::new::<XLEN>(4096, 0), None);
}

// Sentences: overloadable-opcodes 6, 24, 58.
#[test]
fn a_lun_has_twelve_bits_and_data_the_others() {
    luns_and_data_keep_apart::<32>();
    luns_and_data_keep_apart::<RV64>();
}

// Sentences: overloadable-opcodes 2, 68.
#[test]
fn each_port_is_another_number_and_leads_back() {
    let mut seen = [false; 1 << 15];
    for subdevice in 0..4096 {
        for command in 0..8 {
            let port = Port::new(subdevice, command).unwrap();
            assert_eq!(Port::from_bits(port.bits()), Some(port));
            assert_eq!((port.subdevice(), port.command()), (subdevice, command));
            let place = &mut seen[usize::from(port.bits())];
            assert!(!*place);
            *place = true;
        }
    }
    assert!(seen.iter().all(|seen| *seen));
    assert!((1 << 15..=u16::MAX).all(|bits| Port::from_bits(bits).is_none()));
    assert_eq!((Port::new(4096, 0), Port::new(0, 8)), (None, None));
}

// Sentences: overloadable-opcodes 79-81.
#[test]
fn each_lun_has_one_meaning() {
    for lun in 0..4096u16 {
        let want = match lun {
            0 => LunKind::Fallback(Fallback::Trap),
            1 => LunKind::Fallback(Fallback::Zero),
            2 => LunKind::Fallback(Fallback::MinusOne),
            3..=7 | 31 => LunKind::Reserved,
            8..=30 => LunKind::Error(lun as u8),
            _ => LunKind::Device,
        };
        assert_eq!(LunKind::of(lun), want);
    }
}

// Sentences: overloadable-opcodes 80.
#[test]
fn numbers_8_to_30_in_place_of_a_cookie_are_errors() {
    for number in 0..=u8::MAX {
        let error = Cookie::from_error(number);
        assert_eq!(error.is_some(), (8..=30).contains(&number));
        if let Some(cookie) = error {
            assert_eq!((cookie.error(), cookie.bits()), (Some(number), usize::from(number)));
            // Data above it make it a cookie with a wrong lun, and no error.
            assert_eq!(cookie.with(1).error(), None);
        }
    }
}

// Sentences: overloadable-opcodes 80.
#[test]
fn one_comparison_with_31_tells_failures_from_cookies() {
    let failed = |bits: usize| Cookie::from_bits(bits).has_failed();
    assert!((0..31).all(failed));
    assert!(!failed(31) && !failed(32) && !failed(0x1008));
    assert!((8..=30).all(|number| Cookie::from_error(number).unwrap().has_failed()));
}

// Sentences: overloadable-opcodes 61.
#[test]
fn privileges_are_one_bit_each() {
    let bits = Privilege::ALL.map(|level| level as u8);
    assert_eq!(bits, [0b0001, 0b0010, 0b0100, 0b1000]);
    assert_eq!(Privilege::ALL.map(Privilege::name), ["user", "super", "hyper", "mach"]);
}

#[test]
fn the_level_above_is_the_next_one_that_there_is() {
    for bits in 0..16u8 {
        let levels: Levels = Privilege::ALL.into_iter().filter(|level| bits & *level as u8 != 0).collect();
        assert_eq!(levels.bits(), bits);
        assert_eq!(levels.highest(), Privilege::ALL.into_iter().rfind(|level| levels.has(*level)));
        for level in Privilege::ALL {
            assert_eq!(levels.above(level), Privilege::ALL.into_iter().find(|l| *l > level && levels.has(*l)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_a_register_and_writing_it_is_nothing(register: usize) {
        let narrow = UuidDevice::from_register::<32>(register);
        prop_assert_eq!(narrow.register::<32>(), Some(register & 0xFFFF_FFFF));
        prop_assert_eq!(UuidDevice::from_register::<RV64>(register).register::<RV64>(), Some(register));
        let cookie = Cookie::from_bits(register);
        prop_assert_eq!(Cookie::new::<RV64>(cookie.lun(), cookie.data()), Some(cookie));
    }
}
