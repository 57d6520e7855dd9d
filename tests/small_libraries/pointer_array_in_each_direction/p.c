#include "p.h"

static const char *names[] = {"zero", "one", "two", "three", 0};
static const char *others[] = {"even", "odd"};

const char **p_names(void) { return names; }
int p_is_read(const char **of) { return of == names; }
int p_is_changed(const char **of) { return of == names; }
int p_rename(const char **of, int at) {
    of[at] = others[at & 1];
    return at;
}
const char *p_name(int at) { return names[at]; }
int p_fill(p_names_t *to) {
    to->names = names;
    to->count = 4;
    return 0;
}
int p_read_all(const p_names_t *all) { return all->names == names; }
int p_change_all(p_names_t *all) {
    all->names[2] = others[1];
    return all->names == names;
}
