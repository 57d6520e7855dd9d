#include <stddef.h>
typedef struct p_block p_block;
typedef int (*p_Event)(void *user);
p_block *p_make(size_t n);
int p_cut(p_block *block, size_t n, char *to);
int p_cut_valid(p_block *block, size_t n, char *to);
int p_call(p_block *block, p_Event event, void *user, char *to);
int p_reset(p_block *block, size_t n);
char *p_release(p_block *block);
p_block *p_push(p_block *block);
int p_read(p_block *block, char *to);
int p_remove(p_block *const *all, size_t n, char *to);
typedef struct {
    p_block *block;
    int k;
} p_named;
int p_cut_named(const p_named *s, size_t n, char *to);
int p_cut_one(p_block *const *all, const size_t *at, size_t n, char *to);
