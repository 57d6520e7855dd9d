typedef int (*p_row)(const double (*row)[2], int number, void *user);
int p_scale(int m[][3], int n, int by);
long p_trace(const long (*m)[2][2], int n);
void p_fill(short (*m)[4], int n);
int p_each(const double rows[][2], int n, p_row row, void *user);
