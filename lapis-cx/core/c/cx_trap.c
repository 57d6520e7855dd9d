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
    cx_reg_t rd;
    operation.code = function;
    operation.rs1 = rs1;
    operation.rs2 = rs2;
    CXM_BARRIER();
    rd = cxm_issue(&operation);
    CXM_BARRIER();
    return rd;
}

cx_reg_t cx_csr(uint32_t op, uint32_t address, cx_reg_t value)
{
    struct cxm_operation operation = {true, 0, 0, 0, 0};
    cx_reg_t rd = 0;
    operation.code = op;
    operation.address = address;
    operation.rs1 = value;
    CXM_BARRIER();
    if (op > CX_CSR_CLEAR) {
        cxm_raise(CX_RESPONSE_FUNC);
    } else {
        rd = cxm_issue(&operation);
    }
    CXM_BARRIER();
    return rd;
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
        /* Its top bits say that it is read only: no hart executes a write. */
        if (operation.address >> 10 == 3u && operation.code != CX_CSR_READ) {
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
        if (!(instruction >> 25 == 0 ? cx_cpu_execute_xcmd : cx_cpu_execute_xext)(
                funct3, (cx_word_t)operation.rs1, (cx_word_t)operation.rs2, &value)) {
            return false;
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
    if (cxm.selected == 0) {
        /* The processor's own, and it has none such. */
        return false;
    }
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
#if CX_TRAP_STACK % 16 != 0
#error "CX_TRAP_STACK is a multiple of 16, as a stack is aligned"
#endif

void cx_machine_vector(void);
void cx_machine_trapped(struct cx_trap_frame *frame, cx_word_t cause, cx_word_t value);

/* The vector's stack, and what stands above it, where mscratch points: in words, as the vector knows them by their places. */
static struct cxm_base {
    unsigned char stack[CX_TRAP_STACK];
    cx_word_t depth;      /* how many traps are being handled */
    cx_word_t waiting[2]; /* two registers, until there is a frame */
    cx_word_t gp;         /* the firmware's own: who traps may have others */
    cx_word_t tp;
} cxm_base __attribute__((aligned(16)));

#if CXM_XCMDS
/* Goes to the level that a trap came from, or if the platform does not have it, to the next one below. False if there is none. */
static bool cxm_enter_level(cx_word_t status)
{
    unsigned level = (unsigned)user << (status >> 11 & 3u);
    while (level != 0 && cpu__set_privilege_level((enum privilege)level) != 0) {
        level >>= 1;
    }
    return level != 0;
}
#endif

/* Does an illegal instruction, at the level that it came from. */
static bool cxm_illegal(struct cx_trap_frame *frame, uint32_t instruction)
{
#if CXM_XCMDS
    if ((instruction & 0x7Fu) == 0x7Bu) {
        enum privilege outer;
        bool is_done;
        cxm_load_platform();
        outer = cpu__current_privilege_level();
        is_done = cxm_enter_level(frame->status) && cx_trap(frame->regs, &frame->pc, instruction);
        (void)cpu__set_privilege_level(outer);
        return is_done;
    }
#endif
    return cx_trap(frame->regs, &frame->pc, instruction);
}

/* Illegal instruction. mtval may say which, or be 0. */
__attribute__((used)) void cx_machine_trapped(struct cx_trap_frame *frame, cx_word_t cause, cx_word_t value)
{
    if (cause == 2u) {
        uint32_t instruction = value != 0 ? (uint32_t)value : cx_machine_fetch((const void *)(uintptr_t)frame->pc);
        if (cxm_illegal(frame, instruction)) {
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
    cxm_base.depth = 0;
    __asm__ volatile("mv %0, gp\n\tmv %1, tp" : "=&r"(cxm_base.gp), "=r"(cxm_base.tp));
    __asm__ volatile("csrw mscratch, %0" : : "r"(&cxm_base.depth) : "memory");
    __asm__ volatile("csrw mtvec, %0" : : "r"(&cx_machine_vector) : "memory");
}

#if CX_XLEN == 64
#define CXM_STORE "sd "
#define CXM_LOAD "ld "
#define CXM_SIZE "8"
#define CXM_FRAME "288" /* a frame, rounded up to a multiple of 16 */
#else
#define CXM_STORE "sw "
#define CXM_LOAD "lw "
#define CXM_SIZE "4"
#define CXM_FRAME "144"
#endif

/* Floating-point registers that functions may change, and fcsr. They are switched on meanwhile: compiled functions may use them,
 * and who switched them off may have left there what is another's. */
#ifdef __riscv_flen
#if __riscv_flen == 64
#define CXM_FLOAT_STORE "fsd "
#define CXM_FLOAT_LOAD "fld "
#define CXM_FLOAT_SIZE "8"
#elif __riscv_flen == 32
#define CXM_FLOAT_STORE "fsw "
#define CXM_FLOAT_LOAD "flw "
#define CXM_FLOAT_SIZE "4"
#else
#error "the trap vector keeps floating-point registers of 32 and 64 bits: compile this file without Q"
#endif
#define CXM_FLOATS "176" /* 20 registers and fcsr, rounded up to a multiple of 16 */
#define CXM_SOME_FLOATS(op, numbers, less)                         \
    "    .irp n, " numbers "\n"                                       \
    "    " op "f\\n, ((\\n - " less ") * " CXM_FLOAT_SIZE ")(sp)\n" \
    "    .endr\n"
#define CXM_EACH_FLOAT(op)                                    \
    CXM_SOME_FLOATS(op, "0, 1, 2, 3, 4, 5, 6, 7", "0")        \
    CXM_SOME_FLOATS(op, "10, 11, 12, 13, 14, 15, 16, 17", "2") \
    CXM_SOME_FLOATS(op, "28, 29, 30, 31", "12")
#define CXM_KEEP_FLOATS                 \
    "    li t0, 0x6000\n" /* mstatus.FS */ \
    "    csrs mstatus, t0\n"            \
    CXM_EACH_FLOAT(CXM_FLOAT_STORE)     \
    "    csrr t0, fcsr\n"               \
    "    sw t0, 160(sp)\n"
#define CXM_BRING_FLOATS    \
    "    lw t0, 160(sp)\n"  \
    "    csrw fcsr, t0\n"   \
    CXM_EACH_FLOAT(CXM_FLOAT_LOAD)
#else
#define CXM_FLOATS "0"
#define CXM_KEEP_FLOATS ""
#define CXM_BRING_FLOATS ""
#endif

/* All registers but x0, sp, t0 and t1, which have their turn elsewhere. */
#define CXM_EACH_REGISTER(op)                                                                                                       \
    "    .irp n, 1, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"          \
    "    " op "x\\n, (\\n * " CXM_SIZE ")(sp)\n"                                                                                    \
    "    .endr\n"

/* The frame is below the base; inside a handler, below what that has on the stack. Nothing but depth tells the two apart: any
 * stack pointer may have trapped. */
__asm__(".pushsection .text.cx_machine_vector, \"ax\", @progbits\n"
        ".balign 4\n"
        ".globl cx_machine_vector\n"
        ".type cx_machine_vector, @function\n"
        "cx_machine_vector:\n"
        "    csrrw sp, mscratch, sp\n"
        "    " CXM_STORE "t0, (1 * " CXM_SIZE ")(sp)\n"
        "    " CXM_STORE "t1, (2 * " CXM_SIZE ")(sp)\n"
        "    mv t1, sp\n"
        "    csrrw t0, mscratch, sp\n"
        "    " CXM_LOAD "sp, 0(t1)\n"
        "    beqz sp, 1f\n"
        "    andi sp, t0, -16\n"
        "    j 2f\n"
        "1:  mv sp, t1\n"
        "2:  addi sp, sp, -" CXM_FRAME "\n"
        "    " CXM_STORE "zero, 0(sp)\n"
        "    " CXM_STORE "t0, (2 * " CXM_SIZE ")(sp)\n"
        CXM_EACH_REGISTER(CXM_STORE)
        "    " CXM_LOAD "t0, (1 * " CXM_SIZE ")(t1)\n"
        "    " CXM_STORE "t0, (5 * " CXM_SIZE ")(sp)\n"
        "    " CXM_LOAD "t0, (2 * " CXM_SIZE ")(t1)\n"
        "    " CXM_STORE "t0, (6 * " CXM_SIZE ")(sp)\n"
        "    csrr t0, mepc\n"
        "    " CXM_STORE "t0, (32 * " CXM_SIZE ")(sp)\n"
        "    csrr t0, mstatus\n"
        "    " CXM_STORE "t0, (33 * " CXM_SIZE ")(sp)\n"
        "    " CXM_LOAD "t0, 0(t1)\n"
        "    addi t0, t0, 1\n"
        "    " CXM_STORE "t0, 0(t1)\n"
        "    " CXM_LOAD "gp, (3 * " CXM_SIZE ")(t1)\n"
        "    " CXM_LOAD "tp, (4 * " CXM_SIZE ")(t1)\n"
        "    mv a0, sp\n"
        "    csrr a1, mcause\n"
        "    csrr a2, mtval\n"
        "    addi sp, sp, -" CXM_FLOATS "\n"
        CXM_KEEP_FLOATS
        "    call cx_machine_trapped\n"
        /* Who handled it may have let interrupts in. From here on there is one frame less. */
        "    csrci mstatus, 8\n"
        CXM_BRING_FLOATS
        "    addi sp, sp, " CXM_FLOATS "\n"
        "    csrr t1, mscratch\n"
        "    " CXM_LOAD "t0, 0(t1)\n"
        "    addi t0, t0, -1\n"
        "    " CXM_STORE "t0, 0(t1)\n"
        "    " CXM_LOAD "t0, (33 * " CXM_SIZE ")(sp)\n"
        "    csrw mstatus, t0\n"
        "    " CXM_LOAD "t0, (32 * " CXM_SIZE ")(sp)\n"
        "    csrw mepc, t0\n"
        CXM_EACH_REGISTER(CXM_LOAD)
        "    " CXM_LOAD "t0, (5 * " CXM_SIZE ")(sp)\n"
        "    " CXM_LOAD "t1, (6 * " CXM_SIZE ")(sp)\n"
        "    " CXM_LOAD "sp, (2 * " CXM_SIZE ")(sp)\n"
        "    mret\n"
        ".size cx_machine_vector, . - cx_machine_vector\n"
        ".popsection\n");
#endif

#ifdef __cplusplus
}
#endif
