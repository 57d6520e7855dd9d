#include "p.h"
#include <stdlib.h>
#include <string.h>

static const char *names[2] = {"first", "second"};

const char **p_names(void) { return names; }
int p_swap(void **pair) {
    void *first = pair[0];
    pair[0] = pair[1];
    pair[1] = first;
    return 1;
}
int p_sum(const long *numbers) { return numbers[0] > numbers[1]; }
long p_line(char **line, size_t *size, int length) {
    size_t needed = (size_t)length + 1;
    if (!*line || *size < needed) {
        *line = realloc(*line, needed);
        *size = needed;
    }
    memset(*line, 'x', needed - 1);
    (*line)[needed - 1] = 0;
    return length;
}
