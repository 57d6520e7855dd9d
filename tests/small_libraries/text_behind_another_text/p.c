#include <string.h>
#include "p.h"

static char names[] = "January\0May\0June";
static p_node month = {1, names};

int p_run(p_node *node, p_callback callback, void *user) {
    int sum = 0;
    for (int round = 0; round < 4; round++) {
        sum = sum * 10 + callback(node, round, user);
        sum += node->name ? strlen(node->name) : 9;
    }
    return sum;
}

int p_set(p_node *node, const char *name) {
    node->name = name;
    return name ? (int)strlen(name) : -1;
}

const p_node *p_months(void) {
    return &month;
}

int p_next(p_node *month) {
    month->id++;
    month->name = month->id % 3 == 1 ? names : month->name + strlen(month->name) + 1;
    return strlen(month->name);
}
