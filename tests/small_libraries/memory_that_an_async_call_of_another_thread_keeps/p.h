int p_slow(void);
int p_keep(int *memory, int n);
int p_keep_now(int *memory, int n);
int p_change(int *memory, int n);
int p_read(int *memory, int n);
int p_end(int *memory);
