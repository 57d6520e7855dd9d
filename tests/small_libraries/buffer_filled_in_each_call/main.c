#include <stdio.h>
#include <string.h>
#include "p.h"

int main(void) {
    for (int n = 1; n < 100000; n *= 7) {
        char *text = p_text(n);
        printf("%s", text);
        text[strlen(text) - 1] = n % 2 ? 0 : '_';
        text[20] = (char)n;
        printf(" %s", text);
        printf(" %s %d\n", p_text(n + 1), text[20]);
    }
    return 0;
}
