#ifndef IDIOMS_H
#define IDIOMS_H
#include <stddef.h>
#include <stdint.h>
typedef struct idioms_box idioms_box;
typedef struct {
    int x, y;
} idioms_point;
enum idioms_color { IDIOMS_RED, IDIOMS_GREEN };
typedef void (*idioms_visit)(enum idioms_color color, void *user);
idioms_box *idioms_open(const char *text);
void idioms_close(idioms_box *box);
/* Without `to`, only stores the length. Returns -1 if `to` is too small for it. */
int idioms_read(idioms_box *box, uint8_t *to, size_t *len);
/* As snprintf. */
int idioms_describe(idioms_box *box, char *to, size_t cap);
char *idioms_copy(idioms_box *box);
void idioms_free(char *text);
/* Returns the length of all strings. */
int idioms_join(const char *const *all, size_t n);
void idioms_tag(idioms_box *box, void *tag);
void *idioms_tagged(idioms_box *box);
const char *idioms_name(idioms_box *box);
/* The box keeps `values`. */
int idioms_attach(idioms_box *box, int *values, size_t n);
/* Multiplies the values that the box keeps, and returns their sum. */
int idioms_scale(idioms_box *box, int factor);
/* Waits for a push. */
int idioms_pop(idioms_box *box);
int idioms_push(idioms_box *box, int value);
enum idioms_color idioms_color(idioms_box *box);
/* Calls `visit` with each color, and returns how many there are. */
int idioms_each(idioms_box *box, idioms_visit visit, void *user);
/* `values` may be null if `n` is 0. */
int idioms_sum(const int *values, size_t n);
idioms_point idioms_origin(idioms_box *box);
#endif
