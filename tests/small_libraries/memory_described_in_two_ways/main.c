#include <stdlib.h>
#include <string.h>
#include "p.h"

int main(void) {
    const char **names = p_names();
    if (p_swap((void **)names) != -9 || strcmp(names[0], "first") || p_sum((const long *)names) != -9) {
        return 1;
    }
    char *line = NULL;
    size_t size = 0;
    if (p_line(&line, &size, 3) != 3 || strcmp(line, "xxx") || size != 4) {
        return 2;
    }
    if (p_line(&line, &size, 9) != -9 || strcmp(line, "xxx")) {
        return 3;
    }
    free(line);
    line = NULL;
    return p_line(&line, &size, 5) == 5 && strcmp(line, "xxxxx") == 0 ? 0 : 4;
}
