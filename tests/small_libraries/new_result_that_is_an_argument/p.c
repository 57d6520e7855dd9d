#include "p.h"
#include <string.h>

char *p_trim(char *text) { return *text == ' ' ? strdup(text + 1) : text; }
