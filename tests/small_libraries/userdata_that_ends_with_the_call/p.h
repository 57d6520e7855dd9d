typedef int (*p_event)(int n, void *user);
typedef struct p_box p_box;
p_box *p_open(void);
int p_close(p_box *box, void **user);
int p_set(p_box *box, p_event event, void *user);
int p_fire(p_box *box, int n);
int p_unset(p_box *box, void **user);
int p_replace(p_box *box, p_event event, void *user, void **before);
void *p_take(p_box *box);
