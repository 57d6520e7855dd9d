use proptest::prelude::*;

use super::*;

const P: Profile = Profile::DEFAULT;

fn register() -> impl Strategy<Value = u8> {
    0..32u8
}

fn any_instruction() -> impl Strategy<Value = Instruction> {
    let three = || (register(), register(), register());
    let operation = prop_oneof![Just(CsrOperation::Write), Just(CsrOperation::Set), Just(CsrOperation::Clear)];
    let source = (any::<bool>(), register())
        .prop_map(|(imm, n)| if imm { CsrSource::Immediate(n) } else { CsrSource::Register(n) });
    prop_oneof![
        (0..FUNCTION_LIMIT, three()).prop_map(|(function, (rd, rs1, rs2))| Instruction::R { function, rd, rs1, rs2 }),
        (0..SMALL_LIMIT, register(), register(), -2048..2048i16)
            .prop_map(|(function, rd, rs1, immediate)| Instruction::I { function, rd, rs1, immediate }),
        (0..FUNCTION_LIMIT, three()).prop_map(|(function, (rs1, rs2, immediate))| Instruction::Flex {
            function,
            rs1,
            rs2,
            immediate
        }),
        (0..8u8, three()).prop_map(|(command, (rd, rs1, rs2))| Instruction::Xcmd { command, rd, rs1, rs2 }),
        (0..3usize, three()).prop_map(|(f, (rd, rs1, rs2))| Instruction::Xext {
            fallback: Fallback::ALL[f],
            rd,
            rs1,
            rs2
        }),
        (0..4096u16, operation, register(), source)
            .prop_map(|(csr, operation, rd, source)| Instruction::Csr(CsrAccess { csr, operation, rd, source })),
    ]
}

/// Words on the opcodes that matter, and any others.
fn any_word() -> impl Strategy<Value = u32> {
    let opcode = prop_oneof![Just(0x0Bu32), Just(0x2B), Just(0x5B), Just(0x7B), Just(0x73), 0..128u32];
    (any::<u32>(), opcode).prop_map(|(word, opcode)| word & !0x7F | opcode)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn decoding_gives_what_was_encoded(instruction in any_instruction()) {
        let word = instruction.encode(P).unwrap();
        prop_assert_eq!(Instruction::decode(word, P), Some(instruction));
    }

    #[test]
    fn encoding_gives_the_word_that_was_decoded(word in any_word()) {
        // So no two instructions, of one form or of two, share a word.
        if let Some(instruction) = Instruction::decode(word, P) {
            prop_assert_eq!(instruction.encode(P), Some(word));
        }
    }

    #[test]
    fn a_profile_moves_opcodes_and_nothing_else(instruction in any_instruction()) {
        let other = Profile::new(0x7B, 0x5B, 0x2B, 0x0B).unwrap();
        let (word, moved) = (instruction.encode(P).unwrap(), instruction.encode(other).unwrap());
        prop_assert_eq!(word & !0x7F, moved & !0x7F);
        prop_assert_eq!(Instruction::decode(moved, other), Some(instruction));
        prop_assert_eq!(word == moved, matches!(instruction, Instruction::Csr(_)));
    }

    #[test]
    fn flex25_is_flex_read_otherwise(function in 0..FUNCTION_LIMIT, immediate in 0..1u16 << 15) {
        let instruction = Instruction::flex25(function, immediate).unwrap();
        prop_assert_eq!(instruction.immediate25(), Some(immediate));
        let word = instruction.encode(P).unwrap();
        // rs2:rs1 above funct3, rd below it.
        prop_assert_eq!((word >> 15 & 0x3FF) << 5 | word >> 7 & 31, u32::from(immediate));
    }
}

// Sentences: overloadable-opcodes 4, 50.
#[test]
fn words_are_those_of_the_documents() {
    // `.insn r 0x0B, id & 7, id >> 3, a0, a0, a1` for ids 0, 1 and 1023.
    let r = |function| Instruction::R { function, rd: 10, rs1: 10, rs2: 11 }.encode(P);
    assert_eq!([r(0), r(1), r(1023)], [Some(0x00B5_050B), Some(0x00B5_150B), Some(0xFEB5_750B)]);
    let i = Instruction::I { function: 3, rd: 10, rs1: 10, immediate: -63 };
    assert_eq!(i.encode(P), Some(0xFC15_352B));
    let flex = Instruction::Flex { function: 1, rs1: 10, rs2: 11, immediate: 0 };
    assert_eq!(flex.encode(P), Some(0x00B5_105B));
    let xcmd = Instruction::Xcmd { command: 7, rd: 10, rs1: 10, rs2: 11 };
    assert_eq!(xcmd.encode(P), Some(0x00B5_757B));
    let xextm1 = Instruction::Xext { fallback: Fallback::MinusOne, rd: 5, rs1: 5, rs2: 0 };
    assert_eq!(xextm1.encode(P), Some(0x0202_A2FB));
    // csrrw a1, cx_index, a0
    let select = CsrAccess {
        csr: Csr::CxIndex.number(),
        operation: CsrOperation::Write,
        rd: 11,
        source: CsrSource::Register(10),
    };
    assert_eq!(select.encode(), Some(0x8005_15F3));
}

#[test]
fn what_does_not_fit_is_not_encoded() {
    let r = Instruction::R { function: 1023, rd: 31, rs1: 31, rs2: 31 };
    assert!(r.encode(P).is_some());
    let bad = [
        Instruction::R { function: 1024, rd: 0, rs1: 0, rs2: 0 },
        Instruction::R { function: 0, rd: 32, rs1: 0, rs2: 0 },
        Instruction::R { function: 0, rd: 0, rs1: 32, rs2: 0 },
        Instruction::R { function: 0, rd: 0, rs1: 0, rs2: 32 },
        Instruction::I { function: 8, rd: 0, rs1: 0, immediate: 0 },
        Instruction::I { function: 0, rd: 0, rs1: 0, immediate: 2048 },
        Instruction::I { function: 0, rd: 0, rs1: 0, immediate: -2049 },
        Instruction::I { function: 0, rd: 0, rs1: 32, immediate: 0 },
        Instruction::Flex { function: 1024, rs1: 0, rs2: 0, immediate: 0 },
        Instruction::Flex { function: 0, rs1: 0, rs2: 0, immediate: 32 },
        Instruction::Xcmd { command: 8, rd: 0, rs1: 0, rs2: 0 },
        Instruction::Xext { fallback: Fallback::Trap, rd: 0, rs1: 32, rs2: 0 },
    ];
    for instruction in bad {
        assert_eq!(instruction.encode(P), None, "{instruction:?}");
    }
    assert_eq!(Instruction::flex25(0, 1 << 15), None);
    assert_eq!(r.immediate25(), None);
}

#[test]
fn reserved_words_are_no_instruction() {
    // funct7 2 on the opcode of xcmd, the fourth xext, ecall, an addition.
    for word in [0x0400_007B, 0x0200_307B, 0x0000_0073, 0x00B5_0533, 0, u32::MAX] {
        assert_eq!(Instruction::decode(word, P), None, "{word:#x}");
    }
}

#[test]
fn a_profile_has_four_different_opcodes_of_custom_instructions() {
    assert_eq!(Profile::new(0x0B, 0x2B, 0x5B, 0x7B), Some(P));
    let refused = [
        (0x0B, 0x0B, 0x5B, 0x7B),
        (0x0A, 0x2B, 0x5B, 0x7B),
        (0x1F, 0x2B, 0x5B, 0x7B),
        (0x8B, 0x2B, 0x5B, 0x7B),
        (0x0B, 0x2B, 0x5B, 0x73),
    ];
    for (r, i, flex, xcmd) in refused {
        assert_eq!(Profile::new(r, i, flex, xcmd), None, "{r:x} {i:x} {flex:x} {xcmd:x}");
    }
}

#[test]
fn csr_numbers_lead_back() {
    for csr in Csr::ALL {
        assert_eq!(Csr::from_number(csr.number()), Some(csr));
    }
    assert_eq!(Csr::from_number(0x802), None);
}

#[test]
fn custom_addresses_are_those_of_the_privileged_specification() {
    let custom = |address| matches!(CsrAddress::of(address), CsrAddress::Custom { .. });
    assert_eq!((0..0x1000).filter(|a| custom(*a)).count(), 10 * 64 + 256 - 4);
    assert!(!custom(0x1810));
    assert_eq!(CsrAddress::of(0x810), CsrAddress::Custom { read_only: false });
    assert_eq!(CsrAddress::of(0xCC0), CsrAddress::Custom { read_only: true });
    assert_eq!(CsrAddress::of(0xBFF), CsrAddress::Custom { read_only: false });
    // mstatus, debug mode, the standard user counters.
    for address in [0x300, 0x7B0, 0xC00, 0xCBF, 0x4C0, 0x1000] {
        assert_eq!(CsrAddress::of(address), CsrAddress::Other, "{address:#x}");
    }
    assert_eq!(CsrAddress::of(0xBC1), CsrAddress::Taken(Csr::McxTable));
}

// Sentences: overloadable-opcodes 5.
#[test]
fn custom_opcodes_are_those_of_the_default_profile() {
    assert!((0..=u8::MAX).filter(|opcode| is_custom_opcode(*opcode)).eq([P.r(), P.i(), P.flex(), P.xcmd()]));
}
