/* Opens MulAcc, selects it and issues two commands. See the README for the two lines that build it. */
#include "cx.h"
#include "mulacc.h"
#include <stdio.h>

int main(void) {
    cx_soft_register(&mulacc_soft_cxu);            /* without hardware: the generated fallback */
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
    return 0;
}
