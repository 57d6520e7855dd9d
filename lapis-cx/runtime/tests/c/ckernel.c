/* The builder and hand-written ckernels, from C and C++. An argument is how many ckernels are built and destroyed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckernel.h"

#ifdef __cplusplus
#define ASSERT static_assert
#else
#define ASSERT _Static_assert
#endif

/* The document's own words (Blaze CKernel Interface, "CKernel Definition" and "CKernel Builder"). */
typedef struct document_prefix {
    void *function;
    void (*destructor)(struct document_prefix *);
} document_prefix;
typedef struct document_builder {
    intptr_t *m_data;
    intptr_t m_capacity;
    intptr_t m_static_data[16];
} document_builder;

ASSERT(sizeof(ckernel_prefix) == sizeof(document_prefix), "prefix");
ASSERT(offsetof(ckernel_prefix, function) == offsetof(document_prefix, function), "function");
ASSERT(offsetof(ckernel_prefix, destructor) == offsetof(document_prefix, destructor), "destructor");
ASSERT(sizeof(ckernel_builder) == 18 * sizeof(void *), "builder");
ASSERT(sizeof(ckernel_builder) == sizeof(document_builder), "builder");
ASSERT(offsetof(ckernel_builder, m_data) == offsetof(document_builder, m_data), "m_data");
ASSERT(offsetof(ckernel_builder, m_capacity) == offsetof(document_builder, m_capacity), "m_capacity");
ASSERT(offsetof(ckernel_builder, m_static_data) == offsetof(document_builder, m_static_data), "m_static_data");
ASSERT(sizeof(ckernel_error) == 128, "error");

static int failures;

#define CHECK(ok) check((ok), #ok, __LINE__)

static void check(int ok, const char *what, int line)
{
    if (!ok) {
        printf("line %d: %s\n", line, what);
        failures++;
    }
}

/* What the ckernels here own: memory that leaks, or is freed twice, if a destructor runs too seldom or too often. */
static long alive;

/* x + value, at `value` behind the prefix. Raises where the sum does not fit. */
typedef struct adder {
    ckernel_prefix base;
    intptr_t *value;
} adder;

static void adder_destroy(ckernel_prefix *self)
{
    free(((adder *)self)->value);
    alive--;
}

static int adder_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    intptr_t x, value = *((adder *)extra)->value;
    memcpy(&x, src[0], sizeof x);
    if (x > INTPTR_MAX - value) {
        return ckernel_raise(call, 5, 0, 0, "adder", "the sum does not fit");
    }
    x += value;
    memcpy(dst, &x, sizeof x);
    return CKERNEL_OK;
}

/* A factory gives the offset behind what it made, or a negative number. */
static intptr_t make_adder(ckernel_builder *ckb, intptr_t offset, intptr_t value, int fails)
{
    intptr_t end = offset + CKERNEL_ALIGNED(sizeof(adder));
    if (ckernel_builder_ensure_capacity_leaf(ckb, end) < 0) {
        return CKERNEL_NO_MEMORY;
    }
    if (fails) {
        return CKERNEL_INVALID;
    }
    adder *self = (adder *)ckernel_at(ckb, offset);
    ckernel_single_t function = adder_single;
    self->value = (intptr_t *)malloc(sizeof *self->value);
    if (!self->value) {
        return CKERNEL_NO_MEMORY;
    }
    alive++;
    *self->value = value;
    memcpy(&self->base.function, &function, sizeof function);
    self->base.destructor = adder_destroy;
    return end;
}

/* second(first(x)): two children behind it. */
typedef struct chain {
    ckernel_prefix base;
    intptr_t first, second;
    char filler[100];
} chain;

static void chain_destroy(ckernel_prefix *self)
{
    ckernel_destroy_child(self, ((chain *)self)->first);
    ckernel_destroy_child(self, ((chain *)self)->second);
    alive--;
}

static int chain_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    const chain *self = (const chain *)extra;
    intptr_t between = 0;
    const char *source = (const char *)&between;
    int status = ckernel_call_single(ckernel_child(extra, self->first), (char *)&between, src, call);
    return status ? status : ckernel_call_single(ckernel_child(extra, self->second), dst, &source, call);
}

/* A chain of chains, `depth` of them, over adders of 1. Making number `fails` of its ckernels fails. */
static intptr_t make_chain(ckernel_builder *ckb, intptr_t offset, int depth, int *fails)
{
    if (--*fails == 0 || depth == 0) {
        return make_adder(ckb, offset, 1, *fails == 0);
    }
    intptr_t at = offset + CKERNEL_ALIGNED(sizeof(chain));
    if (ckernel_builder_ensure_capacity(ckb, at) < 0) {
        return CKERNEL_NO_MEMORY;
    }
    ckernel_single_t function = chain_single;
    chain *self = (chain *)ckernel_at(ckb, offset);
    memcpy(&self->base.function, &function, sizeof function);
    self->base.destructor = chain_destroy;
    self->first = at - offset;
    alive++;
    at = make_chain(ckb, at, depth - 1, fails);
    if (at < 0 || ckernel_builder_ensure_capacity(ckb, at) < 0) {
        return at < 0 ? at : CKERNEL_NO_MEMORY;
    }
    /* It may have moved. */
    ((chain *)ckernel_at(ckb, offset))->second = at - offset;
    return make_chain(ckb, at, depth - 1, fails);
}

static void builder(void)
{
    ckernel_builder ckb;
    memset(&ckb, 0xA5, sizeof ckb);
    ckernel_builder_construct(&ckb);
    CHECK(ckb.m_data == ckb.m_static_data);
    CHECK(ckb.m_capacity == (intptr_t)sizeof ckb.m_static_data);
    for (int i = 0; i < 16; i++) {
        CHECK(ckb.m_data[i] == 0);
    }
    CHECK(ckernel_builder_ensure_capacity_leaf(&ckb, (intptr_t)sizeof ckb.m_static_data) == 0);
    CHECK(ckb.m_data == ckb.m_static_data);
    /* The other one wants room for a child. */
    CHECK(ckernel_builder_ensure_capacity(&ckb, (intptr_t)sizeof ckb.m_static_data) == 0);
    CHECK(ckb.m_data != ckb.m_static_data && ckb.m_capacity >= (intptr_t)(18 * sizeof(void *)));
    CHECK(ckernel_builder_ensure_capacity_leaf(&ckb, -1) == 0);
    /* What cannot be changes nothing. */
    intptr_t *data = ckb.m_data, capacity = ckb.m_capacity;
    data[2] = 77;
    CHECK(ckernel_builder_ensure_capacity_leaf(&ckb, INTPTR_MAX) == -1);
    CHECK(ckernel_builder_ensure_capacity(&ckb, INTPTR_MAX - 3) == -1);
    CHECK(ckernel_builder_ensure_capacity_leaf(&ckb, INTPTR_MAX - 7) == -1);
    CHECK(ckb.m_data == data && ckb.m_capacity == capacity && data[2] == 77);
    CHECK(ckernel_builder_ensure_capacity_leaf(&ckb, 100001) == 0);
    CHECK(ckb.m_capacity >= 100001 && ckb.m_capacity % (intptr_t)sizeof(void *) == 0 && ckb.m_data[2] == 77);
    for (intptr_t i = 3; i < ckb.m_capacity / (intptr_t)sizeof(intptr_t); i++) {
        CHECK(ckb.m_data[i] == 0);
    }
    ckernel_builder_reset(&ckb);
    CHECK(ckb.m_data == ckb.m_static_data && ckb.m_data[2] == 0);
    CHECK(ckb.m_capacity == (intptr_t)sizeof ckb.m_static_data);
    ckernel_builder_destruct(&ckb);
    ckernel_builder_destruct(&ckb);
    CHECK(ckernel_builder_ensure_capacity_leaf(&ckb, 8) == -1);
    ckernel_builder_reset(&ckb);
    CHECK(ckernel_builder_ensure_capacity_leaf(&ckb, 8) == 0);
    ckernel_builder_destruct(&ckb);
    ckernel_builder_construct(0);
    ckernel_builder_destruct(0);
    ckernel_builder_reset(0);
    CHECK(ckernel_builder_ensure_capacity(0, 0) == -1 && ckernel_builder_ensure_capacity_leaf(0, 0) == -1);
}

/* A ckernel works wherever memcpy takes it, and is destroyed there. */
static void moved(void)
{
    ckernel_builder ckb;
    int never = -1;
    ckernel_builder_construct(&ckb);
    intptr_t size = make_chain(&ckb, 0, 3, &never);
    CHECK(size > (intptr_t)sizeof ckb.m_static_data && alive == 15);
    /* Aligned to a pointer and no more. */
    char *memory = (char *)malloc((size_t)size + sizeof(void *));
    ckernel_prefix *copy = (ckernel_prefix *)(void *)(memory + sizeof(void *));
    memcpy(copy, ckb.m_data, (size_t)size);
    memset(ckb.m_data, 0, (size_t)size);
    ckernel_builder_destruct(&ckb);
    CHECK(alive == 15);
    intptr_t x = 34, y = 0;
    const char *src = (const char *)&x;
    CHECK(ckernel_call_single(copy, (char *)&y, &src, 0) == CKERNEL_OK && y == 42);
    /* From the third adder. */
    ckernel_error error = {0, 1, 1, {1}};
    ckernel_call call = {&error, 0, 0, 0};
    x = INTPTR_MAX - 2;
    CHECK(ckernel_call_single(copy, (char *)&y, &src, &call) == 5 && y == 42);
    CHECK(error.status == 5 && error.code == 0 && error.index == 0);
    CHECK(strcmp(error.message, "adder: the sum does not fit") == 0);
    CHECK(ckernel_call_single(copy, (char *)&y, &src, 0) == 5);
    ckernel_destroy(copy);
    CHECK(alive == 0);
    ckernel_destroy(copy);
    CHECK(alive == 0);
    free(memory);
}

/* Whatever fails, each ckernel that was made is destroyed once. */
static void failed(void)
{
    for (int nth = 1; nth <= 16; nth++) {
        ckernel_builder ckb;
        ckernel_builder_construct(&ckb);
        int fails = nth;
        intptr_t end = make_chain(&ckb, 0, 3, &fails);
        CHECK((end < 0) == (nth < 16) && alive == (nth < 16 ? nth - 1 : 15));
        ckernel_builder_reset(&ckb);
        CHECK(alive == 0);
        fails = -1;
        CHECK(make_chain(&ckb, 0, 1, &fails) > 0 && alive == 3);
        ckernel_builder_destruct(&ckb);
        CHECK(alive == 0);
    }
}

/* A long text ends between two characters. */
static void cut(void)
{
    char what[200];
    for (int i = 0; i + 2 < 200; i += 2) {
        what[i] = (char)0xC3;
        what[i + 1] = (char)0xA9;
    }
    what[198] = 0;
    const char *whos[2] = {"a", "ab"};
    for (int i = 0; i < 2; i++) {
        ckernel_error error;
        ckernel_call call = {&error, 0, 0, 0};
        CHECK(ckernel_raise(&call, -2, 3, 4, whos[i], what) == -2 && error.code == 3 && error.index == 4);
        size_t n = strlen(error.message), before = strlen(whos[i]) + 2;
        CHECK(n >= CKERNEL_MESSAGE_SIZE - 2 && n < CKERNEL_MESSAGE_SIZE && (n - before) % 2 == 0);
    }
}

int main(int argc, char **argv)
{
    builder();
    moved();
    failed();
    cut();
    ckernel_builder ckb;
    ckernel_builder_construct(&ckb);
    for (long i = argc > 1 ? atol(argv[1]) : 1000; i > 0; i--) {
        int fails = (int)(i % 8);
        (void)make_chain(&ckb, 0, (int)(i % 3), &fails);
        if (i % 2) {
            ckernel_builder_reset(&ckb);
        } else {
            ckernel_builder_destruct(&ckb);
            ckernel_builder_construct(&ckb);
        }
    }
    CHECK(alive == 0);
    ckernel_builder_destruct(&ckb);
    printf("%d failures\n", failures);
    return failures != 0;
}
