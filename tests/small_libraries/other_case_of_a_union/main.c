#include <stdio.h>
#include "p.h"

static void show(const p_value *value) {
    const char *text = value->kind == 1 ? value->any.text : value->any.label.text;
    if (value->kind == 0) {
        printf("%ld", value->any.number);
    } else if (value->kind == 3) {
        printf("point %d %d", value->any.point == &value->place, value->any.point->x);
    } else {
        printf("%s", text ? text : "null");
    }
    printf(" %d %d\n", value->kind == 2 ? value->any.label.size : 0, value->place.y);
}

static int see(void *context, p_value *value) {
    const int *kind = context;
    show(value);
    if (*kind == 0) {
        value->kind = 0, value->any.number = 11;
    } else if (*kind == 2) {
        value->kind = 2, value->any.label = (p_label){0, 12};
    }
    return *kind;
}

static void change(p_value *value) {
    for (int i = 0; i < 48; i++) {
        int sum = p_set(value, i % 4, i);
        printf("%d: ", sum);
        show(value);
        int kind = i % 3;
        sum = p_run(value, i / 4 % 4, i + 1, see, &kind);
        printf("%d: ", sum);
        show(value);
        value->kind = i / 2 % 2 * 2, value->any.label = (p_label){0, 100 + i};
        if (value->kind == 0) {
            value->any.number = i;
        }
        sum = p_sum(value);
        printf("%d\n", sum);
    }
}

int main(void) {
    static p_value kept = {1, {.text = "kept"}, {1, 2}};
    p_value of_call = {1, {.text = "of the call"}, {5, 6}};
    p_keep(&kept);
    change(p_borrowed());
    change(&kept);
    int sum = p_set(&of_call, 2, 5);
    printf("%d: ", sum);
    show(&of_call);
    p_outer *outer = p_borrowed_outer();
    for (int i = 0; i < 12; i++) {
        long number = p_set_outer(outer, i % 2, i * 300L);
        printf("%ld %d ", number, outer->kind);
        outer->kind = i / 2 % 2;
        if (outer->kind == 0) {
            outer->inner.any.number = -1 - i;
        } else {
            outer->inner.any.label = (p_label){0, 65536 + i};
        }
        number = p_read_outer(outer);
        printf("%ld\n", number);
    }
    return 0;
}
