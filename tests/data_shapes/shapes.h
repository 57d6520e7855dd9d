#ifndef SHAPES_H
#define SHAPES_H
#include <stddef.h>
#include <stdint.h>

typedef struct shapes_node {
    int value;
    const struct shapes_node *next, *other;
} shapes_node;
typedef struct shapes_cell {
    int value;
    struct shapes_cell *next;
} shapes_cell;
typedef struct shapes_part {
    void *base;
    size_t size;
} shapes_part;
typedef struct shapes_change {
    int *base;
    int count;
} shapes_change;

typedef int shapes_vector[3];
typedef struct shapes_growing {
    unsigned n, room;
    int *items;
} shapes_growing;

long shapes_sum(const shapes_node *list);
long shapes_reached(const shapes_node *root);
int shapes_negate(shapes_cell *list);
int shapes_read(const shapes_part *parts, size_t n);
int shapes_double_all(const shapes_change *parts, size_t n);
int shapes_rows(int **rows, int n, int width);
long shapes_texts(unsigned n, const char **texts, const size_t *lens);
long shapes_text(const char *text, int n);
int shapes_measure(size_t n, const char *text, int *length);
long shapes_number(const char *text, char **end);
const int *shapes_middle(const int *first, size_t n, const int **end);
int shapes_product(shapes_vector a, const shapes_vector b);
int shapes_drain(const unsigned char *from, size_t left, unsigned char *to, size_t n);
int shapes_append(shapes_growing *to, int number);
long shapes_total(const shapes_growing *of);
int shapes_line(char **line, size_t *room, int length);
int shapes_alignment(const void *p, size_t n);
int shapes_demanding(const void *p, void *q, size_t n);
int shapes_fill(void *p, size_t n);
int shapes_replace(char *text, char old_char, char new_char);
int shapes_replace_bytes(unsigned char *bytes, size_t n, uint8_t old_byte, uint8_t new_byte);
typedef int (*shapes_spell)(char *text, void *user);
int shapes_greet(shapes_spell spell, void *user);
int shapes_mark(void *p, size_t n, size_t at);
#endif
