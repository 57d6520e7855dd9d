/* Loops over fallbacks, and the same by hand: `loops NAME`. `none` runs no loop. */
#include "bk_fallback.c"
#include "crc32c_fallback.c"
#include "mulacc_fallback.c"
#include <string.h>

enum { LENGTH = 4096, ROUNDS = 50 };
#define LOOP static __attribute__((noinline))

static uint64_t a[LENGTH], b[LENGTH];
static uint8_t data[LENGTH];
static uint32_t by_hand[256];

LOOP uint64_t dot(void) {
    mulacc_state m;
    mulacc_state_init(&m);
    uint64_t r = mulacc_sw_mul(&m, 0, 0);
    for (size_t i = 0; i < LENGTH; i++) r = mulacc_sw_mulacc(&m, a[i], b[i]);
    return r;
}

LOOP uint64_t dot_by_hand(void) {
    uint64_t r = 0;
    for (size_t i = 0; i < LENGTH; i++) r += a[i] * b[i];
    return r;
}

LOOP uint64_t bits(void) {
    uint32_t c = ~0u;
    for (size_t i = 0; i < LENGTH; i++) c = crc32c_sw_crc_b(c, data[i]);
    return ~c;
}

LOOP uint64_t bits_by_hand(void) {
    uint32_t c = ~0u;
    for (size_t i = 0; i < LENGTH; i++) {
        for (int k = 0; k < 8; k++) {
            c ^= (uint32_t)data[i] >> k & 1u;
            c = c & 1u ? c >> 1 ^ 0x82F63B78u : c >> 1;
        }
    }
    return ~c;
}

LOOP uint64_t table(void) {
    uint32_t c = ~0u;
    for (size_t i = 0; i < LENGTH; i++) c = bk_sw_crc32_b(c, data[i]);
    return ~c;
}

LOOP uint64_t table_by_hand(void) {
    uint32_t c = ~0u;
    for (size_t i = 0; i < LENGTH; i++) c = c >> 8 ^ by_hand[(uint8_t)(c ^ data[i])];
    return ~c;
}

LOOP uint64_t count(void) {
    uint64_t n = 0;
    for (size_t i = 0; i < LENGTH; i++) n += bk_sw_popcnt(a[i]);
    return n;
}

LOOP uint64_t count_by_hand(void) {
    uint64_t n = 0;
    for (size_t i = 0; i < LENGTH; i++) {
        uint32_t bits = 0;
        for (int k = 0; k < 64; k++) bits += (uint32_t)(a[i] >> k) & 1u;
        n += bits;
    }
    return n;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        uint64_t (*loop)(void);
    } loops[] = {
        {"dot", dot}, {"dot_by_hand", dot_by_hand}, {"bits", bits}, {"bits_by_hand", bits_by_hand},
        {"table", table}, {"table_by_hand", table_by_hand}, {"count", count}, {"count_by_hand", count_by_hand},
    };
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1u ? c >> 1 ^ 0xEDB88320u : c >> 1;
        by_hand[i] = c;
    }
    for (size_t i = 0; i < LENGTH; i++) {
        a[i] = i * UINT64_C(0x9E3779B97F4A7C15);
        b[i] = a[i] ^ 0x55;
        data[i] = (uint8_t)(a[i] >> 40);
    }
    uint64_t sum = 0;
    for (size_t k = 0; k < sizeof loops / sizeof loops[0]; k++) {
        if (argc > 1 && strcmp(argv[1], loops[k].name) == 0) {
            for (int r = 0; r < ROUNDS; r++) {
                __asm__ volatile("" : : : "memory");
                sum ^= loops[k].loop();
            }
        }
    }
    return sum == 1;
}
