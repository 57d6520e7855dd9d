void p_keep(int *numbers, int count);
int p_raise(int *number);
int p_look(const int *number);
int *p_numbers(void);
int p_raise_all(void);
