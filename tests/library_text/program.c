/* Prints what each function returns. With an argument it calls a function that the specification does not describe. */
#include "text.h"

#include <errno.h>
#include <stdio.h>

static TX_Bool opposite(TX_Bool on, void *user)
{
    return (TX_Bool)(on != *(TX_Bool *)user);
}

int main(int argc, char **argv)
{
    (void)argv;
    text_Flags flags = { 0, 41 };
    TX_Bool on = 0, user = 1;
    printf("even %d %d\n", text_is_even(4), text_is_even(5));
    const int flipped = text_flip(&flags, &on);
    printf("flip %d %d %d %d\n", flipped, flags.is_on, flags.my_const_value, on);
    printf("each %d\n", text_each(opposite, &user));
    const int values[3] = { 1, 2, 3 };
    printf("sum %d\n", text_sum(values));
    text_const_box *const box = text_open(3);
    printf("see %d\n", text_see(box));
    printf("seen %d\n", text_seen(box, values));
    text_close(box);
    printf("plus %d\n", text_plus(1));
    printf("shared %d\n", text_shared(10));
    errno = 0;
    int failing = text_failing(-1);
    printf("failing %d %d\n", failing, errno == ERANGE);
    errno = 0;
    failing = text_failing(4);
    printf("failing %d %d\n", failing, errno == ERANGE);
    printf("own name %d\n", text_own_name(1));
    if (argc > 1) {
        fflush(stdout);
        printf("missing %d\n", text_missing(6));
    }
    return 0;
}
