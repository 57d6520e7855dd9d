typedef struct {
    int **rows;
} p_table;
int **p_rows(void);
p_table *p_open(void);
int p_sum(int **rows);
int p_total(p_table *table);
