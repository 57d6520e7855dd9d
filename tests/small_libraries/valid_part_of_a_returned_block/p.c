#include "p.h"

static char data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static p_s s = {2, data, data};

p_s *p_get(void) { return &s; }
