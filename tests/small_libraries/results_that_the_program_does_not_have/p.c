#include "p.h"
#include <string.h>

static void *last;
static char dot[] = ".";

int p_call(p_add add, void *user) {
    last = user;
    return add(3, user);
}

void *p_last(void) { return last; }

char *p_base(char *path) {
    char *slash = strrchr(path, '/');
    return slash ? slash + 1 : *path ? path : dot;
}

int p_next(char **text) {
    *text = dot;
    return 1;
}
