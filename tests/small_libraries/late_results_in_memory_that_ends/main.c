#include "p.h"
#include <stdio.h>

static int memory[4] = { 1, 2, 3, 4 }, other[4];

static void show(const char *what, int result)
{
    printf("%s %d: %d %d %d %d\n", what, result, memory[0], memory[1], memory[2], memory[3]);
}

int main(void)
{
    for (int round = 0; round < 3; round++) {
        /* The memory is that of an object before, which the library may not have closed yet. */
        for (int how = 0; how < 3; how++) {
            p_object *const object = p_open(memory, 4);
            p_step(object, memory, 4);
            p_close(object);
        }
        show("closed", p_wait());
        p_object *const owner = p_open(memory, 4);
        p_bump(other, 4);
        show("set", p_set(owner, memory, 4));
        for (int n = 0; n < 2; n++) {
            memory[n] = 1000 * round;
            p_step(owner, memory, 4);
            show("step", p_wait());
        }
        p_set_later(owner, other, 4);
        p_step(owner, other, 4);
        p_set_later(owner, memory, 4);
        p_step(owner, memory, 4);
        show("set_later", p_wait());
        printf("%d %d\n", other[0], other[3]);
        p_step(owner, memory, 4);
        int *const data = p_data(owner);
        p_change(owner, data);
        show("close_now", p_close_now(owner));
        p_keep(memory, 4);
        p_end(memory);
        show("keep", p_wait());
        p_keep(memory, 4);
        show("keep", p_end_now(memory));
        for (int how = 0; how < 4; how++) {
            p_object *const object = p_open(memory, 4);
            p_step(object, memory, 4);
            switch (how) {
            case 0:
                p_close(object);
                show("close", p_wait());
                break;
            case 1:
                show("close_now", p_close_now(object));
                break;
            case 2:
                p_reset(object);
                show("reset", p_wait());
                p_close(object);
                break;
            default:
                show("reset_now", p_reset_now(object));
                p_close(object);
            }
        }
        /* The object still keeps the memory that `keep` and `end` name. */
        for (int how = 0; how < 2; how++) {
            p_object *const object = p_open(memory, 4);
            p_keep(memory, 4);
            if (how == 0) p_end(memory);
            else show("end_now", p_end_now(memory));
            p_step(object, memory, 4);
            show("still kept", p_wait());
            p_close(object);
        }
        for (int how = 0; how < 4; how++) {
            p_keep(memory, 4);
            if (how % 2) p_bump(memory, 4);
            else p_bump_kept(memory, 4);
            if (how < 2) {
                p_end(memory);
                show("end", p_wait());
            } else {
                show("end_now", p_end_now(memory));
            }
        }
    }
    return 0;
}
