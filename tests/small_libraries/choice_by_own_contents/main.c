#include <stdio.h>
#include "p.h"

int main(void) {
    p_number number = {1, 42};
    p_text text = {2, 2.5, "abc"};
    p_chain last = {3, &number}, first = {3, &last}, other = {3, &text}, none = {3, NULL};
    printf("%g %g %g\n", p_size(&number), p_size(&text), p_size(NULL));
    printf("%g %g %g\n", p_total(&first), p_total(&other), p_total(&none));
    return 0;
}
