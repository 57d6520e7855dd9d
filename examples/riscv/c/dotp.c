/* The dot products of the CX API document: exclusive or shared state, CX or default calling convention. `specs/dotp.cxspec`
 * has the bodies; cxc makes them select, save and restore around each call as state and convention want it. */
#include <stdio.h>

#include "cx.h"
#include "dotp.h"
#include "mac.h"
#include "smac.h"

static unsigned with_cx, with_builtin; /* calls, by what they found selected */

static void count(void)
{
    *(cx_sel_is_cx(cx_get_sel()) ? &with_cx : &with_builtin) += 1;
}

/* Knows of CXs: it leaves what is selected as it is. */
int32_t cx_cc_func(int32_t x)
{
    count();
    return 2 * x;
}

/* Knows nothing of CXs, but other code that it calls may use the shared one. */
int32_t legacy_func(int32_t x)
{
    count();
    cx_sel_t sel = cx_open(&smac_uuid, cx_open_shared);
    cx_select(sel);
    (void)smac_reset();
    cx_select(cx_sel_builtin);
    cx_close(sel);
    return 2 * x;
}

typedef int32_t dotp(const int32_t *a, const int32_t *b, unsigned n);

static void show(const char *name, dotp *function)
{
    static const int32_t a[] = {1, 2, 3, 4}, b[] = {5, -6, 7, 8};
    with_cx = with_builtin = 0;
    int32_t product = function(a, b, 4);
    printf("dotp %s: %d, calls with a CX selected %u, with built-in %u\n", name, (int)product, with_cx, with_builtin);
}

int main(void)
{
    /* Without hardware: the generated software. */
    if (cx_soft_register(&mac_soft_cxu) != CX_ERROR_NONE || cx_soft_register(&smac_soft_cxu) != CX_ERROR_NONE) {
        fprintf(stderr, "%s\n", cx_last_error_string());
        return 1;
    }
    show("exclusive, CX", dotp_exclusive_cx);
    show("exclusive, default", dotp_exclusive_legacy);
    show("shared, CX", dotp_shared_cx);
    show("shared, default", dotp_shared_legacy);
    return 0;
}
