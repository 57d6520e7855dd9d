#include "p.h"
#include <stdlib.h>

struct p_box {
    char *text;
};

p_box *p_open(void) { return calloc(1, sizeof(p_box)); }

void p_keep(p_box *box, char *text) { box->text = text; }

char *p_take(p_box *box) { return box->text; }

void p_close(p_box *box) { free(box); }
