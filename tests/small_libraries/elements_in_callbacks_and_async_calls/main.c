#include <stdio.h>
#include <string.h>
#include "p.h"

static void see(void *context, p_list *list) {
    int *second = context;
    *second = list->all[1];
    list->count = 1, list->all[1] = 99;
}

int main(void) {
    static p_list own = {2, {1, 2, 3, 4}, "own"};
    static p_texts texts;
    p_keep(&own, &texts);
    p_list *borrowed = p_borrow(), *lists[2] = {borrowed, &own};
    for (int i = 0; i < 4; i++) {
        int second = 0, count = p_run(lists[i % 2], see, &second);
        printf("%d: %d %d %d %d\n", i, count, second, lists[i % 2]->count, lists[i % 2]->all[1]);
    }
    for (int i = 0; i < 8; i++) {
        p_list *one = lists[i % 2], *other = lists[1 - i % 2];
        one->count = 2, one->all[1] = 7, other->count = 1;
        int last = p_last_of(one, other);
        p_pop(one);
        last += p_last_of(one, other);
        one->all[1] = 7, one->count = 2;
        if (i & 2) {
            p_push(other, 1);
        }
        printf("%d: %d %d\n", i, last, i & 4 ? p_last_of(one, other) : p_last_of(other, one));
        one->count = 1, other->count = 1;
    }
    for (int i = 0; i < 3; i++) {
        texts.count = 1, strcpy(texts.all[0].text, "cca");
        printf("%c\n", p_first_text(&texts));
        p_pop_text(&texts);
        texts.count = 1, strcpy(texts.all[0].text, "c");
        printf("%c\n", p_first_text(&texts));
    }
    return 0;
}
