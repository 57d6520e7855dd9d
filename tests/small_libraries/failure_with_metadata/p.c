#include <stdlib.h>
#include "p.h"

struct p_block {
    size_t n;
};

p_block *p_make(size_t n) {
    p_block *block = malloc(sizeof *block);
    block->n = n;
    return block;
}
size_t p_size(p_block *block, int k) { return k > 0 ? 100 : block->n; }
int p_kind(p_block *block, int k) { return k > 0 ? 100 : block->n > 2 ? -7 : -8; }
