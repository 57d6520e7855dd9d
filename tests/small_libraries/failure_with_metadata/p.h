#include <stddef.h>
typedef struct p_block p_block;
p_block *p_make(size_t n);
size_t p_size(p_block *block, int k);
int p_kind(p_block *block, int k);
