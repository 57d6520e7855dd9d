void p_keep(int *numbers, int count);
int p_sum(const int *numbers, int count);
int p_set(int *numbers, int count);
