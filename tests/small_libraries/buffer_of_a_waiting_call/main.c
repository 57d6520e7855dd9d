#include <setjmp.h>
#include <stdio.h>
#include "p.h"

static int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, k[4] = {2, 2, 2, 2};
static int c[4] = {1, 1, 1, 1};
static const int *target;
static jmp_buf out;
static int is_right = 1;

static void expect(const char *name, int value, int expected) {
    printf("%s: %d\n", name, value);
    is_right = is_right && value == expected;
}

static int sums(void *user, int n) {
    (void)n;
    *(int *)user = p_sum(target, 4);
    return 0;
}

static int adds(void *user, int n) {
    (void)n;
    *(int *)user = p_add(a, 4, 1);
    return 0;
}

static int leaves(void *user, int n) {
    (void)user;
    (void)n;
    longjmp(out, 1);
}

int main(void) {
    static int seen;
    /* Other memory, and memory that neither call writes. */
    target = b;
    p_each(a, 4, sums, &seen);
    expect("other", seen, 26);
    target = a;
    p_read(a, 4, sums, &seen);
    expect("read", seen, 100);
    /* The waiting call has changed the memory, or reads what the inner call changes. */
    p_each(a, 4, sums, &seen);
    expect("changed", seen, -99);
    p_read(a, 4, adds, &seen);
    expect("read and written", seen, -99);
    p_on(sums, &seen);
    p_fire(a, 4);
    expect("of the fast path", seen, -99);
    expect("afterwards", p_sum(a, 4), 1004);
    /* A call that the program left does not wait any more. */
    p_on(leaves, &seen);
    if (setjmp(out) == 0)
        p_fire(c, 4);
    target = c;
    p_on(sums, &seen);
    p_fire(b, 4);
    expect("left", seen, 4);
    /* Memory that the library keeps is the same for both. */
    target = k;
    p_keep(k, 4);
    p_run(k, 4);
    expect("kept", seen, 12);
    return !is_right;
}
