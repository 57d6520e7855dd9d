#include "p.h"
#include <string.h>

long *p_number(p_item *item) { return &item->number; }

int p_length(const char *text) { return (int)strlen(text); }
