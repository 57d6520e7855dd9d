/* mulacc_fallback.c: the commands in software.
 * Generated from org.example.dsp:MulAcc by cxc; do not edit.
 *
 * Values are bit patterns in unsigned words; see the header for what the functions mean.
 */
#include "mulacc.h"

#if CX_XLEN == 32

static void mulacc_reset(mulacc_state *st)
{
    st->acc = 0u;
}

static cx_word_t mulacc_read_word(const mulacc_state *st, cx_word_t index)
{
    if (index < 1u) {
        return st->acc;
    }
    return 0u;
}

static void mulacc_write_word(mulacc_state *st, cx_word_t index, cx_word_t value)
{
    if (index < 1u) {
        st->acc = value;
        return;
    }
}

/* The status word of an image; whether its state words follow. */
static bool mulacc_restore_status(mulacc_state *st, cx_word_t word)
{
    mulacc_reset(st);
    uint32_t t1 = word & 3u;
    st->status = 4u | t1;
    return t1 >= 2u;
}

void mulacc_state_init(mulacc_state *st)
{
    st->status = 0x5u;
    mulacc_reset(st);
}

void mulacc_state_save(const mulacc_state *st, cx_word_t *words)
{
    words[0] = st->status;
    for (cx_word_t i = 0; i < 1u; i++) {
        words[1 + i] = mulacc_read_word(st, i);
    }
}

void mulacc_state_restore(mulacc_state *st, const cx_word_t *words)
{
    if (mulacc_restore_status(st, words[0])) {
        for (cx_word_t i = 0; i < 1u; i++) {
            mulacc_write_word(st, i, words[1 + i]);
        }
    }
}

uint32_t mulacc_sw_mul(mulacc_state *st, uint32_t a, uint32_t b)
{
    if ((st->status & 3u) == 0u) {
        return 0u;
    }
    st->status |= 3u;
    st->acc = a * b;
    return st->acc;
}

uint32_t mulacc_sw_mulacc(mulacc_state *st, uint32_t a, uint32_t b)
{
    if ((st->status & 3u) == 0u) {
        return 0u;
    }
    st->status |= 3u;
    st->acc += a * b;
    return st->acc;
}

uint32_t mulacc_sw_write_state(mulacc_state *st, uint32_t index, uint32_t value)
{
    if ((st->status & 3u) == 0u) {
        return 0u;
    }
    mulacc_write_word(st, index, value);
    st->status |= 3u;
    return value;
}

uint32_t mulacc_sw_read_state(mulacc_state *st, uint32_t index)
{
    if ((st->status & 3u) == 0u) {
        return 0u;
    }
    return mulacc_read_word(st, index);
}

uint32_t mulacc_sw_write_status(mulacc_state *st, uint32_t status)
{
    uint32_t t1 = st->status;
    uint32_t t2 = status;
    uint32_t t3 = t2 & 3u;
    if (t3 < 2u) {
        mulacc_reset(st);
    }
    uint32_t t4 = t2 >> 24;
    st->status = ((t4 == 0u ? t4 : t1 >> 24) << 24) | 4u | t3;
    return t1;
}

uint32_t mulacc_sw_read_status(mulacc_state *st)
{
    return st->status;
}

uint32_t mulacc_sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd)
{
    mulacc_state *st = (mulacc_state *)state;
    *rd = 0;
    /* A context that is off answers only read_status and write_status. */
    if ((st->status & 3u) == 0u && function != 1022u && function != 1023u) {
        return CX_RESPONSE_OFF;
    }
    switch (function) {
    case 0u:
        *rd = mulacc_sw_mul(st, (uint32_t)rs1, (uint32_t)rs2);
        break;
    case 1u:
        *rd = mulacc_sw_mulacc(st, (uint32_t)rs1, (uint32_t)rs2);
        break;
    case 1020u:
        *rd = mulacc_sw_write_state(st, (uint32_t)rs1, (uint32_t)rs2);
        break;
    case 1021u:
        *rd = mulacc_sw_read_state(st, (uint32_t)rs1);
        break;
    case 1022u:
        *rd = mulacc_sw_write_status(st, (uint32_t)rs1);
        break;
    case 1023u:
        *rd = mulacc_sw_read_status(st);
        break;
    default:
        return CX_RESPONSE_FUNC;
    }
    return CX_RESPONSE_OK;
}

static void mulacc_init_any(void *state)
{
    mulacc_state_init((mulacc_state *)state);
}

static void mulacc_save_any(const void *state, void *image)
{
    mulacc_state_save((const mulacc_state *)state, (cx_word_t *)image);
}

static void mulacc_restore_any(void *state, const void *image)
{
    mulacc_state_restore((mulacc_state *)state, (const cx_word_t *)image);
}

#ifndef CX_ALIGNOF
#ifdef __cplusplus
#define CX_ALIGNOF(type) alignof(type)
#else
#define CX_ALIGNOF(type) _Alignof(type)
#endif
#endif

const struct cx_soft_cxu mulacc_soft_cxu = {
    CX_ABI_VERSION,
    (uint32_t)sizeof(struct cx_soft_cxu),
    {0x0B7C2A526F0E4D0Bull, 0x9B375A1F6A2C9E11ull},
    {
        0x01, 0x49, 0x07, 0xB7, 0x97, 0x53, 0xBF, 0x39,
        0xCB, 0x68, 0xB8, 0xCC, 0x31, 0x76, 0x2D, 0x17,
        0xDA, 0x8E, 0x10, 0xC1, 0x93, 0x79, 0x6A, 0xA0,
        0x2A, 0x33, 0x9E, 0xD0, 0x23, 0x8F, 0x36, 0xF9,
    },
    CX_XLEN,
    CX_SHARING_EXCLUSIVE,
    CX_SOFT_STATE_CONTEXT,
    1u, /* state word */
    sizeof(mulacc_state),
    CX_ALIGNOF(mulacc_state),
    "org.example.dsp:MulAcc",
    mulacc_init_any,
    mulacc_sw_issue,
    mulacc_save_any,
    mulacc_restore_any,
    0,
    0,
};

#elif CX_XLEN == 64

static void mulacc_reset(mulacc_state *st)
{
    st->acc = UINT64_C(0);
}

static cx_word_t mulacc_read_word(const mulacc_state *st, cx_word_t index)
{
    if (index < 1u) {
        return st->acc;
    }
    return UINT64_C(0);
}

static void mulacc_write_word(mulacc_state *st, cx_word_t index, cx_word_t value)
{
    if (index < 1u) {
        st->acc = value;
        return;
    }
}

/* The status word of an image; whether its state words follow. */
static bool mulacc_restore_status(mulacc_state *st, cx_word_t word)
{
    mulacc_reset(st);
    uint32_t t1 = (uint32_t)word & 3u;
    st->status = 4u | t1;
    return t1 >= 2u;
}

void mulacc_state_init(mulacc_state *st)
{
    st->status = 0x5u;
    mulacc_reset(st);
}

void mulacc_state_save(const mulacc_state *st, cx_word_t *words)
{
    words[0] = st->status;
    for (cx_word_t i = 0; i < 1u; i++) {
        words[1 + i] = mulacc_read_word(st, i);
    }
}

void mulacc_state_restore(mulacc_state *st, const cx_word_t *words)
{
    if (mulacc_restore_status(st, words[0])) {
        for (cx_word_t i = 0; i < 1u; i++) {
            mulacc_write_word(st, i, words[1 + i]);
        }
    }
}

uint64_t mulacc_sw_mul(mulacc_state *st, uint64_t a, uint64_t b)
{
    if ((st->status & 3u) == 0u) {
        return UINT64_C(0);
    }
    st->status |= 3u;
    st->acc = a * b;
    return st->acc;
}

uint64_t mulacc_sw_mulacc(mulacc_state *st, uint64_t a, uint64_t b)
{
    if ((st->status & 3u) == 0u) {
        return UINT64_C(0);
    }
    st->status |= 3u;
    st->acc += a * b;
    return st->acc;
}

uint64_t mulacc_sw_write_state(mulacc_state *st, uint64_t index, uint64_t value)
{
    if ((st->status & 3u) == 0u) {
        return UINT64_C(0);
    }
    mulacc_write_word(st, index, value);
    st->status |= 3u;
    return value;
}

uint64_t mulacc_sw_read_state(mulacc_state *st, uint64_t index)
{
    if ((st->status & 3u) == 0u) {
        return UINT64_C(0);
    }
    return mulacc_read_word(st, index);
}

uint64_t mulacc_sw_write_status(mulacc_state *st, uint64_t status)
{
    uint32_t t1 = st->status;
    uint32_t t2 = (uint32_t)status;
    uint32_t t3 = t2 & 3u;
    if (t3 < 2u) {
        mulacc_reset(st);
    }
    uint32_t t4 = t2 >> 24;
    st->status = ((t4 == 0u ? t4 : t1 >> 24) << 24) | 4u | t3;
    return (uint64_t)t1;
}

uint64_t mulacc_sw_read_status(mulacc_state *st)
{
    return (uint64_t)st->status;
}

uint32_t mulacc_sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd)
{
    mulacc_state *st = (mulacc_state *)state;
    *rd = 0;
    /* A context that is off answers only read_status and write_status. */
    if ((st->status & 3u) == 0u && function != 1022u && function != 1023u) {
        return CX_RESPONSE_OFF;
    }
    switch (function) {
    case 0u:
        *rd = mulacc_sw_mul(st, (uint64_t)rs1, (uint64_t)rs2);
        break;
    case 1u:
        *rd = mulacc_sw_mulacc(st, (uint64_t)rs1, (uint64_t)rs2);
        break;
    case 1020u:
        *rd = mulacc_sw_write_state(st, (uint64_t)rs1, (uint64_t)rs2);
        break;
    case 1021u:
        *rd = mulacc_sw_read_state(st, (uint64_t)rs1);
        break;
    case 1022u:
        *rd = mulacc_sw_write_status(st, (uint64_t)rs1);
        break;
    case 1023u:
        *rd = mulacc_sw_read_status(st);
        break;
    default:
        return CX_RESPONSE_FUNC;
    }
    return CX_RESPONSE_OK;
}

static void mulacc_init_any(void *state)
{
    mulacc_state_init((mulacc_state *)state);
}

static void mulacc_save_any(const void *state, void *image)
{
    mulacc_state_save((const mulacc_state *)state, (cx_word_t *)image);
}

static void mulacc_restore_any(void *state, const void *image)
{
    mulacc_state_restore((mulacc_state *)state, (const cx_word_t *)image);
}

#ifndef CX_ALIGNOF
#ifdef __cplusplus
#define CX_ALIGNOF(type) alignof(type)
#else
#define CX_ALIGNOF(type) _Alignof(type)
#endif
#endif

const struct cx_soft_cxu mulacc_soft_cxu = {
    CX_ABI_VERSION,
    (uint32_t)sizeof(struct cx_soft_cxu),
    {0x0B7C2A526F0E4D0Bull, 0x9B375A1F6A2C9E11ull},
    {
        0x01, 0x49, 0x07, 0xB7, 0x97, 0x53, 0xBF, 0x39,
        0xCB, 0x68, 0xB8, 0xCC, 0x31, 0x76, 0x2D, 0x17,
        0xDA, 0x8E, 0x10, 0xC1, 0x93, 0x79, 0x6A, 0xA0,
        0x2A, 0x33, 0x9E, 0xD0, 0x23, 0x8F, 0x36, 0xF9,
    },
    CX_XLEN,
    CX_SHARING_EXCLUSIVE,
    CX_SOFT_STATE_CONTEXT,
    1u, /* state word */
    sizeof(mulacc_state),
    CX_ALIGNOF(mulacc_state),
    "org.example.dsp:MulAcc",
    mulacc_init_any,
    mulacc_sw_issue,
    mulacc_save_any,
    mulacc_restore_any,
    0,
    0,
};

#endif
