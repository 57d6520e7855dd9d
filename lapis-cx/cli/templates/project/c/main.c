/* Adds two numbers and prints their mean: on hardware that has the interface Starter, or else in software. */
#include "cx.h"
#include "starter.h"
#include <stdio.h>

int main(void) {
    cx_soft_register(&starter_soft_cxu); /* without hardware: the generated fallback */
    cx_sel_t sel = cx_open(&starter_uuid, cx_open_exclusive);
    if (!cx_sel_is_cx(sel)) {
        fprintf(stderr, "no Starter here: %s\n", cx_last_error_string());
        return 1;
    }
    cx_sel_t outer = cx_select(sel);
    starter_add(2);
    starter_add(6);
    printf("mean %u\n", (unsigned)starter_mean());
    cx_select(outer);
    cx_close(sel);
    return 0;
}
