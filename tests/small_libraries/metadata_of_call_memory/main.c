#include "p.h"

int main(void) {
    p_s s = {0};
    unsigned char bytes[] = {1, 2, 3, 4};
    if (p_note(&s, 4) != -1 || p_made(4))
        return 1;
    /* The struct has no metadata, so no bytes are sent. */
    return p_sum(&s, bytes);
}
