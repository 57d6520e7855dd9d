#include <stdlib.h>
#include "p.h"

struct p_source {
    p_event event;
    void *user;
    int id;
};

int p_run(p_transfer *transfer) {
    transfer->length++;
    transfer->done(transfer);
    return transfer->length;
}
p_source *p_open(p_event event, void *user) {
    static int ids;
    p_source *source = malloc(sizeof *source);
    *source = (p_source){event, user, ++ids};
    return source;
}
int p_each(p_source **all, int n, p_list list, void *user) {
    p_info infos[4];
    for (int i = 0; i < n; i++)
        infos[i] = (p_info){all[i]->id, all[i]->user};
    return list(infos, n, user);
}
int p_close(p_source *source) {
    free(source);
    return 0;
}
