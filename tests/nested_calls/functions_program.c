/* Passes functions, and gets them back: prints the same natively and with the library in another process. */
#include "functions.h"
#include <stdio.h>
#include <string.h>

static int f(int value, void *user) { return value + (user ? *(int *)user : 0); }
static int g(int value, void *user) { return value * 2 + (user ? *(int *)user : 0); }
static int h(int value, void *user) { return value * 3 + (user ? *(int *)user : 0); }
static int plain(int value) { return value + 5; }
static int other(int value) { return value + 6; }

#define MANY(n) static int many_##n(int value, void *user) { return value + n + (user ? *(int *)user : 0); }
MANY(0) MANY(1) MANY(2) MANY(3) MANY(4) MANY(5) MANY(6) MANY(7) MANY(8) MANY(9) MANY(10) MANY(11) MANY(12) MANY(13) MANY(14)
MANY(15) MANY(16) MANY(17) MANY(18) MANY(19)

static const char *name(functions_op op)
{
    if (op == FUNCTIONS_ERROR) return "error";
    return op == f ? "f" : op == g ? "g" : op == h ? "h" : op == many_19 ? "many" : op ? "?" : "null";
}

static const char *name_plain(functions_plain one) { return one == plain ? "plain" : one == other ? "other" : one ? "?" : "null"; }

static int show(const functions_pair *pair, functions_plain plain, void *user)
{
    printf("show %s %s %s %d", name(pair->first), name(pair->second), name_plain(plain), pair->user == user);
    return pair->first ? pair->first(7, pair->user) : -1;
}

static void results(void)
{
    int one = 1, two = 2;
    functions_op op = f;
    functions_plain of = plain;
    functions_seen seen = { f, plain };
    printf("set %s", name(functions_set(f, &one)));
    printf(" %s %d", name(functions_set(g, &two)), functions_fire(10));
    printf(" %s", name(functions_set(NULL, &one)));
    printf(" %s %d", name(functions_set(h, NULL)), functions_fire(10));
    printf(" %s %d", name(functions_set(f, NULL)), functions_fire(10));
    printf(" %s", name(functions_set(NULL, NULL)));
    printf(" %s %d\n", name(functions_set(h, &one)), functions_fire(10));
    printf("plain %s", name_plain(functions_set_plain(plain)));
    printf(" %d %s", functions_fire_plain(1), name_plain(functions_set_plain(other)));
    printf(" %d %s\n", functions_fire_plain(1), name_plain(functions_set_plain(plain)));
    printf("get %d", functions_get(&op, &of));
    printf(" %s %s", name(op), name_plain(of));
    printf(" %d %s\n", functions_get(&op, NULL), name(op));
    printf("see %d", functions_see(&seen));
    printf(" %s %s\n", name(seen.op), name_plain(seen.plain));
}

int main(int count, char **arguments)
{
    int one = 1, two = 2;
    functions_pair pair = { f, g, &one }, same = { h, h, &two }, half = { NULL, g, NULL }, none = { NULL, NULL, NULL };
    printf("both %d %d", functions_both(f, g, h, &one, 3), functions_both(h, g, f, NULL, 3));
    printf(" %d %d", functions_both(f, f, g, &one, 3), functions_both(NULL, g, NULL, &two, 3));
    printf(" %d %d\n", functions_both(f, NULL, g, &one, 3), functions_both(NULL, NULL, NULL, NULL, 3));
    printf("struct %d %d", functions_of_struct(&pair, 4), functions_of_struct(&same, 4));
    printf(" %d %d\n", functions_of_struct(&half, 4), functions_of_struct(&none, 4));
    printf("swap %d", functions_swap(&pair));
    printf(" %s %s %d\n", name(pair.first), name(pair.second), pair.user == &one);
    results();
    printf(" %d\n", functions_show(show, &one, &pair));
    printf(" %d\n", functions_show(show, &two, &same));
    printf(" %d\n", functions_show(show, NULL, &none));
    functions_add(f, NULL);
    functions_add(g, NULL);
    functions_add(f, &two);
    functions_add(h, NULL);
    printf("null userdata %d\n", functions_all(5));
    functions_op many[] = { many_0, many_1, many_2, many_3, many_4, many_5, many_6, many_7, many_8, many_9, many_10, many_11,
                            many_12, many_13, many_14, many_15, many_16, many_17, many_18, many_19 };
    int users[20];
    for (int n = 0; n < 20; n++) {
        users[n] = n * n;
        functions_add(many[n], &users[n]);
    }
    printf("many %d\n", functions_all(1));
    if (count > 1 && !strcmp(arguments[1], "limits")) {
        /* More functions than trampolines: called, but not told apart. */
        printf("shared %d", functions_both(many_18, many_19, NULL, &one, 1));
        printf(" constant %s", name(functions_set((functions_op)1, NULL)));
        functions_set(many_19, &one);
        printf(" %s", name(functions_set(f, &one)));
        printf(" own %s after %d\n", name(functions_own()), functions_after(1));
    }
    return 0;
}
