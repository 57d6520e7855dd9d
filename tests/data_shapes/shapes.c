#include "shapes.h"
#include <stdlib.h>
#include <string.h>

/* A set of addresses: open addressing, doubled when half full. */
struct set {
    const void **all;
    size_t count, room;
};

static int add(struct set *set, const void *one)
{
    if (2 * (set->count + 1) > set->room) {
        struct set larger = {0, 0, set->room ? 2 * set->room : 64};
        larger.all = calloc(larger.room, sizeof *larger.all);
        for (size_t n = 0; n < set->room; n++)
            if (set->all[n])
                add(&larger, set->all[n]);
        free(set->all);
        *set = larger;
    }
    size_t at = ((uintptr_t)one >> 4) * 2654435761u % set->room;
    while (set->all[at] && set->all[at] != one)
        at = (at + 1) % set->room;
    if (set->all[at])
        return 0;
    set->all[at] = one;
    set->count++;
    return 1;
}

long shapes_sum(const shapes_node *list)
{
    struct set seen = {0};
    long sum = 0;
    for (; list && add(&seen, list); list = list->next)
        sum += list->value;
    free(seen.all);
    return sum;
}

long shapes_reached(const shapes_node *root)
{
    struct set seen = {0};
    size_t count = 0, room = 64;
    const shapes_node **left = malloc(room * sizeof *left);
    if (root)
        left[count++] = root;
    while (count) {
        const shapes_node *node = left[--count];
        if (!add(&seen, node))
            continue;
        if (count + 2 > room)
            left = realloc(left, (room *= 2) * sizeof *left);
        if (node->next)
            left[count++] = node->next;
        if (node->other)
            left[count++] = node->other;
    }
    long all = (long)seen.count;
    free(left);
    free(seen.all);
    return all;
}

int shapes_negate(shapes_cell *list)
{
    int count = 0;
    for (; list; list = list->next, count++)
        if (list->value) list->value = -list->value;
    return count;
}

int shapes_read(const shapes_part *parts, size_t n)
{
    int next = 0;
    for (size_t one = 0; one < n; one++)
        for (size_t at = 0; at < parts[one].size; at++)
            ((unsigned char *)parts[one].base)[at] = (unsigned char)next++;
    return next;
}

int shapes_double_all(const shapes_change *parts, size_t n)
{
    for (size_t one = 0; one < n; one++)
        for (int at = 0; at < parts[one].count; at++)
            parts[one].base[at] *= 2;
    return 0;
}

int shapes_rows(int **rows, int n, int width)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < width; x++)
            rows[y][x] = 100 * y + x;
    return n * width;
}

static long hash(const char *text, size_t n)
{
    unsigned long sum = n;
    for (size_t at = 0; at < n; at++)
        sum = 31 * sum + (unsigned char)text[at];
    return (long)(sum % 1000000007);
}

long shapes_texts(unsigned n, const char **texts, const size_t *lens)
{
    long sum = 0;
    for (unsigned at = 0; at < n; at++)
        sum = sum * 7 + hash(texts[at], lens && lens[at] ? lens[at] : strlen(texts[at]));
    return sum;
}

long shapes_text(const char *text, int n)
{
    return hash(text, n < 0 ? strlen(text) : (size_t)n);
}

long shapes_number(const char *text, char **end)
{
    return strtol(text, end, 10);
}

const int *shapes_middle(const int *first, size_t n, const int **end)
{
    *end = first + n;
    return first + n / 2;
}

int shapes_product(shapes_vector a, const shapes_vector b)
{
    int sum = 0;
    for (int n = 0; n < 3; n++)
        sum += a[n] * b[n];
    for (int n = 0; n < 3; n++)
        a[n] = -a[n];
    return sum;
}

int shapes_drain(const unsigned char *from, size_t left, unsigned char *to, size_t n)
{
    size_t copied = left < n ? left : n;
    memset(to, '.', n);
    if (copied)
        memcpy(to, from, copied);
    return (int)copied;
}

int shapes_append(shapes_growing *to, int number)
{
    if (to->n == to->room) {
        to->room = 2 * to->room + 3;
        to->items = realloc(to->items, to->room * sizeof *to->items);
        for (unsigned n = to->n; n < to->room; n++)
            to->items[n] = -1;
    }
    to->items[to->n++] = number;
    return (int)to->n;
}

long shapes_total(const shapes_growing *of)
{
    long sum = 0;
    for (unsigned n = 0; n < of->n; n++)
        sum += of->items[n];
    return sum;
}

int shapes_line(char **line, size_t *room, int length)
{
    if (*room < (size_t)length + 1) {
        *room = (size_t)length + 1;
        *line = realloc(*line, *room);
    }
    memset(*line, 'x', (size_t)length);
    (*line)[length] = 0;
    return length;
}

int shapes_alignment(const void *p, size_t n)
{
    (void)n;
    int found = 1;
    while (found < 4096 && (uintptr_t)p % (2 * (unsigned)found) == 0)
        found *= 2;
    return found;
}

int shapes_fill(void *p, size_t n)
{
    memset(p, 7, n);
    return shapes_alignment(p, n);
}

int shapes_mark(void *p, size_t n, size_t at)
{
    ((char *)p)[at] = 5;
    return at < n;
}

int shapes_replace_bytes(unsigned char *bytes, size_t n, uint8_t old_byte, uint8_t new_byte)
{
    int count = 0;
    for (size_t at = 0; at < n; at++) {
        if (bytes[at] == old_byte) {
            bytes[at] = new_byte;
            count++;
        }
    }
    return count;
}

int shapes_replace(char *text, char old_char, char new_char)
{
    return shapes_replace_bytes((unsigned char *)text, strlen(text), (uint8_t)old_char, (uint8_t)new_char);
}

int shapes_greet(shapes_spell spell, void *user)
{
    return spell("a constant greeting", user);
}

int shapes_measure(size_t n, const char *text, int *length)
{
    *length = (int)strlen(text);
    return (int)n;
}

/* As an instruction that faults on other addresses. */
int shapes_demanding(const void *p, void *q, size_t n)
{
    if ((uintptr_t)p % 1024 || (q && (uintptr_t)q % 4096))
        return -1;
    if (q)
        memcpy(q, p, n);
    return 1;
}
