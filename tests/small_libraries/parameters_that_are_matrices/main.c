#include <stdio.h>
#include "p.h"

static int add(const double (*row)[2], int number, void *user) {
    *(double *)user += (*row)[0] * (*row)[1];
    return number + 1;
}

int main(void) {
    int m[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
    printf("%d", p_scale(m, 3, 2));
    for (int row = 0; row < 4; row++)
        printf(" %d %d %d", m[row][0], m[row][1], m[row][2]);
    const long cubes[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    short filled[3][4] = {{0}};
    p_fill(filled, 2);
    printf("\n%ld %d %d %d\n", p_trace(cubes, 2), filled[1][3], filled[0][1], filled[2][0]);
    const double rows[3][2] = {{1.5, 2}, {3, 4}, {5, 6.25}};
    double sum = 0;
    int numbers = p_each(rows, 3, add, &sum);
    printf("%d %g\n", numbers, sum);
    return 0;
}
