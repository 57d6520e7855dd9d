#include "p.h"
#include <string.h>

static p_value borrowed = {1, {.text = "borrowed"}, {3, 4}};
static p_outer borrowed_outer;

p_value *p_borrowed(void) { return &borrowed; }
void p_keep(p_value *value) { value->place.y++; }
int p_sum(p_value *value) {
    const char *text = value->kind == 1 ? value->any.text : value->kind == 2 ? value->any.label.text : 0;
    int sum = value->place.x * 3 + value->place.y + (text ? 100 * text[0] : 0);
    return sum + (value->kind == 0   ? (int)value->any.number
                  : value->kind == 2 ? 7 * value->any.label.size
                  : value->kind == 3 ? 1000 * value->any.point->x + (value->any.point == &value->place)
                                     : 0);
}
int p_set(p_value *value, int kind, int number) {
    value->kind = kind;
    if (kind == 0) {
        value->any.number = number;
    } else if (kind == 1) {
        value->any.text = number % 2 ? "odd" : 0;
    } else if (kind == 2) {
        value->any.label = (p_label){number % 3 ? "some" : 0, number};
    } else {
        value->any.point = &value->place;
        value->place.x = number;
    }
    return p_sum(value);
}
int p_run(p_value *value, int kind, int number, p_see see, void *context) {
    int sum = p_set(value, kind, number);
    return sum + see(context, value) + p_sum(value);
}
p_outer *p_borrowed_outer(void) { return &borrowed_outer; }
long p_set_outer(p_outer *outer, int kind, long number) {
    memset(&outer->inner, 0, sizeof outer->inner);
    outer->kind = kind;
    if (kind == 0) {
        outer->inner.any.number = number;
    } else {
        outer->inner.any.label.size = (int)number;
    }
    return number;
}
long p_read_outer(p_outer *outer) { return outer->kind == 0 ? outer->inner.any.number : -outer->inner.any.label.size; }
