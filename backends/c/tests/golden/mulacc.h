/* mulacc.h
 * Generated from org.example.dsp:MulAcc by cxc; do not edit.
 *
 * Multiply-accumulate over one private accumulator.
 * All arithmetic is modulo 2^XLEN, so signed and unsigned use coincide.
 */
#ifndef CX_GENERATED_mulacc_H
#define CX_GENERATED_mulacc_H

#include <stdbool.h>

/* the text of cx_abi.h */

#ifdef __cplusplus
extern "C" {
#endif

/* 0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11 */
static const cx_uuid_t mulacc_uuid = {0x0B7C2A526F0E4D0Bull, 0x9B375A1F6A2C9E11ull};

/* The contract hash: SHA-256 of what the commands mean. */
static const uint8_t mulacc_contract[32] = {
    0x01, 0x49, 0x07, 0xB7, 0x97, 0x53, 0xBF, 0x39,
    0xCB, 0x68, 0xB8, 0xCC, 0x31, 0x76, 0x2D, 0x17,
    0xDA, 0x8E, 0x10, 0xC1, 0x93, 0x79, 0x6A, 0xA0,
    0x2A, 0x33, 0x9E, 0xD0, 0x23, 0x8F, 0x36, 0xF9,
};

#if CX_XLEN == 32

/* Function ids. */
#define mulacc_id_mul 0u
#define mulacc_id_mulacc 1u
#define mulacc_id_write_state 1020u
#define mulacc_id_read_state 1021u
#define mulacc_id_write_status 1022u
#define mulacc_id_read_status 1023u

/**
 * One context. Each field holds patterns below 2^width of its type, signed values as two's complement;
 * rows of arrays follow each other. In words of 32 bits: 1.
 */
typedef struct mulacc_state {
    uint32_t status; /* cs[1:0] (0 off, 1 initial, 2 clean, 3 dirty), state_size[11:2], error[31:24] */
    /** Running total. */
    uint32_t acc;
} mulacc_state;

/** To the reset state: `cs` initial. */
void mulacc_state_init(mulacc_state *st);
/** Writes 2 words: the status word, then the state words. */
void mulacc_state_save(const mulacc_state *st, cx_word_t *words);
/** Reads what the other one wrote. In `cs` off or initial the fields are reset; an undeclared error
 * code becomes 0. */
void mulacc_state_restore(mulacc_state *st, const cx_word_t *words);

/* In software: operands count by their low bits. A context that is off gives 0 and stays as it is. */
/** acc = a * b; returns the new total. Starts a fresh sum. */
uint32_t mulacc_sw_mul(mulacc_state *st, uint32_t a, uint32_t b);
/** acc += a * b; returns the new total. */
uint32_t mulacc_sw_mulacc(mulacc_state *st, uint32_t a, uint32_t b);
uint32_t mulacc_sw_write_state(mulacc_state *st, uint32_t index, uint32_t value);
uint32_t mulacc_sw_read_state(mulacc_state *st, uint32_t index);
uint32_t mulacc_sw_write_status(mulacc_state *st, uint32_t status);
uint32_t mulacc_sw_read_status(mulacc_state *st);
/** Any command, by what its registers hold; `state` is null without state. Returns the response. */
uint32_t mulacc_sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd);
/** The fallback as a runtime registers it. */
extern const struct cx_soft_cxu mulacc_soft_cxu;

/* To the selected CX: one instruction on RISC-V, elsewhere through the runtime. */
#if CX_ON_HART
/** acc = a * b; returns the new total. Starts a fresh sum. */
static inline uint32_t mulacc_mul(uint32_t a, uint32_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 0, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)a), "r"((cx_reg_t)b));
    return (uint32_t)rd;
}
/** acc += a * b; returns the new total. */
static inline uint32_t mulacc_mulacc(uint32_t a, uint32_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 1, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)a), "r"((cx_reg_t)b));
    return (uint32_t)rd;
}
static inline uint32_t mulacc_write_state(uint32_t index, uint32_t value)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 4, 127, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)index), "r"((cx_reg_t)value));
    return (uint32_t)rd;
}
static inline uint32_t mulacc_read_state(uint32_t index)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 5, 127, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)index));
    return (uint32_t)rd;
}
static inline uint32_t mulacc_write_status(uint32_t status)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 6, 127, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)status));
    return (uint32_t)rd;
}
static inline uint32_t mulacc_read_status(void)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 7, 127, %0, x0, x0" : "=r"(rd));
    return (uint32_t)rd;
}
#else
/** acc = a * b; returns the new total. Starts a fresh sum. */
static inline uint32_t mulacc_mul(uint32_t a, uint32_t b)
{
    return (uint32_t)cx_issue(mulacc_id_mul, (cx_reg_t)a, (cx_reg_t)b);
}
/** acc += a * b; returns the new total. */
static inline uint32_t mulacc_mulacc(uint32_t a, uint32_t b)
{
    return (uint32_t)cx_issue(mulacc_id_mulacc, (cx_reg_t)a, (cx_reg_t)b);
}
static inline uint32_t mulacc_write_state(uint32_t index, uint32_t value)
{
    return (uint32_t)cx_issue(mulacc_id_write_state, (cx_reg_t)index, (cx_reg_t)value);
}
static inline uint32_t mulacc_read_state(uint32_t index)
{
    return (uint32_t)cx_issue(mulacc_id_read_state, (cx_reg_t)index, 0);
}
static inline uint32_t mulacc_write_status(uint32_t status)
{
    return (uint32_t)cx_issue(mulacc_id_write_status, (cx_reg_t)status, 0);
}
static inline uint32_t mulacc_read_status(void)
{
    return (uint32_t)cx_issue(mulacc_id_read_status, 0, 0);
}
#endif

#elif CX_XLEN == 64

/* Function ids. */
#define mulacc_id_mul 0u
#define mulacc_id_mulacc 1u
#define mulacc_id_write_state 1020u
#define mulacc_id_read_state 1021u
#define mulacc_id_write_status 1022u
#define mulacc_id_read_status 1023u

/**
 * One context. Each field holds patterns below 2^width of its type, signed values as two's complement;
 * rows of arrays follow each other. In words of 64 bits: 1.
 */
typedef struct mulacc_state {
    uint32_t status; /* cs[1:0] (0 off, 1 initial, 2 clean, 3 dirty), state_size[11:2], error[31:24] */
    /** Running total. */
    uint64_t acc;
} mulacc_state;

/** To the reset state: `cs` initial. */
void mulacc_state_init(mulacc_state *st);
/** Writes 2 words: the status word, then the state words. */
void mulacc_state_save(const mulacc_state *st, cx_word_t *words);
/** Reads what the other one wrote. In `cs` off or initial the fields are reset; an undeclared error
 * code becomes 0. */
void mulacc_state_restore(mulacc_state *st, const cx_word_t *words);

/* In software: operands count by their low bits. A context that is off gives 0 and stays as it is. */
/** acc = a * b; returns the new total. Starts a fresh sum. */
uint64_t mulacc_sw_mul(mulacc_state *st, uint64_t a, uint64_t b);
/** acc += a * b; returns the new total. */
uint64_t mulacc_sw_mulacc(mulacc_state *st, uint64_t a, uint64_t b);
uint64_t mulacc_sw_write_state(mulacc_state *st, uint64_t index, uint64_t value);
uint64_t mulacc_sw_read_state(mulacc_state *st, uint64_t index);
uint64_t mulacc_sw_write_status(mulacc_state *st, uint64_t status);
uint64_t mulacc_sw_read_status(mulacc_state *st);
/** Any command, by what its registers hold; `state` is null without state. Returns the response. */
uint32_t mulacc_sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd);
/** The fallback as a runtime registers it. */
extern const struct cx_soft_cxu mulacc_soft_cxu;

/* To the selected CX: one instruction on RISC-V, elsewhere through the runtime. */
#if CX_ON_HART
/** acc = a * b; returns the new total. Starts a fresh sum. */
static inline uint64_t mulacc_mul(uint64_t a, uint64_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 0, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)a), "r"((cx_reg_t)b));
    return (uint64_t)rd;
}
/** acc += a * b; returns the new total. */
static inline uint64_t mulacc_mulacc(uint64_t a, uint64_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 1, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)a), "r"((cx_reg_t)b));
    return (uint64_t)rd;
}
static inline uint64_t mulacc_write_state(uint64_t index, uint64_t value)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 4, 127, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)index), "r"((cx_reg_t)value));
    return (uint64_t)rd;
}
static inline uint64_t mulacc_read_state(uint64_t index)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 5, 127, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)index));
    return (uint64_t)rd;
}
static inline uint64_t mulacc_write_status(uint64_t status)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 6, 127, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)status));
    return (uint64_t)rd;
}
static inline uint64_t mulacc_read_status(void)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 7, 127, %0, x0, x0" : "=r"(rd));
    return (uint64_t)rd;
}
#else
/** acc = a * b; returns the new total. Starts a fresh sum. */
static inline uint64_t mulacc_mul(uint64_t a, uint64_t b)
{
    return (uint64_t)cx_issue(mulacc_id_mul, (cx_reg_t)a, (cx_reg_t)b);
}
/** acc += a * b; returns the new total. */
static inline uint64_t mulacc_mulacc(uint64_t a, uint64_t b)
{
    return (uint64_t)cx_issue(mulacc_id_mulacc, (cx_reg_t)a, (cx_reg_t)b);
}
static inline uint64_t mulacc_write_state(uint64_t index, uint64_t value)
{
    return (uint64_t)cx_issue(mulacc_id_write_state, (cx_reg_t)index, (cx_reg_t)value);
}
static inline uint64_t mulacc_read_state(uint64_t index)
{
    return (uint64_t)cx_issue(mulacc_id_read_state, (cx_reg_t)index, 0);
}
static inline uint64_t mulacc_write_status(uint64_t status)
{
    return (uint64_t)cx_issue(mulacc_id_write_status, (cx_reg_t)status, 0);
}
static inline uint64_t mulacc_read_status(void)
{
    return (uint64_t)cx_issue(mulacc_id_read_status, 0, 0);
}
#endif

#else
#error "org.example.dsp:MulAcc has no contract for this CX_XLEN, only for 32 or 64: build with -DCX_XLEN=32"
#endif

#ifdef __cplusplus
}
#endif
#endif
