#include <stdio.h>
#include "p.h"

int main(void) {
    for (int n = -2; n < 20; n += 7) {
        double whole = 0;
        float part = 0;
        int result = p_both(n, &whole, &part);
        printf("%g %g %g %g %d %g %g\n", p_root(n), (double)p_half(n), p_text(n, 0.75), p_text(n, 0.5), result, whole, (double)part);
    }
    return 0;
}
