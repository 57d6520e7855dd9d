typedef struct {
    int before, after;
    char *name;
} p_pair;
typedef int (*p_step)(int n, void *user);

int p_watch(p_step step, void *user);
int p_run(p_pair *pair);
int p_sum(int *all, int n);
