typedef struct {
    int n;
    int m;
    int *p;
} p_s;
int p_run(p_s *a, p_s *b);
