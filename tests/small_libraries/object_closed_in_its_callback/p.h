#pragma once
typedef struct p_table p_table;
typedef struct {
    int count;
    int *values;
    char *name;
} p_row;
typedef int (*p_visit)(p_table *table, p_row *row, void *user);
p_table *p_open(int count);
int p_close(p_table *table);
int p_each(p_table *table, p_visit visit, void *user);
