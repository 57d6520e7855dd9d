typedef struct p_object p_object;
typedef int (*p_get)(void *user);
typedef struct {
    const char *name;
    const int *values;
    int n;
    p_get get;
    void *user;
} p_config;
int p_start(const p_config *config, p_object **h);
int p_total(p_object *h);
void p_end(p_object *h);
