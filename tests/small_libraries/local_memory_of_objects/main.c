#include "p.h"
#include <stdio.h>
static int *seen;
static void visit(int *memory, int count, void *user) { seen = memory; printf("visit %d %d\n", count, user == &seen); }
int main(void) {
    int memory[4] = {0}, other[4] = {0};
    p_box *box = p_open();
    for (int round = 0; round < 3; round++) {
        int *now = round == 1 ? other : memory;
        if (round == 2) p_room_async(box, now, 4); else p_room(box, now, 4);
        for (int i = 0; i < 4; i++) now[i] = i * 3; /* as the library stored there */
        printf("copy %d\n", p_copy(box, now, 4));
        printf("%d %d\n", now[0], now[3]);
        printf("change %d\n", p_change(box, now, 4));
        printf("%d %d\n", now[0], now[3]);
        now[1] = 7;
        printf("read %d\n", p_read(box, now, 4));
        printf("part %d\n", p_part(box, now + 2));
        printf("%d %d\n", now[2], now[3]);
        printf("find %d\n", p_find(box) == now + 1);
        printf("get %d %d\n", p_get(box) == now, p_get(box)[2]);
    }
    p_walk(box, visit, &seen);
    p_close(box);
    box = p_open();
    p_room(box, memory, 4);
    printf("copy %d\n", p_copy(box, memory, 3));
    p_close(box);
    return 0;
}
