#include "p.h"

static p_padded padded[4];
static p_named named[4];

p_padded *p_padded_all(void) { return padded; }
p_named *p_named_all(void) { return named; }
void p_keep(p_padded *all) { (void)all; }
int p_fill(p_padded *all, int count, int number) {
    for (int i = 0; i < count; i++) {
        all[i].b = number;
    }
    return count;
}
int p_fill_some(p_padded *all, int room, int count, int number) {
    for (int i = 0; i < count && i < room; i++) {
        all[i].a = 1, all[i].b = number;
    }
    return count;
}
int p_fill_named(p_named *all, int room, int count, int number) {
    for (int i = 0; i < count && i < room; i++) {
        all[i].name = number ? "named" : 0, all[i].b = number;
    }
    return count;
}
int p_run(p_padded *all, p_see see, void *context) {
    all[1].b = 7;
    see(context, all);
    return all[1].b;
}
