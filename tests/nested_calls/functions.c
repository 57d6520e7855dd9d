#include "functions.h"
#include <stddef.h>

static struct { functions_op op; void *user; } current, all[32];
static functions_plain current_plain;
static int count;

static int call(functions_op op, void *user, int value)
{
    if (!op) return 1000;
    return op(value, user);
}

int functions_both(functions_op first, functions_op second, functions_op third, void *user, int value)
{
    int same = (first == second) + 2 * (second == third);
    return (call(first, user, value) * 100 + call(second, user, value)) * 100 + call(third, user, value) + 7000000 * same;
}

int functions_of_struct(const functions_pair *pair, int value)
{
    return call(pair->first, pair->user, value) * 100 + call(pair->second, pair->user, value);
}

functions_op functions_set(functions_op op, void *user)
{
    functions_op before = current.op;
    if (!op && user) return FUNCTIONS_ERROR;
    current.op = op;
    current.user = user;
    return before;
}

int functions_fire(int value) { return call(current.op, current.user, value); }

functions_plain functions_set_plain(functions_plain plain)
{
    functions_plain before = current_plain;
    current_plain = plain;
    return before;
}

int functions_fire_plain(int value) { return current_plain ? current_plain(value) : 1000; }

int functions_get(functions_op *op, functions_plain *plain)
{
    *op = current.op;
    if (plain) *plain = current_plain;
    return 0;
}

int functions_see(functions_seen *seen)
{
    seen->op = current.op;
    seen->plain = current_plain;
    return 0;
}

int functions_swap(functions_pair *pair)
{
    functions_op first = pair->first;
    pair->first = pair->second;
    pair->second = first;
    return call(pair->first, pair->user, 1);
}

int functions_add(functions_op op, void *user)
{
    all[count].op = op;
    all[count].user = user;
    return count++;
}

int functions_all(int value)
{
    int sum = 0;
    for (int n = 0; n < count; n++) sum = sum * 3 + all[n].op(value, all[n].user);
    return sum;
}

int functions_show(functions_show_op show, void *user, const functions_pair *pair) { return show(pair, current_plain, user); }

static int own(int value, void *user) { return user ? -value : value; }
functions_op functions_own(void) { return own; }
int functions_after(int value) { return value + 1; }
