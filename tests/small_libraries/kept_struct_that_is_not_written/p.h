typedef struct p_H p_H;
typedef struct p_S { int n; int flag; const char *note; } p_S;
p_H *p_open(void);
int p_close(p_H *h);
int p_attach(p_H *h, p_S *s);
int p_bump(p_H *h, p_S *s);
int p_fill(p_H *h, p_S *s);
int p_flag(p_H *h);
