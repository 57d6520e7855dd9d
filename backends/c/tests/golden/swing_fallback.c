/* sw_fallback.c: the commands in software.
 * Generated from org.tinker.tinker:Swing by cxc; do not edit.
 *
 * Values are bit patterns in unsigned words; see the header for what the functions mean.
 */
#include "sw.h"

#if CX_XLEN == 32

static void sw_reset(sw_state *st)
{
    st->last = 0u;
}

static cx_word_t sw_read_word(const sw_state *st, cx_word_t index)
{
    if (index < 1u) {
        return st->last;
    }
    return 0u;
}

static void sw_write_word(sw_state *st, cx_word_t index, cx_word_t value)
{
    if (index < 1u) {
        st->last = value;
        return;
    }
}

/* The status word of an image; whether its state words follow. */
static bool sw_restore_status(sw_state *st, cx_word_t word)
{
    sw_reset(st);
    uint32_t t1 = word & 3u;
    st->status = 4u | t1;
    return t1 >= 2u;
}

void sw_state_init(sw_state *st)
{
    st->status = 0x5u;
    sw_reset(st);
}

void sw_state_save(const sw_state *st, cx_word_t *words)
{
    words[0] = st->status;
    for (cx_word_t i = 0; i < 1u; i++) {
        words[1 + i] = sw_read_word(st, i);
    }
}

void sw_state_restore(sw_state *st, const cx_word_t *words)
{
    if (sw_restore_status(st, words[0])) {
        for (cx_word_t i = 0; i < 1u; i++) {
            sw_write_word(st, i, words[1 + i]);
        }
    }
}

uint32_t sw_sw_swing_st(sw_state *st, uint32_t a, uint32_t *status)
{
    if ((st->status & 3u) == 0) {
        *status = CX_RESPONSE_OFF;
        return 0;
    }
    *status = CX_RESPONSE_OK;
    uint32_t rd = sw_body_swing(st, a, status);
    if (*status == CX_RESPONSE_OK) {
        st->status |= 3u;
    }
    return rd;
}

uint32_t sw_sw_swing(sw_state *st, uint32_t a)
{
    uint32_t status;
    return sw_sw_swing_st(st, a, &status);
}

uint32_t sw_sw_last_one(sw_state *st)
{
    if ((st->status & 3u) == 0u) {
        return 0u;
    }
    return st->last;
}

void sw_sw_quiet_st(sw_state *st, uint8_t a, uint8_t b, uint8_t n, uint32_t *status)
{
    if ((st->status & 3u) == 0) {
        *status = CX_RESPONSE_OFF;
        return;
    }
    *status = CX_RESPONSE_OK;
    sw_body_quiet(st, a, b, (uint8_t)(n & 0x1Full), status);
    if (*status == CX_RESPONSE_OK) {
        st->status |= 3u;
    }
}

void sw_sw_quiet(sw_state *st, uint8_t a, uint8_t b, uint8_t n)
{
    uint32_t status;
    sw_sw_quiet_st(st, a, b, n, &status);
}

int8_t sw_sw_odd_st(sw_state *st, uint32_t a, uint32_t *status)
{
    if ((st->status & 3u) == 0) {
        *status = CX_RESPONSE_OFF;
        return 0;
    }
    *status = CX_RESPONSE_OK;
    int8_t rd = sw_body_odd(st, a, status);
    if (*status == CX_RESPONSE_OK) {
        st->status |= 3u;
    }
    return (int8_t)((int64_t)(((uint64_t)rd & 0x1Full) ^ 0x10ull) - 0x10);
}

int8_t sw_sw_odd(sw_state *st, uint32_t a)
{
    uint32_t status;
    return sw_sw_odd_st(st, a, &status);
}

uint8_t sw_sw_even_st(sw_state *st, uint32_t a, uint32_t *status)
{
    if ((st->status & 3u) == 0) {
        *status = CX_RESPONSE_OFF;
        return 0;
    }
    *status = CX_RESPONSE_OK;
    uint8_t rd = sw_body_even(st, a, status);
    if (*status == CX_RESPONSE_OK) {
        st->status |= 3u;
    }
    return (uint8_t)(rd & 0x1Full);
}

uint8_t sw_sw_even(sw_state *st, uint32_t a)
{
    uint32_t status;
    return sw_sw_even_st(st, a, &status);
}

uint32_t sw_sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd)
{
    sw_state *st = (sw_state *)state;
    uint32_t response = CX_RESPONSE_OK;
    *rd = 0;
    /* A context that is off answers only read_status and write_status. */
    if ((st->status & 3u) == 0u && function != 1022u && function != 1023u) {
        return CX_RESPONSE_OFF;
    }
    switch (function & 0xFFFFu) {
    case 0u:
        *rd = sw_sw_swing_st(st, (uint32_t)rs1, &response);
        break;
    case 1u:
        *rd = sw_sw_last_one(st);
        break;
    case 2u:
        sw_sw_quiet_st(st, (uint8_t)rs1, (uint8_t)rs2, (uint8_t)(function >> 16), &response);
        break;
    case 3u:
        *rd = (cx_reg_t)(cx_word_t)sw_sw_odd_st(st, (uint32_t)rs1, &response);
        break;
    case 4u:
        *rd = sw_sw_even_st(st, (uint32_t)rs1, &response);
        break;
    default:
        return CX_RESPONSE_FUNC;
    }
    return response;
}

static uint32_t sw_sw_flex(uint32_t function, uint32_t fields, cx_reg_t *rs2)
{
    (void)rs2;
    switch (function) {
    case 2u:
        return CX_WITH_IMMEDIATE(function, fields & 0x1Fu);
    default:
        return function;
    }
}

static void sw_init_any(void *state)
{
    sw_state_init((sw_state *)state);
}

static void sw_save_any(const void *state, void *image)
{
    sw_state_save((const sw_state *)state, (cx_word_t *)image);
}

static void sw_restore_any(void *state, const void *image)
{
    sw_state_restore((sw_state *)state, (const cx_word_t *)image);
}

#ifndef CX_ALIGNOF
#ifdef __cplusplus
#define CX_ALIGNOF(type) alignof(type)
#else
#define CX_ALIGNOF(type) _Alignof(type)
#endif
#endif

const struct cx_soft_cxu sw_soft_cxu = {
    CX_ABI_VERSION,
    (uint32_t)sizeof(struct cx_soft_cxu),
    {0xAA0F7D0E00FF4000ull, 0x8000000000000004ull},
    {
        0xC3, 0x98, 0x9F, 0xD2, 0xF7, 0x7B, 0xF3, 0x11,
        0xE7, 0x4B, 0x7D, 0x60, 0x42, 0x4D, 0x44, 0x3F,
        0x6A, 0x96, 0x33, 0xA3, 0x5E, 0xBE, 0xE0, 0xFB,
        0x4F, 0x9F, 0xB0, 0xEF, 0xE4, 0x16, 0x85, 0x39,
    },
    CX_XLEN,
    CX_SHARING_EXCLUSIVE,
    0,
    1u, /* state word */
    sizeof(sw_state),
    CX_ALIGNOF(sw_state),
    "org.tinker.tinker:Swing",
    sw_init_any,
    sw_sw_issue,
    sw_save_any,
    sw_restore_any,
    0,
    sw_sw_flex,
};

#elif CX_XLEN == 64

static void sw_reset(sw_state *st)
{
    st->last = UINT64_C(0);
}

static cx_word_t sw_read_word(const sw_state *st, cx_word_t index)
{
    if (index < 1u) {
        return st->last;
    }
    return UINT64_C(0);
}

static void sw_write_word(sw_state *st, cx_word_t index, cx_word_t value)
{
    if (index < 1u) {
        st->last = value;
        return;
    }
}

/* The status word of an image; whether its state words follow. */
static bool sw_restore_status(sw_state *st, cx_word_t word)
{
    sw_reset(st);
    uint32_t t1 = (uint32_t)word & 3u;
    st->status = 4u | t1;
    return t1 >= 2u;
}

void sw_state_init(sw_state *st)
{
    st->status = 0x5u;
    sw_reset(st);
}

void sw_state_save(const sw_state *st, cx_word_t *words)
{
    words[0] = st->status;
    for (cx_word_t i = 0; i < 1u; i++) {
        words[1 + i] = sw_read_word(st, i);
    }
}

void sw_state_restore(sw_state *st, const cx_word_t *words)
{
    if (sw_restore_status(st, words[0])) {
        for (cx_word_t i = 0; i < 1u; i++) {
            sw_write_word(st, i, words[1 + i]);
        }
    }
}

uint64_t sw_sw_swing_st(sw_state *st, uint64_t a, uint32_t *status)
{
    if ((st->status & 3u) == 0) {
        *status = CX_RESPONSE_OFF;
        return 0;
    }
    *status = CX_RESPONSE_OK;
    uint64_t rd = sw_body_swing(st, a, status);
    if (*status == CX_RESPONSE_OK) {
        st->status |= 3u;
    }
    return rd;
}

uint64_t sw_sw_swing(sw_state *st, uint64_t a)
{
    uint32_t status;
    return sw_sw_swing_st(st, a, &status);
}

uint64_t sw_sw_last_one(sw_state *st)
{
    if ((st->status & 3u) == 0u) {
        return UINT64_C(0);
    }
    return st->last;
}

void sw_sw_quiet_st(sw_state *st, uint8_t a, uint8_t b, uint8_t n, uint32_t *status)
{
    if ((st->status & 3u) == 0) {
        *status = CX_RESPONSE_OFF;
        return;
    }
    *status = CX_RESPONSE_OK;
    sw_body_quiet(st, a, b, (uint8_t)(n & 0x1Full), status);
    if (*status == CX_RESPONSE_OK) {
        st->status |= 3u;
    }
}

void sw_sw_quiet(sw_state *st, uint8_t a, uint8_t b, uint8_t n)
{
    uint32_t status;
    sw_sw_quiet_st(st, a, b, n, &status);
}

int8_t sw_sw_odd_st(sw_state *st, uint64_t a, uint32_t *status)
{
    if ((st->status & 3u) == 0) {
        *status = CX_RESPONSE_OFF;
        return 0;
    }
    *status = CX_RESPONSE_OK;
    int8_t rd = sw_body_odd(st, a, status);
    if (*status == CX_RESPONSE_OK) {
        st->status |= 3u;
    }
    return (int8_t)((int64_t)(((uint64_t)rd & 0x1Full) ^ 0x10ull) - 0x10);
}

int8_t sw_sw_odd(sw_state *st, uint64_t a)
{
    uint32_t status;
    return sw_sw_odd_st(st, a, &status);
}

uint8_t sw_sw_even_st(sw_state *st, uint64_t a, uint32_t *status)
{
    if ((st->status & 3u) == 0) {
        *status = CX_RESPONSE_OFF;
        return 0;
    }
    *status = CX_RESPONSE_OK;
    uint8_t rd = sw_body_even(st, a, status);
    if (*status == CX_RESPONSE_OK) {
        st->status |= 3u;
    }
    return (uint8_t)(rd & 0x1Full);
}

uint8_t sw_sw_even(sw_state *st, uint64_t a)
{
    uint32_t status;
    return sw_sw_even_st(st, a, &status);
}

uint32_t sw_sw_issue(void *state, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd)
{
    sw_state *st = (sw_state *)state;
    uint32_t response = CX_RESPONSE_OK;
    *rd = 0;
    /* A context that is off answers only read_status and write_status. */
    if ((st->status & 3u) == 0u && function != 1022u && function != 1023u) {
        return CX_RESPONSE_OFF;
    }
    switch (function & 0xFFFFu) {
    case 0u:
        *rd = sw_sw_swing_st(st, (uint64_t)rs1, &response);
        break;
    case 1u:
        *rd = sw_sw_last_one(st);
        break;
    case 2u:
        sw_sw_quiet_st(st, (uint8_t)rs1, (uint8_t)rs2, (uint8_t)(function >> 16), &response);
        break;
    case 3u:
        *rd = (cx_reg_t)(cx_word_t)sw_sw_odd_st(st, (uint64_t)rs1, &response);
        break;
    case 4u:
        *rd = sw_sw_even_st(st, (uint64_t)rs1, &response);
        break;
    default:
        return CX_RESPONSE_FUNC;
    }
    return response;
}

static uint32_t sw_sw_flex(uint32_t function, uint32_t fields, cx_reg_t *rs2)
{
    (void)rs2;
    switch (function) {
    case 2u:
        return CX_WITH_IMMEDIATE(function, fields & 0x1Fu);
    default:
        return function;
    }
}

static void sw_init_any(void *state)
{
    sw_state_init((sw_state *)state);
}

static void sw_save_any(const void *state, void *image)
{
    sw_state_save((const sw_state *)state, (cx_word_t *)image);
}

static void sw_restore_any(void *state, const void *image)
{
    sw_state_restore((sw_state *)state, (const cx_word_t *)image);
}

#ifndef CX_ALIGNOF
#ifdef __cplusplus
#define CX_ALIGNOF(type) alignof(type)
#else
#define CX_ALIGNOF(type) _Alignof(type)
#endif
#endif

const struct cx_soft_cxu sw_soft_cxu = {
    CX_ABI_VERSION,
    (uint32_t)sizeof(struct cx_soft_cxu),
    {0xAA0F7D0E00FF4000ull, 0x8000000000000004ull},
    {
        0xC3, 0x98, 0x9F, 0xD2, 0xF7, 0x7B, 0xF3, 0x11,
        0xE7, 0x4B, 0x7D, 0x60, 0x42, 0x4D, 0x44, 0x3F,
        0x6A, 0x96, 0x33, 0xA3, 0x5E, 0xBE, 0xE0, 0xFB,
        0x4F, 0x9F, 0xB0, 0xEF, 0xE4, 0x16, 0x85, 0x39,
    },
    CX_XLEN,
    CX_SHARING_EXCLUSIVE,
    0,
    1u, /* state word */
    sizeof(sw_state),
    CX_ALIGNOF(sw_state),
    "org.tinker.tinker:Swing",
    sw_init_any,
    sw_sw_issue,
    sw_save_any,
    sw_restore_any,
    0,
    sw_sw_flex,
};

#endif
