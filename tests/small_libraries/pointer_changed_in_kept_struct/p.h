typedef struct p_row {
    int n, *cells, *first;
} p_row;
typedef struct p_lent {
    int n, *cells;
} p_lent;
typedef int (*p_seen)(p_lent *lent);
void p_keep(p_row *row);
int p_sum(p_row *row);
int p_sum_of_kept(void);
p_lent *p_lent_row(void);
int p_grow(p_seen seen, int n);
