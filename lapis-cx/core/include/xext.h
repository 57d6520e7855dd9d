/* xext.h, version 1: a processor with overloadable opcodes, in software. The types and functions are those of the
 * document ("Description of the extension as C functions"); a header generated from a platform carries this text as it
 * stands, behind that of cx_abi.h. One C file of a program has the functions: a platform's file has them already, any
 * other gets them by XEXT_IMPLEMENTATION. */
#ifdef XEXT_H
#if XEXT_VERSION != 1
#error "headers of different releases of lapis-cx: generate all of them with one cxc"
#endif
#else
#define XEXT_H
#define XEXT_VERSION 1

#ifndef CX_ABI_H /* generated headers have its text before this one */
#include "cx_abi.h"
#endif
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The document's `long`: a register, signed. It is `long` wherever that has CX_XLEN bits. */
#if (CX_XLEN == 64) == (ULONG_MAX > 0xFFFFFFFFu)
typedef long xext_long_t;
typedef unsigned long xext_ulong_t;
#elif CX_XLEN == 32
typedef int32_t xext_long_t;
typedef uint32_t xext_ulong_t;
#else
typedef int64_t xext_long_t;
typedef uint64_t xext_ulong_t;
#endif

/* What belongs to one hart. Without an operating system that is one hart, unless you say how harts are told apart. */
#ifndef CX_HART_LOCAL
#if defined __STDC_HOSTED__ && __STDC_HOSTED__ == 0
#define CX_HART_LOCAL
#elif defined __GNUC__
#define CX_HART_LOCAL __thread
#elif defined __cplusplus
#define CX_HART_LOCAL thread_local
#else
#define CX_HART_LOCAL _Thread_local
#endif
#endif

/* rs1 of xext: the sequence number of a device, and the id of an interface above it. All numbers are unsigned here: with
 * the document's `long`, sequence number 4095 would be -1. */
typedef struct uuid_device {
    xext_ulong_t dev : 12;
    xext_ulong_t uuid : CX_XLEN - 12;
} uuid_device_t;
typedef uuid_device_t uuid_dev_t; /* the document has both names */

/* rd of xext and rs1 of xcmd: a lun, and data above it. */
typedef struct lun_data {
    xext_ulong_t lun : 12;
    xext_ulong_t data : CX_XLEN - 12;
} lun_data_t;

/* The registers of both, whatever a compiler does with bit-fields. Compilers do not see that a shift fits one. */
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#endif
static inline cx_word_t uuid_device_bits(uuid_device_t rs1)
{
    return (cx_word_t)((cx_word_t)rs1.uuid << 12 | (cx_word_t)rs1.dev);
}
static inline uuid_device_t uuid_device_from(cx_word_t bits)
{
    uuid_device_t rs1;
    rs1.dev = bits & 0xFFFu;
    rs1.uuid = bits >> 12;
    return rs1;
}
static inline cx_word_t lun_data_bits(lun_data_t rs1)
{
    return (cx_word_t)((cx_word_t)rs1.data << 12 | (cx_word_t)rs1.lun);
}
static inline lun_data_t lun_data_from(cx_word_t bits)
{
    lun_data_t rs1;
    rs1.lun = bits & 0xFFFu;
    rs1.data = bits >> 12;
    return rs1;
}
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

/* The interfaces that each processor implements, as the document calls them. */
#define org_RiscV__Fallback__Trap__uuid 0u
#define org_RiscV__Fallback__ReturnZero__uuid 1u
#define org_RiscV__Fallback__ReturnMinusOne__uuid 2u
#define org_RiscV__Fallback__Trap__lun 0u
#define org_RiscV__Fallback__ReturnZero__lun 1u
#define org_RiscV__Fallback__ReturnMinusOne__lun 2u

/* Luns 0 to 2 are the fallbacks, 3 to 7 and 31 reserved, 8 to 30 numbers of errors. */
#define XEXT_FIRST_DEVICE_LUN 32u
/* Whether a command gave the number of an error, or xext a fallback, in place of a cookie: one `bltu` against 31. */
static inline int lun_data_failed(lun_data_t rd)
{
    return lun_data_bits(rd) < 31u;
}

enum privilege { user = 1, super = 2, hyper = 4, mach = 8 };

/* A device: subdevice_xcmd has the subdevice in bits 11:0 and the number of the command above. Its value is for rd;
 * without one it returns cpu__refuse(...). */
typedef xext_long_t device_fn(unsigned short subdevice_xcmd, lun_data_t rs1, xext_long_t rs2);
#define XEXT_PORT(subdevice, command) ((unsigned short)((subdevice) | (command) << 12))

typedef struct lun {
    unsigned short id : 12;
} lun_t;

/* One thing that xext finds, at some levels: bits of enum privilege. */
struct uuid_device_priv2lun {
    uuid_device_t uuid_dev;
    unsigned char reqpriv;
    lun_t lun;
};

struct device_subdevice {
    device_fn *device_addr;
    unsigned short subdeviceId : 12;
};

/* One place that an xcmd goes to, from some levels: bits of enum privilege. */
struct lun_priv2device_subdevice {
    lun_t lun;
    unsigned char reqpriv;
    struct device_subdevice devAddr_subdevId;
};

/* A processor. The rows for luns 0 to 2 are implied. */
struct xext_platform {
    const char *name;
    unsigned char levels; /* bits of enum privilege */
    unsigned char xcmds;  /* how many xcmd instructions it has, 1 to 8 */
    size_t luns;          /* rows of lun_map, ascending by id and sequence number */
    const struct uuid_device_priv2lun *lun_map;
    size_t routes; /* rows of device_subdevice_map, ascending by lun */
    const struct lun_priv2device_subdevice *device_subdevice_map;
};

/* Why a command traps. */
enum xext_cause {
    XEXT_CAUSE_NONE = 0,
    XEXT_CAUSE_FALLBACK = 1,      /* lun 0, which xext gives for what is not known */
    XEXT_CAUSE_LUN = 2,           /* the lun leads nowhere at this level */
    XEXT_CAUSE_COMMAND = 3,       /* the device did it, and the command traps */
    XEXT_CAUSE_CONFIGURATION = 4, /* hardware configuration error: the device has no such command */
    XEXT_CAUSE_INSTRUCTION = 5    /* the platform has no such xcmd instruction */
};

struct xext_trap {
    enum xext_cause cause;
    enum privilege from;
    unsigned to; /* the next higher level that the platform has; 0 for the debug environment */
    unsigned command;
    lun_data_t rs1;
    xext_long_t rs2;
};

/* What is wrong with a platform. */
struct xext_error {
    const char *message; /* null if nothing is */
    size_t row;          /* of the table that the message names */
};

/* A trap handler: it runs at the level that takes the trap, and its value is for rd. The level before comes back when it
 * returns; one that leaves by longjmp sets it itself. */
typedef xext_long_t xext_trap_fn(const struct xext_trap *trap);

/* Makes the calling hart one of a platform, at its highest level, as after reset; traps end the program. A platform
 * whose tables are wrong is not loaded. */
struct xext_error cpu__load(const struct xext_platform *platform);
/* What takes traps on this hart; null for what CX_XCMD_TRAP does. */
void cpu__on_trap(xext_trap_fn *handler);
enum privilege cpu__current_privilege_level(void);
/* Goes to another level. -1 if the platform has none such, and nothing changes. */
int cpu__set_privilege_level(enum privilege level);
/* For devices: the command traps, or is none of theirs. Gives 0, for them to return. */
xext_long_t cpu__refuse(enum xext_cause cause);
/* For devices: what the fallback of an interface answered. What it raises is lost: an xcmd has a value only. */
static inline xext_long_t cpu__answered(uint32_t response, cx_word_t rd)
{
    switch (response) {
    case CX_RESPONSE_TRAP:
        return cpu__refuse(XEXT_CAUSE_COMMAND);
    case CX_RESPONSE_FUNC:
    case CX_RESPONSE_CXU:
        return cpu__refuse(XEXT_CAUSE_CONFIGURATION);
    default:
        return (xext_long_t)rd;
    }
}

lun_data_t xext(uuid_device_t rs1, xext_long_t rs2);
lun_data_t xext0(uuid_device_t rs1, xext_long_t rs2);
lun_data_t xextm1(uuid_device_t rs1, xext_long_t rs2);
xext_long_t xcmd0(lun_data_t rs1, xext_long_t rs2);
xext_long_t xcmd1(lun_data_t rs1, xext_long_t rs2);
xext_long_t xcmd2(lun_data_t rs1, xext_long_t rs2);
xext_long_t xcmd3(lun_data_t rs1, xext_long_t rs2);
xext_long_t xcmd4(lun_data_t rs1, xext_long_t rs2);
xext_long_t xcmd5(lun_data_t rs1, xext_long_t rs2);
xext_long_t xcmd6(lun_data_t rs1, xext_long_t rs2);
xext_long_t xcmd7(lun_data_t rs1, xext_long_t rs2);

/* The same by registers, as stubs of interfaces call them with CX_XCMD_CPU: `fallback` is the lun of what is not known. */
cx_word_t cx_cpu_xext(uint32_t fallback, cx_word_t rs1, cx_word_t rs2);
cx_word_t cx_cpu_xcmd(uint32_t command, cx_word_t rs1, cx_word_t rs2);
/* The same for a handler that stands in for the instruction, where CX_XCMD_TRAP would end the handler. True: it is done, and *rd is
 * its value. False: the instruction traps, and no handler of cpu__on_trap takes it; *rd is as it was. A lookup never traps. */
bool cx_cpu_execute_xext(uint32_t fallback, cx_word_t rs1, cx_word_t rs2, cx_word_t *rd);
bool cx_cpu_execute_xcmd(uint32_t command, cx_word_t rs1, cx_word_t rs2, cx_word_t *rd);

#ifdef __cplusplus
}
#endif
#endif

#if defined XEXT_IMPLEMENTATION && !defined XEXT_IMPLEMENTED
#define XEXT_IMPLEMENTED

/* What a trap does that no handler takes. */
#ifndef CX_XCMD_TRAP
#ifdef __GNUC__
#define CX_XCMD_TRAP() __builtin_trap()
#else
#include <stdlib.h>
#define CX_XCMD_TRAP() abort()
#endif
#endif

/* Each platform's file has these functions; a program keeps one copy. */
#ifdef __GNUC__
#define XEXT_FUNCTION __attribute__((weak))
#else
#define XEXT_FUNCTION
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct xext_hart {
    const struct xext_platform *platform;
    enum privilege level;
    xext_trap_fn *on_trap;
    enum xext_cause refused; /* by the device that runs */
};

struct xext_hart *cpu__hart(void);
XEXT_FUNCTION struct xext_hart *cpu__hart(void)
{
    static CX_HART_LOCAL struct xext_hart hart;
    return &hart;
}

/* The fallback device: commands of subdevice 1 give 0, those of subdevice 2 give -1. */
static xext_long_t cpu__fallback(unsigned short subdevice_xcmd, lun_data_t rs1, xext_long_t rs2)
{
    (void)rs1;
    (void)rs2;
    switch (subdevice_xcmd & 0xFFFu) {
    case 1:
        return 0;
    case 2:
        return -1;
    default:
        return cpu__refuse(XEXT_CAUSE_CONFIGURATION);
    }
}

/* The lowest level above one, among some; 0 if there is none. */
static unsigned cpu__level_above(unsigned levels, unsigned level)
{
    unsigned above = levels & ~(level | (level - 1u));
    return above & (0u - above);
}

static unsigned cpu__highest(unsigned levels)
{
    unsigned level = mach;
    while (level != 0 && (levels & level) == 0) {
        level >>= 1;
    }
    return level;
}

/* The first row of a key or behind it. */
static size_t cpu__lun_row(const struct xext_platform *platform, cx_word_t key)
{
    size_t low = 0, high = platform->luns;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (uuid_device_bits(platform->lun_map[middle].uuid_dev) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static size_t cpu__device_row(const struct xext_platform *platform, unsigned lun)
{
    size_t low = 0, high = platform->routes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (platform->device_subdevice_map[middle].lun.id < lun) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The lun of what is known at a level, else -1. Ids 0 to 2 are those of the fallbacks, at all levels. */
static int cpu__lookup_lun(const struct xext_platform *platform, uuid_device_t uuid_dev, enum privilege priv)
{
    cx_word_t key = uuid_device_bits(uuid_dev);
    size_t row;
    if (uuid_dev.uuid <= 2u) {
        return uuid_dev.dev == 0 ? (int)uuid_dev.uuid : -1;
    }
    for (row = cpu__lun_row(platform, key); row < platform->luns; row++) {
        const struct uuid_device_priv2lun *entry = &platform->lun_map[row];
        if (uuid_device_bits(entry->uuid_dev) != key) {
            break;
        }
        if ((entry->reqpriv & (unsigned)priv) != 0) {
            return entry->lun.id;
        }
    }
    return -1;
}

/* Where an xcmd goes; a null device for lun 0 and for a pair that is not known. */
static struct device_subdevice cpu__lookup_device_subdevice(const struct xext_platform *platform, unsigned lun, enum privilege priv)
{
    struct device_subdevice found = {NULL, 0};
    size_t row;
    if (lun == 1u || lun == 2u) {
        found.device_addr = cpu__fallback;
        found.subdeviceId = lun & 0xFFFu;
        return found;
    }
    for (row = cpu__device_row(platform, lun); row < platform->routes; row++) {
        const struct lun_priv2device_subdevice *entry = &platform->device_subdevice_map[row];
        if (entry->lun.id != lun) {
            break;
        }
        if ((entry->reqpriv & (unsigned)priv) != 0) {
            return entry->devAddr_subdevId;
        }
    }
    return found;
}

static const char *cpu__check_route(const struct xext_platform *platform, size_t row)
{
    const struct lun_priv2device_subdevice *rows = platform->device_subdevice_map, *entry = &rows[row];
    size_t other = row;
    if (entry->lun.id < XEXT_FIRST_DEVICE_LUN) {
        return "device_subdevice_map: luns below 32 are fallbacks, reserved, or numbers of errors";
    }
    if (entry->reqpriv == 0 || (entry->reqpriv & ~(unsigned)platform->levels) != 0) {
        return "device_subdevice_map: a row needs levels, of those that the platform has";
    }
    if (entry->devAddr_subdevId.device_addr == NULL) {
        return "device_subdevice_map: there is no device";
    }
    if (row > 0 && rows[row - 1].lun.id > entry->lun.id) {
        return "device_subdevice_map: rows ascend by lun, and the one before this one comes behind it";
    }
    while (other > 0 && rows[other - 1].lun.id == entry->lun.id) {
        other--;
        if ((rows[other].reqpriv & entry->reqpriv) != 0) {
            return "device_subdevice_map: an earlier row has the same lun at a level of this one";
        }
    }
    return NULL;
}

static const char *cpu__check_lun(const struct xext_platform *platform, size_t row)
{
    const struct uuid_device_priv2lun *rows = platform->lun_map, *entry = &rows[row];
    cx_word_t key = uuid_device_bits(entry->uuid_dev);
    unsigned below = 0, routed = 0;
    size_t other;
    if (entry->uuid_dev.uuid <= 2u) {
        return "lun_map: ids 0 to 2 are those of the fallbacks, which are there without a row";
    }
    if (entry->lun.id < XEXT_FIRST_DEVICE_LUN) {
        return "lun_map: luns below 32 are fallbacks, reserved, or numbers of errors";
    }
    if (entry->reqpriv == 0 || (entry->reqpriv & ~(unsigned)platform->levels) != 0) {
        return "lun_map: a row needs levels, of those that the platform has";
    }
    if (row > 0 && uuid_device_bits(rows[row - 1].uuid_dev) > key) {
        return "lun_map: rows ascend by id and sequence number, and the one before this one comes behind it";
    }
    for (other = row; other > 0 && uuid_device_bits(rows[other - 1].uuid_dev) + 1u >= key; other--) {
        const struct uuid_device_priv2lun *before = &rows[other - 1];
        if (uuid_device_bits(before->uuid_dev) != key) {
            below |= before->reqpriv;
        } else if ((before->reqpriv & entry->reqpriv) != 0) {
            return "lun_map: an earlier row has the same id and sequence number at a level of this one";
        }
    }
    if (entry->uuid_dev.dev != 0 && (entry->reqpriv & ~below) != 0) {
        return "lun_map: sequence numbers have no gaps, and the one before is not there at a level of this row";
    }
    for (other = cpu__device_row(platform, entry->lun.id); other < platform->routes; other++) {
        if (platform->device_subdevice_map[other].lun.id != entry->lun.id) {
            break;
        }
        routed |= platform->device_subdevice_map[other].reqpriv;
    }
    return (entry->reqpriv & ~routed) != 0 ? "lun_map: the lun leads to no device at a level of this row" : NULL;
}

static struct xext_error cpu__check(const struct xext_platform *platform)
{
    struct xext_error error = {NULL, 0};
    if (platform == NULL || cpu__highest(platform->levels) == 0 || platform->levels > 15u) {
        error.message = "a platform has one or more of the levels user, super, hyper and mach";
    } else if (platform->xcmds == 0 || platform->xcmds > 8u) {
        error.message = "a platform has 1 to 8 xcmd instructions";
    } else if ((platform->luns != 0 && platform->lun_map == NULL) || (platform->routes != 0 && platform->device_subdevice_map == NULL)) {
        error.message = "a table is null";
    }
    if (error.message != NULL) {
        return error;
    }
    for (error.row = 0; error.row < platform->routes; error.row++) {
        error.message = cpu__check_route(platform, error.row);
        if (error.message != NULL) {
            return error;
        }
    }
    for (error.row = 0; error.row < platform->luns; error.row++) {
        error.message = cpu__check_lun(platform, error.row);
        if (error.message != NULL) {
            return error;
        }
    }
    error.row = 0;
    return error;
}

XEXT_FUNCTION struct xext_error cpu__load(const struct xext_platform *platform)
{
    struct xext_error error = cpu__check(platform);
    struct xext_hart *hart = cpu__hart();
    if (error.message == NULL) {
        hart->platform = platform;
        hart->level = (enum privilege)cpu__highest(platform->levels);
        hart->on_trap = NULL;
        hart->refused = XEXT_CAUSE_NONE;
    }
    return error;
}

XEXT_FUNCTION void cpu__on_trap(xext_trap_fn *handler)
{
    cpu__hart()->on_trap = handler;
}

XEXT_FUNCTION enum privilege cpu__current_privilege_level(void)
{
    struct xext_hart *hart = cpu__hart();
    return hart->platform == NULL ? mach : hart->level;
}

XEXT_FUNCTION int cpu__set_privilege_level(enum privilege level)
{
    struct xext_hart *hart = cpu__hart();
    unsigned bit = (unsigned)level;
    if (hart->platform == NULL || (hart->platform->levels & bit) == 0 || (bit & (bit - 1u)) != 0) {
        return -1;
    }
    hart->level = level;
    return 0;
}

XEXT_FUNCTION xext_long_t cpu__refuse(enum xext_cause cause)
{
    cpu__hart()->refused = cause;
    return 0;
}

XEXT_FUNCTION cx_word_t cx_cpu_xext(uint32_t fallback, cx_word_t rs1, cx_word_t rs2)
{
    static const struct xext_platform nothing = {NULL, mach, 8, 0, NULL, 0, NULL};
    const struct xext_platform *platform = cpu__hart()->platform;
    int lun = cpu__lookup_lun(platform == NULL ? &nothing : platform, uuid_device_from(rs1), cpu__current_privilege_level());
    return lun < 0 ? fallback : (cx_word_t)(rs2 << 12 | (cx_word_t)lun);
}

XEXT_FUNCTION bool cx_cpu_execute_xext(uint32_t fallback, cx_word_t rs1, cx_word_t rs2, cx_word_t *rd)
{
    *rd = cx_cpu_xext(fallback, rs1, rs2);
    return true;
}

XEXT_FUNCTION bool cx_cpu_execute_xcmd(uint32_t command, cx_word_t rs1, cx_word_t rs2, cx_word_t *rd)
{
    static const struct xext_platform nothing = {NULL, mach, 8, 0, NULL, 0, NULL};
    struct xext_hart *hart = cpu__hart();
    const struct xext_platform *platform = hart->platform == NULL ? &nothing : hart->platform;
    enum xext_cause outer = hart->refused;
    xext_long_t value = 0;
    struct xext_trap trap;
    trap.cause = XEXT_CAUSE_NONE;
    trap.from = cpu__current_privilege_level();
    trap.to = cpu__level_above(platform->levels, (unsigned)trap.from);
    trap.command = command;
    trap.rs1 = lun_data_from(rs1);
    trap.rs2 = (xext_long_t)rs2;
    if (command >= platform->xcmds) {
        trap.cause = XEXT_CAUSE_INSTRUCTION;
    } else {
        struct device_subdevice found = cpu__lookup_device_subdevice(platform, trap.rs1.lun, trap.from);
        if (found.device_addr == NULL) {
            trap.cause = trap.rs1.lun == 0 ? XEXT_CAUSE_FALLBACK : XEXT_CAUSE_LUN;
        } else {
            hart->refused = XEXT_CAUSE_NONE;
            value = found.device_addr(XEXT_PORT(found.subdeviceId, command), trap.rs1, trap.rs2);
            trap.cause = hart->refused;
            hart->refused = outer;
        }
    }
    if (trap.cause != XEXT_CAUSE_NONE) {
        if (hart->on_trap == NULL) {
            return false;
        }
        hart->level = (enum privilege)(trap.to != 0 ? trap.to : (unsigned)trap.from);
        value = hart->on_trap(&trap);
        hart->level = trap.from;
    }
    *rd = (cx_word_t)value;
    return true;
}

XEXT_FUNCTION cx_word_t cx_cpu_xcmd(uint32_t command, cx_word_t rs1, cx_word_t rs2)
{
    cx_word_t rd = 0;
    if (!cx_cpu_execute_xcmd(command, rs1, rs2, &rd)) {
        CX_XCMD_TRAP();
    }
    return rd;
}

XEXT_FUNCTION lun_data_t xext(uuid_device_t rs1, xext_long_t rs2)
{
    return lun_data_from(cx_cpu_xext(0, uuid_device_bits(rs1), (cx_word_t)rs2));
}
XEXT_FUNCTION lun_data_t xext0(uuid_device_t rs1, xext_long_t rs2)
{
    return lun_data_from(cx_cpu_xext(1, uuid_device_bits(rs1), (cx_word_t)rs2));
}
XEXT_FUNCTION lun_data_t xextm1(uuid_device_t rs1, xext_long_t rs2)
{
    return lun_data_from(cx_cpu_xext(2, uuid_device_bits(rs1), (cx_word_t)rs2));
}

#define XEXT_XCMD(k) \
    XEXT_FUNCTION xext_long_t xcmd##k(lun_data_t rs1, xext_long_t rs2) \
    { \
        return (xext_long_t)cx_cpu_xcmd(k, lun_data_bits(rs1), (cx_word_t)rs2); \
    }
XEXT_XCMD(0)
XEXT_XCMD(1)
XEXT_XCMD(2)
XEXT_XCMD(3)
XEXT_XCMD(4)
XEXT_XCMD(5)
XEXT_XCMD(6)
XEXT_XCMD(7)
#undef XEXT_XCMD

#ifdef __cplusplus
}
#endif
#endif
