typedef struct {
    int n;
    int *cells;
} p_s;
p_s *p_get(void);
int p_bump(p_s *s);
int p_peek(void);
