/* SHA3-256 over the unit's rounds (FIPS 202). Prints one digest a line. */
#include <stdio.h>
#include <string.h>

#include "keccak.h"

enum { RATE = 136, WORD = CX_XLEN / 8 };

static void absorb(keccak_state *st, const uint8_t block[RATE]) {
    for (unsigned i = 0; i < RATE / WORD; i++) {
        cx_word_t word = 0;
        for (unsigned k = WORD; k-- > 0;) { word = (cx_word_t)(word << 8 | block[WORD * i + k]); }
        keccak_sw_absorb(st, (uint8_t)i, word);
    }
    for (unsigned r = 0; r < 24; r++) { keccak_sw_round(st, (uint8_t)r); }
}

static void sha3_256(const uint8_t *message, size_t n) {
    keccak_state st;
    uint8_t block[RATE];
    keccak_state_init(&st);
    while (n >= RATE) {
        absorb(&st, message);
        message += RATE;
        n -= RATE;
    }
    memset(block, 0, sizeof block);
    if (n > 0) { memcpy(block, message, n); }
    block[n] ^= 0x06;
    block[RATE - 1] ^= 0x80;
    absorb(&st, block);
    for (unsigned i = 0; i < 32 / WORD; i++) {
        cx_word_t word = keccak_sw_squeeze(&st, (uint8_t)i);
        for (unsigned k = 0; k < WORD; k++) { printf("%02x", (unsigned)(word >> (8 * k) & 0xff)); }
    }
    printf("\n");
}

int main(void) {
    uint8_t long_message[200];
    memset(long_message, 0xa3, sizeof long_message);
    sha3_256(NULL, 0);
    sha3_256((const uint8_t *)"abc", 3);
    sha3_256(long_message, sizeof long_message);
    return 0;
}
