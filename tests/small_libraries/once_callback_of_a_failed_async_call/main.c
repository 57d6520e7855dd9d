#include <stdio.h>
#include "p.h"

static int sum;

static void done(int n, void *user) {
    (void)user;
    sum += n < 0 ? 100 : 1;
}

int main(void) {
    int number;
    void *users[] = {NULL, &number};
    for (int n = 0; n < 4; n++) {
        void *user = users[n % 2];
        int calls = n / 2;
        p_keep(done, user);
        p_try(done, user, calls);
        p_keep(done, user);
        for (int i = 0; i < 3; i++) p_try(done, user, calls);
        p_fire(n);
        printf("%d\n", sum);
    }
    return sum != 8 + 800;
}
