#include <stdio.h>
#include <stdlib.h>
#include "p.h"

p_set *p_make(int n) {
    p_set *set = malloc(sizeof *set);
    *set = (p_set){n, calloc((size_t)n, sizeof *set->records), calloc((size_t)n, sizeof *set->names)};
    for (int i = 0; i < n; i++) {
        set->records[i].id = i;
        snprintf(set->records[i].name, sizeof set->records[i].name, "%d of %d", i, n);
        set->names[i] = i % 3 ? set->records[i].name : NULL;
    }
    return set;
}
void p_finish(p_set *set) {
    free(set->names);
    free(set->records);
    free(set);
}
