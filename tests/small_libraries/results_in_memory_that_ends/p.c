#include <stdlib.h>
#include <string.h>
#include "p.h"

struct p_store {
    char *bytes;
};

int p_begin(p_counter *counter) {
    *counter = (p_counter){0, 0};
    return 0;
}

int p_add(p_counter *counter, int value) {
    counter->total += value;
    return ++counter->count;
}

int p_end(p_counter *counter) {
    counter->total *= 2;
    counter->count = -1;
    return 0;
}

p_store *p_open(void) { return calloc(1, sizeof(p_store)); }

int p_keep(p_store *store, char *bytes, int n) {
    if (n < 0 || bytes[0] == '!')
        return -1;
    store->bytes = bytes;
    return 0;
}

int p_fill(char *bytes, int n) {
    memset(bytes, 'f', n);
    return n;
}

int p_close(p_store *store) {
    free(store);
    return 0;
}
