typedef struct p_object p_object;
typedef void (*p_event)(int n, void *user);
p_object *p_keep(int *values, int n);
int p_fill(p_object *o, p_event event, void *user);
int p_double(p_object *o, p_event event, void *user);
void p_free(p_object *o);
