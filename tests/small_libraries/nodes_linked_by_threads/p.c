#include "p.h"
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* The last node as the library knows it. */
static p_node *last;
static int errors;

int p_push(p_stack *stack, p_node *node) {
    pthread_mutex_lock(&mutex);
    errors += stack->head != last || stack->last != last;
    node->next = stack->head;
    last = stack->last = stack->head = node;
    stack->count++;
    pthread_mutex_unlock(&mutex);
    return node->id;
}
int p_push_locked(p_stack *stack, p_node *node) { return p_push(stack, node); }
int p_sum(p_stack *stack) {
    int sum = 0;
    for (p_node *node = stack->head; node; node = node->next) sum += node->id;
    return sum + 1000000 * errors;
}
