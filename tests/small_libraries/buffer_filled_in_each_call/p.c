#include "p.h"
#include <stdio.h>

char *p_text(int n) {
    static char buffer[32];
    snprintf(buffer, sizeof buffer, "text %d", n);
    return buffer;
}
