/* AES-128, SHA-256 and, at 64 bits, SHA-512, with the steps that the unit has. Prints one result a line. */
#include <stdio.h>
#include <string.h>

#include "crypto.h"

static uint32_t load(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t middle(uint32_t key, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    key = crypto_sw_aes32esmi0(key, a);
    key = crypto_sw_aes32esmi1(key, b);
    key = crypto_sw_aes32esmi2(key, c);
    return crypto_sw_aes32esmi3(key, d);
}

static uint32_t last(uint32_t key, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    key = crypto_sw_aes32esi0(key, a);
    key = crypto_sw_aes32esi1(key, b);
    key = crypto_sw_aes32esi2(key, c);
    return crypto_sw_aes32esi3(key, d);
}

/* FIPS 197, sections 5.1 and 5.2. Columns are little-endian words. */
static void aes128(const uint8_t key[16], const uint8_t in[16]) {
    uint32_t w[44], s[4], t[4];
    uint32_t round_constant = 1;
    for (unsigned i = 0; i < 4; i++) { w[i] = load(key + 4 * i); }
    for (unsigned i = 4; i < 44; i++) {
        uint32_t x = w[i - 1];
        if (i % 4 == 0) {
            x = x >> 8 | x << 24;
            x = last(round_constant, x, x, x, x);
            round_constant = (round_constant << 1) ^ (round_constant & 0x80 ? 0x11b : 0);
        }
        w[i] = w[i - 4] ^ x;
    }
    for (unsigned i = 0; i < 4; i++) { s[i] = load(in + 4 * i) ^ w[i]; }
    for (unsigned round = 1; round <= 10; round++) {
        for (unsigned i = 0; i < 4; i++) {
            uint32_t a = s[i], b = s[(i + 1) % 4], c = s[(i + 2) % 4], d = s[(i + 3) % 4];
            uint32_t k = w[4 * round + i];
            t[i] = round < 10 ? middle(k, a, b, c, d) : last(k, a, b, c, d);
        }
        memcpy(s, t, sizeof s);
    }
    for (unsigned i = 0; i < 16; i++) { printf("%02x", (unsigned)(s[i / 4] >> (8 * (i % 4)) & 0xff)); }
    printf("\n");
}

/* FIPS 180-4, section 4.2.3. The constants of SHA-256 are the upper halves of the first 64. */
static const uint64_t K[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

/* FIPS 180-4, section 5.3. Those of SHA-256 are the upper halves. */
static const uint64_t H[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

/* The message and its padding (FIPS 180-4, section 5.1), as whole blocks. Returns the number of bytes. */
static size_t pad(uint8_t *to, const char *message, size_t block) {
    size_t n = strlen(message);
    size_t total = (n + 1 + block / 8 + block - 1) / block * block;
    memset(to, 0, total);
    memcpy(to, message, n);
    to[n] = 0x80;
    for (unsigned i = 0; i < 8; i++) { to[total - 1 - i] = (uint8_t)((uint64_t)n * 8 >> (8 * i)); }
    return total;
}

static void sha256(const char *message) {
    uint8_t text[1024];
    uint32_t h[8];
    size_t n = pad(text, message, 64);
    for (unsigned i = 0; i < 8; i++) { h[i] = (uint32_t)(H[i] >> 32); }
    for (size_t at = 0; at < n; at += 64) {
        uint32_t w[64], s[8];
        for (unsigned i = 0; i < 16; i++) {
            const uint8_t *p = text + at + 4 * i;
            w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
        }
        for (unsigned i = 16; i < 64; i++) {
            w[i] = crypto_sw_sha256sig1(w[i - 2]) + w[i - 7] + crypto_sw_sha256sig0(w[i - 15]) + w[i - 16];
        }
        memcpy(s, h, sizeof s);
        for (unsigned i = 0; i < 64; i++) {
            uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
            uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
            uint32_t t1 = s[7] + crypto_sw_sha256sum1(s[4]) + choice + (uint32_t)(K[i] >> 32) + w[i];
            uint32_t t2 = crypto_sw_sha256sum0(s[0]) + majority;
            memmove(s + 1, s, 7 * sizeof *s);
            s[4] += t1;
            s[0] = t1 + t2;
        }
        for (unsigned i = 0; i < 8; i++) { h[i] += s[i]; }
    }
    for (unsigned i = 0; i < 8; i++) { printf("%08x", (unsigned)h[i]); }
    printf("\n");
}

#if CX_XLEN == 64
static uint64_t rotate(uint64_t x, unsigned n) { return x >> n | x << (64 - n); }

static void sha512(const char *message) {
    uint8_t text[1024];
    uint64_t h[8];
    size_t n = pad(text, message, 128);
    memcpy(h, H, sizeof h);
    for (size_t at = 0; at < n; at += 128) {
        uint64_t w[80], s[8];
        for (unsigned i = 0; i < 16; i++) {
            w[i] = 0;
            for (unsigned k = 0; k < 8; k++) { w[i] = w[i] << 8 | text[at + 8 * i + k]; }
        }
        for (unsigned i = 16; i < 80; i++) {
            uint64_t s0 = rotate(w[i - 15], 1) ^ rotate(w[i - 15], 8) ^ w[i - 15] >> 7;
            uint64_t s1 = rotate(w[i - 2], 19) ^ rotate(w[i - 2], 61) ^ w[i - 2] >> 6;
            w[i] = s1 + w[i - 7] + s0 + w[i - 16];
        }
        memcpy(s, h, sizeof s);
        for (unsigned i = 0; i < 80; i++) {
            uint64_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
            uint64_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
            uint64_t sum1 = rotate(s[4], 14) ^ rotate(s[4], 18) ^ rotate(s[4], 41);
            uint64_t t1 = s[7] + sum1 + choice + K[i] + w[i];
            uint64_t t2 = crypto_sw_sha512sum0(s[0]) + majority;
            memmove(s + 1, s, 7 * sizeof *s);
            s[4] += t1;
            s[0] = t1 + t2;
        }
        for (unsigned i = 0; i < 8; i++) { h[i] += s[i]; }
    }
    for (unsigned i = 0; i < 8; i++) { printf("%016llx", (unsigned long long)h[i]); }
    printf("\n");
}
#endif

int main(void) {
    static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    uint8_t key[16], text[16];
    for (unsigned i = 0; i < 16; i++) {
        key[i] = (uint8_t)i;
        text[i] = (uint8_t)(0x11 * i);
    }
    aes128(key, text);
    sha256("abc");
    sha256("");
    sha256(two_blocks);
#if CX_XLEN == 64
    sha512("abc");
    sha512(two_blocks);
#endif
    return 0;
}
