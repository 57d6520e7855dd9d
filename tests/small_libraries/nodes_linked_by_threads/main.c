#include <pthread.h>
#include <stdio.h>
#include "p.h"

enum { THREADS = 4, NODES = 40 };
static p_stack stack;
static p_node nodes[2][THREADS][NODES];

static void *push(void *of) {
    p_node *own = of;
    for (int n = 0; n < NODES; n++) p_push(&stack, &own[n]);
    return NULL;
}
static void *push_locked(void *of) {
    p_node *own = of;
    for (int n = 0; n < NODES; n++) p_push_locked(&stack, &own[n]);
    return NULL;
}

static void show(void) {
    int count = 0, sum = 0;
    for (p_node *node = stack.head; node; node = node->next) count++, sum += node->id;
    printf("%d nodes, %d, %d; %d, %d\n", stack.count, p_sum(&stack), stack.head == stack.last, count, sum);
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        pthread_t threads[THREADS];
        for (int t = 0; t < THREADS; t++)
            for (int n = 0; n < NODES; n++) nodes[round][t][n].id = 1 + t * NODES + n;
        for (int t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, round ? push_locked : push, nodes[round][t]);
        for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
        show();
    }
    return 0;
}
