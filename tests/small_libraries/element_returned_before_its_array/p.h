typedef struct { int id; int x; } p_e;
p_e *p_all(void); p_e *p_at(int i); int p_sum(const p_e *e, int n); void p_set(p_e *e, int x); void p_inc(void);
