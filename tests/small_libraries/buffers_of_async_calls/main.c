#include <stdio.h>
#include "p.h"

enum { COUNT = 600 };
static int a[COUNT], b[COUNT], c[COUNT];

static void show(const char *name, const int *v, size_t n) {
    unsigned hash = 0;
    for (size_t i = 0; i < n; i++)
        hash = hash * 31 + (unsigned)v[i];
    printf("%s: %d %d %d %08x\n", name, v[0], v[1], v[n - 1], hash);
}

static void test(size_t n) {
    /* Two calls write parts of one buffer. */
    p_put(a, n, 0, 5);
    p_put(a, n, 1, 6);
    p_wait();
    show("put", a, n);
    /* A call reads what the call before it writes. */
    p_fill(a, n, 7);
    p_add(a, n, 100);
    p_copy(b, a, n);
    p_copy(c + 1, b, n - 1);
    p_wait();
    show("a", a, n);
    show("b", b, n);
    show("c", c, n);
    /* A synchronous call reads or changes it. */
    p_fill(a, n, 1);
    printf("sum %d\n", p_sum(a, n));
    p_fill(b, n, 2);
    printf("part %d\n", p_sum(b + 3, n - 3));
    p_fill(a, n, 3);
    p_scale(a, n, 3);
    show("scale", a, n);
    /* Pointers in structs lead to it. */
    p_job job = {a, n}, jobs[] = {{b, n}, {a + 1, n - 1}};
    p_run(&job, 1);
    p_run(&job, 2);
    p_fill(b, n, 4);
    printf("first %d\n", p_first(jobs, 2));
    show("run", a, n);
    /* Calls of another order use it. */
    p_queue *q = p_open(), *r = p_open();
    p_push(q, a, n);
    p_pull(r, a, n);
    p_push(r, b, n);
    p_pull(q, b, n);
    printf("sum %d\n", p_sum(a, n));
    printf("queues %d", p_close(q));
    printf(" %d\n", p_close(r));
    show("queue", b, n);
}

/* More calls than the worker keeps results of. */
static void test_many(void) {
    enum { CALLS = 20000 };
    static int all[CALLS];
    for (int i = 0; i < CALLS; i++)
        p_put(&all[i], 1, 0, i);
    p_wait();
    show("many", all, CALLS);
}

int main(void) {
    test(8);
    test(COUNT);
    test_many();
    return 0;
}
