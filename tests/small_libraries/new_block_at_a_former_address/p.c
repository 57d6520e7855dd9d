#include <stdlib.h>
#include <string.h>
#include "p.h"

/* The library's own allocator uses the same memory again. */
static union {
    char text[40];
    p_row row;
} memory;

struct p_box {
    int unused;
};

p_box *p_open(void) { return malloc(sizeof(p_box)); }
void p_close(p_box *box) { free(box); }

char *p_lent(p_box *box) {
    (void)box;
    return strcpy(memory.text, "lent");
}
p_row *p_row_new(int n) {
    memory.row = (p_row){n, "row"};
    return &memory.row;
}
void p_row_free(p_row *row) { row->n = 0; }
