#include <stdlib.h>
#include <string.h>
#include "p.h"

int main(void) {
    char *data = malloc(64), *next = malloc(64);
    strcpy(next, "mine");
    memset(data, 'a', 64);
    int kind = 0;
    int failed = p_get(&kind, data, 64) == -1 && kind == 0 && data[0] == 'a' && strcmp(next, "mine") == 0;
    free(data);
    free(next);
    return !failed;
}
