typedef struct p_table p_table;
typedef struct {
    int count, mark, counts[4];
    char *name;
} p_row;
typedef int (*p_visit)(p_table *table, p_row *row, void *user);
typedef int (*p_step)(int n, void *user);

p_table *p_open(void);
int p_add(p_table *table, int by);
int p_each(p_table *table, p_visit visit, void *user);
int p_work(p_row *row, int *values, int n, p_step step, void *user);
int p_close(p_table *table);
