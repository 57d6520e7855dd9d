#include <string.h>
#include "p.h"

static int is_open[8];
static const char *label;

/* The smallest number that is free. */
p_fd p_open(int which) {
    if (which < 0)
        return which;
    for (int n = 0; n < 8; n++)
        if (!is_open[n]) {
            is_open[n] = which + 1;
            return n;
        }
    return -1;
}
p_fd p_open_checked(int which) { return p_open(which); }
int p_open_to(int which, p_fd *fd) {
    *fd = p_open(which);
    return *fd < 0 ? -2 : 0;
}
int p_use(p_fd fd) { return fd >= 0 ? is_open[fd] : fd; }
int p_use_named(p_fd fd, const char *name) { return fd >= 0 ? is_open[fd] + (int)strlen(name) : fd; }
int p_close(p_fd fd) {
    if (fd < 0)
        return fd;
    is_open[fd] = 0;
    return 0;
}
int p_label(p_fd fd, const char *text) {
    label = text;
    return is_open[fd];
}
int p_labels(p_fd fd) { return is_open[fd] + (int)strlen(label); }

p_mapped *p_map(int which) { return which < 0 ? (p_mapped *)-1 : (p_mapped *)&is_open[which]; }
int p_unmap(p_mapped *map) { return map == (p_mapped *)-1 ? -1 : 0; }

int p_ask(p_Get get, void *user) {
    p_fd fd = get(user);
    return fd < 0 ? fd : is_open[fd];
}
