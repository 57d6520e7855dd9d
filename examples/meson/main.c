/* Mixes three samples: on hardware that has the interface Mixer, or else in software. */
#include "cx.h"
#include "mixer.h"
#include <stdio.h>

int main(void) {
    cx_soft_register(&mixer_soft_cxu); /* without hardware: the generated fallback */
    cx_sel_t sel = cx_open(&mixer_uuid, cx_open_exclusive);
    if (!cx_sel_is_cx(sel)) {
        fprintf(stderr, "no Mixer here: %s\n", cx_last_error_string());
        return 1;
    }
    cx_sel_t outer = cx_select(sel);
    mixer_add(30000);
    mixer_add(-1000);
    printf("mix %d\n", mixer_add(5000)); /* more than a sample can be */
    printf("clipped %u\n", (unsigned)mixer_clips());
    cx_select(outer);
    cx_close(sel);
    return 0;
}
