#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nests.h"

static int sets_errno(int value, void *user) { (void)user; nests_number(1); errno = value; return value; }
static int reads_errno(int value, void *user) { (void)user; int before = errno; return before * 100 + value; }
static int exits(int value, void *user) { (void)user; exit(nests_number(value)); }
static int exits_at_once(int value, void *user) { (void)user; _Exit(value); }
static int sinks(int value, void *user)
{
    int *left = user;
    (void)value;
    return --*left > 0 ? nests_hook_number(sinks, user, 1, NESTS_HERE) : nests_number(1);
}
static void bye(void) { printf("at exit %d\n", nests_number(6)); }
static void *thread_exits(void *arg) { nests_hook_number(exits, arg, 1, NESTS_HERE); return 0; }
static pthread_t main_thread;
static int tells_main(int value, void *user) { (void)user; printf("called %d\n", nests_number(value)); return value; }
/* Runs on after the main thread. */
static void *outlives_main(void *arg) { pthread_join(main_thread, 0); printf("alone %d\n", nests_hook_number(tells_main, arg, 1, NESTS_HERE)); return 0; }
static jmp_buf back;
static int jumps(int value, void *user) { if (user) *(int *)user += value; longjmp(back, 1); }
static int nests_jumps(int value, void *user)
{
    jmp_buf outer;
    memcpy(outer, back, sizeof outer);
    if (!setjmp(back)) nests_hook_number(jumps, user, 1, NESTS_HERE);
    memcpy(back, outer, sizeof outer);
    return nests_number(value);
}
static int jumps_far(int value, void *user) { return nests_hook_number(jumps, user, value, NESTS_HERE); }
static void *calls(void *arg) { *(int *)arg = nests_hook_number(reads_errno, 0, 1, NESTS_HERE) >= 0; return 0; }
static int leaves_thread(int value, void *user) { (void)value; pthread_exit(user); }
static void *ends_in_callback(void *arg) { nests_hook_number(leaves_thread, arg, 2, NESTS_HERE); return 0; }
/* The library has left a call if the program has: calls of other threads do not wait for it, and the depth of calls does not grow. */
static void leaves(void)
{
    pthread_t thread;
    int seen = 0, other = 0;
    for (volatile int round = 0; round < 3000; round++)
        if (!setjmp(back)) printf("returned %d\n", nests_hook_number(round % 2 ? jumps : jumps_far, &seen, 1, NESTS_HERE));
    pthread_create(&thread, 0, calls, &other);
    pthread_join(thread, 0);
    printf("left %d, other %d\n", seen, other);
    printf("nested %d, after %d\n", nests_hook_number(nests_jumps, &seen, 4, NESTS_HERE), nests_number(5));
    void *result = 0;
    pthread_create(&thread, 0, ends_in_callback, &other);
    pthread_join(thread, &result);
    pthread_create(&thread, 0, calls, &other);
    pthread_join(thread, 0);
    printf("ended %d, other %d\n", result == &other, other);
}
static void *thread_of_library_exits(void *arg) { nests_hook_number(exits, arg, 1, NESTS_THREAD); return 0; }
static const char *mode;
__attribute__((destructor)) static void end(void) { if (!strncmp(mode, "exit", 4)) printf("destructor %d\n", nests_number(9)); }

int main(int count, char **arguments)
{
    pthread_t thread;
    int data[4] = { 0 }, x = 1;
    setvbuf(stdout, 0, _IONBF, 0);
    mode = count > 1 ? arguments[1] : "";
    if (!strcmp(mode, "exit")) nests_hook_number(exits, 0, 3, NESTS_HERE);
    if (!strcmp(mode, "exit handler")) { atexit(bye); nests_hook_number(exits, 0, 3, NESTS_HERE); }
    if (!strcmp(mode, "exit at once")) nests_hook_number(exits_at_once, 0, 3, NESTS_HERE);
    if (!strcmp(mode, "exit thread")) { atexit(bye); pthread_create(&thread, 0, thread_exits, 0); pthread_join(thread, 0); }
    if (!strncmp(mode, "exit main", 9)) {
        if (mode[9] == '\0') nests_number(2);
        atexit(bye); main_thread = pthread_self(); pthread_create(&thread, 0, outlives_main, 0); pthread_exit(0);
    }
    if (!strcmp(mode, "exit library")) { atexit(bye); thread_of_library_exits(0); }
    if (!strcmp(mode, "errno")) {
        errno = 42;
        printf("%d ", nests_errno(sets_errno, 0, 33)); printf("%d ", errno);
        errno = 7;
        printf("%d ", nests_hook_number(reads_errno, 0, 1, NESTS_HERE)); printf("%d\n", errno);
    }
    if (!strcmp(mode, "leaves")) leaves();
    if (!strcmp(mode, "null")) printf("%d %d %d %d\n", nests_nulls(0, 0), nests_nulls(0, &x), nests_nulls(exits, 0), nests_nulls(exits, &x));
    if (!strcmp(mode, "own")) {
        for (int round = 0; round < 4; round++) { printf("%d ", nests_keep(data, 4)); nests_drop(data); }
        int *large = calloc(1 << 18, sizeof *large);
        for (int round = 0; round < 4; round++) { printf("%d ", nests_keep(large, 1 << 18)); nests_drop(large); }
        printf("%d %d\n", data[3], large[(1 << 18) - 1]);
        free(large);
    }
    if (!strcmp(mode, "deep")) {
        int left = atoi(arguments[2]);
        int result = nests_hook_number(sinks, &left, 1, NESTS_HERE);
        printf("%d left %d, after %d\n", result, left, nests_number(5));
    }
    return 0;
}
