#include <stdio.h>
#include "p.h"

static p_row row;
static int values[6];

static int visit(p_table *table, p_row *of, void *user) {
    int *by = user;
    printf("visit %d %s\n", of->count, of->name);
    if (*by != 2) of->mark += 5;
    printf("add %d\n", p_add(table, (*by)++));
    return 1;
}

static int step(int n, void *user) {
    (void)user;
    row.count += n;
    row.name = "of the callback";
    values[n + 1] = 10 * n;
    return n;
}

static void show(const char *what, int result) {
    printf("%s %d: %d %d %s;", what, result, row.count, row.mark, row.name ? row.name : "none");
    for (int n = 0; n < 6; n++) printf(" %d", values[n]);
    printf("\n");
}

int main(void) {
    p_table *table = p_open();
    int by = 1;
    printf("%d\n", p_each(table, visit, &by));
    printf("add %d\n", p_add(table, 1));
    p_close(table);
    for (int n = 0; n < 3; n++) show("work", p_work(&row, values, 6, step, NULL));
    return 0;
}
