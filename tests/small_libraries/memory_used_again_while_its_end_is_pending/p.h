typedef int *(*p_get)(void *user);
int p_keep(int *memory, int n);
int p_run(p_get get, void *user);
int p_slow(void);
int p_end(int *memory);
int p_bump(int *memory, int n);
