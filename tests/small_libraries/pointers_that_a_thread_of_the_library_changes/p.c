#include "p.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static p_state *state;
static p_node *nodes[2];
static pthread_t thread;
static atomic_bool is_over;

static void *change(void *unused)
{
    (void)unused;
    p_node *volatile *const node = &state->node;
    for (unsigned n = 0; !atomic_load(&is_over); n++) *node = nodes[n % 2];
    return NULL;
}

int p_start(p_state *of, p_node *one, p_node *other)
{
    state = of;
    nodes[0] = one;
    nodes[1] = other;
    return pthread_create(&thread, NULL, change, NULL);
}

int p_look(p_state *of) { return of->count; }

int p_stop(p_state *of)
{
    (void)of;
    atomic_store(&is_over, 1);
    return pthread_join(thread, NULL);
}
