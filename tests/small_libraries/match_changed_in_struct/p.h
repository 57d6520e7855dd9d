typedef struct {
    int kind;
    int n;
    void *data;
} p_s;
int p_change(p_s *s);
