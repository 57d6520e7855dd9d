/* One loop a run, for who counts instructions: the case, then `ckernel`, `hand` or `none`. */
#include <stdio.h>
#include <stdlib.h>

#include "bk_ckernels.h"
#include "hand.h"
#include "mulacc_ckernels.h"

enum { N = 4096, ROUNDS = 10 };

static uint64_t a[3 * N], b[3 * N], out[3 * N];
static uint8_t bytes[3 * N];

int main(int argc, char **argv)
{
    if (argc != 3) {
        return 2;
    }
    const char *name = argv[1];
    int by_ckernel = strcmp(argv[2], "ckernel") == 0, by_hand = strcmp(argv[2], "hand") == 0;
    for (int i = 0; i < 3 * N; i++) {
        a[i] = (uint64_t)(i + 1) * 0x9E3779B97F4A7C15u;
        b[i] = a[i] >> (i % 50) | 1u;
        bytes[i] = (uint8_t)a[i];
    }
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) {
            c = c & 1u ? c >> 1 ^ 0xEDB88320u : c >> 1;
        }
        hand_table[i] = c;
    }
    const char *src[2] = {(const char *)a, (const char *)bytes};
    intptr_t strides[2] = {8, 1}, to = 8;
    const ckernel_set *set = &bk_ckernels;
    const char *command = "ror";
    uint64_t acc = 0;
    if (strcmp(name, "constant") == 0) {
        strides[1] = 0;
    } else if (strcmp(name, "strided") == 0) {
        strides[0] = 24;
        strides[1] = 3;
        to = 16;
    } else if (strcmp(name, "table") == 0) {
        command = "crc32_b";
        strides[0] = to = 4;
    } else if (strcmp(name, "raises") == 0 || strcmp(name, "state") == 0) {
        src[1] = (const char *)b;
        strides[1] = 8;
        command = "divchk";
        if (name[0] == 's') {
            set = &mulacc_ckernels;
            command = "mulacc";
        }
    }
    intptr_t memory[16];
    ckernel_prefix *kernel = (ckernel_prefix *)(void *)memory;
    const ckernel_command *found = ckernel_find(set, command);
    if (!found || ckernel_init(kernel, set, found, CKERNEL_STRIDED, 0, 0)) {
        return 3;
    }
    for (int round = 0; round < ROUNDS; round++) {
        if (by_ckernel && ckernel_call_strided(kernel, (char *)out, to, src, strides, N, 0)) {
            return 4;
        }
        if (by_hand) {
            switch (name[0] == 's' ? name[2] : name[0]) {
            case 'n': hand_ror(out, a, bytes, N); break;
            case 'c': hand_ror_by(out, a, bytes[0], N); break;
            case 'r': name[0] == 's' ? hand_ror_strided((char *)out, to, src[0], 24, src[1], 3, N)
                                     : (void)hand_divchk(out, a, b, N); break;
            case 't': hand_crc32_b((uint32_t *)(void *)out, (const uint32_t *)(const void *)a, bytes, N); break;
            default: acc = 0; hand_mulacc(&acc, out, a, b, N); break;
            }
        }
    }
    uint64_t sum = 0;
    for (int i = 0; i < 3 * N; i++) {
        sum = sum * 31u + out[i];
    }
    printf("%llx\n", (unsigned long long)sum);
    return 0;
}
