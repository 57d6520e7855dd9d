/* The CX API for threads (CX API, section "API"), software CXUs, cx_status and errors. C11 and C++17. */
#ifndef CX_H
#define CX_H

#include <stdbool.h>

#include "cx_abi.h"
#if CX_ABI_VERSION != 3
#ifndef CX_ABI_TEXT
#define CX_ABI_TEXT_(x) #x
#define CX_ABI_TEXT(x) CX_ABI_TEXT_(x)
#endif
#ifdef __cplusplus
static_assert(
#else
_Static_assert(
#endif
    CX_ABI_VERSION == 3, "this cx.h is for CX ABI 3 (lapis-cx 0.1.0), but the headers before it for CX ABI "
    CX_ABI_TEXT(CX_ABI_VERSION) " (lapis-cx " CX_ABI_RELEASE "): take cx.h and cx_abi.h of one release, and generate the "
    "others with its cxc");
#endif
#include "cx_insn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The CX API's name for cx_uuid_t, unless libuuid or the system has taken it. Define CX_NO_UUID_T where <uuid/uuid.h>
 * comes later. */
#if !defined CX_NO_UUID_T && !defined _UUID_UUID_H && !defined _UUID_T && !defined _UUID_T_DECLARED
typedef cx_uuid_t uuid_t;
#endif

#ifdef __cplusplus
#define CX_ENUM_BASE : int
#else
#define CX_ENUM_BASE
#endif

/* A selector. Bits 9:0 are the index, 1 to 1022. Bits 30:10 count how often that index has been reused, so that after its
 * last close a selector is known as stale. It has a meaning only on the thread that opened it. */
typedef enum cx_sel_t CX_ENUM_BASE {
    cx_sel_invalid = -1,
    cx_sel_builtin = 0,
    cx_sel_first_cx = 1,
    cx_sel_largest = 0x7FFFFFFF /* makes the type 32 bits wide also where enums are short */
} cx_sel_t;

typedef enum cx_open_flags CX_ENUM_BASE {
    cx_open_shared = 0,
    cx_open_exclusive = 1,
    cx_open_ucontext = 2, /* the instance's state takes part in user contexts: cx_context.h */
    cx_open_largest = 0x7FFFFFFF
} cx_open_flags;

/* Opens a CX for the calling thread; at the first open of an instance its state is the reset state. All shared opens
 * give one selector and are counted; each exclusive open gives its own. A stateless CX opens either way, others only as
 * their contract says. On failure cx_sel_invalid. Errors: fault (null), invalid (unknown flag), no device (absent),
 * permission (the contract has the other sharing), busy (all state contexts are in use and cannot be shared), invalid (the
 * platform gives the CX contexts and it has no state, or the other way round), no memory, table full. */
cx_sel_t cx_open(const cx_uuid_t *puuid, cx_open_flags flags);
/* Releases one open; the last one frees the instance, and if it is selected, the selection is stale.
 * Errors: bad selector. */
void cx_close(cx_sel_t sel);
/* True for an open selector of this thread; false for built-in, invalid and stale ones, and for one whose CX was revoked,
 * which is closed all the same. */
bool cx_sel_is_cx(cx_sel_t sel);
/* The current selection, as it was selected; a thread starts with cx_sel_builtin. On RISC-V it is one instruction, and a hart
 * that has cx_index may keep the index alone. */
/* Selects, and returns the selection before. Never fails. A command, or an access of a CSR, under an invalid or stale
 * selection returns 0 and sets CX_STATUS_IC; under built-in, off RISC-V, it returns 0 and sets CX_STATUS_IF. On RISC-V it is
 * one instruction, also of a constant; the runtime sees to it where the hart has no cx_index. No command moves across it, not
 * even one of those that compilers may move. */
#if CX_ON_HART
static inline cx_sel_t cx_get_sel(void)
{
    int sel;
    __asm__ volatile("csrr %0, 0x800" : "=r"(sel));
    return (cx_sel_t)sel;
}
static inline cx_sel_t cx_select(cx_sel_t sel)
{
    int outer; /* cx_index has no meaning above bit 31, so neither number needs to be extended */
    __asm__ volatile("csrrw %0, 0x800, %z1" : "=r"(outer) : "rK"((int)sel) : "memory");
    return (cx_sel_t)outer;
}
#else
cx_sel_t cx_get_sel(void);
cx_sel_t cx_select(cx_sel_t sel);
#endif
/* Saves the selected instance's state: status word, then state words, each XLEN bits in the machine's byte order. Returns
 * the bytes written, or with a null pv the bytes needed; 0 under built-in and for a stateless CX. On failure 0, and
 * nothing is written. Errors: bad selector, invalid (size is too small), no memory (for a copy, which a CXU in Rust and a
 * pv that is not aligned to a word need), CXU (one in Rust panicked). */
size_t cx_save(void *pv, size_t size);
/* Loads such an image; for a null pv, built-in and a stateless CX it does nothing. On failure the state is as it was.
 * Errors: bad selector, invalid (size is too small, or the status word names another state size), no memory,
 * CXU (one in Rust panicked). */
void cx_restore(void *pv, size_t size);

/* The thread's user context: its selection, and the states of its instances that take part, those opened with
 * cx_open_ucontext and those whose contract says so. cx_context.h has what saves and loads it with setjmp and swapcontext.
 * Returns the bytes written, or with a null pv the bytes needed now: that changes when such a CX is opened or closed.
 * On failure 0. Errors: invalid (size is too small), and those of cx_save. */
size_t cx_context_save(void *pv, size_t size);
/* Loads it again, on the same thread. Instances that were closed since then are left out, those opened since then stay as
 * they are. A null pv does nothing. Errors: invalid (no saved context), and those of cx_restore: the rest is loaded all the
 * same. */
void cx_context_restore(const void *pv, size_t size);

/* Makes a software CXU known to all threads. Returns CX_ERROR_NONE, also if it is known already, or the error: fault (null
 * or misaligned), invalid (cx_last_error_string() says what), busy (another has this UUID), no memory. */
int cx_soft_register(const struct cx_soft_cxu *cxu);

/* Calls work(argument) with one instance selected that all share who name it: all threads of the process, or with a file all
 * processes that name it. Others wait. The state lies in the file between uses; while there is none, it is the reset state.
 * Whoever asks for this gives up that libraries do not see each other's state. Returns CX_ERROR_NONE, or as cx_open,
 * cx_save and cx_restore; busy (this thread uses it already), permission (the file cannot be read or written), invalid (it
 * holds no state of this CX). If the state cannot be kept, it stays what it was. */
/* work must return: it neither throws nor calls longjmp. Not on systems without POSIX. */
int cx_singleton(const cx_uuid_t *puuid, cx_open_flags flags, const char *file, void (*work)(void *argument), void *argument);

/* Loads a shared library, and makes the software CXU known whose descriptor it exports under this name, such as
 * mulacc_soft_cxu of a generated fallback. The library stays loaded. Not on systems without dlopen. Returns CX_ERROR_NONE, no
 * device (the library or the symbol is not there), or as cx_soft_register. */
int cx_soft_load(const char *library, const char *symbol);

/* Says which CXUs a hart has, and each thread is a hart; once, before a CX is opened: then it is busy. cxc makes the table of a `platform`. Without it each software CXU that is registered has as many
 * contexts as are opened. With it any number can be open over the contexts that there are: a command whose state is not
 * in one traps, and the state is brought in (state context virtualization). Of a CX without IStateContext only as many
 * can be open as it has contexts: then cx_open says busy. A CX that is not listed is absent. Returns CX_ERROR_NONE, or
 * busy (a platform is loaded), fault (null), invalid (more than 256 CXUs or contexts), no memory. */
int cx_platform_load(const struct cx_platform_cxu *cxus, size_t count);
/* Lets the registered software CXU stand in for a CX that the platform lacks. Without this such a CX does not open, so that
 * a library takes its own fallback. Returns CX_ERROR_NONE, fault or no memory. */
int cx_emulate_absent(const cx_uuid_t *puuid);
/* Takes the CXUs of a CX away from all harts, as when a device goes: the next command to an open one returns 0 and sets
 * CX_STATUS_IC. Returns CX_ERROR_NONE, fault or no device (the platform does not list it). */
int cx_revoke(const cx_uuid_t *puuid);

/* What stands behind a selector now, so that a library can choose. It is what the platform says: a hart in software is a hart,
 * and only the cost below tells that its instructions trap. */
#define CX_BACKING_NONE 0        /* not open on this thread */
#define CX_BACKING_NATIVE 1      /* a state context of a CXU is its own, or it needs none */
#define CX_BACKING_VIRTUALIZED 2 /* it shares state contexts, and its next command waits for one */
#define CX_BACKING_EMULATED 3    /* the platform lacks it, and software stands in */
#define CX_BACKING_SOFT 4        /* a software CXU, on a machine that no platform describes */
int cx_backing(cx_sel_t sel);
/* Nanoseconds that the next command takes, beside what it does itself, measured now, a signal too where instructions trap: that
 * takes some microseconds, there a hundred, and changes nothing but where states are. Negative if sel is not open on this thread,
 * or its CX has no IStateContext. */
double cx_backing_cost(cx_sel_t sel);

#if CX_ON_HART && defined __linux__
/* On Linux a custom instruction that the processor does not have raises SIGILL, and the runtime's handler does it. A SIGILL of
 * something else goes to the handler that was there when the runtime was loaded. A program that installs one later gives
 * each signal to this function first, from a handler with SA_SIGINFO, with its three arguments: true if that was a custom
 * instruction, which is done. It needs nothing but that its thread is the one that was interrupted.
 * The handler takes no memory and no lock, so handlers of signals may issue commands. No thread that executes a custom
 * instruction, cx_get_sel and cx_select among them, may block SIGILL: the kernel ends the process. So sigfillset is followed by
 * sigdelset of SIGILL; and a handler that was there before without SA_NODEFER, which runs with SIGILL blocked, uses no CX. If
 * dlopen loads the runtime, the C library allocates a thread's part of it at the thread's first access: a thread whose signal
 * handlers use CXs calls cx_last_error once before. */
bool cx_trap_handle(int signal, const void *siginfo, void *ucontext);
/* Lets a processor in software answer the overloadable opcodes that trap: cx_xcmd_install(cx_cpu_execute_xext, cx_cpu_execute_xcmd),
 * which xext.h has. The first function gets the lun of the fallback, the second one the number of a command; both rs1 and rs2. They
 * run on the thread that executes the instruction, in the handler of SIGILL. True: it is done, and *rd is its value. False: the
 * instruction traps, and its SIGILL is not the runtime's. Without the functions none of these instructions is. Returns
 * CX_ERROR_NONE, busy (there are some), fault (null), no device (the instructions do not trap). */
int cx_xcmd_install(bool (*xext)(uint32_t fallback, cx_word_t rs1, cx_word_t rs2, cx_word_t *rd),
                    bool (*xcmd)(uint32_t command, cx_word_t rs1, cx_word_t rs2, cx_word_t *rd));
#endif

/* What the supervisor of the thread's hart did so far; all 0 without a platform. */
struct cx_counters {
    uint64_t traps;        /* commands and accesses whose state was in no context; not those that trap because the hart lacks them */
    uint64_t swaps;        /* states that a trap brought into a context */
    uint64_t saved_bytes;  /* of states that had changed */
    uint64_t loaded_bytes; /* of states that were not the reset state */
};
void cx_read_counters(struct cx_counters *counters);

/* The thread's cx_status: flags that stay until they are cleared. */
#define CX_STATUS_IV 0x01u /* invalid selector version */
#define CX_STATUS_IC 0x02u /* no such CX: the selection is invalid or stale */
#define CX_STATUS_IS 0x04u /* invalid state */
#define CX_STATUS_OF 0x08u /* the state is off */
#define CX_STATUS_IF 0x10u /* no such function or CSR, or the CSR is read only */
#define CX_STATUS_OP 0x20u /* operand error */
#define CX_STATUS_CU 0x40u /* an error of the CX's own */
uint32_t cx_status_read(void);
uint32_t cx_status_write(uint32_t value); /* returns the old value; bits that are no flags are dropped */
uint32_t cx_status_clear(uint32_t flags); /* clears these flags, returns the old value */

#define CX_ERROR_NONE 0
#define CX_ERROR_PERMISSION 1   /* EACCES */
#define CX_ERROR_BUSY 2         /* EBUSY */
#define CX_ERROR_FAULT 3        /* EFAULT */
#define CX_ERROR_INVALID 4      /* EINVAL */
#define CX_ERROR_NO_DEVICE 5    /* ENODEV */
#define CX_ERROR_BAD_SELECTOR 6 /* EBADF */
#define CX_ERROR_NO_MEMORY 7    /* ENOMEM */
#define CX_ERROR_TABLE_FULL 8   /* EMFILE */
#define CX_ERROR_CXU 9          /* EIO */
/* How the last cx_open, cx_close, cx_save, cx_restore, cx_context_*, cx_soft_register, cx_soft_load, cx_singleton, cx_platform_load, cx_emulate_absent or cx_revoke
 * of the thread ended. errno is set on failure only.
 * From inside a CXU that is written in Rust, cx_close, cx_save and cx_restore fail with busy. */
int cx_last_error(void);
const char *cx_last_error_string(void); /* the same in words, with detail where there is some; never null, never freed */
const char *cx_error_string(int error); /* never null, never freed */

#ifdef __cplusplus
}
constexpr cx_open_flags operator|(cx_open_flags a, cx_open_flags b) noexcept {
    return static_cast<cx_open_flags>(static_cast<int>(a) | static_cast<int>(b));
}
#endif
#endif
