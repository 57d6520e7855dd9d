#include "p.h"

static p_Event kept;
static void *kept_user;

int p_sum(const int *v, size_t n) {
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    return sum;
}
int p_add(int *v, size_t n, int more) {
    for (size_t i = 0; i < n; i++)
        v[i] += more;
    return p_sum(v, n);
}
int p_each(int *v, size_t n, p_Event event, void *user) {
    int result = 0;
    for (size_t i = 0; i < n; i++) {
        v[i] *= 10;
        result = result * 3 + event(user, (int)i);
    }
    return result;
}
int p_read(const int *v, size_t n, p_Event event, void *user) { return p_sum(v, n) + event(user, 7); }
void p_on(p_Event event, void *user) {
    kept = event;
    kept_user = user;
}
int p_fire(int *v, size_t n) {
    p_add(v, n, 1);
    return kept(kept_user, 5);
}
int p_keep(int *v, size_t n) { return p_sum(v, n); }
int p_run(int *v, size_t n) {
    p_add(v, n, 1);
    return kept(kept_user, 6);
}
