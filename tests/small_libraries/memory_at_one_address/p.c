#include "p.h"
#include <stddef.h>
static const int *kept;
static int size;
void p_lend(int *memory, int count) {
    kept = memory;
    size = count;
    for (int i = 0; i < count; i++)
        memory[i] = 100 + i;
}
void p_choose(int kind, int *memory, int count) {
    if (kind == 0 && memory)
        p_lend(memory, count);
}
void p_lend_in(const p_lent *lent) { p_lend(lent->memory, lent->count); }
void p_lend_back(p_lent *lent) { p_lend(lent->memory, lent->count); }
void p_pass(const int *numbers, int count) {
    kept = numbers;
    size = count;
}
int p_fill(int *numbers, int count, int first) {
    for (int i = 0; i < count; i++)
        numbers[i] = first + i;
    return numbers == kept;
}
int p_add(int *numbers, int count) {
    for (int i = 0; i < count; i++)
        numbers[i]++;
    return numbers == kept;
}
int p_sum(void) {
    int sum = 0;
    for (int i = 0; kept && i < size; i++)
        sum += kept[i];
    return sum;
}
void p_end(int *numbers) {
    if (numbers == kept)
        kept = NULL;
}
