#include <stdlib.h>
#include <string.h>
#include "p.h"

int main(void) {
    char *data = malloc(64), *next = malloc(64);
    strcpy(next, "mine");
    memset(data, 'a', 64);
    p_s s = {0, 64, data};
    int failed = p_change(&s) == -1 && s.kind == 0 && data[0] == 'a' && strcmp(next, "mine") == 0;
    free(data);
    free(next);
    return !failed;
}
