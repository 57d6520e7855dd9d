#include <stdlib.h>
#include <string.h>
#include "p.h"

struct p_object {
    p_config config;
};

int p_start(const p_config *config, p_object **h) {
    *h = malloc(sizeof **h);
    (*h)->config = *config;
    return 0;
}
int p_total(p_object *h) {
    int sum = h->config.get(h->config.user);
    for (int i = 0; i < h->config.n; i++)
        sum += h->config.values[i];
    return h->config.name ? sum + 1000000 * (int)strlen(h->config.name) : sum;
}
void p_end(p_object *h) { free(h); }
