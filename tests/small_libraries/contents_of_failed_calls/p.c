#include "p.h"

static int *kept, kept_count;

int p_keep(int *memory, int n)
{
    kept = memory;
    kept_count = n;
    return 0;
}

int p_keep_out(int *memory, int n)
{
    p_fill(memory, n, 0);
    return p_keep(memory, n) - 1;
}

int p_fill(int *memory, int n, int result)
{
    for (int i = 0; i < n; i++) memory[i] = 100 + i;
    return result;
}

int p_change(int *memory, int n, int result)
{
    for (int i = 0; i < n; i++) memory[i] *= 7;
    return result;
}

int p_fill_on(int *memory, int n, int is_sent) { return p_fill(memory, n, is_sent); }

int p_sum(const int *memory, int n)
{
    int sum = memory == kept;
    for (int i = 0; i < n; i++) sum = sum * 3 + memory[i];
    return sum;
}

int p_kept_sum(void) { return p_sum(kept, kept_count); }
/* Begins an operation: its results come with p_finish. */
int p_start(int *memory, int n)
{
    kept = memory;
    kept_count = n;
    return -11;
}

int p_start_on(int *memory, int n) { return -p_start(memory, n); }
void p_tick(void) { p_fill(kept, kept_count, 0); }
int p_finish(int *memory, int n) { return memory == kept ? n : -1; }

int p_try_nodes(p_node *node)
{
    for (; node; node = node->next) {
        node->a *= 2;
        p_change(node->list, node->n, 0);
    }
    return 0;
}

int p_sum_nodes(const p_node *node)
{
    int sum = 0;
    for (; node; node = node->next) sum = sum * 5 + node->a + p_sum(node->list, node->n);
    return sum;
}

int p_keep_nodes(p_node *node) { return p_sum_nodes(node); }

int p_call(int *memory, int n, void (*function)(void *user), void *user)
{
    p_fill(memory, n, 0);
    function(user);
    return n;
}

void p_end(int *memory) { kept = memory == kept ? 0 : kept; }
