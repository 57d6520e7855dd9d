#include <stdlib.h>
#include <string.h>
#include "p.h"

int p_fill(unsigned char to[8], size_t n, size_t step) {
    for (size_t at = 0; at < n; at += step)
        to[at] = 1;
    return (int)n;
}

int p_about(p_Info *infos, size_t n, int which) {
    for (size_t at = 0; at < n; at++) {
        infos[at].version = 2;
        infos[at].note = "a note";
        if (which & 1)
            infos[at].pairs[1].value = 7;
        if (which & 2)
            strcpy(infos[at].name, "x");
        if (which & 4)
            infos[at].rate = 0.5;
    }
    return which;
}

int p_ask(p_Get get, size_t n) {
    unsigned char *to = malloc(n);
    p_Info info;
    memset(to, 3, n);
    memset(&info, 5, sizeof info);
    int sum = get(to, n, &info);
    for (size_t at = 0; at < n; at++)
        sum = sum * 31 % 10007 + to[at];
    sum = sum * 31 % 10007 + info.version * 3 + info.pairs[0].kind * 5 + info.pairs[1].value % 1000 + info.name[39];
    free(to);
    return sum;
}
