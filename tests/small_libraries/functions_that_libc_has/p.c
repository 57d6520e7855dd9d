#include "p.h"

static unsigned long state;

void p_seed(int seed) { state = (unsigned long)seed; }

long random(void) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (long)(state >> 33);
}

int p_roll(int sides) { return (int)(random() % sides) + 1; }
