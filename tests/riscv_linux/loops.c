/* Loops over commands: by the stubs of the headers, and as people write them. `by_stub` and `by_hand` behind a name make a pair. */
#include <stdio.h>

#include "cx.h"
#include "crc32c.h"
#include "mulacc.h"

#ifdef __clang__
#define noclone
#endif

enum { N = 1000 };

__attribute__((noinline, noclone)) uint64_t dot_by_stub(cx_sel_t sel, const uint64_t *a, const uint64_t *b, size_t n)
{
    cx_sel_t outer = cx_select(sel);
    uint64_t sum = mulacc_mul(0, 0);
    for (size_t i = 0; i < n; i++) {
        sum = mulacc_mulacc(a[i], b[i]);
    }
    cx_select(outer);
    return sum;
}

__attribute__((noinline, noclone)) uint64_t dot_by_hand(cx_sel_t sel, const uint64_t *a, const uint64_t *b, size_t n)
{
    uint64_t sum, zero = 0;
    long outer;
    __asm__ volatile("csrrw %0, 0x800, %1" : "=r"(outer) : "r"(sel));
    __asm__ volatile(".insn r 0x0B, 0, 0, %0, %1, %1" : "=r"(sum) : "r"(zero));
    for (size_t i = 0; i < n; i++) {
        __asm__ volatile(".insn r 0x0B, 1, 0, %0, %1, %2" : "=r"(sum) : "r"(a[i]), "r"(b[i]));
    }
    __asm__ volatile("csrw 0x800, %0" : : "r"(outer));
    return sum;
}

__attribute__((noinline, noclone)) uint32_t crc_by_stub(cx_sel_t sel, const unsigned char *p, size_t n)
{
    cx_sel_t outer = cx_select(sel);
    uint32_t crc = ~UINT32_C(0);
    for (size_t i = 0; i < n; i++) {
        crc = crc32c_crc_b(crc, p[i]);
    }
    cx_select(outer);
    return ~crc;
}

__attribute__((noinline, noclone)) uint32_t crc_by_hand(cx_sel_t sel, const unsigned char *p, size_t n)
{
    long outer;
    uint32_t crc = ~UINT32_C(0);
    __asm__ volatile("csrrw %0, 0x800, %1" : "=r"(outer) : "r"(sel));
    for (size_t i = 0; i < n; i++) {
        unsigned long rd;
        /* A number of 32 bits is extended by its sign to the register, as for a function. */
        __asm__ volatile(".insn r 0x0B, 0, 0, %0, %1, %2" : "=r"(rd) : "r"((long)(int)crc), "r"((unsigned long)p[i]));
        crc = (uint32_t)rd;
    }
    __asm__ volatile("csrw 0x800, %0" : : "r"(outer));
    return ~crc;
}

static cx_sel_t opened(const struct cx_soft_cxu *cxu, cx_open_flags flags)
{
    return cx_soft_register(cxu) == CX_ERROR_NONE ? cx_open(&cxu->uuid, flags) : cx_sel_invalid;
}

int main(void)
{
    static uint64_t a[N], b[N];
    static unsigned char p[N];
    cx_sel_t mac = opened(&mulacc_soft_cxu, cx_open_exclusive), crc = opened(&crc32c_soft_cxu, cx_open_shared);
    for (unsigned i = 0; i < N; i++) {
        a[i] = i * 3u;
        b[i] = i ^ 5u;
        p[i] = (unsigned char)(i * 7u);
    }
    if (mac == cx_sel_invalid || crc == cx_sel_invalid || dot_by_stub(mac, a, b, N) != dot_by_hand(mac, a, b, N) ||
        crc_by_stub(crc, p, N) != crc_by_hand(crc, p, N)) {
        printf("different\n");
        return 1;
    }
    return 0;
}
