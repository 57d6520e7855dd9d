/* tt.h
 * Generated from org.example.torture:Torture by cxc; do not edit.
 *
 * Ends a comment * / and begins / * one.
 */
#ifndef CX_GENERATED_tt_H
#define CX_GENERATED_tt_H

#include <stdbool.h>

/* the text of cx_abi.h */

#ifdef __cplusplus
extern "C" {
#endif

/* Compiles if `ok` is a constant expression and true. */
#ifndef CX_CONSTANT_CHECK
#ifdef __cplusplus
#define CX_CONSTANT_CHECK(ok, text) ([] { static_assert(ok, text); }())
#else
#define CX_CONSTANT_CHECK(ok, text) ((void)sizeof(struct { _Static_assert(ok, text); char cx_member; }))
#endif
#endif

/* aa0f7d0e-00ff-4000-8000-000000000001 */
static const cx_uuid_t tt_uuid = {0xAA0F7D0E00FF4000ull, 0x8000000000000001ull};

/* The contract hash: SHA-256 of what the commands mean. */
static const uint8_t tt_contract[32] = {
    0xC9, 0x30, 0xBD, 0xA9, 0x19, 0x3D, 0xFE, 0x76,
    0x22, 0x62, 0x0D, 0x26, 0x51, 0xB2, 0x7B, 0x3B,
    0xA7, 0xB7, 0xC3, 0x62, 0xBE, 0xE4, 0x79, 0x15,
    0x28, 0x52, 0xAA, 0x54, 0x5F, 0x3A, 0x75, 0x84,
};

#if CX_XLEN == 32

typedef uint8_t tt_Mode;
#define tt_Mode_wrap ((tt_Mode)0u)
#define tt_Mode_saturate ((tt_Mode)1u)
#define tt_Mode_class ((tt_Mode)3u)

#define tt_LEAST (-2147483648ll)

#define tt_MOST 18446744073709551615ull

#define tt_YES true

/* Error codes in the status word. */
/** it did * / overflow */
#define tt_error_overflow 1u

/* Function ids. */
#define tt_id_dot 0u
#define tt_id_latch 1u
#define tt_id_only 2u
#define tt_id_shift 3u
#define tt_id_pick 4u
#define tt_id_entry 5u
#define tt_id_over 6u
#define tt_id_gone 7u
#define tt_id_hide 8u
#define tt_id_write_state 1020u
#define tt_id_read_state 1021u
#define tt_id_write_status 1022u
#define tt_id_read_status 1023u

/**
 * What one user has:
 * every shape that state can have. * / not the end
 *
 * One context. Each field holds patterns below 2^width of its type, signed values as two's complement;
 * rows of arrays follow each other. In words of 32 bits: 15.
 */
typedef struct tt_state {
    uint32_t status; /* cs[1:0] (0 off, 1 initial, 2 clean, 3 dirty), state_size[11:2], error[31:24] */
    /** A keyword of C. */
    uint8_t volatile_;
    uint8_t status_;
    tt_Mode modes[2];
    uint64_t int_[3];
    uint32_t wide[7];
    tt_Mode mode;
} tt_state;

/** To the reset state: `cs` initial. */
void tt_state_init(tt_state *st);
/** Writes 16 words: the status word, then the state words. */
void tt_state_save(const tt_state *st, cx_word_t *words);
/** Reads what the other one wrote. In `cs` off or initial the fields are reset; an undeclared error
 * code becomes 0. */
void tt_state_restore(tt_state *st, const cx_word_t *words);

/* In software: operands count by their low bits. A context that is off gives 0 and stays as it is. */
int32_t tt_sw_dot(tt_state *st_2, int32_t st, int32_t status_in);
void tt_sw_latch(tt_state *st, uint32_t a, uint32_t b);
bool tt_sw_only(tt_state *st, uint8_t n);
int32_t tt_sw_shift(tt_state *st, int32_t rd, uint8_t n);
tt_Mode tt_sw_pick(tt_state *st, tt_Mode m, bool on);
int16_t tt_sw_entry(tt_state *st, uint32_t i);
int8_t tt_sw_over(tt_state *st, int8_t a);
/** The same; `*status` becomes the response. */
int8_t tt_sw_over_st(tt_state *st, int8_t a, uint32_t *status);
void tt_sw_gone(tt_state *st);
/**
 * The same; `*status` becomes the response.
 * `CX_RESPONSE_TRAP` says that the command traps; a runtime without levels takes it for `CX_RESPONSE_CXU`.
 */
void tt_sw_gone_st(tt_state *st, uint32_t *status);
/** Operands and locals hide nothing. */
int32_t tt_sw_hide(tt_state *st, tt_Mode tt_Mode_2, int32_t tt_fn_lanes);
/** The same; `*status` becomes the response. */
int32_t tt_sw_hide_st(tt_state *st, tt_Mode tt_Mode_2, int32_t tt_fn_lanes, uint32_t *status);
/** Writes the state word at `index`, returns `value`; an invalid index is dropped. */
uint32_t tt_sw_write_state(tt_state *st, uint32_t index, uint32_t value);
/** The state word at `index`. */
uint32_t tt_sw_read_state(tt_state *st, uint32_t index);
/** Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off. */
uint32_t tt_sw_write_status(tt_state *st, uint32_t status);
/** The context's status word; never has a side effect. */
uint32_t tt_sw_read_status(tt_state *st);
/** The CSR `mstat` in software. */
cx_word_t tt_sw_mstat_read(const tt_state *st);
void tt_sw_mstat_write(tt_state *st, cx_word_t value);
/** The CSR `word` in software. */
cx_word_t tt_sw_word_read(const tt_state *st);
/** Any CSR, as `csr` of `struct cx_soft_cxu`. Returns the response. */
uint32_t tt_sw_access(void *state, uint32_t op, uint32_t address, cx_reg_t value, cx_reg_t *old);
/** Any command, by what its registers hold; `state` is null without state. Returns the response. */
uint32_t tt_sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd);
/** The fallback as a runtime registers it. */
extern const struct cx_soft_cxu tt_soft_cxu;

/* To the selected CX: one instruction on RISC-V, elsewhere through the runtime. */
#if CX_ON_HART
/* Stubs that end in _in are for commands without effect that use no state. Compilers may issue equal ones once, unused ones
 * not at all, and one that is always the same before a loop, if no store to memory is between; all that between two calls of
 * cx_select, which they never leave. So an error of the selection itself, in cx_status, may be noted fewer times, or not. Code
 * that selects by itself does so in asm volatile with "memory". The reason is this input, which selecting changes and no
 * instruction reads. */
#ifndef CX_SELECTION
struct cx_selection {
    char cx_member;
};
#ifdef __clang__
#define CX_SELECTION "m"(*(const struct cx_selection *)0)
#else
#define CX_SELECTION "m"(*(const struct cx_selection *)(intptr_t)-16)
#endif
#endif
static inline int32_t tt_dot(int32_t st, int32_t status_in)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 0, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)(cx_word_t)st), "r"((cx_reg_t)(cx_word_t)status_in));
    return (int32_t)rd;
}
static inline int32_t tt_dot_in(int32_t st, int32_t status_in)
{
    cx_reg_t rd;
    __asm__(".insn r 0x0B, 0, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)(cx_word_t)st), "r"((cx_reg_t)(cx_word_t)status_in), CX_SELECTION);
    return (int32_t)rd;
}
static inline void tt_latch(uint32_t a, uint32_t b)
{
    __asm__ volatile(".insn r 0x5B, 1, 0, x0, %0, %1" : : "r"((cx_reg_t)a), "r"((cx_reg_t)b));
}
/** `n` is a constant expression. */
#define tt_only(n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 2u, "tt_only: 1 bit does not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_tt_only_rd; \
    __asm__ volatile(".insn i 0x2B, 2, %0, x0, %1" : "=r"(cx_tt_only_rd) : "i"((int)(((uint32_t)(uint8_t)(n) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (cx_tt_only_rd & 1u) != 0; \
})
#define tt_only_in(n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 2u, "tt_only_in: 1 bit does not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_tt_only_in_rd; \
    __asm__(".insn i 0x2B, 2, %0, x0, %1" : "=r"(cx_tt_only_in_rd) : "i"((int)(((uint32_t)(uint8_t)(n) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (cx_tt_only_in_rd & 1u) != 0; \
})
/** `n` is a constant expression. */
#define tt_shift(rd, n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 32u, "tt_shift: 5 bits do not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_tt_shift_rd; \
    __asm__ volatile(".insn i 0x2B, 3, %0, %1, %2" : "=r"(cx_tt_shift_rd) : "r"((cx_reg_t)(cx_word_t)(int32_t)(rd)), "i"((int)(((uint32_t)(uint8_t)(n) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (int32_t)cx_tt_shift_rd; \
})
#define tt_shift_in(rd, n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 32u, "tt_shift_in: 5 bits do not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_tt_shift_in_rd; \
    __asm__(".insn i 0x2B, 3, %0, %1, %2" : "=r"(cx_tt_shift_in_rd) : "r"((cx_reg_t)(cx_word_t)(int32_t)(rd)), "i"((int)(((uint32_t)(uint8_t)(n) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (int32_t)cx_tt_shift_in_rd; \
})
static inline tt_Mode tt_pick(tt_Mode m, bool on)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 4, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)m), "r"((cx_reg_t)on));
    return (tt_Mode)rd;
}
static inline int16_t tt_entry(uint32_t i)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 5, 0, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)i));
    return (int16_t)rd;
}
static inline int16_t tt_entry_in(uint32_t i)
{
    cx_reg_t rd;
    __asm__(".insn r 0x0B, 5, 0, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)i), CX_SELECTION);
    return (int16_t)rd;
}
static inline int8_t tt_over(int8_t a)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 6, 0, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)(cx_word_t)a));
    return (int8_t)rd;
}
static inline void tt_gone(void)
{
    __asm__ volatile(".insn r 0x0B, 7, 0, x0, x0, x0");
}
/** Operands and locals hide nothing. */
static inline int32_t tt_hide(tt_Mode tt_Mode_2, int32_t tt_fn_lanes)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 0, 1, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)tt_Mode_2), "r"((cx_reg_t)(cx_word_t)tt_fn_lanes));
    return (int32_t)rd;
}
/** Writes the state word at `index`, returns `value`; an invalid index is dropped. */
static inline uint32_t tt_write_state(uint32_t index, uint32_t value)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 4, 127, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)index), "r"((cx_reg_t)value) : "memory");
    return (uint32_t)rd;
}
/** The state word at `index`. */
static inline uint32_t tt_read_state(uint32_t index)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 5, 127, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)index));
    return (uint32_t)rd;
}
/** Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off. */
static inline uint32_t tt_write_status(uint32_t status)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 6, 127, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)status) : "memory");
    return (uint32_t)rd;
}
/** The context's status word; never has a side effect. */
static inline uint32_t tt_read_status(void)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 7, 127, %0, x0, x0" : "=r"(rd));
    return (uint32_t)rd;
}
#else
static inline int32_t tt_dot(int32_t st, int32_t status_in)
{
    return (int32_t)cx_issue(tt_id_dot, (cx_reg_t)(cx_word_t)st, (cx_reg_t)(cx_word_t)status_in);
}
#define tt_dot_in tt_dot
static inline void tt_latch(uint32_t a, uint32_t b)
{
    (void)cx_issue(tt_id_latch, (cx_reg_t)a, (cx_reg_t)b);
}
/** `n` is a constant expression. */
static inline bool tt_only(uint8_t n)
{
    return (cx_issue(tt_id_only, 0, (cx_reg_t)n) & 1u) != 0;
}
#define tt_only(n) \
    (CX_CONSTANT_CHECK((uint64_t)(n) < 2u, "tt_only: 1 bit does not carry `n`"), tt_only(n))
#define tt_only_in tt_only
/** `n` is a constant expression. */
static inline int32_t tt_shift(int32_t rd, uint8_t n)
{
    return (int32_t)cx_issue(tt_id_shift, (cx_reg_t)(cx_word_t)rd, (cx_reg_t)n);
}
#define tt_shift(rd, n) \
    (CX_CONSTANT_CHECK((uint64_t)(n) < 32u, "tt_shift: 5 bits do not carry `n`"), tt_shift(rd, n))
#define tt_shift_in tt_shift
static inline tt_Mode tt_pick(tt_Mode m, bool on)
{
    return (tt_Mode)cx_issue(tt_id_pick, (cx_reg_t)m, (cx_reg_t)on);
}
static inline int16_t tt_entry(uint32_t i)
{
    return (int16_t)cx_issue(tt_id_entry, (cx_reg_t)i, 0);
}
#define tt_entry_in tt_entry
static inline int8_t tt_over(int8_t a)
{
    return (int8_t)cx_issue(tt_id_over, (cx_reg_t)(cx_word_t)a, 0);
}
static inline void tt_gone(void)
{
    (void)cx_issue(tt_id_gone, 0, 0);
}
/** Operands and locals hide nothing. */
static inline int32_t tt_hide(tt_Mode tt_Mode_2, int32_t tt_fn_lanes)
{
    return (int32_t)cx_issue(tt_id_hide, (cx_reg_t)tt_Mode_2, (cx_reg_t)(cx_word_t)tt_fn_lanes);
}
/** Writes the state word at `index`, returns `value`; an invalid index is dropped. */
static inline uint32_t tt_write_state(uint32_t index, uint32_t value)
{
    return (uint32_t)cx_issue(tt_id_write_state, (cx_reg_t)index, (cx_reg_t)value);
}
/** The state word at `index`. */
static inline uint32_t tt_read_state(uint32_t index)
{
    return (uint32_t)cx_issue(tt_id_read_state, (cx_reg_t)index, 0);
}
/** Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off. */
static inline uint32_t tt_write_status(uint32_t status)
{
    return (uint32_t)cx_issue(tt_id_write_status, (cx_reg_t)status, 0);
}
/** The context's status word; never has a side effect. */
static inline uint32_t tt_read_status(void)
{
    return (uint32_t)cx_issue(tt_id_read_status, 0, 0);
}
#endif

/* Addresses of CSRs. */
#define tt_csr_mstat 0x810u
#define tt_csr_word 0xCC0u

/** Bits 1:0 of `mstat`. */
#define tt_mstat_mode_shift 0
#define tt_mstat_mode_mask ((cx_word_t)0x3u)
static inline tt_Mode tt_mstat_mode_get(cx_word_t word)
{
    return (tt_Mode)(word & 0x3u);
}
static inline cx_word_t tt_mstat_mode_put(cx_word_t word, tt_Mode value)
{
    return (word & ~tt_mstat_mode_mask) | ((cx_word_t)value & tt_mstat_mode_mask);
}

/**
 * Bits 9:3 of `mstat`.
 * A * / field.
 */
#define tt_mstat_int_shift 3
#define tt_mstat_int_mask ((cx_word_t)0x3F8u)
static inline uint8_t tt_mstat_int_get(cx_word_t word)
{
    return (uint8_t)((word >> 3) & 0x7Fu);
}
static inline cx_word_t tt_mstat_int_put(cx_word_t word, uint8_t value)
{
    return (word & ~tt_mstat_int_mask) | (((cx_word_t)value << 3) & tt_mstat_int_mask);
}

/** Bits 7:0 of `word`. */
#define tt_word_out_shift 0
#define tt_word_out_mask ((cx_word_t)0xFFu)
static inline uint8_t tt_word_out_get(cx_word_t word)
{
    return (uint8_t)(word & 0xFFu);
}

/** Bits 15:8 of `word`. */
#define tt_word_neg_shift 8
#define tt_word_neg_mask ((cx_word_t)0xFF00u)
static inline int8_t tt_word_neg_get(cx_word_t word)
{
    return (int8_t)(cx_word_t)((((word >> 8) & 0xFFu) ^ 0x80u) - 0x80u);
}

/** Bit 31 of `word`. */
#define tt_word_top_shift 31
#define tt_word_top_mask ((cx_word_t)0x80000000u)
static inline bool tt_word_top_get(cx_word_t word)
{
    return ((word >> 31) & 0x1u) != 0;
}

/* CSRs of the selected CX: one instruction on RISC-V, elsewhere through the runtime. A context that is off
 * gives 0 and stays as it is. */
#if CX_ON_HART
/** Ends a comment * / too. */
static inline cx_word_t tt_mstat_read(void)
{
    cx_reg_t old;
    __asm__ volatile("csrr %0, 0x810" : "=r"(old));
    return (cx_word_t)old;
}
/** Writes `mstat`. */
static inline void tt_mstat_write(cx_word_t value)
{
    __asm__ volatile("csrw 0x810, %0" : : "rK"((cx_reg_t)value));
}
/** Writes `mstat`; returns what was there before. */
static inline cx_word_t tt_mstat_swap(cx_word_t value)
{
    cx_reg_t old;
    __asm__ volatile("csrrw %0, 0x810, %1" : "=r"(old) : "rK"((cx_reg_t)value));
    return (cx_word_t)old;
}
/** Sets these bits of `mstat`; returns what was there before. */
static inline cx_word_t tt_mstat_set(cx_word_t bits)
{
    cx_reg_t mask = bits;
    __asm__("" : "+r"(mask)); /* in x0 it would not be written */
    cx_reg_t old;
    __asm__ volatile("csrrs %0, 0x810, %1" : "=r"(old) : "r"(mask));
    return (cx_word_t)old;
}
/** Clears these bits of `mstat`; returns what was there before. */
static inline cx_word_t tt_mstat_clear(cx_word_t bits)
{
    cx_reg_t mask = bits;
    __asm__("" : "+r"(mask)); /* in x0 it would not be written */
    cx_reg_t old;
    __asm__ volatile("csrrc %0, 0x810, %1" : "=r"(old) : "r"(mask));
    return (cx_word_t)old;
}
/** Reads `word`. */
static inline cx_word_t tt_word_read(void)
{
    cx_reg_t old;
    __asm__ volatile("csrr %0, 0xCC0" : "=r"(old));
    return (cx_word_t)old;
}
#else
/** Ends a comment * / too. */
static inline cx_word_t tt_mstat_read(void)
{
    return (cx_word_t)cx_csr(CX_CSR_READ, tt_csr_mstat, 0);
}
/** Writes `mstat`. */
static inline void tt_mstat_write(cx_word_t value)
{
    (void)cx_csr(CX_CSR_WRITE, tt_csr_mstat, value);
}
/** Writes `mstat`; returns what was there before. */
static inline cx_word_t tt_mstat_swap(cx_word_t value)
{
    return (cx_word_t)cx_csr(CX_CSR_WRITE, tt_csr_mstat, value);
}
/** Sets these bits of `mstat`; returns what was there before. */
static inline cx_word_t tt_mstat_set(cx_word_t bits)
{
    return (cx_word_t)cx_csr(CX_CSR_SET, tt_csr_mstat, bits);
}
/** Clears these bits of `mstat`; returns what was there before. */
static inline cx_word_t tt_mstat_clear(cx_word_t bits)
{
    return (cx_word_t)cx_csr(CX_CSR_CLEAR, tt_csr_mstat, bits);
}
/** Reads `word`. */
static inline cx_word_t tt_word_read(void)
{
    return (cx_word_t)cx_csr(CX_CSR_READ, tt_csr_word, 0);
}
#endif

#elif CX_XLEN == 64

typedef uint8_t tt_Mode;
#define tt_Mode_wrap ((tt_Mode)0u)
#define tt_Mode_saturate ((tt_Mode)1u)
#define tt_Mode_class ((tt_Mode)3u)

#define tt_LEAST (-2147483648ll)

#define tt_MOST 18446744073709551615ull

#define tt_YES true

/* Error codes in the status word. */
/** it did * / overflow */
#define tt_error_overflow 1u

/* Function ids. */
#define tt_id_dot 0u
#define tt_id_latch 1u
#define tt_id_only 2u
#define tt_id_shift 3u
#define tt_id_pick 4u
#define tt_id_entry 5u
#define tt_id_over 6u
#define tt_id_gone 7u
#define tt_id_hide 8u
#define tt_id_write_state 1020u
#define tt_id_read_state 1021u
#define tt_id_write_status 1022u
#define tt_id_read_status 1023u

/**
 * What one user has:
 * every shape that state can have. * / not the end
 *
 * One context. Each field holds patterns below 2^width of its type, signed values as two's complement;
 * rows of arrays follow each other. In words of 64 bits: 10.
 */
typedef struct tt_state {
    uint32_t status; /* cs[1:0] (0 off, 1 initial, 2 clean, 3 dirty), state_size[11:2], error[31:24] */
    /** A keyword of C. */
    uint8_t volatile_;
    uint8_t status_;
    tt_Mode modes[2];
    uint64_t int_[3];
    uint32_t wide[7];
    tt_Mode mode;
} tt_state;

/** To the reset state: `cs` initial. */
void tt_state_init(tt_state *st);
/** Writes 11 words: the status word, then the state words. */
void tt_state_save(const tt_state *st, cx_word_t *words);
/** Reads what the other one wrote. In `cs` off or initial the fields are reset; an undeclared error
 * code becomes 0. */
void tt_state_restore(tt_state *st, const cx_word_t *words);

/* In software: operands count by their low bits. A context that is off gives 0 and stays as it is. */
int32_t tt_sw_dot(tt_state *st_2, int32_t st, int32_t status_in);
void tt_sw_latch(tt_state *st, uint64_t a, uint64_t b);
bool tt_sw_only(tt_state *st, uint8_t n);
int64_t tt_sw_shift(tt_state *st, int64_t rd, uint8_t n);
tt_Mode tt_sw_pick(tt_state *st, tt_Mode m, bool on);
int16_t tt_sw_entry(tt_state *st, uint64_t i);
int8_t tt_sw_over(tt_state *st, int8_t a);
/** The same; `*status` becomes the response. */
int8_t tt_sw_over_st(tt_state *st, int8_t a, uint32_t *status);
void tt_sw_gone(tt_state *st);
/**
 * The same; `*status` becomes the response.
 * `CX_RESPONSE_TRAP` says that the command traps; a runtime without levels takes it for `CX_RESPONSE_CXU`.
 */
void tt_sw_gone_st(tt_state *st, uint32_t *status);
/** Operands and locals hide nothing. */
int32_t tt_sw_hide(tt_state *st, tt_Mode tt_Mode_2, int32_t tt_fn_lanes);
/** The same; `*status` becomes the response. */
int32_t tt_sw_hide_st(tt_state *st, tt_Mode tt_Mode_2, int32_t tt_fn_lanes, uint32_t *status);
/** Writes the state word at `index`, returns `value`; an invalid index is dropped. */
uint64_t tt_sw_write_state(tt_state *st, uint64_t index, uint64_t value);
/** The state word at `index`. */
uint64_t tt_sw_read_state(tt_state *st, uint64_t index);
/** Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off. */
uint64_t tt_sw_write_status(tt_state *st, uint64_t status);
/** The context's status word; never has a side effect. */
uint64_t tt_sw_read_status(tt_state *st);
/** The CSR `mstat` in software. */
cx_word_t tt_sw_mstat_read(const tt_state *st);
void tt_sw_mstat_write(tt_state *st, cx_word_t value);
/** The CSR `word` in software. */
cx_word_t tt_sw_word_read(const tt_state *st);
/** Any CSR, as `csr` of `struct cx_soft_cxu`. Returns the response. */
uint32_t tt_sw_access(void *state, uint32_t op, uint32_t address, cx_reg_t value, cx_reg_t *old);
/** Any command, by what its registers hold; `state` is null without state. Returns the response. */
uint32_t tt_sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd);
/** The fallback as a runtime registers it. */
extern const struct cx_soft_cxu tt_soft_cxu;

/* To the selected CX: one instruction on RISC-V, elsewhere through the runtime. */
#if CX_ON_HART
/* Stubs that end in _in are for commands without effect that use no state. Compilers may issue equal ones once, unused ones
 * not at all, and one that is always the same before a loop, if no store to memory is between; all that between two calls of
 * cx_select, which they never leave. So an error of the selection itself, in cx_status, may be noted fewer times, or not. Code
 * that selects by itself does so in asm volatile with "memory". The reason is this input, which selecting changes and no
 * instruction reads. */
#ifndef CX_SELECTION
struct cx_selection {
    char cx_member;
};
#ifdef __clang__
#define CX_SELECTION "m"(*(const struct cx_selection *)0)
#else
#define CX_SELECTION "m"(*(const struct cx_selection *)(intptr_t)-16)
#endif
#endif
static inline int32_t tt_dot(int32_t st, int32_t status_in)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 0, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)(cx_word_t)st), "r"((cx_reg_t)(cx_word_t)status_in));
    return (int32_t)rd;
}
static inline int32_t tt_dot_in(int32_t st, int32_t status_in)
{
    cx_reg_t rd;
    __asm__(".insn r 0x0B, 0, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)(cx_word_t)st), "r"((cx_reg_t)(cx_word_t)status_in), CX_SELECTION);
    return (int32_t)rd;
}
static inline void tt_latch(uint64_t a, uint64_t b)
{
    __asm__ volatile(".insn r 0x5B, 1, 0, x0, %0, %1" : : "r"((cx_reg_t)a), "r"((cx_reg_t)b));
}
/** `n` is a constant expression. */
#define tt_only(n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 2u, "tt_only: 1 bit does not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_tt_only_rd; \
    __asm__ volatile(".insn i 0x2B, 2, %0, x0, %1" : "=r"(cx_tt_only_rd) : "i"((int)(((uint32_t)(uint8_t)(n) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (cx_tt_only_rd & 1u) != 0; \
})
#define tt_only_in(n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 2u, "tt_only_in: 1 bit does not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_tt_only_in_rd; \
    __asm__(".insn i 0x2B, 2, %0, x0, %1" : "=r"(cx_tt_only_in_rd) : "i"((int)(((uint32_t)(uint8_t)(n) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (cx_tt_only_in_rd & 1u) != 0; \
})
/** `n` is a constant expression. */
#define tt_shift(rd, n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 32u, "tt_shift: 5 bits do not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_tt_shift_rd; \
    __asm__ volatile(".insn i 0x2B, 3, %0, %1, %2" : "=r"(cx_tt_shift_rd) : "r"((cx_reg_t)(cx_word_t)(int64_t)(rd)), "i"((int)(((uint32_t)(uint8_t)(n) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (int64_t)cx_tt_shift_rd; \
})
#define tt_shift_in(rd, n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 32u, "tt_shift_in: 5 bits do not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_tt_shift_in_rd; \
    __asm__(".insn i 0x2B, 3, %0, %1, %2" : "=r"(cx_tt_shift_in_rd) : "r"((cx_reg_t)(cx_word_t)(int64_t)(rd)), "i"((int)(((uint32_t)(uint8_t)(n) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (int64_t)cx_tt_shift_in_rd; \
})
static inline tt_Mode tt_pick(tt_Mode m, bool on)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 4, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)m), "r"((cx_reg_t)on));
    return (tt_Mode)rd;
}
static inline int16_t tt_entry(uint64_t i)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 5, 0, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)i));
    return (int16_t)rd;
}
static inline int16_t tt_entry_in(uint64_t i)
{
    cx_reg_t rd;
    __asm__(".insn r 0x0B, 5, 0, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)i), CX_SELECTION);
    return (int16_t)rd;
}
static inline int8_t tt_over(int8_t a)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 6, 0, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)(cx_word_t)a));
    return (int8_t)rd;
}
static inline void tt_gone(void)
{
    __asm__ volatile(".insn r 0x0B, 7, 0, x0, x0, x0");
}
/** Operands and locals hide nothing. */
static inline int32_t tt_hide(tt_Mode tt_Mode_2, int32_t tt_fn_lanes)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 0, 1, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)tt_Mode_2), "r"((cx_reg_t)(cx_word_t)tt_fn_lanes));
    return (int32_t)rd;
}
/** Writes the state word at `index`, returns `value`; an invalid index is dropped. */
static inline uint64_t tt_write_state(uint64_t index, uint64_t value)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 4, 127, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)index), "r"((cx_reg_t)value) : "memory");
    return (uint64_t)rd;
}
/** The state word at `index`. */
static inline uint64_t tt_read_state(uint64_t index)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 5, 127, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)index));
    return (uint64_t)rd;
}
/** Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off. */
static inline uint64_t tt_write_status(uint64_t status)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 6, 127, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)status) : "memory");
    return (uint64_t)rd;
}
/** The context's status word; never has a side effect. */
static inline uint64_t tt_read_status(void)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 7, 127, %0, x0, x0" : "=r"(rd));
    return (uint64_t)rd;
}
#else
static inline int32_t tt_dot(int32_t st, int32_t status_in)
{
    return (int32_t)cx_issue(tt_id_dot, (cx_reg_t)(cx_word_t)st, (cx_reg_t)(cx_word_t)status_in);
}
#define tt_dot_in tt_dot
static inline void tt_latch(uint64_t a, uint64_t b)
{
    (void)cx_issue(tt_id_latch, (cx_reg_t)a, (cx_reg_t)b);
}
/** `n` is a constant expression. */
static inline bool tt_only(uint8_t n)
{
    return (cx_issue(tt_id_only, 0, (cx_reg_t)n) & 1u) != 0;
}
#define tt_only(n) \
    (CX_CONSTANT_CHECK((uint64_t)(n) < 2u, "tt_only: 1 bit does not carry `n`"), tt_only(n))
#define tt_only_in tt_only
/** `n` is a constant expression. */
static inline int64_t tt_shift(int64_t rd, uint8_t n)
{
    return (int64_t)cx_issue(tt_id_shift, (cx_reg_t)(cx_word_t)rd, (cx_reg_t)n);
}
#define tt_shift(rd, n) \
    (CX_CONSTANT_CHECK((uint64_t)(n) < 32u, "tt_shift: 5 bits do not carry `n`"), tt_shift(rd, n))
#define tt_shift_in tt_shift
static inline tt_Mode tt_pick(tt_Mode m, bool on)
{
    return (tt_Mode)cx_issue(tt_id_pick, (cx_reg_t)m, (cx_reg_t)on);
}
static inline int16_t tt_entry(uint64_t i)
{
    return (int16_t)cx_issue(tt_id_entry, (cx_reg_t)i, 0);
}
#define tt_entry_in tt_entry
static inline int8_t tt_over(int8_t a)
{
    return (int8_t)cx_issue(tt_id_over, (cx_reg_t)(cx_word_t)a, 0);
}
static inline void tt_gone(void)
{
    (void)cx_issue(tt_id_gone, 0, 0);
}
/** Operands and locals hide nothing. */
static inline int32_t tt_hide(tt_Mode tt_Mode_2, int32_t tt_fn_lanes)
{
    return (int32_t)cx_issue(tt_id_hide, (cx_reg_t)tt_Mode_2, (cx_reg_t)(cx_word_t)tt_fn_lanes);
}
/** Writes the state word at `index`, returns `value`; an invalid index is dropped. */
static inline uint64_t tt_write_state(uint64_t index, uint64_t value)
{
    return (uint64_t)cx_issue(tt_id_write_state, (cx_reg_t)index, (cx_reg_t)value);
}
/** The state word at `index`. */
static inline uint64_t tt_read_state(uint64_t index)
{
    return (uint64_t)cx_issue(tt_id_read_state, (cx_reg_t)index, 0);
}
/** Writes the status word, returns the old one; cs = initial resets, cs = off turns the context off. */
static inline uint64_t tt_write_status(uint64_t status)
{
    return (uint64_t)cx_issue(tt_id_write_status, (cx_reg_t)status, 0);
}
/** The context's status word; never has a side effect. */
static inline uint64_t tt_read_status(void)
{
    return (uint64_t)cx_issue(tt_id_read_status, 0, 0);
}
#endif

/* Addresses of CSRs. */
#define tt_csr_mstat 0x810u
#define tt_csr_word 0xCC0u

/** Bits 1:0 of `mstat`. */
#define tt_mstat_mode_shift 0
#define tt_mstat_mode_mask ((cx_word_t)0x3u)
static inline tt_Mode tt_mstat_mode_get(cx_word_t word)
{
    return (tt_Mode)(word & 0x3u);
}
static inline cx_word_t tt_mstat_mode_put(cx_word_t word, tt_Mode value)
{
    return (word & ~tt_mstat_mode_mask) | ((cx_word_t)value & tt_mstat_mode_mask);
}

/**
 * Bits 9:3 of `mstat`.
 * A * / field.
 */
#define tt_mstat_int_shift 3
#define tt_mstat_int_mask ((cx_word_t)0x3F8u)
static inline uint8_t tt_mstat_int_get(cx_word_t word)
{
    return (uint8_t)((word >> 3) & 0x7Fu);
}
static inline cx_word_t tt_mstat_int_put(cx_word_t word, uint8_t value)
{
    return (word & ~tt_mstat_int_mask) | (((cx_word_t)value << 3) & tt_mstat_int_mask);
}

/** Bits 7:0 of `word`. */
#define tt_word_out_shift 0
#define tt_word_out_mask ((cx_word_t)0xFFu)
static inline uint8_t tt_word_out_get(cx_word_t word)
{
    return (uint8_t)(word & 0xFFu);
}

/** Bits 15:8 of `word`. */
#define tt_word_neg_shift 8
#define tt_word_neg_mask ((cx_word_t)0xFF00u)
static inline int8_t tt_word_neg_get(cx_word_t word)
{
    return (int8_t)(cx_word_t)((((word >> 8) & 0xFFu) ^ 0x80u) - 0x80u);
}

/** Bit 63 of `word`. */
#define tt_word_top_shift 63
#define tt_word_top_mask ((cx_word_t)UINT64_C(0x8000000000000000))
static inline bool tt_word_top_get(cx_word_t word)
{
    return ((word >> 63) & 0x1u) != 0;
}

/* CSRs of the selected CX: one instruction on RISC-V, elsewhere through the runtime. A context that is off
 * gives 0 and stays as it is. */
#if CX_ON_HART
/** Ends a comment * / too. */
static inline cx_word_t tt_mstat_read(void)
{
    cx_reg_t old;
    __asm__ volatile("csrr %0, 0x810" : "=r"(old));
    return (cx_word_t)old;
}
/** Writes `mstat`. */
static inline void tt_mstat_write(cx_word_t value)
{
    __asm__ volatile("csrw 0x810, %0" : : "rK"((cx_reg_t)value));
}
/** Writes `mstat`; returns what was there before. */
static inline cx_word_t tt_mstat_swap(cx_word_t value)
{
    cx_reg_t old;
    __asm__ volatile("csrrw %0, 0x810, %1" : "=r"(old) : "rK"((cx_reg_t)value));
    return (cx_word_t)old;
}
/** Sets these bits of `mstat`; returns what was there before. */
static inline cx_word_t tt_mstat_set(cx_word_t bits)
{
    cx_reg_t mask = bits;
    __asm__("" : "+r"(mask)); /* in x0 it would not be written */
    cx_reg_t old;
    __asm__ volatile("csrrs %0, 0x810, %1" : "=r"(old) : "r"(mask));
    return (cx_word_t)old;
}
/** Clears these bits of `mstat`; returns what was there before. */
static inline cx_word_t tt_mstat_clear(cx_word_t bits)
{
    cx_reg_t mask = bits;
    __asm__("" : "+r"(mask)); /* in x0 it would not be written */
    cx_reg_t old;
    __asm__ volatile("csrrc %0, 0x810, %1" : "=r"(old) : "r"(mask));
    return (cx_word_t)old;
}
/** Reads `word`. */
static inline cx_word_t tt_word_read(void)
{
    cx_reg_t old;
    __asm__ volatile("csrr %0, 0xCC0" : "=r"(old));
    return (cx_word_t)old;
}
#else
/** Ends a comment * / too. */
static inline cx_word_t tt_mstat_read(void)
{
    return (cx_word_t)cx_csr(CX_CSR_READ, tt_csr_mstat, 0);
}
/** Writes `mstat`. */
static inline void tt_mstat_write(cx_word_t value)
{
    (void)cx_csr(CX_CSR_WRITE, tt_csr_mstat, value);
}
/** Writes `mstat`; returns what was there before. */
static inline cx_word_t tt_mstat_swap(cx_word_t value)
{
    return (cx_word_t)cx_csr(CX_CSR_WRITE, tt_csr_mstat, value);
}
/** Sets these bits of `mstat`; returns what was there before. */
static inline cx_word_t tt_mstat_set(cx_word_t bits)
{
    return (cx_word_t)cx_csr(CX_CSR_SET, tt_csr_mstat, bits);
}
/** Clears these bits of `mstat`; returns what was there before. */
static inline cx_word_t tt_mstat_clear(cx_word_t bits)
{
    return (cx_word_t)cx_csr(CX_CSR_CLEAR, tt_csr_mstat, bits);
}
/** Reads `word`. */
static inline cx_word_t tt_word_read(void)
{
    return (cx_word_t)cx_csr(CX_CSR_READ, tt_csr_word, 0);
}
#endif

#else
#error "org.example.torture:Torture has no contract for this CX_XLEN, only for 32 or 64: build with -DCX_XLEN=32"
#endif

#ifdef __cplusplus
}
#endif
#endif
