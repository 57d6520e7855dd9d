typedef struct p_base p_base;
typedef struct p_part p_part;

p_base *p_open(void);
int p_make(p_base *base, p_part **part);
int p_keep(p_part *part, const int *values, int n);
int p_close(p_base *base);
