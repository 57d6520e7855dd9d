#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "p.h"

void p_init(p_number *z, int room) { *z = (p_number){room, 0, calloc((size_t)room, sizeof *z->digits)}; }
void p_push(p_number *z, unsigned long digit) {
    if (z->size == z->room)
        z->digits = realloc(z->digits, (size_t)++z->room * sizeof *z->digits);
    z->digits[z->size++] = digit;
}
unsigned long p_sum(const p_number *z) {
    unsigned long sum = 0;
    for (int i = 0; i < z->size; i++)
        sum += z->digits[i];
    return sum;
}
void p_clear(p_number *z) {
    free(z->digits);
    *z = (p_number){0, 0, NULL};
}

int p_find(p_names *names, int n) {
    *names = (p_names){n, calloc((size_t)n, sizeof *names->all)};
    for (int i = 0; i < n; i++) {
        names->all[i] = malloc(16);
        snprintf(names->all[i], 16, "name %d", i);
    }
    return n;
}
void p_release(p_names *names) {
    for (int i = 0; i < names->n; i++)
        free(names->all[i]);
    free(names->all);
    *names = (p_names){0, NULL};
}

p_text *p_open(void) {
    static p_text text;
    text = (p_text){calloc(3, 1), 0, 3};
    return &text;
}
p_text *p_append(p_text *text, const char *more) {
    int size = (int)strlen(more);
    if (text->size + size >= text->room) {
        text->room = 2 * (text->size + size);
        text->bytes = realloc(text->bytes, (size_t)text->room);
    }
    strcpy(text->bytes + text->size, more);
    text->size += size;
    return text;
}
