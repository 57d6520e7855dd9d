/* org_tinker_tinker__RocknRoll.h
 * Generated from org.tinker.tinker:RocknRoll by cxc; do not edit.
 */
#ifndef CX_GENERATED_org_tinker_tinker__RocknRoll_H
#define CX_GENERATED_org_tinker_tinker__RocknRoll_H

#include <stdbool.h>

/* the text of cx_abi.h */

#ifdef __cplusplus
extern "C" {
#endif

/* Overloadable opcodes. A CPU that has them elsewhere than on custom-3 needs another CX_XCMD_OPCODE. */
#ifndef CX_XCMD_OPCODE
#define CX_XCMD_OPCODE 0x7B
#endif
#ifndef CX_XCMD_TEXT
#define CX_XCMD_TEXT_OF(opcode) #opcode
#define CX_XCMD_TEXT(opcode) CX_XCMD_TEXT_OF(opcode)
/* What a command does in software that no device answers, or that its device answers with a trap. */
#ifndef CX_XCMD_TRAP
#ifdef __GNUC__
#define CX_XCMD_TRAP() __builtin_trap()
#else
#include <stdlib.h>
#define CX_XCMD_TRAP() abort()
#endif
#endif

/* With CX_XCMD_CPU: the processor in software of xext.h, which a platform's file has. */
#ifdef CX_XCMD_CPU
cx_word_t cx_cpu_xext(uint32_t fallback, cx_word_t rs1, cx_word_t rs2);
cx_word_t cx_cpu_xcmd(uint32_t command, cx_word_t rs1, cx_word_t rs2);
#endif

/* What a lookup gives and a command takes: bits 11:0 are the lun of a device, the rest is data. */
typedef struct cx_cookie {
    cx_word_t bits;
} cx_cookie_t;

#define CX_LUN_TRAP 0u         /* no such device: commands trap */
#define CX_LUN_ZERO 1u         /* no such device: commands give 0 */
#define CX_LUN_MINUS_ONE 2u    /* no such device: commands give -1 */
#define CX_LUN_FIRST_DEVICE 32u /* luns below are fallbacks, error numbers and reserved */
#define CX_LUN_SOFTWARE 0xFFFu /* without hardware: the software functions of the interface */

static inline uint32_t cx_cookie_lun(cx_cookie_t cookie)
{
    return (uint32_t)(cookie.bits & 0xFFFu);
}
static inline bool cx_cookie_is_device(cx_cookie_t cookie)
{
    return cx_cookie_lun(cookie) >= CX_LUN_FIRST_DEVICE;
}
static inline cx_word_t cx_cookie_data(cx_cookie_t cookie)
{
    return cookie.bits >> 12;
}
/* The same lun with other data, of which CX_XLEN - 12 bits count. */
static inline cx_cookie_t cx_cookie_with(cx_cookie_t cookie, cx_word_t data)
{
    cx_cookie_t with = {(cx_word_t)(data << 12 | cx_cookie_lun(cookie))};
    return with;
}
/* A register as a cookie: a device may give one as the result of a command. */
static inline cx_cookie_t cx_cookie_from(cx_word_t bits)
{
    cx_cookie_t cookie = {bits};
    return cookie;
}
/* In software: what a command gives whose cookie names no device. */
static inline cx_word_t cx_lun_value(cx_cookie_t cookie)
{
    if (cx_cookie_lun(cookie) != CX_LUN_ZERO && cx_cookie_lun(cookie) != CX_LUN_MINUS_ONE) {
        CX_XCMD_TRAP();
    }
    return cx_cookie_lun(cookie) == CX_LUN_MINUS_ONE ? (cx_word_t)-1 : 0u;
}
#endif

/* Overloadable-opcode id: 20 bits, and 52 bits for RV64. */
#define org_tinker_tinker__RocknRoll__xintf 0x12345u
#define org_tinker_tinker__RocknRoll__xintf52 0x0000000012345ull

/* The contract hash: SHA-256 of what the commands mean. */
static const uint8_t org_tinker_tinker__RocknRoll__contract[32] = {
    0xC6, 0x8E, 0x01, 0xEF, 0xFB, 0x12, 0x09, 0x89,
    0xF6, 0xD6, 0xCB, 0x9B, 0x5E, 0xA6, 0x5D, 0x60,
    0xDB, 0x3D, 0x46, 0xB3, 0xE0, 0x24, 0xB6, 0x23,
    0x45, 0xDC, 0x35, 0x62, 0xB1, 0x9E, 0x90, 0x17,
};

#if CX_XLEN == 32

/* Function ids. */
#define org_tinker_tinker__RocknRoll__id_rock 0u
#define org_tinker_tinker__RocknRoll__id_roll 1u
#define org_tinker_tinker__RocknRoll__id_stop 2u
#define org_tinker_tinker__RocknRoll__id_open 3u
#define org_tinker_tinker__RocknRoll__id_both 4u
#define org_tinker_tinker__RocknRoll__id_shut 7u

/* In software: operands count by their low bits. */
uint32_t org_tinker_tinker__RocknRoll__sw_rock(uint32_t a, uint32_t b);
uint32_t org_tinker_tinker__RocknRoll__sw_roll(uint32_t a, uint32_t b);
int8_t org_tinker_tinker__RocknRoll__sw_stop(int8_t a, bool on);
/**
 * The same; `*status` becomes the response.
 * `CX_RESPONSE_TRAP` says that the command traps; a runtime without levels takes it for `CX_RESPONSE_CXU`.
 */
int8_t org_tinker_tinker__RocknRoll__sw_stop_st(int8_t a, bool on, uint32_t *status);
uint32_t org_tinker_tinker__RocknRoll__sw_open(void);
bool org_tinker_tinker__RocknRoll__sw_both(int16_t b);
void org_tinker_tinker__RocknRoll__sw_shut(uint32_t b);
/** Any command, by what its registers hold; `state` is null without state. Returns the response. */
uint32_t org_tinker_tinker__RocknRoll__sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd);

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
static inline bool org_tinker_tinker__RocknRoll__both(int16_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 4, 0, %0, x0, %1" : "=r"(rd) : "r"((cx_reg_t)(cx_word_t)b));
    return (rd & 1u) != 0;
}
static inline bool org_tinker_tinker__RocknRoll__both_in(int16_t b)
{
    cx_reg_t rd;
    __asm__(".insn r 0x0B, 4, 0, %0, x0, %1" : "=r"(rd) : "r"((cx_reg_t)(cx_word_t)b), CX_SELECTION);
    return (rd & 1u) != 0;
}
#else
static inline bool org_tinker_tinker__RocknRoll__both(int16_t b)
{
    return (cx_issue(org_tinker_tinker__RocknRoll__id_both, 0, (cx_reg_t)(cx_word_t)b) & 1u) != 0;
}
#define org_tinker_tinker__RocknRoll__both_in org_tinker_tinker__RocknRoll__both
#endif

/* To the device that a cookie names: one instruction on RISC-V. Elsewhere, and with CX_XCMD_SOFTWARE, the software. With
 * CX_XCMD_CPU a processor in software, which a platform describes. */
#if defined CX_XCMD_CPU
/** The default device is number 0. If there is no such device, commands trap. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext(uint32_t device)
{
    cx_word_t id = (cx_word_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf << 12 | (device & 0xFFFu));
    cx_cookie_t cookie = {cx_cpu_xext(0u, id, 0)};
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext_with(uint32_t device, cx_word_t data)
{
    cx_word_t id = (cx_word_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf << 12 | (device & 0xFFFu));
    cx_cookie_t cookie = {cx_cpu_xext(0u, id, data)};
    return cookie;
}
/** The default device is number 0. If there is no such device, commands give 0. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext0(uint32_t device)
{
    cx_word_t id = (cx_word_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf << 12 | (device & 0xFFFu));
    cx_cookie_t cookie = {cx_cpu_xext(1u, id, 0)};
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext0_with(uint32_t device, cx_word_t data)
{
    cx_word_t id = (cx_word_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf << 12 | (device & 0xFFFu));
    cx_cookie_t cookie = {cx_cpu_xext(1u, id, data)};
    return cookie;
}
/** The default device is number 0. If there is no such device, commands give -1. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xextm1(uint32_t device)
{
    cx_word_t id = (cx_word_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf << 12 | (device & 0xFFFu));
    cx_cookie_t cookie = {cx_cpu_xext(2u, id, 0)};
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xextm1_with(uint32_t device, cx_word_t data)
{
    cx_word_t id = (cx_word_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf << 12 | (device & 0xFFFu));
    cx_cookie_t cookie = {cx_cpu_xext(2u, id, data)};
    return cookie;
}
/** `a` takes the place of the cookie's data. */
static inline uint32_t org_tinker_tinker__RocknRoll__rock(cx_cookie_t cookie, uint32_t a, uint32_t b)
{
    cx_word_t rd = cx_cpu_xcmd(0u, cx_cookie_with(cookie, (cx_word_t)a).bits, (cx_word_t)b);
    return (uint32_t)rd;
}
/** The cookie's data is `a`. */
static inline uint32_t org_tinker_tinker__RocknRoll__rock_cookie(cx_cookie_t cookie, uint32_t b)
{
    cx_word_t rd = cx_cpu_xcmd(0u, cookie.bits, (cx_word_t)b);
    return (uint32_t)rd;
}
/** `a` takes the place of the cookie's data. */
static inline uint32_t org_tinker_tinker__RocknRoll__roll(cx_cookie_t cookie, uint32_t a, uint32_t b)
{
    cx_word_t rd = cx_cpu_xcmd(1u, cx_cookie_with(cookie, (cx_word_t)a).bits, (cx_word_t)b);
    return (uint32_t)rd;
}
/** The cookie's data is `a`. */
static inline uint32_t org_tinker_tinker__RocknRoll__roll_cookie(cx_cookie_t cookie, uint32_t b)
{
    cx_word_t rd = cx_cpu_xcmd(1u, cookie.bits, (cx_word_t)b);
    return (uint32_t)rd;
}
/** `a` takes the place of the cookie's data. */
static inline int8_t org_tinker_tinker__RocknRoll__stop(cx_cookie_t cookie, int8_t a, bool on)
{
    cx_word_t rd = cx_cpu_xcmd(2u, cx_cookie_with(cookie, (cx_word_t)a).bits, (cx_word_t)on);
    return (int8_t)rd;
}
/** The cookie's data is `a`. */
static inline int8_t org_tinker_tinker__RocknRoll__stop_cookie(cx_cookie_t cookie, bool on)
{
    cx_word_t rd = cx_cpu_xcmd(2u, cookie.bits, (cx_word_t)on);
    return (int8_t)rd;
}
/** The device gets the cookie's data. */
static inline uint32_t org_tinker_tinker__RocknRoll__open(cx_cookie_t cookie)
{
    cx_word_t rd = cx_cpu_xcmd(3u, cookie.bits, 0);
    return (uint32_t)rd;
}
/** The device gets the cookie's data. */
static inline bool org_tinker_tinker__RocknRoll__both_x(cx_cookie_t cookie, int16_t b)
{
    cx_word_t rd = cx_cpu_xcmd(4u, cookie.bits, (cx_word_t)b);
    return (rd & 1u) != 0;
}
/** The device gets the cookie's data. */
static inline void org_tinker_tinker__RocknRoll__shut(cx_cookie_t cookie, uint32_t b)
{
    (void)cx_cpu_xcmd(7u, cookie.bits, (cx_word_t)b);
}
#elif CX_ON_HART && !defined CX_XCMD_SOFTWARE
/** The default device is number 0. If there is no such device, commands trap. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext(uint32_t device)
{
    cx_cookie_t cookie;
    cx_reg_t id = (cx_reg_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf) << 12 | (device & 0xFFFu);
    __asm__(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 0, 1, %0, %1, x0" : "=r"(cookie.bits) : "r"(id));
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext_with(uint32_t device, cx_word_t data)
{
    cx_cookie_t cookie;
    cx_reg_t id = (cx_reg_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf) << 12 | (device & 0xFFFu);
    __asm__(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 0, 1, %0, %1, %2" : "=r"(cookie.bits) : "r"(id), "r"((cx_reg_t)data));
    return cookie;
}
/** The default device is number 0. If there is no such device, commands give 0. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext0(uint32_t device)
{
    cx_cookie_t cookie;
    cx_reg_t id = (cx_reg_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf) << 12 | (device & 0xFFFu);
    __asm__(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 1, 1, %0, %1, x0" : "=r"(cookie.bits) : "r"(id));
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext0_with(uint32_t device, cx_word_t data)
{
    cx_cookie_t cookie;
    cx_reg_t id = (cx_reg_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf) << 12 | (device & 0xFFFu);
    __asm__(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 1, 1, %0, %1, %2" : "=r"(cookie.bits) : "r"(id), "r"((cx_reg_t)data));
    return cookie;
}
/** The default device is number 0. If there is no such device, commands give -1. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xextm1(uint32_t device)
{
    cx_cookie_t cookie;
    cx_reg_t id = (cx_reg_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf) << 12 | (device & 0xFFFu);
    __asm__(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 2, 1, %0, %1, x0" : "=r"(cookie.bits) : "r"(id));
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xextm1_with(uint32_t device, cx_word_t data)
{
    cx_cookie_t cookie;
    cx_reg_t id = (cx_reg_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf) << 12 | (device & 0xFFFu);
    __asm__(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 2, 1, %0, %1, %2" : "=r"(cookie.bits) : "r"(id), "r"((cx_reg_t)data));
    return cookie;
}
/** `a` takes the place of the cookie's data. */
static inline uint32_t org_tinker_tinker__RocknRoll__rock(cx_cookie_t cookie, uint32_t a, uint32_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 0, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cx_cookie_with(cookie, (cx_word_t)a).bits), "r"((cx_reg_t)b));
    return (uint32_t)rd;
}
/** The cookie's data is `a`. */
static inline uint32_t org_tinker_tinker__RocknRoll__rock_cookie(cx_cookie_t cookie, uint32_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 0, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cookie.bits), "r"((cx_reg_t)b));
    return (uint32_t)rd;
}
/** `a` takes the place of the cookie's data. */
static inline uint32_t org_tinker_tinker__RocknRoll__roll(cx_cookie_t cookie, uint32_t a, uint32_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 1, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cx_cookie_with(cookie, (cx_word_t)a).bits), "r"((cx_reg_t)b));
    return (uint32_t)rd;
}
/** The cookie's data is `a`. */
static inline uint32_t org_tinker_tinker__RocknRoll__roll_cookie(cx_cookie_t cookie, uint32_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 1, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cookie.bits), "r"((cx_reg_t)b));
    return (uint32_t)rd;
}
/** `a` takes the place of the cookie's data. */
static inline int8_t org_tinker_tinker__RocknRoll__stop(cx_cookie_t cookie, int8_t a, bool on)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 2, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cx_cookie_with(cookie, (cx_word_t)a).bits), "r"((cx_reg_t)on));
    return (int8_t)rd;
}
/** The cookie's data is `a`. */
static inline int8_t org_tinker_tinker__RocknRoll__stop_cookie(cx_cookie_t cookie, bool on)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 2, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cookie.bits), "r"((cx_reg_t)on));
    return (int8_t)rd;
}
/** The device gets the cookie's data. */
static inline uint32_t org_tinker_tinker__RocknRoll__open(cx_cookie_t cookie)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 3, 0, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)cookie.bits));
    return (uint32_t)rd;
}
/** The device gets the cookie's data. */
static inline bool org_tinker_tinker__RocknRoll__both_x(cx_cookie_t cookie, int16_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 4, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cookie.bits), "r"((cx_reg_t)(cx_word_t)b));
    return (rd & 1u) != 0;
}
/** The device gets the cookie's data. */
static inline void org_tinker_tinker__RocknRoll__shut(cx_cookie_t cookie, uint32_t b)
{
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 7, 0, x0, %0, %1" :  : "r"((cx_reg_t)cookie.bits), "r"((cx_reg_t)b));
}
#else
/** The default device is number 0. If there is no such device, commands trap. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext(uint32_t device)
{
    cx_cookie_t cookie = {(device & 0xFFFu) == 0 ? CX_LUN_SOFTWARE : 0x0u};
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext_with(uint32_t device, cx_word_t data)
{
    cx_cookie_t cookie = {(device & 0xFFFu) == 0 ? (cx_word_t)(data << 12 | CX_LUN_SOFTWARE) : 0x0u};
    return cookie;
}
/** The default device is number 0. If there is no such device, commands give 0. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext0(uint32_t device)
{
    cx_cookie_t cookie = {(device & 0xFFFu) == 0 ? CX_LUN_SOFTWARE : 0x1u};
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext0_with(uint32_t device, cx_word_t data)
{
    cx_cookie_t cookie = {(device & 0xFFFu) == 0 ? (cx_word_t)(data << 12 | CX_LUN_SOFTWARE) : 0x1u};
    return cookie;
}
/** The default device is number 0. If there is no such device, commands give -1. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xextm1(uint32_t device)
{
    cx_cookie_t cookie = {(device & 0xFFFu) == 0 ? CX_LUN_SOFTWARE : 0x2u};
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xextm1_with(uint32_t device, cx_word_t data)
{
    cx_cookie_t cookie = {(device & 0xFFFu) == 0 ? (cx_word_t)(data << 12 | CX_LUN_SOFTWARE) : 0x2u};
    return cookie;
}
/** `a` takes the place of the cookie's data. */
static inline uint32_t org_tinker_tinker__RocknRoll__rock(cx_cookie_t cookie, uint32_t a, uint32_t b)
{
    if (cx_cookie_lun(cookie) != CX_LUN_SOFTWARE) {
        cx_word_t rd = cx_lun_value(cookie);
        return (uint32_t)rd;
    }
    return org_tinker_tinker__RocknRoll__sw_rock(a, b);
}
/** The cookie's data is `a`. */
static inline uint32_t org_tinker_tinker__RocknRoll__rock_cookie(cx_cookie_t cookie, uint32_t b)
{
    return org_tinker_tinker__RocknRoll__rock(cookie, (uint32_t)cx_cookie_data(cookie), b);
}
/** `a` takes the place of the cookie's data. */
static inline uint32_t org_tinker_tinker__RocknRoll__roll(cx_cookie_t cookie, uint32_t a, uint32_t b)
{
    if (cx_cookie_lun(cookie) != CX_LUN_SOFTWARE) {
        cx_word_t rd = cx_lun_value(cookie);
        return (uint32_t)rd;
    }
    return org_tinker_tinker__RocknRoll__sw_roll(a, b);
}
/** The cookie's data is `a`. */
static inline uint32_t org_tinker_tinker__RocknRoll__roll_cookie(cx_cookie_t cookie, uint32_t b)
{
    return org_tinker_tinker__RocknRoll__roll(cookie, (uint32_t)cx_cookie_data(cookie), b);
}
/** `a` takes the place of the cookie's data. */
static inline int8_t org_tinker_tinker__RocknRoll__stop(cx_cookie_t cookie, int8_t a, bool on)
{
    if (cx_cookie_lun(cookie) != CX_LUN_SOFTWARE) {
        cx_word_t rd = cx_lun_value(cookie);
        return (int8_t)rd;
    }
    uint32_t cookie_status;
    int8_t rd = org_tinker_tinker__RocknRoll__sw_stop_st(a, on, &cookie_status);
    if (cookie_status == CX_RESPONSE_TRAP) {
        CX_XCMD_TRAP();
    }
    return rd;
}
/** The cookie's data is `a`. */
static inline int8_t org_tinker_tinker__RocknRoll__stop_cookie(cx_cookie_t cookie, bool on)
{
    return org_tinker_tinker__RocknRoll__stop(cookie, (int8_t)cx_cookie_data(cookie), on);
}
/** The device gets the cookie's data. */
static inline uint32_t org_tinker_tinker__RocknRoll__open(cx_cookie_t cookie)
{
    if (cx_cookie_lun(cookie) != CX_LUN_SOFTWARE) {
        cx_word_t rd = cx_lun_value(cookie);
        return (uint32_t)rd;
    }
    return org_tinker_tinker__RocknRoll__sw_open();
}
/** The device gets the cookie's data. */
static inline bool org_tinker_tinker__RocknRoll__both_x(cx_cookie_t cookie, int16_t b)
{
    if (cx_cookie_lun(cookie) != CX_LUN_SOFTWARE) {
        cx_word_t rd = cx_lun_value(cookie);
        return (rd & 1u) != 0;
    }
    return org_tinker_tinker__RocknRoll__sw_both(b);
}
/** The device gets the cookie's data. */
static inline void org_tinker_tinker__RocknRoll__shut(cx_cookie_t cookie, uint32_t b)
{
    if (cx_cookie_lun(cookie) != CX_LUN_SOFTWARE) {
        (void)cx_lun_value(cookie);
        return;
    }
    org_tinker_tinker__RocknRoll__sw_shut(b);
}
#endif

#elif CX_XLEN == 64

/* Function ids. */
#define org_tinker_tinker__RocknRoll__id_rock 0u
#define org_tinker_tinker__RocknRoll__id_roll 1u
#define org_tinker_tinker__RocknRoll__id_stop 2u
#define org_tinker_tinker__RocknRoll__id_open 3u
#define org_tinker_tinker__RocknRoll__id_both 4u
#define org_tinker_tinker__RocknRoll__id_shut 7u

/* In software: operands count by their low bits. */
uint64_t org_tinker_tinker__RocknRoll__sw_rock(uint64_t a, uint64_t b);
uint64_t org_tinker_tinker__RocknRoll__sw_roll(uint64_t a, uint64_t b);
int8_t org_tinker_tinker__RocknRoll__sw_stop(int8_t a, bool on);
/**
 * The same; `*status` becomes the response.
 * `CX_RESPONSE_TRAP` says that the command traps; a runtime without levels takes it for `CX_RESPONSE_CXU`.
 */
int8_t org_tinker_tinker__RocknRoll__sw_stop_st(int8_t a, bool on, uint32_t *status);
uint64_t org_tinker_tinker__RocknRoll__sw_open(void);
bool org_tinker_tinker__RocknRoll__sw_both(int16_t b);
void org_tinker_tinker__RocknRoll__sw_shut(uint64_t b);
/** Any command, by what its registers hold; `state` is null without state. Returns the response. */
uint32_t org_tinker_tinker__RocknRoll__sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd);

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
static inline bool org_tinker_tinker__RocknRoll__both(int16_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r 0x0B, 4, 0, %0, x0, %1" : "=r"(rd) : "r"((cx_reg_t)(cx_word_t)b));
    return (rd & 1u) != 0;
}
static inline bool org_tinker_tinker__RocknRoll__both_in(int16_t b)
{
    cx_reg_t rd;
    __asm__(".insn r 0x0B, 4, 0, %0, x0, %1" : "=r"(rd) : "r"((cx_reg_t)(cx_word_t)b), CX_SELECTION);
    return (rd & 1u) != 0;
}
#else
static inline bool org_tinker_tinker__RocknRoll__both(int16_t b)
{
    return (cx_issue(org_tinker_tinker__RocknRoll__id_both, 0, (cx_reg_t)(cx_word_t)b) & 1u) != 0;
}
#define org_tinker_tinker__RocknRoll__both_in org_tinker_tinker__RocknRoll__both
#endif

/* To the device that a cookie names: one instruction on RISC-V. Elsewhere, and with CX_XCMD_SOFTWARE, the software. With
 * CX_XCMD_CPU a processor in software, which a platform describes. */
#if defined CX_XCMD_CPU
/** The default device is number 0. If there is no such device, commands trap. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext(uint32_t device)
{
    cx_word_t id = (cx_word_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf52 << 12 | (device & 0xFFFu));
    cx_cookie_t cookie = {cx_cpu_xext(0u, id, 0)};
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext_with(uint32_t device, cx_word_t data)
{
    cx_word_t id = (cx_word_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf52 << 12 | (device & 0xFFFu));
    cx_cookie_t cookie = {cx_cpu_xext(0u, id, data)};
    return cookie;
}
/** The default device is number 0. If there is no such device, commands give 0. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext0(uint32_t device)
{
    cx_word_t id = (cx_word_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf52 << 12 | (device & 0xFFFu));
    cx_cookie_t cookie = {cx_cpu_xext(1u, id, 0)};
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext0_with(uint32_t device, cx_word_t data)
{
    cx_word_t id = (cx_word_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf52 << 12 | (device & 0xFFFu));
    cx_cookie_t cookie = {cx_cpu_xext(1u, id, data)};
    return cookie;
}
/** The default device is number 0. If there is no such device, commands give -1. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xextm1(uint32_t device)
{
    cx_word_t id = (cx_word_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf52 << 12 | (device & 0xFFFu));
    cx_cookie_t cookie = {cx_cpu_xext(2u, id, 0)};
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xextm1_with(uint32_t device, cx_word_t data)
{
    cx_word_t id = (cx_word_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf52 << 12 | (device & 0xFFFu));
    cx_cookie_t cookie = {cx_cpu_xext(2u, id, data)};
    return cookie;
}
/** `a` takes the place of the cookie's data. */
static inline uint64_t org_tinker_tinker__RocknRoll__rock(cx_cookie_t cookie, uint64_t a, uint64_t b)
{
    cx_word_t rd = cx_cpu_xcmd(0u, cx_cookie_with(cookie, (cx_word_t)a).bits, (cx_word_t)b);
    return (uint64_t)rd;
}
/** The cookie's data is `a`. */
static inline uint64_t org_tinker_tinker__RocknRoll__rock_cookie(cx_cookie_t cookie, uint64_t b)
{
    cx_word_t rd = cx_cpu_xcmd(0u, cookie.bits, (cx_word_t)b);
    return (uint64_t)rd;
}
/** `a` takes the place of the cookie's data. */
static inline uint64_t org_tinker_tinker__RocknRoll__roll(cx_cookie_t cookie, uint64_t a, uint64_t b)
{
    cx_word_t rd = cx_cpu_xcmd(1u, cx_cookie_with(cookie, (cx_word_t)a).bits, (cx_word_t)b);
    return (uint64_t)rd;
}
/** The cookie's data is `a`. */
static inline uint64_t org_tinker_tinker__RocknRoll__roll_cookie(cx_cookie_t cookie, uint64_t b)
{
    cx_word_t rd = cx_cpu_xcmd(1u, cookie.bits, (cx_word_t)b);
    return (uint64_t)rd;
}
/** `a` takes the place of the cookie's data. */
static inline int8_t org_tinker_tinker__RocknRoll__stop(cx_cookie_t cookie, int8_t a, bool on)
{
    cx_word_t rd = cx_cpu_xcmd(2u, cx_cookie_with(cookie, (cx_word_t)a).bits, (cx_word_t)on);
    return (int8_t)rd;
}
/** The cookie's data is `a`. */
static inline int8_t org_tinker_tinker__RocknRoll__stop_cookie(cx_cookie_t cookie, bool on)
{
    cx_word_t rd = cx_cpu_xcmd(2u, cookie.bits, (cx_word_t)on);
    return (int8_t)rd;
}
/** The device gets the cookie's data. */
static inline uint64_t org_tinker_tinker__RocknRoll__open(cx_cookie_t cookie)
{
    cx_word_t rd = cx_cpu_xcmd(3u, cookie.bits, 0);
    return (uint64_t)rd;
}
/** The device gets the cookie's data. */
static inline bool org_tinker_tinker__RocknRoll__both_x(cx_cookie_t cookie, int16_t b)
{
    cx_word_t rd = cx_cpu_xcmd(4u, cookie.bits, (cx_word_t)b);
    return (rd & 1u) != 0;
}
/** The device gets the cookie's data. */
static inline void org_tinker_tinker__RocknRoll__shut(cx_cookie_t cookie, uint64_t b)
{
    (void)cx_cpu_xcmd(7u, cookie.bits, (cx_word_t)b);
}
#elif CX_ON_HART && !defined CX_XCMD_SOFTWARE
/** The default device is number 0. If there is no such device, commands trap. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext(uint32_t device)
{
    cx_cookie_t cookie;
    cx_reg_t id = (cx_reg_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf52) << 12 | (device & 0xFFFu);
    __asm__(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 0, 1, %0, %1, x0" : "=r"(cookie.bits) : "r"(id));
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext_with(uint32_t device, cx_word_t data)
{
    cx_cookie_t cookie;
    cx_reg_t id = (cx_reg_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf52) << 12 | (device & 0xFFFu);
    __asm__(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 0, 1, %0, %1, %2" : "=r"(cookie.bits) : "r"(id), "r"((cx_reg_t)data));
    return cookie;
}
/** The default device is number 0. If there is no such device, commands give 0. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext0(uint32_t device)
{
    cx_cookie_t cookie;
    cx_reg_t id = (cx_reg_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf52) << 12 | (device & 0xFFFu);
    __asm__(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 1, 1, %0, %1, x0" : "=r"(cookie.bits) : "r"(id));
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext0_with(uint32_t device, cx_word_t data)
{
    cx_cookie_t cookie;
    cx_reg_t id = (cx_reg_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf52) << 12 | (device & 0xFFFu);
    __asm__(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 1, 1, %0, %1, %2" : "=r"(cookie.bits) : "r"(id), "r"((cx_reg_t)data));
    return cookie;
}
/** The default device is number 0. If there is no such device, commands give -1. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xextm1(uint32_t device)
{
    cx_cookie_t cookie;
    cx_reg_t id = (cx_reg_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf52) << 12 | (device & 0xFFFu);
    __asm__(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 2, 1, %0, %1, x0" : "=r"(cookie.bits) : "r"(id));
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xextm1_with(uint32_t device, cx_word_t data)
{
    cx_cookie_t cookie;
    cx_reg_t id = (cx_reg_t)((cx_word_t)org_tinker_tinker__RocknRoll__xintf52) << 12 | (device & 0xFFFu);
    __asm__(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 2, 1, %0, %1, %2" : "=r"(cookie.bits) : "r"(id), "r"((cx_reg_t)data));
    return cookie;
}
/** `a` takes the place of the cookie's data. */
static inline uint64_t org_tinker_tinker__RocknRoll__rock(cx_cookie_t cookie, uint64_t a, uint64_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 0, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cx_cookie_with(cookie, (cx_word_t)a).bits), "r"((cx_reg_t)b));
    return (uint64_t)rd;
}
/** The cookie's data is `a`. */
static inline uint64_t org_tinker_tinker__RocknRoll__rock_cookie(cx_cookie_t cookie, uint64_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 0, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cookie.bits), "r"((cx_reg_t)b));
    return (uint64_t)rd;
}
/** `a` takes the place of the cookie's data. */
static inline uint64_t org_tinker_tinker__RocknRoll__roll(cx_cookie_t cookie, uint64_t a, uint64_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 1, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cx_cookie_with(cookie, (cx_word_t)a).bits), "r"((cx_reg_t)b));
    return (uint64_t)rd;
}
/** The cookie's data is `a`. */
static inline uint64_t org_tinker_tinker__RocknRoll__roll_cookie(cx_cookie_t cookie, uint64_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 1, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cookie.bits), "r"((cx_reg_t)b));
    return (uint64_t)rd;
}
/** `a` takes the place of the cookie's data. */
static inline int8_t org_tinker_tinker__RocknRoll__stop(cx_cookie_t cookie, int8_t a, bool on)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 2, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cx_cookie_with(cookie, (cx_word_t)a).bits), "r"((cx_reg_t)on));
    return (int8_t)rd;
}
/** The cookie's data is `a`. */
static inline int8_t org_tinker_tinker__RocknRoll__stop_cookie(cx_cookie_t cookie, bool on)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 2, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cookie.bits), "r"((cx_reg_t)on));
    return (int8_t)rd;
}
/** The device gets the cookie's data. */
static inline uint64_t org_tinker_tinker__RocknRoll__open(cx_cookie_t cookie)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 3, 0, %0, %1, x0" : "=r"(rd) : "r"((cx_reg_t)cookie.bits));
    return (uint64_t)rd;
}
/** The device gets the cookie's data. */
static inline bool org_tinker_tinker__RocknRoll__both_x(cx_cookie_t cookie, int16_t b)
{
    cx_reg_t rd;
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 4, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_reg_t)cookie.bits), "r"((cx_reg_t)(cx_word_t)b));
    return (rd & 1u) != 0;
}
/** The device gets the cookie's data. */
static inline void org_tinker_tinker__RocknRoll__shut(cx_cookie_t cookie, uint64_t b)
{
    __asm__ volatile(".insn r " CX_XCMD_TEXT(CX_XCMD_OPCODE) ", 7, 0, x0, %0, %1" :  : "r"((cx_reg_t)cookie.bits), "r"((cx_reg_t)b));
}
#else
/** The default device is number 0. If there is no such device, commands trap. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext(uint32_t device)
{
    cx_cookie_t cookie = {(device & 0xFFFu) == 0 ? CX_LUN_SOFTWARE : 0x0u};
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext_with(uint32_t device, cx_word_t data)
{
    cx_cookie_t cookie = {(device & 0xFFFu) == 0 ? (cx_word_t)(data << 12 | CX_LUN_SOFTWARE) : 0x0u};
    return cookie;
}
/** The default device is number 0. If there is no such device, commands give 0. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext0(uint32_t device)
{
    cx_cookie_t cookie = {(device & 0xFFFu) == 0 ? CX_LUN_SOFTWARE : 0x1u};
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xext0_with(uint32_t device, cx_word_t data)
{
    cx_cookie_t cookie = {(device & 0xFFFu) == 0 ? (cx_word_t)(data << 12 | CX_LUN_SOFTWARE) : 0x1u};
    return cookie;
}
/** The default device is number 0. If there is no such device, commands give -1. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xextm1(uint32_t device)
{
    cx_cookie_t cookie = {(device & 0xFFFu) == 0 ? CX_LUN_SOFTWARE : 0x2u};
    return cookie;
}
/** The same, and the cookie has this data if there is a device: CX_XLEN - 12 bits of it count. */
static inline cx_cookie_t org_tinker_tinker__RocknRoll__xextm1_with(uint32_t device, cx_word_t data)
{
    cx_cookie_t cookie = {(device & 0xFFFu) == 0 ? (cx_word_t)(data << 12 | CX_LUN_SOFTWARE) : 0x2u};
    return cookie;
}
/** `a` takes the place of the cookie's data. */
static inline uint64_t org_tinker_tinker__RocknRoll__rock(cx_cookie_t cookie, uint64_t a, uint64_t b)
{
    if (cx_cookie_lun(cookie) != CX_LUN_SOFTWARE) {
        cx_word_t rd = cx_lun_value(cookie);
        return (uint64_t)rd;
    }
    return org_tinker_tinker__RocknRoll__sw_rock(a, b);
}
/** The cookie's data is `a`. */
static inline uint64_t org_tinker_tinker__RocknRoll__rock_cookie(cx_cookie_t cookie, uint64_t b)
{
    return org_tinker_tinker__RocknRoll__rock(cookie, (uint64_t)cx_cookie_data(cookie), b);
}
/** `a` takes the place of the cookie's data. */
static inline uint64_t org_tinker_tinker__RocknRoll__roll(cx_cookie_t cookie, uint64_t a, uint64_t b)
{
    if (cx_cookie_lun(cookie) != CX_LUN_SOFTWARE) {
        cx_word_t rd = cx_lun_value(cookie);
        return (uint64_t)rd;
    }
    return org_tinker_tinker__RocknRoll__sw_roll(a, b);
}
/** The cookie's data is `a`. */
static inline uint64_t org_tinker_tinker__RocknRoll__roll_cookie(cx_cookie_t cookie, uint64_t b)
{
    return org_tinker_tinker__RocknRoll__roll(cookie, (uint64_t)cx_cookie_data(cookie), b);
}
/** `a` takes the place of the cookie's data. */
static inline int8_t org_tinker_tinker__RocknRoll__stop(cx_cookie_t cookie, int8_t a, bool on)
{
    if (cx_cookie_lun(cookie) != CX_LUN_SOFTWARE) {
        cx_word_t rd = cx_lun_value(cookie);
        return (int8_t)rd;
    }
    uint32_t cookie_status;
    int8_t rd = org_tinker_tinker__RocknRoll__sw_stop_st(a, on, &cookie_status);
    if (cookie_status == CX_RESPONSE_TRAP) {
        CX_XCMD_TRAP();
    }
    return rd;
}
/** The cookie's data is `a`. */
static inline int8_t org_tinker_tinker__RocknRoll__stop_cookie(cx_cookie_t cookie, bool on)
{
    return org_tinker_tinker__RocknRoll__stop(cookie, (int8_t)cx_cookie_data(cookie), on);
}
/** The device gets the cookie's data. */
static inline uint64_t org_tinker_tinker__RocknRoll__open(cx_cookie_t cookie)
{
    if (cx_cookie_lun(cookie) != CX_LUN_SOFTWARE) {
        cx_word_t rd = cx_lun_value(cookie);
        return (uint64_t)rd;
    }
    return org_tinker_tinker__RocknRoll__sw_open();
}
/** The device gets the cookie's data. */
static inline bool org_tinker_tinker__RocknRoll__both_x(cx_cookie_t cookie, int16_t b)
{
    if (cx_cookie_lun(cookie) != CX_LUN_SOFTWARE) {
        cx_word_t rd = cx_lun_value(cookie);
        return (rd & 1u) != 0;
    }
    return org_tinker_tinker__RocknRoll__sw_both(b);
}
/** The device gets the cookie's data. */
static inline void org_tinker_tinker__RocknRoll__shut(cx_cookie_t cookie, uint64_t b)
{
    if (cx_cookie_lun(cookie) != CX_LUN_SOFTWARE) {
        (void)cx_lun_value(cookie);
        return;
    }
    org_tinker_tinker__RocknRoll__sw_shut(b);
}
#endif

#else
#error "org.tinker.tinker:RocknRoll has no contract for this CX_XLEN, only for 32 or 64: build with -DCX_XLEN=32"
#endif

#ifdef __cplusplus
}
#endif
#endif
