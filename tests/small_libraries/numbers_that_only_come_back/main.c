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
    for (int key = 1; key <= 2; key++) {
        p_task task = {key, 2.5, {{1, 2}, {3, 4}}, {.fraction = 8.25}};
        if (key == 1) task.of.number = 6;
        for (int step = 0; step < 6; step++) {
            printf("%d", step < 3 ? p_run(&task, key == 2 && step == 2 ? 5 : step) : p_try(&task, key == 2 ? 5 : 5 - step));
            printf(" %g %d %d %d %d ", task.done, task.table[0][0], task.table[0][1], task.table[1][0], task.table[1][1]);
            if (key == 1) printf("%d\n", task.of.number);
            else printf("%g\n", task.of.fraction);
            task.done += 1;
        }
    }
    static p_task kept = {3, 0, {{1, 2}, {3, 4}}, {.fraction = 0.5}};
    for (int n = 0; n < 4; n++) {
        kept.done = kept.table[0][1] = 0;
        kept.table[1][1]++;
        printf("%d", p_keep(&kept, n));
        printf(" %g %d %d %d %g\n", kept.done, kept.table[0][1], kept.table[1][0], kept.table[1][1], kept.of.fraction);
    }
    return 0;
}
