#include "p.h"
#include <stdlib.h>

struct p_queue {
    struct {
        int id;
        p_done done;
        void *user;
    } kept[16];
    int count;
};

p_queue *p_open(void) { return calloc(1, sizeof(p_queue)); }
int p_submit(p_queue *q, int id, p_done done, void *user) {
    if (id < 0 || q->count == 16) return -5;
    q->kept[q->count].id = id;
    q->kept[q->count].done = done;
    q->kept[q->count].user = user;
    return ++q->count;
}
int p_submit_async(p_queue *q, int id, p_done done, void *user) { return p_submit(q, id, done, user); }
int p_submit_static(p_queue *q, int id, p_done done, void *user) { return p_submit(q, id, done, user); }
int p_submit_manual(p_queue *q, int id, p_done done, void *user) { return p_submit(q, id, done, user); }
int p_submit_with_result(p_queue *q, int id, p_done done, void *user, int *count) {
    return *count = p_submit(q, id, done, user);
}
int p_submit_now(p_queue *q, int id, p_done done, void *user) {
    (void)q;
    done(id, user);
    return 0;
}
int p_submit_once(p_queue *q, int id, p_once done, p_once failed, void *user) {
    (void)failed;
    return p_submit(q, id, done, user);
}
int p_poll(p_queue *q) {
    int count = q->count;
    for (int n = 0; n < count; n++) q->kept[n].done(q->kept[n].id, q->kept[n].user);
    q->count = 0;
    return count;
}
int p_close(p_queue *q) {
    free(q);
    return 0;
}
