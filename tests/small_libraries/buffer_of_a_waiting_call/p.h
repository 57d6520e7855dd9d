#include <stddef.h>
typedef int (*p_Event)(void *user, int n);
int p_each(int *v, size_t n, p_Event event, void *user);
int p_read(const int *v, size_t n, p_Event event, void *user);
int p_sum(const int *v, size_t n);
int p_add(int *v, size_t n, int more);
void p_on(p_Event event, void *user);
int p_fire(int *v, size_t n);
int p_keep(int *v, size_t n);
int p_run(int *v, size_t n);
