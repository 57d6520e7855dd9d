#include <stdio.h>
#include <string.h>
#include "p.h"

enum { OBJECTS = 4, VALUES = 5000 };
static int values[OBJECTS][VALUES], bases[OBJECTS];
static char names[OBJECTS][300];

static int get(void *user) { return *(int *)user; }

int main(void) {
    p_object *all[OBJECTS];
    for (int i = 0; i < OBJECTS; i++) {
        for (int k = 0; k < VALUES; k++)
            values[i][k] = k % (i + 2);
        memset(names[i], 'a' + i, 200 + (size_t)i);
        bases[i] = 7 * i;
        p_config config = {i == 2 ? NULL : names[i], values[i], i % 2 ? VALUES : 10, get, &bases[i]};
        printf("%d\n", p_start(&config, &all[i]));
    }
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < OBJECTS; i++)
            printf("%d\n", p_total(all[i]));
    for (int i = 0; i < OBJECTS; i++)
        p_end(all[i]);
    return 0;
}
