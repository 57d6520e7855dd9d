#include <stddef.h>
#include "p.h"

int main(void) {
    p_item item = {"name", 42};
    return p_number(&item) == NULL && p_length("text") == 4 ? 0 : 1;
}
