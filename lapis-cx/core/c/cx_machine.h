/* cx_machine.h, version 1: a hart without threads that has the CX API of cx.h, and executes custom instructions in a trap
 * handler. A header generated from a platform carries this text as it stands. C11 and C++17, no heap. */
#ifdef CX_MACHINE_H
#if CX_MACHINE_VERSION != 1
#error "headers of different releases of lapis-cx: generate all of them with one cxc"
#endif
#else
#define CX_MACHINE_H
#define CX_MACHINE_VERSION 1

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is set with -D for the machine's file:
 *
 * CX_MAX_OPEN      how many CXs can be open at once, 1 to 1022; 16 if it is not set. Each takes memory for one saved state.
 * CX_MCX_TABLE     1: the entries of all selectors stand in a table in memory, as the CSR mcx_table has it. 0: the handler writes
 *                  the selector of what is selected, mcx_selector. 0 if it is not set.
 * CX_HARDWARE      1: the hart has CXUs, mcx_selector (0xBC0) and cx_status (0x801), and with CX_MCX_TABLE also cx_index (0x800)
 *                  and mcx_table (0xBC1). Then the handler only moves states, with the commands of IStateContext, and custom
 *                  instructions are issued again. 0 if it is not set: all of them trap, and the fallbacks do them.
 * CX_MACHINE_ENTRY 1: with the trap vector in assembly, and cx_machine_install. 1 if it is not set, on RISC-V with -ffreestanding.
 * CX_TRAP_STACK    bytes of the vector's own stack, a multiple of 16; 4096 if it is not set.
 * CX_LINKED        1: the fallbacks are compiled as files of their own. 0 if it is not set: the machine's file includes them.
 *                  Then overloadable opcodes are those of this platform; with 1 the program says so with cpu__load.
 */

/* To the state after reset: nothing is open, built-in is selected, no flag is set, the counters are 0. A program starts so,
 * but with CX_HARDWARE, where cx_machine_install does it. */
void cx_machine_reset(void);

/* Does one custom instruction, or access of a CSR, that trapped: registers x0 to x31 of the program, which the result goes
 * to, and its pc, which goes to the next instruction. False, with nothing changed, for what is none of the machine's: other
 * instructions, CSRs that the CX-ISA does not leave to a CX, writes of those that are read only, and under built-in all commands and
 * the CSRs of a CX. False also for an overloadable opcode that traps while no handler of cpu__on_trap takes it. Overloadable opcodes
 * are done at cpu__current_privilege_level: a handler of your own sets it to that of the program first, as this one does. */
bool cx_trap(cx_word_t regs[32], cx_word_t *pc, uint32_t instruction);

/* The instruction at an address: 16 bits if it is a compressed one. For traps that do not say which it was. */
uint32_t cx_machine_fetch(const void *pc);

/* mcx_selector as a hart has it now: cxu_id 7:0, state_id 23:16, cxe 28, version 31:29. */
uint32_t cx_machine_selector(void);

/* A CXU of the platform, with its state contexts. */
struct cxm_unit {
    const struct cx_soft_cxu *cxu;
    void *states;     /* of each context, one behind the other */
    uint16_t *owners; /* of each context: the index of the CX whose state it holds, 0 if it is free */
    uint16_t contexts;
    uint8_t id; /* cxu_id */
};

/* What the trap vector keeps of the program. */
struct cx_trap_frame {
    cx_word_t regs[32]; /* regs[0] is 0 and stays so */
    cx_word_t pc;
    cx_word_t status; /* mstatus */
};

/* Lets traps of this hart come to the machine: writes mtvec and mscratch, in machine mode. With the trap vector only. What handles a
 * trap has the gp and tp of the caller, whatever the program has. Registers of floating point are kept if this file is compiled for
 * a hart that has them. */
void cx_machine_install(void);

/* Gets every trap that is none of the machine's: interrupts, system calls, faults. The program's own definition takes the
 * place of this one, which stops the hart. What it changes in the frame goes back to the program when it returns, which it does.
 * It may use CXs if it interrupts no function of cx.h, and puts back what it selected; its own traps are taken on the same
 * stack. */
void cx_machine_other_trap(struct cx_trap_frame *frame, cx_word_t cause, cx_word_t value);

#ifdef __cplusplus
}
#endif
#endif
