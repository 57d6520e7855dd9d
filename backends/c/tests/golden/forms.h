/* fm.h
 * Generated from org.example.forms:Forms by cxc; do not edit.
 */
#ifndef CX_GENERATED_fm_H
#define CX_GENERATED_fm_H

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

/* aa0f7d0e-00ff-4000-8000-000000000002 */
static const cx_uuid_t fm_uuid = {0xAA0F7D0E00FF4000ull, 0x8000000000000002ull};

/* The contract hash: SHA-256 of what the commands mean. */
static const uint8_t fm_contract[32] = {
    0x61, 0x1C, 0x7D, 0xCA, 0xC5, 0xE1, 0x25, 0x01,
    0x27, 0x25, 0xA0, 0xB3, 0x35, 0x91, 0xF2, 0x0A,
    0xC1, 0xCC, 0xD1, 0x91, 0x18, 0xAB, 0x3E, 0x5B,
    0x62, 0x01, 0x62, 0xA8, 0xE9, 0x68, 0x55, 0x50,
};

#if CX_XLEN == 32

typedef uint8_t fm_Way;
#define fm_Way_up ((fm_Way)1u)
#define fm_Way_down ((fm_Way)5u)

/* Function ids. */
#define fm_id_first 0u
#define fm_id_second 1u
#define fm_id_constant 2u
#define fm_id_lone 3u
#define fm_id_wide 4u
#define fm_id_both 5u
#define fm_id_none 6u
#define fm_id_way 7u
#define fm_id_dropped 9u
#define fm_id_nothing 10u
#define fm_id_upper 11u
#define fm_id_small 12u
#define fm_id_neither 13u
#define fm_id_third 14u
#define fm_id_fourth 15u
#define fm_id_alone 16u
#define fm_id_lower 17u
#define fm_id_big 18u
#define fm_id_empty 20u
#define fm_id_few 21u
#define fm_id_bigs 1007u

/* In software: operands count by their low bits. */
/** The immediate stands first. */
uint32_t fm_sw_first(int16_t n, uint32_t x);
int32_t fm_sw_second(int32_t cx_rd_, uint16_t rd);
uint16_t fm_sw_constant(uint16_t asm_);
uint32_t fm_sw_lone(uint32_t x);
uint32_t fm_sw_wide(uint32_t x, uint32_t y);
int16_t fm_sw_both(uint8_t cx_fm_both_i_rd_, int16_t n);
void fm_sw_none(uint8_t x, bool on);
fm_Way fm_sw_way(fm_Way x, fm_Way w);
void fm_sw_dropped(uint32_t a, uint32_t b);
void fm_sw_nothing(void);
uint32_t fm_sw_upper(uint32_t x);
void fm_sw_small(int8_t x);
bool fm_sw_neither(void);
void fm_sw_third(uint32_t a, uint32_t b, uint8_t n);
void fm_sw_fourth(int8_t n, uint32_t a);
void fm_sw_alone(fm_Way w);
void fm_sw_lower(uint32_t x, bool on);
void fm_sw_big(uint16_t n);
void fm_sw_empty(void);
void fm_sw_few(uint8_t n);
void fm_sw_bigs(int16_t rd);
/** Any command, by what its registers hold; `state` is null without state. Returns the response. */
uint32_t fm_sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd);
/** The fallback as a runtime registers it. */
extern const struct cx_soft_cxu fm_soft_cxu;

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
/**
 * The immediate stands first.
 * `n` is a constant expression.
 */
#define fm_first(n, x) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) + 2048u < 4096u, "fm_first: 12 bits do not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_first_rd; \
    __asm__ volatile(".insn i 0x2B, 0, %0, %1, %2" : "=r"(cx_fm_first_rd) : "r"((cx_reg_t)(uint32_t)(x)), "i"((int)(((uint32_t)(int16_t)(n) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (uint32_t)cx_fm_first_rd; \
})
#define fm_first_in(n, x) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) + 2048u < 4096u, "fm_first_in: 12 bits do not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_first_in_rd; \
    __asm__(".insn i 0x2B, 0, %0, %1, %2" : "=r"(cx_fm_first_in_rd) : "r"((cx_reg_t)(uint32_t)(x)), "i"((int)(((uint32_t)(int16_t)(n) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (uint32_t)cx_fm_first_in_rd; \
})
/** `rd` is a constant expression. */
#define fm_second(cx_rd_, rd) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(rd) < 4096u, "fm_second: 12 bits do not carry `rd`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_second_rd; \
    __asm__ volatile(".insn i 0x2B, 1, %0, %1, %2" : "=r"(cx_fm_second_rd) : "r"((cx_reg_t)(cx_word_t)(int32_t)(cx_rd_)), "i"((int)(((uint32_t)(uint16_t)(rd) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (int32_t)cx_fm_second_rd; \
})
#define fm_second_in(cx_rd_, rd) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(rd) < 4096u, "fm_second_in: 12 bits do not carry `rd`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_second_in_rd; \
    __asm__(".insn i 0x2B, 1, %0, %1, %2" : "=r"(cx_fm_second_in_rd) : "r"((cx_reg_t)(cx_word_t)(int32_t)(cx_rd_)), "i"((int)(((uint32_t)(uint16_t)(rd) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (int32_t)cx_fm_second_in_rd; \
})
/** `asm_` is a constant expression that 12 bits, sign-extended, carry. */
#define fm_constant(asm_) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(asm_) < 65536u && (((uint64_t)(uint16_t)(asm_) + 0x800u) & 0xFFFFull) < 0x1000u, "fm_constant: 12 bits, sign-extended, do not carry `asm_`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_constant_rd; \
    __asm__ volatile(".insn i 0x2B, 2, %0, x0, %1" : "=r"(cx_fm_constant_rd) : "i"((int)(((uint32_t)(uint16_t)(asm_) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (uint16_t)cx_fm_constant_rd; \
})
#define fm_constant_in(asm_) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(asm_) < 65536u && (((uint64_t)(uint16_t)(asm_) + 0x800u) & 0xFFFFull) < 0x1000u, "fm_constant_in: 12 bits, sign-extended, do not carry `asm_`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_constant_in_rd; \
    __asm__(".insn i 0x2B, 2, %0, x0, %1" : "=r"(cx_fm_constant_in_rd) : "i"((int)(((uint32_t)(uint16_t)(asm_) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (uint16_t)cx_fm_constant_in_rd; \
})
static inline uint32_t fm_lone(uint32_t x)
{
    cx_reg_t rd;
    __asm__ volatile(".insn i 0x2B, 3, %0, %1, 0" : "=r"(rd) : "r"((cx_reg_t)x));
    return (uint32_t)rd;
}
static inline uint32_t fm_lone_in(uint32_t x)
{
    cx_reg_t rd;
    __asm__(".insn i 0x2B, 3, %0, %1, 0" : "=r"(rd) : "r"((cx_reg_t)x), CX_SELECTION);
    return (uint32_t)rd;
}
/** `y` is a constant expression that 12 bits, sign-extended, carry. */
#define fm_wide(x, y) __extension__({ \
    CX_CONSTANT_CHECK((((uint64_t)(uint32_t)(y) + 0x800u) & 0xFFFFFFFFull) < 0x1000u, "fm_wide: 12 bits, sign-extended, do not carry `y`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_wide_rd; \
    __asm__ volatile(".insn i 0x2B, 4, %0, %1, %2" : "=r"(cx_fm_wide_rd) : "r"((cx_reg_t)(uint32_t)(x)), "i"((int)(((uint32_t)(uint32_t)(y) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (uint32_t)cx_fm_wide_rd; \
})
#define fm_wide_in(x, y) __extension__({ \
    CX_CONSTANT_CHECK((((uint64_t)(uint32_t)(y) + 0x800u) & 0xFFFFFFFFull) < 0x1000u, "fm_wide_in: 12 bits, sign-extended, do not carry `y`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_wide_in_rd; \
    __asm__(".insn i 0x2B, 4, %0, %1, %2" : "=r"(cx_fm_wide_in_rd) : "r"((cx_reg_t)(uint32_t)(x)), "i"((int)(((uint32_t)(uint32_t)(y) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (uint32_t)cx_fm_wide_in_rd; \
})
static inline int16_t fm_both(uint8_t cx_fm_both_i_rd_, int16_t n)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 5, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cx_fm_both_i_rd_), "r"((cx_reg_t)(cx_word_t)n));
    return (int16_t)rd;
}
static inline int16_t fm_both_in(uint8_t cx_fm_both_i_rd_, int16_t n)
{
    cx_reg_t rd;
    __asm__(".insn r 0x0B, 5, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cx_fm_both_i_rd_), "r"((cx_reg_t)(cx_word_t)n), CX_SELECTION);
    return (int16_t)rd;
}
/** `n` is a constant expression that 12 bits, sign-extended, carry. */
#define fm_both_i(cx_fm_both_i_rd_, n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) + 4096u < 8192u && (((uint64_t)(int16_t)(n) + 0x800u) & 0x1FFFull) < 0x1000u, "fm_both_i: 12 bits, sign-extended, do not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_both_i_rd; \
    __asm__ volatile(".insn i 0x2B, 5, %0, %1, %2" : "=r"(cx_fm_both_i_rd) : "r"((cx_reg_t)(uint8_t)(cx_fm_both_i_rd_)), "i"((int)(((uint32_t)(int16_t)(n) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (int16_t)cx_fm_both_i_rd; \
})
#define fm_both_i_in(cx_fm_both_i_rd_, n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) + 4096u < 8192u && (((uint64_t)(int16_t)(n) + 0x800u) & 0x1FFFull) < 0x1000u, "fm_both_i_in: 12 bits, sign-extended, do not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_both_i_in_rd; \
    __asm__(".insn i 0x2B, 5, %0, %1, %2" : "=r"(cx_fm_both_i_in_rd) : "r"((cx_reg_t)(uint8_t)(cx_fm_both_i_rd_)), "i"((int)(((uint32_t)(int16_t)(n) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (int16_t)cx_fm_both_i_in_rd; \
})
/** `on` is a constant expression. */
#define fm_none(x, on) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(on) < 2u, "fm_none: 1 bit does not carry `on`"); \
    __asm__ volatile(".insn i 0x2B, 6, x0, %0, %1" : : "r"((cx_reg_t)(uint8_t)(x)), "i"((int)(((uint32_t)(bool)(on) & 0xFFFu) ^ 0x800u) - 0x800)); \
    (void)0; \
})
/** `w` is a constant expression. */
#define fm_way(x, w) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(w) < 8u, "fm_way: 3 bits do not carry `w`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_way_rd; \
    __asm__ volatile(".insn i 0x2B, 7, %0, %1, %2" : "=r"(cx_fm_way_rd) : "r"((cx_reg_t)(fm_Way)(x)), "i"((int)(((uint32_t)(fm_Way)(w) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (fm_Way)cx_fm_way_rd; \
})
#define fm_way_in(x, w) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(w) < 8u, "fm_way_in: 3 bits do not carry `w`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_way_in_rd; \
    __asm__(".insn i 0x2B, 7, %0, %1, %2" : "=r"(cx_fm_way_in_rd) : "r"((cx_reg_t)(fm_Way)(x)), "i"((int)(((uint32_t)(fm_Way)(w) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (fm_Way)cx_fm_way_in_rd; \
})
static inline void fm_dropped(uint32_t a, uint32_t b)
{
    __asm__ volatile(".insn r 0x5B, 1, 1, x0, %0, %1" : : "r"((cx_reg_t)a), "r"((cx_reg_t)b));
}
static inline void fm_nothing(void)
{
    __asm__ volatile(".insn r 0x0B, 2, 1, x0, x0, x0");
}
static inline uint32_t fm_upper(uint32_t x)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 3, 1, %0, x0, %1" : "=r"(rd) : "r"((cx_reg_t)x));
    return (uint32_t)rd;
}
static inline uint32_t fm_upper_in(uint32_t x)
{
    cx_reg_t rd;
    __asm__(".insn r 0x0B, 3, 1, %0, x0, %1" : "=r"(rd) : "r"((cx_reg_t)x), CX_SELECTION);
    return (uint32_t)rd;
}
static inline void fm_small(int8_t x)
{
    __asm__ volatile(".insn r 0x5B, 4, 1, x0, %0, x0" : : "r"((cx_reg_t)(cx_word_t)x));
}
static inline bool fm_neither(void)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 5, 1, %0, x0, x0" : "=r"(rd));
    return (rd & 1u) != 0;
}
static inline bool fm_neither_in(void)
{
    cx_reg_t rd;
    __asm__(".insn r 0x0B, 5, 1, %0, x0, x0" : "=r"(rd) : CX_SELECTION);
    return (rd & 1u) != 0;
}
/** `n` is a constant expression. */
#define fm_third(a, b, n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 32u, "fm_third: 5 bits do not carry `n`"); \
    __asm__ volatile(".insn r 0x5B, 6, 1, x%2, %0, %1" : : "r"((cx_reg_t)(uint32_t)(a)), "r"((cx_reg_t)(uint32_t)(b)), "i"((int)(((uint32_t)(uint8_t)(n) & 0x1Fu)))); \
    (void)0; \
})
/** `n` is a constant expression. */
#define fm_fourth(n, a) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) + 8u < 16u, "fm_fourth: 4 bits do not carry `n`"); \
    __asm__ volatile(".insn r 0x5B, 7, 1, x%1, %0, x0" : : "r"((cx_reg_t)(uint32_t)(a)), "i"((int)(((uint32_t)(int8_t)(n) & 0xFu)))); \
    (void)0; \
})
/** `w` is a constant expression. */
#define fm_alone(w) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(w) < 8u, "fm_alone: 3 bits do not carry `w`"); \
    __asm__ volatile(".insn r 0x5B, 0, 2, x%0, x0, x0" : : "i"((int)(((uint32_t)(fm_Way)(w) & 0x7u)))); \
    (void)0; \
})
/** `on` is a constant expression. */
#define fm_lower(x, on) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(on) < 2u, "fm_lower: 1 bit does not carry `on`"); \
    __asm__ volatile(".insn r 0x5B, 1, 2, x%1, x0, %0" : : "r"((cx_reg_t)(uint32_t)(x)), "i"((int)(((uint32_t)(bool)(on) & 0x1u)))); \
    (void)0; \
})
/** `n` is a constant expression. */
#define fm_big(n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 32768u, "fm_big: 15 bits do not carry `n`"); \
    __asm__ volatile(".insn r 0x5B, 2, 2, x%0, x%1, x%2" : : "i"((int)(((uint32_t)(uint16_t)(n) & 0x7FFFu) >> 0 & 31u)), "i"((int)(((uint32_t)(uint16_t)(n) & 0x7FFFu) >> 5 & 31u)), "i"((int)(((uint32_t)(uint16_t)(n) & 0x7FFFu) >> 10 & 31u))); \
    (void)0; \
})
static inline void fm_empty(void)
{
    __asm__ volatile(".insn r 0x5B, 4, 2, x0, x0, x0");
}
/** `n` is a constant expression. */
#define fm_few(n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 128u, "fm_few: 7 bits do not carry `n`"); \
    __asm__ volatile(".insn r 0x5B, 5, 2, x%0, x%1, x%2" : : "i"((int)(((uint32_t)(uint8_t)(n) & 0x7Fu) >> 0 & 31u)), "i"((int)(((uint32_t)(uint8_t)(n) & 0x7Fu) >> 5 & 31u)), "i"((int)(((uint32_t)(uint8_t)(n) & 0x7Fu) >> 10 & 31u))); \
    (void)0; \
})
/** `rd` is a constant expression. */
#define fm_bigs(rd) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(rd) + 16384u < 32768u, "fm_bigs: 15 bits do not carry `rd`"); \
    __asm__ volatile(".insn r 0x5B, 7, 125, x%0, x%1, x%2" : : "i"((int)(((uint32_t)(int16_t)(rd) & 0x7FFFu) >> 0 & 31u)), "i"((int)(((uint32_t)(int16_t)(rd) & 0x7FFFu) >> 5 & 31u)), "i"((int)(((uint32_t)(int16_t)(rd) & 0x7FFFu) >> 10 & 31u))); \
    (void)0; \
})
#else
/**
 * The immediate stands first.
 * `n` is a constant expression.
 */
static inline uint32_t fm_first(int16_t n, uint32_t x)
{
    return (uint32_t)cx_issue(fm_id_first, (cx_reg_t)x, (cx_reg_t)(cx_word_t)n);
}
#define fm_first(n, x) \
    (CX_CONSTANT_CHECK((uint64_t)(n) + 2048u < 4096u, "fm_first: 12 bits do not carry `n`"), fm_first(n, x))
#define fm_first_in fm_first
/** `rd` is a constant expression. */
static inline int32_t fm_second(int32_t cx_rd_, uint16_t rd)
{
    return (int32_t)cx_issue(fm_id_second, (cx_reg_t)(cx_word_t)cx_rd_, (cx_reg_t)rd);
}
#define fm_second(cx_rd_, rd) \
    (CX_CONSTANT_CHECK((uint64_t)(rd) < 4096u, "fm_second: 12 bits do not carry `rd`"), fm_second(cx_rd_, rd))
#define fm_second_in fm_second
/** `asm_` is a constant expression that 12 bits, sign-extended, carry. */
static inline uint16_t fm_constant(uint16_t asm_)
{
    return (uint16_t)cx_issue(fm_id_constant, 0, (cx_reg_t)asm_);
}
#define fm_constant(asm_) \
    (CX_CONSTANT_CHECK((uint64_t)(asm_) < 65536u && (((uint64_t)(uint16_t)(asm_) + 0x800u) & 0xFFFFull) < 0x1000u, "fm_constant: 12 bits, sign-extended, do not carry `asm_`"), fm_constant(asm_))
#define fm_constant_in fm_constant
static inline uint32_t fm_lone(uint32_t x)
{
    return (uint32_t)cx_issue(fm_id_lone, (cx_reg_t)x, 0);
}
#define fm_lone_in fm_lone
/** `y` is a constant expression that 12 bits, sign-extended, carry. */
static inline uint32_t fm_wide(uint32_t x, uint32_t y)
{
    return (uint32_t)cx_issue(fm_id_wide, (cx_reg_t)x, (cx_reg_t)y);
}
#define fm_wide(x, y) \
    (CX_CONSTANT_CHECK((((uint64_t)(uint32_t)(y) + 0x800u) & 0xFFFFFFFFull) < 0x1000u, "fm_wide: 12 bits, sign-extended, do not carry `y`"), fm_wide(x, y))
#define fm_wide_in fm_wide
static inline int16_t fm_both(uint8_t cx_fm_both_i_rd_, int16_t n)
{
    return (int16_t)cx_issue(fm_id_both, (cx_reg_t)cx_fm_both_i_rd_, (cx_reg_t)(cx_word_t)n);
}
#define fm_both_in fm_both
/** `n` is a constant expression that 12 bits, sign-extended, carry. */
static inline int16_t fm_both_i(uint8_t cx_fm_both_i_rd_, int16_t n)
{
    return (int16_t)cx_issue(fm_id_both, (cx_reg_t)cx_fm_both_i_rd_, (cx_reg_t)(cx_word_t)n);
}
#define fm_both_i(cx_fm_both_i_rd_, n) \
    (CX_CONSTANT_CHECK((uint64_t)(n) + 4096u < 8192u && (((uint64_t)(int16_t)(n) + 0x800u) & 0x1FFFull) < 0x1000u, "fm_both_i: 12 bits, sign-extended, do not carry `n`"), fm_both_i(cx_fm_both_i_rd_, n))
#define fm_both_i_in fm_both_i
/** `on` is a constant expression. */
static inline void fm_none(uint8_t x, bool on)
{
    (void)cx_issue(fm_id_none, (cx_reg_t)x, (cx_reg_t)on);
}
#define fm_none(x, on) \
    (CX_CONSTANT_CHECK((uint64_t)(on) < 2u, "fm_none: 1 bit does not carry `on`"), fm_none(x, on))
/** `w` is a constant expression. */
static inline fm_Way fm_way(fm_Way x, fm_Way w)
{
    return (fm_Way)cx_issue(fm_id_way, (cx_reg_t)x, (cx_reg_t)w);
}
#define fm_way(x, w) \
    (CX_CONSTANT_CHECK((uint64_t)(w) < 8u, "fm_way: 3 bits do not carry `w`"), fm_way(x, w))
#define fm_way_in fm_way
static inline void fm_dropped(uint32_t a, uint32_t b)
{
    (void)cx_issue(fm_id_dropped, (cx_reg_t)a, (cx_reg_t)b);
}
static inline void fm_nothing(void)
{
    (void)cx_issue(fm_id_nothing, 0, 0);
}
static inline uint32_t fm_upper(uint32_t x)
{
    return (uint32_t)cx_issue(fm_id_upper, 0, (cx_reg_t)x);
}
#define fm_upper_in fm_upper
static inline void fm_small(int8_t x)
{
    (void)cx_issue(fm_id_small, (cx_reg_t)(cx_word_t)x, 0);
}
static inline bool fm_neither(void)
{
    return (cx_issue(fm_id_neither, 0, 0) & 1u) != 0;
}
#define fm_neither_in fm_neither
/** `n` is a constant expression. */
static inline void fm_third(uint32_t a, uint32_t b, uint8_t n)
{
    (void)cx_issue(CX_WITH_IMMEDIATE(fm_id_third, (uint32_t)n & 0x1Fu), (cx_reg_t)a, (cx_reg_t)b);
}
#define fm_third(a, b, n) \
    (CX_CONSTANT_CHECK((uint64_t)(n) < 32u, "fm_third: 5 bits do not carry `n`"), fm_third(a, b, n))
/** `n` is a constant expression. */
static inline void fm_fourth(int8_t n, uint32_t a)
{
    (void)cx_issue(fm_id_fourth, (cx_reg_t)a, (cx_reg_t)(cx_word_t)n);
}
#define fm_fourth(n, a) \
    (CX_CONSTANT_CHECK((uint64_t)(n) + 8u < 16u, "fm_fourth: 4 bits do not carry `n`"), fm_fourth(n, a))
/** `w` is a constant expression. */
static inline void fm_alone(fm_Way w)
{
    (void)cx_issue(fm_id_alone, 0, (cx_reg_t)w);
}
#define fm_alone(w) \
    (CX_CONSTANT_CHECK((uint64_t)(w) < 8u, "fm_alone: 3 bits do not carry `w`"), fm_alone(w))
/** `on` is a constant expression. */
static inline void fm_lower(uint32_t x, bool on)
{
    (void)cx_issue(CX_WITH_IMMEDIATE(fm_id_lower, (uint32_t)on & 0x1u), 0, (cx_reg_t)x);
}
#define fm_lower(x, on) \
    (CX_CONSTANT_CHECK((uint64_t)(on) < 2u, "fm_lower: 1 bit does not carry `on`"), fm_lower(x, on))
/** `n` is a constant expression. */
static inline void fm_big(uint16_t n)
{
    (void)cx_issue(fm_id_big, 0, (cx_reg_t)n);
}
#define fm_big(n) \
    (CX_CONSTANT_CHECK((uint64_t)(n) < 32768u, "fm_big: 15 bits do not carry `n`"), fm_big(n))
static inline void fm_empty(void)
{
    (void)cx_issue(fm_id_empty, 0, 0);
}
/** `n` is a constant expression. */
static inline void fm_few(uint8_t n)
{
    (void)cx_issue(fm_id_few, 0, (cx_reg_t)n);
}
#define fm_few(n) \
    (CX_CONSTANT_CHECK((uint64_t)(n) < 128u, "fm_few: 7 bits do not carry `n`"), fm_few(n))
/** `rd` is a constant expression. */
static inline void fm_bigs(int16_t rd)
{
    (void)cx_issue(fm_id_bigs, 0, (cx_reg_t)(cx_word_t)rd);
}
#define fm_bigs(rd) \
    (CX_CONSTANT_CHECK((uint64_t)(rd) + 16384u < 32768u, "fm_bigs: 15 bits do not carry `rd`"), fm_bigs(rd))
#endif

#elif CX_XLEN == 64

typedef uint8_t fm_Way;
#define fm_Way_up ((fm_Way)1u)
#define fm_Way_down ((fm_Way)5u)

/* Function ids. */
#define fm_id_first 0u
#define fm_id_second 1u
#define fm_id_constant 2u
#define fm_id_lone 3u
#define fm_id_wide 4u
#define fm_id_both 5u
#define fm_id_none 6u
#define fm_id_way 7u
#define fm_id_dropped 9u
#define fm_id_nothing 10u
#define fm_id_upper 11u
#define fm_id_small 12u
#define fm_id_neither 13u
#define fm_id_third 14u
#define fm_id_fourth 15u
#define fm_id_alone 16u
#define fm_id_lower 17u
#define fm_id_big 18u
#define fm_id_empty 20u
#define fm_id_few 21u
#define fm_id_bigs 1007u

/* In software: operands count by their low bits. */
/** The immediate stands first. */
uint64_t fm_sw_first(int16_t n, uint64_t x);
int64_t fm_sw_second(int64_t cx_rd_, uint16_t rd);
uint16_t fm_sw_constant(uint16_t asm_);
uint64_t fm_sw_lone(uint64_t x);
uint64_t fm_sw_wide(uint64_t x, uint64_t y);
int16_t fm_sw_both(uint8_t cx_fm_both_i_rd_, int16_t n);
void fm_sw_none(uint8_t x, bool on);
fm_Way fm_sw_way(fm_Way x, fm_Way w);
void fm_sw_dropped(uint64_t a, uint64_t b);
void fm_sw_nothing(void);
uint64_t fm_sw_upper(uint64_t x);
void fm_sw_small(int8_t x);
bool fm_sw_neither(void);
void fm_sw_third(uint64_t a, uint64_t b, uint8_t n);
void fm_sw_fourth(int8_t n, uint64_t a);
void fm_sw_alone(fm_Way w);
void fm_sw_lower(uint64_t x, bool on);
void fm_sw_big(uint16_t n);
void fm_sw_empty(void);
void fm_sw_few(uint8_t n);
void fm_sw_bigs(int16_t rd);
/** Any command, by what its registers hold; `state` is null without state. Returns the response. */
uint32_t fm_sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd);
/** The fallback as a runtime registers it. */
extern const struct cx_soft_cxu fm_soft_cxu;

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
/**
 * The immediate stands first.
 * `n` is a constant expression.
 */
#define fm_first(n, x) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) + 2048u < 4096u, "fm_first: 12 bits do not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_first_rd; \
    __asm__ volatile(".insn i 0x2B, 0, %0, %1, %2" : "=r"(cx_fm_first_rd) : "r"((cx_reg_t)(uint64_t)(x)), "i"((int)(((uint32_t)(int16_t)(n) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (uint64_t)cx_fm_first_rd; \
})
#define fm_first_in(n, x) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) + 2048u < 4096u, "fm_first_in: 12 bits do not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_first_in_rd; \
    __asm__(".insn i 0x2B, 0, %0, %1, %2" : "=r"(cx_fm_first_in_rd) : "r"((cx_reg_t)(uint64_t)(x)), "i"((int)(((uint32_t)(int16_t)(n) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (uint64_t)cx_fm_first_in_rd; \
})
/** `rd` is a constant expression. */
#define fm_second(cx_rd_, rd) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(rd) < 4096u, "fm_second: 12 bits do not carry `rd`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_second_rd; \
    __asm__ volatile(".insn i 0x2B, 1, %0, %1, %2" : "=r"(cx_fm_second_rd) : "r"((cx_reg_t)(cx_word_t)(int64_t)(cx_rd_)), "i"((int)(((uint32_t)(uint16_t)(rd) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (int64_t)cx_fm_second_rd; \
})
#define fm_second_in(cx_rd_, rd) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(rd) < 4096u, "fm_second_in: 12 bits do not carry `rd`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_second_in_rd; \
    __asm__(".insn i 0x2B, 1, %0, %1, %2" : "=r"(cx_fm_second_in_rd) : "r"((cx_reg_t)(cx_word_t)(int64_t)(cx_rd_)), "i"((int)(((uint32_t)(uint16_t)(rd) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (int64_t)cx_fm_second_in_rd; \
})
/** `asm_` is a constant expression that 12 bits, sign-extended, carry. */
#define fm_constant(asm_) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(asm_) < 65536u && (((uint64_t)(uint16_t)(asm_) + 0x800u) & 0xFFFFull) < 0x1000u, "fm_constant: 12 bits, sign-extended, do not carry `asm_`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_constant_rd; \
    __asm__ volatile(".insn i 0x2B, 2, %0, x0, %1" : "=r"(cx_fm_constant_rd) : "i"((int)(((uint32_t)(uint16_t)(asm_) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (uint16_t)cx_fm_constant_rd; \
})
#define fm_constant_in(asm_) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(asm_) < 65536u && (((uint64_t)(uint16_t)(asm_) + 0x800u) & 0xFFFFull) < 0x1000u, "fm_constant_in: 12 bits, sign-extended, do not carry `asm_`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_constant_in_rd; \
    __asm__(".insn i 0x2B, 2, %0, x0, %1" : "=r"(cx_fm_constant_in_rd) : "i"((int)(((uint32_t)(uint16_t)(asm_) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (uint16_t)cx_fm_constant_in_rd; \
})
static inline uint64_t fm_lone(uint64_t x)
{
    cx_reg_t rd;
    __asm__ volatile(".insn i 0x2B, 3, %0, %1, 0" : "=r"(rd) : "r"((cx_reg_t)x));
    return (uint64_t)rd;
}
static inline uint64_t fm_lone_in(uint64_t x)
{
    cx_reg_t rd;
    __asm__(".insn i 0x2B, 3, %0, %1, 0" : "=r"(rd) : "r"((cx_reg_t)x), CX_SELECTION);
    return (uint64_t)rd;
}
/** `y` is a constant expression that 12 bits, sign-extended, carry. */
#define fm_wide(x, y) __extension__({ \
    CX_CONSTANT_CHECK((((uint64_t)(uint64_t)(y) + 0x800u) & 0xFFFFFFFFFFFFFFFFull) < 0x1000u, "fm_wide: 12 bits, sign-extended, do not carry `y`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_wide_rd; \
    __asm__ volatile(".insn i 0x2B, 4, %0, %1, %2" : "=r"(cx_fm_wide_rd) : "r"((cx_reg_t)(uint64_t)(x)), "i"((int)(((uint32_t)(uint64_t)(y) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (uint64_t)cx_fm_wide_rd; \
})
#define fm_wide_in(x, y) __extension__({ \
    CX_CONSTANT_CHECK((((uint64_t)(uint64_t)(y) + 0x800u) & 0xFFFFFFFFFFFFFFFFull) < 0x1000u, "fm_wide_in: 12 bits, sign-extended, do not carry `y`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_wide_in_rd; \
    __asm__(".insn i 0x2B, 4, %0, %1, %2" : "=r"(cx_fm_wide_in_rd) : "r"((cx_reg_t)(uint64_t)(x)), "i"((int)(((uint32_t)(uint64_t)(y) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (uint64_t)cx_fm_wide_in_rd; \
})
static inline int16_t fm_both(uint8_t cx_fm_both_i_rd_, int16_t n)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 5, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cx_fm_both_i_rd_), "r"((cx_reg_t)(cx_word_t)n));
    return (int16_t)rd;
}
static inline int16_t fm_both_in(uint8_t cx_fm_both_i_rd_, int16_t n)
{
    cx_reg_t rd;
    __asm__(".insn r 0x0B, 5, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cx_fm_both_i_rd_), "r"((cx_reg_t)(cx_word_t)n), CX_SELECTION);
    return (int16_t)rd;
}
/** `n` is a constant expression that 12 bits, sign-extended, carry. */
#define fm_both_i(cx_fm_both_i_rd_, n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) + 4096u < 8192u && (((uint64_t)(int16_t)(n) + 0x800u) & 0x1FFFull) < 0x1000u, "fm_both_i: 12 bits, sign-extended, do not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_both_i_rd; \
    __asm__ volatile(".insn i 0x2B, 5, %0, %1, %2" : "=r"(cx_fm_both_i_rd) : "r"((cx_reg_t)(uint8_t)(cx_fm_both_i_rd_)), "i"((int)(((uint32_t)(int16_t)(n) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (int16_t)cx_fm_both_i_rd; \
})
#define fm_both_i_in(cx_fm_both_i_rd_, n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) + 4096u < 8192u && (((uint64_t)(int16_t)(n) + 0x800u) & 0x1FFFull) < 0x1000u, "fm_both_i_in: 12 bits, sign-extended, do not carry `n`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_both_i_in_rd; \
    __asm__(".insn i 0x2B, 5, %0, %1, %2" : "=r"(cx_fm_both_i_in_rd) : "r"((cx_reg_t)(uint8_t)(cx_fm_both_i_rd_)), "i"((int)(((uint32_t)(int16_t)(n) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (int16_t)cx_fm_both_i_in_rd; \
})
/** `on` is a constant expression. */
#define fm_none(x, on) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(on) < 2u, "fm_none: 1 bit does not carry `on`"); \
    __asm__ volatile(".insn i 0x2B, 6, x0, %0, %1" : : "r"((cx_reg_t)(uint8_t)(x)), "i"((int)(((uint32_t)(bool)(on) & 0xFFFu) ^ 0x800u) - 0x800)); \
    (void)0; \
})
/** `w` is a constant expression. */
#define fm_way(x, w) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(w) < 8u, "fm_way: 3 bits do not carry `w`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_way_rd; \
    __asm__ volatile(".insn i 0x2B, 7, %0, %1, %2" : "=r"(cx_fm_way_rd) : "r"((cx_reg_t)(fm_Way)(x)), "i"((int)(((uint32_t)(fm_Way)(w) & 0xFFFu) ^ 0x800u) - 0x800)); \
    _Pragma("GCC diagnostic pop") \
    (fm_Way)cx_fm_way_rd; \
})
#define fm_way_in(x, w) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(w) < 8u, "fm_way_in: 3 bits do not carry `w`"); \
    _Pragma("GCC diagnostic push") \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    cx_reg_t cx_fm_way_in_rd; \
    __asm__(".insn i 0x2B, 7, %0, %1, %2" : "=r"(cx_fm_way_in_rd) : "r"((cx_reg_t)(fm_Way)(x)), "i"((int)(((uint32_t)(fm_Way)(w) & 0xFFFu) ^ 0x800u) - 0x800), CX_SELECTION); \
    _Pragma("GCC diagnostic pop") \
    (fm_Way)cx_fm_way_in_rd; \
})
static inline void fm_dropped(uint64_t a, uint64_t b)
{
    __asm__ volatile(".insn r 0x5B, 1, 1, x0, %0, %1" : : "r"((cx_reg_t)a), "r"((cx_reg_t)b));
}
static inline void fm_nothing(void)
{
    __asm__ volatile(".insn r 0x0B, 2, 1, x0, x0, x0");
}
static inline uint64_t fm_upper(uint64_t x)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 3, 1, %0, x0, %1" : "=r"(rd) : "r"((cx_reg_t)x));
    return (uint64_t)rd;
}
static inline uint64_t fm_upper_in(uint64_t x)
{
    cx_reg_t rd;
    __asm__(".insn r 0x0B, 3, 1, %0, x0, %1" : "=r"(rd) : "r"((cx_reg_t)x), CX_SELECTION);
    return (uint64_t)rd;
}
static inline void fm_small(int8_t x)
{
    __asm__ volatile(".insn r 0x5B, 4, 1, x0, %0, x0" : : "r"((cx_reg_t)(cx_word_t)x));
}
static inline bool fm_neither(void)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 5, 1, %0, x0, x0" : "=r"(rd));
    return (rd & 1u) != 0;
}
static inline bool fm_neither_in(void)
{
    cx_reg_t rd;
    __asm__(".insn r 0x0B, 5, 1, %0, x0, x0" : "=r"(rd) : CX_SELECTION);
    return (rd & 1u) != 0;
}
/** `n` is a constant expression. */
#define fm_third(a, b, n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 32u, "fm_third: 5 bits do not carry `n`"); \
    __asm__ volatile(".insn r 0x5B, 6, 1, x%2, %0, %1" : : "r"((cx_reg_t)(uint64_t)(a)), "r"((cx_reg_t)(uint64_t)(b)), "i"((int)(((uint32_t)(uint8_t)(n) & 0x1Fu)))); \
    (void)0; \
})
/** `n` is a constant expression. */
#define fm_fourth(n, a) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) + 8u < 16u, "fm_fourth: 4 bits do not carry `n`"); \
    __asm__ volatile(".insn r 0x5B, 7, 1, x%1, %0, x0" : : "r"((cx_reg_t)(uint64_t)(a)), "i"((int)(((uint32_t)(int8_t)(n) & 0xFu)))); \
    (void)0; \
})
/** `w` is a constant expression. */
#define fm_alone(w) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(w) < 8u, "fm_alone: 3 bits do not carry `w`"); \
    __asm__ volatile(".insn r 0x5B, 0, 2, x%0, x0, x0" : : "i"((int)(((uint32_t)(fm_Way)(w) & 0x7u)))); \
    (void)0; \
})
/** `on` is a constant expression. */
#define fm_lower(x, on) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(on) < 2u, "fm_lower: 1 bit does not carry `on`"); \
    __asm__ volatile(".insn r 0x5B, 1, 2, x%1, x0, %0" : : "r"((cx_reg_t)(uint64_t)(x)), "i"((int)(((uint32_t)(bool)(on) & 0x1u)))); \
    (void)0; \
})
/** `n` is a constant expression. */
#define fm_big(n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 32768u, "fm_big: 15 bits do not carry `n`"); \
    __asm__ volatile(".insn r 0x5B, 2, 2, x%0, x%1, x%2" : : "i"((int)(((uint32_t)(uint16_t)(n) & 0x7FFFu) >> 0 & 31u)), "i"((int)(((uint32_t)(uint16_t)(n) & 0x7FFFu) >> 5 & 31u)), "i"((int)(((uint32_t)(uint16_t)(n) & 0x7FFFu) >> 10 & 31u))); \
    (void)0; \
})
static inline void fm_empty(void)
{
    __asm__ volatile(".insn r 0x5B, 4, 2, x0, x0, x0");
}
/** `n` is a constant expression. */
#define fm_few(n) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(n) < 128u, "fm_few: 7 bits do not carry `n`"); \
    __asm__ volatile(".insn r 0x5B, 5, 2, x%0, x%1, x%2" : : "i"((int)(((uint32_t)(uint8_t)(n) & 0x7Fu) >> 0 & 31u)), "i"((int)(((uint32_t)(uint8_t)(n) & 0x7Fu) >> 5 & 31u)), "i"((int)(((uint32_t)(uint8_t)(n) & 0x7Fu) >> 10 & 31u))); \
    (void)0; \
})
/** `rd` is a constant expression. */
#define fm_bigs(rd) __extension__({ \
    CX_CONSTANT_CHECK((uint64_t)(rd) + 16384u < 32768u, "fm_bigs: 15 bits do not carry `rd`"); \
    __asm__ volatile(".insn r 0x5B, 7, 125, x%0, x%1, x%2" : : "i"((int)(((uint32_t)(int16_t)(rd) & 0x7FFFu) >> 0 & 31u)), "i"((int)(((uint32_t)(int16_t)(rd) & 0x7FFFu) >> 5 & 31u)), "i"((int)(((uint32_t)(int16_t)(rd) & 0x7FFFu) >> 10 & 31u))); \
    (void)0; \
})
#else
/**
 * The immediate stands first.
 * `n` is a constant expression.
 */
static inline uint64_t fm_first(int16_t n, uint64_t x)
{
    return (uint64_t)cx_issue(fm_id_first, (cx_reg_t)x, (cx_reg_t)(cx_word_t)n);
}
#define fm_first(n, x) \
    (CX_CONSTANT_CHECK((uint64_t)(n) + 2048u < 4096u, "fm_first: 12 bits do not carry `n`"), fm_first(n, x))
#define fm_first_in fm_first
/** `rd` is a constant expression. */
static inline int64_t fm_second(int64_t cx_rd_, uint16_t rd)
{
    return (int64_t)cx_issue(fm_id_second, (cx_reg_t)(cx_word_t)cx_rd_, (cx_reg_t)rd);
}
#define fm_second(cx_rd_, rd) \
    (CX_CONSTANT_CHECK((uint64_t)(rd) < 4096u, "fm_second: 12 bits do not carry `rd`"), fm_second(cx_rd_, rd))
#define fm_second_in fm_second
/** `asm_` is a constant expression that 12 bits, sign-extended, carry. */
static inline uint16_t fm_constant(uint16_t asm_)
{
    return (uint16_t)cx_issue(fm_id_constant, 0, (cx_reg_t)asm_);
}
#define fm_constant(asm_) \
    (CX_CONSTANT_CHECK((uint64_t)(asm_) < 65536u && (((uint64_t)(uint16_t)(asm_) + 0x800u) & 0xFFFFull) < 0x1000u, "fm_constant: 12 bits, sign-extended, do not carry `asm_`"), fm_constant(asm_))
#define fm_constant_in fm_constant
static inline uint64_t fm_lone(uint64_t x)
{
    return (uint64_t)cx_issue(fm_id_lone, (cx_reg_t)x, 0);
}
#define fm_lone_in fm_lone
/** `y` is a constant expression that 12 bits, sign-extended, carry. */
static inline uint64_t fm_wide(uint64_t x, uint64_t y)
{
    return (uint64_t)cx_issue(fm_id_wide, (cx_reg_t)x, (cx_reg_t)y);
}
#define fm_wide(x, y) \
    (CX_CONSTANT_CHECK((((uint64_t)(uint64_t)(y) + 0x800u) & 0xFFFFFFFFFFFFFFFFull) < 0x1000u, "fm_wide: 12 bits, sign-extended, do not carry `y`"), fm_wide(x, y))
#define fm_wide_in fm_wide
static inline int16_t fm_both(uint8_t cx_fm_both_i_rd_, int16_t n)
{
    return (int16_t)cx_issue(fm_id_both, (cx_reg_t)cx_fm_both_i_rd_, (cx_reg_t)(cx_word_t)n);
}
#define fm_both_in fm_both
/** `n` is a constant expression that 12 bits, sign-extended, carry. */
static inline int16_t fm_both_i(uint8_t cx_fm_both_i_rd_, int16_t n)
{
    return (int16_t)cx_issue(fm_id_both, (cx_reg_t)cx_fm_both_i_rd_, (cx_reg_t)(cx_word_t)n);
}
#define fm_both_i(cx_fm_both_i_rd_, n) \
    (CX_CONSTANT_CHECK((uint64_t)(n) + 4096u < 8192u && (((uint64_t)(int16_t)(n) + 0x800u) & 0x1FFFull) < 0x1000u, "fm_both_i: 12 bits, sign-extended, do not carry `n`"), fm_both_i(cx_fm_both_i_rd_, n))
#define fm_both_i_in fm_both_i
/** `on` is a constant expression. */
static inline void fm_none(uint8_t x, bool on)
{
    (void)cx_issue(fm_id_none, (cx_reg_t)x, (cx_reg_t)on);
}
#define fm_none(x, on) \
    (CX_CONSTANT_CHECK((uint64_t)(on) < 2u, "fm_none: 1 bit does not carry `on`"), fm_none(x, on))
/** `w` is a constant expression. */
static inline fm_Way fm_way(fm_Way x, fm_Way w)
{
    return (fm_Way)cx_issue(fm_id_way, (cx_reg_t)x, (cx_reg_t)w);
}
#define fm_way(x, w) \
    (CX_CONSTANT_CHECK((uint64_t)(w) < 8u, "fm_way: 3 bits do not carry `w`"), fm_way(x, w))
#define fm_way_in fm_way
static inline void fm_dropped(uint64_t a, uint64_t b)
{
    (void)cx_issue(fm_id_dropped, (cx_reg_t)a, (cx_reg_t)b);
}
static inline void fm_nothing(void)
{
    (void)cx_issue(fm_id_nothing, 0, 0);
}
static inline uint64_t fm_upper(uint64_t x)
{
    return (uint64_t)cx_issue(fm_id_upper, 0, (cx_reg_t)x);
}
#define fm_upper_in fm_upper
static inline void fm_small(int8_t x)
{
    (void)cx_issue(fm_id_small, (cx_reg_t)(cx_word_t)x, 0);
}
static inline bool fm_neither(void)
{
    return (cx_issue(fm_id_neither, 0, 0) & 1u) != 0;
}
#define fm_neither_in fm_neither
/** `n` is a constant expression. */
static inline void fm_third(uint64_t a, uint64_t b, uint8_t n)
{
    (void)cx_issue(CX_WITH_IMMEDIATE(fm_id_third, (uint32_t)n & 0x1Fu), (cx_reg_t)a, (cx_reg_t)b);
}
#define fm_third(a, b, n) \
    (CX_CONSTANT_CHECK((uint64_t)(n) < 32u, "fm_third: 5 bits do not carry `n`"), fm_third(a, b, n))
/** `n` is a constant expression. */
static inline void fm_fourth(int8_t n, uint64_t a)
{
    (void)cx_issue(fm_id_fourth, (cx_reg_t)a, (cx_reg_t)(cx_word_t)n);
}
#define fm_fourth(n, a) \
    (CX_CONSTANT_CHECK((uint64_t)(n) + 8u < 16u, "fm_fourth: 4 bits do not carry `n`"), fm_fourth(n, a))
/** `w` is a constant expression. */
static inline void fm_alone(fm_Way w)
{
    (void)cx_issue(fm_id_alone, 0, (cx_reg_t)w);
}
#define fm_alone(w) \
    (CX_CONSTANT_CHECK((uint64_t)(w) < 8u, "fm_alone: 3 bits do not carry `w`"), fm_alone(w))
/** `on` is a constant expression. */
static inline void fm_lower(uint64_t x, bool on)
{
    (void)cx_issue(CX_WITH_IMMEDIATE(fm_id_lower, (uint32_t)on & 0x1u), 0, (cx_reg_t)x);
}
#define fm_lower(x, on) \
    (CX_CONSTANT_CHECK((uint64_t)(on) < 2u, "fm_lower: 1 bit does not carry `on`"), fm_lower(x, on))
/** `n` is a constant expression. */
static inline void fm_big(uint16_t n)
{
    (void)cx_issue(fm_id_big, 0, (cx_reg_t)n);
}
#define fm_big(n) \
    (CX_CONSTANT_CHECK((uint64_t)(n) < 32768u, "fm_big: 15 bits do not carry `n`"), fm_big(n))
static inline void fm_empty(void)
{
    (void)cx_issue(fm_id_empty, 0, 0);
}
/** `n` is a constant expression. */
static inline void fm_few(uint8_t n)
{
    (void)cx_issue(fm_id_few, 0, (cx_reg_t)n);
}
#define fm_few(n) \
    (CX_CONSTANT_CHECK((uint64_t)(n) < 128u, "fm_few: 7 bits do not carry `n`"), fm_few(n))
/** `rd` is a constant expression. */
static inline void fm_bigs(int16_t rd)
{
    (void)cx_issue(fm_id_bigs, 0, (cx_reg_t)(cx_word_t)rd);
}
#define fm_bigs(rd) \
    (CX_CONSTANT_CHECK((uint64_t)(rd) + 16384u < 32768u, "fm_bigs: 15 bits do not carry `rd`"), fm_bigs(rd))
#endif

#else
#error "org.example.forms:Forms has no contract for this CX_XLEN, only for 32 or 64: build with -DCX_XLEN=32"
#endif

#ifdef __cplusplus
}
#endif
#endif
