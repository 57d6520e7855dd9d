#include <stdio.h>
#include "p.h"

static void show(const p_row *row) {
    printf("%s:", row->name ? row->name : "-");
    for (int i = 0; i < row->count; i++)
        printf(" %d", row->values[i]);
    printf(" |");
    for (const p_link *link = row->links; link; link = link->next)
        printf(" %d", link->value);
    printf("\n");
}

static int visit(p_table *table, p_row *row, int round, void *user) {
    /* The copies of "c" and "dd" may get the same address. */
    static const char *const names[] = {"a", "a longer text than before", NULL, "c", "dd"};
    (void)user;
    int result = p_rename(table, row, names[round % 5]);
    if (round % 3 == 0)
        result += p_push(table, row, round);
    if (round % 2 == 0)
        result += p_link_in(table, row, round);
    if (round % 8 == 5)
        result += p_unlink(table, row) + p_unlink(table, row);
    show(row);
    return result;
}

int main(void) {
    p_table *table = p_open();
    p_row *row = p_get(table);
    for (int i = 0; i < 20; i++)
        printf("%d ", i % 3 == 2 ? p_unlink(table, row) : i % 3 ? p_link_in(table, row, i) : p_push(table, row, i));
    for (int i = 0; i < 2; i++) {
        printf("%d\n", p_each(table, row, visit, NULL));
        show(row);
    }
    p_close(table);
    return 0;
}
