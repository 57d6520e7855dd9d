#pragma once
typedef struct p_table p_table;
typedef struct p_link {
    int value;
    struct p_link *next;
} p_link;
typedef struct p_row {
    int count;
    int *values;
    char *name;
    p_link *links;
} p_row;
typedef int (*p_visit)(p_table *table, p_row *row, int round, void *user);
p_table *p_open(void);
void p_close(p_table *table);
p_row *p_get(p_table *table);
int p_each(p_table *table, p_row *row, p_visit visit, void *user);
int p_push(p_table *table, p_row *row, int value);
int p_link_in(p_table *table, p_row *row, int value);
int p_unlink(p_table *table, p_row *row);
int p_rename(p_table *table, p_row *row, const char *name);
