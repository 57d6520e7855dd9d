/* small_remote.h
 * Generated from test.small:Small by cxc; do not edit.
 *
 * Declarations that the guest library and the worker share: the layout of arguments, and the plan for encoding them.
 */
#ifndef SMALL_CXR_H
#define SMALL_CXR_H

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <small.h>

#include "cx_remote.h"

#if CXR_ABI != 1u
#error "this code needs version 1 of cx_remote.h: install the engine of the cxc that wrote this file, or run the cxc of the installed engine"
#endif

#define CXR_AT(type, member) (uint32_t)offsetof(type, member)
/* The array has no valid size if a type is larger than the 1 GiB that a plan can hold. */
#define CXR_SIZE(type) (uint32_t)(sizeof(type) + 0 * sizeof(char[sizeof(type) <= 0x40000000 ? 1 : -1]))

#ifdef __cplusplus
extern "C" {
#endif

/* The specification's text in C. It may define functions that only one side uses, and names that hide others. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wshadow"
static int weighed(const void *at, unsigned char byte, unsigned long n) { return (at != NULL) + byte + (int)(n & 7); }
static int hooked;
/* On the worker this is the library's own function. */
static int doubled(int n) { return small_old(n); }

static uint32_t small_cxr_fn_clamp(uint32_t n, uint32_t most)
{
    return (n < most ? n : 0xFFFEu) & 0xFFFFu;
}

/* Arguments. */
struct small_cxr_call_add { int arg_a; int arg_b; int result; };
struct small_cxr_call_sum { const int *arg_values; int result; };
struct small_cxr_call_knr { int arg_n; int result; };
struct small_cxr_call_move { small_point arg_p; int arg_by; small_point result; };
struct small_cxr_call_open { const char *arg_name; small_handle result; };
struct small_cxr_call_close { small_handle arg_thing; };
struct small_cxr_call_each { const int *arg_values; int arg_n; small_visit arg_visit; int result; };
struct small_cxr_call_watch { small_note arg_note; void *arg_user; };
struct small_cxr_call_control {
    int arg_operation;
    int arg_0_x;
    float arg_1_f;
    uint8_t arg_1_c;
    const char *arg_1_p;
    int result;
};
struct small_cxr_call_request { unsigned long long arg_number; double arg_0_f; int arg_2_x; int result; };
struct small_cxr_call_secret { int arg_n; int result; };
struct small_cxr_call_find { const char *arg_name; void *result; };
struct small_cxr_call_mix {
    unsigned long long arg_big;
    int arg_negative;
    const void *arg_at;
    uint8_t arg_byte;
    uint64_t arg_a;
    int64_t arg_b;
    uint64_t arg_d;
    uint64_t arg_e;
    int arg_h;
    int arg_f;
    int32_t arg_g;
    unsigned long long result;
};
struct small_cxr_call_nothing { char nothing; };
struct small_cxr_callback_Visit { int arg_value; int result; };
struct small_cxr_callback_Note { void *arg_user; const char *arg_text; };

/* The sizes that the plan requires of types in the headers of the library. */
static_assert(sizeof(small_handle) == 4 || sizeof(small_handle) == 8, "a handle has 4 or 8 bytes: describe `small_handle` as a number or a struct");
static_assert(sizeof(unsigned long long) <= 8 && (sizeof(unsigned long long) & (sizeof(unsigned long long) - 1)) == 0, "`unsigned long long` is not a number of at most 8 bytes: write a wider type after `\"unsigned long long\" as`");

#ifdef SMALL_CXR_WORKER
/* The functions of the real library. */
static cxr_function small_cxr_reals[15];
#endif

/* Conversions of integers and addresses to numbers of 128 bits, and back to arguments. */
static inline cxr_int cxr_signed(long long value)
{
    const cxr_int number = { (uint64_t)value, value < 0 ? -1 : 0 };
    return number;
}

static inline cxr_int cxr_unsigned(unsigned long long value)
{
    const cxr_int number = { (uint64_t)value, 0 };
    return number;
}

/* The bits of a number with a fraction. */
static inline uint64_t cxr_double(double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

static inline uint64_t cxr_float(float value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

static inline cxr_int cxr_address(const volatile void *value)
{
    return cxr_unsigned((uintptr_t)value);
}

#ifdef __cplusplus
extern "C++" {
static inline cxr_int cxr_number(int value) { return cxr_signed(value); }
static inline cxr_int cxr_number(long value) { return cxr_signed(value); }
static inline cxr_int cxr_number(long long value) { return cxr_signed(value); }
static inline cxr_int cxr_number(unsigned value) { return cxr_unsigned(value); }
static inline cxr_int cxr_number(unsigned long value) { return cxr_unsigned(value); }
static inline cxr_int cxr_number(unsigned long long value) { return cxr_unsigned(value); }
static inline cxr_int cxr_number(const volatile void *value) { return cxr_address(value); }
struct cxr_argument {
    uint64_t value;
    template <class T> operator T() const { return (T)(uintptr_t)value; }
};
}
#define CXR_INT(value) cxr_number(value)
#define CXR_PASS(number) (cxr_argument{ (number).low })
#else
#define CXR_INT(value) \
    _Generic((value), _Bool: cxr_signed, char: cxr_signed, signed char: cxr_signed, unsigned char: cxr_signed, \
        short: cxr_signed, unsigned short: cxr_signed, int: cxr_signed, unsigned: cxr_unsigned, long: cxr_signed, \
        unsigned long: cxr_unsigned, long long: cxr_signed, unsigned long long: cxr_unsigned, \
        default: cxr_address)(value)
#define CXR_PASS(number) ((uintptr_t)(number).low)
#pragma GCC diagnostic ignored "-Wint-conversion"
#endif
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

#ifndef SMALL_CXR_WORKER
static cxr_int small_cxr_native_0(void *cxr_arguments, const cxr_int *cxr_operands)
{
    struct small_cxr_call_mix *const cxr = (struct small_cxr_call_mix *)cxr_arguments;
    unsigned long long big = cxr->arg_big;
    (void)big;
    (void)cxr_operands;
    return CXR_INT(big);
}
#endif

#ifndef SMALL_CXR_WORKER
static cxr_int small_cxr_native_1(void *cxr_arguments, const cxr_int *cxr_operands)
{
    struct small_cxr_call_mix *const cxr = (struct small_cxr_call_mix *)cxr_arguments;
    int negative = cxr->arg_negative;
    (void)negative;
    (void)cxr_operands;
    return CXR_INT(negative);
}
#endif

#ifndef SMALL_CXR_WORKER
static cxr_int small_cxr_native_2(void *cxr_arguments, const cxr_int *cxr_operands)
{
    struct small_cxr_call_mix *const cxr = (struct small_cxr_call_mix *)cxr_arguments;
    const void *at = cxr->arg_at;
    (void)at;
    (void)cxr_operands;
    return CXR_INT(at);
}
#endif

#ifdef SMALL_CXR_WORKER
static cxr_int small_cxr_native_3(void *cxr_arguments, const cxr_int *cxr_operands)
{
    struct small_cxr_call_mix *const cxr = (struct small_cxr_call_mix *)cxr_arguments;
    uint8_t byte = cxr->arg_byte;
    (void)byte;
    unsigned long long ret = cxr->result;
    (void)ret;
    (void)cxr_operands;
    return CXR_INT(ret + byte + (unsigned)doubled(2));
}
#endif

#ifdef SMALL_CXR_WORKER
static cxr_int small_cxr_native_4(void *cxr_arguments, const cxr_int *cxr_operands)
{
    (void)cxr_arguments;
    return CXR_INT(((int (*)(int))small_cxr_reals[2])((int)cxr_operands[0].low));
}
#endif

static cxr_int small_cxr_native_5(void *cxr_arguments, const cxr_int *cxr_operands)
{
    (void)cxr_arguments;
    return CXR_INT(weighed(CXR_PASS(cxr_operands[0]), CXR_PASS(cxr_operands[1]), CXR_PASS(cxr_operands[2])));
}

static cxr_int small_cxr_native_6(void *cxr_arguments, const cxr_int *cxr_operands)
{
    (void)cxr_arguments;
    const uint64_t bits = (uint64_t)small_cxr_fn_clamp((uint32_t)(cxr_operands[0].low & 0xFFFFFFFFu), (uint32_t)(cxr_operands[1].low & 0xFFu));
    return cxr_signed((long long)((bits ^ 0x8000ull) - 0x8000ull));
}

static cxr_int small_cxr_native_7(void *cxr_arguments, const cxr_int *cxr_operands)
{
    struct small_cxr_call_mix *const cxr = (struct small_cxr_call_mix *)cxr_arguments;
    uint8_t byte = cxr->arg_byte;
    (void)byte;
    (void)cxr_operands;
    {
    byte = (unsigned char)(byte + 1);
    }
    cxr->arg_byte = byte;
    return CXR_INT(0);
}

static cxr_int small_cxr_native_8(void *cxr_arguments, const cxr_int *cxr_operands)
{
    struct small_cxr_call_mix *const cxr = (struct small_cxr_call_mix *)cxr_arguments;
    unsigned long long ret = cxr->result;
    (void)ret;
    (void)cxr_operands;
    {
    if (ret > 5) ret = 5;
    }
    cxr->result = ret;
    return CXR_INT(0);
}

#ifdef SMALL_CXR_WORKER
static void small_cxr_hook_11(void)
{
    hooked = 2;
}

static const cxr_hook small_cxr_hooks[CXR_HOOKS] = { NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, small_cxr_hook_11 };
#define CXR_HOOK_TABLE small_cxr_hooks
#else
static void small_cxr_hook_0(void)
{
    hooked = 1;
}

static const cxr_hook small_cxr_hooks[CXR_HOOKS] = { small_cxr_hook_0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL };
#define CXR_HOOK_TABLE small_cxr_hooks
#endif

#pragma GCC diagnostic pop

/* The marshalling plan; the crate lapis-cx-plan defines its grammar. */
static const uint32_t small_cxr_words[] = {
    105928771, 1, 0, 0, 18, 15, 2, 0, 70, CXR_SIZE(small_handle), 0, 0, 0, 0, 0, 4, CXR_SIZE(struct small_cxr_call_add),
    0, 3, 1, 0, CXR_AT(struct small_cxr_call_add, arg_a), 0, 1, 1, CXR_SIZE(int), 4, 1, 2,
    CXR_AT(struct small_cxr_call_add, arg_b), 0, 1, 1, CXR_SIZE(int), 4, 6, 3,
    CXR_AT(struct small_cxr_call_add, result), 0, 1, 1, CXR_SIZE(int), 4, 7, CXR_SIZE(struct small_cxr_call_sum), 0, 2,
    6, 3, CXR_AT(struct small_cxr_call_sum, result), 0, 1, 1, CXR_SIZE(int), 4, 1, 5,
    CXR_AT(struct small_cxr_call_sum, arg_values), 0, 6, 1, 0, CXR_SIZE(int), 0, 0, 0, 0, 1, 6, 1, 0, 8, 0, 0, 1, 1, 0,
    0, 1, 1, CXR_SIZE(int), 4, 9, CXR_SIZE(struct small_cxr_call_knr), 0, 2, 1, 8,
    CXR_AT(struct small_cxr_call_knr, arg_n), 0, 1, 1, CXR_SIZE(int), 4, 6, 3,
    CXR_AT(struct small_cxr_call_knr, result), 0, 1, 1, CXR_SIZE(int), 4, 12, CXR_SIZE(small_point), 0, 2, 1, 10,
    CXR_AT(small_point, x), 0, 1, 1, CXR_SIZE(int), 4, 1, 11, CXR_AT(small_point, tag), 0, 1, 0, CXR_SIZE(uint8_t), 1,
    12, CXR_SIZE(small_point), 0, 2, 2, 10, CXR_AT(small_point, x), 0, 1, 1, CXR_SIZE(int), 4, 2, 11,
    CXR_AT(small_point, tag), 0, 1, 0, CXR_SIZE(uint8_t), 1, 15, CXR_SIZE(struct small_cxr_call_move), 0, 3, 1, 13,
    CXR_AT(struct small_cxr_call_move, arg_by), 0, 1, 1, CXR_SIZE(int), 4, 1, 14,
    CXR_AT(struct small_cxr_call_move, arg_p), 0, 4, 3, 6, 3, CXR_AT(struct small_cxr_call_move, result), 0, 4, 4, 18,
    CXR_SIZE(struct small_cxr_call_open), 0, 2, 6, 3, CXR_AT(struct small_cxr_call_open, result), 0, 3, 1, 0,
    CXR_SIZE(small_handle), 0, 1, 16, CXR_AT(struct small_cxr_call_open, arg_name), 0, 6, 129, 0, CXR_SIZE(char), 0, 0,
    0, 0, 0, 1, 2, CXR_SIZE(char), 17, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2, CXR_SIZE(char), 1, 20,
    CXR_SIZE(struct small_cxr_call_close), 0, 1, 1, 19, CXR_AT(struct small_cxr_call_close, arg_thing), 0, 3, 2, 0,
    CXR_SIZE(small_handle), 0, 22, CXR_SIZE(struct small_cxr_call_each), 0, 4, 1, 8,
    CXR_AT(struct small_cxr_call_each, arg_n), 0, 1, 1, CXR_SIZE(int), 4, 6, 3,
    CXR_AT(struct small_cxr_call_each, result), 0, 1, 1, CXR_SIZE(int), 4, 1, 5,
    CXR_AT(struct small_cxr_call_each, arg_values), 0, 6, 129, 0, CXR_SIZE(int), 0, 0, 0, 0, 1, 8, 3, 2, 12,
    CXR_AT(struct small_cxr_call_each, arg_n), 13, 1, CXR_SIZE(int), 0, 0, 1, 1, 0, 0, 1, 1, CXR_SIZE(int), 4, 1, 21,
    CXR_AT(struct small_cxr_call_each, arg_visit), 0, 7, 0, 0, 0, 25, CXR_SIZE(struct small_cxr_call_watch), 0, 2, 1,
    23, CXR_AT(struct small_cxr_call_watch, arg_note), 0, 7, 1, 0, 0, 1, 24,
    CXR_AT(struct small_cxr_call_watch, arg_user), 0, 8, 1, 1, 1, 23, 3, 2, 12,
    CXR_AT(struct small_cxr_call_watch, arg_note), 14, CXR_SIZE(void *), 0, 29, CXR_SIZE(struct small_cxr_call_control),
    0, 6, 1, 26, CXR_AT(struct small_cxr_call_control, arg_operation), 0, 1, 1, CXR_SIZE(int), 4, 6, 3,
    CXR_AT(struct small_cxr_call_control, result), 0, 1, 1, CXR_SIZE(int), 4, 1, 10,
    CXR_AT(struct small_cxr_call_control, arg_0_x), 0, 13, 26, 3, 2, 12,
    CXR_AT(struct small_cxr_call_control, arg_operation), 13, 1, CXR_SIZE(int), 2, 1, 2, 4, 1, 1, 0, 0, 1, 1,
    CXR_SIZE(int), 4, 5, 2, 4, 0xFFFFFFEEu, 0xFFFFFFFEu, 8, 10, 0, 2, 4, 8, 0, 1, 0, 0, 0, 0, 1, 27,
    CXR_AT(struct small_cxr_call_control, arg_1_f), 0, 13, 26, 3, 2, 12,
    CXR_AT(struct small_cxr_call_control, arg_operation), 13, 1, CXR_SIZE(int), 1, 2, 0xFFFFFFEEu, 0xFFFFFFFEu, 8, 10,
    1, 1, 0, 0, 1, 5, CXR_SIZE(float), 4, 1, 0, 1, 0, 0, 0, 1, 28, CXR_AT(struct small_cxr_call_control, arg_1_c), 0,
    13, 26, 3, 2, 12, CXR_AT(struct small_cxr_call_control, arg_operation), 13, 1, CXR_SIZE(int), 1, 2, 0xFFFFFFEEu,
    0xFFFFFFFEu, 8, 10, 1, 1, 0, 0, 1, 0, CXR_SIZE(uint8_t), 1, 1, 0, 1, 0, 0, 0, 1, 14,
    CXR_AT(struct small_cxr_call_control, arg_1_p), 0, 13, 26, 3, 2, 12,
    CXR_AT(struct small_cxr_call_control, arg_operation), 13, 1, CXR_SIZE(int), 1, 2, 0xFFFFFFEEu, 0xFFFFFFFEu, 8, 10,
    1, 1, 0, 0, 6, 129, 0, CXR_SIZE(char), 0, 0, 0, 0, 0, 1, 2, CXR_SIZE(char), 17, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2,
    CXR_SIZE(char), 1, 1, 0, 1, 0, 0, 0, 31, CXR_SIZE(struct small_cxr_call_request), 0, 4, 1, 30,
    CXR_AT(struct small_cxr_call_request, arg_number), 0, 1, 0, CXR_SIZE(unsigned long long), 8, 6, 3,
    CXR_AT(struct small_cxr_call_request, result), 0, 1, 1, CXR_SIZE(int), 4, 1, 27,
    CXR_AT(struct small_cxr_call_request, arg_0_f), 0, 13, 30, 3, 2, 12,
    CXR_AT(struct small_cxr_call_request, arg_number), 13, 0, CXR_SIZE(unsigned long long), 2, 1, 1, 0xFFFFFFFFu,
    2147483647, 0, 0, 1, 1, 0x80000000u, 0, 0, 1, 1, 0, 0, 1, 5, CXR_SIZE(double), 8, 3, 1, 0xFFFFFFFFu, 2147483647, 0,
    0, 1, 1, 0x80000000u, 0, 0, 0xFFFFFFFEu, 0, 1, 0xFFFFFFFFu, 0xFFFFFFFFu, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1,
    10, CXR_AT(struct small_cxr_call_request, arg_2_x), 0, 13, 30, 3, 2, 12,
    CXR_AT(struct small_cxr_call_request, arg_number), 13, 0, CXR_SIZE(unsigned long long), 1, 1, 1, 0xFFFFFFFFu,
    0xFFFFFFFFu, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 1, CXR_SIZE(int), 4, 1, 0, 1, 0, 0, 0, 32,
    CXR_SIZE(struct small_cxr_call_secret), 0, 2, 1, 8, CXR_AT(struct small_cxr_call_secret, arg_n), 0, 1, 1,
    CXR_SIZE(int), 4, 6, 3, CXR_AT(struct small_cxr_call_secret, result), 0, 1, 1, CXR_SIZE(int), 4, 33,
    CXR_SIZE(struct small_cxr_call_find), 0, 2, 1, 16, CXR_AT(struct small_cxr_call_find, arg_name), 0, 6, 129, 0,
    CXR_SIZE(char), 0, 0, 0, 0, 0, 1, 2, CXR_SIZE(char), 17, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2, CXR_SIZE(char), 1, 6, 3,
    CXR_AT(struct small_cxr_call_find, result), 0, 11, 16, 3, 2, 12, CXR_AT(struct small_cxr_call_find, arg_name), 14,
    CXR_SIZE(void *), 42, CXR_SIZE(struct small_cxr_call_mix), 0, 12, 1, 34, CXR_AT(struct small_cxr_call_mix, arg_big),
    0, 1, 0, CXR_SIZE(unsigned long long), 8, 1, 35, CXR_AT(struct small_cxr_call_mix, arg_negative), 0, 1, 1,
    CXR_SIZE(int), 4, 1, 36, CXR_AT(struct small_cxr_call_mix, arg_at), 0, 2, 0, 1, 37,
    CXR_AT(struct small_cxr_call_mix, arg_byte), 0, 1, 0, CXR_SIZE(uint8_t), 1, 1, 0,
    CXR_AT(struct small_cxr_call_mix, arg_a), 0, 1, 0, CXR_SIZE(uint64_t), 8, 1, 2,
    CXR_AT(struct small_cxr_call_mix, arg_b), 0, 1, 1, CXR_SIZE(int64_t), 8, 1, 38,
    CXR_AT(struct small_cxr_call_mix, arg_d), 0, 1, 0, CXR_SIZE(uint64_t), 8, 2, 39,
    CXR_AT(struct small_cxr_call_mix, arg_e), 0, 1, 0, CXR_SIZE(uint64_t), 8, 2, 40,
    CXR_AT(struct small_cxr_call_mix, arg_h), 0, 1, 1, CXR_SIZE(int), 4, 1, 27,
    CXR_AT(struct small_cxr_call_mix, arg_f), 0, 1, 1, CXR_SIZE(int), 4, 1, 41,
    CXR_AT(struct small_cxr_call_mix, arg_g), 0, 1, 1, CXR_SIZE(int32_t), 4, 6, 3,
    CXR_AT(struct small_cxr_call_mix, result), 0, 1, 0, CXR_SIZE(unsigned long long), 8, 43,
    CXR_SIZE(struct small_cxr_call_nothing), 0, 0, 45, CXR_SIZE(struct small_cxr_callback_Visit), 0, 2, 1, 44,
    CXR_AT(struct small_cxr_callback_Visit, arg_value), 0, 1, 1, CXR_SIZE(int), 4, 6, 3,
    CXR_AT(struct small_cxr_callback_Visit, result), 0, 1, 1, CXR_SIZE(int), 4, 47,
    CXR_SIZE(struct small_cxr_callback_Note), 0, 2, 1, 24, CXR_AT(struct small_cxr_callback_Note, arg_user), 0, 8, 0, 0,
    1, 46, CXR_AT(struct small_cxr_callback_Note, arg_text), 0, 6, 129, 0, CXR_SIZE(char), 0, 0, 0, 0, 0, 1, 2,
    CXR_SIZE(char), 17, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2, CXR_SIZE(char), 1, 48, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 49, 1, 0, 7, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50, 1, 0, 9, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 51, 1, 0, 15, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 52, 1, 0, 18, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    53, 1, 0, 20, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 54, 1, 0, 22, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 55,
    1, 0, 25, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 56, 0, 57, 1, 0, 29, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    58, 1, 0, 31, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 59, 1, 0, 32, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    60, 1, 0, 33, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 61, 1, 0, 42, 14, 0, 7, 0,
    CXR_AT(struct small_cxr_call_mix, arg_a), CXR_SIZE(uint64_t), 62, 1, 28, 0, 0, 0, 0,
    CXR_AT(struct small_cxr_call_mix, arg_b), CXR_SIZE(int64_t), 63, 1, 28, 1, 0, 0, 0,
    CXR_AT(struct small_cxr_call_mix, arg_d), CXR_SIZE(uint64_t), 64, 1, 28, 2, 0, 0, 1,
    CXR_AT(struct small_cxr_call_mix, arg_e), CXR_SIZE(uint64_t), 65, 1, 28, 3, 0, 0, 1,
    CXR_AT(struct small_cxr_call_mix, arg_h), CXR_SIZE(int), 66, 4, 2, 12,
    CXR_AT(struct small_cxr_call_mix, arg_negative), 13, 1, CXR_SIZE(int), 28, 4, 1, 1, 0,
    CXR_AT(struct small_cxr_call_mix, arg_f), CXR_SIZE(int), 67, 10, 2, 12, CXR_AT(struct small_cxr_call_mix, arg_at),
    14, CXR_SIZE(void *), 2, 12, CXR_AT(struct small_cxr_call_mix, arg_byte), 13, 0, CXR_SIZE(uint8_t), 2, 12,
    CXR_AT(struct small_cxr_call_mix, arg_big), 13, 0, CXR_SIZE(unsigned long long), 28, 5, 3, 0, 0,
    CXR_AT(struct small_cxr_call_mix, arg_g), CXR_SIZE(int32_t), 68, 7, 2, 12,
    CXR_AT(struct small_cxr_call_mix, arg_negative), 13, 1, CXR_SIZE(int), 2, 12,
    CXR_AT(struct small_cxr_call_mix, arg_byte), 13, 0, CXR_SIZE(uint8_t), 28, 6, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
    0, 1, 7, 0, 0, 8, 69, 1, 0, 43, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 45, 16, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 47, 17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

static const char *const small_cxr_texts[] = {
    "a", "", "b", "ret", "add", "values", "4", "sum", "n", "knr", "x", "tag", "Point", "by", "p", "move", "name", "0",
    "open", "thing", "close", "visit", "each", "note", "user", "watch", "operation", "f", "c", "control", "number",
    "request", "secret", "find", "big", "negative", "at", "byte", "d", "e", "h", "g", "mix", "nothing", "value",
    "Visit", "text", "Note", "small_add", "small_sum", "small_old", "small_move", "small_open", "small_close",
    "small_each", "small_watch", "small_format", "small_control", "small_request", "small_secret", "small_find",
    "small_mix", "c \"big\"", "c \"negative\"", "c \"at\"", "c \"ret + byte + (unsigned)doubled(2)\"", "knr(negative)",
    "weighed(at, byte, big)", "clamp(negative, byte)", "small_nothing", "Handle",
};

static const cxr_native small_cxr_natives[] = {
#ifdef SMALL_CXR_WORKER
    NULL, NULL, NULL, small_cxr_native_3, small_cxr_native_4, small_cxr_native_5, small_cxr_native_6,
    small_cxr_native_7, small_cxr_native_8,
#else
    small_cxr_native_0, small_cxr_native_1, small_cxr_native_2, NULL, NULL, small_cxr_native_5, small_cxr_native_6,
    small_cxr_native_7, small_cxr_native_8,
#endif
};

static const cxr_library small_cxr_library = {
    CXR_ABI,
    15,
    2,
    "test.small:Small",
    "1.1",
    "libsmall.so.1",
    {
    0x3B, 0x74, 0x1B, 0x10, 0x5C, 0x20, 0xF0, 0x51, 0x6A, 0x22, 0x05, 0x5B, 0x22, 0x51, 0xFE, 0x4E, 0x84, 0x5F, 0x35,
    0x2E, 0x38, 0x5C, 0x3D, 0x7E, 0x28, 0xFE, 0x24, 0x7B, 0x5E, 0x96, 0x7C, 0x50,
    },
    small_cxr_words,
    sizeof small_cxr_words / sizeof small_cxr_words[0],
    small_cxr_texts,
    sizeof small_cxr_texts / sizeof small_cxr_texts[0],
    small_cxr_natives,
    sizeof small_cxr_natives / sizeof small_cxr_natives[0],
    CXR_HOOK_TABLE,
};

#ifdef __cplusplus
}
#endif
#endif
