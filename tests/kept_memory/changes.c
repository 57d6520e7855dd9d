#include <stdlib.h>
#include <string.h>
#include "changes.h"

struct changes_box {
    changes_row rows[2];
    char text[20], title[20];
    unsigned char *buffer, *kept;
    const unsigned char *held;
    size_t n;
};

changes_box *changes_open(void) {
    changes_box *box = calloc(1, sizeof *box);
    box->rows[0] = (changes_row){1.5, 3, 0, "first", &box->rows[1]};
    box->rows[1] = (changes_row){2.5, 4, 0, "second", &box->rows[0]};
    strcpy(box->title, "a title");
    return box;
}

void changes_close(changes_box *box) {
    free(box->buffer);
    free(box);
}

changes_row *changes_rows(changes_box *box) { return box->rows; }
changes_row *changes_forever(changes_box *box) {
    (void)box;
    static changes_row row = {0.5, 2, 0, "forever", NULL};
    return &row;
}
void changes_find(changes_box *box, changes_row **found) { *found = &box->rows[1]; }

double changes_apply(changes_box *box, const changes_row *row) {
    (void)box;
    double next = row->next ? 1000 * row->next->a + 10000 * strlen(row->next->name) : 0;
    return row->a * row->n + 100 * row->count + strlen(row->name) + next;
}
double changes_twice(changes_box *box, changes_row *row) {
    row->a *= 2;
    row->name[0] = 'T';
    return changes_apply(box, row);
}
void changes_reset(changes_box *box, changes_row *row) {
    (void)box;
    *row = (changes_row){9, 9, 9, "reset", row->next};
}
void changes_step(changes_box *box) { box->rows[0].count++; }
int changes_refuse(const changes_row *row, const char *text) { return row->n + (int)strlen(text); }

char *changes_text(changes_box *box) { return box->text; }
const char *changes_title(changes_box *box) { return box->title; }
int changes_length(const char *text) { return (int)strlen(text); }
int changes_title_length(changes_box *box, const char *title) { return title == box->title ? (int)strlen(title) : -1; }

unsigned char *changes_buffer(changes_box *box, size_t n) {
    box->buffer = realloc(box->buffer, n);
    memset(box->buffer, 1, n);
    return box->buffer;
}
int changes_sum(const unsigned char *data, size_t n) {
    int sum = 0;
    while (n--)
        sum += *data++;
    return sum;
}
int changes_parse(changes_box *box, size_t n) { return changes_sum(box->buffer, n); }

void changes_keep(changes_box *box, unsigned char *data, size_t n) {
    box->kept = data;
    box->n = n;
}
void changes_poke(changes_box *box, size_t at, int value) { box->kept[at] = (unsigned char)value; }
int changes_peek(changes_box *box, size_t at) { return box->kept[at]; }
unsigned char *changes_kept(changes_box *box) { return box->kept; }
void changes_show(changes_box *box, changes_seen seen, void *user) { seen(box->kept, box->n, user); }
int changes_pair(changes_box *box, const unsigned char *data, const unsigned *words, size_t n) {
    return data == box->kept && (const void *)words == data ? data[n - 1] : -1;
}
void changes_hold(changes_box *box, const unsigned char *data, size_t n) {
    box->held = data;
    box->n = n;
}
void changes_show_both(changes_box *box, changes_both both, void *user) {
    both(box->held, (const unsigned *)box->held, box->n, user);
}
int changes_total(changes_box *box, const unsigned char *data, size_t n) {
    return data == box->kept ? changes_sum(data, n) : -1;
}

char **changes_lines(changes_box *box) {
    (void)box;
    char **lines = malloc(2 * sizeof *lines);
    lines[0] = strcpy(malloc(20), "first");
    lines[1] = strcpy(malloc(20), "second");
    return lines;
}
int changes_take(char **lines, size_t n) {
    int length = 0;
    for (size_t at = 0; at < n; at++) {
        length += (int)strlen(lines[at]);
        free(lines[at]);
    }
    free(lines);
    return length;
}
