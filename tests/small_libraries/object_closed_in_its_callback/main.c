#include <stdio.h>
#include "p.h"

static int visit(p_table *table, p_row *row, void *user) {
    int *rounds = user;
    printf("%d %d %s\n", row->count, row->values[row->count - 1], row->name);
    row->values[row->count - 1]++;
    row->name[0]++;
    if (--*rounds > 0)
        return 1;
    p_close(table);
    return -2;
}

int main(void) {
    for (int count = 3; count < 100000; count *= 7)
        for (int first = 1; first < 4; first++) {
            int rounds = first, result = p_each(p_open(count), visit, &rounds);
            printf("%d\n", result);
        }
    return 0;
}
