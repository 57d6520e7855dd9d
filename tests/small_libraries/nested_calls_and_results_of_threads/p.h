typedef int (*p_event)(int n, void *user);
int p_run(int times, p_event event, void *user);
void p_add_later(int *to, int what);
int p_total(void);
