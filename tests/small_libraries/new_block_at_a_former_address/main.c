#include <stdio.h>
#include "p.h"

int main(void) {
    for (int n = 0; n < 3; n++) {
        p_box *box = p_open();
        printf("%s\n", p_lent(box));
        p_close(box);
        p_row *row = p_row_new(n);
        printf("%d %s\n", row->n, row->text);
        p_row_free(row);
    }
    return 0;
}
