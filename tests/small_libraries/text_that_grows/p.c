#include "p.h"
#include <string.h>

static char buffer[1000] = "ab";

const char *p_text(void) { return buffer; }

void p_set(const char *text) { strcpy(buffer, text); }
