#include "p.h"
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int errors_of(p_value *value) {
    for (int n = 0; n < value->used; n++)
        if (value->last[n] != n + 1) return 2;
    switch (value->kind) {
    case 0: return value->any.number != value->count;
    case 1: return value->any.real != value->count * 0.5;
    default: return value->any.point->x != value->any.point->y;
    }
}
int p_check(p_value *value) {
    pthread_mutex_lock(&mutex);
    int errors = errors_of(value);
    pthread_mutex_unlock(&mutex);
    return errors;
}
int p_next(p_value *value, p_point *point) {
    pthread_mutex_lock(&mutex);
    int errors = errors_of(value);
    value->kind = ++value->count % 3;
    value->last[value->used++] = value->count;
    if (value->kind == 0)
        value->any.number = value->count;
    else if (value->kind == 1)
        value->any.real = value->count * 0.5;
    else {
        value->any.point = point;
        point->x++;
        point->y++;
    }
    pthread_mutex_unlock(&mutex);
    return errors;
}
