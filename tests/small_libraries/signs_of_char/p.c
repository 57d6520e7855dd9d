#include "p.h"

int p_read(p_item *item) {
    if (item->kind == -1) return item->value.number++;
    item->value.text[0] = 'z';
    item->kind = -1;
    item->value.number = 5;
    return item->value.text[1];
}
int p_length(const char *list) {
    int n = 0;
    while (list[n] != -1) n++;
    return n;
}
char p_check(int n, int *out) {
    if (n < 0) *out = n;
    return n;
}
int p_fractions(const double *list) {
    int n = 0;
    while (list[n] != 0) n++;
    return n;
}
