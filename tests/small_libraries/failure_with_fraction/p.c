#include "p.h"

double p_root(int n) {
    if (n < 0)
        return -1;
    int root = 0;
    while ((root + 1) * (root + 1) <= n)
        root++;
    return root;
}
float p_half(int n) { return n < 0 ? -7 : (float)n / 2; }
double p_text(int n, double x) { return n < 0 ? 0.25 : x > 0.5 ? x : -2; }
int p_both(int n, double *whole, float *part) {
    *whole = n < 0 ? 1e300 : n;
    *part = n < 0 ? -3 : (float)n / 4;
    return n < 0 ? -1 : 0;
}
