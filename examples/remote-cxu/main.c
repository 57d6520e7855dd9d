/* MulAcc with its CXU in another process: the first argument says how to reach a worker. Behind cx_soft_register the program is that of
 * examples/mulacc. See lapis-cx/remote/README.md for what builds it. */
#include "cx.h"
#include "cx_remote_cxu.h"
#include "mulacc.h"
#include <stdio.h>

int main(int argc, char **argv) {
    cxr_cxus *cxus;
    const struct cx_soft_cxu *cxu;
    if (cxr_cxu_connect(argc > 1 ? argv[1] : "", &cxus) != CXR_CXU_OK ||
        cxr_cxu_find(cxus, &mulacc_uuid, CX_XLEN, mulacc_contract, &cxu) != CXR_CXU_OK) {
        fprintf(stderr, "%s\n", cxr_cxu_error());
        return 1;
    }
    cx_soft_register(cxu);
    cx_sel_t sel = cx_open(&mulacc_uuid, cx_open_exclusive);
    if (!cx_sel_is_cx(sel)) {
        fprintf(stderr, "no MulAcc here: %s\n", cx_last_error_string());
        return 1;
    }
    cx_sel_t outer = cx_select(sel);
    printf("%lu\n", (unsigned long)mulacc_mul(3, 4));    /* 12 */
    printf("%lu\n", (unsigned long)mulacc_mulacc(5, 6)); /* 42 */
    cx_select(outer);
    cx_close(sel);
    if (cx_status_read() != 0) fprintf(stderr, "the worker did not do it\n");
    return cx_status_read() != 0;
}
