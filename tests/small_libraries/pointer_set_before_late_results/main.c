#include <stdio.h>
#include "p.h"

static p_job first, second = {4, NULL, 3};

int main(void) {
    for (int n = 0; n < 4; n++) {
        p_submit(&first);
        first.next = n % 2 ? NULL : &second;
        first.mark = n;
        p_wait();
        printf("%d %d %d", first.status, first.next == &second, first.mark);
        printf(" %d\n", p_sum(&first));
    }
    return 0;
}
