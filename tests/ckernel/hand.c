/* Loops as people write them, to hold ckernels against. */
#include "hand.h"

void hand_ror(uint64_t *dst, const uint64_t *x, const uint8_t *n, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned k = n[i] & 63u;
        dst[i] = x[i] >> k | x[i] << (-k & 63u);
    }
}

void hand_ror_by(uint64_t *dst, const uint64_t *x, uint8_t n, size_t count)
{
    unsigned k = n & 63u;
    for (size_t i = 0; i < count; i++) {
        dst[i] = x[i] >> k | x[i] << (-k & 63u);
    }
}

void hand_ror_strided(char *dst, intptr_t to, const char *x, intptr_t from, const char *n, intptr_t by, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value;
        unsigned k = *(const uint8_t *)n & 63u;
        memcpy(&value, x, sizeof value);
        value = value >> k | value << (-k & 63u);
        memcpy(dst, &value, sizeof value);
        dst += to;
        x += from;
        n += by;
    }
}

void hand_crc32_b(uint32_t *dst, const uint32_t *crc, const uint8_t *data, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        dst[i] = crc[i] >> 8 ^ hand_table[(crc[i] ^ data[i]) & 255u];
    }
}

size_t hand_divchk(uint64_t *dst, const uint64_t *a, const uint64_t *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (b[i] == 0) {
            dst[i] = UINT64_MAX;
            return i;
        }
        dst[i] = a[i] / b[i];
    }
    return count;
}

void hand_mulacc(uint64_t *acc, uint64_t *dst, const uint64_t *a, const uint64_t *b, size_t count)
{
    uint64_t sum = *acc;
    for (size_t i = 0; i < count; i++) {
        sum += a[i] * b[i];
        dst[i] = sum;
    }
    *acc = sum;
}

uint32_t hand_table[256];
