/* CRC-32C of the messages of RFC 3720, section B.4, in all widths the unit has. Prints one CRC a line. */
#include <stdio.h>
#include <string.h>

#include "crc32c.h"

static uint32_t load(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Bytes, half words, words and double words, as many as fit one after another: so each width is used. */
static uint32_t crc(const uint8_t *p, size_t n) {
    uint32_t c = UINT32_MAX;
    while (n > 0) {
#if CX_XLEN == 64
        if (n >= 16) {
            c = crc32c_sw_crc_d(c, (uint64_t)load(p) | (uint64_t)load(p + 4) << 32);
            p += 8;
            n -= 8;
            continue;
        }
#endif
        if (n >= 8) {
            c = crc32c_sw_crc_w(c, load(p));
            p += 4;
            n -= 4;
        } else if (n >= 4) {
            c = crc32c_sw_crc_h(c, (uint16_t)load(p));
            p += 2;
            n -= 2;
        } else {
            c = crc32c_sw_crc_b(c, *p);
            p += 1;
            n -= 1;
        }
    }
    return ~c;
}

int main(void) {
    static const uint8_t pdu[48] = {
        0x01, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 0x04, 0,
        0, 0, 0, 0x14, 0, 0, 0, 0x18, 0x28, 0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0, 0,
    };
    uint8_t message[32];
    memset(message, 0, sizeof message);
    printf("%08x\n", (unsigned)crc(message, sizeof message));
    memset(message, 0xff, sizeof message);
    printf("%08x\n", (unsigned)crc(message, sizeof message));
    for (unsigned i = 0; i < 32; i++) { message[i] = (uint8_t)i; }
    printf("%08x\n", (unsigned)crc(message, sizeof message));
    for (unsigned i = 0; i < 32; i++) { message[i] = (uint8_t)(31 - i); }
    printf("%08x\n", (unsigned)crc(message, sizeof message));
    printf("%08x\n", (unsigned)crc(pdu, sizeof pdu));
    return 0;
}
