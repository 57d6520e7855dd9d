typedef int (*p_F)(void *user);
int p_run(p_F f, void *user);
void p_throw(int code);
int p_add(int a, int b);
