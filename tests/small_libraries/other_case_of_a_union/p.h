typedef struct {
    int x, y;
} p_point;
typedef struct {
    const char *text;
    int size;
} p_label;
typedef union {
    long number;
    const char *text;
    p_label label;
    p_point *point;
} p_any;
typedef struct {
    int kind;
    p_any any;
    p_point place;
} p_value;
typedef struct {
    p_any any;
} p_inner;
typedef struct {
    int kind;
    p_inner inner;
} p_outer;
typedef int (*p_see)(void *context, p_value *value);
p_value *p_borrowed(void);
void p_keep(p_value *value);
int p_sum(p_value *value);
int p_set(p_value *value, int kind, int number);
int p_run(p_value *value, int kind, int number, p_see see, void *context);
p_outer *p_borrowed_outer(void);
long p_set_outer(p_outer *outer, int kind, long number);
long p_read_outer(p_outer *outer);
