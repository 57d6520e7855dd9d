#include "p.h"

p_quotient p_divide(int a, int b, int *error) {
    *error = b == 0;
    if (b == 0)
        return (p_quotient){a, -1};
    return (p_quotient){a / b, a % b};
}
void *p_map(int id, size_t n) {
    static unsigned char memory[64] = {1, 2, 3};
    return id < 0 || n > sizeof memory ? (void *)-1 : memory;
}
const char *p_open(const char *name) { return name[0] ? "opened" : (const char *)-2; }
