int p_fill(int n, int mode, int *to);
int p_reset(int n);
int p_check(int n, int *to);
int p_last(void);
