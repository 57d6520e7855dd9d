/* org_tinker_tinker__RocknRoll.h
 * Generated from org.tinker.tinker:RocknRoll by cxc for assembly; do not edit.
 *
 * The interface of the document's example.
 */
#ifndef CX_GENERATED_ASM_org_tinker_tinker__RocknRoll_H
#define CX_GENERATED_ASM_org_tinker_tinker__RocknRoll_H

#if !defined __ASSEMBLER__ || !defined __riscv_xlen
#error "org_tinker_tinker__RocknRoll.h is for RISC-V assembly that goes through the C preprocessor (.S)"
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
#error "org_tinker_tinker__RocknRoll.h was generated with another opcode for xcmd than a header before it"
#endif

/* Overloadable-opcode id, as `lui` takes it. */
#define org_tinker_tinker__RocknRoll__uuid 0xABCDE
#define org_tinker_tinker__RocknRoll__xintf 0xABCDE
#define org_tinker_tinker__RocknRoll__xintf52 0xFFFFFFFFABCDE

/* Looks the interface up: loads its id and the number of a device, and replaces them in rd by a lun, with data of
 * rs2 above it. */
.macro org_tinker_tinker__RocknRoll__xext rd:req, rs2=x0, device=0
    .ifc \rd, \rs2
    .error "org_tinker_tinker__RocknRoll__xext: rd is loaded before rs2 is read; they must be two registers"
    .endif
    .if (\device) < 0 || (\device) > 4095
    .error "org_tinker_tinker__RocknRoll__xext: a device is 0 to 4095"
    .endif
#if __riscv_xlen == 64
    li \rd, -0x54322000 + (\device)
#else
    li \rd, 0xABCDE000 + (\device)
#endif
    xext \rd, \rd, \rs2
.endm
.macro org_tinker_tinker__RocknRoll__xext0 rd:req, rs2=x0, device=0
    .ifc \rd, \rs2
    .error "org_tinker_tinker__RocknRoll__xext0: rd is loaded before rs2 is read; they must be two registers"
    .endif
    .if (\device) < 0 || (\device) > 4095
    .error "org_tinker_tinker__RocknRoll__xext0: a device is 0 to 4095"
    .endif
#if __riscv_xlen == 64
    li \rd, -0x54322000 + (\device)
#else
    li \rd, 0xABCDE000 + (\device)
#endif
    xext0 \rd, \rd, \rs2
.endm
.macro org_tinker_tinker__RocknRoll__xextm1 rd:req, rs2=x0, device=0
    .ifc \rd, \rs2
    .error "org_tinker_tinker__RocknRoll__xextm1: rd is loaded before rs2 is read; they must be two registers"
    .endif
    .if (\device) < 0 || (\device) > 4095
    .error "org_tinker_tinker__RocknRoll__xextm1: a device is 0 to 4095"
    .endif
#if __riscv_xlen == 64
    li \rd, -0x54322000 + (\device)
#else
    li \rd, 0xABCDE000 + (\device)
#endif
    xextm1 \rd, \rd, \rs2
.endm

/* Puts the contract hash here: 32 bytes. */
.macro org_tinker_tinker__RocknRoll__contract_data
    .byte 0xBA, 0xBE, 0x63, 0xA6, 0x73, 0x20, 0x5B, 0x73
    .byte 0x7A, 0x9F, 0x5C, 0x63, 0x66, 0x89, 0xFF, 0x69
    .byte 0xCC, 0x04, 0xAB, 0x11, 0x1A, 0xAD, 0x1B, 0x85
    .byte 0xFC, 0x16, 0xF5, 0xF4, 0x42, 0x94, 0x0B, 0x82
.endm

#if __riscv_xlen == 32

/* Function ids. */
#define org_tinker_tinker__RocknRoll__id_rock 0
#define org_tinker_tinker__RocknRoll__id_roll 1
#define org_tinker_tinker__RocknRoll__id_shut 7

/* Commands: one instruction each. Registers that a command does not have are x0. */
/* Takes data * / and rs2. */
.macro org_tinker_tinker__RocknRoll__rock rd:req, rs1:req, rs2:req
    .insn r 0x7B, 0, 0, \rd, \rs1, \rs2
.endm
#define org_tinker_tinker__RocknRoll__rock(rd, rs1, rs2) org_tinker_tinker__RocknRoll__rock rd, rs1, rs2
.macro org_tinker_tinker__RocknRoll__roll rd:req, rs1:req, rs2:req
    .insn r 0x7B, 1, 0, \rd, \rs1, \rs2
.endm
#define org_tinker_tinker__RocknRoll__roll(rd, rs1, rs2) org_tinker_tinker__RocknRoll__roll rd, rs1, rs2
.macro org_tinker_tinker__RocknRoll__shut rs1:req, rs2:req
    .insn r 0x7B, 7, 0, x0, \rs1, \rs2
.endm
#define org_tinker_tinker__RocknRoll__shut(rs1, rs2) org_tinker_tinker__RocknRoll__shut rs1, rs2

#elif __riscv_xlen == 64

/* Function ids. */
#define org_tinker_tinker__RocknRoll__id_rock 0
#define org_tinker_tinker__RocknRoll__id_roll 1
#define org_tinker_tinker__RocknRoll__id_shut 7

/* Commands: one instruction each. Registers that a command does not have are x0. */
/* Takes data * / and rs2. */
.macro org_tinker_tinker__RocknRoll__rock rd:req, rs1:req, rs2:req
    .insn r 0x7B, 0, 0, \rd, \rs1, \rs2
.endm
#define org_tinker_tinker__RocknRoll__rock(rd, rs1, rs2) org_tinker_tinker__RocknRoll__rock rd, rs1, rs2
.macro org_tinker_tinker__RocknRoll__roll rd:req, rs1:req, rs2:req
    .insn r 0x7B, 1, 0, \rd, \rs1, \rs2
.endm
#define org_tinker_tinker__RocknRoll__roll(rd, rs1, rs2) org_tinker_tinker__RocknRoll__roll rd, rs1, rs2
.macro org_tinker_tinker__RocknRoll__shut rs1:req, rs2:req
    .insn r 0x7B, 7, 0, x0, \rs1, \rs2
.endm
#define org_tinker_tinker__RocknRoll__shut(rs1, rs2) org_tinker_tinker__RocknRoll__shut rs1, rs2

#else
#error "org.tinker.tinker:RocknRoll has no contract for this XLEN, only for 32 or 64"
#endif
#endif
