#include "p.h"
#include <stdlib.h>

static void *kept;

int p_keep_pairs(p_pair *pairs, int n)
{
    kept = pairs;
    for (int i = 0; i < n; i++) pairs[i] = (p_pair){ 50, 60 };
    return n;
}

int p_use_pairs(p_pair *pairs, int n) { return 1000 * (pairs == kept) + pairs[0].a + pairs[n - 1].b; }

int p_keep_notes(p_note *notes, int n)
{
    kept = notes;
    return n;
}

int p_use_notes(p_note *notes, int n)
{
    return 1000 * (notes == kept) + notes[0].c + notes[n - 1].n + (notes[1].text ? notes[1].text[1] : 0);
}

int p_choose(p_choice *choice, int after, const int *in, int *out)
{
    choice->kind = 7;
    choice->data = 0;
    out[0] = in[0];
    out[1] = in[1];
    return after;
}

int p_rows(int **rows, int *x)
{
    rows[0] = rows[1] = x;
    x[0] = 4;
    x[1] = 5;
    return 3;
}

p_box *p_open(void) { return calloc(1, sizeof(p_box)); }
int p_use(p_box *box) { return ++box->x; }
void p_close(p_box *box) { free(box); }
void p_end(void *memory) { kept = memory == kept ? 0 : kept; }
