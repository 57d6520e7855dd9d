/* The commands as plain functions: a test needs neither hardware nor the runtime. */
#include "mixer.h"
#include <stdio.h>

int main(void) {
    mixer_state state;
    mixer_state_init(&state);
    mixer_sw_add(&state, 30000);
    int mix = mixer_sw_add(&state, 5000);
    unsigned clips = (unsigned)mixer_sw_clips(&state);
    if (mix != 32767 || clips != 1) {
        fprintf(stderr, "mix %d, clipped %u\n", mix, clips);
        return 1;
    }
    return 0;
}
