#include "kept.h"
#include <stdio.h>

static int add(int value, void *user) {
    return value + (user ? *(int *)user : 0);
}

static int twice(int value, void *user) {
    return value * 2 + (user ? *(int *)user : 0);
}

static void say(const char *text, void *user) {
    printf("[%s %d]", text, user ? *(int *)user : -1);
}

static int show(const kept_row *rows, int n, void *user) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        printf("<%d %s>", rows[i].value, rows[i].name ? rows[i].name : "none");
        sum += rows[i].value;
    }
    return sum + *(int *)user;
}

/* Registers itself again while it runs. */
static int stay(int value, void *user) {
    return kept_replace_hook(user, stay, user) == user ? value : -2;
}

/* Each hook replaces the one before, also if both are the same function with the same userdata. */
static void hooks(kept_log log) {
    int one = 1, two = 2;
    struct {
        kept_change hook;
        int *user;
    } all[] = {{add, &one}, {add, &one}, {add, &two}, {twice, &two}, {twice, &two}, {NULL, NULL}, {add, &one}};
    int *before = NULL;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        int is_before = kept_replace_hook(log, all[i].hook, all[i].user) == before;
        printf("hook: %d %d %d\n", is_before, kept_run_hook(log, 10), kept_run_hook(log, 20));
        before = all[i].user;
    }
    kept_replace_hook(log, stay, log);
    printf("hook stays: %d %d %d\n", kept_run_hook(log, 1), kept_run_hook(log, 2), kept_run_hook(log, 3));
}

int main(void) {
    int number = 5;
    kept_events all[] = {
        {add, say, twice, &number}, {add, NULL, add, &number}, {NULL, say, twice, NULL},
        {NULL, NULL, NULL, NULL},   {twice, NULL, NULL, NULL}, {NULL, NULL, add, &number},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        kept_log log = kept_open(&all[i]);
        int first = kept_fire(log, 3), second = kept_fire(log, 4);
        printf("events: %d %d %d\n", first, second, kept_close(log));
    }
    /* Constant memory of the program, which callbacks get back: nothing may be written there. */
    static const kept_row rows[] = {{7, "seven"}, {8, NULL}, {-2, "minus two"}};
    kept_log log = kept_open(&all[0]);
    kept_table table = {log, rows, 3};
    printf("rows: %d", kept_set(&table));
    for (int i = 0; i < 3; i++)
        printf(" %d", kept_show_rows(log, show, &number));
    printf("\n");
    hooks(log);
    printf("closed: %d\n", kept_close(log));
    return 0;
}
