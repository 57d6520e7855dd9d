#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "p.h"

static int get(unsigned char *to, size_t n, p_Info *info) {
    to[n / 2] = 9;
    info->version = 4;
    info->note = NULL;
    info->name[0] = 'y';
    return 1;
}

int main(void) {
    for (size_t n = 100; n <= 10000000; n *= 10) {
        unsigned char *to = malloc(n);
        memset(to, 200, n);
        unsigned sum = (unsigned)p_fill(to, n, n / 7);
        for (size_t at = 0; at < n; at++)
            sum = sum * 31 + to[at];
        printf("%zu bytes: %u\n", n, sum);
        free(to);
    }
    for (int which = 0; which < 8; which++) {
        p_Info infos[3];
        memset(infos, 17, sizeof infos);
        int result = p_about(infos, 3, which);
        for (int at = 0; at < 3; at++)
            printf("%d: %d %d %d %d %d %.3s %d %s %a\n", result, infos[at].version, infos[at].pairs[0].kind,
                   infos[at].pairs[0].value, infos[at].pairs[1].kind, infos[at].pairs[1].value, infos[at].name,
                   infos[at].name[39], infos[at].note, infos[at].rate + infos[at].matrix[1][2]);
    }
    printf("callbacks: %d %d\n", p_ask(get, 200), p_ask(get, 5000));
    return 0;
}
