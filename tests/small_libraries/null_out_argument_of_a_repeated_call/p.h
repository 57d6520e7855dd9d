int p_later(int *data, int n);
int p_fill(long *count, int *data, int *more, int n);
