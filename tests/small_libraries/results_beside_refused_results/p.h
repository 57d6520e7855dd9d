void p_fill(int *to, int value);
void p_fill_too_many(int *count, int *to);
int p_calls(void);
