#include "p.h"

int p_scale(int m[][3], int n, int by) {
    int sum = 0;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < 3; column++)
            sum += m[row][column] *= by;
    return sum;
}
long p_trace(const long (*m)[2][2], int n) {
    long sum = 0;
    for (int at = 0; at < n; at++)
        sum += m[at][0][0] - m[at][0][1] + 10 * m[at][1][0] + m[at][1][1];
    return sum;
}
void p_fill(short (*m)[4], int n) {
    for (int row = 0; row < n; row++)
        for (int column = 0; column < 4; column++)
            m[row][column] = (short)(10 * row + column);
}
int p_each(const double rows[][2], int n, p_row row, void *user) {
    int sum = 0;
    for (int at = 0; at < n; at++)
        sum += row(rows + at, at, user);
    return sum;
}
