#include <stdio.h>
#include <string.h>
#include "p.h"

static void show(const p_tagged *tagged) {
    const int *all = tagged->value.all;
    if (tagged->kind == 0) {
        printf("%d\n", tagged->value.i);
    } else if (tagged->kind == 1) {
        printf("%g\n", tagged->value.d);
    } else {
        printf("%d %d %d\n", all[0], all[1], all[2]);
    }
}

static void set(p_tagged *tagged, int kind, int number) {
    memset(&tagged->value, 0, sizeof tagged->value);
    tagged->kind = kind;
    if (kind == 0) {
        tagged->value.i = number;
    } else if (kind == 1) {
        tagged->value.d = number;
    } else {
        tagged->value.all[0] = number, tagged->value.all[1] = number + 1, tagged->value.all[2] = number + 2;
    }
}

static void see(void *context, p_tagged *tagged) {
    const int *kind = context;
    show(tagged);
    if (*kind >= 0) {
        set(tagged, *kind, 7);
    }
}

int main(void) {
    static p_tagged tagged = {1, {.d = 5873}};
    p_keep(&tagged);
    static const int kinds[] = {0, 2, 1, 0, 1, 2, 0, 2};
    for (int i = 0; i < 8; i++) {
        int is_kept = p_set(&tagged, kinds[i], 61440 - 10193 * i);
        printf("%d: ", is_kept);
        show(&tagged);
    }
    for (int i = 0; i < 36; i++) {
        int first = i % 3, second = i / 3 % 3, third = i / 9 - 1;
        p_set(&tagged, first, 5);
        int result = p_run(&tagged, second, 50 + i, see, &third);
        printf("%d: ", result);
        show(&tagged);
        set(&tagged, second, i);
        third = -1;
        result = p_run(&tagged, second, 9, see, &third);
        printf("%d: ", result);
        show(&tagged);
    }
    p_tagged *borrowed = p_borrowed();
    for (int i = 0; i < 8; i++) {
        int number = 61440 - 10193 * i;
        set(borrowed, kinds[i], number);
        printf("%d\n", p_borrowed_is(borrowed, number));
    }

    static p_list list = {2, {1, 2, 3, 4, 5, 6, 7, 8}, "list"};
    p_keep_list(&list);
    p_put(&list, 2, 5, 50);
    p_put(&list, 8, 0, 10);
    printf("%d %d %d\n", list.count, list.all[0], list.all[5]);
    printf("%d\n", p_sum(&list));
    list.count = 3, list.all[6] = 60;
    printf("%d\n", p_sum(&list));
    list.count = 8;
    printf("%d\n", p_sum(&list));
    p_list *of_library = p_borrowed_list();
    of_library->count = 2, of_library->all[3] = 40;
    printf("%d\n", p_sum(of_library));
    of_library->count = 4;
    printf("%d\n", p_sum(of_library));
    return 0;
}
