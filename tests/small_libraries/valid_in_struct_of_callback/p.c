#include "p.h"

int p_run(p_fn f) {
    char data[8] = {0};
    p_in in = {data};
    p_out o = {0, 0, &in};
    int result = f(7, &o);
    return result * 1000 + o.k * 100 + data[0] + data[1];
}
