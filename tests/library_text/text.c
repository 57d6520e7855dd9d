#include "text.h"

#include <errno.h>
#include <stdlib.h>

struct text_box { int n; };

text_const_box *text_open(int n)
{
    text_const_box *const b = malloc(sizeof *b);
    if (b)
        b->n = n;
    return b;
}
void text_close(text_const_box *b) { free(b); }
TX_Bool text_is_even(const int n) { return n % 2 == 0; }
int text_flip(text_Flags *flags, TX_Bool *on)
{
    flags->is_on = !flags->is_on;
    *on = flags->is_on;
    return ++flags->my_const_value;
}
int text_each(text_const_check check, void *user) { return 10 * check(1, user) + check(0, user); }
int text_sum(const int values[3]) { return values[0] + values[1] + values[2]; }
int text_see(text_const_box *b) { return b->n; }
int text_seen(text_const_box *b, const int *of)
{
    int sum = 0;
    for (int i = 0; i < b->n; i++)
        sum += of[i];
    return sum;
}
int text_plus(int n) { return 10 * n; }
int text_shared(int n) { return n; }
int text_failing(int n)
{
    errno = ERANGE;
    return n < 0 ? 5 : -n;
}
int text_own_name(int n) { return n; }
int text_peek(text_const_box *b) { return b->n; }
int text_hidden(int n) { return n + 1; }
int text_missing(int n) { return n; }
