#ifndef P_H
#define P_H
void p_store(int *memory, int count);
typedef struct p_stored {
    int *memory;
    int count;
} p_stored;
void p_choose(int kind, int *memory, int count);
void p_store_in(const p_stored *stored);
void p_store_back(p_stored *stored);
/* Writes to the memory, and returns whether there is any. */
int p_scratch(int *memory, int count);
void p_pass(const int *numbers, int count);
/* p_fill and p_add return whether their numbers are those that the library keeps. */
int p_fill(int *numbers, int count, int first);
int p_add(int *numbers, int count);
int p_sum(void);
void p_end(int *numbers);
#endif
