/* Selections with commands in them, and loops twice: with generated stubs, and as they are written by hand. */
#include "cx.h"
#include "bk.h"
#include "mulacc.h"

void elsewhere(void);

/* A command stays inside of its selection. */
cx_word_t straight(cx_sel_t s, cx_sel_t t, cx_word_t a);
cx_word_t straight_in(cx_sel_t s, cx_sel_t t, cx_word_t a);
cx_word_t late(cx_sel_t s, cx_word_t a, cx_word_t b);
cx_word_t late_in(cx_sel_t s, cx_word_t a, cx_word_t b);
cx_word_t nested_in(cx_sel_t s, cx_sel_t t, cx_word_t a);
cx_word_t around(cx_sel_t s, cx_sel_t t, cx_word_t a, int n);
cx_word_t around_in(cx_sel_t s, cx_sel_t t, cx_word_t a, int n);
cx_word_t call_in(cx_sel_t s, cx_word_t a);
/* What compilers may and may not merge. */
cx_word_t twice(cx_sel_t s, cx_word_t a);
cx_word_t twice_in(cx_sel_t s, cx_word_t a);
void unused(cx_sel_t s, cx_word_t a);
void unused_in(cx_sel_t s, cx_word_t a);
cx_word_t invariant(cx_sel_t s, cx_word_t a, const cx_word_t *p, int n);
cx_word_t invariant_in(cx_sel_t s, cx_word_t a, const cx_word_t *p, int n);
/* Selections alone. */
void select_it(cx_sel_t s);
void select_one(void);
void select_31(void);
void select_32(void);
void select_none(void);
cx_sel_t select_swap(cx_sel_t s);
/* The same loop by stubs and by hand. */
cx_word_t dot_stubs(cx_sel_t s, const cx_word_t *a, const cx_word_t *b, int n);
cx_word_t dot_hand(cx_sel_t s, const cx_word_t *a, const cx_word_t *b, int n);
uint32_t crc_stubs(cx_sel_t s, const uint8_t *p, int n);
uint32_t crc_hand(cx_sel_t s, const uint8_t *p, int n);
void pop_stubs(cx_sel_t s, uint8_t *to, const cx_word_t *p, int n);
void pop_hand(cx_sel_t s, uint8_t *to, const cx_word_t *p, int n);
void ror_stubs(cx_word_t *p, int n);
void ror_hand(cx_word_t *p, int n);

cx_word_t straight(cx_sel_t s, cx_sel_t t, cx_word_t a)
{
    cx_word_t r = bk_popcnt(a);
    cx_sel_t outer = cx_select(s);
    r += bk_popcnt(a);
    cx_select(t);
    r += bk_popcnt(a);
    cx_select(outer);
    return r;
}
cx_word_t straight_in(cx_sel_t s, cx_sel_t t, cx_word_t a)
{
    cx_word_t r = bk_popcnt_in(a);
    cx_sel_t outer = cx_select(s);
    r += bk_popcnt_in(a);
    cx_select(t);
    r += bk_popcnt_in(a);
    cx_select(outer);
    return r;
}
/* The result is used after the selection, and on one way only. */
cx_word_t late(cx_sel_t s, cx_word_t a, cx_word_t b)
{
    cx_sel_t outer = cx_select(s);
    cx_word_t r = bk_popcnt(a);
    cx_select(outer);
    return b ? r : 0;
}
cx_word_t late_in(cx_sel_t s, cx_word_t a, cx_word_t b)
{
    cx_sel_t outer = cx_select(s);
    cx_word_t r = bk_popcnt_in(a);
    cx_select(outer);
    return b ? r : 0;
}
cx_word_t nested_in(cx_sel_t s, cx_sel_t t, cx_word_t a)
{
    cx_sel_t outer = cx_select(s);
    cx_word_t r = bk_popcnt_in(a);
    cx_sel_t inner = cx_select(t);
    r ^= (cx_word_t)bk_popcnt_in(a) << 8;
    cx_select(inner);
    r ^= (cx_word_t)bk_popcnt_in(a) << 16;
    cx_select(outer);
    return r;
}
cx_word_t around(cx_sel_t s, cx_sel_t t, cx_word_t a, int n)
{
    cx_word_t r = 0;
    do {
        cx_select(s);
        r += bk_popcnt(a);
        cx_select(t);
        r ^= bk_popcnt(a);
    } while (--n);
    return r;
}
cx_word_t around_in(cx_sel_t s, cx_sel_t t, cx_word_t a, int n)
{
    cx_word_t r = 0;
    do {
        cx_select(s);
        r += bk_popcnt_in(a);
        cx_select(t);
        r ^= bk_popcnt_in(a);
    } while (--n);
    return r;
}
cx_word_t call_in(cx_sel_t s, cx_word_t a)
{
    cx_sel_t outer = cx_select(s);
    cx_word_t r = bk_popcnt_in(a);
    elsewhere();
    r += bk_popcnt_in(a);
    cx_select(outer);
    return r;
}

cx_word_t twice(cx_sel_t s, cx_word_t a)
{
    cx_sel_t outer = cx_select(s);
    cx_word_t r = bk_popcnt(a);
    r ^= bk_popcnt(a) + 1u;
    cx_select(outer);
    return r;
}
cx_word_t twice_in(cx_sel_t s, cx_word_t a)
{
    cx_sel_t outer = cx_select(s);
    cx_word_t r = bk_popcnt_in(a);
    r ^= bk_popcnt_in(a) + 1u;
    cx_select(outer);
    return r;
}
void unused(cx_sel_t s, cx_word_t a)
{
    cx_sel_t outer = cx_select(s);
    (void)bk_popcnt(a);
    cx_select(outer);
}
void unused_in(cx_sel_t s, cx_word_t a)
{
    cx_sel_t outer = cx_select(s);
    (void)bk_popcnt_in(a);
    cx_select(outer);
}
cx_word_t invariant(cx_sel_t s, cx_word_t a, const cx_word_t *p, int n)
{
    cx_word_t r = 0;
    cx_sel_t outer = cx_select(s);
    do {
        r += *p++ ^ bk_popcnt(a);
    } while (--n);
    cx_select(outer);
    return r;
}
cx_word_t invariant_in(cx_sel_t s, cx_word_t a, const cx_word_t *p, int n)
{
    cx_word_t r = 0;
    cx_sel_t outer = cx_select(s);
    do {
        r += *p++ ^ bk_popcnt_in(a);
    } while (--n);
    cx_select(outer);
    return r;
}

void select_it(cx_sel_t s)
{
    cx_select(s);
}
void select_none(void)
{
    cx_select(cx_sel_builtin);
}
void select_one(void)
{
    cx_select(cx_sel_first_cx);
}
void select_31(void)
{
    cx_select((cx_sel_t)31);
}
void select_32(void)
{
    cx_select((cx_sel_t)32);
}
cx_sel_t select_swap(cx_sel_t s)
{
    return cx_select(s);
}

#if CX_ON_HART
#define SELECT(old, new) __asm__ volatile("csrrw %0, 0x800, %1" : "=r"(old) : "r"(new) : "memory")

cx_word_t dot_stubs(cx_sel_t s, const cx_word_t *a, const cx_word_t *b, int n)
{
    cx_sel_t outer = cx_select(s);
    cx_word_t r = mulacc_mul(0, 0);
    for (int i = 0; i < n; i++) {
        r = mulacc_mulacc(a[i], b[i]);
    }
    cx_select(outer);
    return r;
}
cx_word_t dot_hand(cx_sel_t s, const cx_word_t *a, const cx_word_t *b, int n)
{
    int outer;
    cx_word_t r;
    SELECT(outer, (int)s);
    __asm__ volatile(".insn r 0x0B, 0, 0, %0, %1, %2" : "=r"(r) : "r"((cx_word_t)0), "r"((cx_word_t)0));
    for (int i = 0; i < n; i++) {
        __asm__ volatile(".insn r 0x0B, 1, 0, %0, %1, %2" : "=r"(r) : "r"(a[i]), "r"(b[i]));
    }
    SELECT(outer, outer);
    return r;
}
uint32_t crc_stubs(cx_sel_t s, const uint8_t *p, int n)
{
    cx_sel_t outer = cx_select(s);
    uint32_t crc = 0xFFFFFFFFu;
    for (int i = 0; i < n; i++) {
        crc = bk_crc32_b(crc, p[i]);
    }
    cx_select(outer);
    return crc;
}
uint32_t crc_hand(cx_sel_t s, const uint8_t *p, int n)
{
    int outer;
    uint32_t crc = 0xFFFFFFFFu;
    SELECT(outer, (int)s);
    for (int i = 0; i < n; i++) {
        cx_word_t rd;
        __asm__ volatile(".insn r 0x0B, 0, 0, %0, %1, %2" : "=r"(rd) : "r"((cx_word_t)(int32_t)crc), "r"((cx_word_t)p[i]));
        crc = (uint32_t)rd;
    }
    SELECT(outer, outer);
    return crc;
}
void pop_stubs(cx_sel_t s, uint8_t *to, const cx_word_t *p, int n)
{
    cx_sel_t outer = cx_select(s);
    for (int i = 0; i < n; i++) {
        to[i] = bk_popcnt(p[i]);
    }
    cx_select(outer);
}
void pop_hand(cx_sel_t s, uint8_t *to, const cx_word_t *p, int n)
{
    int outer;
    SELECT(outer, (int)s);
    for (int i = 0; i < n; i++) {
        cx_word_t rd;
        __asm__ volatile(".insn r 0x0B, 1, 0, %0, %1, x0" : "=r"(rd) : "r"(p[i]));
        to[i] = (uint8_t)rd;
    }
    SELECT(outer, outer);
}
void ror_stubs(cx_word_t *p, int n)
{
    for (int i = 0; i < n; i++) {
        p[i] = bk_ror_i(p[i], 7);
    }
}
void ror_hand(cx_word_t *p, int n)
{
    for (int i = 0; i < n; i++) {
        cx_word_t rd;
        __asm__ volatile(".insn i 0x2B, 2, %0, %1, 7" : "=r"(rd) : "r"(p[i]));
        p[i] = rd;
    }
}
#endif
