#include <stdio.h>
#include "p.h"

int main(void) {
    for (int value = 1; value < 4; value++) {
        char buffer[16] = "";
        char *same = p_text(buffer, value), *other = p_text(NULL, value * 1000);
        printf("%d %s %s\n", same == buffer, buffer, other);
        p_release(other);
    }
    return 0;
}
