#include <stdio.h>
#include "p.h"

static void show(const p_value *values, int count) {
    for (int i = 0; i < count; i++) {
        if (values[i].kind) {
            printf("%s ", values[i].any.text ? values[i].any.text : "-");
        } else {
            printf("%ld ", values[i].any.number);
        }
    }
    printf("= %ld\n", p_sum(values, count));
}
int main(void) {
    p_value own[3] = {{0, {.number = 3}}, {1, {.text = "own"}}, {1, {.text = 0}}};
    for (int i = 0; i < 4; i++) {
        show(own, 3);
        p_flip(own, 3);
    }
    p_value *lent = p_values();
    for (int i = 0; i < 3; i++) {
        show(lent, 3);
        p_set(&lent[i], lent[i].kind == 0, 70 + i);
    }
    lent[1].kind = 0;
    lent[1].any.number = -5;
    show(lent, 3);
    return 0;
}
