#include <stdlib.h>
#include <string.h>
#include "p.h"

struct p_table {
    p_row *row;
};

p_table *p_open(int count) {
    p_table *table = calloc(1, sizeof *table);
    table->row = calloc(1, sizeof *table->row);
    *table->row = (p_row){count, calloc((size_t)count, sizeof(int)), strdup("a name")};
    return table;
}

int p_close(p_table *table) {
    free(table->row->values);
    free(table->row->name);
    free(table->row);
    free(table);
    return 0;
}

/* Stops when the function returns a negative number: it has closed the table then. */
int p_each(p_table *table, p_visit visit, void *user) {
    int result = 0;
    for (int i = 0; result >= 0 && i < 3; i++)
        result = visit(table, table->row, user);
    return result;
}
