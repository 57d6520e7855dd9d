#include <stdlib.h>
#include <string.h>
#include "p.h"

struct p_table {
    p_row row;
};

p_table *p_open(void) { return calloc(1, sizeof(p_table)); }
p_row *p_get(p_table *table) { return &table->row; }

void p_close(p_table *table) {
    while (table->row.links)
        p_unlink(table, &table->row);
    free(table->row.values);
    free(table->row.name);
    free(table);
}

int p_each(p_table *table, p_row *row, p_visit visit, void *user) {
    int sum = 0;
    for (int round = 0; round < 24; round++)
        sum = 3 * sum % 1000003 + visit(table, row, round, user);
    return sum;
}

int p_push(p_table *table, p_row *row, int value) {
    (void)table;
    int *values = malloc((row->count + 1) * sizeof *values);
    if (row->count)
        memcpy(values, row->values, row->count * sizeof *values);
    free(row->values);
    row->values = values;
    values[row->count++] = value;
    return row->count;
}

int p_link_in(p_table *table, p_row *row, int value) {
    (void)table;
    p_link *link = malloc(sizeof *link);
    *link = (p_link){value, row->links};
    row->links = link;
    return value;
}

int p_unlink(p_table *table, p_row *row) {
    (void)table;
    p_link *link = row->links;
    if (!link)
        return -1;
    int value = link->value;
    row->links = link->next;
    free(link);
    return value;
}

int p_rename(p_table *table, p_row *row, const char *name) {
    (void)table;
    free(row->name);
    row->name = name ? strdup(name) : NULL;
    return name ? (int)strlen(name) : 0;
}
