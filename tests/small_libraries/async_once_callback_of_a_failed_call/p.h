typedef void (*p_done)(int n, void *user);
int p_keep(p_done done, void *user);
int p_try(p_done done, void *user);
int p_fire(int n);
