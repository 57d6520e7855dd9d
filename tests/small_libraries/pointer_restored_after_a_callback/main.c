#include <stdio.h>
#include "p.h"

static void see(void *context, p_item *item) {
    (void)context;
    printf("%d %d %d\n", item->id, item->number ? *item->number : -1, item->me == item);
}

int main(void) {
    static int numbers[2] = {20, 21};
    static p_item own = {2, &numbers[0], 0};
    own.me = &own;
    p_keep(&own, numbers);
    p_item local = {3, &numbers[0], 0}, *items[] = {p_borrow(), &own, &local};
    for (int i = 0; i < 24; i++) {
        p_item *item = items[i % 3];
        int *before = item->number, result = p_run(item, i / 3, see, 0);
        printf("%d: %d %d %d %d\n", i, result, item->id, item->number == before, item->me == item);
        result = p_run(item, 0, see, 0);
        printf("%d\n", result);
        if (i == 11) {
            own.me = 0, local.me = 0;
        }
    }
    return 0;
}
