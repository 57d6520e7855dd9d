#include "p.h"
#include <stddef.h>
static int *kept;
static int size;
static void keep(int *memory, int count, int writes) {
    kept = memory;
    size = count;
    for (int i = 0; writes && i < count; i++)
        memory[i] = 1000 + i;
}
int p_sum(void) {
    int sum = 0;
    for (int i = 0; kept && i < size; i++)
        sum = sum * 7 + kept[i];
    return sum;
}
static int use(int *memory, int count, int adds, int sets) {
    for (int i = 0; i < count; i++)
        memory[i] = sets ? 50 + i : memory[i] + adds;
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum = sum * 3 + memory[i];
    return (int)(memory == kept) * 100000000 + sum + p_sum() % 1000;
}
#define KEEP(way, writes) \
    void p_keep_##way(int *memory, int count) { keep(memory, count, writes); } \
    void p_keeps_##way(p_keeps *s) { keep(s->memory, s->count, writes); } \
    void p_row_##way(int **rows) { keep(rows[0], 5, writes); } \
    int p_again_##way(int *memory, int count) { return use(memory, count, writes, 0); }
KEEP(in, 0) KEEP(inout, 1) KEEP(out, 1) KEEP(local, 0)
#define USE(way, adds, sets) \
    int p_use_##way(int *memory, int count) { return use(memory, count, adds, sets); } \
    int p_uses_##way(p_keeps *s) { return use(s->memory, s->count, adds, sets); }
USE(in, 0, 0) USE(inout, 3, 0) USE(out, 0, 1)
int p_row_use_inout(int **rows) { return use(rows[0], 5, 2, 0); }
int p_row_use_out(int **rows) { return use(rows[0], 5, 0, 1); }
int p_part(int *memory) { memory[0] += 9; return (int)(memory - kept) * 1000 + memory[1]; }
int *p_give(void) { return kept ? kept + 2 : NULL; }
void p_end(int *memory) { if (memory == kept) kept = NULL; }
