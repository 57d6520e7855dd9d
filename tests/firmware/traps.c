/* The trap vector: from user mode at any sp, gp and tp, inside a handler, with registers of floating point, and where compilers see
 * the functions of cx.h and commands in one. It says what fails, and that it came to its end. */
#include "cx.h"

#include "mulacc.h"
#include "org_example_traps__Traps_machine.h"
#include "start.h"
#include "sums.h"

#if CX_XLEN == 64
#define LOOKUP sums_xintf52
#else
#define LOOKUP sums_xintf
#endif

static void say(const char *text)
{
    while (*text != 0) {
        say_byte(*text++);
    }
}

static void say_number(unsigned number)
{
    unsigned digit = 1000;
    for (; digit != 0; digit /= 10) {
        say_byte((char)('0' + number / digit % 10));
    }
}

#define CHECK(condition)          \
    do {                          \
        if (!(condition)) {       \
            say_number(__LINE__); \
            say(": " #condition "\n"); \
        }                         \
    } while (0)

/* The last trap that was none of the machine's. */
static volatile unsigned others;
static cx_word_t last_cause, last_regs[32], last_pc;
static cx_word_t nested;

#ifdef __riscv_flen
static volatile float quotient = 3.0f;
#endif

void cx_machine_other_trap(struct cx_trap_frame *frame, cx_word_t cause, cx_word_t value)
{
    unsigned place;
    (void)value;
#ifdef __riscv_flen
    quotient = 1.0f / quotient;
#endif
    others++;
    last_cause = cause;
    last_pc = frame->pc;
    for (place = 0; place < 32; place++) {
        last_regs[place] = frame->regs[place];
    }
    if (cause == 8u) {
        /* A call from user mode goes on in machine mode. */
        frame->status |= (cx_word_t)0x1800;
    }
    if (cause == 11u) {
        /* One from machine mode has CXs used in here. */
        nested = mulacc_mulacc(frame->regs[10], frame->regs[11]);
        frame->regs[10] = nested;
    }
    frame->pc += 4;
}

/* What user mode has in a5 to a7 and t4 to t6 when it calls: results and its own registers. */
cx_word_t in_user_mode(cx_word_t *stack, cx_word_t key);
__asm__(".option push\n.option norelax\n"
        ".pushsection .text\n"
        ".globl in_user_mode\n"
        "in_user_mode:\n"
        "    mv t1, sp\n"
        "    mv t2, gp\n"
        "    mv t3, tp\n"
        "    la t0, 1f\n"
        "    csrw mepc, t0\n"
        "    li t0, 0x7800\n" /* MPP, and floating point is off */
        "    csrc mstatus, t0\n"
        "    mret\n"
        "1:  li sp, 0\n"
        "    li gp, 0x123\n"
        "    li tp, 0x456\n"
        "    li a3, 3\n"
        "    li a4, 4\n"
        "    .insn r 0x0B, 1, 0, a5, a3, a4\n"
        "    mv a6, sp\n"
        "    mv sp, a0\n"
        "    mv gp, a0\n"
        "    .insn r 0x0B, 1, 0, a7, a3, a4\n"
        "    .insn r 0x7B, 2, 1, t4, a1, zero\n" /* xextm1 */
        "    li a4, 40\n"
        "    li t5, 0x77\n"
        "    .insn r 0x7B, 0, 0, t5, a4, zero\n" /* xcmd0 of a lun that machine mode has */
        "    csrw 0x800, zero\n"
        "    li t6, 0x66\n"
        "    .insn r 0x0B, 1, 0, t6, a3, a4\n" /* a command of the processor's */
        "    li t0, 0x55\n"
        "    ecall\n"
        "    mv sp, t1\n"
        "    mv gp, t2\n"
        "    mv tp, t3\n"
        "    csrr a0, mscratch\n"
        "    ret\n"
        ".popsection\n"
        ".option pop\n");

static cx_word_t scratch(void)
{
    cx_word_t value;
    __asm__ volatile("csrr %0, mscratch" : "=r"(value));
    return value;
}

static void check_user_mode(cx_sel_t sel)
{
    static cx_word_t stack[128];
    const cx_word_t base = scratch(), *word;
    others = 0;
    cx_select(sel);
    mulacc_write_state(0, 0);
    CHECK(in_user_mode(stack + 128, (cx_word_t)LOOKUP << 12) == base);
    CHECK(scratch() == base && cx_get_sel() == cx_sel_builtin);
    CHECK(others == 3 && last_cause == 8);
    CHECK(last_regs[15] == 12 && last_regs[16] == 0);          /* at sp 0, which stays so */
    CHECK(last_regs[17] == 24);                                /* at another sp and gp */
    CHECK(last_regs[2] == (cx_word_t)(uintptr_t)(stack + 128)); /* which stay so too */
    CHECK(last_regs[3] == last_regs[2] && last_regs[4] == 0x456);
    CHECK(last_regs[29] == 2 && last_regs[30] == 0x77); /* no lun, and no command */
    CHECK(last_regs[31] == 0x66 && last_regs[5] == 0x55);
    for (word = stack; word != stack + 128; word++) {
        CHECK(*word == 0);
    }
}

/* One instruction and what it gives; 0x77 if it is none. */
static cx_word_t xcmd(cx_word_t lun)
{
    cx_word_t rd = 0x77;
    __asm__ volatile(".insn r 0x7B, 0, 0, %0, %1, zero" : "+r"(rd) : "r"(lun));
    return rd;
}

static void check_machine_mode(cx_sel_t sel)
{
    register cx_word_t a0 __asm__("a0") = 5;
    register cx_word_t a1 __asm__("a1") = 6;
    struct cx_counters counters;
    uint64_t traps;
    /* Inside a handler. */
    cx_select(sel);
    mulacc_write_state(0, 1);
    a0 = 5;
    a1 = 6;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1) : "memory");
    CHECK(a0 == 31 && nested == 31);
    CHECK(last_cause == 11);
    /* A command that traps comes with the program's frame. */
    others = 0;
    CHECK(xcmd(40) == 0 && others == 0);
    CHECK(xcmd(0) == 0x77 && others == 1 && last_cause == 2);
    CHECK((cx_machine_fetch((const void *)(uintptr_t)last_pc) & 0x7Fu) == 0x7Bu);
    /* Functions and commands in turn. */
    cx_select(cx_sel_invalid);
    (void)cx_status_write(0);
    (void)mulacc_mulacc(3, 4);
    CHECK(cx_status_write(0) == CX_STATUS_IC);
    cx_read_counters(&counters);
    traps = counters.traps;
    (void)mulacc_mulacc(3, 4);
    cx_read_counters(&counters);
    CHECK(counters.traps == traps + 1u);
    cx_select(cx_sel_builtin);
}

static void check_fetch(cx_sel_t sel)
{
    /* Where mtval is 0. */
    static const uint32_t code[] = {0x00B5150Bu}; /* mulacc of a0 and a1 to a0 */
    static struct cx_trap_frame frame;
    void cx_machine_trapped(struct cx_trap_frame *, cx_word_t, cx_word_t);
    cx_select(sel);
    mulacc_write_state(0, 0);
    frame.regs[10] = 7;
    frame.regs[11] = 8;
    frame.pc = (cx_word_t)(uintptr_t)code;
    frame.status = 0x1800;
    cx_machine_trapped(&frame, 2, 0);
    CHECK(frame.regs[10] == 56 && frame.pc == (cx_word_t)(uintptr_t)(code + 1));
    cx_select(cx_sel_builtin);
}

#ifdef __riscv_flen
static void check_floating_point(cx_sel_t sel)
{
    uint32_t flags = 0, bits = 0;
    cx_select(sel);
    /* The handler divides, which writes a register and raises inexact. */
    __asm__ volatile("li t0, 0x40490FDB\n"
                     "fmv.w.x ft0, t0\n"
                     "fmv.w.x ft11, t0\n"
                     "fmv.w.x fa0, t0\n"
                     "fmv.w.x fa5, t0\n"
                     "csrw fflags, zero\n"
                     "li a0, 1\n"
                     "li a1, 1\n"
                     "ecall\n"
                     "csrr %0, fflags\n"
                     "fmv.x.w %1, ft0\n"
                     "fmv.x.w t1, ft11\n"
                     "xor t1, t1, t0\n"
                     "fmv.x.w t2, fa0\n"
                     "xor t2, t2, t0\n"
                     "or t1, t1, t2\n"
                     "fmv.x.w t2, fa5\n"
                     "xor t2, t2, t0\n"
                     "or t1, t1, t2\n"
                     "xor %1, %1, t0\n"
                     "or %1, %1, t1\n"
                     : "=&r"(flags), "=&r"(bits)
                     :
                     : "t0", "t1", "t2", "a0", "a1", "ft0", "ft11", "fa0", "fa5", "memory");
    CHECK(flags == 0 && bits == 0);
    cx_select(cx_sel_builtin);
}
#endif

void run(void)
{
    cx_sel_t sel;
    /* User mode may reach all memory. */
    __asm__ volatile("csrw pmpaddr0, %0\n\tcsrw pmpcfg0, %1" : : "r"((cx_word_t)-1), "r"((cx_word_t)0x1F));
#ifdef __riscv_flen
    __asm__ volatile("csrs mstatus, %0" : : "r"((cx_word_t)0x2000));
#endif
    cx_machine_install();
    sel = cx_open(&mulacc_uuid, cx_open_exclusive);
    CHECK(cx_sel_is_cx(sel));
    check_machine_mode(sel);
    check_fetch(sel);
#ifdef __riscv_flen
    check_floating_point(sel);
#endif
    check_user_mode(sel);
    say("done\n");
}
