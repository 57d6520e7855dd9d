#include "p.h"
#include <stdlib.h>

struct p_table {
    p_row row;
};

p_table *p_open(void) {
    p_table *table = calloc(1, sizeof *table);
    table->row.name = "first";
    return table;
}
int p_add(p_table *table, int by) {
    table->row.counts[by % 4]++;
    table->row.name = by % 2 ? "odd" : "even";
    return table->row.count += by;
}
int p_each(p_table *table, p_visit visit, void *user) {
    int sum = 0;
    for (int n = 0; n < 3; n++) sum = 100 * (sum + visit(table, &table->row, user)) + table->row.count + table->row.mark;
    return sum;
}
int p_work(p_row *row, int *values, int n, p_step step, void *user) {
    int sum = 0;
    for (int i = 0; i < n; i += 2) {
        values[i] += i;
        sum += step(i, user);
    }
    row->mark++;
    return sum;
}
int p_close(p_table *table) {
    free(table);
    return 0;
}
