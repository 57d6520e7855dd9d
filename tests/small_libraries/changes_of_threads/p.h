typedef struct p_counters p_counters;
typedef struct {
    int plain, locked, *own;
} p_row;
p_counters *p_open(int *number, p_row *row);
int p_count(p_counters *c);
int p_count_only(p_counters *c);
int *p_borrow(void);
int p_count_borrowed(int *lent);
void p_close(p_counters *c);
