/* CX ABI 3: what code generated from a .cxspec file and the runtime agree on. Any change here that an already compiled
 * object could notice takes a new CX_ABI_VERSION. Generated headers carry this text as it stands. */
#ifdef CX_ABI_H
#if CX_ABI_VERSION != 3
#ifndef CX_ABI_RELEASE
#define CX_ABI_RELEASE "of another release"
#endif
#define CX_ABI_TEXT_(x) #x
#define CX_ABI_TEXT(x) CX_ABI_TEXT_(x)
#ifdef __cplusplus
#define CX_ABI_ASSERT static_assert
#else
#define CX_ABI_ASSERT _Static_assert
#endif
CX_ABI_ASSERT(CX_ABI_VERSION == 3, "this header is for CX ABI 3 (lapis-cx 0.1.0), but one before it for CX ABI "
    CX_ABI_TEXT(CX_ABI_VERSION) " (lapis-cx " CX_ABI_RELEASE "): generate all of them with the cxc of the runtime in use");
#endif
#else
#define CX_ABI_H
#define CX_ABI_VERSION 3
#define CX_ABI_RELEASE "0.1.0" /* of lapis-cx, for messages; what must agree is the version */

#include <stddef.h>
#include <stdint.h>

/* CX_XLEN: bits in a register, 32 or 64. On RISC-V the target's, elsewhere a pointer's; -DCX_XLEN=32 overrides. */
#if UINTPTR_MAX > 0xFFFFFFFFu
#define CX_ABI_POINTER_BITS 64
#else
#define CX_ABI_POINTER_BITS 32
#endif
#ifndef CX_XLEN
#ifdef __riscv_xlen
#define CX_XLEN __riscv_xlen
#else
#define CX_XLEN CX_ABI_POINTER_BITS
#endif
#endif
#if CX_XLEN != 32 && CX_XLEN != 64
#error "CX_XLEN must be 32 or 64"
#elif CX_XLEN > CX_ABI_POINTER_BITS
#error "CX_XLEN is wider than a pointer of this target: build with -DCX_XLEN=32"
#endif

/* Whether commands are instructions: on a hart with registers of CX_XLEN bits. A wider one would take a 32-bit command for
 * one of 64 bits. */
#if defined __riscv_xlen && __riscv_xlen == CX_XLEN
#define CX_ON_HART 1
#else
#define CX_ON_HART 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if CX_XLEN == 64
typedef uint64_t cx_word_t; /* an unsigned integer of XLEN bits */
#else
typedef uint32_t cx_word_t; /* an unsigned integer of XLEN bits */
#endif
typedef uintptr_t cx_reg_t; /* a register: a word zero-extended, the same type at each XLEN */

/* The CX API's uuid_t. `high` holds the first eight bytes of the written form, first byte on top. */
typedef struct cx_uuid {
    uint64_t high;
    uint64_t low;
} cx_uuid_t;

/* The answer to one command. Answer k > 0 sets bit k of the thread's cx_status. */
#define CX_RESPONSE_OK 0u
#define CX_RESPONSE_CXU 1u    /* IC: no such CX, or no valid selection */
#define CX_RESPONSE_STATE 2u  /* IS: invalid state */
#define CX_RESPONSE_OFF 3u    /* OF: the state is off */
#define CX_RESPONSE_FUNC 4u   /* IF: no such function */
#define CX_RESPONSE_OP 5u     /* OP: operand error */
#define CX_RESPONSE_CUSTOM 6u /* CU: an error of the CX's own, its code is in the status word */
/* What a fallback says of a command that traps one level higher, to a runtime that can raise the trap. No hardware
 * answers this; a runtime without levels takes it, as any number above 6, for CX_RESPONSE_CXU. */
#define CX_RESPONSE_TRAP 7u

/* What an instruction does with a CSR: the low two bits of its funct3, or 0 if it writes nothing. All give the word that
 * was there before. */
#define CX_CSR_READ 0u  /* csrr; csrrs and csrrc of x0 */
#define CX_CSR_WRITE 1u /* csrrw: then the value is written */
#define CX_CSR_SET 2u   /* csrrs: then the word with these bits set */
#define CX_CSR_CLEAR 3u /* csrrc: then the word with these bits cleared */

/* What an operation other than CX_CSR_READ writes over `old`. */
#define CX_CSR_WRITTEN(op, old, value) \
    ((op) == CX_CSR_WRITE ? (value) : (op) == CX_CSR_SET ? (old) | (value) : (old) & ~(value))

/* cx_soft_cxu.sharing */
#define CX_SHARING_STATELESS 0u
#define CX_SHARING_EXCLUSIVE 1u
#define CX_SHARING_CALLER_SAVE 2u
#define CX_SHARING_CALLEE_SAVE 3u
#define CX_SHARING_ALWAYS_INIT 4u
#define CX_SHARING_CUSTOM 5u

/* cx_soft_cxu.flags */
#define CX_SOFT_UCONTEXT 1u      /* the interface says that its state is part of the user context */
#define CX_SOFT_STATE_CONTEXT 2u /* commands 1020 to 1023 are those of IStateContext */

/* A CXU in software. It and all it points to stay, unchanged, until the process ends. Its functions run on any thread,
 * on many at once with different states. They do not unwind, do not longjmp, and call no CX function. Without state,
 * state_words, state_size, init, save and restore are 0, and `issue` and `csr` get a null state. */
struct cx_soft_cxu {
    uint32_t abi_version;  /* CX_ABI_VERSION */
    uint32_t struct_size;  /* sizeof(struct cx_soft_cxu) */
    cx_uuid_t uuid;
    uint8_t contract[32];  /* SHA-256 of the contract; 0 if there is none */
    uint32_t xlen;         /* CX_XLEN of the functions below */
    uint32_t sharing;      /* CX_SHARING_* */
    uint32_t flags;        /* CX_SOFT_* */
    uint32_t state_words;  /* words of state, the status word not counted */
    size_t state_size;     /* bytes behind `state`, in memory */
    size_t state_align;    /* a power of two */
    const char *name;      /* UTF-8, for messages; may be null */
    void (*init)(void *state); /* to the reset state; `state` is zeroed memory */
    /* Runs command `function`. It reads the low xlen bits of rs1 and rs2. An immediate comes in rs2, or, beside two
     * registers, as CX_WITH_IMMEDIATE has it. *rd is 0 before; a value goes there zero-extended, also with an error if
     * the command has one. Returns CX_RESPONSE_*. */
    uint32_t (*issue)(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd);
    /* An image is 1 + state_words words of xlen bits, aligned as such: the status word, then the state words. */
    void (*save)(const void *state, void *image);
    void (*restore)(void *state, const void *image);
    /* Does `op` (CX_CSR_*) with the CSR at this address of 12 bits. It reads the low xlen bits of `value`. *old is 0
     * before; the word that was read goes there zero-extended. Returns CX_RESPONSE_*, CX_RESPONSE_FUNC if there is no
     * such CSR, no such operation, or the CSR is read only. Null if there are no CSRs: as if it always returned that. */
    uint32_t (*csr)(void *state, uint32_t op, uint32_t address, cx_reg_t value, cx_reg_t *old);
    /* For who decodes instructions: returns the `function` with which to issue a command that came on the opcode of flex. A
     * constant in its register fields goes where `issue` looks for it: above the id, or to *rs2, which holds the second
     * register before. `fields` are the 15 bits rs2:rs1:rd. Null if no command has a constant there. */
    uint32_t (*flex)(uint32_t function, uint32_t fields, cx_reg_t *rs2);
};

/* A CXU that each hart of a platform has, for cx_platform_load of the runtime. */
struct cx_platform_cxu {
    cx_uuid_t uuid;
    uint32_t contexts; /* state contexts: 0 exactly if the CX has no state, at most 256 */
};

/* A `function` to issue: the id, and above it the immediate of a flex command that has two registers too. */
#define CX_WITH_IMMEDIATE(id, immediate) ((uint32_t)(id) | (uint32_t)(immediate) << 16)

/* Issues a command to the CX that the calling thread has selected. Returns rd, 0 if there is none. Errors add to the
 * thread's cx_status. The version is in the linked name, so that objects of different versions do not link. */
#define cx_issue cx_abi3_issue
cx_reg_t cx_issue(uint32_t function, cx_reg_t rs1, cx_reg_t rs2);

/* Does `op` with a CSR of the CX that the calling thread has selected. Returns the word that was there before, 0 if the
 * CX does not answer. Errors add to the thread's cx_status, as for a command. */
#define cx_csr cx_abi3_csr
cx_reg_t cx_csr(uint32_t op, uint32_t address, cx_reg_t value);

#ifdef __cplusplus
}
#endif
#endif
