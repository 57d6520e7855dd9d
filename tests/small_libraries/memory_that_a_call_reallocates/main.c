#include <stdio.h>
#include "p.h"

int main(void) {
    p_number z;
    p_init(&z, 2);
    for (int i = 0; i < 100; i++) {
        p_push(&z, (unsigned long)i);
        if (i % 9 == 0)
            printf("%d of %d: sum %lu, last %lu\n", z.size, z.room, p_sum(&z), z.digits[i]);
        z.digits[i]++;
    }
    printf("%lu\n", p_sum(&z));
    p_clear(&z);
    printf("%d %d\n", z.room, z.digits == NULL);
    for (int round = 0; round < 3; round++) {
        p_names names = {0, NULL};
        printf("%d:", p_find(&names, 3 + round));
        for (int i = 0; i < names.n; i++)
            printf(" %s", names.all[i]);
        p_release(&names);
        printf(" %d %d\n", names.n, names.all == NULL);
    }
    p_text *text = p_open();
    for (int i = 0; i < 6; i++) {
        p_text *same = p_append(text, "0123456789");
        printf("%d %d %d %s\n", same == text, text->size, text->room, text->bytes);
    }
    return 0;
}
