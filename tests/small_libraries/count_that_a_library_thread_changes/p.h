typedef struct p_worker p_worker;
typedef struct {
    int count, limit;
    const int *items;
    int sum;
} p_row;
p_worker *p_start(p_row *row, int steps);
int p_look(p_worker *w);
int p_join(p_worker *w);
int p_free(p_worker *w);
