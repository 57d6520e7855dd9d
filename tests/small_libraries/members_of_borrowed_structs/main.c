#include <stdio.h>
#include "p.h"

static void change(p_shape *shape) {
    printf("%d %d\n", p_move(&shape->origin, 1), p_move(&shape->corners[1], 10));
    printf("%d\n", p_raise(&shape->area));
    printf("%d\n", p_raise(&shape->corners[0].y));
    printf("%d\n", p_rename(&shape->label));
    printf("%d %d %d %s %d: ", shape->origin.x, shape->corners[1].y, shape->area, shape->label.text, shape->corners[0].y);
    printf("%d\n", p_sum());
    shape->corners[1].x = -50;
    p_move(&shape->corners[1], 1);
    printf("%d %d\n", shape->corners[1].x, p_sum());
}
int main(void) {
    p_shape *borrowed = p_borrow();
    change(&borrowed[0]);
    change(&borrowed[1]);
    p_point *corner = p_corner(1);
    printf("%d %d\n", corner == &borrowed[0].corners[1], corner->x);
    static p_shape own = {"own", {1, 1}, {{2, 2}, {3, 3}}, 4, {"mine", 4}};
    p_keep(&own);
    change(&own);
    return 0;
}
