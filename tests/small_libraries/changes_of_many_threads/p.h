typedef struct p_counters p_counters;
typedef struct { int plain, locked, rest[254]; } p_row;
p_counters *p_open(p_row *row);
int p_count(p_counters *c, int at);
p_row *p_borrow(void);
int p_touch(p_row *row);
int p_get(int at);
void p_close(p_counters *c);
