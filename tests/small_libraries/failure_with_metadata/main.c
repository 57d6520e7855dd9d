#include "p.h"

int main(void) {
    p_block *small = p_make(2), *large = p_make(5);
    int is_right = p_size(large, 1) == 100 && p_size(large, 0) == 5 && p_size(small, 0) == 2;
    return !(is_right && p_kind(small, 0) == -8 && p_kind(large, 0) == -7);
}
