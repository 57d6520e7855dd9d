#include <stdio.h>
#include "p.h"

static int sum;

static void done(int n, void *user) {
    sum++;
    printf("done %d %d\n", n, user ? *(int *)user : 0);
}

int main(void) {
    int number = 7;
    void *users[] = {NULL, &number};
    for (int n = 0; n < 6; n++) {
        void *user = users[n % 2];
        int calls = n / 2;
        p_keep(done, user);
        printf("%d\n", p_try(done, user, calls, -5));
        p_keep(done, user);
        for (int i = 0; i < 3; i++) printf("%d\n", p_try(done, user, calls, -6));
        if (calls != 0) printf("%d\n", p_try(done, user, calls, 1));
        printf("%d %d\n", p_fire(n), sum);
    }
    return 0;
}
