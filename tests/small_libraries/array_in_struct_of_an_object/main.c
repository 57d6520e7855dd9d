#include <stdio.h>
#include "p.h"

static void show(const p_board *board, int result) {
    printf("%d:", result);
    for (int n = 0; n < 4; n++) printf(" %d", board->values[n]);
    printf(" %s\n", board->name);
}

int main(void) {
    p_board *board = p_open();
    show(board, p_step(board, 3));
    p_step_later(board, 3);
    board->values[0] = 500;
    board->name[5] = 'x';
    show(board, p_step(board, 1));
    p_step_last(2);
    board->values[0] = 600;
    board->name[6] = 'y';
    show(board, p_step(board, 1));
    printf("%d\n", p_close(board));
    return 0;
}
