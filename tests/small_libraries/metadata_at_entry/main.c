#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "p.h"

static char text[9];

static char *clear(void) { return memset(text, '.', 8); }

static int event(void *user) { return p_reset(user, 1); }

static void show(int result) { printf("%d %s\n", result, text); }

int main(void) {
    p_block *block = p_make(5);
    show(p_cut(block, 3, clear()));
    show(p_cut_valid(block, 4, clear()));
    show(p_call(block, event, block, clear()));
    show(p_read(block, clear()));
    block = p_push(block);
    show(p_read(block, clear()));
    p_reset(block, 4);
    char *released = p_release(block);
    printf("%.4s\n", released);
    free(released);
    p_block *all[] = {p_make(3), p_make(1)};
    p_named named = {all[1], 1};
    p_reset(all[1], 5);
    show(p_cut_named(&named, 2, clear()));
    show(p_cut_named(&named, 7, clear()));
    size_t at = 0;
    show(p_cut_one(all, &at, 1, clear()));
    show(p_remove(all, 2, clear()));
    return 0;
}
