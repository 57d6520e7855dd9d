/* tt_fallback.c: the commands in software.
 * Generated from org.example.torture:Torture by cxc; do not edit.
 *
 * Values are bit patterns in unsigned words; see the header for what the functions mean.
 */
#include "tt.h"

#if CX_XLEN == 32

static const uint32_t tt_table[7] = {
    0xFFFFFFFFu, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u,
};

static const uint16_t tt_table_TABLE[3] = {
    0xFFFFu, 0x0002u, 0xFFFDu,
};

static const uint8_t tt_table_2[2] = {
    0x00u, 0x03u,
};

static const uint64_t tt_table_3[3] = {
    0x00000001FFFFFFFFull, 0x0000000000000002ull, 0x00000001FFFFFFFCull,
};

static const uint32_t tt_table_4[7] = {
    0x00000001u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u,
};

static void tt_wide_from_word(uint32_t *r, uint64_t v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        r[i] = (uint32_t)v;
        v >>= 32;
    }
}

static void tt_wide_and(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        r[i] = a[i] & b[i];
    }
}

static void tt_wide_or(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        r[i] = a[i] | b[i];
    }
}

static void tt_wide_not(uint32_t *r, const uint32_t *a, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        r[i] = ~a[i];
    }
}

static void tt_wide_shl(uint32_t *r, const uint32_t *a, uint32_t by, uint32_t n)
{
    uint32_t limbs = by / 32u;
    uint32_t bits = by % 32u;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t high = i >= limbs ? a[i - limbs] : 0u;
        uint64_t low = i > limbs ? a[i - limbs - 1u] : 0u;
        r[i] = (uint32_t)((high << 32 | low) >> (32u - bits));
    }
}

static void tt_wide_mask(uint32_t *r, uint32_t width, uint32_t n)
{
    for (uint32_t i = width / 32u; i < n; i++) {
        r[i] &= i == width / 32u ? (1u << width % 32u) - 1u : 0u;
    }
}

static uint32_t tt_wide_word32(const uint32_t *a, uint32_t n, uint32_t at)
{
    uint32_t i = at / 32u;
    uint64_t low = i < n ? a[i] : 0u;
    uint64_t high = n > 1u && i < n - 1u ? a[i + 1u] : 0u;
    return (uint32_t)((high << 32 | low) >> at % 32u);
}

static inline uint32_t tt_sext8_32(uint32_t x)
{
    return (uint32_t)(int8_t)x;
}

static inline uint64_t tt_sext8_64(uint64_t x)
{
    return (uint64_t)(int8_t)x;
}

static inline uint32_t tt_sext16_32(uint32_t x)
{
    return (uint32_t)(int16_t)x;
}

static uint32_t tt_fn_lanes(uint32_t a, uint32_t b)
{
    uint8_t x[4];
    uint32_t t1 = a;
    x[0] = (uint8_t)t1;
    x[1] = (uint8_t)(t1 >> 8);
    x[2] = (uint8_t)(t1 >> 16);
    x[3] = (uint8_t)(t1 >> 24);
    uint8_t y[4];
    uint32_t t2 = b;
    y[0] = (uint8_t)t2;
    y[1] = (uint8_t)(t2 >> 8);
    y[2] = (uint8_t)(t2 >> 16);
    y[3] = (uint8_t)(t2 >> 24);
    uint32_t sum = 0u;
    for (uint32_t k = 0u; k < 4u; k++) {
        sum += tt_sext16_32(tt_sext8_32(x[k]) * tt_sext8_32(y[k]));
    }
    return sum;
}

static void tt_reset(tt_state *st)
{
    st->volatile_ = 5;
    st->status_ = 1;
    for (uint32_t i = 0; i < 2u; i++) {
        st->modes[i] = tt_table_2[i];
    }
    for (uint32_t i = 0; i < 3u; i++) {
        st->int_[i] = tt_table_3[i];
    }
    for (uint32_t i = 0; i < 7u; i++) {
        st->wide[i] = tt_table_4[i];
    }
    st->mode = 3;
}

static cx_word_t tt_read_word(const tt_state *st, cx_word_t index)
{
    if (index < 1u) {
        return (uint32_t)st->volatile_;
    }
    if (index < 2u) {
        return (uint32_t)st->status_;
    }
    if (index < 3u) {
        uint32_t word_3 = index - 2u;
        uint8_t t1[16];
        for (uint32_t k = 0u; k < 16u; k++) {
            uint32_t t2 = word_3 * 16u + k;
            t1[k] = (uint8_t)(t2 < 2u ? (uint32_t)st->modes[t2] : 0u);
        }
        uint32_t t3 = 0u;
        for (uint32_t t4 = 0u; t4 < 16u; t4++) {
            t3 |= (uint32_t)t1[t4] << (t4 * 2u);
        }
        return t3;
    }
    if (index < 7u) {
        uint32_t word_4 = index - 3u;
        uint32_t element = (word_4 * 32u) / 33u;
        uint32_t bit = (word_4 * 32u) % 33u;
        uint32_t value = (uint32_t)((element < 3u ? st->int_[element] : UINT64_C(0)) >> bit);
        for (uint32_t k = 1u; k < 2u; k++) {
            uint32_t next = element + k;
            uint32_t begins = k * 33u - bit;
            value |= begins < 32u ? (uint32_t)(next < 3u ? st->int_[next] : UINT64_C(0)) << begins : 0u;
        }
        return value;
    }
    if (index < 14u) {
        uint32_t word_5 = index - 7u;
        return tt_wide_word32(st->wide, 7, word_5 * 32u);
    }
    if (index < 15u) {
        return (uint32_t)st->mode;
    }
    return 0u;
}

static void tt_write_word(tt_state *st, cx_word_t index, cx_word_t value)
{
    if (index < 1u) {
        st->volatile_ = (uint8_t)(value & 0x7Fu);
        return;
    }
    if (index < 2u) {
        st->status_ = (uint8_t)(value & 0xFu);
        return;
    }
    if (index < 3u) {
        uint32_t word_3 = index - 2u;
        for (uint32_t k = 0u; k < 16u; k++) {
            uint32_t t1 = word_3 * 16u + k;
            if (t1 < 2u) {
                st->modes[t1] = (uint8_t)((value >> (k * 2u)) & 3u);
            }
        }
        return;
    }
    if (index < 7u) {
        uint32_t word_4 = index - 3u;
        uint32_t element = (word_4 * 32u) / 33u;
        uint32_t bit = (word_4 * 32u) % 33u;
        if (element < 3u) {
            st->int_[element] = (st->int_[element] & ~(UINT64_C(0xFFFFFFFF) << bit)) | (((uint64_t)value << bit) & UINT64_C(0x1FFFFFFFF));
        }
        for (uint32_t k = 1u; k < 2u; k++) {
            uint32_t next = element + k;
            uint32_t begins = k * 33u - bit;
            if (next < 3u) {
                st->int_[next] = ((next < 3u ? st->int_[next] : UINT64_C(0)) & ~(uint64_t)(begins < 32u ? 0xFFFFFFFFu >> begins : 0u)) | (uint64_t)(begins < 32u ? value >> begins : 0u);
            }
        }
        return;
    }
    if (index < 14u) {
        uint32_t word_5 = index - 7u;
        uint32_t t2 = word_5 * 32u;
        uint32_t t3[7];
        tt_wide_from_word(t3, value, 7);
        uint32_t t4[7];
        tt_wide_shl(t4, tt_table, t2, 7);
        uint32_t t5[7];
        tt_wide_not(t5, t4, 7);
        uint32_t t6[7];
        tt_wide_and(t6, st->wide, t5, 7);
        uint32_t t7[7];
        tt_wide_shl(t7, t3, t2, 7);
        uint32_t t8[7];
        tt_wide_or(t8, t6, t7, 7);
        tt_wide_mask(t8, 200, 7);
        for (uint32_t i = 0; i < 7u; i++) {
            st->wide[i] = t8[i];
        }
        return;
    }
    if (index < 15u) {
        st->mode = (uint8_t)(value & 3u);
        return;
    }
}

/* The status word of an image; whether its state words follow. */
static bool tt_restore_status(tt_state *st, cx_word_t word)
{
    tt_reset(st);
    uint32_t t1 = word & 3u;
    uint32_t t2 = word >> 24;
    st->status = ((t2 == 1u ? t2 : 0u) << 24) | 0x3Cu | t1;
    return t1 >= 2u;
}

void tt_state_init(tt_state *st)
{
    st->status = 0x3Du;
    tt_reset(st);
}

void tt_state_save(const tt_state *st, cx_word_t *words)
{
    words[0] = st->status;
    for (cx_word_t i = 0; i < 15u; i++) {
        words[1 + i] = tt_read_word(st, i);
    }
}

void tt_state_restore(tt_state *st, const cx_word_t *words)
{
    if (tt_restore_status(st, words[0])) {
        for (cx_word_t i = 0; i < 15u; i++) {
            tt_write_word(st, i, words[1 + i]);
        }
    }
}

int32_t tt_sw_dot(tt_state *st_2, int32_t st_in, int32_t status_in_in)
{
    if ((st_2->status & 3u) == 0u) {
        return 0;
    }
    uint32_t st = (uint32_t)st_in;
    uint32_t status_in = (uint32_t)status_in_in;
    return (int32_t)tt_fn_lanes(st, status_in);
}

void tt_sw_latch(tt_state *st, uint32_t a, uint32_t b)
{
    if ((st->status & 3u) == 0u) {
        return;
    }
    st->status |= 3u;
    uint32_t t1[7];
    tt_wide_from_word(t1, a, 7);
    uint32_t t2[7];
    tt_wide_shl(t2, tt_table, 64u, 7);
    uint32_t t3[7];
    tt_wide_not(t3, t2, 7);
    uint32_t t4[7];
    tt_wide_and(t4, st->wide, t3, 7);
    uint32_t t5[7];
    tt_wide_shl(t5, t1, 64u, 7);
    uint32_t t6[7];
    tt_wide_or(t6, t4, t5, 7);
    tt_wide_mask(t6, 200, 7);
    for (uint32_t i = 0; i < 7u; i++) {
        st->wide[i] = t6[i];
    }
    uint32_t t7[7];
    tt_wide_from_word(t7, b, 7);
    uint32_t t8[7];
    tt_wide_shl(t8, tt_table, 0u, 7);
    uint32_t t9[7];
    tt_wide_not(t9, t8, 7);
    uint32_t t10[7];
    tt_wide_and(t10, st->wide, t9, 7);
    uint32_t t11[7];
    tt_wide_shl(t11, t7, 0u, 7);
    uint32_t t12[7];
    tt_wide_or(t12, t10, t11, 7);
    tt_wide_mask(t12, 200, 7);
    for (uint32_t i = 0; i < 7u; i++) {
        st->wide[i] = t12[i];
    }
}

bool tt_sw_only(tt_state *st, uint8_t n_in)
{
    if ((st->status & 3u) == 0u) {
        return false;
    }
    uint32_t n = (uint32_t)n_in & 1u;
    return n == 1u;
}

int32_t tt_sw_shift(tt_state *st, int32_t rd_in, uint8_t n_in)
{
    if ((st->status & 3u) == 0u) {
        return 0;
    }
    uint32_t rd = (uint32_t)rd_in;
    uint32_t n = (uint32_t)n_in & 0x1Fu;
    return (int32_t)(((rd ^ 0x80000000u) >> n) - (0x80000000u >> n));
}

tt_Mode tt_sw_pick(tt_state *st, tt_Mode m_in, bool on)
{
    if ((st->status & 3u) == 0u) {
        return 0;
    }
    uint32_t m = (uint32_t)m_in & 3u;
    st->status |= 3u;
    st->mode = (uint8_t)m;
    return (uint8_t)(on ? m : 0u);
}

int16_t tt_sw_entry(tt_state *st, uint32_t i)
{
    if ((st->status & 3u) == 0u) {
        return 0;
    }
    return (int16_t)(i < 3u ? (uint32_t)tt_table_TABLE[i] : 0u);
}

int8_t tt_sw_over_st(tt_state *st, int8_t a_in, uint32_t *status)
{
    if ((st->status & 3u) == 0u) {
        *status = CX_RESPONSE_OFF;
        return 0;
    }
    uint32_t a = (uint32_t)(uint8_t)a_in;
    uint32_t old_status = st->status;
    uint32_t old_volatile = (uint32_t)st->volatile_;
    st->status |= 3u;
    st->volatile_ = 9;
    if ((a ^ 0x80u) < 128u) {
        uint32_t t1 = a;
        st->volatile_ = (uint8_t)old_volatile;
        st->status = (old_status & 0xFFFFFFu) | 0x1000000u;
        *status = CX_RESPONSE_CUSTOM;
        return (int8_t)t1;
    }
    if (a < 3u) {
        st->int_[a] = tt_sext8_64(a) & UINT64_C(0x1FFFFFFFF);
    }
    *status = CX_RESPONSE_OK;
    return (int8_t)a;
}

int8_t tt_sw_over(tt_state *st, int8_t a)
{
    uint32_t status;
    return tt_sw_over_st(st, a, &status);
}

void tt_sw_gone_st(tt_state *st, uint32_t *status)
{
    if ((st->status & 3u) == 0u) {
        *status = CX_RESPONSE_OFF;
        return;
    }
    *status = CX_RESPONSE_TRAP;
}

void tt_sw_gone(tt_state *st)
{
    uint32_t status;
    tt_sw_gone_st(st, &status);
}

int32_t tt_sw_hide_st(tt_state *st, tt_Mode tt_Mode_in, int32_t tt_fn_lanes_in, uint32_t *status)
{
    if ((st->status & 3u) == 0u) {
        *status = CX_RESPONSE_OFF;
        return 0;
    }
    uint32_t tt_Mode_2 = (uint32_t)tt_Mode_in & 3u;
    uint32_t tt_fn_lanes_2 = (uint32_t)tt_fn_lanes_in;
    uint32_t tt_read_word_2 = tt_fn_lanes(tt_fn_lanes_2, 1u);
    if (tt_Mode_2 == 0u) {
        *status = CX_RESPONSE_OP;
        return 0;
    }
    *status = CX_RESPONSE_OK;
    return (int32_t)tt_fn_lanes(tt_read_word_2, 2u);
}

int32_t tt_sw_hide(tt_state *st, tt_Mode tt_Mode_2, int32_t tt_fn_lanes_2)
{
    uint32_t status;
    return tt_sw_hide_st(st, tt_Mode_2, tt_fn_lanes_2, &status);
}

uint32_t tt_sw_write_state(tt_state *st, uint32_t index, uint32_t value)
{
    if ((st->status & 3u) == 0u) {
        return 0u;
    }
    tt_write_word(st, index, value);
    st->status |= 3u;
    return value;
}

uint32_t tt_sw_read_state(tt_state *st, uint32_t index)
{
    if ((st->status & 3u) == 0u) {
        return 0u;
    }
    return tt_read_word(st, index);
}

uint32_t tt_sw_write_status(tt_state *st, uint32_t status)
{
    uint32_t t1 = st->status;
    uint32_t t2 = status;
    uint32_t t3 = t2 & 3u;
    if (t3 < 2u) {
        tt_reset(st);
    }
    uint32_t t4 = t2 >> 24;
    st->status = ((t4 == 0u || t4 == 1u ? t4 : t1 >> 24) << 24) | 0x3Cu | t3;
    return t1;
}

uint32_t tt_sw_read_status(tt_state *st)
{
    return st->status;
}

cx_word_t tt_sw_mstat_read(const tt_state *st)
{
    if ((st->status & 3u) == 0u) {
        return 0u;
    }
    return ((uint32_t)st->volatile_ << 3) | (uint32_t)st->mode;
}

void tt_sw_mstat_write(tt_state *st, cx_word_t value)
{
    if ((st->status & 3u) == 0u) {
        return;
    }
    st->status |= 3u;
    uint32_t mode = value & 3u;
    uint32_t t1 = mode;
    if (t1 <= 1u || t1 == 3u) {
        st->mode = (uint8_t)mode;
    }
    st->volatile_ = (uint8_t)((value >> 3) & 0x7Fu);
}

cx_word_t tt_sw_word_read(const tt_state *st)
{
    if ((st->status & 3u) == 0u) {
        return 0u;
    }
    uint64_t t1 = st->int_[2];
    uint64_t t2 = t1 ^ UINT64_C(0x100000000);
    return ((uint32_t)((tt_wide_word32(st->wide, 7, 0u) & 1u) == 1u) << 31) | (((t2 < 0xFFFFFF80u ? 0x80u : t2 > UINT64_C(0x10000007F) ? 0x7Fu : (uint32_t)t1) & 0xFFu) << 8) | (tt_fn_lanes(1u, 2u) & 0xFFu);
}

uint32_t tt_sw_access(void *state, uint32_t op, uint32_t address, cx_reg_t value, cx_reg_t *old)
{
    tt_state *st = (tt_state *)state;
    *old = 0;
    if ((st->status & 3u) == 0u) {
        return CX_RESPONSE_OFF;
    }
    if (op > CX_CSR_CLEAR) {
        return CX_RESPONSE_FUNC;
    }
    switch (address) {
    case tt_csr_mstat:
        *old = tt_sw_mstat_read(st);
        if (op != CX_CSR_READ) {
            tt_sw_mstat_write(st, (cx_word_t)CX_CSR_WRITTEN(op, *old, value));
        }
        break;
    case tt_csr_word:
        if (op != CX_CSR_READ) {
            return CX_RESPONSE_FUNC;
        }
        *old = tt_sw_word_read(st);
        break;
    default:
        return CX_RESPONSE_FUNC;
    }
    return CX_RESPONSE_OK;
}

uint32_t tt_sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd)
{
    tt_state *st = (tt_state *)state;
    uint32_t response = CX_RESPONSE_OK;
    *rd = 0;
    /* A context that is off answers only read_status and write_status. */
    if ((st->status & 3u) == 0u && function != 1022u && function != 1023u) {
        return CX_RESPONSE_OFF;
    }
    switch (function) {
    case 0u:
        *rd = (cx_reg_t)(cx_word_t)tt_sw_dot(st, (int32_t)rs1, (int32_t)rs2);
        break;
    case 1u:
        tt_sw_latch(st, (uint32_t)rs1, (uint32_t)rs2);
        break;
    case 2u:
        *rd = tt_sw_only(st, (uint8_t)rs2);
        break;
    case 3u:
        *rd = (cx_reg_t)(cx_word_t)tt_sw_shift(st, (int32_t)rs1, (uint8_t)rs2);
        break;
    case 4u:
        *rd = tt_sw_pick(st, (uint8_t)rs1, (rs2 & 1u) != 0);
        break;
    case 5u:
        *rd = (cx_reg_t)(cx_word_t)tt_sw_entry(st, (uint32_t)rs1);
        break;
    case 6u:
        *rd = (cx_reg_t)(cx_word_t)tt_sw_over_st(st, (int8_t)rs1, &response);
        break;
    case 7u:
        tt_sw_gone_st(st, &response);
        break;
    case 8u:
        *rd = (cx_reg_t)(cx_word_t)tt_sw_hide_st(st, (uint8_t)rs1, (int32_t)rs2, &response);
        break;
    case 1020u:
        *rd = tt_sw_write_state(st, (uint32_t)rs1, (uint32_t)rs2);
        break;
    case 1021u:
        *rd = tt_sw_read_state(st, (uint32_t)rs1);
        break;
    case 1022u:
        *rd = tt_sw_write_status(st, (uint32_t)rs1);
        break;
    case 1023u:
        *rd = tt_sw_read_status(st);
        break;
    default:
        return CX_RESPONSE_FUNC;
    }
    return response;
}

static void tt_init_any(void *state)
{
    tt_state_init((tt_state *)state);
}

static void tt_save_any(const void *state, void *image)
{
    tt_state_save((const tt_state *)state, (cx_word_t *)image);
}

static void tt_restore_any(void *state, const void *image)
{
    tt_state_restore((tt_state *)state, (const cx_word_t *)image);
}

#ifndef CX_ALIGNOF
#ifdef __cplusplus
#define CX_ALIGNOF(type) alignof(type)
#else
#define CX_ALIGNOF(type) _Alignof(type)
#endif
#endif

const struct cx_soft_cxu tt_soft_cxu = {
    CX_ABI_VERSION,
    (uint32_t)sizeof(struct cx_soft_cxu),
    {0xAA0F7D0E00FF4000ull, 0x8000000000000001ull},
    {
        0xC9, 0x30, 0xBD, 0xA9, 0x19, 0x3D, 0xFE, 0x76,
        0x22, 0x62, 0x0D, 0x26, 0x51, 0xB2, 0x7B, 0x3B,
        0xA7, 0xB7, 0xC3, 0x62, 0xBE, 0xE4, 0x79, 0x15,
        0x28, 0x52, 0xAA, 0x54, 0x5F, 0x3A, 0x75, 0x84,
    },
    CX_XLEN,
    CX_SHARING_EXCLUSIVE,
    CX_SOFT_STATE_CONTEXT,
    15u, /* state words */
    sizeof(tt_state),
    CX_ALIGNOF(tt_state),
    "org.example.torture:Torture",
    tt_init_any,
    tt_sw_issue,
    tt_save_any,
    tt_restore_any,
    tt_sw_access,
    0,
};

#elif CX_XLEN == 64

static const uint32_t tt_table[7] = {
    0xFFFFFFFFu, 0xFFFFFFFFu, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u,
};

static const uint16_t tt_table_TABLE[3] = {
    0xFFFFu, 0x0002u, 0xFFFDu,
};

static const uint8_t tt_table_2[2] = {
    0x00u, 0x03u,
};

static const uint64_t tt_table_3[3] = {
    0x00000001FFFFFFFFull, 0x0000000000000002ull, 0x00000001FFFFFFFCull,
};

static const uint32_t tt_table_4[7] = {
    0x00000001u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u,
};

static void tt_wide_from_word(uint32_t *r, uint64_t v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        r[i] = (uint32_t)v;
        v >>= 32;
    }
}

static void tt_wide_and(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        r[i] = a[i] & b[i];
    }
}

static void tt_wide_or(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        r[i] = a[i] | b[i];
    }
}

static void tt_wide_not(uint32_t *r, const uint32_t *a, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        r[i] = ~a[i];
    }
}

static void tt_wide_shl(uint32_t *r, const uint32_t *a, uint32_t by, uint32_t n)
{
    uint32_t limbs = by / 32u;
    uint32_t bits = by % 32u;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t high = i >= limbs ? a[i - limbs] : 0u;
        uint64_t low = i > limbs ? a[i - limbs - 1u] : 0u;
        r[i] = (uint32_t)((high << 32 | low) >> (32u - bits));
    }
}

static void tt_wide_mask(uint32_t *r, uint32_t width, uint32_t n)
{
    for (uint32_t i = width / 32u; i < n; i++) {
        r[i] &= i == width / 32u ? (1u << width % 32u) - 1u : 0u;
    }
}

static uint32_t tt_wide_word32(const uint32_t *a, uint32_t n, uint32_t at)
{
    uint32_t i = at / 32u;
    uint64_t low = i < n ? a[i] : 0u;
    uint64_t high = n > 1u && i < n - 1u ? a[i + 1u] : 0u;
    return (uint32_t)((high << 32 | low) >> at % 32u);
}

static uint64_t tt_wide_word64(const uint32_t *a, uint32_t n, uint32_t at)
{
    uint64_t v = 0;
    for (uint32_t k = 0; k < 3u; k++) {
        uint32_t i = at / 32u + k;
        uint64_t limb = i < n ? a[i] : 0u;
        uint32_t bits = at % 32u;
        v |= k == 0 ? limb >> bits : k == 1u ? limb << (32u - bits) : bits != 0 ? limb << (64u - bits) : 0u;
    }
    return v;
}

static inline uint32_t tt_sext8_32(uint32_t x)
{
    return (uint32_t)(int8_t)x;
}

static inline uint64_t tt_sext8_64(uint64_t x)
{
    return (uint64_t)(int8_t)x;
}

static inline uint32_t tt_sext16_32(uint32_t x)
{
    return (uint32_t)(int16_t)x;
}

static uint32_t tt_fn_lanes(uint32_t a, uint32_t b)
{
    uint8_t x[4];
    uint32_t t1 = a;
    x[0] = (uint8_t)t1;
    x[1] = (uint8_t)(t1 >> 8);
    x[2] = (uint8_t)(t1 >> 16);
    x[3] = (uint8_t)(t1 >> 24);
    uint8_t y[4];
    uint32_t t2 = b;
    y[0] = (uint8_t)t2;
    y[1] = (uint8_t)(t2 >> 8);
    y[2] = (uint8_t)(t2 >> 16);
    y[3] = (uint8_t)(t2 >> 24);
    uint32_t sum = 0u;
    for (uint32_t k = 0u; k < 4u; k++) {
        sum += tt_sext16_32(tt_sext8_32(x[k]) * tt_sext8_32(y[k]));
    }
    return sum;
}

static void tt_reset(tt_state *st)
{
    st->volatile_ = 5;
    st->status_ = 1;
    for (uint32_t i = 0; i < 2u; i++) {
        st->modes[i] = tt_table_2[i];
    }
    for (uint32_t i = 0; i < 3u; i++) {
        st->int_[i] = tt_table_3[i];
    }
    for (uint32_t i = 0; i < 7u; i++) {
        st->wide[i] = tt_table_4[i];
    }
    st->mode = 3;
}

static cx_word_t tt_read_word(const tt_state *st, cx_word_t index)
{
    if (index < 1u) {
        return (uint64_t)st->volatile_;
    }
    if (index < 2u) {
        return (uint64_t)st->status_;
    }
    if (index < 3u) {
        uint32_t word_3 = (uint32_t)index - 2u;
        uint8_t t1[32];
        for (uint32_t k = 0u; k < 32u; k++) {
            uint32_t t2 = word_3 * 32u + k;
            t1[k] = (uint8_t)(t2 < 2u ? (uint32_t)st->modes[t2] : 0u);
        }
        uint64_t t3 = UINT64_C(0);
        for (uint32_t t4 = 0u; t4 < 32u; t4++) {
            t3 |= (uint64_t)t1[t4] << (t4 * 2u);
        }
        return t3;
    }
    if (index < 5u) {
        uint32_t word_4 = (uint32_t)index - 3u;
        uint32_t element = (word_4 * 64u) / 33u;
        uint32_t bit = (word_4 * 64u) % 33u;
        uint64_t value = (element < 3u ? st->int_[element] : UINT64_C(0)) >> bit;
        for (uint32_t k = 1u; k < 3u; k++) {
            uint32_t next = element + k;
            uint32_t begins = k * 33u - bit;
            value |= begins < 64u ? (next < 3u ? st->int_[next] : UINT64_C(0)) << begins : UINT64_C(0);
        }
        return value;
    }
    if (index < 9u) {
        uint32_t word_5 = (uint32_t)index - 5u;
        return tt_wide_word64(st->wide, 7, word_5 * 64u);
    }
    if (index < 10u) {
        return (uint64_t)st->mode;
    }
    return UINT64_C(0);
}

static void tt_write_word(tt_state *st, cx_word_t index, cx_word_t value)
{
    if (index < 1u) {
        st->volatile_ = (uint8_t)((uint32_t)value & 0x7Fu);
        return;
    }
    if (index < 2u) {
        st->status_ = (uint8_t)((uint32_t)value & 0xFu);
        return;
    }
    if (index < 3u) {
        uint32_t word_3 = (uint32_t)index - 2u;
        for (uint32_t k = 0u; k < 32u; k++) {
            uint32_t t1 = word_3 * 32u + k;
            if (t1 < 2u) {
                st->modes[t1] = (uint8_t)((uint32_t)(value >> (k * 2u)) & 3u);
            }
        }
        return;
    }
    if (index < 5u) {
        uint32_t word_4 = (uint32_t)index - 3u;
        uint32_t element = (word_4 * 64u) / 33u;
        uint32_t bit = (word_4 * 64u) % 33u;
        if (element < 3u) {
            st->int_[element] = (st->int_[element] & ~(UINT64_C(0x1FFFFFFFF) << bit)) | (((value & UINT64_C(0x1FFFFFFFF)) << bit) & UINT64_C(0x1FFFFFFFF));
        }
        for (uint32_t k = 1u; k < 3u; k++) {
            uint32_t next = element + k;
            uint32_t begins = k * 33u - bit;
            if (next < 3u) {
                st->int_[next] = (((next < 3u ? st->int_[next] : UINT64_C(0)) & ~(begins < 64u ? UINT64_C(0xFFFFFFFFFFFFFFFF) >> begins : UINT64_C(0))) | (begins < 64u ? value >> begins : UINT64_C(0))) & UINT64_C(0x1FFFFFFFF);
            }
        }
        return;
    }
    if (index < 9u) {
        uint32_t word_5 = (uint32_t)index - 5u;
        uint32_t t2 = word_5 * 64u;
        uint32_t t3[7];
        tt_wide_from_word(t3, value, 7);
        uint32_t t4[7];
        tt_wide_shl(t4, tt_table, t2, 7);
        uint32_t t5[7];
        tt_wide_not(t5, t4, 7);
        uint32_t t6[7];
        tt_wide_and(t6, st->wide, t5, 7);
        uint32_t t7[7];
        tt_wide_shl(t7, t3, t2, 7);
        uint32_t t8[7];
        tt_wide_or(t8, t6, t7, 7);
        tt_wide_mask(t8, 200, 7);
        for (uint32_t i = 0; i < 7u; i++) {
            st->wide[i] = t8[i];
        }
        return;
    }
    if (index < 10u) {
        st->mode = (uint8_t)((uint32_t)value & 3u);
        return;
    }
}

/* The status word of an image; whether its state words follow. */
static bool tt_restore_status(tt_state *st, cx_word_t word)
{
    tt_reset(st);
    uint32_t t1 = (uint32_t)word & 3u;
    uint32_t t2 = (uint32_t)word >> 24;
    st->status = ((t2 == 1u ? t2 : 0u) << 24) | 0x28u | t1;
    return t1 >= 2u;
}

void tt_state_init(tt_state *st)
{
    st->status = 0x29u;
    tt_reset(st);
}

void tt_state_save(const tt_state *st, cx_word_t *words)
{
    words[0] = st->status;
    for (cx_word_t i = 0; i < 10u; i++) {
        words[1 + i] = tt_read_word(st, i);
    }
}

void tt_state_restore(tt_state *st, const cx_word_t *words)
{
    if (tt_restore_status(st, words[0])) {
        for (cx_word_t i = 0; i < 10u; i++) {
            tt_write_word(st, i, words[1 + i]);
        }
    }
}

int32_t tt_sw_dot(tt_state *st_2, int32_t st_in, int32_t status_in_in)
{
    if ((st_2->status & 3u) == 0u) {
        return 0;
    }
    uint32_t st = (uint32_t)st_in;
    uint32_t status_in = (uint32_t)status_in_in;
    return (int32_t)tt_fn_lanes(st, status_in);
}

void tt_sw_latch(tt_state *st, uint64_t a, uint64_t b)
{
    if ((st->status & 3u) == 0u) {
        return;
    }
    st->status |= 3u;
    uint32_t t1[7];
    tt_wide_from_word(t1, a, 7);
    uint32_t t2[7];
    tt_wide_shl(t2, tt_table, 64u, 7);
    uint32_t t3[7];
    tt_wide_not(t3, t2, 7);
    uint32_t t4[7];
    tt_wide_and(t4, st->wide, t3, 7);
    uint32_t t5[7];
    tt_wide_shl(t5, t1, 64u, 7);
    uint32_t t6[7];
    tt_wide_or(t6, t4, t5, 7);
    tt_wide_mask(t6, 200, 7);
    for (uint32_t i = 0; i < 7u; i++) {
        st->wide[i] = t6[i];
    }
    uint32_t t7[7];
    tt_wide_from_word(t7, b, 7);
    uint32_t t8[7];
    tt_wide_shl(t8, tt_table, 0u, 7);
    uint32_t t9[7];
    tt_wide_not(t9, t8, 7);
    uint32_t t10[7];
    tt_wide_and(t10, st->wide, t9, 7);
    uint32_t t11[7];
    tt_wide_shl(t11, t7, 0u, 7);
    uint32_t t12[7];
    tt_wide_or(t12, t10, t11, 7);
    tt_wide_mask(t12, 200, 7);
    for (uint32_t i = 0; i < 7u; i++) {
        st->wide[i] = t12[i];
    }
}

bool tt_sw_only(tt_state *st, uint8_t n_in)
{
    if ((st->status & 3u) == 0u) {
        return false;
    }
    uint32_t n = (uint32_t)n_in & 1u;
    return n == 1u;
}

int64_t tt_sw_shift(tt_state *st, int64_t rd_in, uint8_t n_in)
{
    if ((st->status & 3u) == 0u) {
        return 0;
    }
    uint64_t rd = (uint64_t)rd_in;
    uint32_t n = (uint32_t)n_in & 0x1Fu;
    return (int64_t)(((rd ^ UINT64_C(0x8000000000000000)) >> n) - (UINT64_C(0x8000000000000000) >> n));
}

tt_Mode tt_sw_pick(tt_state *st, tt_Mode m_in, bool on)
{
    if ((st->status & 3u) == 0u) {
        return 0;
    }
    uint32_t m = (uint32_t)m_in & 3u;
    st->status |= 3u;
    st->mode = (uint8_t)m;
    return (uint8_t)(on ? m : 0u);
}

int16_t tt_sw_entry(tt_state *st, uint64_t i)
{
    if ((st->status & 3u) == 0u) {
        return 0;
    }
    return (int16_t)(i < 3u ? (uint32_t)tt_table_TABLE[(uint32_t)i] : 0u);
}

int8_t tt_sw_over_st(tt_state *st, int8_t a_in, uint32_t *status)
{
    if ((st->status & 3u) == 0u) {
        *status = CX_RESPONSE_OFF;
        return 0;
    }
    uint32_t a = (uint32_t)(uint8_t)a_in;
    uint32_t old_status = st->status;
    uint32_t old_volatile = (uint32_t)st->volatile_;
    st->status |= 3u;
    st->volatile_ = 9;
    if ((a ^ 0x80u) < 128u) {
        uint32_t t1 = a;
        st->volatile_ = (uint8_t)old_volatile;
        st->status = (old_status & 0xFFFFFFu) | 0x1000000u;
        *status = CX_RESPONSE_CUSTOM;
        return (int8_t)t1;
    }
    if (a < 3u) {
        st->int_[a] = tt_sext8_64(a) & UINT64_C(0x1FFFFFFFF);
    }
    *status = CX_RESPONSE_OK;
    return (int8_t)a;
}

int8_t tt_sw_over(tt_state *st, int8_t a)
{
    uint32_t status;
    return tt_sw_over_st(st, a, &status);
}

void tt_sw_gone_st(tt_state *st, uint32_t *status)
{
    if ((st->status & 3u) == 0u) {
        *status = CX_RESPONSE_OFF;
        return;
    }
    *status = CX_RESPONSE_TRAP;
}

void tt_sw_gone(tt_state *st)
{
    uint32_t status;
    tt_sw_gone_st(st, &status);
}

int32_t tt_sw_hide_st(tt_state *st, tt_Mode tt_Mode_in, int32_t tt_fn_lanes_in, uint32_t *status)
{
    if ((st->status & 3u) == 0u) {
        *status = CX_RESPONSE_OFF;
        return 0;
    }
    uint32_t tt_Mode_2 = (uint32_t)tt_Mode_in & 3u;
    uint32_t tt_fn_lanes_2 = (uint32_t)tt_fn_lanes_in;
    uint32_t tt_read_word_2 = tt_fn_lanes(tt_fn_lanes_2, 1u);
    if (tt_Mode_2 == 0u) {
        *status = CX_RESPONSE_OP;
        return 0;
    }
    *status = CX_RESPONSE_OK;
    return (int32_t)tt_fn_lanes(tt_read_word_2, 2u);
}

int32_t tt_sw_hide(tt_state *st, tt_Mode tt_Mode_2, int32_t tt_fn_lanes_2)
{
    uint32_t status;
    return tt_sw_hide_st(st, tt_Mode_2, tt_fn_lanes_2, &status);
}

uint64_t tt_sw_write_state(tt_state *st, uint64_t index, uint64_t value)
{
    if ((st->status & 3u) == 0u) {
        return UINT64_C(0);
    }
    tt_write_word(st, index, value);
    st->status |= 3u;
    return value;
}

uint64_t tt_sw_read_state(tt_state *st, uint64_t index)
{
    if ((st->status & 3u) == 0u) {
        return UINT64_C(0);
    }
    return tt_read_word(st, index);
}

uint64_t tt_sw_write_status(tt_state *st, uint64_t status)
{
    uint32_t t1 = st->status;
    uint32_t t2 = (uint32_t)status;
    uint32_t t3 = t2 & 3u;
    if (t3 < 2u) {
        tt_reset(st);
    }
    uint32_t t4 = t2 >> 24;
    st->status = ((t4 == 0u || t4 == 1u ? t4 : t1 >> 24) << 24) | 0x28u | t3;
    return (uint64_t)t1;
}

uint64_t tt_sw_read_status(tt_state *st)
{
    return (uint64_t)st->status;
}

cx_word_t tt_sw_mstat_read(const tt_state *st)
{
    if ((st->status & 3u) == 0u) {
        return UINT64_C(0);
    }
    return ((uint64_t)st->volatile_ << 3) | (uint64_t)st->mode;
}

void tt_sw_mstat_write(tt_state *st, cx_word_t value)
{
    if ((st->status & 3u) == 0u) {
        return;
    }
    st->status |= 3u;
    uint32_t mode = (uint32_t)value & 3u;
    uint32_t t1 = mode;
    if (t1 <= 1u || t1 == 3u) {
        st->mode = (uint8_t)mode;
    }
    st->volatile_ = (uint8_t)(((uint32_t)value >> 3) & 0x7Fu);
}

cx_word_t tt_sw_word_read(const tt_state *st)
{
    if ((st->status & 3u) == 0u) {
        return UINT64_C(0);
    }
    uint64_t t1 = st->int_[2];
    uint64_t t2 = t1 ^ UINT64_C(0x100000000);
    return ((uint64_t)((tt_wide_word32(st->wide, 7, 0u) & 1u) == 1u) << 63) | ((uint64_t)((t2 < 0xFFFFFF80u ? 0x80u : t2 > UINT64_C(0x10000007F) ? 0x7Fu : (uint32_t)t1) & 0xFFu) << 8) | (uint64_t)(tt_fn_lanes(1u, 2u) & 0xFFu);
}

uint32_t tt_sw_access(void *state, uint32_t op, uint32_t address, cx_reg_t value, cx_reg_t *old)
{
    tt_state *st = (tt_state *)state;
    *old = 0;
    if ((st->status & 3u) == 0u) {
        return CX_RESPONSE_OFF;
    }
    if (op > CX_CSR_CLEAR) {
        return CX_RESPONSE_FUNC;
    }
    switch (address) {
    case tt_csr_mstat:
        *old = tt_sw_mstat_read(st);
        if (op != CX_CSR_READ) {
            tt_sw_mstat_write(st, (cx_word_t)CX_CSR_WRITTEN(op, *old, value));
        }
        break;
    case tt_csr_word:
        if (op != CX_CSR_READ) {
            return CX_RESPONSE_FUNC;
        }
        *old = tt_sw_word_read(st);
        break;
    default:
        return CX_RESPONSE_FUNC;
    }
    return CX_RESPONSE_OK;
}

uint32_t tt_sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd)
{
    tt_state *st = (tt_state *)state;
    uint32_t response = CX_RESPONSE_OK;
    *rd = 0;
    /* A context that is off answers only read_status and write_status. */
    if ((st->status & 3u) == 0u && function != 1022u && function != 1023u) {
        return CX_RESPONSE_OFF;
    }
    switch (function) {
    case 0u:
        *rd = (cx_reg_t)(cx_word_t)tt_sw_dot(st, (int32_t)rs1, (int32_t)rs2);
        break;
    case 1u:
        tt_sw_latch(st, (uint64_t)rs1, (uint64_t)rs2);
        break;
    case 2u:
        *rd = tt_sw_only(st, (uint8_t)rs2);
        break;
    case 3u:
        *rd = (cx_reg_t)(cx_word_t)tt_sw_shift(st, (int64_t)rs1, (uint8_t)rs2);
        break;
    case 4u:
        *rd = tt_sw_pick(st, (uint8_t)rs1, (rs2 & 1u) != 0);
        break;
    case 5u:
        *rd = (cx_reg_t)(cx_word_t)tt_sw_entry(st, (uint64_t)rs1);
        break;
    case 6u:
        *rd = (cx_reg_t)(cx_word_t)tt_sw_over_st(st, (int8_t)rs1, &response);
        break;
    case 7u:
        tt_sw_gone_st(st, &response);
        break;
    case 8u:
        *rd = (cx_reg_t)(cx_word_t)tt_sw_hide_st(st, (uint8_t)rs1, (int32_t)rs2, &response);
        break;
    case 1020u:
        *rd = tt_sw_write_state(st, (uint64_t)rs1, (uint64_t)rs2);
        break;
    case 1021u:
        *rd = tt_sw_read_state(st, (uint64_t)rs1);
        break;
    case 1022u:
        *rd = tt_sw_write_status(st, (uint64_t)rs1);
        break;
    case 1023u:
        *rd = tt_sw_read_status(st);
        break;
    default:
        return CX_RESPONSE_FUNC;
    }
    return response;
}

static void tt_init_any(void *state)
{
    tt_state_init((tt_state *)state);
}

static void tt_save_any(const void *state, void *image)
{
    tt_state_save((const tt_state *)state, (cx_word_t *)image);
}

static void tt_restore_any(void *state, const void *image)
{
    tt_state_restore((tt_state *)state, (const cx_word_t *)image);
}

#ifndef CX_ALIGNOF
#ifdef __cplusplus
#define CX_ALIGNOF(type) alignof(type)
#else
#define CX_ALIGNOF(type) _Alignof(type)
#endif
#endif

const struct cx_soft_cxu tt_soft_cxu = {
    CX_ABI_VERSION,
    (uint32_t)sizeof(struct cx_soft_cxu),
    {0xAA0F7D0E00FF4000ull, 0x8000000000000001ull},
    {
        0xC9, 0x30, 0xBD, 0xA9, 0x19, 0x3D, 0xFE, 0x76,
        0x22, 0x62, 0x0D, 0x26, 0x51, 0xB2, 0x7B, 0x3B,
        0xA7, 0xB7, 0xC3, 0x62, 0xBE, 0xE4, 0x79, 0x15,
        0x28, 0x52, 0xAA, 0x54, 0x5F, 0x3A, 0x75, 0x84,
    },
    CX_XLEN,
    CX_SHARING_EXCLUSIVE,
    CX_SOFT_STATE_CONTEXT,
    10u, /* state words */
    sizeof(tt_state),
    CX_ALIGNOF(tt_state),
    "org.example.torture:Torture",
    tt_init_any,
    tt_sw_issue,
    tt_save_any,
    tt_restore_any,
    tt_sw_access,
    0,
};

#endif
