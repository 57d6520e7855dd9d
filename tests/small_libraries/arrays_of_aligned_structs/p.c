#include "p.h"
#include <stdint.h>
#include <string.h>
static int sum(const p_cell *cells, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        if ((uintptr_t)&cells[i] % 64 != 0)
            return -1;
        sum += cells[i].value + (cells[i].name ? (int)strlen(cells[i].name) : 0);
    }
    return sum;
}
int p_read(const p_cell *cells, int count) { return sum(cells, count); }
int p_change(p_cell *cells, int count) {
    for (int i = 0; i < count; i++)
        cells[i].value *= 2;
    return sum(cells, count);
}
int p_fill(p_cell *cells, int count) {
    for (int i = 0; i < count; i++) {
        cells[i].value = i + 5;
        cells[i].name = 0;
    }
    return sum(cells, count);
}
int p_keep(p_cell *cells, int count) { return p_change(cells, count); }
int p_row_sum(p_row *row) { return p_change(row->cells, row->count); }
