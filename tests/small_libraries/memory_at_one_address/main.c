#include "p.h"
#include <stdio.h>

static void write(int *numbers, int count) {
    int same = p_fill(numbers, count, 7);
    printf("fill %d, %d %d, %d\n", same, numbers[0], numbers[count - 1], p_sum());
    same = p_add(numbers, count);
    printf("add %d, %d %d, %d\n", same, numbers[0], numbers[count - 1], p_sum());
}

static void run(int *numbers, int count, int how) {
    if (how == 0)
        p_pass(numbers, count);
    else if (how == 1)
        p_store(numbers, count);
    else
        p_choose(0, numbers, count);
    write(numbers, count);
    p_end(numbers);
    int same = p_fill(numbers, count, 3);
    printf("ended: fill %d, %d %d, %d\n", same, numbers[0], numbers[count - 1], p_sum());
}

int main(void) {
    static int numbers[2000], others[2][30];
    for (int count = 4; count <= 2000; count += 1996)
        for (int how = 0; how < 3; how++)
            run(numbers, count, how);
    p_choose(0, NULL, 5);
    printf("scratch %d %d\n", p_scratch(NULL, 5), p_scratch(numbers, 5));
    p_choose(1, numbers, 5);
    p_stored stored = {others[0], 30};
    p_store_in(&stored);
    write(others[0], 30);
    stored.memory = others[1];
    p_store_back(&stored);
    printf("back %d\n", stored.memory == others[1]);
    write(others[1], 30);
    return 0;
}
