#ifndef P_H
#define P_H
void p_lend(int *memory, int count);
typedef struct p_lent {
    int *memory;
    int count;
} p_lent;
void p_choose(int kind, int *memory, int count);
void p_lend_in(const p_lent *lent);
void p_lend_back(p_lent *lent);
void p_pass(const int *numbers, int count);
/* These return whether the numbers are those that the library keeps. */
int p_fill(int *numbers, int count, int first);
int p_add(int *numbers, int count);
int p_sum(void);
void p_end(int *numbers);
#endif
