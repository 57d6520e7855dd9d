typedef struct {
    int key, count, mark, rest[2];
} p_row;
typedef int (*p_visit)(p_row *row, void *user);

int p_fill(p_row *rows, int n);
int p_fill_later(p_row *rows, int n);
int p_wait(void);
int p_add(int by);
int p_each(p_row *own, p_visit visit, void *user);
