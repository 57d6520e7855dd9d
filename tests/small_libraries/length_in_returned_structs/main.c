#include <stdio.h>
#include "p.h"

int main(void) {
    p_out *o = p_get();
    int sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < o[i].n; j++)
            sum += o[i].in->data[j];
    printf("%d\n", sum);
    return 0;
}
