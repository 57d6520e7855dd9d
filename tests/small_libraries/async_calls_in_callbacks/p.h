typedef int (*p_Event)(void *user, int n);
void p_set(p_Event event, void *user);
void p_fire(int n);
void p_fire_named(int n, const char *name);
void p_fire_from_thread(int n);
int p_sum(void);
