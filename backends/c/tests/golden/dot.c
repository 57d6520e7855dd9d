/* dot.c
 * Generated from org.example.dsp:Dot by cxc; do not edit.
 *
 * Needs the CX API (cx.h and its library), and the fallbacks of the interfaces that it uses.
 */
#include "dot.h"

#include "cx.h"

#include "mulacc.h"

/* What a thread has of its own. Where there are no threads, build with -DCX_THREAD_LOCAL= */
#ifndef CX_THREAD_LOCAL
#ifdef __cplusplus
#define CX_THREAD_LOCAL thread_local
#else
#define CX_THREAD_LOCAL _Thread_local
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The thread's instance of org.example.dsp:MulAcc: built-in before it is looked for, invalid if the machine has none. */
static CX_THREAD_LOCAL cx_sel_t instance_of_mulacc = cx_sel_builtin;

static cx_sel_t open_mulacc(void)
{
    if (instance_of_mulacc == cx_sel_invalid || cx_sel_is_cx(instance_of_mulacc)) {
        return instance_of_mulacc;
    }
    if (instance_of_mulacc != cx_sel_builtin) {
        cx_close(instance_of_mulacc); /* it was taken away */
    }
    const cx_sel_t sel = cx_open(&mulacc_uuid, cx_open_exclusive);
    /* What is only busy now may be had later. */
    instance_of_mulacc = sel == cx_sel_invalid && cx_last_error() != CX_ERROR_NO_DEVICE ? cx_sel_builtin : sel;
    return sel;
}

void dot_cx_close(void)
{
    if (instance_of_mulacc != cx_sel_builtin && instance_of_mulacc != cx_sel_invalid) {
        cx_close(instance_of_mulacc);
    }
    instance_of_mulacc = cx_sel_builtin;
}

#if CX_XLEN == 32

uint32_t dot_dotp(const uint32_t *a, const uint32_t *b, size_t n_in)
{
    uint32_t n = (uint32_t)n_in;
    uint32_t r = 0u;
    const cx_sel_t mulacc_sel = open_mulacc();
    if (cx_sel_is_cx(mulacc_sel)) {
        const cx_sel_t prev = cx_select(mulacc_sel);
        (void)mulacc_mul(0u, 0u);
        for (uint32_t i = 0u; i < n; i++) {
            uint32_t t2 = mulacc_mulacc(a[i], b[i]);
            r = t2;
        }
        cx_select(prev);
    } else {
        mulacc_state mulacc_st;
        mulacc_state_init(&mulacc_st);
        (void)mulacc_sw_mul(&mulacc_st, 0u, 0u);
        for (uint32_t i = 0u; i < n; i++) {
            uint32_t t1 = mulacc_sw_mulacc(&mulacc_st, a[i], b[i]);
            r = t1;
        }
    }
    return r;
}

#elif CX_XLEN == 64

uint32_t dot_dotp(const uint32_t *a, const uint32_t *b, size_t n_in)
{
    uint64_t n = (uint64_t)n_in;
    uint32_t r = 0u;
    const cx_sel_t mulacc_sel = open_mulacc();
    if (cx_sel_is_cx(mulacc_sel)) {
        const cx_sel_t prev = cx_select(mulacc_sel);
        (void)mulacc_mul(UINT64_C(0), UINT64_C(0));
        for (uint64_t i = UINT64_C(0); i < n; i++) {
            uint64_t t2 = mulacc_mulacc((uint64_t)a[i], (uint64_t)b[i]);
            r = (uint32_t)t2;
        }
        cx_select(prev);
    } else {
        mulacc_state mulacc_st;
        mulacc_state_init(&mulacc_st);
        (void)mulacc_sw_mul(&mulacc_st, UINT64_C(0), UINT64_C(0));
        for (uint64_t i = UINT64_C(0); i < n; i++) {
            uint64_t t1 = mulacc_sw_mulacc(&mulacc_st, (uint64_t)a[i], (uint64_t)b[i]);
            r = (uint32_t)t1;
        }
    }
    return r;
}

#endif

#ifdef __cplusplus
}
#endif
