void p_fill(int value, int *to);
int p_calls(void);
