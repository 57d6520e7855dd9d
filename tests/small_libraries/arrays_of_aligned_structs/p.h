#ifndef P_H
#define P_H
typedef struct __attribute__((aligned(64))) p_cell {
    int value;
    const char *name;
} p_cell;
typedef struct p_row {
    p_cell *cells;
    int count;
} p_row;
/* Each function returns a sum of the values, or -1 if an element is not aligned. */
int p_read(const p_cell *cells, int count);
int p_change(p_cell *cells, int count);
int p_fill(p_cell *cells, int count);
int p_keep(p_cell *cells, int count);
int p_row_sum(p_row *row);
#endif
