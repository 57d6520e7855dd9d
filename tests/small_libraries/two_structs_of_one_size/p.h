typedef struct {
    const char *p;
    long n;
} p_a;
typedef struct {
    long n;
    const char *p;
} p_b;
int p_run(const p_a *a, const p_b *b);
