#include "mulacc.h"

struct state {
    cx_word_t cs, acc;
};

static void init(void *at) {
    struct state *state = at;
    state->cs = 1;
    state->acc = 0;
}

static cx_word_t status_word(const struct state *state) { return state->cs | 1u << 2; }

static uint32_t issue(void *at, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd) {
    struct state *state = at;
    cx_word_t a = (cx_word_t)rs1, b = (cx_word_t)rs2;
    if (function == 1023) {
        *rd = status_word(state);
        return CX_RESPONSE_OK;
    }
    if (function == 1022) {
        *rd = status_word(state);
        state->cs = a & 3;
        if (state->cs < 2) state->acc = 0;
        return CX_RESPONSE_OK;
    }
    if (state->cs == 0) return CX_RESPONSE_OFF;
    if (function == 1021) {
        *rd = a == 0 ? state->acc : 0;
        return CX_RESPONSE_OK;
    }
    if (function == 1020) {
        if (a == 0) state->acc = b;
        state->cs = 3;
        *rd = b;
        return CX_RESPONSE_OK;
    }
    if (function > 1) return CX_RESPONSE_FUNC;
    state->acc = function == 0 ? a * b : state->acc + a * b;
    state->cs = 3;
    *rd = state->acc;
    return CX_RESPONSE_OK;
}

/* 0x810 is acc, 0xCC0 the low bit of it. */
static uint32_t csr(void *at, uint32_t op, uint32_t address, cx_reg_t value, cx_reg_t *old) {
    struct state *state = at;
    cx_word_t now = state->acc, v = (cx_word_t)value;
    if (state->cs == 0) return CX_RESPONSE_OFF;
    if (address == 0xCC0 && op == CX_CSR_READ) {
        *old = now & 1u;
        return CX_RESPONSE_OK;
    }
    if (address != 0x810) return CX_RESPONSE_FUNC;
    *old = now;
    if (op != CX_CSR_READ) {
        state->acc = op == CX_CSR_WRITE ? v : op == CX_CSR_SET ? now | v : now & ~v;
        state->cs = 3;
    }
    return CX_RESPONSE_OK;
}

static void save(const void *at, void *image) {
    const struct state *state = at;
    cx_word_t *words = image;
    words[0] = status_word(state);
    words[1] = state->acc;
}

static void restore(void *at, const void *image) {
    struct state *state = at;
    const cx_word_t *words = image;
    state->cs = words[0] & 3;
    state->acc = words[1];
}

#define MULACC(low_, sharing_) \
    {.abi_version = CX_ABI_VERSION, .struct_size = sizeof(struct cx_soft_cxu), .uuid = {MULACC_HIGH, low_}, \
     .contract = {0x01, 0x49}, .xlen = CX_XLEN, .sharing = sharing_, .flags = CX_SOFT_STATE_CONTEXT, .state_words = 1, \
     .state_size = sizeof(struct state), .state_align = _Alignof(struct state), .name = "mulacc", \
     .init = init, .issue = issue, .save = save, .restore = restore, .csr = csr}

const struct cx_soft_cxu mulacc_soft = MULACC(MULACC_LOW, CX_SHARING_EXCLUSIVE);
const struct cx_soft_cxu mulacc_soft_twin = MULACC(MULACC_LOW, CX_SHARING_EXCLUSIVE);
const struct cx_soft_cxu shared_soft = MULACC(2, CX_SHARING_CALLER_SAVE);

static uint32_t add(void *at, uint32_t function, cx_reg_t rs1, cx_reg_t rs2, cx_reg_t *rd) {
    if (at != NULL) return CX_RESPONSE_STATE;
    switch (function) {
    case 0: *rd = (cx_word_t)(rs1 + rs2); return CX_RESPONSE_OK;
    case 5: *rd = 55; return CX_RESPONSE_OP;
    case 6: return 1000; /* no response */
    default: return CX_RESPONSE_FUNC;
    }
}

const struct cx_soft_cxu adder_soft = {
    .abi_version = CX_ABI_VERSION, .struct_size = sizeof(struct cx_soft_cxu), .uuid = {MULACC_HIGH, 3},
    .xlen = CX_XLEN, .sharing = CX_SHARING_STATELESS, .state_align = 1, .name = "adder", .issue = add};
