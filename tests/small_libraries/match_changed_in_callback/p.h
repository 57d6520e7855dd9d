typedef struct {
    int kind;
    int n;
    void *data;
} p_s;
typedef int (*p_fn)(p_s *s);
int p_run(p_fn f);
