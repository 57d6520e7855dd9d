#include "p.h"
#include <stdio.h>

static p_cell cells[300], kept[3];

int main(void) {
    for (int i = 0; i < 300; i++)
        cells[i] = (p_cell){i, i % 3 ? "name" : 0};
    p_row row = {cells + 7, 20};
    for (int count = 1; count <= 300; count += 299) {
        printf("read %d\n", p_read(cells, count));
        printf("change %d, %d\n", p_change(cells, count), cells[count - 1].value);
        printf("keep %d, %d\n", p_keep(kept, 3), kept[2].value);
        printf("row %d, %d\n", p_row_sum(&row), cells[7].value);
    }
    printf("fill %d, %d\n", p_fill(cells, 300), cells[299].value);
    return 0;
}
