#include "p.h"
#include <stdlib.h>

struct p_box {
    p_item *item;
};

p_box *p_open(void) { return calloc(1, sizeof(p_box)); }

void p_keep(p_box *box, p_item *item) { box->item = item; }

int p_value(p_box *box) { return box->item->value; }

void p_init(p_item *item) { item->value = 1; }

int p_done(p_item *item) { return item->value; }

int p_release(void *block) {
    free(block);
    return 0;
}

void p_close(p_box *box) { free(box); }
