#include <string.h>
#include "p.h"

static int numbers[6] = {1, 2, 3, 4, 5, 6};
static int items[8] = {1, 2}, count_of_items = 2;
static char text[8] = "abc";
static p_pairs_list pairs = {2, {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, "library"};

void p_keep(int *v, char *t, p_pairs_list *p) { (void)v, (void)t, (void)p; }
int *p_numbers(void) { return numbers; }
char *p_text(void) { return text; }
p_pairs_list *p_pairs(void) { return &pairs; }
void p_push(int *v, int *n, int x) {
    if (*n < 6) {
        v[(*n)++] = x;
    }
}
void p_pop(int *v, int *n) {
    if (*n > 0) {
        v[--*n] = 99;
    }
}
int p_sum(const int *v, const int *n) {
    int sum = 0;
    for (int i = 0; i < *n; i++) {
        sum = 3 * sum + v[i];
    }
    return sum;
}
void p_append(char *t, int c) {
    size_t n = strlen(t);
    if (n < 7) {
        t[n] = (char)c, t[n + 1] = 0;
    }
}
void p_cut(char *t) {
    size_t n = strlen(t);
    if (n > 0) {
        t[n - 1] = 0, t[n] = 'z';
    }
}
int p_hash(const char *t) {
    int hash = 0;
    for (; *t; t++) {
        hash = 3 * hash + *t;
    }
    return hash;
}
void p_push_pair(p_pairs_list *p, int x) {
    if (p->count < 4) {
        p_pair *next = &p->all[p->count++];
        next->a = (short)x, next->b = x + 1;
    }
}
void p_pop_pair(p_pairs_list *p) {
    if (p->count > 0) {
        p_pair *last = &p->all[--p->count];
        last->a = 99, last->b = 98;
    }
}
int p_sum_pairs(p_pairs_list *p) {
    int sum = 0;
    for (int i = 0; i < p->count; i++) {
        sum = 3 * sum + p->all[i].a + 50 * p->all[i].b;
    }
    return sum;
}
int *p_items(int *count) {
    *count = count_of_items;
    return items;
}
void p_add(int item) { items[count_of_items++] = item; }
int p_total(const int *all, int count) {
    int total = 0;
    for (int i = 0; i < count; i++) {
        total += all[i];
    }
    return total;
}
