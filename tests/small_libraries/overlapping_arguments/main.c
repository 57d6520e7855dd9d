#include "p.h"
#include <stdio.h>

#define ALL 4000

static void show(const char *what, int result, const int *numbers) {
    long sum = 0;
    for (int i = 0; i < ALL; i++)
        sum = (sum * 31 + numbers[i]) % 1000003;
    printf("%s: %d, %d %d %d %d %d, %ld\n", what, result, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], sum);
}

int main(void) {
    static int numbers[ALL];
    /* Each count also needs another way of sending: in a record, in shared memory, in parts. */
    for (int count = 3; count < ALL; count = count * 5 + 1)
        for (int distance = -2; distance <= 2; distance++) {
            for (int i = 0; i < ALL; i++)
                numbers[i] = i + 1;
            show("copy", p_copy(numbers + 2 + distance, numbers + 2, count), numbers);
            show("add", p_add(numbers + 2 + distance, numbers + 2, count), numbers);
            show("sum", p_sum(numbers + 2 + distance, numbers + 2, count), numbers);
        }
    return 0;
}
