/* ckernels that are made of others, over commands of two interfaces: bound operands, one after another, errors, states. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bk.h"
#include "bk_ckernels.h"
#include "ckernel.h"
#include "mulacc.h"
#include "mulacc_ckernels.h"

enum { N = 300 };

static int failures;

#define CHECK(ok) check((ok), #ok, __LINE__)

static void check(int ok, const char *what, int line)
{
    if (!ok && failures++ < 20) {
        printf("line %d: %s\n", line, what);
    }
}

static uint64_t a[N], b[N], c[N], out[N];
static uint8_t bytes[N];

static uint64_t any(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state ^ state >> 29;
}

static void bound(void)
{
    ckernel_builder ckb;
    ckernel_builder_construct(&ckb);
    uint8_t five = 5;
    const char *src[1] = {(const char *)a};
    const intptr_t strides[1] = {8};
    intptr_t child = ckernel_bind(&ckb, 0, CKERNEL_STRIDED, 2, 1, &five, 1);
    CHECK(child > 0 && ckernel_make(&ckb, child, &bk_ckernels, "ror", CKERNEL_STRIDED, 0, 0) > child);
    /* There is a copy of the value, and it moves with the ckernel. */
    five = 6;
    intptr_t memory[16];
    memcpy(memory, ckb.m_data, sizeof memory);
    memset(ckb.m_data, 0, sizeof memory);
    ckernel_prefix *kernel = (ckernel_prefix *)(void *)memory;
    CHECK(ckernel_call_strided(kernel, (char *)out, 8, src, strides, N, 0) == CKERNEL_OK);
    for (int i = 0; i < N; i++) {
        CHECK(out[i] == bk_sw_ror(a[i], 5));
    }
    ckernel_destroy(kernel);
    CHECK(!kernel->destructor);
    ckernel_builder_reset(&ckb);
    /* The first operand of a single one. */
    child = ckernel_bind(&ckb, 0, CKERNEL_SINGLE, 2, 0, &a[7], 8);
    CHECK(ckernel_make(&ckb, child, &bk_ckernels, "ror", CKERNEL_SINGLE, 0, 0) > child);
    src[0] = (const char *)bytes;
    CHECK(ckernel_call_single(ckernel_at(&ckb, 0), (char *)out, src, 0) == CKERNEL_OK && out[0] == bk_sw_ror(a[7], bytes[0] & 63));
    CHECK(ckernel_bind(&ckb, 0, CKERNEL_SINGLE, 2, 2, &five, 1) == CKERNEL_INVALID);
    CHECK(ckernel_bind(&ckb, 0, CKERNEL_SINGLE, 9, 0, &five, 1) == CKERNEL_INVALID);
    CHECK(ckernel_bind(&ckb, 0, CKERNEL_SINGLE, 2, 0, a, 9) == CKERNEL_INVALID);
    CHECK(ckernel_bind(&ckb, 4, CKERNEL_SINGLE, 2, 0, &five, 1) == CKERNEL_INVALID);
    CHECK(ckernel_bind(&ckb, 0, 2, 2, 0, &five, 1) == CKERNEL_INVALID);
    CHECK(ckernel_bind(&ckb, -8, CKERNEL_SINGLE, 2, 0, &five, 1) == CKERNEL_INVALID);
    ckernel_builder_destruct(&ckb);
}

static void composed(void)
{
    ckernel_builder ckb;
    ckernel_builder_construct(&ckb);
    const char *src[3] = {(const char *)a, (const char *)b, (const char *)c};
    intptr_t strides[3] = {8, 8, 8};
    /* ror(a, popcnt(b)): bytes between them. */
    CHECK(ckernel_compose(&ckb, 0, CKERNEL_STRIDED, &bk_ckernels, "ror", 1, &bk_ckernels, "popcnt") > 0);
    CHECK(ckernel_call_strided(ckernel_at(&ckb, 0), (char *)out, 8, src, strides, N, 0) == CKERNEL_OK);
    for (int i = 0; i < N; i++) {
        CHECK(out[i] == bk_sw_ror(a[i], bk_sw_popcnt(b[i]) & 63));
    }
    ckernel_builder_reset(&ckb);
    /* popcnt(crc32_b(a, bytes)): 32 bits become 64. crc32_b(adds(a, b), bytes): 64 become 32, and the strides are odd. */
    src[1] = (const char *)bytes;
    strides[1] = 1;
    CHECK(ckernel_compose(&ckb, 0, CKERNEL_STRIDED, &bk_ckernels, "popcnt", 0, &bk_ckernels, "crc32_b") > 0);
    CHECK(ckernel_call_strided(ckernel_at(&ckb, 0), (char *)out, 8, src, strides, N, 0) == CKERNEL_OK);
    for (int i = 0; i < N; i++) {
        CHECK(*(uint8_t *)&out[i] == bk_sw_popcnt(bk_sw_crc32_b((uint32_t)a[i], bytes[i])));
    }
    ckernel_builder_reset(&ckb);
    CHECK(ckernel_compose(&ckb, 0, CKERNEL_STRIDED, &bk_ckernels, "crc32_b", 0, &bk_ckernels, "adds") > 0);
    const char *three[3] = {(const char *)a, (const char *)(b + N - 1), (const char *)bytes};
    intptr_t back[3] = {8, -8, 0};
    CHECK(ckernel_call_strided(ckernel_at(&ckb, 0), (char *)out, 4, three, back, N, 0) == CKERNEL_OK);
    for (int i = 0; i < N; i++) {
        uint32_t found;
        memcpy(&found, (char *)out + 4 * i, 4);
        CHECK(found == bk_sw_crc32_b((uint32_t)bk_sw_adds((int64_t)a[i], (int64_t)b[N - 1 - i]), bytes[0]));
    }
    ckernel_builder_reset(&ckb);
    /* adds(ror(a, 3), b), of one value: a bound operand inside of a composition, from the parts. */
    ckernel_composition what = {1, 2, 0, {'u', 8, 64}, {'i', 8, 64}, 0, 0};
    uint8_t three_bits = 3;
    intptr_t at = ckernel_compose_begin(&ckb, 0, CKERNEL_SINGLE, &what);
    at = ckernel_bind(&ckb, at, CKERNEL_STRIDED, 2, 1, &three_bits, 1);
    at = ckernel_make(&ckb, at, &bk_ckernels, "ror", CKERNEL_STRIDED, 0, 0);
    at = ckernel_compose_outer(&ckb, 0, at);
    CHECK(ckernel_call_single(ckernel_at(&ckb, 0), (char *)out, src, 0) == CKERNEL_INVALID);
    CHECK(ckernel_make(&ckb, at, &bk_ckernels, "adds", CKERNEL_STRIDED, 0, 0) > at);
    src[1] = (const char *)b;
    CHECK(ckernel_call_single(ckernel_at(&ckb, 0), (char *)out, src, 0) == CKERNEL_OK);
    CHECK((int64_t)out[0] == bk_sw_adds((int64_t)bk_sw_ror(a[0], 3), (int64_t)b[0]));
    ckernel_builder_reset(&ckb);
    /* What cannot be, and what fails halfway. */
    CHECK(ckernel_compose(&ckb, 0, CKERNEL_STRIDED, &bk_ckernels, "none", 0, &bk_ckernels, "adds") == CKERNEL_INVALID);
    CHECK(ckernel_compose(&ckb, 0, CKERNEL_STRIDED, &bk_ckernels, "adds", 2, &bk_ckernels, "adds") == CKERNEL_INVALID);
    CHECK(ckernel_make(&ckb, 0, &bk_ckernels, "none", CKERNEL_STRIDED, 0, 0) == CKERNEL_INVALID);
    CHECK(ckernel_make(&ckb, 0, 0, "none", CKERNEL_STRIDED, 0, 0) == CKERNEL_INVALID);
    ckernel_set later = bk_ckernels;
    later.abi_version++;
    CHECK(ckernel_make(&ckb, 0, &later, "adds", CKERNEL_STRIDED, 0, 0) == CKERNEL_INVALID);
    CHECK(ckernel_make(&ckb, 0, &mulacc_ckernels, "mul", CKERNEL_STRIDED, a, 8) == CKERNEL_INVALID);
    at = ckernel_compose_begin(&ckb, 0, CKERNEL_STRIDED, &what);
    CHECK(ckernel_compose_outer(&ckb, 0, 0) == CKERNEL_INVALID);
    CHECK(ckernel_make(&ckb, at, &bk_ckernels, "none", CKERNEL_STRIDED, 0, 0) == CKERNEL_INVALID);
    CHECK(ckernel_call_strided(ckernel_at(&ckb, 0), (char *)out, 8, src, strides, N, 0) == CKERNEL_INVALID);
    what.at = 2;
    CHECK(ckernel_compose_begin(&ckb, 0, CKERNEL_STRIDED, &what) == CKERNEL_INVALID);
    ckernel_builder_destruct(&ckb);
}

/* divchk(divchk(a, b), c): the error of the first element that has one arrives, whichever of the two it is. */
static void raised(int inner_at, int outer_at)
{
    ckernel_builder ckb;
    ckernel_builder_construct(&ckb);
    const char *src[3] = {(const char *)a, (const char *)b, (const char *)c};
    intptr_t strides[3] = {8, 8, 8};
    uint64_t b_before = b[inner_at], c_before = c[outer_at];
    b[inner_at] = 0;
    c[outer_at] = 0;
    int first = inner_at <= outer_at ? inner_at : outer_at;
    CHECK(ckernel_compose(&ckb, 0, CKERNEL_STRIDED, &bk_ckernels, "divchk", 0, &bk_ckernels, "divchk") > 0);
    ckernel_error error = {0, 9, 9, ""};
    ckernel_call call = {&error, 0, 0, 0};
    memset(out, 0xA5, sizeof out);
    CHECK(ckernel_call_strided(ckernel_at(&ckb, 0), (char *)out, 8, src, strides, N, &call) == CX_RESPONSE_OP);
    CHECK(ckernel_call_strided(ckernel_at(&ckb, 0), (char *)out, 8, src, strides, N, 0) == CX_RESPONSE_OP);
    CHECK(error.status == CX_RESPONSE_OP && error.code == 0 && error.index == (uint64_t)first);
    CHECK(strcmp(error.message, "bk.divchk: an operand is in error") == 0);
    for (int i = 0; i < N; i++) {
        uint64_t untouched;
        memset(&untouched, 0xA5, sizeof untouched);
        uint64_t expected = i < first ? bk_sw_divchk(bk_sw_divchk(a[i], b[i]), c[i])
                            : i == first && outer_at < inner_at ? UINT64_MAX : untouched;
        CHECK(out[i] == expected);
    }
    b[inner_at] = b_before;
    c[outer_at] = c_before;
    ckernel_builder_destruct(&ckb);
}

/* A state in the inner one, in the outer one, and in both: as two contexts one after another. */
static void states(int in_inner, int in_outer, int told, int wanted, size_t n)
{
    ckernel_builder ckb;
    ckernel_builder_construct(&ckb);
    mulacc_state inner, outer;
    mulacc_state_init(&inner);
    mulacc_state_init(&outer);
    cx_word_t images[4];
    size_t bytes_of_one = sizeof(cx_word_t) * 2, place = 0;
    if (told) {
        inner.acc = 1000;
        outer.acc = 77;
        inner.status |= 3;
        outer.status |= 3;
    }
    if (in_inner) {
        mulacc_state_save(&inner, images);
        place = 2;
    }
    if (in_outer) {
        mulacc_state_save(&outer, images + place);
    }
    const char *src[3] = {(const char *)a, (const char *)b, (const char *)c};
    intptr_t strides[3] = {8, 8, 8};
    CHECK(ckernel_compose(&ckb, 0, CKERNEL_STRIDED, in_outer ? &mulacc_ckernels : &bk_ckernels, in_outer ? "mulacc" : "adds", 0,
              in_inner ? &mulacc_ckernels : &bk_ckernels, in_inner ? "mulacc" : "adds") > 0);
    intptr_t size = (intptr_t)bytes_of_one * (in_inner + in_outer);
    ckernel_error error;
    ckernel_call call = {&error, told ? images : 0, wanted ? images : 0, size};
    for (int again = 0; again < (wanted || told ? 1 : 2); again++) {
        mulacc_state first = inner, second = outer;
        CHECK(ckernel_call_strided(ckernel_at(&ckb, 0), (char *)out, 8, src, strides, n, &call) == CKERNEL_OK);
        for (size_t i = 0; i < n; i++) {
            uint64_t between = in_inner ? mulacc_sw_mulacc(&first, a[i], b[i]) : (uint64_t)bk_sw_adds((int64_t)a[i], (int64_t)b[i]);
            CHECK(out[i] == (in_outer ? mulacc_sw_mulacc(&second, between, c[i]) : (uint64_t)bk_sw_adds((int64_t)between, (int64_t)c[i])));
        }
        if (wanted) {
            cx_word_t image[2];
            mulacc_state_save(&first, image);
            CHECK(!in_inner || memcmp(image, images, bytes_of_one) == 0);
            mulacc_state_save(&second, image);
            CHECK(!in_outer || memcmp(image, images + place, bytes_of_one) == 0);
        }
    }
    if (wanted) {
        call.state_size--;
        CHECK(ckernel_call_strided(ckernel_at(&ckb, 0), (char *)out, 8, src, strides, n, &call) == CKERNEL_INVALID);
        CHECK(error.status == CKERNEL_INVALID && strstr(error.message, "no image"));
    }
    ckernel_builder_destruct(&ckb);
}

/* divchk(mulacc(a, b), c): where the outer one fails, the inner state is the one after that element, and no later one. */
static void behind(int at)
{
    ckernel_builder ckb;
    ckernel_builder_construct(&ckb);
    mulacc_state st;
    mulacc_state_init(&st);
    cx_word_t image[2], expected[2];
    const char *src[3] = {(const char *)a, (const char *)b, (const char *)c};
    intptr_t strides[3] = {8, 8, 8};
    uint64_t before = c[at];
    c[at] = 0;
    CHECK(ckernel_compose(&ckb, 0, CKERNEL_STRIDED, &bk_ckernels, "divchk", 0, &mulacc_ckernels, "mulacc") > 0);
    ckernel_error error;
    ckernel_call call = {&error, 0, image, sizeof image};
    CHECK(ckernel_call_strided(ckernel_at(&ckb, 0), (char *)out, 8, src, strides, N, &call) == CX_RESPONSE_OP);
    CHECK(error.index == (uint64_t)at);
    for (int i = 0; i <= at; i++) {
        CHECK(out[i] == bk_sw_divchk(mulacc_sw_mulacc(&st, a[i], b[i]), c[i]));
    }
    mulacc_state_save(&st, expected);
    CHECK(memcmp(image, expected, sizeof image) == 0);
    /* From there on, as if nothing had happened. */
    c[at] = before;
    call.initial = image;
    for (int i = 0; i < 3; i++) {
        src[i] += 8 * (at + 1);
    }
    CHECK(ckernel_call_strided(ckernel_at(&ckb, 0), (char *)out, 8, src, strides, (size_t)(N - at - 1), &call) == CKERNEL_OK);
    for (int i = at + 1; i < N; i++) {
        CHECK(out[i - at - 1] == bk_sw_divchk(mulacc_sw_mulacc(&st, a[i], b[i]), c[i]));
    }
    ckernel_builder_destruct(&ckb);
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = any();
        b[i] = any() >> (i % 60);
        c[i] = any() >> 40;
        b[i] += !b[i];
        c[i] += !c[i];
        bytes[i] = (uint8_t)(any() & 63);
    }
    bound();
    composed();
    for (int i = 0; i < 4; i++) {
        static const int places[4] = {0, 5, 200, 299};
        for (int k = 0; k < 4; k++) {
            raised(places[i], places[k]);
        }
    }
    behind(0);
    behind(200);
    for (int i = 1; i < 16; i++) {
        if (i & 3) {
            static const size_t counts[4] = {0, 1, 128, N};
            for (int k = 0; k < 4; k++) {
                states(i & 1, i >> 1 & 1, i >> 2 & 1, i >> 3 & 1, counts[k]);
            }
        }
    }
    printf("%d failures\n", failures);
    return failures != 0;
}
