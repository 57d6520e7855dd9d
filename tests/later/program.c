#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include "later.h"
static atomic_int fails; static char failed[64]; static int64_t with;
void cx_remote_late_error(const char *library, const char *function, int64_t result) { (void)library; fails++; snprintf(failed, sizeof failed, "%s", function); with = result; }
static int hook(int value, void *user) { return value * *(int *)user; }
static later_queue shared; static atomic_int turn;
static void *adds(void *arg) { int me = (int)(intptr_t)arg; for (int n = 0; n < 2000; n++) { while (atomic_load(&turn) != n * 2 + me) ; later_add(shared, n * 2 + me); atomic_store(&turn, n * 2 + me + 1); } return 0; }
static int got[100000];
static later_event made;
static void *uses(void *arg) { assert(later_event_value(made) == (int)(intptr_t)arg); return 0; }
static void *starts_use(void *arg) { (void)arg; assert(later_event_use(made) == 0); return 0; }
static void *keeps_busy(void *q) { while (!atomic_load(&turn)) { assert(later_add(q, 1) == 0); later_finish(q); } return 0; }
static int nests(int value, void *user) { assert(later_add(user, 2) == 0 && later_finish(user) == 0); return value + 1; }
int main(void) {
    later_queue q = later_open(); assert(q);
    for (int i = 0; i < 1000; i++) assert(later_add(q, i) == 0);
    int n = later_log(q, got, 100000); assert(n == 1000); for (int i = 0; i < n; i++) assert(got[i] == i);
    puts("in order");
    int a[100] = {0}, b[2000] = {0}; assert(later_fill(q, a, 100, 5) == 0 && later_fill(q, b, 2000, -7) == 0);
    assert(later_finish(q) == 0); for (int i = 0; i < 100; i++) assert(a[i] == 5 + i); for (int i = 0; i < 2000; i++) assert(b[i] == i - 7);
    puts("filled");
    assert(later_add(q, -5) == 0); later_finish(q); 
    printf("late %d %s %d\n", fails, failed, (int)with);
    later_event e = 0, f = 0; assert(later_event_new(q, 42, &e) == 0 && e); assert(later_event_value(e) == 42);
    puts("named before it was made");
    assert(later_event_new(q, -3, &f) == 0 && f); printf("poisoned %d\n", later_event_value(f)); assert(later_event_value(e) == 42);
    assert(later_event_free(e) == 0); later_finish(q); printf("freed %d\n", later_event_value(e));
    int three = 3; assert(later_call(q, hook, &three) == 0); n = later_log(q, got, 100000); printf("called %d\n", got[n - 1]);
    shared = later_open(); pthread_t t[2]; for (intptr_t i = 0; i < 2; i++) pthread_create(&t[i], 0, adds, (void *)i); for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    n = later_log(shared, got, 100000); assert(n == 4000); for (int i = 0; i < n; i++) assert(got[i] == i);
    puts("in order of both threads");
    /* Another thread uses an event of this thread at once, and waits until it exists. */
    for (int round = 0; round < 50; round++) {
        pthread_t other;
        assert(later_event_new(q, round, &made) == 0 && pthread_create(&other, 0, uses, (void *)(intptr_t)round) == 0);
        pthread_join(other, 0);
        assert(later_event_free(made) == 0);
    }
    puts("waits for what another thread makes");
    /* An asynchronous call still runs when another thread ends its object. */
    for (int round = 0; round < 20; round++) {
        pthread_t other;
        assert(later_event_new(q, round, &made) == 0 && pthread_create(&other, 0, starts_use, 0) == 0);
        pthread_join(other, 0);
        assert(later_event_free(made) == 0);
    }
    later_finish(q);
    printf("freed in use: %d\n", later_freed_in_use());
    /* An asynchronous call that is refused before it is sent, because its object is dead. */
    later_queue gone = later_open();
    assert(gone && later_close(gone) == 0 && later_event_new(gone, 5, &made) == 0 && made);
    printf("refused %d\n", later_event_value(made));
    /* A callback of a synchronous call makes calls in the same lane, while another thread has calls there. */
    pthread_t busy;
    atomic_store(&turn, 0);
    assert(pthread_create(&busy, 0, keeps_busy, q) == 0);
    for (int round = 0; round < 200; round++) assert(later_now(q, nests, q) == 11);
    atomic_store(&turn, 1);
    pthread_join(busy, 0);
    puts("nested");
    later_close(q); later_close(shared); return 0;
}
