#ifndef CHANGES_H
#define CHANGES_H
#include <stddef.h>
typedef struct changes_box changes_box;
typedef struct changes_row changes_row;
struct changes_row {
    double a;
    int n, count;
    char name[20];
    changes_row *next;
};
typedef void (*changes_seen)(unsigned char *data, size_t n, void *user);

changes_box *changes_open(void);
void changes_close(changes_box *box);

/* The first of two rows in a circle. */
changes_row *changes_rows(changes_box *box);
changes_row *changes_forever(changes_box *box);
void changes_find(changes_box *box, changes_row **found);
double changes_apply(changes_box *box, const changes_row *row);
double changes_twice(changes_box *box, changes_row *row);
void changes_reset(changes_box *box, changes_row *row);
/* Adds 1 to the count of the first row. */
void changes_step(changes_box *box);
int changes_refuse(const changes_row *row, const char *text);

char *changes_text(changes_box *box);
const char *changes_title(changes_box *box);
int changes_length(const char *text);
int changes_title_length(changes_box *box, const char *title);

unsigned char *changes_buffer(changes_box *box, size_t n);
int changes_sum(const unsigned char *data, size_t n);
int changes_parse(changes_box *box, size_t n);

/* The library keeps the memory of the program. */
void changes_keep(changes_box *box, unsigned char *data, size_t n);
void changes_poke(changes_box *box, size_t at, int value);
int changes_peek(changes_box *box, size_t at);
unsigned char *changes_kept(changes_box *box);
int changes_pair(changes_box *box, const unsigned char *data, const unsigned *words, size_t n);
typedef void (*changes_both)(const unsigned char *data, const unsigned *words, size_t n, void *user);
/* The library keeps constant memory of the program. */
void changes_hold(changes_box *box, const unsigned char *data, size_t n);
void changes_show_both(changes_box *box, changes_both both, void *user);
void changes_show(changes_box *box, changes_seen seen, void *user);
int changes_total(changes_box *box, const unsigned char *data, size_t n);

/* Returns a block of two strings. */
char **changes_lines(changes_box *box);
/* Frees such a block. */
int changes_take(char **lines, size_t n);
#endif
