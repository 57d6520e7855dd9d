#include "p.h"

struct p_part {
    const int *values;
};
struct p_base {
    p_part part;
};
static p_base only;

p_base *p_open(void) { return &only; }
int p_make(p_base *base, p_part **part) {
    *part = &base->part;
    return 0;
}
int p_keep(p_part *part, const int *values, int n) {
    int sum = 0;
    part->values = values;
    for (int i = 0; i < n; i++) sum += values[i];
    return sum;
}
int p_close(p_base *base) {
    (void)base;
    return 0;
}
