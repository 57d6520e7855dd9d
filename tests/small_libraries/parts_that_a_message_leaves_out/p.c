#include <string.h>
#include "p.h"

static p_tagged *kept, borrowed = {1, {.d = 5873}};
static p_list *kept_list, borrowed_list = {4, {1, 2, 3, 4, 5, 6, 7, 8}, "borrowed"};

void p_keep(p_tagged *tagged) { kept = tagged; }
static void set(p_tagged *tagged, int kind, int number) {
    memset(&tagged->value, 0, sizeof tagged->value);
    tagged->kind = kind;
    if (kind == 0) {
        tagged->value.i = number;
    } else if (kind == 1) {
        tagged->value.d = number;
    } else {
        for (int i = 0; i < 3; i++) {
            tagged->value.all[i] = number + i;
        }
    }
}
int p_set(p_tagged *tagged, int kind, int number) {
    set(tagged, kind, number);
    return tagged == kept;
}
p_tagged *p_borrowed(void) { return &borrowed; }
int p_borrowed_is(const p_tagged *tagged, int number) {
    p_tagged expected = {0};
    set(&expected, tagged->kind, number);
    unsigned size = tagged->kind == 0 ? sizeof(int) : tagged->kind == 1 ? sizeof(double) : 3 * sizeof(int);
    return tagged == &borrowed && memcmp(&tagged->value, &expected.value, size) == 0;
}
void p_keep_list(p_list *list) { kept_list = list; }
int p_put(p_list *list, int count, int at, int number) {
    list->count = count;
    list->all[at] = number;
    return list == kept_list;
}
p_list *p_borrowed_list(void) { return &borrowed_list; }
int p_sum(const p_list *list) {
    int sum = 0;
    for (int i = 0; i < list->count; i++) {
        sum = 3 * sum + list->all[i];
    }
    return sum;
}
int p_run(p_tagged *tagged, int kind, int number, p_see see, void *context) {
    set(tagged, kind, number);
    see(context, tagged);
    return tagged->kind == 0   ? tagged->value.i
           : tagged->kind == 1 ? (int)(4 * tagged->value.d)
                               : 9 * tagged->value.all[0] + 3 * tagged->value.all[1] + tagged->value.all[2];
}
