#include <stddef.h>
#include "p.h"

int main(void) {
    p_item *item = p_get();
    if (p_numbers() != NULL)
        return 1;
    item->x = 50;
    return p_sum(item) == 52 && p_get() == item ? 0 : 2;
}
