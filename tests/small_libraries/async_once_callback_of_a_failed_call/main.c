#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
#include "p.h"

static atomic_int came;

static void done(int n, void *user) {
    (void)n, (void)user;
    came++;
}

int main(void) {
    int number, lost = 0;
    void *users[] = {NULL, &number};
    for (int n = 0; n < 200; n++) {
        void *user = users[n % 2];
        came = 0;
        p_keep(done, user);
        p_try(done, user);
        p_try(done, user);
        p_fire(n);
        for (int i = 0; i < 2000 && came < 3; i++) usleep(1000);
        lost += 3 - came;
    }
    printf("%d calls were lost\n", lost);
    return 0;
}
