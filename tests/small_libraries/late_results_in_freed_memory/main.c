#include "p.h"
#include <stdio.h>

int main(void)
{
    int wrong = 0;
    for (int how = 0; how < 4; how++) {
        p_object *const object = p_open();
        int *const data = p_data(object);
        p_change(object, data);
        if (how % 2) {
            p_wait();
            wrong += data[0] != 1;
        }
        p_change(object, data);
        if (how / 2) p_close(object);
        else wrong += p_close_now(object) != 3;
        wrong += p_wait() != 1;
    }
    p_object *const object = p_open();
    p_change(object, p_data_for_now(object));
    p_drop(object);
    wrong += p_wait() != 1;
    p_change(object, p_data_for_now(object));
    p_close(object);
    wrong += p_wait() != 1;
    printf("%d wrong\n", wrong);
    return wrong;
}
