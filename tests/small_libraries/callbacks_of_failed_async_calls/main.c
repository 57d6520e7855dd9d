#include <stdio.h>
#include "p.h"

typedef int (*submit)(p_queue *q, int id, p_done done, void *user);

static int sum;

static void done(int id, void *user) {
    (void)user;
    sum += id;
}

static int submit_with_result(p_queue *q, int id, p_done kept, void *user) {
    static int counts[32], last;
    return p_submit_with_result(q, id, kept, user, &counts[last++ % 32]);
}
static int submit_once(p_queue *q, int id, p_done once, void *user) { return p_submit_once(q, id, once, NULL, user); }

/* Submits ids, of which the negative ones fail, and returns whether a callback is lost. `first` submits the first id, and `other` all others. */
static int lost_of(submit first, submit other, void *user, const int *ids) {
    p_queue *q = p_open(), *closed = p_open();
    int expected = 0, polled;
    sum = 0;
    for (int n = 0; ids[n] != 0; n++) {
        (n == 0 ? first : other)(q, ids[n], done, user);
        if (ids[n] > 0) expected += ids[n];
    }
    other(closed, -1, done, user);
    p_close(closed);
    polled = p_poll(q);
    p_close(q);
    if (polled < 0 || sum != expected) fprintf(stderr, "%d of %d\n", sum, expected);
    return polled < 0 || sum != expected;
}

int main(void) {
    static const int ids[][6] = {{1, -1}, {1, -1, 2}, {-1, 1}, {-1, -1, 1, -1}, {1, 2, -1, -1, -1}};
    const submit all[] = {p_submit_async, p_submit_static, p_submit_manual, submit_with_result, submit_once};
    int users[64], lost = 0, user = 0;
    for (int n = 0; n < 5; n++)
        for (int m = 0; m < 5; m++) {
            lost += lost_of(all[n], all[n], &users[user++], ids[m]);
            lost += lost_of(all[n], all[n], m % 2 ? NULL : &users[63], ids[m]);
            if (n < 4) lost += lost_of(p_submit, all[n], &users[user++], ids[m]);
        }
    /* The end of a call that uses the callback during the call only does not end the callback of another call. */
    p_queue *q = p_open();
    sum = 0;
    p_submit_async(q, 1, done, &users[user]);
    p_submit_now(q, 2, done, &users[user]);
    p_submit_async(q, -1, done, &users[user]);
    p_poll(q);
    p_poll(q);
    return lost != 0 || sum != 3;
}
