typedef int (*p_add)(int value, void *user);
typedef int (*p_once)(int value, void *user);
typedef struct {
    p_add f, g;
    void *user;
} p_pair;
int p_set(p_add f, p_add g, void *user);
int p_set_pair(const p_pair *pair);
int p_set_once(p_once f, void *user);
void p_keep(int at, p_add f, void *user);
int p_run_kept(int at, int value);
int p_run(int value);
int p_run_once(int value);
