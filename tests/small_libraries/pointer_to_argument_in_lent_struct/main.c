#include <assert.h>
#include <stddef.h>
#include "p.h"

/* Natively the library keeps the pointers; the worker would have the memory for a call only. */
int main(void) {
    static int mine[4] = {10, 20, 30, 40}, other[4];
    p_lent *lent = p_lent_row();
    int *before = lent->data;
    lent->data = mine;
    int applied = p_apply(mine, 4, lent);
    lent->data = before;
    lent->at = mine + 3;
    int placed = p_apply(mine, 4, lent);
    assert((applied == -1 && placed == -1) || (applied == 1 && placed == 1));
    lent->at = NULL;
    assert(p_apply(other, 4, lent) == 0);
    assert(p_sum() == 10);
    return 0;
}
