#include <stdlib.h>
#include <string.h>
#include "p.h"

struct p_block {
    size_t n;
};

p_block *p_make(size_t n) {
    p_block *block = malloc(sizeof *block);
    block->n = n;
    return block;
}
int p_cut(p_block *block, size_t n, char *to) {
    memset(to, 'c', block->n);
    block->n = n;
    return 1;
}
int p_cut_valid(p_block *block, size_t n, char *to) {
    memset(to, 'v', block->n);
    block->n = n;
    return 2;
}
int p_call(p_block *block, p_Event event, void *user, char *to) {
    size_t n = block->n;
    int result = event(user);
    memset(to, 'e', n);
    return result;
}
int p_reset(p_block *block, size_t n) {
    block->n = n;
    return (int)n;
}
char *p_release(p_block *block) {
    char *text = malloc(block->n);
    memset(text, 'r', block->n);
    free(block);
    return text;
}
p_block *p_push(p_block *block) {
    p_block *larger = p_make(block->n + 1);
    free(block);
    return larger;
}
int p_read(p_block *block, char *to) {
    memset(to, 'd', block->n);
    return (int)block->n;
}
int p_remove(p_block *const *all, size_t n, char *to) {
    memset(to, 'm', all[0]->n);
    for (size_t i = 0; i < n; i++)
        free(all[i]);
    return (int)n;
}
int p_cut_named(const p_named *s, size_t n, char *to) { return p_cut_valid(s->block, n, to); }
int p_cut_one(p_block *const *all, const size_t *at, size_t n, char *to) { return p_cut(all[*at + 1], n, to); }
