#include <stdio.h>
#include "p.h"

int main(void) {
    static p_s s[2];
    for (int n = 0; n < 2; n++) {
        p_begin(s);
        printf("%d %d\n", p_size(&s[0]), p_size(&s[1]));
        p_note(&s[0], 4);
        p_note(&s[1], 4);
        printf("%d %d\n", p_size(&s[0]), p_size(&s[1]));
        printf("%d\n", p_end(s));
    }
    return 0;
}
