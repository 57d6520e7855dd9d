int p_keep(int *memory, int n);
int p_keep_and_add(int *memory, int n, int *to);
int p_add_later(int *to);
int p_end_later(int *memory);
int p_bump(int *memory, int n);
