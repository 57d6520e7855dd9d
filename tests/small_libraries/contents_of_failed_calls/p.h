int p_keep(int *memory, int n);
int p_keep_out(int *memory, int n);
int p_fill(int *memory, int n, int result);
int p_change(int *memory, int n, int result);
int p_fill_on(int *memory, int n, int is_sent);
int p_sum(const int *memory, int n);
int p_kept_sum(void);
void p_end(int *memory);
