#include <stdio.h>
#include <string.h>
#include "p.h"

static unsigned random_below(unsigned n) {
    static unsigned state = 999;
    state = state * 1103515245 + 12345;
    return (state >> 16) % n;
}

static void step(int *v, int *n, char *t, p_pairs_list *p) {
    size_t length = strlen(t);
    static int next;
    int x = next++ % 90;
    switch (random_below(15)) {
    case 0: p_push(v, n, x); break;
    case 1: p_pop(v, n); break;
    case 2: printf("sum %d\n", p_sum(v, n)); break;
    case 3: p_append(t, 'a' + x % 26); break;
    case 4: p_cut(t); break;
    case 5: printf("hash %d\n", p_hash(t)); break;
    case 6: p_push_pair(p, x); break;
    case 7: p_pop_pair(p); break;
    case 8: printf("sum of pairs %d\n", p_sum_pairs(p)); break;
    case 9:
        if (*n < 6) {
            v[(*n)++] = x;
        }
        break;
    case 10:
        if (*n > 0) {
            v[--*n] = x;
        }
        break;
    case 11:
        if (length < 7) {
            t[length] = (char)('a' + x % 26), t[length + 1] = 0;
        }
        break;
    case 12:
        if (length > 0) {
            t[length - 1] = 0, t[length] = 'b';
        }
        break;
    case 13:
        if (p->count < 4) {
            p_pair *next = &p->all[p->count++];
            next->a = (short)x, next->b = x;
        }
        break;
    default:
        if (p->count > 0) {
            p_pair *last = &p->all[--p->count];
            last->a = (short)x, last->b = x;
        }
    }
}

int main(void) {
    static int numbers[6] = {1, 2, 3, 4, 5, 6}, counts[2] = {3, 3};
    static char text[8] = "xy";
    static p_pairs_list pairs = {2, {{1, 1}, {2, 2}, {3, 3}, {4, 4}}, "program"};
    p_keep(numbers, text, &pairs);
    int *all_numbers[2] = {numbers, p_numbers()};
    char *texts[2] = {text, p_text()};
    p_pairs_list *all_pairs[2] = {&pairs, p_pairs()};
    for (int i = 0; i < 2000; i++) {
        unsigned owner = random_below(2);
        int *v = all_numbers[owner], *n = &counts[owner];
        p_pairs_list *p = all_pairs[owner];
        step(v, n, texts[owner], p);
        printf("%d: %s", i, texts[owner]);
        for (int k = 0; k < *n; k++) {
            printf(" %d", v[k]);
        }
        for (int k = 0; k < p->count; k++) {
            printf(" %d,%d", p->all[k].a, p->all[k].b);
        }
        printf("\n");
    }
    int count = 0, *items = p_items(&count), total = p_total(items, count);
    for (int i = 0; i < 3; i++) {
        p_add(10 * i + 10);
        total = 2 * total + p_total(items, ++count);
    }
    items[1] = 7, items[count++] = 5;
    printf("%d %d\n", total, p_total(items, count));
    char local[8] = "local";
    printf("%d\n", p_hash(local));
    return 0;
}
