#include <stdio.h>
#include <string.h>
#include "p.h"

int main(void) {
    static const int sizes[] = {1, 12, 144, 1728, 100, 2000, 7, 900, 10, 300, 20, 3};
    for (size_t round = 0; round < sizeof sizes / sizeof *sizes; round++) {
        p_set *set = p_make(sizes[round]);
        int right = 0;
        for (int i = 0; i < set->n; i++) {
            char name[32];
            snprintf(name, sizeof name, "%d of %d", i, sizes[round]);
            right += i % 3 ? set->names[i] && !strcmp(set->names[i], name) : !set->names[i];
        }
        printf("%d: %d\n", sizes[round], right);
        p_finish(set);
    }
    return 0;
}
