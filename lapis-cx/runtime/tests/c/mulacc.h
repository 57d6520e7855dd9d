/* The shape of a generated header, by hand: a multiply-accumulate CX with exclusive state, and a stateless one. */
#ifndef MULACC_H
#define MULACC_H
#include "cx_insn.h"
#ifdef __cplusplus
extern "C" {
#endif
#define MULACC_HIGH UINT64_C(0x014907b797538f39)
#define MULACC_LOW UINT64_C(0x8b68b8cc31762d17)

extern const struct cx_soft_cxu mulacc_soft;      /* exclusive, words: acc */
extern const struct cx_soft_cxu mulacc_soft_twin; /* another descriptor with the same UUID */
extern const struct cx_soft_cxu shared_soft;      /* the same commands, caller-save */
extern const struct cx_soft_cxu adder_soft;       /* stateless, function 0 adds, 5 is an operand error with value 55 */

#if CX_ON_HART
#define MULACC_ISSUE(function, insn, a, b) CUSTOM0_R(insn, a, b)
#else
#define MULACC_ISSUE(function, insn, a, b) (cx_word_t)cx_issue(function, a, b)
#endif

/* acc = a * b */
static inline cx_word_t mulacc_mul(cx_word_t a, cx_word_t b) { return MULACC_ISSUE(0, ".insn r 0x0B, 0, 0", a, b); }
/* acc += a * b */
static inline cx_word_t mulacc_mulacc(cx_word_t a, cx_word_t b) { return MULACC_ISSUE(1, ".insn r 0x0B, 1, 0", a, b); }
static inline cx_word_t mulacc_read_status(void) { return MULACC_ISSUE(1023, ".insn r 0x0B, 7, 127", 0, 0); }
static inline cx_word_t mulacc_write_status(cx_word_t status) { return MULACC_ISSUE(1022, ".insn r 0x0B, 6, 127", status, 0); }
#ifdef __cplusplus
}
#endif
#endif
