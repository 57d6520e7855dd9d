/* What a generated fuzzer leans on: random numbers, memory, objects, and the sequences of calls.
 *
 * A program made of LIBRARY_fuzz.c calls the functions of an API in random order, with arguments that its specification allows, and
 * mostly with those only. All memory that it passes is there: never less than the specification says. One seed is one sequence of calls,
 * in a process of its own, and whatever the calls say goes into a hash. With --honest nothing is passed that the API itself would not
 * take, so the program can be run with the real library too: both must say the same.
 */
#ifndef CX_REMOTE_FUZZ_H
#define CX_REMOTE_FUZZ_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cx_remote.h"

/* ---- Exact integers ------------------------------------------------------------------------------------------------- */

__extension__ typedef __int128 cxf_wide;

/* A number, or none: what does not fit 128 bits, and what is computed from that. */
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

/* What is known of a call, or of a callback, while it runs. */
typedef struct cxf_call {
    uint64_t random;       /* of a callback; calls have that of the sequence */
    uint64_t said;         /* a hash */
    uint64_t bytes;        /* that were allocated */
    unsigned nesting;      /* of buffers: a list ends */
    uint32_t registration; /* the first of its callbacks, or 0 */
    unsigned tame;         /* how small numbers are */
    bool is_callback;
    bool is_quiet;         /* nobody knows when or on which thread it runs: it says nothing that is the same each time */
    bool is_async;
    bool has_failed;       /* what it needs is not there, or too large: no call is made */
    bool has_succeeded;
    int error;             /* errno */
    cxf_things passed;     /* objects */
    cxf_things taken;      /* objects of which it takes a reference */
    cxf_things ended;      /* memory that it takes */
    cxf_things lent;       /* memory that the library keeps */
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
    /* With text of C around it, or with other arguments for the library: natively something else happens. */
    CXF_UNLIKE = 1,
    /* It ends objects or memory: no callback calls it, as the call around may use them. */
    CXF_ENDS = 2
};

/* ---- Random numbers ------------------------------------------------------------------------------------------------- */

enum { CXF_MOST_BYTES = 1 << 16, CXF_MOST_OF_CALL = 1 << 20, CXF_OBJECTS = 4096, CXF_BLOCKS = 1 << 16, CXF_ATTACHED = 4096 };

/* Of the sequence. Threads of the library see none of it but what never changes once it is there. */
static struct {
    uint64_t seed, random, said;
    pthread_t thread;
    unsigned depth;  /* of callbacks */
    unsigned nested; /* how many calls callbacks may still make */
    unsigned calls, left_out;
    bool is_honest, is_verbose;
    const cxf_function *functions;
    const bool *is_on;
    size_t function_count;
    /* Callbacks with a tag: whether their registration is one that says nothing. */
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

static inline uint64_t cxf_random(cxf_call *c)
{
    uint64_t *const state = c->is_callback ? &c->random : &cxf.random;
    *state += 0x9E3779B97F4A7C15u;
    return cxf_mixed(*state);
}

static inline uint64_t cxf_below(cxf_call *c, uint64_t limit)
{
    return limit == 0 ? 0 : cxf_random(c) % limit;
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
    /* What stands in texts, and no end. */
    case CXF_TEXT: cxf_store(at, cxf_once_in(c, 16) ? 1 + (number & 0x7E) : 'a' + number % 26, bytes); break;
    case CXF_UNSIGNED:
    case CXF_SIGNED: cxf_store(at, number, bytes); break;
    }
}

/* ---- Memory --------------------------------------------------------------------------------------------------------- */

/* How many bytes from there on are the program's; 0 for all other memory. */
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
    /* As much as there may be: if the library failed where nobody saw it, both know different sizes. */
    CXF_ROOMY = 1,
    /* Filled with zeros: pointers that nobody writes are null. */
    CXF_BLANK = 2
};

/* Memory for so many elements. It is never freed: the library may keep it, and a sequence is short. */
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

/* How many elements an array of values has that is made or looked at; what the program has no room for is left. */
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

/* How many elements end with one that has this value; at most so many, if that is not below 0. */
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
        if (!is_length && byte == character.value) return cxf_int(i + 1);
    }
    return is_length ? count : cxf_int(0);
}

/* What a function of C says of a block. */
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

/* ---- What is attached to objects and pointers ----------------------------------------------------------------------- */

static inline cxf_number cxf_attached_to(uint32_t of, cxf_number key, uint32_t member)
{
    if (!key.is) return key;
    for (size_t i = cxf.attached_count; i > 0; i--) {
        const struct cxf_attached *const one = &cxf.attached[i - 1];
        if (one->of == of && one->member == member && one->key == (uint64_t)key.value) return one->value;
    }
    return cxf_int(0);
}

static inline void cxf_attach(uint32_t of, cxf_number key, uint32_t member, cxf_number value)
{
    if (!key.is || key.value == 0 || !value.is) return;
    for (size_t i = 0; i < cxf.attached_count; i++) {
        struct cxf_attached *const one = &cxf.attached[i];
        if (one->of == of && one->member == member && one->key == (uint64_t)key.value) {
            one->value = value;
            return;
        }
    }
    if (cxf.attached_count == CXF_ATTACHED) return;
    const struct cxf_attached one = { of, member, (uint64_t)key.value, value };
    cxf.attached[cxf.attached_count++] = one;
}

static inline void cxf_detach(uint32_t of, uint64_t key)
{
    size_t left = 0;
    for (size_t i = 0; i < cxf.attached_count; i++)
        if (cxf.attached[i].of != of || cxf.attached[i].key != key) cxf.attached[left++] = cxf.attached[i];
    cxf.attached_count = left;
}

/* ---- Objects -------------------------------------------------------------------------------------------------------- */

static inline void cxf_add(cxf_call *c, cxf_things *things, uint32_t kind, uint64_t bits, uint64_t size)
{
    if (things->count == CXF_FEW) {
        c->has_failed = true;
        return;
    }
    const cxf_thing thing = { kind, bits, size };
    things->all[things->count++] = thing;
}

static inline bool cxf_has(const cxf_things *things, uint32_t kind, uint64_t bits)
{
    for (unsigned i = 0; i < things->count; i++)
        if (things->all[i].kind == kind && things->all[i].bits == bits) return true;
    return false;
}

static inline struct cxf_object *cxf_object_of(uint32_t kind, uint64_t bits)
{
    for (size_t i = 0; i < cxf.object_count; i++) {
        struct cxf_object *const object = &cxf.objects[i];
        if (object->kind == kind && object->bits == bits && object->is_live) return object;
    }
    return NULL;
}

/* Which table of metadata a kind of objects has, and which kind it dies with; given by the generated code. */
typedef struct cxf_kind { int64_t metadata; int64_t parent; } cxf_kind;
static const cxf_kind *cxf_kinds;

static inline void cxf_end_object(size_t at)
{
    struct cxf_object *const object = &cxf.objects[at];
    object->is_live = false;
    if (cxf_kinds[object->kind].metadata >= 0) cxf_detach((uint32_t)cxf_kinds[object->kind].metadata, object->bits);
    for (size_t i = 0; i < cxf.object_count; i++)
        if (cxf.objects[i].is_live && cxf.objects[i].parent == at + 1) cxf_end_object(i);
}

/* A handle: one that may be passed, and without --honest now and then one that may not. */
static inline void cxf_put_handle(cxf_call *c, uintptr_t at, uint32_t kind, size_t bytes, bool is_optional, bool is_own)
{
    if (is_optional && cxf_once_in(c, 8)) {
        cxf_store(at, 0, bytes);
        return;
    }
    const uint64_t way = cxf.is_honest ? 16 : cxf_below(c, 24);
    if (way == 0) {
        cxf_store(at, 0, bytes);
        return;
    }
    if (way == 1) {
        cxf_store(at, cxf_random(c), bytes);
        return;
    }
    /* Ended, of any kind, or taken twice. */
    if (way <= 4 && cxf.object_count > 0) {
        cxf_store(at, cxf.objects[cxf_below(c, cxf.object_count)].bits + (way == 4), bytes);
        return;
    }
    size_t count = 0;
    struct cxf_object *found = NULL;
    for (size_t i = 0; i < cxf.object_count && !c->is_callback; i++) {
        struct cxf_object *const object = &cxf.objects[i];
        if (!object->is_live || object->kind != kind || cxf_has(&c->taken, kind, object->bits)) continue;
        if (is_own && (object->references == 0 || cxf_has(&c->passed, kind, object->bits))) continue;
        if (cxf_once_in(c, ++count)) found = object;
    }
    if (found == NULL) {
        if (!is_optional && cxf.is_honest) c->has_failed = true;
        cxf_store(at, 0, bytes);
        return;
    }
    cxf_add(c, is_own ? &c->taken : &c->passed, kind, found->bits, 0);
    cxf_store(at, found->bits, bytes);
}

/* A handle that came. Which object it is, is said; its bits are not. */
static inline void cxf_see_handle(cxf_call *c, uintptr_t at, uint32_t kind, size_t bytes, bool is_new)
{
    const uint64_t bits = cxf_bits(at, bytes);
    if (c->is_callback || bits == 0) {
        cxf_say_number(c, bits != 0);
        return;
    }
    struct cxf_object *object = cxf_object_of(kind, bits);
    /* If a call that nobody waits for fails, nobody knows of it yet. */
    if (c->is_async && cxf.is_honest) return;
    if (object == NULL && is_new && cxf.object_count < CXF_OBJECTS) {
        if (cxf_kinds[kind].metadata >= 0) cxf_detach((uint32_t)cxf_kinds[kind].metadata, bits);
        object = &cxf.objects[cxf.object_count++];
        const struct cxf_object one = { kind, bits, ++cxf.object_names, 0, true, 0 };
        *object = one;
        for (unsigned i = 0; i < c->passed.count; i++) {
            const struct cxf_object *const other = cxf_object_of(c->passed.all[i].kind, c->passed.all[i].bits);
            if (other != NULL && cxf_kinds[kind].parent == (int64_t)other->kind) object->parent = (size_t)(other - cxf.objects) + 1;
        }
    }
    if (object != NULL && is_new) object->references++;
    cxf_say_number(c, object != NULL ? object->name : 0);
}

/* ---- Pointers ------------------------------------------------------------------------------------------------------- */

/* Memory of a kind that the library knows: was given, keeps, or knows by its address. */
static inline const cxf_thing *cxf_some_kept(cxf_call *c, uint32_t kind)
{
    size_t count = 0;
    const cxf_thing *found = NULL;
    for (size_t i = 0; i < cxf.kept_count && !c->is_callback; i++) {
        const struct cxf_kept *const one = &cxf.kept[i];
        if (one->is_live && one->thing.kind == kind && !cxf_has(&c->ended, kind, one->thing.bits) && cxf_once_in(c, ++count)) found = &one->thing;
    }
    return found;
}

static inline void cxf_remember(uint32_t kind, uint64_t bits, uint64_t size)
{
    for (size_t i = 0; i < cxf.kept_count; i++) {
        struct cxf_kept *const one = &cxf.kept[i];
        if (one->thing.kind == kind && one->thing.bits == bits) {
            one->thing.size = size;
            one->is_live = true;
            return;
        }
    }
    if (cxf.kept_count == CXF_OBJECTS) return;
    const struct cxf_kept one = { { kind, bits, size }, true };
    cxf.kept[cxf.kept_count++] = one;
}

/* Memory that does not travel. The other side sees null, so the library itself would not see the same. */
static inline void cxf_put_local(cxf_call *c, uintptr_t at, cxf_number count, uint64_t stride)
{
    const bool has_room = count.is;
    const uintptr_t memory = cxf_memory(c, has_room ? count : cxf_int(64), stride, CXF_BLANK);
    cxf_store(at, has_room || !cxf.is_honest ? memory : 0, sizeof(void *));
}

/* A pointer that ends what it points at. */
static inline void cxf_put_own(cxf_call *c, uintptr_t at, uint32_t kind, bool is_optional, bool has_contents)
{
    if (is_optional && cxf_once_in(c, 8)) {
        cxf_store(at, 0, sizeof(void *));
        return;
    }
    const cxf_thing *const thing = cxf_some_kept(c, kind);
    if (thing != NULL) {
        cxf_add(c, &c->ended, kind, thing->bits, 0);
        cxf_store(at, thing->bits, sizeof(void *));
        return;
    }
    if (cxf.is_honest && !is_optional) c->has_failed = true;
    if (cxf.is_honest || is_optional) cxf_store(at, 0, sizeof(void *));
    /* What is looked at must be there. */
    else if (has_contents) cxf_store(at, cxf_memory(c, cxf_int(0), 1, CXF_ROOMY | CXF_BLANK), sizeof(void *));
    else cxf_store(at, cxf_random(c), sizeof(void *));
}

/* An address that nobody follows. */
static inline void cxf_put_address(cxf_call *c, uintptr_t at)
{
    const uint64_t number = cxf_some_number(c, NULL, 0);
    cxf_store(at, number, sizeof(void *));
}

/* A pointer into memory that both sides know. */
static inline void cxf_put_within(cxf_call *c, uintptr_t at, cxf_number region, bool is_optional)
{
    const uint64_t left = region.is ? cxf_left((uintptr_t)region.value) : 0;
    if (left == 0 && cxf.is_honest && !is_optional) c->has_failed = true;
    if (left == 0 || (is_optional && cxf_once_in(c, 8))) {
        cxf_store(at, 0, sizeof(void *));
        return;
    }
    cxf_store(at, (uint64_t)region.value + cxf_below(c, left), sizeof(void *));
}

/* Says where a pointer leads to, if that is the program's own memory, or how far it is from the start of the region. */
static inline void cxf_see_pointer(cxf_call *c, uintptr_t at, cxf_number region)
{
    const uint64_t bits = cxf_bits(at, sizeof(void *));
    if (c->is_callback || bits == 0) {
        cxf_say_number(c, bits != 0);
        return;
    }
    if (region.is && region.value != 0) {
        cxf_say_number(c, bits - (uint64_t)region.value);
        return;
    }
    for (size_t i = cxf.block_count; i > 0; i--) {
        const struct cxf_block *const block = &cxf.blocks[i - 1];
        if (bits >= block->at && bits - block->at < block->size) {
            cxf_say_number(c, i);
            cxf_say_number(c, bits - block->at);
            return;
        }
    }
    cxf_say_number(c, 1);
}

/* A tag of callbacks. */
static inline void cxf_put_tag(cxf_call *c, uintptr_t at)
{
    if (cxf.registrations + 1 < sizeof cxf.is_quiet) cxf.registrations++;
    if (c->registration == 0) c->registration = cxf.registrations;
    cxf_store(at, cxf.registrations, sizeof(void *));
}

/* A tag that came back. */
static inline void cxf_see_tag(cxf_call *c, uintptr_t at)
{
    const uint64_t bits = cxf_bits(at, sizeof(void *));
    if (bits < sizeof cxf.is_quiet) c->is_quiet |= cxf.is_quiet[bits];
    cxf_say_number(c, bits);
}

/* ---- Calls and sequences -------------------------------------------------------------------------------------------- */

/* Before a call is made: the memory of its arguments. */
static inline void cxf_begin(cxf_call *c, const void *arguments, size_t size)
{
    cxf_know(c, (uintptr_t)arguments, size);
}

/* It is about to be made. */
static inline void cxf_make(cxf_call *c)
{
    for (uint32_t i = c->registration; i != 0 && i <= cxf.registrations; i++) cxf.is_quiet[i] = c->is_async;
    errno = 0;
}

/* It is over: what it took has ended. Of calls that nobody waits for that is so at once. */
static inline void cxf_end(cxf_call *c)
{
    const bool is_done = c->has_succeeded || c->is_async;
    if (c->is_async) c->said = 0;
    for (unsigned i = 0; is_done && i < c->taken.count; i++) {
        struct cxf_object *const object = cxf_object_of(c->taken.all[i].kind, c->taken.all[i].bits);
        if (object != NULL && object->references > 0 && --object->references == 0) cxf_end_object((size_t)(object - cxf.objects));
    }
    for (unsigned i = 0; is_done && i < c->ended.count; i++)
        for (size_t n = 0; n < cxf.kept_count; n++)
            if (cxf.kept[n].thing.kind == c->ended.all[i].kind && cxf.kept[n].thing.bits == c->ended.all[i].bits) cxf.kept[n].is_live = false;
    for (unsigned i = 0; is_done && i < c->lent.count; i++)
        cxf_remember(c->lent.all[i].kind, c->lent.all[i].bits, c->lent.all[i].size);
}

/* Tries to make a call, with smaller numbers if those were too large. */
static inline bool cxf_try(const cxf_function *function)
{
    for (unsigned tame = 0; tame < 3; tame++) {
        cxf_call c;
        memset(&c, 0, sizeof c);
        c.tame = tame;
        c.said = 0xCBF29CE484222325u;
        if (cxf.is_verbose) fprintf(stderr, "%*s%s...\n", (int)(4 * cxf.depth), "", function->name);
        const bool is_made = function->call(&c);
        if (cxf.is_verbose)
            fprintf(stderr, "%*s%s: %s, %016llx\n", (int)(4 * cxf.depth), "", function->name,
                    !is_made ? "not made" : c.is_async ? "made" : c.has_succeeded ? "succeeded" : "failed", (unsigned long long)c.said);
        if (!is_made) continue;
        cxf.calls++;
        cxf.said = cxf_mixed(cxf.said * 3 + c.said + (uint64_t)(function - cxf.functions));
        return true;
    }
    return false;
}

/* Makes a call of some function: of one that needs nothing which is not there yet. */
static inline void cxf_some_call(void)
{
    cxf_call c;
    memset(&c, 0, sizeof c);
    for (unsigned tries = 0; tries < 8; tries++) {
        size_t count = 0;
        const cxf_function *function = NULL;
        for (size_t i = 0; i < cxf.function_count; i++) {
            const bool is_out = cxf.depth > 0 && cxf.is_honest && (cxf.functions[i].flags & CXF_ENDS) != 0;
            if (cxf.is_on[i] && !is_out && cxf_once_in(&c, ++count)) function = &cxf.functions[i];
        }
        if (function == NULL || cxf_try(function)) return;
    }
    cxf.left_out++;
}

/* A callback begins. */
static inline void cxf_called(cxf_call *c)
{
    memset(c, 0, sizeof *c);
    c->is_callback = true;
    c->said = cxf.seed * 0x100000001B3u ^ 0xCBF29CE484222325u;
    c->is_quiet = !pthread_equal(pthread_self(), cxf.thread);
}

/* What it was told is known: it may call something itself. What it answers depends on nothing else. */
static inline void cxf_answer(cxf_call *c)
{
    c->random = c->said;
    c->tame = 1;
    if (c->is_quiet) return;
    cxf.said = cxf_mixed(cxf.said * 3 + c->said);
    if (cxf.depth == 2 || cxf.nested == 0 || !cxf_once_in(c, 4)) return;
    cxf.nested--;
    cxf.depth++;
    cxf_some_call();
    cxf.depth--;
}

/* The sequence of a seed, in a process of its own: how that ended. */
static inline int cxf_sequence(uint64_t seed, unsigned calls)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child < 0) {
        perror("fork");
        exit(2);
    }
    if (child == 0) {
        /* Who lies may wait for what never comes. */
        alarm(60);
        cxf.seed = cxf_mixed(seed + 1);
        cxf.random = cxf.seed;
        cxf.thread = pthread_self();
        cxf.nested = calls;
        for (unsigned i = 0; i < calls; i++) cxf_some_call();
        printf("seed %llu: %u calls, %u not made, %016llx\n", (unsigned long long)seed, cxf.calls, cxf.left_out, (unsigned long long)cxf.said);
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (WIFSIGNALED(status)) printf("seed %llu: ended by signal %d\n", (unsigned long long)seed, WTERMSIG(status));
    else if (status != 0) printf("seed %llu: ended with status %d\n", (unsigned long long)seed, WEXITSTATUS(status));
    return status != 0;
}

/* Whether a list, with commas, has a name. */
static inline bool cxf_lists(const char *list, const char *name)
{
    const size_t size = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ','), at = at != NULL ? at + 1 : NULL)
        if (strncmp(at, name, size) == 0 && (at[size] == ',' || at[size] == 0)) return true;
    return false;
}

static inline int cxf_usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [--seed N] [--count N | --seconds N] [--calls N] [--functions A,B] [--without A,B] [--honest] [--verbose]\n"
            "\n"
            "Calls functions of the library in random order: each seed is one sequence, of 40 calls unless --calls says else, in a process\n"
            "of its own. --count: how many seeds, 100 unless it is said; --seconds: new ones for so long. --honest: nothing is passed that\n"
            "the library itself would not take. --verbose: each call is said on standard error. --list prints what can be called.\n",
            program);
    return 2;
}

/* What the program does. */
static inline int cxf_main(int argc, char **argv, const cxf_function *functions, size_t count, const cxf_kind *kinds)
{
    uint64_t seed = 1, seeds = 100, seconds = 0, calls = 40;
    const char *only = NULL, *without = NULL;
    bool *const is_on = (bool *)calloc(count + 1, sizeof *is_on);
    int failures = 0;
    for (int i = 1; i < argc; i++) {
        const char *const option = argv[i];
        if (strcmp(option, "--honest") == 0) { cxf.is_honest = true; continue; }
        if (strcmp(option, "--verbose") == 0) { cxf.is_verbose = true; continue; }
        if (strcmp(option, "--list") == 0) {
            for (size_t n = 0; n < count; n++) puts(functions[n].name);
            return 0;
        }
        if (++i == argc) return cxf_usage(argv[0]);
        char *end = argv[i];
        const uint64_t number = strtoull(argv[i], &end, 0);
        const bool is_number = *argv[i] != 0 && *end == 0;
        if (strcmp(option, "--functions") == 0) only = argv[i];
        else if (strcmp(option, "--without") == 0) without = argv[i];
        else if (strcmp(option, "--seed") == 0 && is_number) seed = number;
        else if (strcmp(option, "--count") == 0 && is_number) seeds = number;
        else if (strcmp(option, "--seconds") == 0 && is_number) seconds = number;
        else if (strcmp(option, "--calls") == 0 && is_number) calls = number;
        else return cxf_usage(argv[0]);
    }
    if (is_on == NULL) return 2;
    for (size_t n = 0; n < count; n++) {
        const bool is_named = only == NULL || cxf_lists(only, functions[n].name);
        const bool is_unlike = cxf.is_honest && (functions[n].flags & CXF_UNLIKE) != 0;
        is_on[n] = is_named && !(without != NULL && cxf_lists(without, functions[n].name)) && !is_unlike;
    }
    cxf_kinds = kinds;
    cxf.functions = functions;
    cxf.is_on = is_on;
    cxf.function_count = count;
    const time_t first = time(NULL);
    for (uint64_t n = 0; seconds > 0 ? (uint64_t)(time(NULL) - first) < seconds : n < seeds; n++)
        failures += cxf_sequence(seed + n, (unsigned)calls);
    free(is_on);
    return failures > 0;
}

#endif
