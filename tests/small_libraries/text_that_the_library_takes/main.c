#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "p.h"

int main(void) {
    p_item *lent = p_open(), own = {0, 0};
    for (int round = 0; round < 3; round++) {
        char name[32];
        snprintf(name, sizeof name, "name of round %d", round);
        printf("%d", p_rename(lent, strdup(name)));
        char *other = strdup("another block of this size");
        printf(" %s %d\n", lent->name, p_length(lent));
        free(other);
        printf("%d", p_rename(&own, strdup(name)));
        printf(" %s %d\n", own.name, p_length(&own));
    }
    return 0;
}
