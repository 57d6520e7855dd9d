#include "p.h"

static p_row row = {1, 10, 20, {30, 40}};

int p_fill(p_row *rows, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += rows[i].key + rows[i].count;
        if (i % 2) rows[i].mark = sum;
        else rows[i].rest[1] = sum;
    }
    return sum;
}
int p_fill_later(p_row *rows, int n) { return p_fill(rows, n); }
int p_wait(void) { return 0; }
int p_run(p_task *task, int step) {
    if (step == 0) task->done = 0.5;
    if (step == 1) task->table[1][0] = 9;
    if (step == 2) task->of.number = 77;
    return task->key;
}
int p_keep(p_task *task, int step) {
    task->done = task->table[0][1] = 3;
    return p_run(task, step);
}
int p_try(p_task *task, int step) { return p_run(task, step); }
int p_add(int by) { return row.count += by; }
int p_each(p_row *own, p_visit visit, void *user) {
    int result = visit(&row, user);
    own->rest[0] = result;
    return result + 1000 * row.count + row.mark + row.rest[0] + row.rest[1];
}
