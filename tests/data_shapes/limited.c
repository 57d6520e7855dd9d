#include "shapes.h"
#include <stdio.h>
#include <stdlib.h>

/* Lists that are too long for the limit of a call, and short ones. */
int main(void)
{
    const size_t count = 200000;
    shapes_node *nodes = calloc(count, sizeof *nodes), one = {1, NULL, NULL};
    for (size_t n = 0; n + 1 < count; n++)
        nodes[n].next = &nodes[n + 1];
    for (int round = 0; round < 3; round++)
        printf("%ld %ld\n", shapes_sum(nodes), shapes_sum(&one));
    free(nodes);
    return 0;
}
