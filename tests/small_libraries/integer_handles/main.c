#include <stdio.h>
#include "p.h"

static p_fd get(void *user) { return *(p_fd *)user; }

int main(void) {
    p_fd none = p_open(-1), other = p_open_checked(-3), third = 7;
    printf("%d %d\n", none, other);
    printf("%d\n", p_open_to(-4, &third));
    printf("%d\n", third);
    printf("%d %d %d\n", p_use(none), p_use_named(other, "name"), p_close(third));
    p_fd first = p_open(3), second = p_open_checked(4);
    /* The number of the first object is 0. */
    printf("%d\n", first);
    printf("%d %d\n", p_use(first), p_use(second));
    printf("%d %d\n", p_use_named(first, "a"), p_use_named(second, "ab"));
    {
        char label[] = "label";
        printf("%d\n", p_label(first, label));
    }
    printf("%d\n", p_labels(first));
    printf("%d %d %d\n", p_ask(get, &first), p_ask(get, &second), p_ask(get, &none));
    printf("%d %d\n", p_close(first), p_close(second));
    p_mapped *map = p_map(-1), *mapped = p_map(1);
    printf("%d %d %d\n", map == (p_mapped *)-1, p_unmap(map), p_unmap(mapped));
    return 0;
}
