/* cx_trap.c, version 1: custom instructions and CSRs in software, and the trap vector. It stands behind cx_api.c. */

#ifndef CX_MACHINE_ENTRY
#if CX_ON_HART && defined __STDC_HOSTED__ && __STDC_HOSTED__ == 0
#define CX_MACHINE_ENTRY 1
#else
#define CX_MACHINE_ENTRY 0
#endif
#endif

/* ---- Operations ---- */

/* A command, or an access of a CSR. */
struct cxm_operation {
    bool is_csr;
    uint32_t code; /* the function, or CX_CSR_* */
    uint32_t address;
    cx_reg_t rs1;
    cx_reg_t rs2;
};

#if CX_HARDWARE
/* Makes an operation that trapped one that can be issued again. True if the trap is done with: then *is_again says whether it
 * is issued again, or is answered with 0. */
static bool cxm_trapped(bool *is_again)
{
    bool is_builtin;
    uint32_t index = cxm_selected(&is_builtin);
    const struct cxm_open *cx = &cxm.open[index];
    *is_again = index != 0;
    if (is_builtin || (index != 0 && (cx->place == CXM_STATELESS || cx->place == CXM_RESIDENT))) {
        /* The processor's own, or one that the CXU refuses. */
        return false;
    }
    cxm.counters.traps++;
    if (index == 0) {
        cxm_raise(CX_RESPONSE_CXU);
    } else {
        cxm_swap_in(index);
    }
    return true;
}
#else
static uint32_t cxm_execute(const struct cxm_operation *operation, cx_reg_t *rd)
{
    uint32_t state_id = cxm.selector >> 16 & 0xFFu;
    const struct cxm_unit *unit = cxm_units;
    *rd = 0;
    if (cxm.selector == 0) {
        /* This hart has no custom instructions of its own. */
        return CX_RESPONSE_FUNC;
    }
    while (unit != cxm_units + CXM_UNITS && unit->id != (cxm.selector & 0xFFu)) {
        unit++;
    }
    if (unit == cxm_units + CXM_UNITS || (cxm.selector & CXM_POISONED) != 0) {
        return CX_RESPONSE_CXU;
    }
    if (state_id >= unit->contexts && unit->contexts != 0) {
        return CX_RESPONSE_STATE;
    }
    if (!operation->is_csr) {
        return unit->cxu->issue(cxm_state(unit, state_id), operation->code, operation->rs1, operation->rs2, rd);
    }
    if (unit->cxu->csr == NULL) {
        return CX_RESPONSE_FUNC;
    }
    return unit->cxu->csr(cxm_state(unit, state_id), operation->code, operation->address, operation->rs1, rd);
}

/* Does an operation under the current selection, once its state is in a context. */
static cx_reg_t cxm_issue(const struct cxm_operation *operation)
{
    bool is_builtin;
    uint32_t index = cxm_selected(&is_builtin);
    struct cxm_open *cx = &cxm.open[index];
    bool is_status = !operation->is_csr && (operation->code == CXM_READ_STATUS || operation->code == CXM_WRITE_STATUS);
    cx_reg_t rd;
    uint32_t response;
    if ((cxm.selector & CXM_POISONED) != 0) {
        cxm.counters.traps++;
        if (index != 0) {
            cxm_swap_in(index);
        }
    }
    response = cxm_execute(operation, &rd);
    cxm_raise(response);
    if (is_status && response == CX_RESPONSE_OK && index != 0 && cxm_is_virtualizable(&cxm_units[cx->unit])) {
        rd = cxm_shown(cx, (cx_word_t)rd);
        /* Whoever writes cs may say clean of what was never saved. */
        cx->is_saved = cx->is_saved && operation->code == CXM_READ_STATUS;
    }
    return rd;
}

cx_reg_t cx_issue(uint32_t function, cx_reg_t rs1, cx_reg_t rs2)
{
    struct cxm_operation operation = {false, 0, 0, 0, 0};
    operation.code = function;
    operation.rs1 = rs1;
    operation.rs2 = rs2;
    return cxm_issue(&operation);
}

cx_reg_t cx_csr(uint32_t op, uint32_t address, cx_reg_t value)
{
    struct cxm_operation operation = {true, 0, 0, 0, 0};
    operation.code = op;
    operation.address = address;
    operation.rs1 = value;
    if (op > CX_CSR_CLEAR) {
        cxm_raise(CX_RESPONSE_FUNC);
        return 0;
    }
    return cxm_issue(&operation);
}
#endif

/* ---- Instructions ---- */

/* Whether a CX may have a CSR there (RISC-V privileged, "CSR Address Mapping Conventions"). */
static bool cxm_is_custom_csr(uint32_t address)
{
    uint32_t top = address >> 8;
    if (address == 0xBC0u || address == 0xBC1u) {
        return false;
    }
    return top == 8u || ((address & 0xC0u) == 0xC0u && top >= 5u);
}

/* Reads and perhaps writes cx_index or cx_status; false if the hart has them. */
static bool cxm_access(uint32_t address, uint32_t op, cx_word_t value, cx_word_t *old)
{
#if CX_HARDWARE && CX_MCX_TABLE
    (void)op;
    (void)value;
    (void)old;
    (void)address;
    return false;
#else
    if (address == 0x800u) {
        /* The sign goes on to the width of a register. */
        *old = (cx_word_t)(cx_reg_t)(intptr_t)cxm.selected;
        if (op != CX_CSR_READ) {
            cxm.selected = (int)(uint32_t)CX_CSR_WRITTEN(op, *old, value);
            cxm_select_again();
        }
        return true;
    }
#if CX_HARDWARE
    return false;
#else
    *old = cxm.status;
    if (op != CX_CSR_READ) {
        cxm.status = (uint32_t)CX_CSR_WRITTEN(op, *old, value) & 0x7Fu;
    }
    return true;
#endif
#endif
}

/* Which of the 15 bits rs2:rs1:rd are a constant, the CXU knows. */
static void cxm_flex(struct cxm_operation *operation, uint32_t instruction)
{
    bool is_builtin;
    uint32_t index = cxm_selected(&is_builtin);
    const struct cx_soft_cxu *cxu = cxm_units[cxm.open[index].unit].cxu;
    uint32_t fields = (instruction >> 15 & 0x3FFu) << 5 | (instruction >> 7 & 0x1Fu);
    if (index != 0 && cxu->flex != NULL) {
        operation->code = cxu->flex(operation->code, fields, &operation->rs2);
    }
}

bool cx_trap(cx_word_t regs[32], cx_word_t *pc, uint32_t instruction)
{
    struct cxm_operation operation = {false, 0, 0, 0, 0};
    uint32_t rd = instruction >> 7 & 0x1Fu, funct3 = instruction >> 12 & 7u, rs1 = instruction >> 15 & 0x1Fu;
    cx_word_t value = 0;
    operation.code = instruction >> 25 << 3 | funct3;
    operation.rs1 = rs1 == 0 ? 0 : regs[rs1];
    operation.rs2 = (instruction >> 20 & 0x1Fu) == 0 ? 0 : regs[instruction >> 20 & 0x1Fu];
    switch (instruction & 0x7Fu) {
    case 0x0B:
        break;
    case 0x2B:
        operation.code = funct3;
        operation.rs2 = (cx_word_t)(cx_reg_t)(intptr_t)((int)((instruction >> 20) ^ 0x800u) - 0x800);
        break;
    case 0x5B:
        cxm_flex(&operation, instruction);
        rd = 0;
        break;
    case 0x73:
        operation.is_csr = true;
        operation.address = instruction >> 20;
        operation.rs1 = (funct3 & 4u) != 0 ? rs1 : operation.rs1;
        /* A set or clear of register 0, or of the number 0, does not write. */
        operation.code = (funct3 & 3u) != CX_CSR_WRITE && rs1 == 0 ? CX_CSR_READ : funct3 & 3u;
        if ((funct3 & 3u) == 0 || !cxm_is_custom_csr(operation.address)) {
            return false;
        }
        if (operation.address == 0x800u || operation.address == 0x801u) {
            if (!cxm_access(operation.address, operation.code, (cx_word_t)operation.rs1, &value)) {
                return false;
            }
            goto done;
        }
        break;
#if CXM_XCMDS
    case 0x7B:
        if (instruction >> 25 > 1u || (instruction >> 25 == 1u && funct3 > 2u)) {
            return false;
        }
        cxm_load_platform();
        if (instruction >> 25 == 0) {
            value = cx_cpu_xcmd(funct3, (cx_word_t)operation.rs1, (cx_word_t)operation.rs2);
        } else {
            value = cx_cpu_xext(funct3, (cx_word_t)operation.rs1, (cx_word_t)operation.rs2);
        }
        goto done;
#endif
    default:
        return false;
    }
#if CX_HARDWARE
    {
        bool is_again;
        if (!cxm_trapped(&is_again)) {
            return false;
        }
        if (is_again) {
            return true;
        }
    }
#else
    value = (cx_word_t)cxm_issue(&operation);
#endif
done:
    if (rd != 0) {
        regs[rd] = value;
    }
    *pc += 4;
    return true;
}

uint32_t cx_machine_fetch(const void *pc)
{
    /* Instructions are in halves, of which the first has the length in its low bits. */
    const unsigned char *bytes = (const unsigned char *)pc;
    uint32_t low = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
    return (low & 3u) != 3u ? low : low | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* ---- The trap vector ---- */

#if CX_MACHINE_ENTRY
#ifdef __riscv_vector
#error "the trap vector does not keep vector registers: compile this file without V"
#endif
#ifdef __riscv_32e
#error "the trap vector is for harts with 32 registers"
#endif
#ifndef CX_TRAP_STACK
#define CX_TRAP_STACK 4096
#endif

void cx_machine_vector(void);
void cx_machine_trapped(struct cx_trap_frame *frame, cx_word_t cause, cx_word_t value);

static unsigned char cxm_trap_stack[CX_TRAP_STACK] __attribute__((aligned(16)));

/* Illegal instruction. mtval may say which, or be 0. */
__attribute__((used)) void cx_machine_trapped(struct cx_trap_frame *frame, cx_word_t cause, cx_word_t value)
{
    if (cause == 2u) {
        uint32_t instruction = value != 0 ? (uint32_t)value : cx_machine_fetch((const void *)(uintptr_t)frame->pc);
        if (cx_trap(frame->regs, &frame->pc, instruction)) {
            return;
        }
    }
    cx_machine_other_trap(frame, cause, value);
}

__attribute__((weak)) void cx_machine_other_trap(struct cx_trap_frame *frame, cx_word_t cause, cx_word_t value)
{
    (void)frame;
    (void)cause;
    (void)value;
    for (;;) {
        __asm__ volatile("wfi");
    }
}

void cx_machine_install(void)
{
    cx_machine_reset();
    __asm__ volatile("csrw mscratch, %0" : : "r"(cxm_trap_stack + sizeof(cxm_trap_stack)) : "memory");
    __asm__ volatile("csrw mtvec, %0" : : "r"(&cx_machine_vector) : "memory");
}

#if CX_XLEN == 64
#define CXM_STORE "sd "
#define CXM_LOAD "ld "
#define CXM_SIZE "8"
#define CXM_FRAME "288" /* a frame and one word more, a multiple of 16 */
#else
#define CXM_STORE "sw "
#define CXM_LOAD "lw "
#define CXM_SIZE "4"
#define CXM_FRAME "144"
#endif

/* mscratch is the top of the vector's stack, and 0 while a trap is handled: then another one goes on on the same stack. */
__asm__(".pushsection .text.cx_machine_vector, \"ax\", @progbits\n"
        ".balign 4\n"
        ".globl cx_machine_vector\n"
        ".type cx_machine_vector, @function\n"
        "cx_machine_vector:\n"
        "    csrrw sp, mscratch, sp\n"
        "    bnez sp, 1f\n"
        "    csrrw sp, mscratch, sp\n"
        "1:  addi sp, sp, -" CXM_FRAME "\n"
        "    .irp n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
        "    " CXM_STORE "x\\n, (\\n * " CXM_SIZE ")(sp)\n"
        "    .endr\n"
        "    csrr t0, mscratch\n"
        "    " CXM_STORE "t0, (34 * " CXM_SIZE ")(sp)\n"
        "    bnez t0, 2f\n"
        "    addi t0, sp, " CXM_FRAME "\n"
        "2:  " CXM_STORE "t0, (2 * " CXM_SIZE ")(sp)\n"
        "    " CXM_STORE "zero, 0(sp)\n"
        "    csrw mscratch, zero\n"
        "    csrr t0, mepc\n"
        "    " CXM_STORE "t0, (32 * " CXM_SIZE ")(sp)\n"
        "    csrr t0, mstatus\n"
        "    " CXM_STORE "t0, (33 * " CXM_SIZE ")(sp)\n"
        "    mv a0, sp\n"
        "    csrr a1, mcause\n"
        "    csrr a2, mtval\n"
        "    call cx_machine_trapped\n"
        "    " CXM_LOAD "t0, (33 * " CXM_SIZE ")(sp)\n"
        "    csrw mstatus, t0\n"
        "    " CXM_LOAD "t0, (32 * " CXM_SIZE ")(sp)\n"
        "    csrw mepc, t0\n"
        "    " CXM_LOAD "t0, (34 * " CXM_SIZE ")(sp)\n"
        "    beqz t0, 3f\n"
        "    addi t0, sp, " CXM_FRAME "\n"
        "    csrw mscratch, t0\n"
        "3:  .irp n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
        "    " CXM_LOAD "x\\n, (\\n * " CXM_SIZE ")(sp)\n"
        "    .endr\n"
        "    " CXM_LOAD "sp, (2 * " CXM_SIZE ")(sp)\n"
        "    mret\n"
        ".size cx_machine_vector, . - cx_machine_vector\n"
        ".popsection\n");
#endif

#ifdef __cplusplus
}
#endif
