typedef struct {
    int key, count, mark, rest[2];
} p_row;
typedef union {
    int number;
    double fraction;
} p_of;
typedef struct {
    int key;
    double done;
    short table[2][2];
    p_of of;
} p_task;
typedef int (*p_visit)(p_row *row, void *user);

int p_fill(p_row *rows, int n);
int p_fill_later(p_row *rows, int n);
int p_wait(void);
int p_keep(p_task *task, int step);
int p_run(p_task *task, int step);
int p_try(p_task *task, int step);
int p_add(int by);
int p_each(p_row *own, p_visit visit, void *user);
