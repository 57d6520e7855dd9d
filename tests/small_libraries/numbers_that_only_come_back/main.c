#include <stdio.h>
#include "p.h"

static p_row rows[3] = {{1, 2, 3, {4, 5}}, {6, 7, 8, {9, 10}}, {11, 12, 13, {14, 15}}};

static void show(int result) {
    printf("%d:", result);
    for (int n = 0; n < 3; n++) printf(" %d %d %d %d;", rows[n].count, rows[n].mark, rows[n].rest[0], rows[n].rest[1]);
    printf("\n");
}

static int look(p_row *row, void *user) {
    (void)user;
    return row->key;
}

static int visit(p_row *row, void *user) {
    (void)user;
    p_add(5);
    row->mark++;
    rows[0].count = 50;
    rows[0].mark = 51;
    return row->key;
}

int main(void) {
    show(p_fill(rows, 3));
    p_fill_later(rows, 3);
    show(p_wait());
    show(p_each(&rows[0], look, NULL));
    show(p_each(&rows[0], visit, NULL));
    return 0;
}
