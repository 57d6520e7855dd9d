/* The trap vector: from user mode at any sp, gp and tp, inside a handler, with registers of floating point, and where compilers see
 * the functions of cx.h and commands in one. It says what fails, and that it came to its end. */
#include "cx.h"

#include "mulacc.h"
#include "org_example_traps__Traps_machine.h"
#include "start.h"
#include "sums.h"

#if CX_XLEN == 64
#define STORE "sd "
#define LOOKUP sums_xintf52
#else
#define STORE "sw "
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

/* What user mode finds: sp, gp, tp, the results at those and at another sp, a lookup, and mscratch afterwards. */
struct user_saw {
    cx_word_t sp, gp, tp, first, second, lookup, command, scratch;
};
void in_user_mode(struct user_saw *saw, cx_word_t sp, cx_word_t key);
__asm__(".option push\n.option norelax\n"
        ".globl in_user_mode\n"
        "in_user_mode:\n"
        "    mv t0, a0\n"
        "    mv t1, sp\n"
        "    mv t2, gp\n"
        "    mv t3, tp\n"
        "    la t4, 1f\n"
        "    csrw mepc, t4\n"
        "    li t4, 0x7800\n" /* MPP, and no floating point */
        "    csrc mstatus, t4\n"
        "    mret\n"
        "1:  li sp, 0\n"
        "    li gp, 0x1230\n"
        "    li tp, 0x4560\n"
        "    li a3, 3\n"
        "    li a4, 4\n"
        "    .insn r 0x0B, 0, 0, a5, a3, a4\n"
        "    mv a6, sp\n"
        "    mv a7, gp\n"
        "    mv t5, tp\n"
        "    mv sp, a1\n"
        "    mv gp, a1\n"
        "    .insn r 0x0B, 0, 0, t6, a3, a4\n"
        "    .insn r 0x7B, 2, 1, a3, a2, zero\n" /* xextm1 */
        "    li a4, 40\n"
        "    li a1, 0x77\n"
        "    .insn r 0x7B, 0, 0, a1, a4, zero\n" /* xcmd0 of a lun that machine mode has */
        "    ecall\n"
        "    mv sp, t1\n"
        "    mv gp, t2\n"
        "    mv tp, t3\n"
        "    " STORE "a6, 0*(" "CX_BYTES" ")(t0)\n"
        "    ret\n"
        ".option pop\n");
