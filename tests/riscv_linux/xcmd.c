/* Overloadable opcodes on the board: on RISC-V by instructions, which trap to the processor in software; elsewhere by calls of it. */
#include <inttypes.h>
#include <stdio.h>

#include "org_example_board__Board.h"
#include "org_example_board__Frobate.h"
#include "org_example_board__Jazz.h"
#include "sums.h"

#if CX_ON_HART
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "cx.h"

static volatile unsigned not_taken;

/* The handler that is there before the runtime's: it goes on behind the instruction. */
static void pass(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    not_taken++;
    ((ucontext_t *)context)->uc_mcontext.__gregs[0] += 4;
}

__attribute__((constructor(101))) static void before_the_runtime(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_sigaction = pass;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGILL, &action, NULL);
}
#endif

uint64_t org_example_board__Jazz__body_boogy(uint64_t a, uint64_t b, uint32_t *status)
{
    (void)status;
    return a * b;
}

static unsigned traps;

static xext_long_t handler(const struct xext_trap *trap)
{
    traps++;
    return 0x70 + (xext_long_t)trap->cause;
}

int main(void)
{
    cx_cookie_t device, sums;
    uint64_t one, two, three;
    int i;
#if CX_ON_HART
    if (cx_xcmd_install(NULL, cx_cpu_execute_xcmd) != CX_ERROR_FAULT ||
        cx_xcmd_install(cx_cpu_execute_xext, cx_cpu_execute_xcmd) != CX_ERROR_NONE ||
        cx_xcmd_install(cx_cpu_execute_xext, cx_cpu_execute_xcmd) != CX_ERROR_BUSY) {
        printf("%s\n", cx_last_error_string());
        return 1;
    }
#endif
    if (cpu__load(&org_example_board__Board).message != NULL) {
        return 2;
    }
    cpu__on_trap(handler);
    cpu__set_privilege_level(user);
    device = org_example_board__Frobate__xext(0);
    printf("%" PRIu32 " %" PRIu64 " %d\n", cx_cookie_lun(device), org_example_board__Frobate__frobate(device, 50, 8),
           org_example_board__Frobate__foo(device, -5, 0));
    printf("%d", org_example_board__Frobate__foo(device, -5, 3));
    printf(" %u\n", traps);
    for (i = 0; i < 4; i++) {
        org_example_board__Frobate__silent(device, 9, i == 3);
    }
    printf("%d %u\n", org_example_board__Frobate__last(device, true), traps);
    printf("%d %d\n", org_example_board__Frobate__foo(org_example_board__Frobate__xextm1(77), 1, 2),
           org_example_board__Frobate__foo(org_example_board__Frobate__xext0(77), 1, 2));
    printf("%" PRIu64, org_example_board__Frobate__frobate(org_example_board__Frobate__xext(77), 1, 2));
    printf(" %u\n", traps);
    sums = sums_xext(0);
    one = sums_init(sums, (uint16_t)cx_cookie_lun(sums));
    two = sums_init(sums, (uint16_t)cx_cookie_lun(sums));
    three = sums_init(sums, (uint16_t)cx_cookie_lun(sums));
    printf("%" PRIx64 " %" PRIx64 " %" PRIu64 "\n", one >> 12, two >> 12, three);
    printf("%" PRIu64, sums_add(sums, 0, 40));
    printf(" %" PRIu64, sums_add(sums, 1, UINT64_C(0xFFFFFFFFFFFFFFF0)));
    printf(" %" PRIu64, sums_add(sums, 1, 17));
    printf(" %" PRIu64, sums_deinit(sums, 0));
    printf(" %" PRIu64 " %u\n", sums_add(sums, 0, 1), traps);
#if CX_ON_HART
    {
        /* A command of lun 0 traps. Without a handler of the level its signal is not the runtime's. */
        uint64_t rd = 0x77;
        cpu__on_trap(NULL);
        __asm__ volatile(".insn r 0x7B, 0, 0, %0, zero, zero" : "+r"(rd));
        if (not_taken != 1 || rd != 0x77) {
            return 3;
        }
    }
#endif
    return 0;
}
