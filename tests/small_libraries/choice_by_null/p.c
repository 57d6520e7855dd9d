#include <stdio.h>
#include <stdlib.h>
#include "p.h"

char *p_text(char *buffer, int value) {
    if (!buffer)
        buffer = malloc(16);
    snprintf(buffer, 16, "value %d", value);
    return buffer;
}
void p_release(char *text) { free(text); }
