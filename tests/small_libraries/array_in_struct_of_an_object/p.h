typedef struct {
    int values[4];
    char name[8];
} p_board;

p_board *p_open(void);
int p_step(p_board *board, int at);
int p_step_later(p_board *board, int at);
int p_step_last(int at);
int p_close(p_board *board);
