typedef struct {
    int n;
    char *a;
    char *b;
} p_s;
p_s *p_get(void);
