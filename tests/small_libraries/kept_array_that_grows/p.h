void p_keep(int at, const int *numbers, int count);
int p_sum(int at);
