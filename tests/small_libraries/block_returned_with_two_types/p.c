#include "p.h"

static p_item item = {1, 2, 0};

p_item *p_get(void) { return &item; }

int *p_numbers(void) { return &item.x; }

int p_sum(p_item *one) { return one->x + one->y; }
