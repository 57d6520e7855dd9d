/* The bodies of opaque.cxspec. One that fails leaves the state as it was, as those of the language do. */
#include "opaque.h"

/* Of the result nine bits count. */
int16_t opaque_body_fold(opaque_state *st, int16_t a, uint8_t b, uint32_t *status)
{
    if (a == b) {
        *status = CX_RESPONSE_OP;
    } else if (a < -2000) {
        st->status = (st->status & 0xFFFFFFu) | opaque_error_full << 24;
        *status = CX_RESPONSE_CUSTOM;
    } else {
        st->total += b;
    }
    return (int16_t)(a ^ b * 5);
}

void opaque_body_note(opaque_state *st, bool a, uint32_t *status)
{
    if (!a && st->total % 5 == 1) {
        *status = CX_RESPONSE_STATE;
        return;
    }
    st->total = a ? st->total * 3 + 1 : ~st->total;
}

cx_word_t opaque_body_drain(opaque_state *st, uint32_t *status)
{
    cx_word_t total = st->total;
    (void)status;
    st->total = 0;
    return total;
}
