#include <stdio.h>
#include "p.h"

static int a, b, c;

static const char *name(void *user) { return user == &a ? "a" : user == &b ? "b" : user == &c ? "c" : user ? "other" : "null"; }

static void done(p_transfer *transfer) { printf("done %d %s\n", transfer->length, name(transfer->user)); }

static int event(int n, void *user) {
    (void)user;
    return n;
}

static int list(const p_info *all, int n, void *user) {
    printf("%s:", name(user));
    for (int i = 0; i < n; i++)
        printf(" %d=%s", all[i].id, name(all[i].user));
    printf("\n");
    return n;
}

int main(void) {
    p_transfer transfers[] = {{5, done, &a}, {7, done, &b}};
    for (int i = 0; i < 4; i++)
        printf("%d", p_run(&transfers[i % 2])), printf(" %s\n", name(transfers[i % 2].user));
    p_source *all[] = {p_open(event, &a), p_open(event, &b), p_open(event, NULL)};
    printf("%d\n", p_each(all, 3, list, &c));
    printf("%d\n", p_each(all, 3, list, NULL));
    printf("%d\n", p_each(all, 3, list, &a));
    for (int i = 0; i < 3; i++)
        p_close(all[i]);
    return 0;
}
