typedef struct p_worker p_worker;
typedef struct {
    int ticks;
    char name[7];
    int limit;
} p_clock;
p_worker *p_start(p_clock *clock, int n);
int p_look(p_worker *w);
int *p_borrow(p_worker *w);
int p_read(int *lent);
int p_join(p_worker *w);
int p_free(p_worker *w);
