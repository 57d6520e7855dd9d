#include <string.h>
#include "p.h"

static const char *const texts[] = {"zero", "one", "two"};
static p_value lent[3] = {{0, {.number = 5}}, {1, {.text = "lent"}}, {1, {.text = 0}}};

int p_set(p_value *value, int kind, long number) {
    value->kind = kind;
    if (kind) {
        value->any.text = texts[number % 3];
    } else {
        value->any.number = number;
    }
    return kind;
}
int p_flip(p_value *values, int count) {
    for (int i = 0; i < count; i++) {
        p_set(&values[i], !values[i].kind, i);
    }
    return count;
}
long p_sum(const p_value *values, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
        const char *text = values[i].kind ? values[i].any.text : 0;
        sum = sum * 7 + (text ? (long)strlen(text) + text[0] : values[i].kind ? -1 : values[i].any.number);
    }
    return sum;
}
p_value *p_values(void) { return lent; }
