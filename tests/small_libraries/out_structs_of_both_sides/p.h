typedef struct {
    short a;
    int b;
} p_padded;
typedef struct {
    const char *name;
    long b;
} p_named;
typedef void (*p_see)(void *context, p_padded *all);
p_padded *p_padded_all(void);
p_named *p_named_all(void);
void p_keep(p_padded *all);
int p_fill(p_padded *all, int count, int number);
int p_fill_some(p_padded *all, int room, int count, int number);
int p_fill_named(p_named *all, int room, int count, int number);
int p_run(p_padded *all, p_see see, void *context);
