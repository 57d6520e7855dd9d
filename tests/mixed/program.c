/* Asserts the results of both kinds of functions, in one process or two. */
#define _GNU_SOURCE
#undef NDEBUG
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include "mixed.h"

int main(int count, char **arguments)
{
    (void)arguments;
    int is_remote = count > 1, process = mixed_process();
    assert((process != getpid()) == is_remote);
    int32_t a[100], b[100], dot = 0, sum = 0, square = 0;
    for (int i = 0; i < 100; i++) {
        a[i] = i * 7 - 300;
        b[i] = 11 - i;
        dot += a[i] * b[i];
        square += a[i] * a[i];
        sum += a[i];
    }
    assert(mixed_dot(a, b, 100) == dot && mixed_dot(a, b, 0) == 0 && mixed_steps() == 0);
    assert(mixed_walk(a, 100) == sum && mixed_steps() == 100 && mixed_walk(a, 0) == 0);
    assert(mixed_both(a, 100) == 2 * sum + square && mixed_steps() == 200 && mixed_text(-7) == 49);
    if (is_remote) {
        /* Functions with a body need no worker; calls of the others return their failure result. */
        kill(process, SIGKILL);
        while (mixed_step(0) != -99)
            continue;
        assert(mixed_dot(a, b, 100) == dot && mixed_walk(a, 100) == -99 && mixed_walk(a, 0) == 0);
        assert(mixed_both(a, 100) == square - 99 && mixed_text(-7) == 49);
    }
    puts("mixed");
    return 0;
}
