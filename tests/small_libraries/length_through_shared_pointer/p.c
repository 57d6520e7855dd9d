#include "p.h"

int p_sum(const p_out *o, int k) {
    int sum = 0;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < o[i].n; j++)
            sum += o[i].in->data[j];
    return sum;
}
