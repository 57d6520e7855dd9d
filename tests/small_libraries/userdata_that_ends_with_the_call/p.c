#include <stdlib.h>
#include "p.h"

struct p_box {
    p_event event;
    void *user;
};

p_box *p_open(void) { return calloc(1, sizeof(p_box)); }
int p_close(p_box *box, void **user) {
    *user = p_take(box);
    free(box);
    return 0;
}
int p_set(p_box *box, p_event event, void *user) {
    box->event = event;
    box->user = user;
    return 0;
}
int p_fire(p_box *box, int n) { return box->event ? box->event(n, box->user) : -3; }
int p_unset(p_box *box, void **user) {
    *user = p_take(box);
    return 0;
}
int p_replace(p_box *box, p_event event, void *user, void **before) {
    *before = box->user;
    return p_set(box, event, user);
}
void *p_take(p_box *box) {
    void *user = box->user;
    box->event = NULL;
    box->user = NULL;
    return user;
}
