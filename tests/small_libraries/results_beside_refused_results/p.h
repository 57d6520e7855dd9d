enum { P_COUNT = 50000 };

void p_fill(int *to, int value);
void p_fill_too_many(int *count, int *to);
void p_fill_more(int *first, int *count, int *to);
int p_calls(void);
