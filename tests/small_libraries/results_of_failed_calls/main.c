#include <stdio.h>
#include <stdint.h>
#include "p.h"

int main(void) {
    for (int b = 3; b >= 0; b -= 3) {
        int error = 7;
        p_quotient result = p_divide(17, b, &error);
        printf("%d %d error %d\n", result.quotient, result.rest, error);
    }
    unsigned char *memory = p_map(1, 64);
    printf("%d %d\n", memory[0], memory[2]);
    printf("%jd %jd\n", (intmax_t)(intptr_t)p_map(-1, 64), (intmax_t)(intptr_t)p_map(1, 65));
    printf("%s %jd\n", p_open("name"), (intmax_t)(intptr_t)p_open(""));
    return 0;
}
