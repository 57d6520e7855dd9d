#include "dev.h"
#include "op.h"
#include "plain.h"
#include <inttypes.h>
#include <stdio.h>

cx_word_t op_body_add(op_state *st, cx_word_t state, uint8_t value, uint32_t *status)
{
    if (value == 31) {
        st->status = (st->status & 0xFFFFFFu) | 3u << 24;
        *status = CX_RESPONSE_CUSTOM;
        return 9;
    }
    if (value == 30) {
        *status = CX_RESPONSE_OP;
        return 0;
    }
    if (value == 29) {
        *status = CX_RESPONSE_FUNC;
        return 0;
    }
    if (value == 28) {
        *status = CX_RESPONSE_CXU;
        return 0;
    }
    st->last += state + value;
    return st->last;
}

void op_body_quiet(op_state *st, uint8_t raised, int8_t s, uint8_t n, uint32_t *status)
{
    st->count = (uint8_t)(raised + n);
    if (s < 0) {
        /* What was changed stays. */
        *status = CX_RESPONSE_OP;
    }
}

int8_t op_body_odd(op_state *st, cx_word_t a, int8_t error, uint32_t *status)
{
    st->last = a;
    if (error == -16) {
        *status = CX_RESPONSE_OP;
        return 17;
    }
    return (int8_t)(error + 30);
}

op_G op_body_pick(op_state *st, op_B b, bool on, uint32_t *status)
{
    (void)status;
    st->count = (uint8_t)b;
    return on ? op_G_less : op_G_same;
}

bool op_body_is(op_state *st, op_B a, uint32_t *status)
{
    (void)st;
    (void)status;
    return a == op_B_some;
}

void op_body_all(op_state *st, uint16_t n, uint32_t *status)
{
    (void)status;
    st->last = n;
}

void op_body_ping(op_state *st, uint32_t *status)
{
    (void)status;
    st->count++;
}

uint8_t plain_body_half(uint8_t a, cx_word_t b, uint32_t *status)
{
    if (b % 7 == 0) {
        *status = CX_RESPONSE_OP;
        return 200;
    }
    return (uint8_t)(a + 128 + b % 2);
}

void plain_body_silent(cx_word_t a, uint32_t *status)
{
    if (a % 2 != 0) {
        *status = CX_RESPONSE_CUSTOM;
    }
}

cx_word_t dev_body_feed(cx_word_t a, cx_word_t b, uint32_t *status)
{
    (void)status;
    return a ^ b;
}

static uint64_t seed = 1;

static uint64_t next(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed >> 20 ^ seed >> 50;
}

int main(void)
{
    static const uint32_t ids[] = {0, 0, 1, 2, 2, 3, 3, 4, 5, 8, 9, 7, 1020, 1021, 1022, 1023};
    op_state st;
    op_state_init(&st);
    for (int i = 0; i < 20000; i++) {
        uint32_t function = ids[next() % 16];
        cx_reg_t rs1 = (cx_word_t)next();
        cx_reg_t rs2 = (cx_word_t)next(), rd = 0;
        uint32_t response, id = function;
        cx_word_t image[3];
        if (function == 2) {
            function = CX_WITH_IMMEDIATE(2, rs1 % 32);
        }
        if (function == 9) {
            rs2 &= 0x7FFF;
        }
        if (function == 1022 && i % 4 != 0) {
            rs1 |= 1; /* seldom off */
        }
        response = op_sw_issue(&st, function, rs1, rs2, &rd);
        op_state_save(&st, image);
        printf("%" PRIu32 " %" PRIu32 " %jx %jx %jx %jx\n", id, response, (uintmax_t)rd, (uintmax_t)image[0],
            (uintmax_t)image[1], (uintmax_t)image[2]);
        function = (uint32_t)i % 4;
        rd = 0;
        response = plain_sw_issue(NULL, function, rs1, rs2, &rd);
        printf("%" PRIu32 " %" PRIu32 " %jx\n", function, response, (uintmax_t)rd);
        printf("feed %jx\n", (uintmax_t)dev_sw_feed((cx_word_t)rs1 >> 12, (cx_word_t)rs2));
    }
    return 0;
}
