/* Runs the steps that it reads on the board, and says what each gives. */
#include <inttypes.h>
#include <stdio.h>

#include "org_example_board__Board.h"
#include "org_example_board__Jazz.h"

#if CX_XLEN == 64
#define WORD uint64_t
#else
#define WORD uint32_t
#endif

WORD org_example_board__Jazz__body_boogy(WORD a, WORD b, uint32_t *status)
{
    (void)status;
    return (WORD)(a * b);
}

static xext_long_t handler(const struct xext_trap *trap)
{
    printf("trap %d %d %u %d; ", (int)trap->cause, (int)trap->from, trap->to, (int)cpu__current_privilege_level());
    return 0x77;
}

int main(void)
{
    int kind;
    uint64_t a, rs1, rs2;
    cx_word_t last = 0;
    struct xext_error error = cpu__load(&org_example_board__Board);
    if (error.message != NULL) {
        printf("%s %u\n", error.message, (unsigned)error.row);
        return 1;
    }
    cpu__on_trap(handler);
    while (scanf("%d %" SCNu64 " %" SCNx64 " %" SCNx64, &kind, &a, &rs1, &rs2) == 4) {
        switch (kind) {
        case 0:
            last = (cx_word_t)cpu__set_privilege_level((enum privilege)a);
            break;
        case 1:
            last = cx_cpu_xext((uint32_t)a, (cx_word_t)rs1, (cx_word_t)rs2);
            break;
        case 2:
            last = cx_cpu_xcmd((uint32_t)a, (cx_word_t)rs1, (cx_word_t)rs2);
            break;
        default:
            last = cx_cpu_xcmd((uint32_t)a, last, (cx_word_t)rs2);
        }
        printf("%" PRIx64 "\n", (uint64_t)last);
    }
    return 0;
}
