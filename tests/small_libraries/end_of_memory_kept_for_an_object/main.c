#include <stdlib.h>
#include "p.h"

int main(void) {
    p_item *item = malloc(sizeof *item);
    p_box *box = p_open();
    item->value = 7;
    p_keep(box, item);
    if (p_release(item) != -1 || p_value(box) != 7)
        return 1;
    if (p_done(item) != -1 || p_value(box) != 7)
        return 2;
    p_item mine = {2};
    p_init(&mine);
    p_keep(box, &mine);
    int is_done = p_done(&mine) == 1 && p_value(box) == 1;
    p_close(box);
    return is_done ? 0 : 3;
}
