/* mulacc_ckernels.c: the commands in software as ckernels.
 * Generated from org.example.dsp:MulAcc by cxc; do not edit.
 *
 * It needs no other source, and no library: what commands do stands here once more, so that compilers put it into the
 * loops. Compilers use vectors in these loops at -O3, and more of them with -march.
 */
#include "mulacc.h"
#include "mulacc_ckernels.h"

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

static void mulacc_ck_state_init(mulacc_state *st)
{
    st->status = 0x5u;
    mulacc_reset(st);
}

static void mulacc_ck_state_save(const mulacc_state *st, cx_word_t *words)
{
    words[0] = st->status;
    for (cx_word_t i = 0; i < 1u; i++) {
        words[1 + i] = mulacc_read_word(st, i);
    }
}

static void mulacc_ck_state_restore(mulacc_state *st, const cx_word_t *words)
{
    if (mulacc_restore_status(st, words[0])) {
        for (cx_word_t i = 0; i < 1u; i++) {
            mulacc_write_word(st, i, words[1 + i]);
        }
    }
}

/* The state of an image, unless that is one of another state. */
static int mulacc_ck_load(mulacc_state *st, const void *image, intptr_t size)
{
    cx_word_t words[1 + 1u];
    if (size < (intptr_t)sizeof words) {
        return CKERNEL_INVALID;
    }
    CKERNEL_COPY(words, image, sizeof words);
    if ((words[0] >> 2 & 0x3FFu) != 1u) {
        return CKERNEL_INVALID;
    }
    mulacc_ck_state_restore(st, words);
    return CKERNEL_OK;
}

/* What a ckernel owns: the state in which each call of it begins. */
static int mulacc_ck_init(void *data, const void *image, intptr_t size)
{
    mulacc_state st;
    mulacc_ck_state_init(&st);
    int status = image ? mulacc_ck_load(&st, image, size) : CKERNEL_OK;
    if (status == CKERNEL_OK) {
        CKERNEL_COPY(data, &st, sizeof st);
    }
    return status;
}

/* The state in which this call begins. */
static int mulacc_ck_begin(mulacc_state *st, const ckernel_prefix *extra, const ckernel_call *call, const char *who)
{
    int status = CKERNEL_OK;
    CKERNEL_COPY(st, extra + 1, sizeof *st);
    if (call && call->state && call->state_size < (intptr_t)((1 + 1u) * sizeof(cx_word_t))) {
        status = CKERNEL_INVALID;
    } else if (call && call->initial) {
        status = mulacc_ck_load(st, call->initial, call->state_size);
    }
    return status == CKERNEL_OK ? status : ckernel_raise(call, status, 0, 0, who, "no image of this state");
}

/* Gives the final state to the caller, and reports a response other than CX_RESPONSE_OK. */
static int mulacc_ck_end(const mulacc_state *st, const ckernel_call *call, uint32_t response, intptr_t index, const char *who)
{
    if (call && call->state) {
        cx_word_t words[1 + 1u];
        mulacc_ck_state_save(st, words);
        CKERNEL_COPY(call->state, words, sizeof words);
    }
    if (response == CX_RESPONSE_OK) {
        return CKERNEL_OK;
    }
    const uint32_t code = response == CX_RESPONSE_CUSTOM ? st->status >> 24 : 0u;
    const char *what;
    switch (response) {
    case CX_RESPONSE_STATE:
        what = "the state is invalid";
        break;
    case CX_RESPONSE_OFF:
        what = "the state is off";
        break;
    case CX_RESPONSE_FUNC:
        what = "no such function";
        break;
    case CX_RESPONSE_OP:
        what = "an operand is in error";
        break;
    case CX_RESPONSE_CUSTOM:
        what = "an error of the interface's own";
        break;
    case CX_RESPONSE_TRAP:
        what = "the command traps";
        break;
    default:
        response = CX_RESPONSE_CXU;
        what = "the command was not done";
        break;
    }
    return ckernel_raise(call, (int)response, code, (uint64_t)index, who, what);
}

CKERNEL_INLINE uint32_t mulacc_ck_mul(mulacc_state *st, uint32_t a, uint32_t b)
{
    if ((st->status & 3u) == 0u) {
        return 0u;
    }
    st->status |= 3u;
    st->acc = a * b;
    return st->acc;
}

CKERNEL_INLINE void mulacc_ck_mul_at(char *dst, const char *src0, const char *src1, mulacc_state *st)
{
    uint32_t a0;
    CKERNEL_COPY(&a0, src0, sizeof a0);
    uint32_t a1;
    CKERNEL_COPY(&a1, src1, sizeof a1);
    const uint32_t rd = mulacc_ck_mul(st, a0, a1);
    CKERNEL_COPY(dst, &rd, sizeof rd);
}

static int mulacc_ck_mul_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.mul");
    if (status != CKERNEL_OK) {
        return status;
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_mul_at(dst, src[0], src[1], &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.mul");
    }
    mulacc_state st = begun;
    mulacc_ck_mul_at(dst, src[0], src[1], &st);
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.mul");
}

static int mulacc_ck_mul_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
    size_t count, ckernel_prefix *extra, const ckernel_call *call)
{
    const char *src0 = src[0];
    const intptr_t stride0 = src_stride[0];
    const char *src1 = src[1];
    const intptr_t stride1 = src_stride[1];
    const intptr_t n = (intptr_t)count;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.mul");
    if (status != CKERNEL_OK) {
        return status;
    }
    if (n <= 0) {
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.mul");
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_mul_at(dst, src0, src1, &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.mul");
    }
    mulacc_state st = begun;
    mulacc_ck_mul_at(dst, src0, src1, &st);
    if (dst_stride == 4 && stride0 == 4 && stride1 == 4) {
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mul_at(dst + i * 4, src0 + i * 4, src1 + i * 4, &st);
        }
    } else if (dst_stride == 4 && stride1 == 4 && stride0 == 0 && ckernel_apart(src0, 4, dst, count * 4)) {
        char fixed[4];
        CKERNEL_COPY(fixed, src0, sizeof fixed);
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mul_at(dst + i * 4, fixed, src1 + i * 4, &st);
        }
    } else if (dst_stride == 4 && stride0 == 4 && stride1 == 0 && ckernel_apart(src1, 4, dst, count * 4)) {
        char fixed[4];
        CKERNEL_COPY(fixed, src1, sizeof fixed);
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mul_at(dst + i * 4, src0 + i * 4, fixed, &st);
        }
    } else {
        for (intptr_t i = 1; i != n; i++) {
            dst += dst_stride;
            src0 += stride0;
            src1 += stride1;
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mul_at(dst, src0, src1, &st);
        }
    }
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.mul");
}

CKERNEL_INLINE uint32_t mulacc_ck_mulacc(mulacc_state *st, uint32_t a, uint32_t b)
{
    if ((st->status & 3u) == 0u) {
        return 0u;
    }
    st->status |= 3u;
    st->acc += a * b;
    return st->acc;
}

CKERNEL_INLINE void mulacc_ck_mulacc_at(char *dst, const char *src0, const char *src1, mulacc_state *st)
{
    uint32_t a0;
    CKERNEL_COPY(&a0, src0, sizeof a0);
    uint32_t a1;
    CKERNEL_COPY(&a1, src1, sizeof a1);
    const uint32_t rd = mulacc_ck_mulacc(st, a0, a1);
    CKERNEL_COPY(dst, &rd, sizeof rd);
}

static int mulacc_ck_mulacc_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.mulacc");
    if (status != CKERNEL_OK) {
        return status;
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_mulacc_at(dst, src[0], src[1], &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.mulacc");
    }
    mulacc_state st = begun;
    mulacc_ck_mulacc_at(dst, src[0], src[1], &st);
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.mulacc");
}

static int mulacc_ck_mulacc_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
    size_t count, ckernel_prefix *extra, const ckernel_call *call)
{
    const char *src0 = src[0];
    const intptr_t stride0 = src_stride[0];
    const char *src1 = src[1];
    const intptr_t stride1 = src_stride[1];
    const intptr_t n = (intptr_t)count;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.mulacc");
    if (status != CKERNEL_OK) {
        return status;
    }
    if (n <= 0) {
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.mulacc");
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_mulacc_at(dst, src0, src1, &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.mulacc");
    }
    mulacc_state st = begun;
    mulacc_ck_mulacc_at(dst, src0, src1, &st);
    if (dst_stride == 4 && stride0 == 4 && stride1 == 4) {
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mulacc_at(dst + i * 4, src0 + i * 4, src1 + i * 4, &st);
        }
    } else if (dst_stride == 4 && stride1 == 4 && stride0 == 0 && ckernel_apart(src0, 4, dst, count * 4)) {
        char fixed[4];
        CKERNEL_COPY(fixed, src0, sizeof fixed);
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mulacc_at(dst + i * 4, fixed, src1 + i * 4, &st);
        }
    } else if (dst_stride == 4 && stride0 == 4 && stride1 == 0 && ckernel_apart(src1, 4, dst, count * 4)) {
        char fixed[4];
        CKERNEL_COPY(fixed, src1, sizeof fixed);
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mulacc_at(dst + i * 4, src0 + i * 4, fixed, &st);
        }
    } else {
        for (intptr_t i = 1; i != n; i++) {
            dst += dst_stride;
            src0 += stride0;
            src1 += stride1;
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mulacc_at(dst, src0, src1, &st);
        }
    }
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.mulacc");
}

CKERNEL_INLINE uint32_t mulacc_ck_write_state(mulacc_state *st, uint32_t index, uint32_t value)
{
    if ((st->status & 3u) == 0u) {
        return 0u;
    }
    mulacc_write_word(st, index, value);
    st->status |= 3u;
    return value;
}

CKERNEL_INLINE void mulacc_ck_write_state_at(char *dst, const char *src0, const char *src1, mulacc_state *st)
{
    uint32_t a0;
    CKERNEL_COPY(&a0, src0, sizeof a0);
    uint32_t a1;
    CKERNEL_COPY(&a1, src1, sizeof a1);
    const uint32_t rd = mulacc_ck_write_state(st, a0, a1);
    CKERNEL_COPY(dst, &rd, sizeof rd);
}

static int mulacc_ck_write_state_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.write_state");
    if (status != CKERNEL_OK) {
        return status;
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_write_state_at(dst, src[0], src[1], &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.write_state");
    }
    mulacc_state st = begun;
    mulacc_ck_write_state_at(dst, src[0], src[1], &st);
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.write_state");
}

static int mulacc_ck_write_state_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
    size_t count, ckernel_prefix *extra, const ckernel_call *call)
{
    const char *src0 = src[0];
    const intptr_t stride0 = src_stride[0];
    const char *src1 = src[1];
    const intptr_t stride1 = src_stride[1];
    const intptr_t n = (intptr_t)count;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.write_state");
    if (status != CKERNEL_OK) {
        return status;
    }
    if (n <= 0) {
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.write_state");
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_write_state_at(dst, src0, src1, &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.write_state");
    }
    mulacc_state st = begun;
    mulacc_ck_write_state_at(dst, src0, src1, &st);
    if (dst_stride == 4 && stride0 == 4 && stride1 == 4) {
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_write_state_at(dst + i * 4, src0 + i * 4, src1 + i * 4, &st);
        }
    } else if (dst_stride == 4 && stride1 == 4 && stride0 == 0 && ckernel_apart(src0, 4, dst, count * 4)) {
        char fixed[4];
        CKERNEL_COPY(fixed, src0, sizeof fixed);
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_write_state_at(dst + i * 4, fixed, src1 + i * 4, &st);
        }
    } else if (dst_stride == 4 && stride0 == 4 && stride1 == 0 && ckernel_apart(src1, 4, dst, count * 4)) {
        char fixed[4];
        CKERNEL_COPY(fixed, src1, sizeof fixed);
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_write_state_at(dst + i * 4, src0 + i * 4, fixed, &st);
        }
    } else {
        for (intptr_t i = 1; i != n; i++) {
            dst += dst_stride;
            src0 += stride0;
            src1 += stride1;
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_write_state_at(dst, src0, src1, &st);
        }
    }
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.write_state");
}

CKERNEL_INLINE uint32_t mulacc_ck_read_state(mulacc_state *st, uint32_t index)
{
    if ((st->status & 3u) == 0u) {
        return 0u;
    }
    return mulacc_read_word(st, index);
}

CKERNEL_INLINE void mulacc_ck_read_state_at(char *dst, const char *src0, mulacc_state *st)
{
    uint32_t a0;
    CKERNEL_COPY(&a0, src0, sizeof a0);
    const uint32_t rd = mulacc_ck_read_state(st, a0);
    CKERNEL_COPY(dst, &rd, sizeof rd);
}

static int mulacc_ck_read_state_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.read_state");
    if (status != CKERNEL_OK) {
        return status;
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_read_state_at(dst, src[0], &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.read_state");
    }
    mulacc_state st = begun;
    mulacc_ck_read_state_at(dst, src[0], &st);
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.read_state");
}

static int mulacc_ck_read_state_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
    size_t count, ckernel_prefix *extra, const ckernel_call *call)
{
    const char *src0 = src[0];
    const intptr_t stride0 = src_stride[0];
    const intptr_t n = (intptr_t)count;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.read_state");
    if (status != CKERNEL_OK) {
        return status;
    }
    if (n <= 0) {
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.read_state");
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_read_state_at(dst, src0, &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.read_state");
    }
    mulacc_state st = begun;
    mulacc_ck_read_state_at(dst, src0, &st);
    if (dst_stride == 4 && stride0 == 4) {
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_read_state_at(dst + i * 4, src0 + i * 4, &st);
        }
    } else {
        for (intptr_t i = 1; i != n; i++) {
            dst += dst_stride;
            src0 += stride0;
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_read_state_at(dst, src0, &st);
        }
    }
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.read_state");
}

CKERNEL_INLINE uint32_t mulacc_ck_write_status(mulacc_state *st, uint32_t status)
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

CKERNEL_INLINE void mulacc_ck_write_status_at(char *dst, const char *src0, mulacc_state *st)
{
    uint32_t a0;
    CKERNEL_COPY(&a0, src0, sizeof a0);
    const uint32_t rd = mulacc_ck_write_status(st, a0);
    CKERNEL_COPY(dst, &rd, sizeof rd);
}

static int mulacc_ck_write_status_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.write_status");
    if (status != CKERNEL_OK) {
        return status;
    }
    mulacc_state st = begun;
    mulacc_ck_write_status_at(dst, src[0], &st);
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.write_status");
}

static int mulacc_ck_write_status_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
    size_t count, ckernel_prefix *extra, const ckernel_call *call)
{
    const char *src0 = src[0];
    const intptr_t stride0 = src_stride[0];
    const intptr_t n = (intptr_t)count;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.write_status");
    if (status != CKERNEL_OK) {
        return status;
    }
    if (n <= 0) {
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.write_status");
    }
    mulacc_state st = begun;
    if (dst_stride == 4 && stride0 == 4) {
        for (intptr_t i = 0; i != n; i++) {
            mulacc_ck_write_status_at(dst + i * 4, src0 + i * 4, &st);
        }
    } else {
        for (intptr_t left = n;;) {
            mulacc_ck_write_status_at(dst, src0, &st);
            if (--left == 0) {
                break;
            }
            dst += dst_stride;
            src0 += stride0;
        }
    }
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.write_status");
}

CKERNEL_INLINE uint32_t mulacc_ck_read_status(mulacc_state *st)
{
    return st->status;
}

CKERNEL_INLINE void mulacc_ck_read_status_at(char *dst, mulacc_state *st)
{
    const uint32_t rd = mulacc_ck_read_status(st);
    CKERNEL_COPY(dst, &rd, sizeof rd);
}

static int mulacc_ck_read_status_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    (void)src;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.read_status");
    if (status != CKERNEL_OK) {
        return status;
    }
    mulacc_state st = begun;
    mulacc_ck_read_status_at(dst, &st);
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.read_status");
}

static int mulacc_ck_read_status_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
    size_t count, ckernel_prefix *extra, const ckernel_call *call)
{
    (void)src;
    (void)src_stride;
    const intptr_t n = (intptr_t)count;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.read_status");
    if (status != CKERNEL_OK) {
        return status;
    }
    if (n <= 0) {
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.read_status");
    }
    mulacc_state st = begun;
    {
        for (intptr_t left = n;;) {
            mulacc_ck_read_status_at(dst, &st);
            if (--left == 0) {
                break;
            }
            dst += dst_stride;
        }
    }
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.read_status");
}

static const ckernel_command mulacc_ck_commands[] = {
    {"mul", 0u, CKERNEL_HAS_STATE, 2u, {'u', 4, 32}, {{'u', 4, 32}, {'u', 4, 32}, {0, 0, 0}},
        mulacc_ck_mul_single, mulacc_ck_mul_strided},
    {"mulacc", 1u, CKERNEL_HAS_STATE, 2u, {'u', 4, 32}, {{'u', 4, 32}, {'u', 4, 32}, {0, 0, 0}},
        mulacc_ck_mulacc_single, mulacc_ck_mulacc_strided},
    {"write_state", 1020u, CKERNEL_HAS_STATE, 2u, {'u', 4, 32}, {{'u', 4, 32}, {'u', 4, 32}, {0, 0, 0}},
        mulacc_ck_write_state_single, mulacc_ck_write_state_strided},
    {"read_state", 1021u, CKERNEL_HAS_STATE, 1u, {'u', 4, 32}, {{'u', 4, 32}, {0, 0, 0}, {0, 0, 0}},
        mulacc_ck_read_state_single, mulacc_ck_read_state_strided},
    {"write_status", 1022u, CKERNEL_HAS_STATE, 1u, {'u', 4, 32}, {{'u', 4, 32}, {0, 0, 0}, {0, 0, 0}},
        mulacc_ck_write_status_single, mulacc_ck_write_status_strided},
    {"read_status", 1023u, CKERNEL_HAS_STATE, 0u, {'u', 4, 32}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
        mulacc_ck_read_status_single, mulacc_ck_read_status_strided},
};

const ckernel_set mulacc_ckernels = {
    CKERNEL_ABI_VERSION,
    (uint32_t)sizeof(ckernel_set),
    "org.example.dsp:MulAcc",
    {
        0x01, 0x49, 0x07, 0xB7, 0x97, 0x53, 0xBF, 0x39,
        0xCB, 0x68, 0xB8, 0xCC, 0x31, 0x76, 0x2D, 0x17,
        0xDA, 0x8E, 0x10, 0xC1, 0x93, 0x79, 0x6A, 0xA0,
        0x2A, 0x33, 0x9E, 0xD0, 0x23, 0x8F, 0x36, 0xF9,
    },
    CX_XLEN,
    6u,
    mulacc_ck_commands,
    CKERNEL_ALIGNED(sizeof(mulacc_state)),
    (intptr_t)((1 + 1u) * sizeof(cx_word_t)),
    mulacc_ck_init,
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

static void mulacc_ck_state_init(mulacc_state *st)
{
    st->status = 0x5u;
    mulacc_reset(st);
}

static void mulacc_ck_state_save(const mulacc_state *st, cx_word_t *words)
{
    words[0] = st->status;
    for (cx_word_t i = 0; i < 1u; i++) {
        words[1 + i] = mulacc_read_word(st, i);
    }
}

static void mulacc_ck_state_restore(mulacc_state *st, const cx_word_t *words)
{
    if (mulacc_restore_status(st, words[0])) {
        for (cx_word_t i = 0; i < 1u; i++) {
            mulacc_write_word(st, i, words[1 + i]);
        }
    }
}

/* The state of an image, unless that is one of another state. */
static int mulacc_ck_load(mulacc_state *st, const void *image, intptr_t size)
{
    cx_word_t words[1 + 1u];
    if (size < (intptr_t)sizeof words) {
        return CKERNEL_INVALID;
    }
    CKERNEL_COPY(words, image, sizeof words);
    if ((words[0] >> 2 & 0x3FFu) != 1u) {
        return CKERNEL_INVALID;
    }
    mulacc_ck_state_restore(st, words);
    return CKERNEL_OK;
}

/* What a ckernel owns: the state in which each call of it begins. */
static int mulacc_ck_init(void *data, const void *image, intptr_t size)
{
    mulacc_state st;
    mulacc_ck_state_init(&st);
    int status = image ? mulacc_ck_load(&st, image, size) : CKERNEL_OK;
    if (status == CKERNEL_OK) {
        CKERNEL_COPY(data, &st, sizeof st);
    }
    return status;
}

/* The state in which this call begins. */
static int mulacc_ck_begin(mulacc_state *st, const ckernel_prefix *extra, const ckernel_call *call, const char *who)
{
    int status = CKERNEL_OK;
    CKERNEL_COPY(st, extra + 1, sizeof *st);
    if (call && call->state && call->state_size < (intptr_t)((1 + 1u) * sizeof(cx_word_t))) {
        status = CKERNEL_INVALID;
    } else if (call && call->initial) {
        status = mulacc_ck_load(st, call->initial, call->state_size);
    }
    return status == CKERNEL_OK ? status : ckernel_raise(call, status, 0, 0, who, "no image of this state");
}

/* Gives the final state to the caller, and reports a response other than CX_RESPONSE_OK. */
static int mulacc_ck_end(const mulacc_state *st, const ckernel_call *call, uint32_t response, intptr_t index, const char *who)
{
    if (call && call->state) {
        cx_word_t words[1 + 1u];
        mulacc_ck_state_save(st, words);
        CKERNEL_COPY(call->state, words, sizeof words);
    }
    if (response == CX_RESPONSE_OK) {
        return CKERNEL_OK;
    }
    const uint32_t code = response == CX_RESPONSE_CUSTOM ? st->status >> 24 : 0u;
    const char *what;
    switch (response) {
    case CX_RESPONSE_STATE:
        what = "the state is invalid";
        break;
    case CX_RESPONSE_OFF:
        what = "the state is off";
        break;
    case CX_RESPONSE_FUNC:
        what = "no such function";
        break;
    case CX_RESPONSE_OP:
        what = "an operand is in error";
        break;
    case CX_RESPONSE_CUSTOM:
        what = "an error of the interface's own";
        break;
    case CX_RESPONSE_TRAP:
        what = "the command traps";
        break;
    default:
        response = CX_RESPONSE_CXU;
        what = "the command was not done";
        break;
    }
    return ckernel_raise(call, (int)response, code, (uint64_t)index, who, what);
}

CKERNEL_INLINE uint64_t mulacc_ck_mul(mulacc_state *st, uint64_t a, uint64_t b)
{
    if ((st->status & 3u) == 0u) {
        return UINT64_C(0);
    }
    st->status |= 3u;
    st->acc = a * b;
    return st->acc;
}

CKERNEL_INLINE void mulacc_ck_mul_at(char *dst, const char *src0, const char *src1, mulacc_state *st)
{
    uint64_t a0;
    CKERNEL_COPY(&a0, src0, sizeof a0);
    uint64_t a1;
    CKERNEL_COPY(&a1, src1, sizeof a1);
    const uint64_t rd = mulacc_ck_mul(st, a0, a1);
    CKERNEL_COPY(dst, &rd, sizeof rd);
}

static int mulacc_ck_mul_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.mul");
    if (status != CKERNEL_OK) {
        return status;
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_mul_at(dst, src[0], src[1], &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.mul");
    }
    mulacc_state st = begun;
    mulacc_ck_mul_at(dst, src[0], src[1], &st);
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.mul");
}

static int mulacc_ck_mul_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
    size_t count, ckernel_prefix *extra, const ckernel_call *call)
{
    const char *src0 = src[0];
    const intptr_t stride0 = src_stride[0];
    const char *src1 = src[1];
    const intptr_t stride1 = src_stride[1];
    const intptr_t n = (intptr_t)count;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.mul");
    if (status != CKERNEL_OK) {
        return status;
    }
    if (n <= 0) {
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.mul");
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_mul_at(dst, src0, src1, &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.mul");
    }
    mulacc_state st = begun;
    mulacc_ck_mul_at(dst, src0, src1, &st);
    if (dst_stride == 8 && stride0 == 8 && stride1 == 8) {
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mul_at(dst + i * 8, src0 + i * 8, src1 + i * 8, &st);
        }
    } else if (dst_stride == 8 && stride1 == 8 && stride0 == 0 && ckernel_apart(src0, 8, dst, count * 8)) {
        char fixed[8];
        CKERNEL_COPY(fixed, src0, sizeof fixed);
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mul_at(dst + i * 8, fixed, src1 + i * 8, &st);
        }
    } else if (dst_stride == 8 && stride0 == 8 && stride1 == 0 && ckernel_apart(src1, 8, dst, count * 8)) {
        char fixed[8];
        CKERNEL_COPY(fixed, src1, sizeof fixed);
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mul_at(dst + i * 8, src0 + i * 8, fixed, &st);
        }
    } else {
        for (intptr_t i = 1; i != n; i++) {
            dst += dst_stride;
            src0 += stride0;
            src1 += stride1;
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mul_at(dst, src0, src1, &st);
        }
    }
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.mul");
}

CKERNEL_INLINE uint64_t mulacc_ck_mulacc(mulacc_state *st, uint64_t a, uint64_t b)
{
    if ((st->status & 3u) == 0u) {
        return UINT64_C(0);
    }
    st->status |= 3u;
    st->acc += a * b;
    return st->acc;
}

CKERNEL_INLINE void mulacc_ck_mulacc_at(char *dst, const char *src0, const char *src1, mulacc_state *st)
{
    uint64_t a0;
    CKERNEL_COPY(&a0, src0, sizeof a0);
    uint64_t a1;
    CKERNEL_COPY(&a1, src1, sizeof a1);
    const uint64_t rd = mulacc_ck_mulacc(st, a0, a1);
    CKERNEL_COPY(dst, &rd, sizeof rd);
}

static int mulacc_ck_mulacc_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.mulacc");
    if (status != CKERNEL_OK) {
        return status;
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_mulacc_at(dst, src[0], src[1], &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.mulacc");
    }
    mulacc_state st = begun;
    mulacc_ck_mulacc_at(dst, src[0], src[1], &st);
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.mulacc");
}

static int mulacc_ck_mulacc_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
    size_t count, ckernel_prefix *extra, const ckernel_call *call)
{
    const char *src0 = src[0];
    const intptr_t stride0 = src_stride[0];
    const char *src1 = src[1];
    const intptr_t stride1 = src_stride[1];
    const intptr_t n = (intptr_t)count;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.mulacc");
    if (status != CKERNEL_OK) {
        return status;
    }
    if (n <= 0) {
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.mulacc");
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_mulacc_at(dst, src0, src1, &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.mulacc");
    }
    mulacc_state st = begun;
    mulacc_ck_mulacc_at(dst, src0, src1, &st);
    if (dst_stride == 8 && stride0 == 8 && stride1 == 8) {
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mulacc_at(dst + i * 8, src0 + i * 8, src1 + i * 8, &st);
        }
    } else if (dst_stride == 8 && stride1 == 8 && stride0 == 0 && ckernel_apart(src0, 8, dst, count * 8)) {
        char fixed[8];
        CKERNEL_COPY(fixed, src0, sizeof fixed);
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mulacc_at(dst + i * 8, fixed, src1 + i * 8, &st);
        }
    } else if (dst_stride == 8 && stride0 == 8 && stride1 == 0 && ckernel_apart(src1, 8, dst, count * 8)) {
        char fixed[8];
        CKERNEL_COPY(fixed, src1, sizeof fixed);
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mulacc_at(dst + i * 8, src0 + i * 8, fixed, &st);
        }
    } else {
        for (intptr_t i = 1; i != n; i++) {
            dst += dst_stride;
            src0 += stride0;
            src1 += stride1;
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_mulacc_at(dst, src0, src1, &st);
        }
    }
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.mulacc");
}

CKERNEL_INLINE uint64_t mulacc_ck_write_state(mulacc_state *st, uint64_t index, uint64_t value)
{
    if ((st->status & 3u) == 0u) {
        return UINT64_C(0);
    }
    mulacc_write_word(st, index, value);
    st->status |= 3u;
    return value;
}

CKERNEL_INLINE void mulacc_ck_write_state_at(char *dst, const char *src0, const char *src1, mulacc_state *st)
{
    uint64_t a0;
    CKERNEL_COPY(&a0, src0, sizeof a0);
    uint64_t a1;
    CKERNEL_COPY(&a1, src1, sizeof a1);
    const uint64_t rd = mulacc_ck_write_state(st, a0, a1);
    CKERNEL_COPY(dst, &rd, sizeof rd);
}

static int mulacc_ck_write_state_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.write_state");
    if (status != CKERNEL_OK) {
        return status;
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_write_state_at(dst, src[0], src[1], &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.write_state");
    }
    mulacc_state st = begun;
    mulacc_ck_write_state_at(dst, src[0], src[1], &st);
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.write_state");
}

static int mulacc_ck_write_state_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
    size_t count, ckernel_prefix *extra, const ckernel_call *call)
{
    const char *src0 = src[0];
    const intptr_t stride0 = src_stride[0];
    const char *src1 = src[1];
    const intptr_t stride1 = src_stride[1];
    const intptr_t n = (intptr_t)count;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.write_state");
    if (status != CKERNEL_OK) {
        return status;
    }
    if (n <= 0) {
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.write_state");
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_write_state_at(dst, src0, src1, &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.write_state");
    }
    mulacc_state st = begun;
    mulacc_ck_write_state_at(dst, src0, src1, &st);
    if (dst_stride == 8 && stride0 == 8 && stride1 == 8) {
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_write_state_at(dst + i * 8, src0 + i * 8, src1 + i * 8, &st);
        }
    } else if (dst_stride == 8 && stride1 == 8 && stride0 == 0 && ckernel_apart(src0, 8, dst, count * 8)) {
        char fixed[8];
        CKERNEL_COPY(fixed, src0, sizeof fixed);
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_write_state_at(dst + i * 8, fixed, src1 + i * 8, &st);
        }
    } else if (dst_stride == 8 && stride0 == 8 && stride1 == 0 && ckernel_apart(src1, 8, dst, count * 8)) {
        char fixed[8];
        CKERNEL_COPY(fixed, src1, sizeof fixed);
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_write_state_at(dst + i * 8, src0 + i * 8, fixed, &st);
        }
    } else {
        for (intptr_t i = 1; i != n; i++) {
            dst += dst_stride;
            src0 += stride0;
            src1 += stride1;
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_write_state_at(dst, src0, src1, &st);
        }
    }
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.write_state");
}

CKERNEL_INLINE uint64_t mulacc_ck_read_state(mulacc_state *st, uint64_t index)
{
    if ((st->status & 3u) == 0u) {
        return UINT64_C(0);
    }
    return mulacc_read_word(st, index);
}

CKERNEL_INLINE void mulacc_ck_read_state_at(char *dst, const char *src0, mulacc_state *st)
{
    uint64_t a0;
    CKERNEL_COPY(&a0, src0, sizeof a0);
    const uint64_t rd = mulacc_ck_read_state(st, a0);
    CKERNEL_COPY(dst, &rd, sizeof rd);
}

static int mulacc_ck_read_state_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.read_state");
    if (status != CKERNEL_OK) {
        return status;
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_read_state_at(dst, src[0], &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.read_state");
    }
    mulacc_state st = begun;
    mulacc_ck_read_state_at(dst, src[0], &st);
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.read_state");
}

static int mulacc_ck_read_state_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
    size_t count, ckernel_prefix *extra, const ckernel_call *call)
{
    const char *src0 = src[0];
    const intptr_t stride0 = src_stride[0];
    const intptr_t n = (intptr_t)count;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.read_state");
    if (status != CKERNEL_OK) {
        return status;
    }
    if (n <= 0) {
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.read_state");
    }
    if ((begun.status & 3u) == 0u) {
        mulacc_ck_read_state_at(dst, src0, &begun);
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OFF, 0, "mulacc.read_state");
    }
    mulacc_state st = begun;
    mulacc_ck_read_state_at(dst, src0, &st);
    if (dst_stride == 8 && stride0 == 8) {
        for (intptr_t i = 1; i != n; i++) {
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_read_state_at(dst + i * 8, src0 + i * 8, &st);
        }
    } else {
        for (intptr_t i = 1; i != n; i++) {
            dst += dst_stride;
            src0 += stride0;
            CKERNEL_NEVER((st.status & 3u) == 0u);
            mulacc_ck_read_state_at(dst, src0, &st);
        }
    }
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.read_state");
}

CKERNEL_INLINE uint64_t mulacc_ck_write_status(mulacc_state *st, uint64_t status)
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

CKERNEL_INLINE void mulacc_ck_write_status_at(char *dst, const char *src0, mulacc_state *st)
{
    uint64_t a0;
    CKERNEL_COPY(&a0, src0, sizeof a0);
    const uint64_t rd = mulacc_ck_write_status(st, a0);
    CKERNEL_COPY(dst, &rd, sizeof rd);
}

static int mulacc_ck_write_status_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.write_status");
    if (status != CKERNEL_OK) {
        return status;
    }
    mulacc_state st = begun;
    mulacc_ck_write_status_at(dst, src[0], &st);
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.write_status");
}

static int mulacc_ck_write_status_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
    size_t count, ckernel_prefix *extra, const ckernel_call *call)
{
    const char *src0 = src[0];
    const intptr_t stride0 = src_stride[0];
    const intptr_t n = (intptr_t)count;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.write_status");
    if (status != CKERNEL_OK) {
        return status;
    }
    if (n <= 0) {
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.write_status");
    }
    mulacc_state st = begun;
    if (dst_stride == 8 && stride0 == 8) {
        for (intptr_t i = 0; i != n; i++) {
            mulacc_ck_write_status_at(dst + i * 8, src0 + i * 8, &st);
        }
    } else {
        for (intptr_t left = n;;) {
            mulacc_ck_write_status_at(dst, src0, &st);
            if (--left == 0) {
                break;
            }
            dst += dst_stride;
            src0 += stride0;
        }
    }
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.write_status");
}

CKERNEL_INLINE uint64_t mulacc_ck_read_status(mulacc_state *st)
{
    return (uint64_t)st->status;
}

CKERNEL_INLINE void mulacc_ck_read_status_at(char *dst, mulacc_state *st)
{
    const uint64_t rd = mulacc_ck_read_status(st);
    CKERNEL_COPY(dst, &rd, sizeof rd);
}

static int mulacc_ck_read_status_single(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call)
{
    (void)src;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.read_status");
    if (status != CKERNEL_OK) {
        return status;
    }
    mulacc_state st = begun;
    mulacc_ck_read_status_at(dst, &st);
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.read_status");
}

static int mulacc_ck_read_status_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
    size_t count, ckernel_prefix *extra, const ckernel_call *call)
{
    (void)src;
    (void)src_stride;
    const intptr_t n = (intptr_t)count;
    mulacc_state begun;
    int status = mulacc_ck_begin(&begun, extra, call, "mulacc.read_status");
    if (status != CKERNEL_OK) {
        return status;
    }
    if (n <= 0) {
        return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.read_status");
    }
    mulacc_state st = begun;
    {
        for (intptr_t left = n;;) {
            mulacc_ck_read_status_at(dst, &st);
            if (--left == 0) {
                break;
            }
            dst += dst_stride;
        }
    }
    begun = st;
    return mulacc_ck_end(&begun, call, CX_RESPONSE_OK, 0, "mulacc.read_status");
}

static const ckernel_command mulacc_ck_commands[] = {
    {"mul", 0u, CKERNEL_HAS_STATE, 2u, {'u', 8, 64}, {{'u', 8, 64}, {'u', 8, 64}, {0, 0, 0}},
        mulacc_ck_mul_single, mulacc_ck_mul_strided},
    {"mulacc", 1u, CKERNEL_HAS_STATE, 2u, {'u', 8, 64}, {{'u', 8, 64}, {'u', 8, 64}, {0, 0, 0}},
        mulacc_ck_mulacc_single, mulacc_ck_mulacc_strided},
    {"write_state", 1020u, CKERNEL_HAS_STATE, 2u, {'u', 8, 64}, {{'u', 8, 64}, {'u', 8, 64}, {0, 0, 0}},
        mulacc_ck_write_state_single, mulacc_ck_write_state_strided},
    {"read_state", 1021u, CKERNEL_HAS_STATE, 1u, {'u', 8, 64}, {{'u', 8, 64}, {0, 0, 0}, {0, 0, 0}},
        mulacc_ck_read_state_single, mulacc_ck_read_state_strided},
    {"write_status", 1022u, CKERNEL_HAS_STATE, 1u, {'u', 8, 64}, {{'u', 8, 64}, {0, 0, 0}, {0, 0, 0}},
        mulacc_ck_write_status_single, mulacc_ck_write_status_strided},
    {"read_status", 1023u, CKERNEL_HAS_STATE, 0u, {'u', 8, 64}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
        mulacc_ck_read_status_single, mulacc_ck_read_status_strided},
};

const ckernel_set mulacc_ckernels = {
    CKERNEL_ABI_VERSION,
    (uint32_t)sizeof(ckernel_set),
    "org.example.dsp:MulAcc",
    {
        0x01, 0x49, 0x07, 0xB7, 0x97, 0x53, 0xBF, 0x39,
        0xCB, 0x68, 0xB8, 0xCC, 0x31, 0x76, 0x2D, 0x17,
        0xDA, 0x8E, 0x10, 0xC1, 0x93, 0x79, 0x6A, 0xA0,
        0x2A, 0x33, 0x9E, 0xD0, 0x23, 0x8F, 0x36, 0xF9,
    },
    CX_XLEN,
    6u,
    mulacc_ck_commands,
    CKERNEL_ALIGNED(sizeof(mulacc_state)),
    (intptr_t)((1 + 1u) * sizeof(cx_word_t)),
    mulacc_ck_init,
};

#endif
