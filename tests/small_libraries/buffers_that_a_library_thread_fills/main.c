#include <stdio.h>
#include <string.h>
#include "p.h"

static unsigned char buffer[100];
static int calls, wrong;

static void done(p_transfer *t, int status, unsigned char *at, int length, void *user) {
    calls++;
    (void)t;
    if (at != buffer || buffer[0] != buffer[length - 1])
        wrong++;
    *(int *)user = status;
}

int main(void) {
    p_device *d = p_open();
    int sums = 0, unfilled = 0;
    for (int round = 0; round < 1000; round++) {
        int status = 0, length = round % 99 + 2;
        memset(buffer, round, sizeof buffer);
        p_transfer *write = p_new(d), *read = p_new(d);
        p_submit(write, 0, buffer, length, done, &status);
        p_wait(d);
        sums += status == length * (unsigned char)round;
        p_free(write);
        memset(buffer, 0, sizeof buffer);
        p_submit(read, 1, buffer, length, done, &status);
        p_wait(d);
        unfilled += buffer[0] < 'a' || buffer[0] != buffer[length - 1];
        p_free(read);
    }
    printf("%d %d %d %d\n", calls, wrong, sums, unfilled);
    p_close(d);
    return 0;
}
