typedef union {
    int i;
    double d;
    int all[3];
} p_value;
typedef struct {
    int kind;
    p_value value;
} p_tagged;
typedef struct {
    int count;
    int all[8];
    const char *name;
} p_list;
void p_keep(p_tagged *tagged);
int p_set(p_tagged *tagged, int kind, int number);
typedef void (*p_see)(void *context, p_tagged *tagged);
int p_run(p_tagged *tagged, int kind, int number, p_see see, void *context);
p_tagged *p_borrowed(void);
int p_borrowed_is(const p_tagged *tagged, int number);
void p_keep_list(p_list *list);
int p_put(p_list *list, int count, int at, int number);
p_list *p_borrowed_list(void);
int p_sum(const p_list *list);
