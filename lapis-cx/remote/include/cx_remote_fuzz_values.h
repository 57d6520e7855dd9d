/* The first half of the runtime of generated fuzzers (cx_remote_fuzz.h): exact integers, the state of a call, random numbers, memory. */
#ifndef CX_REMOTE_FUZZ_VALUES_H
#define CX_REMOTE_FUZZ_VALUES_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cx_remote.h"

/* ---- Exact integers ------------------------------------------------------------------------------------------------- */

__extension__ typedef __int128 cxf_wide;

/* A 128-bit number, or none after an overflow or an invalid operation. */
typedef struct cxf_number {
    cxf_wide value;
    bool is;
} cxf_number;

static inline cxf_number cxf_int(cxf_wide value)
{
    const cxf_number number = { value, true };
    return number;
}

static inline cxf_number cxf_none(void)
{
    const cxf_number none = { 0, false };
    return none;
}

/* A number of more than 64 bits. */
static inline cxf_number cxf_big(int64_t high, uint64_t low)
{
    return cxf_int((cxf_wide)high * ((cxf_wide)1 << 64) + (cxf_wide)low);
}

static inline cxf_number cxf_at(uintptr_t address)
{
    return cxf_int((cxf_wide)address);
}

static inline bool cxf_holds(cxf_number number)
{
    return number.is && number.value != 0;
}

/* Whether it is at least `first`, and below `end`. */
static inline bool cxf_within(cxf_number number, cxf_number first, cxf_number end)
{
    return number.is && number.value >= first.value && number.value < end.value;
}

static inline cxf_number cxf_smaller(cxf_number a, cxf_number b)
{
    if (!a.is || !b.is) return cxf_none();
    return a.value < b.value ? a : b;
}

static inline cxf_number cxf_greater(cxf_number a, cxf_number b)
{
    if (!a.is || !b.is) return cxf_none();
    return a.value > b.value ? a : b;
}

static inline cxf_number cxf_select(cxf_number condition, cxf_number then, cxf_number otherwise)
{
    if (!condition.is) return cxf_none();
    return condition.value != 0 ? then : otherwise;
}

static inline cxf_number cxf_not(cxf_number a)
{
    return a.is ? cxf_int(~a.value) : a;
}

static inline cxf_number cxf_is_zero(cxf_number a)
{
    return a.is ? cxf_int(a.value == 0) : a;
}

enum cxf_op {
    CXF_ADD, CXF_SUB, CXF_MUL, CXF_DIV, CXF_REM, CXF_AND, CXF_OR, CXF_XOR, CXF_SHL, CXF_SHR,
    CXF_EQ, CXF_NE, CXF_LT, CXF_LE, CXF_GT, CXF_GE, CXF_BOTH, CXF_EITHER
};

static inline cxf_number cxf_two(enum cxf_op op, cxf_number a, cxf_number b)
{
    cxf_wide result;
    /* Only one operand decides. */
    if (op == CXF_BOTH && ((a.is && a.value == 0) || (b.is && b.value == 0))) return cxf_int(0);
    if (op == CXF_EITHER && (cxf_holds(a) || cxf_holds(b))) return cxf_int(1);
    if (!a.is || !b.is) return cxf_none();
    switch (op) {
    case CXF_ADD: return __builtin_add_overflow(a.value, b.value, &result) ? cxf_none() : cxf_int(result);
    case CXF_SUB: return __builtin_sub_overflow(a.value, b.value, &result) ? cxf_none() : cxf_int(result);
    case CXF_MUL: return __builtin_mul_overflow(a.value, b.value, &result) ? cxf_none() : cxf_int(result);
    case CXF_DIV:
        if (b.value == 0) return cxf_int(-1);
        if (b.value == -1) return cxf_two(CXF_SUB, cxf_int(0), a);
        return cxf_int(a.value / b.value);
    case CXF_REM:
        if (b.value == 0) return a;
        return cxf_int(b.value == -1 ? 0 : a.value % b.value);
    case CXF_AND: return cxf_int(a.value & b.value);
    case CXF_OR: return cxf_int(a.value | b.value);
    case CXF_XOR: return cxf_int(a.value ^ b.value);
    case CXF_SHL:
        if (a.value == 0) return a;
        if (b.value < 0 || b.value >= 127) return cxf_none();
        return cxf_two(CXF_MUL, a, cxf_int((cxf_wide)1 << (int)b.value));
    case CXF_SHR:
        if (b.value < 0) return cxf_none();
        return cxf_int(a.value >> (int)(b.value < 127 ? b.value : 127));
    case CXF_EQ: return cxf_int(a.value == b.value);
    case CXF_NE: return cxf_int(a.value != b.value);
    case CXF_LT: return cxf_int(a.value < b.value);
    case CXF_LE: return cxf_int(a.value <= b.value);
    case CXF_GT: return cxf_int(a.value > b.value);
    case CXF_GE: return cxf_int(a.value >= b.value);
    case CXF_BOTH: return cxf_int(1);
    case CXF_EITHER: return cxf_int(0);
    }
    return cxf_none();
}

/* ---- A call --------------------------------------------------------------------------------------------------------- */

/* A block in which expressions stand: its address, that of the value which an expression is part of, the position of that among
 * elements, and the block around. */
typedef struct cxf_scope {
    uintptr_t own;
    uintptr_t self;
    uint64_t index;
    const struct cxf_scope *around;
} cxf_scope;

enum { CXF_FEW = 64 };

/* An object or memory that a call takes, or makes. */
typedef struct cxf_thing {
    uint32_t kind;
    uint64_t bits;
    uint64_t size;
} cxf_thing;

typedef struct cxf_things {
    cxf_thing all[CXF_FEW];
    unsigned count;
} cxf_things;

typedef struct cxf_old {
    uintptr_t own;
    uint32_t at;
    cxf_number value;
} cxf_old;

/* The state of a call or callback while it runs. */
typedef struct cxf_call {
    uint64_t random;       /* random state of a callback; calls use that of the sequence */
    uint64_t said;         /* hash of all values that the call returned */
    uint64_t bytes;        /* bytes allocated */
    unsigned nesting;      /* depth of nested buffers, which bounds lists */
    uint32_t registration; /* the first of its callbacks, or 0 */
    unsigned tame;         /* 0 for any numbers, 1 and 2 for smaller ones */
    bool is_callback;
    bool is_quiet;         /* runs at an unpredictable time or thread, so its values are not hashed */
    bool is_async;
    bool has_failed;       /* an argument is missing or too large: the call is not made */
    bool has_succeeded;
    bool is_refused;       /* the call was not made: its result is that of `fails` */
    int error;             /* errno */
    cxf_things passed;     /* objects that the call uses */
    cxf_things taken;      /* objects that the call takes a reference of */
    cxf_things ended;      /* memory that the call ends */
    cxf_things lent;       /* memory that the library keeps after the call */
    cxf_old olds[CXF_FEW];
    unsigned old_count;
} cxf_call;

/* A function of the API. */
typedef struct cxf_function {
    const char *name;
    bool (*call)(cxf_call *c);
    unsigned flags;
} cxf_function;

enum {
    /* C text surrounds the call or changes its arguments, so a native call behaves differently. */
    CXF_UNLIKE = 1,
    /* The function ends objects or memory. Callbacks do not call it, because the outer call may use them. */
    CXF_ENDS = 2
};

/* ---- Random numbers ------------------------------------------------------------------------------------------------- */

enum { CXF_MOST_BYTES = 1 << 16, CXF_MOST_OF_CALL = 1 << 20, CXF_OBJECTS = 4096, CXF_BLOCKS = 1 << 16, CXF_ATTACHED = 4096 };

/* The state of a sequence. Threads of the library read only members that do not change after initialization. */
static struct {
    uint64_t seed, random, said;
    /* The input of a fuzzing engine, which supplies the random numbers of calls in place of the seed. */
    const uint8_t *input;
    size_t input_left;
    pthread_t thread;
    unsigned depth;  /* depth of nested callbacks */
    unsigned nested; /* number of calls that callbacks may still make */
    unsigned calls, refused, left_out;
    cxf_call *running; /* the innermost call that is being made */
    /* The function of that call, in memory shared with the process that waits for the sequence. */
    const cxf_function **within;
    bool is_honest, is_verbose;
    const cxf_function *functions;
    const bool *is_on;
    size_t function_count;
    /* For each tag: whether the values of its callbacks are not hashed. */
    bool is_quiet[1 << 12];
    uint32_t registrations;
    struct cxf_object { uint32_t kind; uint64_t bits; uint64_t name; unsigned references; bool is_live; size_t parent; } objects[CXF_OBJECTS];
    size_t object_count;
    uint64_t object_names;
    struct cxf_block { uintptr_t at; uint64_t size; } blocks[CXF_BLOCKS];
    size_t block_count;
    struct cxf_kept { cxf_thing thing; bool is_live; } kept[CXF_OBJECTS];
    size_t kept_count;
    struct cxf_attached { uint32_t of, member; uint64_t key; cxf_number value; } attached[CXF_ATTACHED];
    size_t attached_count;
} cxf;

static inline uint64_t cxf_mixed(uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

/* The next bytes of the input, at most 8, as a number; zeros after its end. */
static inline uint64_t cxf_from_input(size_t bytes)
{
    uint64_t number = 0;
    const size_t size = cxf.input_left < bytes ? cxf.input_left : bytes;
    memcpy(&number, cxf.input, size);
    cxf.input += size;
    cxf.input_left -= size;
    return number;
}

static inline uint64_t cxf_random(cxf_call *c)
{
    if (cxf.input != NULL && !c->is_callback) return cxf_from_input(8);
    uint64_t *const state = c->is_callback ? &c->random : &cxf.random;
    *state += 0x9E3779B97F4A7C15u;
    return cxf_mixed(*state);
}

static inline uint64_t cxf_below(cxf_call *c, uint64_t limit)
{
    if (limit == 0) return 0;
    if (cxf.input != NULL && !c->is_callback) return cxf_from_input(limit <= 1 << 8 ? 1 : limit <= 1 << 16 ? 2 : 8) % limit;
    return cxf_random(c) % limit;
}

static inline bool cxf_once_in(cxf_call *c, uint64_t many)
{
    return cxf_below(c, many) == 0;
}

static inline void cxf_say(cxf_call *c, const void *at, size_t bytes)
{
    const unsigned char *const all = (const unsigned char *)at;
    for (size_t i = 0; i < bytes; i++) c->said = (c->said ^ all[i]) * 0x100000001B3u;
}

static inline void cxf_say_number(cxf_call *c, uint64_t number)
{
    cxf_say(c, &number, sizeof number);
}

/* A number: mostly small, or one that the specification names; sometimes at a boundary, or any. */
static inline uint64_t cxf_some_number(cxf_call *c, const int64_t *named, size_t count)
{
    const uint64_t way = cxf_below(c, 16);
    if (count > 0 && way < 6) return (uint64_t)named[cxf_below(c, count)];
    if (c->tame > 0 || way < 12) return cxf_below(c, c->tame > 1 ? 3 : way < 9 ? 9 : 100);
    if (way == 12) return ((uint64_t)1 << cxf_below(c, 17)) + cxf_below(c, 3) - 1;
    if (way == 13) return ((uint64_t)1 << cxf_below(c, 64)) + cxf_below(c, 3) - 1;
    if (way == 14) return (uint64_t)0 - cxf_below(c, 5);
    return cxf_random(c);
}

static inline void cxf_store(uintptr_t at, uint64_t value, size_t bytes)
{
    const uint8_t byte = (uint8_t)value;
    const uint16_t half = (uint16_t)value;
    const uint32_t word = (uint32_t)value;
    switch (bytes) {
    case 1: memcpy((void *)at, &byte, 1); break;
    case 2: memcpy((void *)at, &half, 2); break;
    case 4: memcpy((void *)at, &word, 4); break;
    case 8: memcpy((void *)at, &value, 8); break;
    default: break;
    }
}

static inline void cxf_store_number(uintptr_t at, cxf_number number, size_t bytes)
{
    cxf_store(at, number.is ? (uint64_t)number.value : 0, bytes);
}

static inline uint64_t cxf_bits(uintptr_t at, size_t bytes)
{
    uint64_t value = 0;
    uint32_t word;
    uint16_t half;
    switch (bytes) {
    case 1: return *(const unsigned char *)at;
    case 2: memcpy(&half, (const void *)at, 2); return half;
    case 4: memcpy(&word, (const void *)at, 4); return word;
    case 8: memcpy(&value, (const void *)at, 8); return value;
    default: return 0;
    }
}

enum cxf_type { CXF_UNSIGNED, CXF_SIGNED, CXF_BOOL, CXF_FLOAT, CXF_TEXT };

/* Stores a number. */
static inline void cxf_put(cxf_call *c, uintptr_t at, size_t bytes, enum cxf_type type, const int64_t *named, size_t count)
{
    const uint64_t number = cxf_some_number(c, named, count);
    const float single = (float)(int64_t)number / 4;
    const double wide = (double)(int64_t)number / 4;
    switch (type) {
    case CXF_BOOL: cxf_store(at, number & 1, bytes); break;
    case CXF_FLOAT:
        if (bytes == 4) memcpy((void *)at, &single, 4);
        else memcpy((void *)at, &wide, 8);
        break;
    /* A character of a text, never the terminator. */
    case CXF_TEXT: cxf_store(at, cxf_once_in(c, 16) ? 1 + (number & 0x7E) : 'a' + number % 26, bytes); break;
    case CXF_UNSIGNED:
    case CXF_SIGNED: cxf_store(at, number, bytes); break;
    }
}

/* ---- Memory --------------------------------------------------------------------------------------------------------- */

/* Returns the number of bytes of the program's memory from an address on; 0 for other memory. */
static inline uint64_t cxf_left(uintptr_t at)
{
    for (size_t i = cxf.block_count; i > 0; i--) {
        const struct cxf_block *const block = &cxf.blocks[i - 1];
        if (at >= block->at && at - block->at < block->size) return block->size - (at - block->at);
    }
    return 0;
}

static inline void cxf_know(cxf_call *c, uintptr_t at, uint64_t size)
{
    if (cxf.block_count == CXF_BLOCKS) {
        c->has_failed = true;
        return;
    }
    cxf.blocks[cxf.block_count].at = at;
    cxf.blocks[cxf.block_count++].size = size;
}

enum {
    /* The maximum size: after an unreported failure, both sides may have different sizes. */
    CXF_ROOMY = 1,
    /* Filled with zeros, so unwritten pointers are null. */
    CXF_BLANK = 2
};

/* Allocates memory for `count` elements. It is never freed: the library may keep it, and a sequence is short. */
static inline uintptr_t cxf_memory(cxf_call *c, cxf_number count, uint64_t stride, unsigned flags)
{
    const cxf_number bytes = cxf_two(CXF_MUL, count, cxf_int((cxf_wide)stride));
    if (!bytes.is || bytes.value < 0 || bytes.value > CXF_MOST_BYTES || c->bytes + (uint64_t)bytes.value > CXF_MOST_OF_CALL) {
        c->has_failed = true;
        return 0;
    }
    uint64_t size = (uint64_t)bytes.value;
    c->bytes += size;
    if ((flags & CXF_ROOMY) != 0 && !cxf.is_honest) size = CXF_MOST_BYTES;
    unsigned char *const at = (unsigned char *)malloc(size > 0 ? size : 1);
    if (at == NULL) {
        c->has_failed = true;
        return 0;
    }
    memset(at, (flags & CXF_BLANK) != 0 ? 0 : (int)cxf_below(c, 256), size > 0 ? size : 1);
    if (!c->is_callback) cxf_know(c, (uintptr_t)at, size > 0 ? size : 1);
    return (uintptr_t)at;
}

/* Whether a pointer is null: where the specification allows it, and without --honest elsewhere too. */
static inline bool cxf_is_null(cxf_call *c, bool is_optional)
{
    if (is_optional) return c->nesting > 3 || cxf_once_in(c, 8);
    if (c->nesting > 8) c->has_failed = true;
    return c->nesting > 8 || (!cxf.is_honest && cxf_once_in(c, 64));
}

/* Returns the number of elements of an array to fill or hash: at most those in the program's memory. */
static inline uint64_t cxf_count(cxf_call *c, cxf_number count, uintptr_t at, uint64_t stride)
{
    if (at == 0 || !count.is || count.value <= 0 || stride == 0) return 0;
    const uint64_t most = c->is_callback ? 0 : cxf_left(at) / stride;
    const uint64_t all = count.value > CXF_MOST_BYTES ? CXF_MOST_BYTES : (uint64_t)count.value;
    return most > 0 && all > most ? most : all;
}

/* Ends an array: its last element, or one before that if a length says how many there may be. */
static inline void cxf_put_end(cxf_call *c, uintptr_t at, cxf_number count, uint64_t stride, cxf_number value, size_t bytes, bool is_last)
{
    const uint64_t all = cxf_count(c, count, at, stride);
    if (all == 0) return;
    cxf_store_number(at + (is_last ? all - 1 : cxf_below(c, all < 16 ? all : 16)) * stride, value, bytes);
}

/* Whether an expression may read there. Before a call all that is read is the program's own. */
static inline bool cxf_may_read(const cxf_call *c, cxf_number at, size_t bytes)
{
    return c->is_callback || cxf_left((uintptr_t)at.value) >= bytes;
}

static inline cxf_number cxf_load(const cxf_call *c, cxf_number at, size_t bytes, bool is_signed, bool is_entry)
{
    if (!at.is || at.value == 0) return at;
    if (is_entry && !cxf_may_read(c, at, bytes)) return cxf_none();
    const uint64_t bits = cxf_bits((uintptr_t)at.value, bytes);
    if (!is_signed) return cxf_int((cxf_wide)bits);
    const unsigned unused = 64 - 8 * (unsigned)(bytes < 8 ? bytes : 8);
    return cxf_int((cxf_wide)((int64_t)(bits << unused) >> unused));
}

/* A size of some elements, for which there is room: at least one, if there is any. */
static inline cxf_number cxf_some_size(cxf_call *c, cxf_number room)
{
    if (!room.is || room.value <= 0) return room;
    return cxf_int(1 + (cxf_wide)cxf_below(c, room.value < 16 ? (uint64_t)room.value : 16));
}

/* With --honest, reduces a number of valid elements to the capacity `room`. */
static inline void cxf_keep_within(cxf_call *c, cxf_number at, cxf_number room, size_t bytes, bool is_signed)
{
    if (!cxf.is_honest || !at.is || at.value == 0 || !room.is) return;
    const cxf_number said = cxf_load(c, at, bytes, is_signed, !c->is_callback);
    if (!said.is || (said.value >= 0 && said.value <= room.value)) return;
    const uint64_t most = room.value <= 0 ? 0 : room.value < CXF_MOST_BYTES ? (uint64_t)room.value : CXF_MOST_BYTES;
    cxf_store((uintptr_t)at.value, cxf_below(c, most + 1), bytes);
}

static inline cxf_number cxf_field(cxf_number address, uint64_t offset)
{
    return address.is && address.value != 0 ? cxf_int(address.value + (cxf_wide)offset) : address;
}

static inline cxf_number cxf_element(cxf_number address, cxf_number position, cxf_number count, uint64_t stride)
{
    if (!address.is || !position.is || !count.is) return cxf_none();
    if (address.value == 0 || position.value < 0 || position.value >= count.value) return cxf_int(0);
    return cxf_two(CXF_ADD, address, cxf_two(CXF_MUL, position, cxf_int((cxf_wide)stride)));
}

/* Counts the elements up to and including the first with this value; at most `limit` if that is not negative. */
static inline cxf_number cxf_until(cxf_number address, cxf_number limit, cxf_number value, size_t bytes, bool is_signed, uint64_t stride)
{
    if (!address.is || !limit.is || !value.is) return cxf_none();
    if (address.value == 0) return cxf_int(0);
    const uint64_t known = cxf_left((uintptr_t)address.value);
    cxf_wide count = 0;
    for (;; count++) {
        if (limit.value >= 0 && count == limit.value) return cxf_int(count);
        if (known > 0 && ((uint64_t)count + 1) * stride > known) return cxf_int(count);
        uint64_t bits = cxf_bits((uintptr_t)address.value + (uint64_t)count * stride, bytes);
        const unsigned unused = 64 - 8 * (unsigned)(bytes < 8 ? bytes : 8);
        cxf_wide found = (cxf_wide)bits;
        if (is_signed) found = (cxf_wide)((int64_t)(bits << unused) >> unused);
        if (found == value.value) return cxf_int(count + 1);
    }
}

/* The position of a character in a text, from 1; of the end, its length. */
static inline cxf_number cxf_text(cxf_number address, cxf_number limit, cxf_number character, bool is_length)
{
    const cxf_number count = cxf_until(address, limit, cxf_int(0), 1, false, 1);
    if (!count.is || !character.is) return cxf_none();
    for (cxf_wide i = 0; i < count.value; i++) {
        const unsigned char byte = *(const unsigned char *)((uintptr_t)address.value + (uintptr_t)i);
        if (is_length && byte == 0) return cxf_int(i);
        if (!is_length && byte == 0) return cxf_int(0);
        if (!is_length && byte == (unsigned char)character.value) return cxf_int(i + 1);
    }
    return is_length ? count : cxf_int(0);
}

/* Evaluates a C function for a block. */
static inline cxf_number cxf_native(cxf_number block, cxr_native native, unsigned count, const cxf_number *operands)
{
    cxr_int all[8];
    if (count > 8 || !block.is) return cxf_none();
    if (block.value == 0) return block;
    for (unsigned i = 0; i < count; i++) {
        if (!operands[i].is) return cxf_none();
        all[i].low = (uint64_t)operands[i].value;
        all[i].high = (int64_t)(operands[i].value >> 64);
    }
    const cxr_int said = native((void *)(uintptr_t)block.value, all);
    return cxf_big(said.high, said.low);
}

/* A value that a block has at entry, for use at exit. */
static inline void cxf_keep_old(cxf_call *c, uintptr_t own, uint32_t at, cxf_number value)
{
    if (c->old_count == CXF_FEW) {
        c->has_failed = true;
        return;
    }
    c->olds[c->old_count].own = own;
    c->olds[c->old_count].at = at;
    c->olds[c->old_count++].value = value;
}

static inline cxf_number cxf_old_of(const cxf_call *c, uintptr_t own, uint32_t at)
{
    for (unsigned i = 0; i < c->old_count; i++)
        if (c->olds[i].own == own && c->olds[i].at == at) return c->olds[i].value;
    return cxf_none();
}

#endif
