#include <stddef.h>
#include "p.h"

int main(void) {
    static char text[] = "text";
    p_box *box = p_open();
    p_keep(box, text);
    if (p_take(box) != NULL)
        return 1;
    p_close(box);
    return p_open() != NULL ? 0 : 2;
}
