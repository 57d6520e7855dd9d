#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "links.h"

/* The result of a call is never that of an earlier one. */
static void numbers(void) {
    for (int i = 0; i < 5; i++)
        assert(links_number(100 * i) == 100 * i + 1);
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        links_node a = {1, NULL};
        printf("%d\n", links_long(&a));
        numbers();
        return 0;
    }
    links_node x = {1, NULL}, y = {2, NULL}, z = {3, NULL};
    assert(links_tie(&x, &y) == 0 && x.next == &y && y.next == NULL);
    assert(links_tie(&y, &z) == 0 && y.next == &z);
    numbers();
    links_node *first = &x;
    assert(links_reverse(&first) == 3 && first == &z && z.next == &y && y.next == &x && x.next == NULL);
    numbers();
    assert(links_ring(first) == 3 && x.next == &z && z.next == &y);
    numbers();
    assert(links_circle(&x) == 0 && x.next->id == 7 && x.next->next == x.next);
    puts("linked");
    return 0;
}
