#include "p.h"
#include <stddef.h>
static const int *kept;
static int size;
void p_store(int *memory, int count) {
    kept = memory;
    size = count;
    for (int i = 0; i < count; i++)
        memory[i] = 100 + i;
}
void p_choose(int kind, int *memory, int count) {
    if (kind == 0 && memory)
        p_store(memory, count);
}
void p_store_in(const p_stored *stored) { p_store(stored->memory, stored->count); }
void p_store_back(p_stored *stored) { p_store(stored->memory, stored->count); }
int p_scratch(int *memory, int count) {
    for (int i = 0; memory && i < count; i++)
        memory[i] = 0;
    return memory != NULL;
}
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
