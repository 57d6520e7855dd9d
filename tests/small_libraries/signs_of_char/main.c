#include <stdio.h>
#include "p.h"

int main(void) {
    p_item item = {-1, {70000}};
    char list[] = {1, -2, 5, -1};
    double some[] = {1, 2, -0.0}, more[] = {0.5, 0};
    int out = 77;
    printf("%d", p_read(&item));
    printf(" %d\n", item.value.number);
    item = (p_item){'t', {.text = "abc"}};
    printf("%d", p_read(&item));
    printf(" %d %d\n", item.kind, item.value.number);
    printf("%d %d %d\n", p_length(list), p_fractions(some), p_fractions(more));
    for (int n = -5; n <= 5; n += 5) {
        printf("%d", p_check(n, &out));
        printf(" %d\n", out);
    }
    return 0;
}
