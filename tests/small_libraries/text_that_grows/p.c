#include "p.h"
#include <string.h>

static char buffer[1000] = "ab";

const char *p_text(void) { return buffer; }

const char *p_lent(void) {
    static char lent[1000];
    memset(lent, 'x', lent[0] ? sizeof lent - 1 : 1);
    return lent;
}

void p_set(const char *text) { strcpy(buffer, text); }
