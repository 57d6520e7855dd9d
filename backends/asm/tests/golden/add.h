/* add.h
 * Generated from org.example.forms:Forms by cxc for assembly; do not edit.
 *
 * Every form, and what else a header holds.
 */
#ifndef CX_GENERATED_ASM_add_H
#define CX_GENERATED_ASM_add_H

#if !defined __ASSEMBLER__ || !defined __riscv_xlen
#error "add.h is for RISC-V assembly that goes through the C preprocessor (.S)"
#endif

/* What all headers for assembly share. */
#ifndef CX_ASM_COMMON
#define CX_ASM_COMMON
/* CSRs: `csrrw rd, cx_index, rs1` selects. */
#define cx_index 0x800
#define cx_status 0x801
#define mcx_selector 0xBC0
#define mcx_table 0xBC1
/* Flags of cx_status. */
#define CX_STATUS_IV 0x01
#define CX_STATUS_IC 0x02
#define CX_STATUS_IS 0x04
#define CX_STATUS_OF 0x08
#define CX_STATUS_IF 0x10
#define CX_STATUS_OP 0x20
#define CX_STATUS_CU 0x40
#endif

/* Overloadable opcodes. xext finds a device by the id and the number in rs1 and gives its lun, with data of rs2 above it;
 * without such a device, the lun of a fallback. xcmd sends a command to the device whose lun is in rs1. */
#ifndef CX_ASM_XCMD
#define CX_ASM_XCMD 0x7B
/* What is below this is no cookie, but a fallback or the number of an error: `bltu cookie, t0, absent`. c.li has it. */
#define CX_LUN_FAILED 31
#define CX_LUN_FIRST_DEVICE 32
.macro xext rd:req, rs1:req, rs2:req
    .insn r 0x7B, 0, 1, \rd, \rs1, \rs2
.endm
.macro xext0 rd:req, rs1:req, rs2:req
    .insn r 0x7B, 1, 1, \rd, \rs1, \rs2
.endm
.macro xextm1 rd:req, rs1:req, rs2:req
    .insn r 0x7B, 2, 1, \rd, \rs1, \rs2
.endm
.macro xcmd0 rd:req, rs1:req, rs2:req
    .insn r 0x7B, 0, 0, \rd, \rs1, \rs2
.endm
.macro xcmd1 rd:req, rs1:req, rs2:req
    .insn r 0x7B, 1, 0, \rd, \rs1, \rs2
.endm
.macro xcmd2 rd:req, rs1:req, rs2:req
    .insn r 0x7B, 2, 0, \rd, \rs1, \rs2
.endm
.macro xcmd3 rd:req, rs1:req, rs2:req
    .insn r 0x7B, 3, 0, \rd, \rs1, \rs2
.endm
.macro xcmd4 rd:req, rs1:req, rs2:req
    .insn r 0x7B, 4, 0, \rd, \rs1, \rs2
.endm
.macro xcmd5 rd:req, rs1:req, rs2:req
    .insn r 0x7B, 5, 0, \rd, \rs1, \rs2
.endm
.macro xcmd6 rd:req, rs1:req, rs2:req
    .insn r 0x7B, 6, 0, \rd, \rs1, \rs2
.endm
.macro xcmd7 rd:req, rs1:req, rs2:req
    .insn r 0x7B, 7, 0, \rd, \rs1, \rs2
.endm
#elif CX_ASM_XCMD != 0x7B
#error "add.h was generated with another opcode for xcmd than a header before it"
#endif

/* Puts the UUID aa0f7d0e-00ff-4000-8000-000000000002 here, as a cx_uuid_t. */
.macro org_example_forms__Forms__uuid_data
    .balign 8
    .8byte 0xAA0F7D0E00FF4000, 0x8000000000000002
.endm
#define add_uuid_data org_example_forms__Forms__uuid_data

/* Overloadable-opcode id, as `lui` takes it. */
#define org_example_forms__Forms__uuid 0x00007
#define add_uuid org_example_forms__Forms__uuid
#define org_example_forms__Forms__xintf 0x00007
#define add_xintf org_example_forms__Forms__xintf
#define org_example_forms__Forms__xintf52 0x0000000000007
#define add_xintf52 org_example_forms__Forms__xintf52

/* Looks the interface up: loads its id and the number of a device, and replaces them in rd by a lun, with data of
 * rs2 above it. */
.macro org_example_forms__Forms__xext rd:req, rs2=x0, device=0
    .ifc \rd, \rs2
    .error "org_example_forms__Forms__xext: rd is loaded before rs2 is read; they must be two registers"
    .endif
    .if (\device) < 0 || (\device) > 4095
    .error "org_example_forms__Forms__xext: a device is 0 to 4095"
    .endif
#if __riscv_xlen == 64
    li \rd, 0x7000 + (\device)
#else
    li \rd, 0x7000 + (\device)
#endif
    xext \rd, \rd, \rs2
.endm
#define add_xext org_example_forms__Forms__xext
.macro org_example_forms__Forms__xext0 rd:req, rs2=x0, device=0
    .ifc \rd, \rs2
    .error "org_example_forms__Forms__xext0: rd is loaded before rs2 is read; they must be two registers"
    .endif
    .if (\device) < 0 || (\device) > 4095
    .error "org_example_forms__Forms__xext0: a device is 0 to 4095"
    .endif
#if __riscv_xlen == 64
    li \rd, 0x7000 + (\device)
#else
    li \rd, 0x7000 + (\device)
#endif
    xext0 \rd, \rd, \rs2
.endm
#define add_xext0 org_example_forms__Forms__xext0
.macro org_example_forms__Forms__xextm1 rd:req, rs2=x0, device=0
    .ifc \rd, \rs2
    .error "org_example_forms__Forms__xextm1: rd is loaded before rs2 is read; they must be two registers"
    .endif
    .if (\device) < 0 || (\device) > 4095
    .error "org_example_forms__Forms__xextm1: a device is 0 to 4095"
    .endif
#if __riscv_xlen == 64
    li \rd, 0x7000 + (\device)
#else
    li \rd, 0x7000 + (\device)
#endif
    xextm1 \rd, \rd, \rs2
.endm
#define add_xextm1 org_example_forms__Forms__xextm1

/* Puts the contract hash here: 32 bytes. */
.macro org_example_forms__Forms__contract_data
    .byte 0xD7, 0x08, 0xB5, 0xB8, 0x59, 0x32, 0x3F, 0xD8
    .byte 0x2C, 0x1B, 0x8A, 0x94, 0xF6, 0xF5, 0x4E, 0xBE
    .byte 0xD0, 0x0E, 0x63, 0xF0, 0x63, 0x47, 0xC6, 0xC3
    .byte 0x72, 0x04, 0x54, 0x1A, 0x49, 0x6E, 0xDB, 0x2D
.endm
#define add_contract_data org_example_forms__Forms__contract_data

#if __riscv_xlen == 32

/* Cases of `Way`.
 * Where to.
 */
#define org_example_forms__Forms__Way_up 1
#define add_Way_up org_example_forms__Forms__Way_up
#define org_example_forms__Forms__Way_down 5
#define add_Way_down org_example_forms__Forms__Way_down

#define org_example_forms__Forms__LEAST (-5)
#define add_LEAST org_example_forms__Forms__LEAST

/* Error codes in the status word. */
/* it is empty
 * 
 * Nothing is left.
 */
#define org_example_forms__Forms__error_empty 3
#define add_error_empty org_example_forms__Forms__error_empty

/* State: words of XLEN bits without the status word, and where each field begins. */
/* What one user has. * / .word 0 / * */
#define org_example_forms__Forms__state_words 7
#define add_state_words org_example_forms__Forms__state_words
/* Whether it
 * is on.
 */
#define org_example_forms__Forms__word_flag 0
#define add_word_flag org_example_forms__Forms__word_flag
#define org_example_forms__Forms__word_five 1
#define add_word_five org_example_forms__Forms__word_five
#define org_example_forms__Forms__word_odd 2
#define add_word_odd org_example_forms__Forms__word_odd
#define org_example_forms__Forms__word_last 6
#define add_word_last org_example_forms__Forms__word_last

/* CSRs of the selected CX, for `csrr`, `csrw` and their like. */
/* Two fields of the state. */
#define org_example_forms__Forms__csr_control 0x810
#define add_csr_control org_example_forms__Forms__csr_control
#define org_example_forms__Forms__control_flag_shift 0
#define add_control_flag_shift org_example_forms__Forms__control_flag_shift
#define org_example_forms__Forms__control_flag_mask 0x1
#define add_control_flag_mask org_example_forms__Forms__control_flag_mask
/* The last one. */
#define org_example_forms__Forms__control_level_shift 8
#define add_control_level_shift org_example_forms__Forms__control_level_shift
#define org_example_forms__Forms__control_level_mask 0xFF00
#define add_control_level_mask org_example_forms__Forms__control_level_mask
#define org_example_forms__Forms__csr_made 0xCC0
#define add_csr_made org_example_forms__Forms__csr_made
#define org_example_forms__Forms__made_top_shift 31
#define add_made_top_shift org_example_forms__Forms__made_top_shift
#define org_example_forms__Forms__made_top_mask 0x80000000
#define add_made_top_mask org_example_forms__Forms__made_top_mask

/* Function ids. */
#define org_example_forms__Forms__id_add 0
#define add_id_add org_example_forms__Forms__id_add
#define org_example_forms__Forms__id_first 1
#define add_id_first org_example_forms__Forms__id_first
#define org_example_forms__Forms__id_second 2
#define add_id_second org_example_forms__Forms__id_second
#define org_example_forms__Forms__id_constant 3
#define add_id_constant org_example_forms__Forms__id_constant
#define org_example_forms__Forms__id_lone 4
#define add_id_lone org_example_forms__Forms__id_lone
#define org_example_forms__Forms__id_wide 5
#define add_id_wide org_example_forms__Forms__id_wide
#define org_example_forms__Forms__id_way 7
#define add_id_way org_example_forms__Forms__id_way
#define org_example_forms__Forms__id_third 14
#define add_id_third org_example_forms__Forms__id_third
#define org_example_forms__Forms__id_fourth 15
#define add_id_fourth org_example_forms__Forms__id_fourth
#define org_example_forms__Forms__id_upper 16
#define add_id_upper org_example_forms__Forms__id_upper
#define org_example_forms__Forms__id_lower 17
#define add_id_lower org_example_forms__Forms__id_lower
#define org_example_forms__Forms__id_big 18
#define add_id_big org_example_forms__Forms__id_big
#define org_example_forms__Forms__id_empty_one 20
#define add_id_empty_one org_example_forms__Forms__id_empty_one
#define org_example_forms__Forms__id_few 21
#define add_id_few org_example_forms__Forms__id_few
#define org_example_forms__Forms__id_nothing 23
#define add_id_nothing org_example_forms__Forms__id_nothing
#define org_example_forms__Forms__id_bigs 1007
#define add_id_bigs org_example_forms__Forms__id_bigs

/* Commands: one instruction each. Registers that a command does not have are x0. */
.macro org_example_forms__Forms__add rd:req, rs1:req, rs2:req
    .insn r 0x0B, 0, 0, \rd, \rs1, \rs2
.endm
#define org_example_forms__Forms__add(rd, rs1, rs2) org_example_forms__Forms__add rd, rs1, rs2
#define add_add org_example_forms__Forms__add
.macro org_example_forms__Forms__first rd:req, imm:req, rs1:req
    .if (\imm) < -2048 || (\imm) > 2047
    .error "org_example_forms__Forms__first: 12 bits do not carry n"
    .endif
    .insn i 0x2B, 1, \rd, \rs1, ((((\imm) & 0xFFF) ^ 0x800) - 0x800)
.endm
#define org_example_forms__Forms__first(rd, imm, rs1) org_example_forms__Forms__first rd, imm, rs1
#define add_first org_example_forms__Forms__first
.macro org_example_forms__Forms__second rd:req, rs1:req, imm:req
    .if (\imm) < 0 || (\imm) > 4095
    .error "org_example_forms__Forms__second: 12 bits do not carry n"
    .endif
    .insn i 0x2B, 2, \rd, \rs1, ((((\imm) & 0xFFF) ^ 0x800) - 0x800)
.endm
#define org_example_forms__Forms__second(rd, rs1, imm) org_example_forms__Forms__second rd, rs1, imm
#define add_second org_example_forms__Forms__second
.macro org_example_forms__Forms__constant rd:req, imm:req
    .if (\imm) < 0 || (\imm) > 65535 || (((\imm) + 0x800) & 0xF000) != 0
    .error "org_example_forms__Forms__constant: 12 bits, sign-extended, do not carry n"
    .endif
    .insn i 0x2B, 3, \rd, x0, ((((\imm) & 0xFFF) ^ 0x800) - 0x800)
.endm
#define org_example_forms__Forms__constant(rd, imm) org_example_forms__Forms__constant rd, imm
#define add_constant org_example_forms__Forms__constant
.macro org_example_forms__Forms__lone rd:req, rs1:req
    .insn r 0x0B, 4, 0, \rd, \rs1, x0
.endm
#define org_example_forms__Forms__lone(rd, rs1) org_example_forms__Forms__lone rd, rs1
#define add_lone org_example_forms__Forms__lone
.macro org_example_forms__Forms__lone_i rd:req, rs1:req
    .insn i 0x2B, 4, \rd, \rs1, 0
.endm
#define org_example_forms__Forms__lone_i(rd, rs1) org_example_forms__Forms__lone_i rd, rs1
#define add_lone_i org_example_forms__Forms__lone_i
.macro org_example_forms__Forms__wide rd:req, rs1:req, rs2:req
    .insn r 0x0B, 5, 0, \rd, \rs1, \rs2
.endm
#define org_example_forms__Forms__wide(rd, rs1, rs2) org_example_forms__Forms__wide rd, rs1, rs2
#define add_wide org_example_forms__Forms__wide
.macro org_example_forms__Forms__wide_flex rs1:req, rs2:req
    .insn r 0x5B, 5, 0, x0, \rs1, \rs2
.endm
#define org_example_forms__Forms__wide_flex(rs1, rs2) org_example_forms__Forms__wide_flex rs1, rs2
#define add_wide_flex org_example_forms__Forms__wide_flex
.macro org_example_forms__Forms__wide_i rd:req, rs1:req, imm:req
    .if (((\imm) + 0x800) & 0xFFFFF000) != 0
    .error "org_example_forms__Forms__wide_i: 12 bits, sign-extended, do not carry y"
    .endif
    .insn i 0x2B, 5, \rd, \rs1, ((((\imm) & 0xFFF) ^ 0x800) - 0x800)
.endm
#define org_example_forms__Forms__wide_i(rd, rs1, imm) org_example_forms__Forms__wide_i rd, rs1, imm
#define add_wide_i org_example_forms__Forms__wide_i
.macro org_example_forms__Forms__wide_x rd:req, rs1:req, rs2:req
    .insn r 0x7B, 5, 0, \rd, \rs1, \rs2
.endm
#define org_example_forms__Forms__wide_x(rd, rs1, rs2) org_example_forms__Forms__wide_x rd, rs1, rs2
#define add_wide_x org_example_forms__Forms__wide_x
.macro org_example_forms__Forms__way rd:req, rs1:req, imm:req
    .if (\imm) < 0 || (\imm) > 7
    .error "org_example_forms__Forms__way: 3 bits do not carry w"
    .endif
    .insn i 0x2B, 7, \rd, \rs1, ((((\imm) & 0xFFF) ^ 0x800) - 0x800)
.endm
#define org_example_forms__Forms__way(rd, rs1, imm) org_example_forms__Forms__way rd, rs1, imm
#define add_way org_example_forms__Forms__way
.macro org_example_forms__Forms__third rs1:req, rs2:req, imm:req
    .if (\imm) < 0 || (\imm) > 31
    .error "org_example_forms__Forms__third: 5 bits do not carry n"
    .endif
    .insn s 0x5B, 6, \rs2, ((((32 | ((\imm) & 31)) ^ 0x800) - 0x800))(\rs1)
.endm
#define org_example_forms__Forms__third(rs1, rs2, imm) org_example_forms__Forms__third rs1, rs2, imm
#define add_third org_example_forms__Forms__third
.macro org_example_forms__Forms__fourth imm:req, rs1:req
    .if (\imm) < -8 || (\imm) > 7
    .error "org_example_forms__Forms__fourth: 4 bits do not carry n"
    .endif
    .insn s 0x5B, 7, x0, ((((32 | ((\imm) & 15)) ^ 0x800) - 0x800))(\rs1)
.endm
#define org_example_forms__Forms__fourth(imm, rs1) org_example_forms__Forms__fourth imm, rs1
#define add_fourth org_example_forms__Forms__fourth
.macro org_example_forms__Forms__upper rd:req, rs2:req
    .insn r 0x0B, 0, 2, \rd, x0, \rs2
.endm
#define org_example_forms__Forms__upper(rd, rs2) org_example_forms__Forms__upper rd, rs2
#define add_upper org_example_forms__Forms__upper
.macro org_example_forms__Forms__lower rs2:req, imm:req
    .if (\imm) < 0 || (\imm) > 1
    .error "org_example_forms__Forms__lower: 1 bit does not carry a bool"
    .endif
    .insn s 0x5B, 1, \rs2, ((((64 | ((\imm) & 1)) ^ 0x800) - 0x800))(x0)
.endm
#define org_example_forms__Forms__lower(rs2, imm) org_example_forms__Forms__lower rs2, imm
#define add_lower org_example_forms__Forms__lower
.macro org_example_forms__Forms__big imm:req
    .if (\imm) < 0 || (\imm) > 32767
    .error "org_example_forms__Forms__big: 15 bits do not carry n"
    .endif
    .irp cx_rd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    .if ((\imm) & 31) == \cx_rd
    .insn u 0x5B, x\cx_rd, 16386 | ((\imm) >> 10 & 31) << 8 | ((\imm) >> 5 & 31) << 3
    .endif
    .endr
.endm
#define org_example_forms__Forms__big(imm) org_example_forms__Forms__big imm
#define add_big org_example_forms__Forms__big
.macro org_example_forms__Forms__empty_one
    .insn r 0x5B, 4, 2, x0, x0, x0
.endm
#define org_example_forms__Forms__empty_one() org_example_forms__Forms__empty_one
#define add_empty_one org_example_forms__Forms__empty_one
.macro org_example_forms__Forms__few imm:req
    .if (\imm) < 0 || (\imm) > 127
    .error "org_example_forms__Forms__few: 7 bits do not carry n"
    .endif
    .irp cx_rd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    .if ((\imm) & 31) == \cx_rd
    .insn u 0x5B, x\cx_rd, 16389 | ((\imm) >> 10 & 0) << 8 | ((\imm) >> 5 & 3) << 3
    .endif
    .endr
.endm
#define org_example_forms__Forms__few(imm) org_example_forms__Forms__few imm
#define add_few org_example_forms__Forms__few
.macro org_example_forms__Forms__nothing
    .insn r 0x0B, 7, 2, x0, x0, x0
.endm
#define org_example_forms__Forms__nothing() org_example_forms__Forms__nothing
#define add_nothing org_example_forms__Forms__nothing
.macro org_example_forms__Forms__bigs imm:req
    .if (\imm) < -16384 || (\imm) > 16383
    .error "org_example_forms__Forms__bigs: 15 bits do not carry n"
    .endif
    .irp cx_rd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    .if ((\imm) & 31) == \cx_rd
    .insn u 0x5B, x\cx_rd, 1024007 | ((\imm) >> 10 & 31) << 8 | ((\imm) >> 5 & 31) << 3
    .endif
    .endr
.endm
#define org_example_forms__Forms__bigs(imm) org_example_forms__Forms__bigs imm
#define add_bigs org_example_forms__Forms__bigs

#elif __riscv_xlen == 64

/* Cases of `Way`.
 * Where to.
 */
#define org_example_forms__Forms__Way_up 1
#define add_Way_up org_example_forms__Forms__Way_up
#define org_example_forms__Forms__Way_down 5
#define add_Way_down org_example_forms__Forms__Way_down

#define org_example_forms__Forms__LEAST (-5)
#define add_LEAST org_example_forms__Forms__LEAST

/* Error codes in the status word. */
/* it is empty
 * 
 * Nothing is left.
 */
#define org_example_forms__Forms__error_empty 3
#define add_error_empty org_example_forms__Forms__error_empty

/* State: words of XLEN bits without the status word, and where each field begins. */
/* What one user has. * / .word 0 / * */
#define org_example_forms__Forms__state_words 5
#define add_state_words org_example_forms__Forms__state_words
/* Whether it
 * is on.
 */
#define org_example_forms__Forms__word_flag 0
#define add_word_flag org_example_forms__Forms__word_flag
#define org_example_forms__Forms__word_five 1
#define add_word_five org_example_forms__Forms__word_five
#define org_example_forms__Forms__word_odd 2
#define add_word_odd org_example_forms__Forms__word_odd
#define org_example_forms__Forms__word_last 4
#define add_word_last org_example_forms__Forms__word_last

/* CSRs of the selected CX, for `csrr`, `csrw` and their like. */
/* Two fields of the state. */
#define org_example_forms__Forms__csr_control 0x810
#define add_csr_control org_example_forms__Forms__csr_control
#define org_example_forms__Forms__control_flag_shift 0
#define add_control_flag_shift org_example_forms__Forms__control_flag_shift
#define org_example_forms__Forms__control_flag_mask 0x1
#define add_control_flag_mask org_example_forms__Forms__control_flag_mask
/* The last one. */
#define org_example_forms__Forms__control_level_shift 8
#define add_control_level_shift org_example_forms__Forms__control_level_shift
#define org_example_forms__Forms__control_level_mask 0xFF00
#define add_control_level_mask org_example_forms__Forms__control_level_mask
#define org_example_forms__Forms__csr_made 0xCC0
#define add_csr_made org_example_forms__Forms__csr_made
#define org_example_forms__Forms__made_top_shift 31
#define add_made_top_shift org_example_forms__Forms__made_top_shift
#define org_example_forms__Forms__made_top_mask 0x80000000
#define add_made_top_mask org_example_forms__Forms__made_top_mask

/* Function ids. */
#define org_example_forms__Forms__id_add 0
#define add_id_add org_example_forms__Forms__id_add
#define org_example_forms__Forms__id_first 1
#define add_id_first org_example_forms__Forms__id_first
#define org_example_forms__Forms__id_second 2
#define add_id_second org_example_forms__Forms__id_second
#define org_example_forms__Forms__id_constant 3
#define add_id_constant org_example_forms__Forms__id_constant
#define org_example_forms__Forms__id_lone 4
#define add_id_lone org_example_forms__Forms__id_lone
#define org_example_forms__Forms__id_wide 5
#define add_id_wide org_example_forms__Forms__id_wide
#define org_example_forms__Forms__id_way 7
#define add_id_way org_example_forms__Forms__id_way
#define org_example_forms__Forms__id_third 14
#define add_id_third org_example_forms__Forms__id_third
#define org_example_forms__Forms__id_fourth 15
#define add_id_fourth org_example_forms__Forms__id_fourth
#define org_example_forms__Forms__id_upper 16
#define add_id_upper org_example_forms__Forms__id_upper
#define org_example_forms__Forms__id_lower 17
#define add_id_lower org_example_forms__Forms__id_lower
#define org_example_forms__Forms__id_big 18
#define add_id_big org_example_forms__Forms__id_big
#define org_example_forms__Forms__id_empty_one 20
#define add_id_empty_one org_example_forms__Forms__id_empty_one
#define org_example_forms__Forms__id_few 21
#define add_id_few org_example_forms__Forms__id_few
#define org_example_forms__Forms__id_only64 22
#define add_id_only64 org_example_forms__Forms__id_only64
#define org_example_forms__Forms__id_nothing 23
#define add_id_nothing org_example_forms__Forms__id_nothing
#define org_example_forms__Forms__id_bigs 1007
#define add_id_bigs org_example_forms__Forms__id_bigs

/* Commands: one instruction each. Registers that a command does not have are x0. */
.macro org_example_forms__Forms__add rd:req, rs1:req, rs2:req
    .insn r 0x0B, 0, 0, \rd, \rs1, \rs2
.endm
#define org_example_forms__Forms__add(rd, rs1, rs2) org_example_forms__Forms__add rd, rs1, rs2
#define add_add org_example_forms__Forms__add
.macro org_example_forms__Forms__first rd:req, imm:req, rs1:req
    .if (\imm) < -2048 || (\imm) > 2047
    .error "org_example_forms__Forms__first: 12 bits do not carry n"
    .endif
    .insn i 0x2B, 1, \rd, \rs1, ((((\imm) & 0xFFF) ^ 0x800) - 0x800)
.endm
#define org_example_forms__Forms__first(rd, imm, rs1) org_example_forms__Forms__first rd, imm, rs1
#define add_first org_example_forms__Forms__first
.macro org_example_forms__Forms__second rd:req, rs1:req, imm:req
    .if (\imm) < 0 || (\imm) > 4095
    .error "org_example_forms__Forms__second: 12 bits do not carry n"
    .endif
    .insn i 0x2B, 2, \rd, \rs1, ((((\imm) & 0xFFF) ^ 0x800) - 0x800)
.endm
#define org_example_forms__Forms__second(rd, rs1, imm) org_example_forms__Forms__second rd, rs1, imm
#define add_second org_example_forms__Forms__second
.macro org_example_forms__Forms__constant rd:req, imm:req
    .if (\imm) < 0 || (\imm) > 65535 || (((\imm) + 0x800) & 0xF000) != 0
    .error "org_example_forms__Forms__constant: 12 bits, sign-extended, do not carry n"
    .endif
    .insn i 0x2B, 3, \rd, x0, ((((\imm) & 0xFFF) ^ 0x800) - 0x800)
.endm
#define org_example_forms__Forms__constant(rd, imm) org_example_forms__Forms__constant rd, imm
#define add_constant org_example_forms__Forms__constant
.macro org_example_forms__Forms__lone rd:req, rs1:req
    .insn r 0x0B, 4, 0, \rd, \rs1, x0
.endm
#define org_example_forms__Forms__lone(rd, rs1) org_example_forms__Forms__lone rd, rs1
#define add_lone org_example_forms__Forms__lone
.macro org_example_forms__Forms__lone_i rd:req, rs1:req
    .insn i 0x2B, 4, \rd, \rs1, 0
.endm
#define org_example_forms__Forms__lone_i(rd, rs1) org_example_forms__Forms__lone_i rd, rs1
#define add_lone_i org_example_forms__Forms__lone_i
.macro org_example_forms__Forms__wide rd:req, rs1:req, rs2:req
    .insn r 0x0B, 5, 0, \rd, \rs1, \rs2
.endm
#define org_example_forms__Forms__wide(rd, rs1, rs2) org_example_forms__Forms__wide rd, rs1, rs2
#define add_wide org_example_forms__Forms__wide
.macro org_example_forms__Forms__wide_flex rs1:req, rs2:req
    .insn r 0x5B, 5, 0, x0, \rs1, \rs2
.endm
#define org_example_forms__Forms__wide_flex(rs1, rs2) org_example_forms__Forms__wide_flex rs1, rs2
#define add_wide_flex org_example_forms__Forms__wide_flex
.macro org_example_forms__Forms__wide_i rd:req, rs1:req, imm:req
    .if (((\imm) + 0x800) & -4096) != 0
    .error "org_example_forms__Forms__wide_i: 12 bits, sign-extended, do not carry y"
    .endif
    .insn i 0x2B, 5, \rd, \rs1, ((((\imm) & 0xFFF) ^ 0x800) - 0x800)
.endm
#define org_example_forms__Forms__wide_i(rd, rs1, imm) org_example_forms__Forms__wide_i rd, rs1, imm
#define add_wide_i org_example_forms__Forms__wide_i
.macro org_example_forms__Forms__wide_x rd:req, rs1:req, rs2:req
    .insn r 0x7B, 5, 0, \rd, \rs1, \rs2
.endm
#define org_example_forms__Forms__wide_x(rd, rs1, rs2) org_example_forms__Forms__wide_x rd, rs1, rs2
#define add_wide_x org_example_forms__Forms__wide_x
.macro org_example_forms__Forms__way rd:req, rs1:req, imm:req
    .if (\imm) < 0 || (\imm) > 7
    .error "org_example_forms__Forms__way: 3 bits do not carry w"
    .endif
    .insn i 0x2B, 7, \rd, \rs1, ((((\imm) & 0xFFF) ^ 0x800) - 0x800)
.endm
#define org_example_forms__Forms__way(rd, rs1, imm) org_example_forms__Forms__way rd, rs1, imm
#define add_way org_example_forms__Forms__way
.macro org_example_forms__Forms__third rs1:req, rs2:req, imm:req
    .if (\imm) < 0 || (\imm) > 31
    .error "org_example_forms__Forms__third: 5 bits do not carry n"
    .endif
    .insn s 0x5B, 6, \rs2, ((((32 | ((\imm) & 31)) ^ 0x800) - 0x800))(\rs1)
.endm
#define org_example_forms__Forms__third(rs1, rs2, imm) org_example_forms__Forms__third rs1, rs2, imm
#define add_third org_example_forms__Forms__third
.macro org_example_forms__Forms__fourth imm:req, rs1:req
    .if (\imm) < -8 || (\imm) > 7
    .error "org_example_forms__Forms__fourth: 4 bits do not carry n"
    .endif
    .insn s 0x5B, 7, x0, ((((32 | ((\imm) & 15)) ^ 0x800) - 0x800))(\rs1)
.endm
#define org_example_forms__Forms__fourth(imm, rs1) org_example_forms__Forms__fourth imm, rs1
#define add_fourth org_example_forms__Forms__fourth
.macro org_example_forms__Forms__upper rd:req, rs2:req
    .insn r 0x0B, 0, 2, \rd, x0, \rs2
.endm
#define org_example_forms__Forms__upper(rd, rs2) org_example_forms__Forms__upper rd, rs2
#define add_upper org_example_forms__Forms__upper
.macro org_example_forms__Forms__lower rs2:req, imm:req
    .if (\imm) < 0 || (\imm) > 1
    .error "org_example_forms__Forms__lower: 1 bit does not carry a bool"
    .endif
    .insn s 0x5B, 1, \rs2, ((((64 | ((\imm) & 1)) ^ 0x800) - 0x800))(x0)
.endm
#define org_example_forms__Forms__lower(rs2, imm) org_example_forms__Forms__lower rs2, imm
#define add_lower org_example_forms__Forms__lower
.macro org_example_forms__Forms__big imm:req
    .if (\imm) < 0 || (\imm) > 32767
    .error "org_example_forms__Forms__big: 15 bits do not carry n"
    .endif
    .irp cx_rd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    .if ((\imm) & 31) == \cx_rd
    .insn u 0x5B, x\cx_rd, 16386 | ((\imm) >> 10 & 31) << 8 | ((\imm) >> 5 & 31) << 3
    .endif
    .endr
.endm
#define org_example_forms__Forms__big(imm) org_example_forms__Forms__big imm
#define add_big org_example_forms__Forms__big
.macro org_example_forms__Forms__empty_one
    .insn r 0x5B, 4, 2, x0, x0, x0
.endm
#define org_example_forms__Forms__empty_one() org_example_forms__Forms__empty_one
#define add_empty_one org_example_forms__Forms__empty_one
.macro org_example_forms__Forms__few imm:req
    .if (\imm) < 0 || (\imm) > 127
    .error "org_example_forms__Forms__few: 7 bits do not carry n"
    .endif
    .irp cx_rd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    .if ((\imm) & 31) == \cx_rd
    .insn u 0x5B, x\cx_rd, 16389 | ((\imm) >> 10 & 0) << 8 | ((\imm) >> 5 & 3) << 3
    .endif
    .endr
.endm
#define org_example_forms__Forms__few(imm) org_example_forms__Forms__few imm
#define add_few org_example_forms__Forms__few
.macro org_example_forms__Forms__only64 rd:req, rs1:req
    .insn r 0x0B, 6, 2, \rd, \rs1, x0
.endm
#define org_example_forms__Forms__only64(rd, rs1) org_example_forms__Forms__only64 rd, rs1
#define add_only64 org_example_forms__Forms__only64
.macro org_example_forms__Forms__nothing
    .insn r 0x0B, 7, 2, x0, x0, x0
.endm
#define org_example_forms__Forms__nothing() org_example_forms__Forms__nothing
#define add_nothing org_example_forms__Forms__nothing
.macro org_example_forms__Forms__bigs imm:req
    .if (\imm) < -16384 || (\imm) > 16383
    .error "org_example_forms__Forms__bigs: 15 bits do not carry n"
    .endif
    .irp cx_rd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    .if ((\imm) & 31) == \cx_rd
    .insn u 0x5B, x\cx_rd, 1024007 | ((\imm) >> 10 & 31) << 8 | ((\imm) >> 5 & 31) << 3
    .endif
    .endr
.endm
#define org_example_forms__Forms__bigs(imm) org_example_forms__Forms__bigs imm
#define add_bigs org_example_forms__Forms__bigs

#else
#error "org.example.forms:Forms has no contract for this XLEN, only for 32 or 64"
#endif
#endif
