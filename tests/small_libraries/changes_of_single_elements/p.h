enum { P_VALUES = 10000 };
int *p_borrow(void);
int p_sum(int *values, int n);
int p_reset(void);
int p_sum_changed(int *values, int n);
